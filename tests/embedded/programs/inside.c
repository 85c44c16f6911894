/* Jobs in which rank 0 does not take part in a function that waits in other functions: its name is the argument. LEVEL=multiple
 * asks for MPI_THREAD_MULTIPLE. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 1 << 20 };

static int rank, size;
static char data[LONG], got[LONG];
static MPI_Comm made, inter;
static MPI_Group all;

static void comm_dup(void) { MPI_Comm_dup(MPI_COMM_WORLD, &made); }
static void comm_dup_with_info(void) { MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &made); }
static void comm_split(void) { MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made); }
static void comm_split_type(void) { MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &made); }
static void comm_create(void) { MPI_Comm_create(MPI_COMM_WORLD, all, &made); }
static void comm_create_group(void) { MPI_Comm_create_group(MPI_COMM_WORLD, all, 3, &made); }
static void cart_create(void) { MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 0, &made); }
static void cart_sub(void) { MPI_Cart_sub(made, &(int){1}, &made); }
static void graph_create(void) { MPI_Graph_create(MPI_COMM_WORLD, 1, &(int){1}, &(int){0}, 0, &made); }
static void dist_graph_create(void) { MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &(int){1}, &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made); }
static void dist_graph_create_adjacent(void)
{
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &rank, MPI_UNWEIGHTED, 1, &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
}

/* The communicator of the even, or of the odd ranks. */
static MPI_Comm half(void)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    return part;
}
static void intercomm_create(void) { MPI_Intercomm_create(made, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter); }
static void intercomm_merge(void) { MPI_Intercomm_merge(inter, rank % 2, &made); }
static void inter_dup(void) { MPI_Comm_dup(inter, &made); }
static void inter_split(void) { MPI_Comm_split(inter, 0, rank, &made); }
static void comm_disconnect(void) { MPI_Comm_disconnect(&made); }
static void sendrecv(void) { MPI_Sendrecv(data, LONG, MPI_CHAR, 0, 1, got, LONG, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void sendrecv_receives(void) { MPI_Sendrecv(data, 1, MPI_CHAR, 0, 1, got, LONG, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void sendrecv_sends(void) { MPI_Sendrecv(data, LONG, MPI_CHAR, 0, 1, got, LONG, MPI_CHAR, MPI_PROC_NULL, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void sendrecv_replace(void) { MPI_Sendrecv_replace(data, LONG, MPI_CHAR, 0, 1, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
        int halves, between; /* 1: the case uses `made` of half the ranks, and `inter` between the halves */
    } cases[] = {{"MPI_Comm_dup", comm_dup}, {"MPI_Comm_dup_with_info", comm_dup_with_info}, {"MPI_Comm_split", comm_split}, {"MPI_Comm_split_type", comm_split_type},
              {"MPI_Comm_create", comm_create}, {"MPI_Comm_create_group", comm_create_group}, {"MPI_Cart_create", cart_create}, {"MPI_Cart_sub", cart_sub},
              {"MPI_Graph_create", graph_create}, {"MPI_Dist_graph_create", dist_graph_create}, {"MPI_Dist_graph_create_adjacent", dist_graph_create_adjacent},
              {"MPI_Intercomm_create", intercomm_create, 1}, {"MPI_Intercomm_merge", intercomm_merge, 1, 1}, {"MPI_Comm_dup intercommunicator", inter_dup, 1, 1},
              {"MPI_Comm_split intercommunicator", inter_split, 1, 1}, {"MPI_Comm_disconnect", comm_disconnect}, {"MPI_Sendrecv", sendrecv},
              {"MPI_Sendrecv receives", sendrecv_receives}, {"MPI_Sendrecv sends", sendrecv_sends}, {"MPI_Sendrecv_replace", sendrecv_replace}};
    const char *level = getenv("LEVEL");
    int provided;
    MPI_Init_thread(&argc, &argv, level && !strcmp(level, "multiple") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc < 2 || strcmp(argv[1], cases[i].name))
            continue;
        if (cases[i].halves)
            made = half();
        else
            MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){0}, 0, &made);
        if (cases[i].between)
            intercomm_create();
        if (rank)
            cases[i].run();
        else
            MPI_Recv(got, LONG, MPI_CHAR, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Finalize();
        return 0;
    }
    fprintf(stderr, "there is no case %s\n", argc > 1 ? argv[1] : "without a name");
    MPI_Abort(MPI_COMM_WORLD, 2);
}
