/*
 * Splits by hardware resources (MPI-5.0, 7.4.2). The families have different split types, and the
 * same name may stand for different parts: MPICH supports no part of a node unless it was built
 * for that, and Intel MPI takes any unknown resource for the whole node. So over another family
 * the front computes all parts except a node's itself, in the way of Open MPI: two processes
 * share a part if both are bound to CPUs in it. Within a family it computes the parts that an
 * older library lacks.
 *
 * Other processes of the communicator may run without a front, or pass MPI_UNDEFINED. So each process first
 * makes the one collective call that such a process makes, the library's own split, by nodes if the front
 * computes the part. All further calls are among the processes of the resulting node.
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
};
#define N_RESOURCES (sizeof resources / sizeof *resources)

/* Reports whether an info contains a key. */
static int has_key(MPI_Info info, const char *key)
{
    int length, flag = 0;
    return !MPI_Info_get_valuelen(info, key, &length, &flag) && flag;
}

/* Returns the meaning of the resource that the info names, or NOBODY. A cluster is not among them: only Open MPI's library finds it
   together with processes that pass MPI_UNDEFINED. */
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

/* The data that each process sends to the others of its node. */
struct member {
    int meaning;              /* of the split type that it passes */
    struct wi4go_cpus shared; /* the CPUs of its part */
};

/* Reports whether two processes share a part. */
static int shares(const struct member *a, const struct member *b)
{
    for (size_t i = 0; i < sizeof a->shared.bits / sizeof *a->shared.bits; i++)
        if (a->shared.bits[i] & b->shared.bits[i])
            return 1;
    return 0;
}

/* Stores in *color the lowest rank of the processes that share a part with member `me`, directly
   or through others. Returns an error code. */
static int lowest_of_group(const struct member *members, int n, int me, int *color)
{
    int *group = malloc(sizeof *group * (size_t)n);
    if (!group)
        return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_NO_MEM);
    /* Merge the groups of processes that share a part: group[i] is the group of member i, by its lowest member. */
    for (int i = 0; i < n; i++) {
        group[i] = i;
        for (int j = 0; j < i; j++) {
            const int from = group[i] > group[j] ? group[i] : group[j], to = group[i] + group[j] - from;
            if (from != to && shares(&members[i], &members[j]))
                for (int k = 0; k <= i; k++)
                    group[k] = group[k] == from ? to : group[k];
        }
    }
    *color = group[me];
    free(group);
    return MPI_SUCCESS;
}

/* Stores in *color the color of this process: processes of the node that share the part have the same color. `requested` is the
   meaning of the split type, which must be the same in all of them. Returns an error code. */
static int color_parts(MPI_Comm node, int requested, int part, int *color)
{
    struct member own = {.meaning = requested};
    int n, me, rc = MPI_Comm_size(node, &n);
    if (rc || (rc = MPI_Comm_rank(node, &me)))
        return rc;
    wi4go_shared_cpus(part - PART, &own.shared);
    struct member *members = malloc(sizeof *members * (size_t)n);
    if (!members)
        return wi4go_raise(WI4GO_COMM, (int64_t)node, MPI_ERR_NO_MEM);
    rc = MPI_Allgather(&own, sizeof own, MPI_BYTE, members, sizeof own, MPI_BYTE, node);
    for (int i = 0; i < n && !rc; i++)
        if (members[i].meaning != requested)
            rc = wi4go_raise(WI4GO_COMM, (int64_t)node, MPI_ERR_ARG);
    if (!rc)
        rc = lowest_of_group(members, n, me, color);
    free(members);
    return rc;
}

/* Colors the processes by the largest part that is smaller than the node, and writes its name to info. All processes are on this
   node. The color is MPI_UNDEFINED if there is no such part. Returns an error code. */
static int color_unguided(MPI_Comm node, MPI_Info info, int *color)
{
    for (size_t i = 0; i < N_RESOURCES; i++) {
        int ends[2], all[2];
        int rc = resources[i].meaning == NODE ? MPI_SUCCESS : color_parts(node, UNGUIDED, resources[i].meaning, color);
        ends[0] = *color, ends[1] = -*color;
        if (rc || (rc = MPI_Allreduce(ends, all, 2, MPI_INT, MPI_MAX, node)))
            return rc;
        if (all[0] != -all[1])
            return info != MPI_INFO_NULL ? MPI_Info_set(info, "mpi_hw_resource_type", resources[i].name) : MPI_SUCCESS;
    }
    *color = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* Stores in *size the number of processes of a communicator, of both groups if it is an intercommunicator. Returns an error
   code. */
static int whole_size(MPI_Comm comm, int inter, int *size)
{
    int remote = 0, rc = MPI_Comm_size(comm, size);
    if (!rc && inter)
        rc = MPI_Comm_remote_size(comm, &remote);
    *size += remote;
    return rc;
}

/* Splits a node of comm into parts. If comm is an intercommunicator (inter), so is the node. Returns an error code. */
static int split_node(MPI_Comm comm, MPI_Comm node, int inter, int requested, MPI_Info info, MPI_Comm *newcomm)
{
    MPI_Comm all = node;
    int size, whole, color = 0, rc = inter ? MPI_Intercomm_merge(node, 0, &all) : MPI_SUCCESS;
    if (rc)
        return rc;
    if (requested == NOBODY)
        color = MPI_UNDEFINED;
    else if (requested != UNGUIDED)
        rc = color_parts(all, requested, requested, &color);
    else if (!(rc = whole_size(comm, inter, &whole)) && !(rc = MPI_Comm_size(all, &size)) && size == whole)
        rc = color_unguided(all, info, &color);
    else if (!rc && info != MPI_INFO_NULL)
        rc = MPI_Info_set(info, "mpi_hw_resource_type", resources[0].name); /* the node itself is smaller */
    const int freed = inter ? MPI_Comm_free(&all) : MPI_SUCCESS;
    if (rc || (rc = freed) || (rc = MPI_Comm_split(node, color, 0, newcomm)))
        return rc;
    return *newcomm != MPI_COMM_NULL && info != MPI_INFO_NULL ? MPI_Comm_set_info(*newcomm, info) : MPI_SUCCESS;
}

int resources_MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    MPI_Comm node;
    int inter = 0, keys, rc = MPI_Comm_test_inter(comm, &inter);
    if (!rc && info != MPI_INFO_NULL)
        rc = MPI_Info_get_nkeys(info, &keys);
    if (rc)
        return rc;
    const int requested = newcomm ? meaning(split_type, info) : ILLEGAL;
    switch (requested) {
    case ILLEGAL:
        return wi4go_raise(WI4GO_COMM, (int64_t)comm, MPI_ERR_ARG);
    case UNDEFINED:
    case LIBRARY:
        return BELOW(resources, MPI_Comm_split_type)(comm, library_number(split_type, info), key, info, newcomm);
    case NODE:
        return BELOW(resources, MPI_Comm_split_type)(comm, MPI_COMM_TYPE_SHARED, key, info, newcomm);
    case EVERYBODY: /* the libraries that lack this type split so for MPI_UNDEFINED */
        rc = MPI_Comm_split(comm, 0, key, newcomm);
        return !rc && info != MPI_INFO_NULL ? MPI_Comm_set_info(*newcomm, info) : rc;
    }
    rc = BELOW(resources, MPI_Comm_split_type)(comm, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &node);
    *newcomm = MPI_COMM_NULL;
    if (rc || node == MPI_COMM_NULL) /* an intercommunicator without processes of the other group on this node */
        return rc;
    rc = split_node(comm, node, inter, requested, info, newcomm);
    const int freed = MPI_Comm_free(&node);
    return rc ? rc : freed;
}
