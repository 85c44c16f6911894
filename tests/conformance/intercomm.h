/*
 * Every collective between two groups, from either side, blocking, nonblocking or persistent. Arguments that are
 * significant only at the root are garbage elsewhere (MPI-4.0, 6.2.2, 6.2.3, 6.5 to 6.10, 6.12, 6.13).
 */
#ifndef INTERCOMM_H
#define INTERCOMM_H

#include "persistent.h"

enum { MAX = 64, BLOCKING = 0, NONBLOCKING, PERSISTENT };
static const char *const ways[] = {"blocking", "nonblocking", "persistent"};

static MPI_Comm inter;
static int way, low, local, local_size, remote, split;

static void failed(const char *name, int line, const char *what, int got, int want)
{
    check_fail(__FILE__, line, "%s %s, low %d: %s is %d, not %d", ways[way], name, low, what, got, want);
}
#define IS(got, want) ((got) == (want) ? (void)0 : failed(name, __LINE__, #got, got, want))

#if HAVE_PERSISTENT_COLLECTIVES
#define INIT(Name, ...) MPI_##Name##_init(__VA_ARGS__, inter, MPI_INFO_NULL, &r)
#else
#define INIT(Name, ...) MPI_ERR_OTHER
#endif
#define DO(Name, iname, ...)                                                                     \
    do {                                                                                         \
        MPI_Request r = MPI_REQUEST_NULL;                                                        \
        name = #Name;                                                                            \
        int code_ = way == BLOCKING      ? MPI_##Name(__VA_ARGS__, inter)                        \
                    : way == NONBLOCKING ? MPI_##iname(__VA_ARGS__, inter, &r)                   \
                                         : INIT(Name, __VA_ARGS__);                              \
        for (int round_ = 0; code_ == MPI_SUCCESS && round_ < (way == PERSISTENT ? 2 : 1); round_++) { \
            if (way == PERSISTENT)                                                               \
                code_ = MPI_Start(&r);                                                           \
            if (code_ == MPI_SUCCESS)                                                            \
                code_ = MPI_Wait(&r, MPI_STATUS_IGNORE);                                         \
        }                                                                                        \
        if (r != MPI_REQUEST_NULL)                                                               \
            MPI_Request_free(&r);                                                                \
        IS(code_, MPI_SUCCESS);                                                                  \
    } while (0)

/* Returns the rank in MPI_COMM_WORLD of process i of the other group. */
static int other(int i)
{
    return low ? split + i : i;
}

static int sum_of_others(void)
{
    int sum = 0;
    for (int i = 0; i < remote; i++)
        sum += other(i) + 1;
    return sum;
}

static void rooted(int from_low, int at_last)
{
    const char *name = "";
    const int mine = low == from_low, last = at_last ? (from_low ? split : size - split) - 1 : 0;
    const int root = mine ? (local == last ? MPI_ROOT : MPI_PROC_NULL) : last, is_root = root == MPI_ROOT;
    const int sends = !mine, garbage = -7;
    const MPI_Datatype none = way == BLOCKING ? MPI_DATATYPE_NULL : MPI_CHAR; /* MPICH 3.4's MPI_Iscatterv reads it */
    int value = is_root ? 500 + from_low : -1, term = rank + 1, data[MAX], counts[MAX], displs[MAX];
    for (int i = 0; i < MAX; i++) {
        counts[i] = is_root ? i % 2 + 1 : garbage;
        displs[i] = is_root ? 2 * (remote - 1 - i) : garbage;
        data[i] = -1;
    }
    if (way == BLOCKING || !at_last) { /* coll_intercomm_ibcast has the rest */
        DO(Bcast, Ibcast, &value, 1, MPI_INT, root);
        IS(value, is_root || !mine ? 500 + from_low : -1);
    }
    /* None of these arguments is significant. */
    const int n = sends ? 1 : garbage;
    const MPI_Datatype type = sends ? MPI_INT : none, in_type = is_root ? MPI_INT : none;
    const void *out = sends ? &term : NULL;
    void *in = is_root ? data : NULL;
    if (way != PERSISTENT) { /* coll_persistent_gather tests these */
        DO(Gather, Igather, out, n, type, in, is_root ? 1 : garbage, in_type, root);
        for (int i = 0; is_root && i < remote; i++)
            IS(data[i], other(i) + 1);
    }
    const int pair[2] = {term, -term};
    DO(Gatherv, Igatherv, sends ? pair : NULL, sends ? local % 2 + 1 : garbage, type, in, is_root ? counts : NULL,
       is_root ? displs : NULL, in_type, root);
    for (int i = 0; is_root && i < remote; i++) {
        IS(data[displs[i]], other(i) + 1);
        IS(i % 2 ? data[displs[i] + 1] : 0, i % 2 ? -(other(i) + 1) : 0);
    }
    for (int i = 0; is_root && i < 2 * remote; i++)
        data[i] = 70 + i;
    int got[2] = {-1, -1};
    if (way != PERSISTENT) {
        DO(Scatter, Iscatter, in, is_root ? 1 : garbage, in_type, sends ? got : NULL, n, type, root);
        IS(got[0], sends ? 70 + local : -1);
    }
    got[0] = -1;
    DO(Scatterv, Iscatterv, in, is_root ? counts : NULL, is_root ? displs : NULL, in_type, sends ? got : NULL,
       sends ? local % 2 + 1 : garbage, type, root);
    const int at = 2 * (local_size - 1 - local);
    IS(got[0], sends ? 70 + at : -1);
    IS(got[1], sends && local % 2 ? 71 + at : -1);
    value = -1;
    DO(Reduce, Ireduce, &term, is_root ? (void *)&value : NULL, 1, MPI_INT, MPI_SUM, root);
    IS(value, is_root ? sum_of_others() : -1);
}

static void all(void)
{
    const char *name = "";
    int term = rank + 1, value = -1, in[4 * MAX], out[4 * MAX], counts[MAX], displs[MAX], in_counts[MAX], bytes[MAX];
    MPI_Datatype types[MAX], in_types[MAX];
    MPI_Request r = MPI_REQUEST_NULL;
    name = "Barrier";
    if (way == BLOCKING)
        IS(MPI_Barrier(inter), MPI_SUCCESS);
    else if (way == NONBLOCKING)
        IS(MPI_Ibarrier(inter, &r), MPI_SUCCESS);
    IS(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    DO(Allreduce, Iallreduce, &term, &value, 1, MPI_INT, MPI_SUM);
    IS(value, sum_of_others());
    if (way != PERSISTENT) {
        DO(Allgather, Iallgather, &term, 1, MPI_INT, in, 1, MPI_INT);
        for (int i = 0; i < remote; i++)
            IS(in[i], other(i) + 1);
    }
    for (int i = 0; i < remote; i++) {
        counts[i] = i % 2 + 1;
        displs[i] = 3 * (remote - 1 - i);
    }
    const int pair[2] = {term, -term};
    DO(Allgatherv, Iallgatherv, pair, local % 2 + 1, MPI_INT, in, counts, displs, MPI_INT);
    for (int i = 0; i < remote; i++) {
        IS(in[displs[i]], other(i) + 1);
        IS(i % 2 ? in[displs[i] + 1] : 0, i % 2 ? -(other(i) + 1) : 0);
    }
    for (int i = 0; i < 4 * MAX; i++)
        out[i] = 1000 * rank + i;
    DO(Alltoall, Ialltoall, out, 2, MPI_INT, in, 2, MPI_INT);
    for (int i = 0; i < remote; i++)
        IS(in[2 * i + 1], 1000 * other(i) + 2 * local + 1);
    for (int i = 0; i < remote; i++)
        in_counts[i] = local % 2 + 1;
    memset(in, 0x55, sizeof in);
    DO(Alltoallv, Ialltoallv, out, counts, displs, MPI_INT, in, in_counts, displs, MPI_INT);
    for (int i = 0; i < remote; i++) {
        IS(in[displs[i]], 1000 * other(i) + 3 * (local_size - 1 - local));
        IS(in[displs[i] + 1], local % 2 ? 1000 * other(i) + 3 * (local_size - 1 - local) + 1 : 0x55555555);
    }
    MPI_Datatype two;
    MUST(MPI_Type_contiguous(2, MPI_INT, &two));
    MUST(MPI_Type_commit(&two));
    for (int i = 0; i < remote; i++) {
        types[i] = i % 2 ? two : MPI_INT;
        in_types[i] = local % 2 ? two : MPI_INT;
        counts[i] = in_counts[i] = 1;
        bytes[i] = displs[i] * (int)sizeof(int);
    }
    memset(in, 0x55, sizeof in);
    DO(Alltoallw, Ialltoallw, out, counts, bytes, types, in, in_counts, bytes, in_types);
    for (int i = 0; i < remote; i++) {
        IS(in[displs[i]], 1000 * other(i) + 3 * (local_size - 1 - local));
        IS(in[displs[i] + 1], local % 2 ? 1000 * other(i) + 3 * (local_size - 1 - local) + 1 : 0x55555555);
    }
    MUST(MPI_Type_free(&two));

    /* Each group's sum goes to the other group, whose processes divide it among themselves. */
    const int each = remote * local_size;
    for (int i = 0; i < each; i++)
        out[i] = 100 * rank + i;
    for (int i = 0; i < local_size; i++)
        counts[i] = remote;
    int sum = 0;
    for (int i = 0; i < remote; i++)
        sum += 100 * other(i);
    memset(in, 0x55, sizeof in);
    DO(Reduce_scatter, Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM);
    for (int i = 0; i < remote; i++)
        IS(in[i], sum + remote * (local * remote + i));
    IS(in[remote], 0x55555555);
    memset(in, 0x55, sizeof in);
    DO(Reduce_scatter_block, Ireduce_scatter_block, out, in, remote, MPI_INT, MPI_SUM);
    for (int i = 0; i < remote; i++)
        IS(in[i], sum + remote * (local * remote + i));
    IS(in[remote], 0x55555555);
}

static void between_groups(int first, int last)
{
    MPI_Comm half;
    split = size > 3 ? size / 2 - 1 : size / 2; /* groups of different sizes */
    low = rank < split;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half));
    MUST(MPI_Comm_rank(half, &local));
    MUST(MPI_Comm_size(half, &local_size));
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? split : 0, 12, &inter));
    MUST(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_remote_size(inter, &remote));
    for (way = first; way <= last; way++) {
        for (int from_low = 0; from_low < 2; from_low++)
            for (int at_last = 0; at_last < 2; at_last++)
                rooted(from_low, at_last);
        all();
    }
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&half));
}

#endif
