/* Pools of trampolines (c/asmchooser/trampoline.S) and their owners. A hash table of entries,
   keyed by function and kind, makes equal callbacks share a trampoline. One mutex protects the
   table and the pool; entries are never freed, so trampolines read their callbacks without it. */
#define _GNU_SOURCE
#include "front.h"
#include "thunk.h"
#include "trampoline.h"
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PER_POOL (WI4GO_POOL / 16)
#define BUCKETS 256

extern const char wi4go_pool[] HIDDEN;

/* The data of a trampoline, WI4GO_POOL bytes after its code. It has the same size as a
   trampoline. */
struct data { struct wi4go_callback *callback; void *unused; };

/* An owner of a trampoline. */
struct entry {
    struct wi4go_callback callback; /* must be the first member */
    void *handler;                /* the handler requested: the callback's, or the function that `call_outside` calls */
    void *address;                /* the trampoline */
    struct entry *next;           /* in its bucket */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct entry *bucket[BUCKETS];
static char *pool;        /* the pool being filled, or NULL */
static unsigned used = PER_POOL; /* the number of its trampolines in use */

/* The place of the pool's code in a file. */
struct place { const char *file; off_t offset; };

/* For dl_iterate_phdr: stores the file that wi4go_pool was loaded from, and the offset in it.
   Returns 1 if this object contains it. */
static int find_file(struct dl_phdr_info *info, size_t size, void *result)
{
    (void)size;
    uintptr_t address = (uintptr_t)wi4go_pool;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + h->p_vaddr;
        if (h->p_type == PT_LOAD && address >= start && address < start + h->p_filesz) {
            struct place *place = result;
            place->file = info->dlpi_name;
            place->offset = (off_t)(h->p_offset + (address - start));
            return 1;
        }
    }
    return 0;
}

/* Puts the pool's code at p. Maps the file that this library was loaded from if it still has the
   same code; otherwise writes a copy, and makes it executable afterwards. Returns 0, or -1 on
   failure. */
static int map_code(char *p)
{
    struct place place = {NULL, 0};
    if (dl_iterate_phdr(find_file, &place) && place.file && *place.file) {
        int file = open(place.file, O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
            /* The file may have been replaced meanwhile, so its code is compared. */
            void *code = mmap(p, WI4GO_POOL, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, place.offset);
            close(file);
            if (code == p && !memcmp(p, wi4go_pool, WI4GO_POOL))
                return 0;
        }
    }
    if (mmap(p, WI4GO_POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != p)
        return -1;
    memcpy(p, wi4go_pool, WI4GO_POOL);
    return mprotect(p, WI4GO_POOL, PROT_READ | PROT_EXEC);
}

/* Makes a pool with all its trampolines free. Returns 0, or -1 when memory is exhausted. */
static int new_pool(void)
{
    char *p = mmap(NULL, 2 * WI4GO_POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return -1;
    if (map_code(p)) {
        munmap(p, 2 * WI4GO_POOL);
        return -1;
    }
    pool = p;
    used = 0;
    return 0;
}

/* The handler of every callback if the safety net is in use: calls the requested handler with the
   thread's flag cleared. */
static void call_outside(void *a, void *b, void *c, void *d, void *e, const struct wi4go_callback *callback)
{
    const uintptr_t flag = wi4go_step_outside();
    ((void (*)(void *, void *, void *, void *, void *, const struct wi4go_callback *))((const struct entry *)callback)->handler)(a, b, c, d, e, callback);
    wi4go_step_inside(flag);
}

/* Returns the trampoline that an entry of a bucket has for a callback, or NULL. */
static void *find_trampoline(const struct entry *e, int kind, const void *function, const void *handler)
{
    for (; e; e = e->next)
        if (e->callback.function == function && e->callback.kind == kind && e->handler == handler)
            return e->address;
    return NULL;
}

void *wi4go_trampoline(int kind, void *function, void *handler)
{
    unsigned b = (unsigned)(((uintptr_t)function >> 4) ^ (unsigned)kind) % BUCKETS;
    pthread_mutex_lock(&mutex);
    void *address = find_trampoline(bucket[b], kind, function, handler);
    if (!address && (used < PER_POOL || !new_pool())) {
        struct entry *e = malloc(sizeof *e);
        if (e) {
            e->callback.kind = kind;
            e->callback.function = e->callback.call = function;
            e->handler = handler;
            e->callback.handler = wi4go_safety_net ? (void *)call_outside : handler;
            e->address = address = pool + 16 * used;
            struct data *data = (struct data *)(pool + WI4GO_POOL) + used++;
            data->callback = &e->callback;
            e->next = bucket[b];
            bucket[b] = e;
        }
    }
    pthread_mutex_unlock(&mutex);
    return address;
}

struct wi4go_callback *wi4go_callback_of(void *trampoline)
{
    return ((struct data *)((char *)trampoline + WI4GO_POOL))->callback;
}
