/*
 * Reductions of large counts (MPI-5.0, 6.9 to 6.11) over a library with int
 * counts: element by element they need no datatype in place of many, so they are
 * made piece by piece, with the program's operation and datatype.
 */
struct piece {
    MPI_Count at;               /* its first element */
    int n;                      /* of elements */
    MPI_Aint bytes;             /* from the buffer's begin */
};

/* The next piece of so many elements; 0: there is none. */
static int next_piece(struct piece *p, MPI_Count count, MPI_Aint extent)
{
    p->at += p->n;
    const MPI_Count left = count - p->at;
    p->n = (int)(left < wi4go_chunk ? left : wi4go_chunk);
    p->bytes = p->at * extent;
    return left > 0;
}
#define PIECE_OF(buffer, p) ((buffer) == A_MPI_IN_PLACE ? (void *)(buffer) : (char *)(buffer) + (p).bytes)

/* Memory for so many elements, to be used at the address returned; *memory is to
   be freed. NULL: there is not so much. */
static void *room_for(MPI_Count count, A_MPI_Datatype datatype, MPI_Aint extent, void **memory)
{
    MPI_Aint lb = 0, span = 0;
    A_MPI_Type_get_true_extent(datatype, &lb, &span);
    span += count > 1 ? (count - 1) * extent : 0;
    *memory = malloc(span > 0 ? (size_t)span : 1);
    return *memory ? (char *)*memory - lb : NULL;
}

/* The counts of all processes from array, or the same one for all: *total of
   them, *before those of this process. 0 or an error class. */
static int add_up(const MPI_Count *counts, MPI_Count same, int n, int me, MPI_Count *before, MPI_Count *total)
{
    *total = 0;
    for (int i = 0; i < n; i++) {
        const MPI_Count count = counts ? counts[i] : same;
        if (i == me)
            *before = *total;
        if (count < 0 || __builtin_add_overflow(*total, count, total))
            return A_MPI_ERR_COUNT;
    }
    return 0;
}

static int N_MPI_Allreduce_c(const void *, void *, MPI_Count, A_MPI_Datatype, A_MPI_Op, A_MPI_Comm);
static int N_MPI_Reduce_c(const void *, void *, MPI_Count, A_MPI_Datatype, A_MPI_Op, int, A_MPI_Comm);

/* Each process's part is reduced at that process. In place, its part is where it
   lay, and then moved to the begin of the buffer. Between two groups, whose parts
   differ, all is reduced everywhere, into memory of so many elements. */
static int reduce_scatter(const void *sendbuf, void *recvbuf, const MPI_Count *counts, MPI_Count same, A_MPI_Datatype datatype,
                          A_MPI_Op op, A_MPI_Comm comm)
{
    const int n = members(comm), me = own_rank(comm), inter = is_inter(comm), in_place = sendbuf == A_MPI_IN_PLACE;
    MPI_Count before = 0, total = 0;
    MPI_Aint extent = 0;
    void *memory = NULL;
    int rc = 0, wrong = add_up(counts, same, n, me, &before, &total);
    if (!wrong)
        wrong = out_of_range(total, datatype, &extent);
    if (wrong)
        return fail(WI4GO_COMM, comm, wrong);
    const MPI_Count own = counts ? counts[me] : same;
    char *room = inter || in_place ? room_for(inter ? total : own, datatype, extent, &memory) : NULL;
    if ((inter || in_place) && !room)
        return fail(WI4GO_COMM, comm, A_MPI_ERR_NO_MEM);
    if (inter) {
        rc = N_MPI_Allreduce_c(sendbuf, room, total, datatype, op, comm);
        if (!rc && own)
            rc = copy(room + before * extent, own, datatype, recvbuf, own, datatype);
        free(memory);
        return rc;
    }
    const char *from = in_place ? recvbuf : sendbuf;
    for (int i = 0; i < n && !rc; i++) {
        const MPI_Count count = counts ? counts[i] : same;
        if (!count)
            continue;
        if (in_place && i == me)
            rc = N_MPI_Reduce_c(A_MPI_IN_PLACE, (void *)from, count, datatype, op, i, comm);
        else
            rc = N_MPI_Reduce_c(from, recvbuf, count, datatype, op, i, comm);
        from += count * extent;
    }
    if (in_place && !rc && own && before) {
        rc = copy((char *)recvbuf + before * extent, own, datatype, room, own, datatype);
        if (!rc)
            rc = copy(room, own, datatype, recvbuf, own, datatype);
    }
    free(memory);
    return rc;
}

static int N_MPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count *recvcounts, A_MPI_Datatype datatype, A_MPI_Op op,
                                  A_MPI_Comm comm)
{
    NARROWED(recvcounts, members(comm));
    for (int i = 0; i < (int)(narrow_recvcounts.bytes / sizeof(int)); i++)
        if (!FITS(recvcounts[i]))
            return reduce_scatter(sendbuf, recvbuf, recvcounts, 0, datatype, op, comm);
    return A_MPI_Reduce_scatter(sendbuf, recvbuf, narrow_recvcounts.array, datatype, op, comm);
}

static int N_MPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, A_MPI_Datatype datatype, A_MPI_Op op,
                                        A_MPI_Comm comm)
{
    if (FITS(recvcount))
        return A_MPI_Reduce_scatter_block(sendbuf, recvbuf, (int)recvcount, datatype, op, comm);
    return reduce_scatter(sendbuf, recvbuf, NULL, recvcount, datatype, op, comm);
}
