/* The registry of transfer names. It is in memory that each process reads and writes without the help of another one: in
 * shared memory if all processes can open it, else in a window of rank 0. Between nodes, some MPI libraries serve the window
 * only while rank 0 calls MPI.
 *
 * State of an entry: a group that enters an end gets the flag THERE, and READY when it commits. When the source and as many
 * destinations as it has partners are READY, the entry is complete; these groups are CHOSEN and stay so. The entry is freed
 * when the last process has left it.
 *
 * Locking: one lock guards the registry. It is held for a few reads and writes, never while waiting for another process. */
#include "internal.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Entries; groups of an entry. */
#define SLOTS 1024
#define GROUPS (DRI_MAX_PARTNERS + 1)

/* Flags of a group. A free end has none. */
enum { THERE = 1, READY = 2, CHOSEN = 4 };

/* An entry. The window is read and written in 64-bit words, so the size is a multiple of 8 bytes. */
struct entry {
    int64_t processes, partners, complete; /* processes that have not left, the source's partners, and 1 once all ends are ready */
    struct {
        int64_t flags, leader, size;       /* the rank that entered the group; its processes */
    } groups[GROUPS];                      /* the source is groups[0], and a clique too */
    char name[DRI_MAX_NAME + 1];
};
struct registry {
    int64_t lock, hashes[SLOTS]; /* lock: 1 if held, in shared memory only; hashes: of the names, 0: a free slot */
    struct entry entries[SLOTS];
};
/* Returns the position of a member, in words. */
#define WORD(field) (offsetof(struct registry, field) / 8)

static struct segment shared;
static int64_t *local; /* the shared memory, or NULL if there is a window */
static MPI_Win window = MPI_WIN_NULL;
static pthread_mutex_t epoch = PTHREAD_MUTEX_INITIALIZER; /* the process's turn to lock the window */

/* ---- reading and writing ---- */

/* Copies n words out of the registry. The caller holds the lock. */
static int get(MPI_Aint word, int n, void *out)
{
    if (local) {
        memcpy(out, local + word, n * 8);
        return DRI_SUCCESS;
    }
    MPI(MPI_Get, out, n, MPI_INT64_T, 0, word, n, MPI_INT64_T, window);
    MPI(MPI_Win_flush, 0, window);
    return DRI_SUCCESS;
}

/* Copies n words into the registry. The caller holds the lock. */
static int put(MPI_Aint word, int n, const void *in)
{
    if (local) {
        memcpy(local + word, in, n * 8);
        return DRI_SUCCESS;
    }
    MPI(MPI_Put, in, n, MPI_INT64_T, 0, word, n, MPI_INT64_T, window);
    MPI(MPI_Win_flush, 0, window);
    return DRI_SUCCESS;
}

/* Locks the registry. In shared memory, a word is a spin lock. A window has its own lock (an epoch); a process can hold
 * only one epoch of it at a time, so a mutex keeps its other threads out. */
static int registry_lock(void)
{
    if (!local) {
        pthread_mutex_lock(&epoch);
        int code = MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        if (code == MPI_SUCCESS)
            return DRI_SUCCESS;
        pthread_mutex_unlock(&epoch);
        return dri_fail_mpi("MPI_Win_lock", code);
    }
    int64_t none = 0;
    for (int i = 1; !atomic_compare_exchange_weak((_Atomic int64_t *)local + WORD(lock), &none, 1); i++) {
        none = 0;
        if (i % 64 == 0)
            sched_yield();
    }
    return DRI_SUCCESS;
}

/* Within one process the lock is a word in memory, between processes an exclusive epoch of the window. */
static int registry_unlock(void)
{
    if (local) {
        atomic_store((_Atomic int64_t *)local + WORD(lock), 0);
        return DRI_SUCCESS;
    }
    int code = MPI_Win_unlock(0, window);
    pthread_mutex_unlock(&epoch);
    return code == MPI_SUCCESS ? DRI_SUCCESS : dri_fail_mpi("MPI_Win_unlock", code);
}

static int get_entry(int slot, struct entry *e)
{
    return get(WORD(entries) + slot * (sizeof *e / 8), sizeof *e / 8, e);
}

static int put_entry(int slot, const struct entry *e)
{
    return put(WORD(entries) + slot * (sizeof *e / 8), sizeof *e / 8, e);
}

/* ---- begin and end ---- */

/* Opens the registry in shared memory, and stores in *opened whether all processes could. */
static int open_shared(bool *opened)
{
    struct segment s = {0};
    char name[sizeof s.name] = "";
    if (dri_world.rank == 0 && dri_segment_create(&s, sizeof(struct registry)) == DRI_SUCCESS)
        memcpy(name, s.name, sizeof name);
    MPI(MPI_Bcast, name, sizeof name, MPI_CHAR, 0, dri_world.comm);
    int mine = name[0] && (dri_world.rank == 0 || dri_segment_open(&s, name, sizeof(struct registry))), all;
    MPI(MPI_Allreduce, &mine, &all, 1, MPI_INT, MPI_LAND, dri_world.comm);
    if (dri_world.rank == 0)
        dri_segment_unlink(&s);
    if (!all)
        dri_segment_free(&s);
    shared = s;
    *opened = all;
    return DRI_SUCCESS;
}

/* Opens the registry in a window of rank 0. */
static int open_window(void)
{
    MPI_Aint size = dri_world.rank == 0 ? sizeof(struct registry) : 0;
    void *memory;
    MPI(MPI_Win_allocate, size, 8, MPI_INFO_NULL, dri_world.comm, &memory, &window);
    if (dri_world.rank == 0)
        memset(memory, 0, size);
    MPI(MPI_Win_fence, MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, window);
    return DRI_SUCCESS;
}

int dri_registry_open(void)
{
    bool opened = false;
    if (!dri_world.names_in_window)
        TRY(open_shared(&opened));
    local = opened ? (int64_t *)shared.base : NULL;
    return opened ? DRI_SUCCESS : open_window();
}

int dri_registry_close(void)
{
    MPI(MPI_Barrier, dri_world.comm);
    if (local)
        dri_segment_free(&shared);
    else
        MPI(MPI_Win_free, &window);
    local = NULL;
    return DRI_SUCCESS;
}

/* ---- entries ---- */

/* Returns the hash (FNV-1a) of a name, which is never 0. */
static int64_t hash(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return (int64_t)(h | 1);
}

/* Finds the entry of a name. If there is none, stores a free slot, or -1, and an empty entry with the name. */
static int registry_find(const char *name, int *slot, struct entry *e)
{
    int64_t hashes[SLOTS], wanted = hash(name);
    TRY(get(WORD(hashes), SLOTS, hashes));
    int free_one = -1;
    for (*slot = 0; *slot < SLOTS; (*slot)++) {
        if (hashes[*slot] == 0 && free_one < 0)
            free_one = *slot;
        if (hashes[*slot] != wanted)
            continue;
        TRY(get_entry(*slot, e));
        if (strcmp(e->name, name) == 0)
            return DRI_SUCCESS;
    }
    *slot = free_one;
    memset(e, 0, sizeof *e);
    strcpy(e->name, name);
    return DRI_SUCCESS;
}

/* Returns the number of a free end for a role, or -1. A clique needs an entry without any processes. */
static int place_for(const struct entry *e, int role)
{
    if (e->complete)
        return -1;
    if (role != DRI_DESTINATION)
        return e->groups[0].flags || (role != DRI_SOURCE && e->processes) ? -1 : 0;
    for (int i = 1; i < GROUPS; i++)
        if (!e->groups[i].flags)
            return i;
    return -1;
}

/* Enters an end; see dri_registry_enter. The caller holds the lock. */
static int registry_enter(const char *name, int role, int size, int *slot, int *end)
{
    struct entry e;
    TRY(registry_find(name, slot, &e));
    if (*slot < 0)
        return dri_fail(DRI_ERR_NOMEM, "transfer '%s': too many transfers: %d names are in use", name, SLOTS);
    *end = place_for(&e, role);
    if (*end < 0)
        return dri_fail(DRI_ERR_NAME, "transfer '%s': the name is in use%s", name,
                        e.complete || role != DRI_DESTINATION ? "" : ", and has the maximum number of destinations");
    e.processes += size;
    e.complete = role == (DRI_SOURCE | DRI_DESTINATION);
    e.groups[*end].flags = THERE;
    e.groups[*end].leader = dri_world.rank;
    e.groups[*end].size = size;
    TRY(put_entry(*slot, &e));
    int64_t h = hash(name);
    return put(WORD(hashes) + *slot, 1, &h);
}

int dri_registry_enter(const char *name, int role, int size, int *slot, int *end)
{
    TRY(registry_lock());
    int class = registry_enter(name, role, size, slot, end);
    TRY(registry_unlock());
    return class;
}

/* Marks an entry as complete and chooses its groups, if the source and enough destinations are ready. */
static void complete_entry(struct entry *e)
{
    if (!(e->groups[0].flags & READY))
        return;
    int ready = 0;
    for (int i = 1; i < GROUPS; i++)
        ready += (e->groups[i].flags & READY) != 0;
    if (ready < e->partners)
        return;
    e->complete = 1;
    e->groups[0].flags |= CHOSEN;
    for (int i = 1, chosen = 0; i < GROUPS && chosen < e->partners; i++)
        if (e->groups[i].flags & READY) {
            e->groups[i].flags |= CHOSEN;
            chosen++;
        }
}

/* Fills in the groups of a complete entry. Returns DRI_ERR_NAME if the caller is not one of them. */
static int report(const char *name, const struct entry *e, int end, struct registered *found)
{
    found->n = 0;
    if (!e->complete)
        return DRI_SUCCESS;
    if (!(e->groups[end].flags & CHOSEN))
        return dri_fail(DRI_ERR_NAME, "transfer '%s': the source accepts %d partners, and others joined first: raise it with "
                                      "DRI_xfer_partners", name, (int)e->partners);
    for (int i = 0; i < GROUPS; i++)
        if (e->groups[i].flags & CHOSEN) {
            if (i == end)
                found->caller = found->n;
            found->leader[found->n] = e->groups[i].leader;
            found->size[found->n++] = e->groups[i].size;
        }
    return DRI_SUCCESS;
}

/* Marks an end as ready or not ready, unless the entry is complete. The caller holds the lock. */
static int change(const char *name, int slot, int end, int partners, bool ready, struct registered *found)
{
    struct entry e;
    TRY(get_entry(slot, &e));
    if (!e.complete) {
        e.groups[end].flags = ready ? THERE | READY : THERE;
        if (end == 0)
            e.partners = partners;
        complete_entry(&e);
        TRY(put_entry(slot, &e));
    }
    return report(name, &e, end, found);
}

int dri_registry_commit(const char *name, int slot, int end, int partners, struct registered *found)
{
    TRY(registry_lock());
    int class = change(name, slot, end, partners, true, found);
    TRY(registry_unlock());
    return class;
}

/* Called when the wait for the other ends has timed out. */
int dri_registry_retreat(const char *name, int slot, int end, struct registered *found)
{
    TRY(registry_lock());
    int class = change(name, slot, end, 0, false, found);
    TRY(registry_unlock());
    return class;
}

int dri_registry_poll(const char *name, int slot, int end, struct registered *found)
{
    struct entry e;
    TRY(registry_lock());
    int class = get_entry(slot, &e);
    TRY(registry_unlock());
    return class ? class : report(name, &e, end, found);
}

/* Counts a process as having left. If the transfer is not complete, the end becomes free when its leader leaves. The slot
 * becomes free with the last process. The caller holds the lock. */
static int registry_leave(int slot, int end, bool leader)
{
    struct entry e;
    TRY(get_entry(slot, &e));
    e.processes--;
    if (!e.complete && leader)
        e.groups[end].flags = 0;
    if (e.processes == 0) {
        memset(&e, 0, sizeof e);
        int64_t none = 0;
        TRY(put(WORD(hashes) + slot, 1, &none));
    }
    return put_entry(slot, &e);
}

int dri_registry_leave(int slot, int end, bool leader)
{
    TRY(registry_lock());
    int class = registry_leave(slot, end, leader);
    TRY(registry_unlock());
    return class;
}
