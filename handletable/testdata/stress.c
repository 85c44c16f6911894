/* Four threads use one table at once. It runs under ThreadSanitizer, which reports races. The program itself checks the
   guarantees to each thread. */
#include "handletable.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 3000
#define SHARED 64      /* objects that all threads refer to */
#define OWN 20000      /* objects of each thread; together they need more than one chunk */
#define MAILBOXES 16

static struct handletable objects, requests;
static __thread struct ht_magazine magazine;
static uint32_t mailbox[MAILBOXES];
static uint32_t published[THREADS]; /* a handle of each thread that the others look up, live or stale */

static void check(int fine, const char *what)
{
    if (!fine) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static void *address(long thread, long i)
{
    return (void *)(0x7f0000000000 + (thread << 32) + (i + 1) * 64);
}

/* Objects with references: while a thread holds a reference, the handle belongs to its object. */
static void shared_objects(long me, unsigned *random)
{
    for (int round = 0; round < ROUNDS; round++) {
        void *object = address(THREADS, rand_r(random) % SHARED);
        uint32_t handle = ht_insert(&objects, object);
        int transient;
        check(handle != 0, "a table that is not full gives no handle");
        check(ht_lookup(&objects, handle) == object, "a referenced handle is not its object's");
        check(ht_find(&objects, object) == handle, "a referenced object has another handle");
        check(ht_borrow(&objects, object, &transient) == handle && !transient, "a borrowed object has another handle");
        uint32_t known = ht_known(&objects, object); /* 0 if another object is the first of the bucket */
        if (known && ht_refer(&objects, known, object)) {
            check(known == handle, "a known object has another handle");
            ht_release(&objects, handle);
            check(ht_lookup(&objects, handle) == object, "the first of two references ends a handle");
        }
        __atomic_store_n(&published[me], handle, __ATOMIC_RELAXED);
        ht_lookup(&objects, __atomic_load_n(&published[rand_r(random) % THREADS], __ATOMIC_RELAXED));
        ht_release(&objects, handle);
        uint32_t fresh = ht_insert_new(&objects, address(me, OWN)); /* 0 if the bucket has another object, or a thread the lock */
        if (fresh) {
            check(ht_lookup(&objects, fresh) == address(me, OWN), "a new handle is not its object's");
            check(!ht_insert_new(&objects, address(me, OWN)), "an object gets a second handle");
            ht_release(&objects, fresh);
            check(!ht_lookup(&objects, fresh), "a released new handle is found");
        }
        handle = ht_borrow(&objects, address(me, OWN), &transient);
        check(transient, "an object of one thread has a handle before it gets one");
        check(ht_lookup(&objects, handle) == address(me, OWN), "a transient handle is not its object's");
        check(!ht_refer(&objects, handle, address(me, OWN)), "a transient handle gets a reference without being counted");
        ht_drop(&objects, handle);
        check(!ht_lookup(&objects, handle), "a dropped handle is found");
    }
}

static void own_objects(long me)
{
    static uint32_t handles[THREADS][OWN];
    for (long i = 0; i < OWN; i++)
        handles[me][i] = ht_insert(&objects, address(me, i));
    for (long i = 0; i < OWN; i++)
        check(ht_lookup(&objects, handles[me][i]) == address(me, i), "a handle of many is not its object's");
    for (long i = 0; i < OWN; i++)
        ht_release(&objects, handles[me][i]);
    check(!ht_refer(&objects, handles[me][0], address(me, 0)), "an ended handle gets a reference");
}

/* Requests: one thread makes them, and any thread that finds one completes it. */
static void magazines(long me, unsigned *random)
{
    for (int round = 0; round < ROUNDS * 4; round++) {
        void *object = address(me, round);
        uint32_t handle = ht_insert_unshared(&requests, &magazine, object);
        check(ht_lookup(&requests, handle) == object, "a request's handle is not its object's");
        ht_replace(&requests, handle, address(me, round + 1));
        check(ht_lookup(&requests, handle) == address(me, round + 1), "a replaced object is not found");
        handle = __atomic_exchange_n(&mailbox[rand_r(random) % MAILBOXES], handle, __ATOMIC_ACQ_REL);
        if (handle) {
            check(ht_lookup(&requests, handle) != NULL, "another thread's request is not found");
            ht_release_unshared(&requests, &magazine, handle);
            check(!ht_lookup(&requests, handle), "a completed request is found");
        }
    }
}

static void *thread(void *argument)
{
    long me = (long)argument;
    unsigned random = (unsigned)me + 1;
    shared_objects(me, &random);
    magazines(me, &random);
    own_objects(me);
    shared_objects(me, &random);
    ht_flush(&magazine);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    ht_init(&objects, 0x8c000000, 16);
    ht_init(&requests, 0xec000000, 16);
    for (long i = 0; i < THREADS; i++)
        check(!pthread_create(&threads[i], NULL, thread, (void *)i), "no thread");
    for (long i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < MAILBOXES; i++)
        if (mailbox[i])
            ht_release_unshared(&requests, &magazine, mailbox[i]);
    check(ht_live(&objects) == 0, "objects are left");
    check(ht_live(&requests) == 0, "requests are left");
    puts("fine");
    return 0;
}
