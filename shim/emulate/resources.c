/*
 * Splits by hardware resources (MPI-5.0, 7.4.2). The families have different split types, and the
 * same name may stand for different parts: MPICH supports no part of a node unless it was built
 * for that, and Intel MPI takes any unknown resource for the whole node. So over another family
 * the front computes all parts except a node's itself, in the way of Open MPI: two processes
 * share a part if both are bound to CPUs in it. Within a family it computes the parts that an
 * older library lacks.
 *
 * State: one flag, set before the first split. No lock. Communicators and memory made here are
 * freed within the call.
 */
#include "emulate.h"
#include "topology.h"
#include <limits.h>
#include <strings.h>
#include <unistd.h>

/* The meaning of a split type: the requested part. LIBRARY: the library implements the split type
   itself. A part of a node is PART plus its enum wi4go_part. */
enum { UNDEFINED = -1, LIBRARY, NODE, EVERYBODY, NOBODY, UNGUIDED, PART, ILLEGAL = PART + WI4GO_NUMA + 1 };

/* The values of the key mpi_hw_resource_type: Open MPI's names, and hwloc's, which MPICH accepts.
   They are sorted from the largest part to the smallest, by `name`; further names of a part come
   at the end. */
static const struct resource {
    const char *name, *other;
    int meaning;
} resources[] = {
    {"mpi_shared_memory", NULL, NODE},
    {"numanode", "numa", PART + WI4GO_NUMA},
    {"socket", "package", PART + WI4GO_SOCKET},
    {"l3cache", NULL, PART + WI4GO_L3CACHE},
    {"l2cache", NULL, PART + WI4GO_L2CACHE},
    {"l1cache", NULL, PART + WI4GO_L1CACHE},
    {"core", NULL, PART + WI4GO_CORE},
    {"hwthread", "pu", PART + WI4GO_HWTHREAD},
    {"host", "machine", NODE},
    {"board", "cu", NODE},
    {"cluster", NULL, EVERYBODY},
};
#define N_RESOURCES (sizeof resources / sizeof *resources)

/* Reports whether an info contains a key. */
static int has_key(MPI_Info info, const char *key)
{
    int length, flag = 0;
    return !MPI_Info_get_valuelen(info, key, &length, &flag) && flag;
}

/* Returns the meaning of the resource that the info names, or NOBODY. */
static int guided(MPI_Info info)
{
    char name[MPI_MAX_INFO_KEY + 1] = "";
    int flag = 0;
    if (info == MPI_INFO_NULL || !has_key(info, "mpi_hw_resource_type") ||
        MPI_Info_get(info, "mpi_hw_resource_type", MPI_MAX_INFO_KEY, name, &flag) || !flag)
        return NOBODY;
    for (size_t i = 0; i < N_RESOURCES; i++)
        if (!strcasecmp(name, resources[i].name) || (resources[i].other && !strcasecmp(name, resources[i].other)))
            return resources[i].meaning;
    return NOBODY;
}

static int within_family; /* 1: the library is of the program's family. Set before the first split */

/* These report whether the library supports the guided split types of MPI-4.0, and the newer ones of
   MPI-4.1. The types came together with the functions that are checked. */
static int has_guided(void) { return within_family && RUNTIME_HAS(MPI_Session_init); }
static int has_newest(void) { return within_family && RUNTIME_HAS(MPI_Buffer_flush); }

#ifdef MPIX_COMM_TYPE_NEIGHBORHOOD
/* Reports whether the library has this split type. All releases of MPICH have it, and Intel MPI's
   library of the standard ABI. All of these also have the function that is checked. */
static int has_neighborhood(void) { return within_family && RUNTIME_HAS(MPIX_GPU_query_support); }

/* Returns the meaning of MPICH's neighborhood. Neighbors are processes that can write files in
   the same directory, as the processes of a node can, or that are near in the network, which the
   front cannot determine. */
static int neighborhood_meaning(MPI_Info info)
{
    char directory[MPI_MAX_INFO_VAL + 1] = "";
    int flag = 0;
    if (has_neighborhood())
        return LIBRARY;
    if (info == MPI_INFO_NULL || MPI_Info_get(info, "nbhd_common_dirname", MPI_MAX_INFO_VAL, directory, &flag) || !flag)
        return NOBODY;
    return access(directory, W_OK) == 0 ? NODE : NOBODY;
}

/* Reports whether a split type is the neighborhood. Other releases of MPICH use its number for
   other types, which have different keys. */
static int is_neighbourhood(int split_type, MPI_Info info)
{
    if (split_type == MPIX_COMM_TYPE_NEIGHBORHOOD)
        return 1;
    if (info == MPI_INFO_NULL || (split_type != MPI_COMM_TYPE_HW_GUIDED && split_type != MPI_COMM_TYPE_RESOURCE_GUIDED))
        return 0;
    return (has_key(info, "nbhd_common_dirname") || has_key(info, "network_topo")) && !has_key(info, "mpi_hw_resource_type");
}

/* Returns the number of a split type in the library's release. Later releases use the numbers of
   MPICH 3 and 4.0 for other types. */
static int library_number(int split_type, MPI_Info info)
{
    if (!has_neighborhood() || has_newest() || !is_neighbourhood(split_type, info))
        return split_type;
    return has_guided() ? MPI_COMM_TYPE_RESOURCE_GUIDED : MPI_COMM_TYPE_HW_GUIDED;
}
#else
#define has_neighborhood() 1 /* 1, because the family lacks such a type */
#define library_number(split_type, info) (split_type)
#endif

int wi4go_needs_layer_resources(const struct wi4go_pair *pair)
{
    within_family = pair->identity;
    return !has_newest() || !has_neighborhood();
}

/* Returns the meaning of a split type that only the program's family has, or ILLEGAL if it has no
   such type. */
static int own_part(int split_type)
{
#ifdef OMPI_COMM_TYPE_HOST
    static const struct {
        int split_type, meaning;
    } types[] = {
        {OMPI_COMM_TYPE_HWTHREAD, PART + WI4GO_HWTHREAD}, {OMPI_COMM_TYPE_CORE, PART + WI4GO_CORE},
        {OMPI_COMM_TYPE_L1CACHE, PART + WI4GO_L1CACHE},   {OMPI_COMM_TYPE_L2CACHE, PART + WI4GO_L2CACHE},
        {OMPI_COMM_TYPE_L3CACHE, PART + WI4GO_L3CACHE},   {OMPI_COMM_TYPE_SOCKET, PART + WI4GO_SOCKET},
        {OMPI_COMM_TYPE_NUMA, PART + WI4GO_NUMA},         {OMPI_COMM_TYPE_BOARD, NODE},
        {OMPI_COMM_TYPE_HOST, NODE},                      {OMPI_COMM_TYPE_CU, NODE},
        {OMPI_COMM_TYPE_CLUSTER, EVERYBODY},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].split_type == split_type)
            return types[i].meaning;
#endif
    return ILLEGAL;
}

/* Returns the meaning of a split type on this library. */
static int meaning(int split_type, MPI_Info info)
{
#ifdef MPIX_COMM_TYPE_NEIGHBORHOOD
    if (is_neighbourhood(split_type, info))
        return neighborhood_meaning(info);
#endif
    switch (split_type) {
    case MPI_UNDEFINED:
        return UNDEFINED;
    case MPI_COMM_TYPE_SHARED:
        return LIBRARY;
    case MPI_COMM_TYPE_HW_GUIDED:
        return has_guided() ? LIBRARY : guided(info);
    case MPI_COMM_TYPE_HW_UNGUIDED:
        return has_guided() ? LIBRARY : UNGUIDED;
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
        return has_newest() ? LIBRARY : guided(info);
#ifdef OMPI_COMM_TYPE_NVLINK
    case OMPI_COMM_TYPE_NVLINK: /* the front cannot find NVLink domains */
        return has_newest() ? LIBRARY : NOBODY;
#endif
    }
    return within_family ? LIBRARY : own_part(split_type);
}

/* Replaces each of two numbers by its maximum over all processes; for an intercommunicator, over
   both groups. Returns an error code. */
static int max_of_all(MPI_Comm comm, int inter, int numbers[2])
{
    int other[2], own[2];
    int rc = MPI_Allreduce(numbers, other, 2, MPI_INT, MPI_MAX, comm);
    if (!rc && inter)
        rc = MPI_Allreduce(other, own, 2, MPI_INT, MPI_MAX, comm);
    for (int i = 0; i < 2; i++)
        numbers[i] = inter && own[i] > other[i] ? own[i] : other[i];
    return rc;
}

/* The data that each process sends to the others of its node. */
struct member {
    int rank, takes_part;     /* its rank in the whole communicator; 0 if it passes MPI_UNDEFINED */
    struct wi4go_cpus shared; /* the CPUs of its part */
};

/* Reports whether two processes share a part. */
static int shares(const struct member *a, const struct member *b)
{
    for (size_t i = 0; i < sizeof a->shared.bits / sizeof *a->shared.bits; i++)
        if (a->shared.bits[i] & b->shared.bits[i])
            return a->takes_part && b->takes_part;
    return 0;
}

/* Stores in *color the lowest rank of the processes that share a part with member `me`, directly
   or through others. */
static int lowest_of_group(const struct member *members, int n, int me, int *color)
{
    int *group = malloc(sizeof *group * (size_t)n);
    if (!group)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_NO_MEM);
    /* Merge the groups of processes that share a part: group[i] is the group of member i. */
    for (int i = 0; i < n; i++) {
        group[i] = i;
        for (int j = 0; j < i; j++) {
            const int from = group[i], to = group[j];
            if (from != to && shares(&members[i], &members[j]))
                for (int k = 0; k <= i; k++)
                    group[k] = group[k] == from ? to : group[k];
        }
    }
    /* The lowest rank of the own group is the color. */
    *color = members[me].rank;
    for (int i = 0; i < n; i++)
        if (group[i] == group[me] && members[i].rank < *color)
            *color = members[i].rank;
    free(group);
    return MPI_SUCCESS;
}

/* Stores in *color the color of this process: processes of the node that share the part have the
   same color. Returns an error code. */
static int color_parts(MPI_Comm node, int rank, int takes_part, int part, int *color)
{
    struct member own = {.rank = rank, .takes_part = takes_part};
    int n, me, rc = MPI_Comm_size(node, &n);
    if (rc || (rc = MPI_Comm_rank(node, &me)))
        return rc;
    if (part == NODE)
        own.shared.bits[0] = 1;
    else
        wi4go_shared_cpus(part - PART, &own.shared);
    struct member *members = malloc(sizeof *members * (size_t)n);
    if (!members)
        return wi4go_raise(WI4GO_COMM, (int64_t)node, MPI_ERR_NO_MEM);
    rc = MPI_Allgather(&own, sizeof own, MPI_BYTE, members, sizeof own, MPI_BYTE, node);
    if (!rc)
        rc = lowest_of_group(members, n, me, color);
    free(members);
    return rc;
}

/* Colors by the largest part that is smaller than the communicator, and writes its name to info.
   The color is MPI_UNDEFINED if there is none. */
static int color_unguided(MPI_Comm all, MPI_Comm node, int rank, int takes_part, MPI_Info info, int *color)
{
    for (size_t i = 0; i < N_RESOURCES && resources[i].meaning != EVERYBODY; i++) {
        int rc = color_parts(node, rank, takes_part, resources[i].meaning, color);
        int ends[2] = {takes_part ? *color : -INT_MAX, takes_part ? -*color : -INT_MAX};
        if (rc || (rc = max_of_all(all, 0, ends)))
            return rc;
        if (ends[0] != -ends[1] && ends[0] != -INT_MAX)
            return info != MPI_INFO_NULL && takes_part ? MPI_Info_set(info, "mpi_hw_resource_type", resources[i].name) : MPI_SUCCESS;
    }
    *color = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* Colors the processes of `all`, which must not be an intercommunicator. */
static int color_all(MPI_Comm all, int what, int takes_part, MPI_Info info, int *color)
{
    MPI_Comm node;
    int rank, rc = MPI_Comm_rank(all, &rank);
    if (rc || (rc = BELOW(resources, MPI_Comm_split_type)(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node)))
        return rc;
    rc = what == UNGUIDED ? color_unguided(all, node, rank, takes_part, info, color) : color_parts(node, rank, takes_part, what, color);
    const int freed = MPI_Comm_free(&node);
    return rc ? rc : freed;
}

/* Splits into parts that no library supports. */
static int split_computed(MPI_Comm comm, int inter, int what, int takes_part, int key, MPI_Info info, MPI_Comm *newcomm)
{
    MPI_Comm all = comm;
    int color = what == NOBODY ? MPI_UNDEFINED : 0, rc = MPI_SUCCESS;
    if (what >= UNGUIDED) {
        if (inter && (rc = MPI_Intercomm_merge(comm, 0, &all)))
            return rc;
        rc = color_all(all, what, takes_part, info, &color);
        const int freed = inter ? MPI_Comm_free(&all) : MPI_SUCCESS;
        if (rc || (rc = freed))
            return rc;
    }
    rc = MPI_Comm_split(comm, takes_part ? color : MPI_UNDEFINED, key, newcomm);
    return !rc && *newcomm != MPI_COMM_NULL && info != MPI_INFO_NULL ? MPI_Comm_set_info(*newcomm, info) : rc;
}

/* Splits a communicator. A process that passes MPI_UNDEFINED cannot know the split type of the
   others, so all processes first exchange the meaning of theirs. */
int resources_MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    int inter = 0, keys, rc = MPI_Comm_test_inter(comm, &inter);
    if (!rc && info != MPI_INFO_NULL)
        rc = MPI_Info_get_nkeys(info, &keys);
    if (rc)
        return rc;
    const int what = newcomm ? meaning(split_type, info) : ILLEGAL;
    if (what == ILLEGAL)
        return wi4go_raise(WI4GO_COMM, (int64_t)comm, MPI_ERR_ARG);
    int ends[2] = {what, what == UNDEFINED ? -INT_MAX : -what};
    if ((rc = max_of_all(comm, inter, ends)))
        return rc;
    if (ends[0] != -ends[1] && ends[0] != UNDEFINED)
        return wi4go_raise(WI4GO_COMM, (int64_t)comm, MPI_ERR_ARG);
    switch (ends[0]) {
    case UNDEFINED:
    case LIBRARY:
        return BELOW(resources, MPI_Comm_split_type)(comm, library_number(split_type, info), key, info, newcomm);
    case NODE:
        return BELOW(resources, MPI_Comm_split_type)(comm, what == UNDEFINED ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, key, info, newcomm);
    }
    return split_computed(comm, inter, ends[0], what != UNDEFINED, key, info, newcomm);
}
