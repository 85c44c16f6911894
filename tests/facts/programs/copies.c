/* A program that has copies of the library's data symbols (linked without position-independent code), and a library
   that refers to the same copies. */
#include "fact.h"

MPI_Comm library_world(void);
MPI_Datatype library_int(void);
int library_is_null(MPI_Request request);
const void *library_unweighted(void);

int main(int argc, char **argv)
{
    MPI_Comm graph;
    int sum = -1, one = 1, size, degree = -1, out = -1, weighted = -1, self[1] = {0};
    MUST(MPI_Init(&argc, &argv));
    CHECK(library_world() == MPI_COMM_WORLD);
    CHECK(library_int() == MPI_INT);
    CHECK(library_unweighted() == (const void *)MPI_UNWEIGHTED);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK(library_is_null(request));
    MUST(MPI_Comm_size(MPI_COMM_WORLD, &size));
    MUST(MPI_Allreduce(&one, &sum, 1, library_int(), MPI_SUM, library_world()));
    CHECK(sum == size);
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, self, MPI_UNWEIGHTED, 1, self, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    MUST(MPI_Dist_graph_neighbors_count(graph, &degree, &out, &weighted));
    CHECK(degree == 1 && out == 1 && weighted == 0);
    MUST(MPI_Comm_free(&graph));
    MUST(MPI_Finalize());
    return fact_done();
}
