/*
 * Neighbor_alltoallw and Neighbor_allgatherv, blocking and nonblocking: one datatype for each neighbor, in and out
 * (MPI-3.1, 7.6, 7.7). One peer may be several neighbors, and a neighbor may be MPI_PROC_NULL.
 */
#ifndef NEIGHBOR_H
#define NEIGHBOR_H

#include "check.h"

enum { MAX = 32 };

static const char *const ways[] = {"blocking", "nonblocking"};

#define DO(Name, Iname, ...)                          \
    do {                                              \
        if (way == 0) {                               \
            MUST(MPI_##Name(__VA_ARGS__, comm));      \
        } else {                                      \
            MPI_Request r;                            \
            MUST(MPI_##Iname(__VA_ARGS__, comm, &r)); \
            MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));    \
        }                                             \
    } while (0)

/* sources are the senders of the incoming parts. */
static void exchange(const char *topology, MPI_Comm comm, int in, const int *sources, int out)
{
    MPI_Datatype pair, out_types[MAX], in_types[MAX];
    MPI_Aint out_at[MAX], in_at[MAX];
    int out_counts[MAX], in_counts[MAX], displs[MAX], sent[MAX][2], got[MAX][2], mine[2] = {rank, -rank};
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    for (int i = 0; i < out; i++) {
        sent[i][0] = rank;
        sent[i][1] = -rank;
        out_types[i] = i % 2 ? pair : MPI_INT;
        out_counts[i] = i % 2 ? 1 : 2;
        out_at[i] = (char *)sent[i] - (char *)sent;
    }
    for (int i = 0; i < in; i++) {
        in_types[i] = i % 3 ? pair : MPI_INT;
        in_counts[i] = i % 3 ? 1 : 2;
        in_at[i] = (char *)got[in - 1 - i] - (char *)got;
    }
    for (int way = 0; way < 2; way++) {
        memset(got, 0x55, sizeof got);
        DO(Neighbor_alltoallw, Ineighbor_alltoallw, sent, out_counts, out_at, out_types, got, in_counts, in_at, in_types);
        for (int i = 0; i < MAX; i++) {
            const int from = i < in ? sources[in - 1 - i] : MPI_PROC_NULL, *g = got[i];
            if (from == MPI_PROC_NULL ? g[0] != 0x55555555 || g[1] != 0x55555555 : g[0] != from || g[1] != -from)
                check_fail(__FILE__, __LINE__, "%s alltoallw, %s: part %d of %d is %d", ways[way], topology, i, in, g[0]);
        }
        for (int i = 0; i < in; i++) {
            displs[i] = in - 1 - i;
            in_counts[i] = 1;
        }
        memset(got, 0x55, sizeof got);
        DO(Neighbor_allgatherv, Ineighbor_allgatherv, mine, 2, MPI_INT, got, in_counts, displs, pair);
        for (int i = 0; i < in; i++) {
            const int from = sources[in - 1 - i], *g = got[i];
            if (from == MPI_PROC_NULL ? g[0] != 0x55555555 : g[0] != from || g[1] != -from)
                check_fail(__FILE__, __LINE__, "%s allgatherv, %s: part %d of %d is %d", ways[way], topology, i, in, g[0]);
        }
        for (int i = 0; i < in; i++)
            in_counts[i] = i % 3 ? 1 : 2;
    }
    MUST(MPI_Type_free(&pair));
}

#endif
