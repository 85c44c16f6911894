/* Initialization and finalization, and the environment variables. */
#include "internal.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Reads DRI_METHOD, DRI_TIMEOUT, DRI_NAMES and DRI_RANKS_PER_NODE (0: not set). */
static int read_environment(long *ranks_per_node)
{
    dri_world.method = METHOD_NONE;
    dri_world.timeout = 0;
    *ranks_per_node = 0;
    char *end;
    const char *text = getenv("DRI_METHOD");
    if (text && *text) {
        for (int i = METHOD_SHARED; i < METHODS; i++)
            if (strcmp(text, dri_method_names[i]) == 0)
                dri_world.method = i;
        CHECK_ARG(dri_world.method, "DRI_METHOD=%.100s: unknown method: set it to shared, packed or typed", text);
    }
    text = getenv("DRI_TIMEOUT");
    if (text && *text) {
        dri_world.timeout = strtod(text, &end);
        CHECK_ARG(!*end && dri_world.timeout > 0 && isfinite(dri_world.timeout), "DRI_TIMEOUT=%.100s: set it to a number of seconds", text);
    }
    text = getenv("DRI_NAMES");
    dri_world.names_in_window = text && strcmp(text, "window") == 0;
    CHECK_ARG(!text || !*text || dri_world.names_in_window || strcmp(text, "memory") == 0,
              "DRI_NAMES=%.100s: unknown place: set it to memory or window", text);
    text = getenv("DRI_RANKS_PER_NODE");
    if (text && *text) {
        *ranks_per_node = strtol(text, &end, 10);
        CHECK_ARG(!*end && *ranks_per_node > 0 && *ranks_per_node <= INT_MAX, "DRI_RANKS_PER_NODE=%.100s: set it to a number of processes", text);
    }
    return DRI_SUCCESS;
}

/* Fills in dri_world.node. Processes share a node if they share memory and, with DRI_RANKS_PER_NODE, belong to the same
 * group of that many ranks. */
static int find_nodes(long ranks_per_node)
{
    MPI_Comm shared;
    MPI(MPI_Comm_split_type, dri_world.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
    int here;
    MPI(MPI_Comm_size, shared, &here);
    dri_world.crowded = here > sysconf(_SC_NPROCESSORS_ONLN);
    int lowest = dri_world.rank;
    MPI(MPI_Bcast, &lowest, 1, MPI_INT, 0, shared);
    MPI(MPI_Comm_free, &shared);
    int mine[2] = {lowest, ranks_per_node ? dri_world.rank / (int)ranks_per_node : 0};
    int *all = malloc(dri_world.size * sizeof mine);
    if (!all)
        return dri_fail(DRI_ERR_NOMEM, "no memory for %d processes", dri_world.size);
    MPI(MPI_Allgather, mine, 2, MPI_INT, all, 2, MPI_INT, dri_world.comm);
    for (int i = 0; i < dri_world.size; i++)
        for (int j = 0; j <= i; j++)
            if (all[2 * i] == all[2 * j] && all[2 * i + 1] == all[2 * j + 1]) {
                dri_world.node[i] = j;
                break;
            }
    free(all);
    return DRI_SUCCESS;
}

/* Clears the state of the library. */
static void clear_state(void)
{
    free(dri_world.node);
    dri_world = (struct world){0};
}

/* Returns the lowest class of error of all processes. It uses MPI_Allreduce, because there is no group yet for dri_agree. */
static int agree_init(int mine)
{
    int to_send = mine ? mine : INT_MAX, first;
    MPI(MPI_Allreduce, &to_send, &first, 1, MPI_INT, MPI_MIN, dri_world.comm);
    if (first == INT_MAX)
        return DRI_SUCCESS;
    return first == mine ? mine : dri_fail(first, "another process: %s", DRI_error_string(first));
}

/* Initializes the state, after comm, rank and size. */
static int init_state(void)
{
    long ranks_per_node;
    TRY(agree_init(read_environment(&ranks_per_node)));
    dri_world.node = calloc(dri_world.size, sizeof(int));
    TRY(agree_init(dri_world.node ? DRI_SUCCESS : dri_fail(DRI_ERR_NOMEM, "no memory for %d processes", dri_world.size)));
    TRY(find_nodes(ranks_per_node));
    return dri_registry_open();
}

/* If the state cannot be set up, frees the duplicate of comm again, so that the program may retry. */
PUBLIC int DRI_init_comm(MPI_Comm comm)
{
    int started = 0, over = 0;
    if (dri_world.initialized)
        return dri_fail(DRI_ERR_STATE, "DRI_init: DRI is already initialized");
    MPI(MPI_Initialized, &started);
    MPI(MPI_Finalized, &over);
    if (!started || over)
        return dri_fail(DRI_ERR_STATE, "DRI_init_comm: MPI is not initialized: use DRI_init, or call MPI_Init first");
    CHECK_ARG(comm != MPI_COMM_NULL, "DRI_init_comm: the communicator is MPI_COMM_NULL");
    MPI(MPI_Comm_dup, comm, &dri_world.comm);
    MPI(MPI_Comm_rank, dri_world.comm, &dri_world.rank);
    MPI(MPI_Comm_size, dri_world.comm, &dri_world.size);
    int class = init_state();
    if (class) {
        MPI_Comm_free(&dri_world.comm);
        clear_state();
        return class;
    }
    dri_world.initialized = true;
    return DRI_SUCCESS;
}

PUBLIC int DRI_init(int *argc, char ***argv)
{
    int started = 0;
    if (dri_world.initialized)
        return dri_fail(DRI_ERR_STATE, "DRI_init: DRI is already initialized");
    MPI(MPI_Initialized, &started);
    if (!started)
        MPI(MPI_Init, argc, argv);
    int class = DRI_init_comm(MPI_COMM_WORLD);
    if (class && !started)
        MPI_Finalize();
    dri_world.started_mpi = !class && !started;
    return class;
}

PUBLIC int DRI_initialized(int *flag)
{
    CHECK_ARG(flag, "DRI_initialized: flag is NULL");
    *flag = dri_world.initialized;
    return DRI_SUCCESS;
}

/* Collective. Objects that the program has not destroyed stay allocated. */
PUBLIC int DRI_finalize(void)
{
    TRY(dri_ready());
    bool started_mpi = dri_world.started_mpi;
    TRY(dri_registry_close());
    MPI(MPI_Comm_free, &dri_world.comm);
    clear_state();
    if (started_mpi)
        MPI(MPI_Finalize);
    return DRI_SUCCESS;
}
