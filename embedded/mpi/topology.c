/*
 * Topologies in general, and Cartesian ones (MPI-5.0, 8). Processes keep their order: reorder is a
 * permission. No locks.
 */
#include "topology.h"
#include "functions.h"
#include "../base/errors.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Splits comm and gives the topology to the new communicator, which owns it. Frees the topology on an error, and in a
 * process that is not a member. */
int em_topology_comm(struct comm *comm, int color, int key, struct topology *topology, MPI_Comm *newcomm)
{
    int err = em_Comm_split(comm, color, key, newcomm);
    if (err || *newcomm == MPI_COMM_NULL)
        free(topology);
    else
        em_comm_of(*newcomm)->topology = topology;
    return err;
}

int em_check_topology(const struct comm *comm, int kind)
{
    if (comm->topology && comm->topology->kind == kind)
        return MPI_SUCCESS;
    return em_error(MPI_ERR_TOPOLOGY, "comm has no %s topology", kind == MPI_CART ? "Cartesian" : kind == MPI_GRAPH ? "graph" : "distributed graph");
}

/* Writes the kind of the topology, or MPI_UNDEFINED for a communicator without one. */
int em_Topo_test(struct comm *comm, int *status)
{
    *status = comm->topology ? comm->topology->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* ---- Cartesian topologies ---- */

/* Writes the coordinates of a rank. Ranks count in row-major order: the last dimension varies fastest. */
static void find_coordinates(const struct topology *t, int rank, int *coord)
{
    for (int i = t->dims - 1; i >= 0; i--) {
        coord[i] = rank % t->dim[i];
        rank /= t->dim[i];
    }
}

/* Returns the rank of the process at a distance from this one in a dimension, or MPI_PROC_NULL. */
static int rank_at(const struct topology *t, int rank, int dimension, int64_t distance)
{
    int64_t size = t->dim[dimension], here = t->coord[dimension], there = here + distance, stride = 1;
    if ((there < 0 || there >= size) && !t->period[dimension])
        return MPI_PROC_NULL;
    there = (there % size + size) % size;
    for (int i = dimension + 1; i < t->dims; i++)
        stride *= t->dim[i];
    return (int)(rank + (there - here) * stride);
}

/* rank: of this process in the new communicator. */
static struct topology *new_cartesian(int dims, const int *dim, const int *period, int rank)
{
    int *place;
    struct topology *t = em_topology_new(MPI_CART, 5 * (int64_t)dims, &place);
    if (!t)
        return NULL;
    t->dims = dims;
    t->dim = place;
    t->period = place + dims;
    t->coord = place + 2 * dims;
    t->source = t->destination = place + 3 * dims;
    t->sources = t->destinations = 2 * dims;
    for (int i = 0; i < dims; i++) {
        t->dim[i] = dim[i];
        t->period[i] = period[i] != 0;
    }
    find_coordinates(t, rank, t->coord);
    for (int i = 0; i < dims; i++) {
        t->source[2 * i] = rank_at(t, rank, i, -1);
        t->source[2 * i + 1] = rank_at(t, rank, i, 1);
    }
    return t;
}

/* Checks the dimensions and stores the number of their processes. */
static int count_processes(const struct comm *comm, int ndims, const int *dims, int *processes)
{
    int64_t product = 1;
    if (comm->inter)
        return em_error(MPI_ERR_COMM, "comm is an intercommunicator");
    if (ndims < 0)
        return em_error(MPI_ERR_DIMS, "ndims is %d", ndims);
    for (int i = 0; i < ndims; i++) {
        if (dims[i] <= 0)
            return em_error(MPI_ERR_DIMS, "dimension %d is %d", i, dims[i]);
        product *= dims[i];
        if (product > comm->size)
            return em_error(MPI_ERR_DIMS, "the dimensions need more than the %d processes of the communicator", comm->size);
    }
    *processes = (int)product;
    return MPI_SUCCESS;
}

/* Collective. Ranks keep their order, so reorder is ignored. Processes beyond the grid get MPI_COMM_NULL. */
int em_Cart_create(struct comm *comm, int ndims, const int *dims, const int *periods, int reorder, MPI_Comm *newcomm)
{
    int processes, err = count_processes(comm, ndims, dims, &processes);
    *newcomm = MPI_COMM_NULL;
    if (err)
        return err;
    bool member = comm->rank < processes;
    struct topology *t = member ? new_cartesian(ndims, dims, periods, comm->rank) : NULL;
    if (member && !t)
        return em_no_topology();
    return em_topology_comm(comm, member ? 0 : MPI_UNDEFINED, comm->rank, t, newcomm);
}

/* Writes the caller's own rank, because em_Cart_create keeps the order, or MPI_UNDEFINED outside the grid. Local. */
int em_Cart_map(struct comm *comm, int ndims, const int *dims, const int *periods, int *newrank)
{
    int processes, err = count_processes(comm, ndims, dims, &processes);
    if (!err)
        *newrank = comm->rank < processes ? comm->rank : MPI_UNDEFINED;
    return err;
}

/* Writes the number of dimensions, which is 0 for a grid of one process. */
int em_Cartdim_get(struct comm *comm, int *ndims)
{
    int err = em_check_topology(comm, MPI_CART);
    if (!err)
        *ndims = comm->topology->dims;
    return err;
}

/* Returns an error if the caller's arrays are shorter than the number of dimensions. A longer array is allowed. */
static int check_room(const struct topology *t, int maxdims)
{
    return maxdims >= t->dims ? MPI_SUCCESS : em_error(MPI_ERR_ARG, "maxdims is %d, the topology has %d dimensions", maxdims, t->dims);
}

/* Writes the sizes, the periods and this process's coordinates. Elements beyond the dimensions stay unchanged. */
int em_Cart_get(struct comm *comm, int maxdims, int *dims, int *periods, int *coords)
{
    const struct topology *t = comm->topology;
    int err = em_check_topology(comm, MPI_CART);
    if (err || (err = check_room(t, maxdims)))
        return err;
    for (int i = 0; i < t->dims; i++) {
        dims[i] = t->dim[i];
        periods[i] = t->period[i];
        coords[i] = t->coord[i];
    }
    return MPI_SUCCESS;
}

/* Writes the coordinates of any rank. Elements beyond the dimensions stay unchanged. */
int em_Cart_coords(struct comm *comm, int rank, int maxdims, int *coords)
{
    const struct topology *t = comm->topology;
    int err = em_check_topology(comm, MPI_CART);
    if (err)
        return err;
    if (rank < 0 || rank >= comm->size)
        return em_error(MPI_ERR_RANK, "rank %d: the communicator has %d ranks", rank, comm->size);
    err = check_room(t, maxdims);
    if (!err)
        find_coordinates(t, rank, coords);
    return err;
}

/* Writes the rank at coords. A coordinate outside a periodic dimension wraps around; in another dimension it is an
 * error. */
int em_Cart_rank(struct comm *comm, const int *coords, int *rank)
{
    const struct topology *t = comm->topology;
    int err = em_check_topology(comm, MPI_CART), result = 0;
    if (err)
        return err;
    if (t->dims && !coords)
        return em_error(MPI_ERR_ARG, "coords is a null pointer");
    for (int i = 0; i < t->dims; i++) {
        int size = t->dim[i], at = coords[i];
        if ((at < 0 || at >= size) && !t->period[i])
            return em_error(MPI_ERR_ARG, "coordinate %d is %d, the dimension is %d", i, at, size);
        at %= size;
        result = result * size + (at < 0 ? at + size : at);
    }
    *rank = result;
    return MPI_SUCCESS;
}

/* Writes the neighbors at a distance in one dimension, MPI_PROC_NULL beyond the edge. disp is widened before it is
 * negated, so INT_MIN is safe. */
int em_Cart_shift(struct comm *comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    int err = em_check_topology(comm, MPI_CART);
    if (err)
        return err;
    if (direction < 0 || direction >= comm->topology->dims)
        return em_error(MPI_ERR_ARG, "direction is %d, the topology has %d dimensions", direction, comm->topology->dims);
    *rank_source = rank_at(comm->topology, comm->rank, direction, -(int64_t)disp);
    *rank_dest = rank_at(comm->topology, comm->rank, direction, disp);
    return MPI_SUCCESS;
}

/* Collective. Processes with equal coordinates in all dropped dimensions form one new grid, in their order in the old
 * one. */
int em_Cart_sub(struct comm *comm, const int *remain_dims, MPI_Comm *newcomm)
{
    const struct topology *t = comm->topology;
    int err = em_check_topology(comm, MPI_CART), color = 0, key = 0, kept = 0;
    if (err)
        return err;
    if (t->dims && !remain_dims)
        return em_error(MPI_ERR_ARG, "remain_dims is a null pointer");
    int *dim = malloc((size_t)(2 * t->dims + 1) * sizeof *dim), *period = dim + t->dims;
    if (!dim)
        return em_no_topology();
    for (int i = 0; i < t->dims; i++) {
        if (!remain_dims[i]) {
            color = color * t->dim[i] + t->coord[i];
            continue;
        }
        key = key * t->dim[i] + t->coord[i];
        dim[kept] = t->dim[i];
        period[kept++] = t->period[i];
    }
    struct topology *sub = new_cartesian(kept, dim, period, key);
    free(dim);
    return sub ? em_topology_comm(comm, color, key, sub, newcomm) : em_no_topology();
}
