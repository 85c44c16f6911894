/*
 * The area of a communicator: parts, waiting, and the end of an operation. State: comm->area, which
 * belongs to the thread that calls collective operations of the communicator.
 */
#include "area.h"
#include "../base/errors.h"
#include "../base/request.h"

static uint64_t area_bytes(int size, uint64_t ring) { return AREA_HEAD + (uint64_t)size * (sizeof(struct area_share) + ring); }

static bool may_have_area(int size) { return size >= 2 && size <= AREA_PROCESSES; }

/* Returns the bytes of a new area. Two processes get a large ring while there are few areas. */
static int64_t bytes_of_new(int size)
{
    uint64_t large = area_bytes(2, AREA_PAIR_RING);
    bool is_large = size == 2 && (uint64_t)MPID_Memory_optional() + large <= AREA_PAIRS;
    return (int64_t)(is_large ? large : area_bytes(size, AREA_RING));
}

int em_area_take(int size)
{
    int err;
    return may_have_area(size) ? MPID_Memory_take(bytes_of_new(size), size, true, "area of a communicator", &err) : NO_AREA;
}

int em_area_of_all(int size)
{
    return may_have_area(size) ? MPID_Memory_of_all(bytes_of_new(size), "area of MPI_COMM_WORLD") : NO_AREA;
}

/* Maps the area of a communicator, if it got one. Without one, the collective operations use messages. The communicator must not be used
 * after an error, because its other processes use the area. */
int em_area_open(struct comm *comm)
{
    struct area_view *view = &comm->area;
    uint64_t bytes, first;
    int err;
    if (comm->ids.area == NO_AREA)
        return MPI_SUCCESS;
    char *memory = MPID_Memory_map(comm->ids.area, &bytes, &first, &err);
    if (!memory)
        return em_object_error(err, "the shared memory of a communicator");
    view->memory = memory;
    view->ring = comm->size == 2 && bytes >= area_bytes(2, AREA_PAIR_RING) ? AREA_PAIR_RING : AREA_RING;
    view->number = view->all_done = first; /* the highest number of earlier communicators */
    return MPI_SUCCESS;
}

/* Wakes each of the other processes if it sleeps. */
static void ring_all(const struct comm *comm)
{
    for (int rank = 0; rank < comm->size; rank++)
        if (rank != comm->rank)
            MPID_Ring(comm->local->grank[rank]);
}

/* Publishes that this process needs the parts no longer, so that the others may overwrite theirs. */
static void mark_done(struct comm *comm)
{
    struct area_head *head = (struct area_head *)comm->area.memory;
    /* Release: this process has read the parts. */
    atomic_store_explicit(&area_share_of(comm, comm->rank)->done, comm->area.number, memory_order_release);
    MPID_Order();
    if (unlikely(atomic_load_explicit(&head->waiting, memory_order_relaxed)))
        ring_all(comm);
}

/* Numbers the operation. The numbers agree in all processes, because each calls the collective operations in one
 * order. */
struct area_call em_area_begin(const struct collective *c, const char *function)
{
    int tag = c->comm->next_tag;
    c->comm->next_tag = em_next_tag(tag);
    return (struct area_call){.comm = c->comm, .function = function, .tag = tag, .number = c->comm->area.number};
}

/* ---- waiting ---- */

/* Reports whether a process has reached the awaited number: with its part, or with its end of the operation. */
static bool has_come(const struct area_call *a, int rank)
{
    atomic_ullong *number = a->for_done ? &area_share_of(a->comm, rank)->done : &area_part_of(a->comm, rank, a->number)->number;
    /* Acquire: what the process has written, or read, comes before. */
    return atomic_load_explicit(number, memory_order_acquire) >= a->until;
}

/* The condition of the wait. Each call resumes at the first missing rank, so that no slot is read again once it is
 * written. */
static bool have_come(void *argument)
{
    struct area_call *a = argument;
    while (a->next < a->end && has_come(a, a->next))
        a->next++;
    return a->next == a->end;
}

/* Returns the rank in the job of the first process that is still awaited, or -1. */
static int awaited_process(void *argument)
{
    const struct area_call *a = argument;
    return a->next < a->end ? a->comm->local->grank[a->next] : -1;
}

/* Describes the wait for the report of blocked ranks: every process whose part is still awaited. */
static void describe_parts(void *argument, struct MPID_Blocked *why)
{
    enum { NUMBERS = 1 << 24 };
    const struct area_call *a = argument;
    strncpy(why->function, a->function, sizeof why->function - 1);
    em_describe_comm(why, a->comm);
    for (int rank = a->next; rank < a->end; rank++) {
        if (has_come(a, rank) || why->requests++ >= MPID_MAX_PEERS)
            continue;
        int i = why->peers++;
        why->peer[i].lrank = rank;
        why->peer[i].grank = a->comm->local->grank[rank];
        why->peer[i].tag = (int)(a->number % NUMBERS);
        why->peer[i].context = a->comm->context + CONTEXT_COLLECTIVE;
        why->peer[i].kind = MPID_WAIT_SHARED;
    }
}

/* Reports whether a process that has not come has sent a message of this operation instead: its amount of
 * data differs. Receives the message, because a long one ends only then. */
static bool used_messages(struct area_call *a)
{
    struct comm *comm = a->comm;
    int flag = 0, err = MPID_SUCCESS;
    MPID_Iprobe(&comm->device, a->tag, comm->context + CONTEXT_COLLECTIVE, a->next, &flag, &err, NULL);
    if (likely(!flag) || a->for_done)
        return false;
    MPID_RecvContig(&comm->device, NULL, 0, a->next, a->tag, comm->context + CONTEXT_COLLECTIVE, NULL, &err);
    a->error = em_error(MPI_ERR_TRUNCATE, "rank %d has sent more than this rank receives", a->next);
    return true;
}

enum { FIRST_LOOKS = 30 }; /* polls before the first search for messages, if each rank has a core: some tenths of a microsecond */

/* Waits until the processes from first to end - 1 have given their parts of the operation `until`, or with for_done, until they are done
 * with it. Returns false if a process uses messages instead, or after an error, which is then in a->error. */
static bool wait_for(struct area_call *a, int first, int end, bool for_done, uint64_t until)
{
    a->next = first;
    a->end = end;
    a->for_done = for_done;
    a->until = until;
    for (int looks = a->comm->collops->few_rounds ? 0 : FIRST_LOOKS; looks > 0 && !have_come(a); looks--)
        MPID_Relax();
    while (!have_come(a)) {
        uint32_t ticket = MPID_Ticket();
        if (unlikely(em_busy()))
            em_progress();
        if (unlikely(used_messages(a)))
            return false;
        int err = MPID_Wait(ticket, have_come, describe_parts, awaited_process, a);
        if (unlikely(err)) {
            a->error = em_device_error(err);
            return false;
        }
    }
    return true;
}

/* Waits for the parts of a range of ranks. Returns false after an error, which stays in a->error, or if a process uses
 * messages instead. */
bool em_area_wait(struct area_call *a, int first, int end)
{
    if (unlikely(a->error) || !wait_for(a, first, end, false, a->number))
        return false;
    if (first == 0 && end == a->comm->size && !a->second && a->comm->area.all_done < a->number - 1)
        a->comm->area.all_done = a->number - 1; /* a process that gives a part is done with the operation before */
    return true;
}

/* ---- parts ---- */

/* Reports whether all processes are done with an operation. Reads the number of each process if view->all_done is too low. */
static bool all_have_done(const struct comm *comm, struct area_view *view, uint64_t number)
{
    uint64_t all = view->number - 1;
    if (likely(view->all_done >= number))
        return true;
    for (int rank = 0; rank < comm->size; rank++) {
        uint64_t done = atomic_load_explicit(&area_share_of(comm, rank)->done, memory_order_acquire);
        all = done < all ? done : all;
    }
    if (all > view->all_done)
        view->all_done = all;
    return view->all_done >= number;
}

/* Waits until all processes are done with an operation. */
static bool wait_for_done(struct area_call *a, uint64_t number)
{
    struct area_view *view = &a->comm->area;
    struct area_head *head = (struct area_head *)view->memory;
    if (likely(all_have_done(a->comm, view, number)))
        return true;
    atomic_fetch_add_explicit(&head->waiting, 1, memory_order_seq_cst);
    bool all = wait_for(a, 0, a->comm->size, true, number);
    atomic_fetch_sub_explicit(&head->waiting, 1, memory_order_seq_cst);
    return all && all_have_done(a->comm, view, number);
}

/* Takes bytes of the ring in one block, and stores their position. Waits for the operations that still use some of them. */
static bool take_ring(struct area_call *a, uint64_t bytes, uint64_t *begin)
{
    struct area_view *view = &a->comm->area;
    uint64_t need = (bytes + 63) & ~(uint64_t)63, at = view->at, ring = view->ring, place = at % ring;
    if (place + need > ring)
        at += ring - place;
    for (uint64_t i = 0; i < AREA_PARTS; i++)
        if (view->used[i].number > view->all_done && view->used[i].begin + ring < at + need && !wait_for_done(a, view->used[i].number))
            return false;
    *begin = at;
    view->at = at + need;
    return true;
}

/* Returns the room for this process's part. Waits until all processes are done with the part that used it before.
 * Returns NULL after an error, or if a process uses messages instead. */
char *em_area_room(struct area_call *a, int64_t bytes)
{
    static const uint64_t nowhere = INT64_MAX;
    struct area_view *view = &a->comm->area;
    uint64_t place = a->number % AREA_PARTS, begin = nowhere;
    struct area_part *part = area_part_of(a->comm, a->comm->rank, a->number);
    if (unlikely(a->error) || !wait_for_done(a, view->used[place].number) || (bytes > AREA_SMALL && !take_ring(a, (uint64_t)bytes, &begin)))
        return NULL;
    view->used[place].number = a->number;
    view->used[place].begin = begin;
    part->bytes = (uint32_t)bytes;
    part->place = begin == nowhere ? 0 : (uint32_t)(begin % view->ring);
    return area_data(a, a->comm->rank);
}

/* Makes the part visible. Readers load the number with acquire before they read the data. */
static void post_part(struct area_call *a)
{
    /* Release: the data comes before. */
    atomic_store_explicit(&area_part_of(a->comm, a->comm->rank, a->number)->number, a->number, memory_order_release);
}

/* Reports whether a process that waits would find all parts but its own. The fence: of two processes that
 * give the last two parts, one sees both. */
static bool is_last(struct area_call *a, int waiting)
{
    a->for_done = false;
    a->until = a->number;
    atomic_thread_fence(memory_order_seq_cst);
    for (int rank = 0; rank < a->comm->size; rank++)
        if (rank != waiting && !has_come(a, rank))
            return false;
    return true;
}

/* Posts the part and wakes the ranks that may sleep for it: all of them, or one. With few rounds, only the process
 * that posts the last part wakes them. */
void em_area_give(struct area_call *a, int waiting)
{
    if (unlikely(a->error))
        return;
    post_part(a);
    if (a->comm->collops->few_rounds && !is_last(a, waiting))
        return;
    if (waiting == TO_ALL)
        ring_all(a->comm);
    else
        MPID_Ring(a->comm->local->grank[waiting]);
}

/* Posts a part for which all others wait, whatever the number of rounds. */
void em_area_give_alone(struct area_call *a)
{
    if (unlikely(a->error))
        return;
    post_part(a);
    ring_all(a->comm);
}

/* Returns true: the operation is over, with or without an error. False, by its callers, means that messages must do
 * it. */
bool em_area_end(struct area_call *a, int *err)
{
    mark_done(a->comm);
    *err = a->error;
    return true;
}

/* ---- steps in one function, because the calls between two waits are a large part of their time ---- */

__attribute__((flatten)) bool em_area_exchange(struct area_call *a, const void *from, int64_t bytes)
{
    char *room = em_area_room(a, bytes);
    if (unlikely(!room))
        return false;
    area_copy_line(room, from, bytes);
    em_area_give(a, TO_ALL);
    return em_area_wait(a, 0, a->comm->size);
}

__attribute__((flatten)) bool em_area_barrier(const struct collective *c, const char *function, int *err)
{
    struct area_call a = em_area_begin(c, function);
    em_area_exchange(&a, NULL, 0);
    return em_area_end(&a, err);
}
