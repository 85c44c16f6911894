/*
 * Counts the processes for which an array of a collective call has elements, and finds the
 * root.
 *
 * State: known_sizes caches the sizes of communicators that were read last, with the number of
 * comm_changes (handles.h) at that time. A size counts until a communicator is created, because the
 * runtime may then use the handle of one that was freed. No lock is needed: `sized` contains both
 * the handle and the size, and `changes` is read before it and written after it.
 *
 * Gives: is_collective_root; peers, indegree, outdegree; SIZED, a size in a word with its handle.
 * Needs: pair.h, handles.h, layout.h.
 */
#ifndef WI4GO_COMM_SIZES_H
#define WI4GO_COMM_SIZES_H
#include "pair.h"
#include "handles.h"
#include "layout.h"

/* Reports whether this process is the root of a call. Between groups, the root passes MPI_ROOT.
   root is the program's. */
static int is_collective_root(R_MPI_Comm comm, int root)
{
    int rank = -1, inter = 0;
    R_MPI_Comm_test_inter(comm, &inter);
    if (inter)
        return root == A_MPI_ROOT;
    R_MPI_Comm_rank(comm, &rank);
    return rank == root;
}

/* The kinds of sizes: see peers, indegree and outdegree. */
enum { KNOWN_PEERS, KNOWN_INDEGREE, KNOWN_OUTDEGREE, N_KNOWN };
#define KNOWN_PLACES 64 /* the number of known sizes of a kind */

struct known_size {
    uint64_t changes; /* value of comm_changes when the size was read */
    uint64_t sized;   /* the handle, shifted by SIZE_BITS, plus the size, or 0 */
};
#define known_sizes PAIR(known_sizes)
SHARED struct known_size known_sizes[N_KNOWN][KNOWN_PLACES];

/* A larger size is not kept. */
#define LARGEST_SIZE (R_HANDLE_BITS == 32 ? INT32_MAX : 0xffff)
#define SIZED(comm) ((uint64_t)(comm) << SIZE_BITS)
#define SIZE_PLACE(comm) (((uint64_t)(comm) >> (R_HANDLE_BITS == 32 ? 0 : 6)) % KNOWN_PLACES)

#define read_size PAIR(read_size)
/* Reads a size from the runtime, and keeps it in known_sizes. */
size_t read_size(int which, R_MPI_Comm comm) HIDDEN __attribute__((noinline));

/* Returns a size of a communicator. */
static inline size_t known_size_of(int which, R_MPI_Comm comm)
{
    const struct known_size *k = &known_sizes[which][SIZE_PLACE(comm)];
    if (likely(__atomic_load_n(&k->changes, __ATOMIC_ACQUIRE) == comm_changes())) {
        const size_t n = __atomic_load_n(&k->sized, __ATOMIC_RELAXED) - SIZED(comm);
        if (likely(n <= LARGEST_SIZE))
            return n;
    }
    return read_size(which, comm);
}

/* peers returns the number of processes with which this one communicates in a collective call: the
   remote group between groups, otherwise all. indegree and outdegree return the numbers of
   neighbors (MPI-5.0, 8.6). A size is 0 for an invalid communicator. */
#define peers(comm) known_size_of(KNOWN_PEERS, comm)
#define indegree(comm) known_size_of(KNOWN_INDEGREE, comm)
#define outdegree(comm) known_size_of(KNOWN_OUTDEGREE, comm)

#if DEFINES_SHARED
static size_t read_known_peers(R_MPI_Comm comm)
{
    int inter = 0, n = 0;
    if (!comm || R_MPI_Comm_test_inter(comm, &inter))
        return 0;
    if (inter ? R_MPI_Comm_remote_size(comm, &n) : R_MPI_Comm_size(comm, &n))
        return 0;
    return (size_t)n;
}

/* Returns the number of incoming neighbors of this process if which is 0, of outgoing ones if it is
   1. It is 0 for an invalid communicator or one without a topology. */
static size_t read_degree(R_MPI_Comm comm, int which)
{
    int topology = R_MPI_UNDEFINED, n = 0, rank = 0, degrees[3] = {0, 0, 0};
    if (!comm || R_MPI_Topo_test(comm, &topology))
        return 0;
    if (topology == R_MPI_CART) {
        R_MPI_Cartdim_get(comm, &n);
        return 2 * (size_t)n;
    }
    if (topology == R_MPI_GRAPH) {
        R_MPI_Comm_rank(comm, &rank);
        R_MPI_Graph_neighbors_count(comm, rank, &n);
        return (size_t)n;
    }
    if (topology == R_MPI_DIST_GRAPH)
        R_MPI_Dist_graph_neighbors_count(comm, &degrees[0], &degrees[1], &degrees[2]);
    return (size_t)degrees[which];
}

/* Keeps a size, which was read after `changes`. */
static void keep_size(int which, R_MPI_Comm comm, size_t n, uint64_t changes)
{
    if (!n || n > LARGEST_SIZE || !comm_changes_settled(changes))
        return;
    struct known_size *k = &known_sizes[which][SIZE_PLACE(comm)];
    __atomic_store_n(&k->sized, SIZED(comm) + n, __ATOMIC_RELAXED);
    __atomic_store_n(&k->changes, changes, __ATOMIC_RELEASE);
}

size_t read_size(int which, R_MPI_Comm comm)
{
    const uint64_t changes = comm_changes();
    const size_t n = which == KNOWN_PEERS ? read_known_peers(comm) : read_degree(comm, which == KNOWN_OUTDEGREE);
    keep_size(which, comm, n, changes);
    return n;
}
#endif
#endif
