/* Moves the data. A Go is one transfer of the data from the sources to the destinations. Each function drives everything
 * that can move now, for all partners, and never waits for a single one.
 *
 * State of an end: begun counts the Gos that the program has released (a source) or offered a buffer for (a destination),
 * and over counts the Gos that all partners have finished; over <= begun. Each partner counts its own finished Gos in done.
 * A destination also counts in taken the Gos that it has handed to the program. Buffer n % n_buffs belongs to Go n. A
 * transfer must be used by one thread at a time; there are no locks. Shared memory is synchronized by the atomic counters
 * `ready` and `consumed`. */
#include "internal.h"

/* Returns the memory that a Go of the source sends. */
static char *source_buffer(DRI_xfer x, MPI_Count go)
{
    return x->stage ? x->stage : x->src.places[go % x->src.n_buffs];
}

/* Returns the buffer that a Go of the destination fills. */
static char *destination_buffer(DRI_xfer x, MPI_Count go)
{
    return x->dst.places[go % x->dst.n_buffs];
}

/* Stores the address that a Go uses: its buffer at the current offset. Returns the address. */
static char *set_place(struct end *e, MPI_Count go)
{
    return e->places[go % e->n_buffs] = (char *)e->buffs[go % e->n_buffs] + e->offset;
}

/* Raises the number of Gos that a destination has offered a buffer for. */
static void offer(struct end *e, MPI_Count begun)
{
    for (; e->begun < begun; e->begun++)
        set_place(e, e->begun);
}

/* Runs n kernels of a partner. */
static void run_kernels(const struct partner *p, int first, int n, char *dst, const char *src)
{
    for (int i = first; i < first + n; i++)
        dri_kernel_run(&p->kernels[i], dst, src);
}

/* ---- messages ---- */

/* Starts sending the next chunk of the current Go. The last message of a Go is synchronous, so a source waits for a
 * destination that has not begun the Go. */
static int send_chunk(DRI_xfer x, struct partner *p, struct message *m)
{
    const struct dri_gdo *gdo = x->src.dist->gdo;
    const struct chunk *c = &p->chunks[p->chunk];
    int tag = TAG_SLOT + 2 * x->slot + 1;
    char *from = source_buffer(x, p->go);
    if (p->method == METHOD_TYPED)
        MPI(MPI_Issend, from, 1, p->type, p->rank, tag, dri_world.comm, &m->request);
    else {
        run_kernels(p, c->first, c->n, m->wire, from);
        if (p->chunk == p->n_chunks - 1)
            MPI(MPI_Issend, m->wire, c->elements, gdo->type, p->rank, tag, dri_world.comm, &m->request);
        else
            MPI(MPI_Isend, m->wire, c->elements, gdo->type, p->rank, tag, dri_world.comm, &m->request);
    }
    return DRI_SUCCESS;
}

/* Starts receiving the next chunk of the current Go. */
static int receive_chunk(DRI_xfer x, struct partner *p, struct message *m)
{
    const struct dri_gdo *gdo = x->dst.dist->gdo;
    int tag = TAG_SLOT + 2 * x->slot + 1;
    if (p->method == METHOD_TYPED)
        MPI(MPI_Irecv, destination_buffer(x, p->go), 1, p->type, p->rank, tag, dri_world.comm, &m->request);
    else
        MPI(MPI_Irecv, m->wire, p->chunks[p->chunk].elements, gdo->type, p->rank, tag, dri_world.comm, &m->request);
    return DRI_SUCCESS;
}

/* Finishes the messages that are complete, the oldest first, and starts as many new ones as the ring has room for, of Gos
 * before `begun`. Sets *moved if anything happened. */
static int messages(DRI_xfer x, struct partner *p, bool sending, MPI_Count begun, bool *moved)
{
    while (p->under_way > 0) {
        struct message *m = &p->ring[p->oldest];
        int flag;
        MPI(MPI_Test, &m->request, &flag, MPI_STATUS_IGNORE);
        if (!flag)
            break;
        const struct chunk *c = &p->chunks[m->chunk];
        if (!sending && p->method == METHOD_PACKED)
            run_kernels(p, c->first, c->n, destination_buffer(x, m->go), m->wire);
        p->done += m->chunk == p->n_chunks - 1;
        p->oldest = (p->oldest + 1) % RING;
        p->under_way--;
        *moved = true;
    }
    while (p->under_way < RING && p->go < begun) {
        struct message *m = &p->ring[(p->oldest + p->under_way) % RING];
        m->go = p->go;
        m->chunk = p->chunk;
        TRY(sending ? send_chunk(x, p, m) : receive_chunk(x, p, m));
        p->under_way++;
        if (++p->chunk == p->n_chunks)
            p->chunk = 0, p->go++;
        *moved = true;
    }
    return DRI_SUCCESS;
}

/* ---- from memory to memory ---- */

/* Copies the next Go from the source's shared memory, if the source has released it and this destination has begun it, and
 * counts it as consumed, for the source. */
static void read_shared(DRI_xfer x, struct partner *p, bool *moved)
{
    if (p->done >= x->dst.begun || atomic_load_explicit(p->ready, memory_order_acquire) <= p->done)
        return;
    run_kernels(p, 0, p->n_kernels, destination_buffer(x, p->done), p->buffers + p->done % p->n_buffers * p->buffer_bytes);
    p->done++;
    atomic_store_explicit(p->consumed, p->done, memory_order_release);
    *moved = true;
}

/* Copies the next Go within this process, if both ends have begun it. */
static void copy_self(DRI_xfer x, struct partner *p, bool *moved)
{
    if (p->done >= x->dst.begun || p->done >= x->src.begun)
        return;
    run_kernels(p, 0, p->n_kernels, destination_buffer(x, p->done), source_buffer(x, p->done));
    p->done++;
    *moved = true;
}

/* ---- the ends ---- */

/* Drives all partners once, and updates `over` of both ends. Sets *moved if anything happened. */
static int progress(DRI_xfer x, bool *moved)
{
    MPI_Count over = x->dst.begun;
    for (int i = 0; i < x->dst.n_partners; i++) {
        struct partner *p = &x->dst.partners[i];
        if (p->method == METHOD_SHARED)
            read_shared(x, p, moved);
        else if (p->method == METHOD_SELF)
            copy_self(x, p, moved);
        else
            TRY(messages(x, p, false, x->dst.begun, moved));
        over = p->done < over ? p->done : over;
    }
    x->dst.over = over;
    over = x->src.begun;
    for (int i = 0; i < x->src.n_partners; i++) {
        struct partner *p = &x->src.partners[i];
        if (p->method == METHOD_SHARED)
            p->done = atomic_load_explicit(p->consumed, memory_order_acquire);
        else if (p->method == METHOD_SELF)
            p->done = p->twin->done;
        else
            TRY(messages(x, p, true, x->src.begun, moved));
        over = p->done < over ? p->done : over;
    }
    *moved |= over > x->src.over;
    x->src.over = over;
    return DRI_SUCCESS;
}

/* Waits until the source has finished src_over Gos and the destination dst_over. */
static int until(DRI_xfer x, MPI_Count src_over, MPI_Count dst_over)
{
    struct wait w = dri_wait_begin();
    for (;;) {
        bool moved = false;
        TRY(progress(x, &moved));
        if (x->src.over >= src_over && x->dst.over >= dst_over)
            return DRI_SUCCESS;
        if (moved)
            w.idle = 0;
        else
            TRY(dri_pause(&w, "transfer", x->name));
    }
}

/* Releases the next buffer of the source, whose place is set already if the program has acquired it. If there is a stage,
 * waits until it is free and copies the buffer to it. */
static int begin_source(DRI_xfer x)
{
    struct end *e = &x->src;
    char *from = e->held ? e->places[e->begun % e->n_buffs] : set_place(e, e->begun);
    if (x->stage) {
        TRY(until(x, e->begun, 0));
        for (int i = 0; i < x->n_stage; i++)
            dri_kernel_run(&x->stage_kernels[i], x->stage, from);
    }
    e->begun++;
    if (x->segment.base)
        atomic_store_explicit((_Atomic int64_t *)x->segment.base, x->src.begun, memory_order_release);
    return DRI_SUCCESS;
}

/* Hands the next filled buffer to the program, with zeros in its overlap filled in. */
static void take_buffer(DRI_xfer x)
{
    for (int i = 0; i < x->n_zeros; i++)
        dri_kernel_zero(&x->zeros[i], destination_buffer(x, x->dst.taken));
    x->dst.taken++;
}

/* Returns an error unless x is a committed transfer. */
static int check_transfer(const char *function, DRI_xfer x)
{
    TRY(dri_ready());
    if (!dri_is(x, MAGIC_XFER))
        return dri_fail(DRI_ERR_HANDLE, "%s: xfer is not a handle of a transfer", function);
    if (!x->committed)
        return dri_fail(DRI_ERR_STATE, "%s: transfer '%s' is not committed", function, x->name);
    return DRI_SUCCESS;
}

/* Begins a Go at each end that this process has. */
static int start_go(const char *function, DRI_xfer x)
{
    TRY(check_transfer(function, x));
    if (x->going)
        return dri_fail(DRI_ERR_STATE, "%s: transfer '%s' is already running: call DRI_wait first", function, x->name);
    if (x->src.held || x->dst.held)
        return dri_fail(DRI_ERR_STATE, "%s: transfer '%s' has an acquired buffer: call DRI_release first", function, x->name);
    if (x->src.role)
        TRY(begin_source(x));
    if (x->dst.role)
        offer(&x->dst, x->dst.taken + 1);
    x->going = true;
    return DRI_SUCCESS;
}

/* Waits for the end of the Go that start_go has begun. */
static int finish_go(DRI_xfer x)
{
    TRY(until(x, x->src.begun, x->dst.role ? x->dst.taken + 1 : 0));
    x->going = false;
    if (x->dst.role)
        take_buffer(x);
    return DRI_SUCCESS;
}

/* Makes progress once, so that data that can be moved already is. */
PUBLIC int DRI_start(DRI_xfer xfer)
{
    bool moved = false;
    TRY(start_go(__func__, xfer));
    return progress(xfer, &moved);
}

/* Makes progress, but never waits for another process. */
PUBLIC int DRI_test(DRI_xfer xfer, int *done)
{
    bool moved = false;
    TRY(check_transfer(__func__, xfer));
    CHECK_ARG(done, "DRI_test: done is NULL");
    *done = 0;
    if (!xfer->going)
        return dri_fail(DRI_ERR_STATE, "DRI_test: transfer '%s' is not running: call DRI_start first", xfer->name);
    TRY(progress(xfer, &moved));
    if (xfer->src.over < xfer->src.begun || (xfer->dst.role && xfer->dst.over < xfer->dst.taken + 1))
        return DRI_SUCCESS;
    *done = 1;
    return finish_go(xfer);
}

PUBLIC int DRI_wait(DRI_xfer xfer)
{
    TRY(check_transfer(__func__, xfer));
    if (!xfer->going)
        return dri_fail(DRI_ERR_STATE, "DRI_wait: transfer '%s' is not running: call DRI_start first", xfer->name);
    return finish_go(xfer);
}

PUBLIC int DRI_do(const char *name, DRI_xfer xfer)
{
    TRY(check_transfer(__func__, xfer));
    if (name)
        for (int i = 0; i == 0 || name[i - 1]; i++)
            if (name[i] != xfer->name[i])
                return dri_fail(DRI_ERR_NAME, "DRI_do: the transfer's name is '%s', not '%.255s'", xfer->name, name);
    TRY(start_go(__func__, xfer));
    return finish_go(xfer);
}

/* Checks a call of DRI_acquire or DRI_release, and stores the end for the role. `held` is the state that the end must be
 * in. */
static int acquire_check(const char *function, DRI_xfer x, int role, bool held, struct end **end)
{
    TRY(check_transfer(function, x));
    *end = role == DRI_SOURCE ? &x->src : &x->dst;
    if ((role != DRI_SOURCE && role != DRI_DESTINATION) || !(*end)->role)
        return dri_fail(DRI_ERR_ROLE, "%s: role %d is not a role of transfer '%s' in this process", function, role, x->name);
    if (x->going)
        return dri_fail(DRI_ERR_STATE, "%s: transfer '%s' is running: call DRI_wait first", function, x->name);
    if ((*end)->held != held)
        return dri_fail(DRI_ERR_STATE, "%s: transfer '%s' has %s buffer acquired", function, x->name, held ? "no" : "a");
    return DRI_SUCCESS;
}

/* A source waits until the buffer's previous Go is over, a destination until the data of its next Go has arrived. */
PUBLIC int DRI_acquire(DRI_xfer xfer, int role, void **buf, int *index)
{
    struct end *e;
    TRY(acquire_check(__func__, xfer, role, false, &e));
    CHECK_ARG(buf || index, "DRI_acquire: buf and index are NULL");
    MPI_Count go;
    if (role == DRI_SOURCE) {
        go = e->begun;
        TRY(until(xfer, go - e->n_buffs + 1, 0));
        set_place(e, go);
    } else {
        go = e->taken;
        offer(e, go + e->n_buffs);
        TRY(until(xfer, 0, go + 1));
        take_buffer(xfer);
    }
    e->held = true;
    if (buf)
        *buf = e->places[go % e->n_buffs];
    if (index)
        *index = go % e->n_buffs;
    return DRI_SUCCESS;
}

/* A source begins to send the buffer; a destination allows it to be written again. Does not wait. */
PUBLIC int DRI_release(DRI_xfer xfer, int role)
{
    struct end *e;
    bool moved = false;
    TRY(acquire_check(__func__, xfer, role, true, &e));
    if (role == DRI_SOURCE)
        TRY(begin_source(xfer));
    else
        offer(e, e->taken + e->n_buffs);
    e->held = false;
    return progress(xfer, &moved);
}

/* ---- another place in the buffers ---- */

/* Returns DRI_ERR_BUFFER if, with these offsets, a buffer of the source overlaps one of the destination, unless the transfer
 * has a stage for that. */
static int check_apart(const char *function, DRI_xfer x, MPI_Count src_offset, MPI_Count dst_offset)
{
    for (int i = 0; !x->stage && i < x->src.n_buffs; i++)
        for (int j = 0; j < x->dst.n_buffs; j++)
            if (dri_buffers_overlap((char *)x->src.buffs[i] + src_offset, (char *)x->dst.buffs[j] + dst_offset, x->src.bytes, x->dst.bytes))
                return dri_fail(DRI_ERR_BUFFER, "%s: transfer '%s': buffer %d of the source would overlap buffer %d of the destination, and "
                                                "did not at the creation: use other offsets, or create the transfer with buffers that "
                                                "overlap", function, x->name, i, j);
    return DRI_SUCCESS;
}

/* Sets the offset of the ends in `roles`. A Go that has begun keeps its place, which set_place has stored. */
static int rebase(const char *function, DRI_xfer x, int roles, MPI_Count offset)
{
    MPI_Count bytes[2] = {x->src.offset, x->dst.offset};
    struct end *ends[2] = {&x->src, &x->dst};
    CHECK_ARG(offset >= 0, "%s: transfer '%s': offset %lld is negative: pass the lowest address as the buffer, and offsets from there",
              function, x->name, (long long)offset);
    for (int i = 0; i < 2; i++) {
        const struct end *e = ends[i];
        if (!(e->role & roles))
            continue;
        CHECK_ARG(!__builtin_mul_overflow(offset, (MPI_Count)e->dist->gdo->element.extent, &bytes[i]) && bytes[i] <= INT64_MAX / 2,
                  "%s: transfer '%s': offset %lld is beyond the address space: it is a number of elements", function, x->name,
                  (long long)offset);
        if (offset && e->n_ours)
            return dri_fail(DRI_ERR_BUFFER, "%s: transfer '%s': the library has allocated a buffer, which has no room for an offset: pass the "
                                            "program's own memory when creating the transfer", function, x->name);
    }
    TRY(check_apart(function, x, bytes[0], bytes[1]));
    x->src.offset = bytes[0];
    x->dst.offset = bytes[1];
    return DRI_SUCCESS;
}

PUBLIC int DRI_xfer_rebase(DRI_xfer xfer, MPI_Count offset)
{
    TRY(dri_ready());
    CHECK(xfer, XFER);
    return rebase(__func__, xfer, DRI_SOURCE | DRI_DESTINATION, offset);
}

PUBLIC int DRI_xfer_rebase_end(DRI_xfer xfer, int role, MPI_Count offset)
{
    TRY(dri_ready());
    CHECK(xfer, XFER);
    if ((role != DRI_SOURCE && role != DRI_DESTINATION) || !(role == DRI_SOURCE ? xfer->src.role : xfer->dst.role))
        return dri_fail(DRI_ERR_ROLE, "DRI_xfer_rebase_end: role %d is not a role of transfer '%s' in this process: pass DRI_SOURCE or "
                                      "DRI_DESTINATION, as at the creation", role, xfer->name);
    return rebase(__func__, xfer, role, offset);
}

/* Ends a transfer between two Gos: cancels the receives that were posted early. A running transfer is an error. */
int dri_go_end(DRI_xfer x)
{
    bool moved = false;
    TRY(progress(x, &moved));
    if (x->going || x->src.over < x->src.begun)
        return dri_fail(DRI_ERR_STATE, "transfer '%s' is running", x->name);
    for (int i = 0; i < x->dst.n_partners; i++) {
        struct partner *p = &x->dst.partners[i];
        for (; p->under_way > 0; p->under_way--, p->oldest = (p->oldest + 1) % RING) {
            MPI(MPI_Cancel, &p->ring[p->oldest].request);
            MPI(MPI_Wait, &p->ring[p->oldest].request, MPI_STATUS_IGNORE);
        }
    }
    return DRI_SUCCESS;
}
