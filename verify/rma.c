/* Tests of one-sided communication. Each rank's window is its object of the pool `to`
   (for a get, of `from`), and each rank accesses the window of the next rank. */
#include "verify.h"

/* Return the epoch and the access of a variant, and report whether an access reads from or
   adds to the window. */
static int sync_of(int variant) { return variant % 16; }
static int access_of(int variant) { return variant / 16; }
static int reads(int access) { return access == GET || access == RGET; }
static int adds(int access) { return access == ACCUMULATE || access == GET_ACCUMULATE || access == RACCUMULATE; }

/* Makes two groups: of the rank that accesses this window, and of the rank that this one
   accesses. Returns an MPI error code. The caller frees the groups. */
static int neighbors(MPI_Group *before, MPI_Group *next)
{
    MPI_Group all;
    int b = (rank + size - 1) % size, n = (rank + 1) % size, rc;
    if ((rc = MPI_Comm_group(MPI_COMM_WORLD, &all)) || (rc = MPI_Group_incl(all, 1, &b, before)) || (rc = MPI_Group_incl(all, 1, &n, next)))
        return rc;
    return MPI_Group_free(&all);
}

/* Begins an epoch in which this rank accesses the target's window. */
static void epoch_begin(int sync, MPI_Win win, int target)
{
    MPI_Group before, next;
    switch (sync) {
    case FENCE: MUST(MPI_Win_fence(MPI_MODE_NOPRECEDE, win)); break;
    case PSCW:
        MUST(neighbors(&before, &next));
        MUST(MPI_Win_post(before, 0, win));
        MUST(MPI_Win_start(next, 0, win));
        MUST(MPI_Group_free(&before));
        MUST(MPI_Group_free(&next));
        break;
    case LOCK:
    case FLUSH:
    case FLUSH_LOCAL: MUST(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win)); break;
    default: MUST(MPI_Win_lock_all(sync == LOCK_ALL ? 0 : MPI_MODE_NOCHECK, win));
    }
}

/* Flushes the access, if the epoch is tested with a flush. The origin's buffers are then
   valid within the epoch. */
static void epoch_flush(int sync, MPI_Win win, int target)
{
    switch (sync) {
    case FLUSH: MUST(MPI_Win_flush(target, win)); break;
    case FLUSH_LOCAL: MUST(MPI_Win_flush_local(target, win)); break;
    case ALL_FLUSH: MUST(MPI_Win_flush(target, win)); break;
    case ALL_FLUSH_ALL: MUST(MPI_Win_flush_all(win)); break;
    case ALL_FLUSH_LOCAL: MUST(MPI_Win_flush_local(target, win)); break;
    case ALL_FLUSH_LOCAL_ALL: MUST(MPI_Win_flush_local_all(win)); break;
    }
}

/* Ends the epoch, and waits until all ranks have ended theirs. */
static void epoch_end(int sync, MPI_Win win, int target)
{
    switch (sync) {
    case FENCE: MUST(MPI_Win_fence(MPI_MODE_NOSUCCEED, win)); return;
    case PSCW:
        MUST(MPI_Win_complete(win));
        MUST(MPI_Win_wait(win));
        return;
    case LOCK:
    case FLUSH:
    case FLUSH_LOCAL: MUST(MPI_Win_unlock(target, win)); break;
    default: MUST(MPI_Win_unlock_all(win));
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

/* Makes one access, with the object o here and an object like t in the target's window.
   The previous contents go to `old` if the access returns them. */
static void access_window(const place *p, int access, const DTP_obj_t *o, const DTP_obj_t *t, DTP_obj_t *old, int target, MPI_Win win)
{
    MPI_Request request;
    int rc;
#define THERE target, 0, t->DTP_obj_count, t->DTP_obj_type
    switch (access) {
    case PUT: rc = MPI_Put(BUFFER(o), THERE, win); break;
    case GET: rc = MPI_Get(BUFFER(o), THERE, win); break;
    case ACCUMULATE: rc = MPI_Accumulate(BUFFER(o), THERE, MPI_SUM, win); break;
    case GET_ACCUMULATE: rc = MPI_Get_accumulate(BUFFER(o), BUFFER(old), THERE, MPI_SUM, win); break;
    case RPUT: rc = MPI_Rput(BUFFER(o), THERE, win, &request); break;
    case RGET: rc = MPI_Rget(BUFFER(o), THERE, win, &request); break;
    default: rc = MPI_Raccumulate(BUFFER(o), THERE, MPI_SUM, win, &request);
    }
    if (rc != MPI_SUCCESS) {
        failed(p->function, rc);
        return;
    }
    if (access >= RPUT)
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* One access in one kind of epoch. */
void rma_transfer(const place *p, int variant)
{
    int sync = sync_of(variant), access = access_of(variant), n = p->elements;
    int target = (rank + 1) % size, before = (rank + size - 1) % size;
    DTP_t results = NULL;
    MPI_Win win;
    /* w is the window, and o the buffer of the origin. */
    DTP_obj_t *w = adds(access)    ? object(p->to, p->r, value(p, rank), n)
                   : reads(access) ? object(p->from, p->s, value(p, rank), n)
                                   : object(p->to, p->r, 0, 0);
    DTP_obj_t *o = reads(access) ? object(p->to, p->r, 0, 0) : object(p->from, p->s, value(p, rank), n), *old = NULL;
    if (!w || !o)
        return;
    if (access == GET_ACCUMULATE) {
        MUST(DTP_pool_create(p->basic, n, &results));
        if (!(old = object(results, 0, 0, 0))) {
            DTP_pool_free(results);
            return;
        }
    }
    MUST(MPI_Win_create(w->DTP_obj_buf, (MPI_Aint)w->DTP_obj_bufsize, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    epoch_begin(sync, win, target);
    access_window(p, access, o, w, old, target, win);
    epoch_flush(sync, win, target);
    if (reads(access) && sync >= FLUSH && sync != LOCK_ALL)
        check(p->to, p->r, value(p, target), 1, n, "the data got, after the flush");
    epoch_end(sync, win, target);
    if (reads(access))
        check(p->to, p->r, value(p, target), 1, n, "the data got");
    if (old)
        check(results, 0, value(p, target), 1, n, "the old value");
    /* Lock the own window, so that its memory may be read. */
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    if (adds(access))
        check(p->to, p->r, value(p, rank) + value(p, before), 2, n, "the sum in the window");
    else if (!reads(access))
        check(p->to, p->r, value(p, before), 1, n, "the window");
    MUST(MPI_Win_unlock(rank, win));
    MUST(MPI_Win_free(&win));
    EXPECT("the window that is freed is MPI_WIN_NULL", win == MPI_WIN_NULL, 1);
    if (results)
        DTP_pool_free(results);
}

/* The predefined attributes of a window. */
void rma_attributes(const place *p, int unused)
{
    MPI_Win win;
    void *base = NULL;
    MPI_Aint *bytes = NULL;
    int *unit = NULL, has_base = 0, has_bytes = 0, has_unit = 0;
    DTP_obj_t *w = object(p->to, p->r, 0, 0);
    if (!w)
        return;
    MUST(MPI_Win_create(w->DTP_obj_buf, (MPI_Aint)w->DTP_obj_bufsize, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    MUST(MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &has_base));
    MUST(MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &has_bytes));
    MUST(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &has_unit));
    EXPECT("the attribute MPI_WIN_BASE is the buffer", has_base && base == w->DTP_obj_buf, 1);
    EXPECT("the attribute MPI_WIN_SIZE", has_bytes ? *bytes : -1, w->DTP_obj_bufsize);
    EXPECT("the attribute MPI_WIN_DISP_UNIT", has_unit ? *unit : -1, 1);
    MUST(MPI_Win_free(&win));
}

/* Adds one element and fetches its previous value. */
void rma_fetch_and_op(const place *p, int unused)
{
    int target = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Win win;
    DTP_t results;
    DTP_obj_t *w = object(p->to, 0, value(p, rank), p->elements), *o = object(p->from, 0, value(p, rank), p->elements);
    if (!w || !o)
        return;
    MUST(DTP_pool_create(p->basic, 1, &results));
    DTP_obj_t *old = object(results, 0, 0, 0);
    if (!old) {
        DTP_pool_free(results);
        return;
    }
    MUST(MPI_Win_create(w->DTP_obj_buf, (MPI_Aint)w->DTP_obj_bufsize, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    MUST(MPI_Fetch_and_op(o->DTP_obj_buf, old->DTP_obj_buf, p->basic, target, 0, MPI_SUM, win));
    MUST(MPI_Win_unlock(target, win));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    check(results, 0, value(p, target), 1, 1, "the old value");
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    check(p->to, 0, value(p, rank) + value(p, before), 0, 1, "the sum in the window");
    MUST(MPI_Win_unlock(rank, win));
    MUST(MPI_Win_free(&win));
    DTP_pool_free(results);
}

/* All ranks add to the window of rank 0, several times each, under an exclusive lock. */
void rma_contention(const place *p, int unused)
{
    enum { TIMES = 4 };
    MPI_Win win;
    int all = value(p, 0);
    DTP_obj_t *w = object(p->to, p->r, value(p, rank), p->elements), *o = object(p->from, p->s, value(p, rank), p->elements);
    if (!w || !o)
        return;
    MUST(MPI_Win_create(w->DTP_obj_buf, (MPI_Aint)w->DTP_obj_bufsize, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    for (int i = 0; i < TIMES; i++) {
        MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        MUST(MPI_Accumulate(BUFFER(o), 0, 0, w->DTP_obj_count, w->DTP_obj_type, MPI_SUM, win));
        MUST(MPI_Win_unlock(0, win));
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        all += TIMES * value(p, i);
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    if (rank == 0)
        check(p->to, p->r, all, 1 + TIMES * size, p->elements, "the sum in the window");
    else
        check(p->to, p->r, value(p, rank), 1, p->elements, "the window that nobody accessed");
    MUST(MPI_Win_unlock(rank, win));
    MUST(MPI_Win_free(&win));
}

/* Several epochs on one window: put, get back, put other values. */
void rma_epochs(const place *p, int unused)
{
    int target = (rank + 1) % size, before = (rank + size - 1) % size, n = p->elements;
    MPI_Win win;
    DTP_obj_t *w = object(p->to, p->r, 0, 0), *o = object(p->from, p->s, value(p, rank), n);
    if (!w || !o)
        return;
    MUST(MPI_Win_create(w->DTP_obj_buf, (MPI_Aint)w->DTP_obj_bufsize, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    MUST(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    for (int round = 0; round < 3; round++) {
        MUST(MPI_Put(BUFFER(o), target, 0, w->DTP_obj_count, w->DTP_obj_type, win));
        MUST(MPI_Win_fence(0, win));
        check(p->to, p->r, value(p, before) + round, 1, n, "the window");
        DTP_obj_free(p->from, p->s);
        if (!(o = object(p->from, p->s, 0, 0)))
            break;
        MUST(MPI_Win_fence(0, win));
        MUST(MPI_Get(BUFFER(o), target, 0, w->DTP_obj_count, w->DTP_obj_type, win));
        MUST(MPI_Win_fence(round == 2 ? MPI_MODE_NOSUCCEED : 0, win));
        check(p->from, p->s, value(p, rank) + round, 1, n, "the data got back");
        DTP_obj_free(p->from, p->s);
        if (!(o = object(p->from, p->s, value(p, rank) + round + 1, n)))
            break;
    }
    MUST(MPI_Win_free(&win));
}
