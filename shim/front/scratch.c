/* Scratch memory for the handle and status arrays of one call, one stack for each thread; it
   needs no lock. An array that does not fit comes from malloc. The thread's memory is freed when
   the thread ends. */
#include "front.h"
#include <pthread.h>
#include <stdlib.h>

struct scratch {
    char *memory;
    size_t size, used; /* in bytes */
};

static __thread struct scratch scratch __attribute__((tls_model("initial-exec")));
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static __thread int watched __attribute__((tls_model("initial-exec"))); /* at_thread_exit is registered for this thread */
void (*wi4go_thread_exit)(void);

/* Frees the thread's memory, then does the pair's own work at a thread's end. */
static void at_thread_exit(void *unused)
{
    (void)unused;
    free(scratch.memory);
    scratch.memory = NULL;
    scratch.size = scratch.used = 0;
    watched = 0;
    if (wi4go_thread_exit)
        wi4go_thread_exit();
}

static void make_key(void)
{
    pthread_key_create(&key, at_thread_exit);
}

void wi4go_watch_thread(void)
{
    if (watched)
        return;
    pthread_once(&once, make_key);
    pthread_setspecific(key, &watched);
    watched = 1;
}

void *wi4go_scratch_alloc(size_t bytes)
{
    bytes = (bytes + 63) & ~(size_t)63;
    if (likely(scratch.used + bytes <= scratch.size)) {
        void *memory = scratch.memory + scratch.used;
        scratch.used += bytes;
        return memory;
    }
    if (!scratch.used) {
        free(scratch.memory);
        scratch.size = bytes < 16384 ? 16384 : bytes * 2;
        scratch.memory = malloc(scratch.size);
        wi4go_watch_thread();
        if (scratch.memory) {
            scratch.used = bytes;
            return scratch.memory;
        }
        scratch.size = 0;
    }
    void *memory = malloc(bytes);
    if (!memory)
        wi4go_die("out of memory for the handles of one call (%zu bytes)", bytes);
    return memory;
}

void wi4go_scratch_free(void *memory, size_t bytes)
{
    char *p = memory;
    bytes = (bytes + 63) & ~(size_t)63;
    if (likely(p >= scratch.memory && p < scratch.memory + scratch.size))
        scratch.used -= bytes;
    else
        free(memory);
}
