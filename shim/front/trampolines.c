/* Pools of trampolines (c/asmchooser/trampoline.S) and who owns which. */
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

/* What a trampoline finds behind it, as far apart as the trampolines are. */
struct data { struct wi4go_callback *record; void *unused; };

struct entry {
    struct wi4go_callback record;
    void *handler; /* that was asked for: the record's, or called by it */
    void *address;
    struct entry *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct entry *bucket[BUCKETS];
static char *pool;        /* the pool that is being filled */
static unsigned used = PER_POOL;

struct place { const char *file; off_t offset; };

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

/* Puts the pool's code at p, from the file if it is still the one that we were
   loaded from, else as a copy that is made executable after it was written. */
static int map_code(char *p)
{
    struct place place = {NULL, 0};
    if (dl_iterate_phdr(find_file, &place) && place.file && *place.file) {
        int file = open(place.file, O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
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

/* The handler of every record in the safety net. */
static void outside(void *a, void *b, void *c, void *d, void *e, const struct wi4go_callback *record)
{
    const uintptr_t flag = wi4go_step_outside();
    ((void (*)(void *, void *, void *, void *, void *, const struct wi4go_callback *))((const struct entry *)record)->handler)(a, b, c, d, e, record);
    wi4go_step_inside(flag);
}

void *wi4go_trampoline(int kind, void *function, void *handler)
{
    unsigned b = (unsigned)(((uintptr_t)function >> 4) ^ (unsigned)kind) % BUCKETS;
    void *address = NULL;
    pthread_mutex_lock(&mutex);
    for (struct entry *e = bucket[b]; e && !address; e = e->next)
        if (e->record.function == function && e->record.kind == kind && e->handler == handler)
            address = e->address;
    if (!address && (used < PER_POOL || !new_pool())) {
        struct entry *e = malloc(sizeof *e);
        if (e) {
            e->record.kind = kind;
            e->record.function = e->record.call = function;
            e->handler = handler;
            e->record.handler = wi4go_safety_net ? (void *)outside : handler;
            e->address = address = pool + 16 * used;
            struct data *data = (struct data *)(pool + WI4GO_POOL) + used++;
            data->record = &e->record;
            e->next = bucket[b];
            bucket[b] = e;
        }
    }
    pthread_mutex_unlock(&mutex);
    return address;
}

struct wi4go_callback *wi4go_callback_of(void *trampoline)
{
    return ((struct data *)((char *)trampoline + WI4GO_POOL))->record;
}
