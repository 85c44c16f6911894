/*
 * The fake runtime: exports all functions and data symbols of one family (the generated symbols.h). Every function
 * records its arguments as they arrived and answers as the test has scripted. A function without a script returns 0 and
 * changes nothing.
 */
#define _GNU_SOURCE
#include "protocol.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct shared *shared;
static int probe[2]; /* a pipe, see readable() */

__attribute__((constructor)) static void map(void)
{
    int fd = open(getenv("FAKE_SHARED"), O_RDWR);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (shared == MAP_FAILED || pipe2(probe, O_NONBLOCK))
        abort();
}

/* Reports whether p is readable: a system call returns an error in place of a crash. */
static int readable(const void *p, size_t n)
{
    char drained[ROOM];
    ssize_t written = write(probe[1], p, n);
    if (written > 0 && read(probe[0], drained, (size_t)written) != written)
        abort();
    return written == (ssize_t)n;
}

static struct script *script_of(word function, const word *words)
{
    for (int i = 0; i < SCRIPTS; i++) {
        struct script *s = &shared->scripts[i];
        if (s->function == function + 1 && (!s->conditional || (int)s->first == (int)words[0]))
            return s;
    }
    return NULL;
}

/* Calls MPI_Comm_size by a reference of the library's own: 1, the linker's; 2, a pointer in data; 3, dlsym's. Reference
 * 4 returns the next definition of in_itself after this library: none. */
enum { REFERENCES = 4 };
int in_itself;
static word call_itself(word reference, const word *words);

static struct script *called(word function, const word *words)
{
    word n = shared->n_records++;
    struct record *r = n < RECORDS ? &shared->records[n] : NULL;
    struct script *s = script_of(function, words);
    if (r) {
        r->function = function;
        r->bad = 0;
        memcpy(r->words, words, sizeof r->words);
    }
    if (!s)
        return NULL;
    for (int i = 0; i < ARGS; i++) {
        struct argument *a = &s->arguments[i];
        void *p = (void *)words[i];
        if (r && a->take) {
            if (readable(p, (size_t)a->take))
                memcpy(r->bytes[i], p, (size_t)a->take);
            else
                r->bad |= (word)1 << i;
        }
    }
    struct callback *c = &s->callback;
    if (c->function && c->function <= REFERENCES)
        c->returned = call_itself(c->function, c->words);
    else if (c->function)
        c->returned = ((word (*)(word, word, word, word, word, word))c->function)(
            c->words[0], c->words[1], c->words[2], c->words[3], c->words[4], c->words[5]);
    for (int i = 0; i < ARGS; i++) {
        struct argument *a = &s->arguments[i];
        if (a->give && !(r && r->bad >> i & 1) && readable((void *)words[i], 1))
            memcpy((void *)words[i], a->bytes, (size_t)a->give);
    }
    return s;
}

/* Every argument of an MPI function is an integer or a pointer, so one type of function is enough for all. Arguments
 * that the caller has not passed are arbitrary and are not used. */
#define FUNCTION(number, name) \
    word name(word a0, word a1, word a2, word a3, word a4, word a5, word a6, word a7, \
              word a8, word a9, word a10, word a11, word a12, word a13, word a14, word a15) \
    { \
        word words[ARGS] = {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15}; \
        struct script *s = called(number, words); \
        return s ? s->returns : 0; \
    }
/* A library of the standard ABI keeps count and cancelled in other fields: in MPICH's, or in others if the test
 * requests it. A translation finds that out by the first two functions, and queries by the last two. */
static word *count_of(int *status) { return getenv("FAKE_STATUS_WORDS") ? (word *)&status[4] : NULL; }
#define GETS_COUNT(number, name) \
    word name(int *status, word datatype, word *count) \
    { \
        word words[ARGS] = {(word)status, datatype, (word)count}; \
        struct script *s = called(number, words); \
        if (!s && count_of(status)) \
            *count = *count_of(status); \
        return s ? s->returns : 0; \
    }
#define GETS_CANCELLED(number, name) \
    word name(int *status, int *flag) \
    { \
        word words[ARGS] = {(word)status, (word)flag}; \
        struct script *s = called(number, words); \
        if (!s && count_of(status)) \
            *flag = status[6]; \
        return s ? s->returns : 0; \
    }
#define SETS_COUNT(number, name) \
    word name(int *status, word datatype, word count) \
    { \
        word words[ARGS] = {(word)status, datatype, count}; \
        struct script *s = called(number, words); \
        if (!s && count_of(status)) \
            *count_of(status) = count; \
        else if (!s) { \
            status[3] = (int)count; \
            status[4] = (int)(count >> 32 << 1) | (status[4] & 1); \
        } \
        return s ? s->returns : 0; \
    }
#define SETS_CANCELLED(number, name) \
    word name(int *status, int flag) \
    { \
        word words[ARGS] = {(word)status, flag}; \
        struct script *s = called(number, words); \
        if (!s && count_of(status)) \
            status[6] = flag; \
        else if (!s) \
            status[4] = (status[4] & ~1) | (flag & 1); \
        return s ? s->returns : 0; \
    }
#define DOUBLE_FUNCTION(number, name) \
    double name(void) \
    { \
        word words[ARGS] = {0}; \
        struct script *s = called(number, words); \
        return s ? s->returns_double : 0; \
    }
#define ALIAS(name) extern __typeof__(P##name) name __attribute__((alias("P" #name)));
#include "symbols.h"

static void *volatile in_data = (void *)MPI_Comm_size;

static word call_itself(word reference, const word *words)
{
    if (reference == 4)
        return (word)dlsym(RTLD_NEXT, "in_itself");
    void *function = reference == 1 ? (void *)MPI_Comm_size : reference == 2 ? in_data : dlsym(RTLD_DEFAULT, "MPI_Comm_size");
    return ((word (*)(word, word))function)(words[0], words[1]);
}
