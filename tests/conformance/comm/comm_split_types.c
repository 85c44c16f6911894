/* The split types of the families (MPI-5.0, 7.4.2): Open MPI's parts of a node, splits by a resource, and MPICH's
   neighborhood. The parts depend on the binding of the processes. */
#include "check.h"

/* Returns the number of processes in this process's part, or -1 if it has none. */
static int part_of(MPI_Comm comm, int type, int key, MPI_Info info)
{
    MPI_Comm part = MPI_COMM_SELF;
    int n = -1;
    MUST(MPI_Comm_split_type(comm, type, key, info, &part));
    if (part != MPI_COMM_NULL) {
        MUST(MPI_Comm_size(part, &n));
        MUST(MPI_Comm_free(&part));
    }
    return n;
}

#ifdef OMPI_COMM_TYPE_HOST
/* The parts of one type together contain every process once, in the order of the key. */
static void divides(int type)
{
    MPI_Comm part;
    int n, at, ranks[64], first, firsts = 0;
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, type, -rank, MPI_INFO_NULL, &part));
    MUST(MPI_Comm_size(part, &n));
    MUST(MPI_Comm_rank(part, &at));
    MUST(MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, part));
    CHECK_INT(ranks[at], rank);
    for (int i = 1; i < n; i++)
        CHECK(ranks[i] < ranks[i - 1]);
    first = at == 0 ? n : 0;
    MUST(MPI_Allreduce(&first, &firsts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(firsts, size);
    MUST(MPI_Comm_free(&part));
}

static void parts(void)
{
    static const int inner[] = {OMPI_COMM_TYPE_HWTHREAD, OMPI_COMM_TYPE_CORE, OMPI_COMM_TYPE_L1CACHE, OMPI_COMM_TYPE_L2CACHE,
                                OMPI_COMM_TYPE_L3CACHE, OMPI_COMM_TYPE_NUMA, OMPI_COMM_TYPE_SOCKET};
    static const int outer[] = {OMPI_COMM_TYPE_NODE, OMPI_COMM_TYPE_HOST, OMPI_COMM_TYPE_BOARD, OMPI_COMM_TYPE_CU, OMPI_COMM_TYPE_CLUSTER};
    int smaller = 1;
    for (unsigned i = 0; i < sizeof inner / sizeof *inner; i++) {
        int n = part_of(MPI_COMM_WORLD, inner[i], 0, MPI_INFO_NULL);
        CHECK(n >= smaller && n <= size);
        if (i < 4) /* each part contains the next */
            smaller = n;
        CHECK_INT(part_of(MPI_COMM_SELF, inner[i], 0, MPI_INFO_NULL), 1);
        divides(inner[i]);
    }
    for (unsigned i = 0; i < sizeof outer / sizeof *outer; i++) { /* all ranks run on one machine here */
        CHECK_INT(part_of(MPI_COMM_WORLD, outer[i], 0, MPI_INFO_NULL), size);
        divides(outer[i]);
    }
#ifdef OMPI_COMM_TYPE_NVLINK
    int linked = part_of(MPI_COMM_WORLD, OMPI_COMM_TYPE_NVLINK, 0, MPI_INFO_NULL);
    CHECK(linked == -1 || (linked >= 1 && linked <= size));
#endif
}

/* Some processes take no part. They do not know the parts of the others. */
static void undefined(void)
{
    static const int types[] = {OMPI_COMM_TYPE_CORE, OMPI_COMM_TYPE_NUMA, OMPI_COMM_TYPE_HOST, OMPI_COMM_TYPE_CLUSTER};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        int all = part_of(MPI_COMM_WORLD, types[i], 0, MPI_INFO_NULL);
        int n = part_of(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : types[i], 0, MPI_INFO_NULL);
        CHECK(rank == 0 ? n == -1 : n == all || n == all - 1);
    }
    CHECK_INT(part_of(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL), -1);
}

static void errors(void)
{
    MPI_Comm part;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_CLASS(MPI_Comm_split_type(MPI_COMM_WORLD, 12345, 0, MPI_INFO_NULL, &part), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Comm_split_type(MPI_COMM_WORLD, -1, 0, MPI_INFO_NULL, &part), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Comm_split_type(MPI_COMM_WORLD, OMPI_COMM_TYPE_NUMA, 0, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    if (size > 1)
        CHECK(MPI_Comm_split_type(MPI_COMM_WORLD, rank ? OMPI_COMM_TYPE_NUMA : OMPI_COMM_TYPE_CORE, 0, MPI_INFO_NULL, &part) != 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}
#endif

#ifdef MPI_COMM_TYPE_HW_GUIDED
static int guided(int type, const char *key, const char *value)
{
    MPI_Info info;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, key, value));
    int n = part_of(MPI_COMM_WORLD, type, 0, info);
    MUST(MPI_Info_free(&info));
    return n;
}

/* Repeated splits by the next smaller resource end with a resource that has no parts. */
static void unguided(void)
{
    MPI_Comm comm = MPI_COMM_WORLD, part = MPI_COMM_SELF;
    int before = size, n;
    for (int depth = 0;; depth++) {
        CHECK(depth < 20);
        MUST(MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &part));
        if (comm != MPI_COMM_WORLD)
            MUST(MPI_Comm_free(&comm));
        if (part == MPI_COMM_NULL)
            break;
        MUST(MPI_Comm_size(part, &n));
        CHECK(n < before);
        before = n;
        comm = part;
    }
}

static void resources(void)
{
    static const char *const names[] = {"hwthread", "core", "l1cache", "l2cache", "l3cache", "socket", "package", "numanode"};
    CHECK_INT(guided(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory"), size);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        int n = guided(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", names[i]);
        CHECK(n == -1 || (n >= 1 && n <= size));
    }
    CHECK_INT(guided(MPI_COMM_TYPE_HW_GUIDED, "some_other_key", "core"), -1);
    CHECK_INT(part_of(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL), -1);
#ifdef MPI_COMM_TYPE_RESOURCE_GUIDED
    CHECK_INT(guided(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory"), size);
    CHECK_INT(part_of(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, MPI_INFO_NULL), -1);
#endif
#if defined(MPIX_COMM_TYPE_NEIGHBORHOOD) && !defined(MPI_ABI_VERSION) /* of the standard ABI's libraries, only Intel MPI has it */
    int n = guided(MPIX_COMM_TYPE_NEIGHBORHOOD, "nbhd_common_dirname", "/tmp");
    CHECK(n == size || n == -1); /* -1: MPICH without ROMIO */
    CHECK_INT(guided(MPIX_COMM_TYPE_NEIGHBORHOOD, "nbhd_common_dirname", rank ? "no/such/directory" : "missing/directory"), -1);
    CHECK_INT(part_of(MPI_COMM_WORLD, MPIX_COMM_TYPE_NEIGHBORHOOD, 0, MPI_INFO_NULL), -1);
#endif
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#ifdef OMPI_COMM_TYPE_HOST
    parts();
    undefined();
    errors();
#endif
#ifdef MPI_COMM_TYPE_HW_GUIDED
    resources();
    unguided();
#endif
    CHECK_INT(part_of(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL), size);
    return check_done("comm_split_types");
}
