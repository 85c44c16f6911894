/* Every collective function that reduces, by number. */
#ifndef REDUCTIONS_H
#define REDUCTIONS_H

#include "persistent.h"

enum { REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, REDUCTIONS };
enum { BLOCKING, NONBLOCKING, PERSISTENT };

static const char *const reduction_names[] = {"Reduce", "Allreduce", "Scan", "Exscan", "Reduce_scatter",
                                              "Reduce_scatter_block"};
static const char *const reduction_ways[] = {"blocking", "nonblocking", "persistent"};

struct reduction {
    int function, way;
    const void *out;
    void *in;
    int n;             /* the number of elements; for functions that scatter, of each rank */
    const int *counts; /* n for each rank */
    MPI_Datatype type;
    MPI_Op op;
    int root;
    MPI_Comm comm;
};

/* Starts a reduction. A blocking one is complete on return. */
static inline int reduction_start(const struct reduction *a, MPI_Request *r)
{
    *r = MPI_REQUEST_NULL;
#define REDUCTION(NAME, Function, ireduction, how_many, ...)                                                 \
    case 3 * NAME: return MPI_##Function(a->out, a->in, how_many, a->type, a->op, ##__VA_ARGS__ a->comm);    \
    case 3 * NAME + NONBLOCKING:                                                                             \
        return MPI_##ireduction(a->out, a->in, how_many, a->type, a->op, ##__VA_ARGS__ a->comm, r);          \
    case 3 * NAME + PERSISTENT:                                                                              \
        code = REDUCTION_INIT(Function, how_many, __VA_ARGS__);                                              \
        break;
#if HAVE_PERSISTENT_COLLECTIVES
#define REDUCTION_INIT(Function, how_many, ...) \
    MPI_##Function##_init(a->out, a->in, how_many, a->type, a->op, __VA_ARGS__ a->comm, MPI_INFO_NULL, r)
#else
#define REDUCTION_INIT(...) MPI_ERR_OTHER
#endif
#define REDUCTION_ROOT a->root,
    int code = MPI_ERR_ARG;
    switch (3 * a->function + a->way) {
        REDUCTION(REDUCE, Reduce, Ireduce, a->n, REDUCTION_ROOT)
        REDUCTION(ALLREDUCE, Allreduce, Iallreduce, a->n, )
        REDUCTION(SCAN, Scan, Iscan, a->n, )
        REDUCTION(EXSCAN, Exscan, Iexscan, a->n, )
        REDUCTION(REDUCE_SCATTER, Reduce_scatter, Ireduce_scatter, a->counts, )
        REDUCTION(REDUCE_SCATTER_BLOCK, Reduce_scatter_block, Ireduce_scatter_block, a->n, )
    }
    return code == MPI_SUCCESS ? MPI_Start(r) : code;
}

static inline int reduction_end(int code, MPI_Request *r)
{
    if (code == MPI_SUCCESS)
        code = MPI_Wait(r, MPI_STATUS_IGNORE);
    if (*r != MPI_REQUEST_NULL)
        MPI_Request_free(r);
    return code;
}

/* The ranks first to last contribute to the sum that a rank gets. last < first: the result is undefined. */
static inline void reduction_terms(int function, int root, int *last)
{
    *last = function == SCAN ? rank : function == EXSCAN ? rank - 1 : function == REDUCE && rank != root ? -1 : size - 1;
}

#endif
