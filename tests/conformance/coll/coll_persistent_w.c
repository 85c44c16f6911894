/*
 * Persistent collectives with arrays, on derived types whose handles are freed after the request is created and before
 * it is started. Many of them exist at once. Neighborhood collectives are included (MPI-4.0, 2.5.1, 6.13.9, 8.8).
 */
#include "persistent.h"

#if HAVE_PERSISTENT_COLLECTIVES

enum { MAX = 64, MANY = 12, STEP = 4 }; /* STEP ints for each peer, of which a type selects the first and the third */

static struct exchange {
    int out[MAX * STEP], in[MAX * STEP], counts[MAX], displs[MAX], bytes[MAX];
    MPI_Aint aints[MAX];
    MPI_Datatype types[MAX];
    MPI_Request request;
} exchanges[MANY];

static void begin(struct exchange *x, int kind, MPI_Comm graph)
{
    MPI_Datatype gaps, copy;
    MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &gaps));
    MUST(MPI_Type_create_resized(gaps, 0, STEP * sizeof(int), &copy));
    MUST(MPI_Type_commit(&copy));
    MUST(MPI_Type_free(&gaps));
    for (int i = 0; i < size; i++) {
        x->counts[i] = 1;
        x->displs[i] = size - 1 - i;
        x->aints[i] = x->bytes[i] = x->displs[i] * STEP * (int)sizeof(int);
        x->types[i] = copy;
    }
    const MPI_Comm w = MPI_COMM_WORLD;
    const MPI_Info no = MPI_INFO_NULL;
    switch (kind) {
    case 0:
        MUST(MPI_Alltoallv_init(x->out, x->counts, x->displs, copy, x->in, x->counts, x->displs, copy, w, no,
                                &x->request));
        break;
    case 1:
        MUST(MPI_Alltoallw_init(x->out, x->counts, x->bytes, x->types, x->in, x->counts, x->bytes, x->types, w, no,
                                &x->request));
        break;
    case 2:
        MUST(MPI_Neighbor_alltoallv_init(x->out, x->counts, x->displs, copy, x->in, x->counts, x->displs, copy, graph,
                                         no, &x->request));
        break;
    default:
        MUST(MPI_Neighbor_alltoallw_init(x->out, x->counts, x->aints, x->types, x->in, x->counts, x->aints, x->types,
                                         graph, no, &x->request));
    }
    MUST(MPI_Type_free(&copy)); /* the arrays must remain unchanged */
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int peers[MAX];
    MPI_Comm graph;
    for (int i = 0; i < size; i++)
        peers[i] = i;
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, size, peers, MPI_UNWEIGHTED, size, peers, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &graph));
    for (int i = 0; i < MANY; i++)
        begin(&exchanges[i], i % 4, graph);
    for (int round = 0; round < 3; round++) {
        MPI_Request all[MANY];
        for (int k = 0; k < MANY; k++) {
            struct exchange *x = &exchanges[k];
            for (int i = 0; i < size * STEP; i++) {
                x->out[i] = 10000 * round + 1000 * k + 100 * rank + i;
                x->in[i] = -1;
            }
            all[k] = x->request;
        }
        MUST(MPI_Startall(MANY, all));
        MUST(MPI_Waitall(MANY, all, MPI_STATUSES_IGNORE));
        for (int k = 0; k < MANY; k++)
            for (int i = 0; i < size; i++)
                for (int j = 0; j < STEP; j++)
                    CHECK_INT(exchanges[k].in[(size - 1 - i) * STEP + j],
                              j % 2 ? -1 : 10000 * round + 1000 * k + 100 * i + (size - 1 - rank) * STEP + j);
    }
    for (int k = MANY - 1; k >= 0; k--)
        MUST(MPI_Request_free(&exchanges[k].request));
    MUST(MPI_Comm_free(&graph));
    return check_done("coll_persistent_w");
}
#else
int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    return check_done("coll_persistent_w");
}
#endif
