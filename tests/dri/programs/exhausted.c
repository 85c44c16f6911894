/* Each allocation of one process fails, one after another, while transfers are committed: all processes of all ends get
 * the same error, and the next transfer works. Three processes: one end in process 0 and the other one in the rest, the
 * rest as two ends, and all of them as a clique. */
#define _GNU_SOURCE
#include "lacking.h"

enum { N = 3 * 64 };

/* The processes of the ends. */
enum { PAIR, PARTNERS, CLIQUE, KINDS };

/* A transfer with its buffers. */
struct transfer {
    DRI_xfer xfer;
    void *out[1], *in[1]; /* NULL in processes without this end */
};

/* MPI lacks memory for datatypes, and leaves a handle that must not be used. */
static bool no_type(MPI_Datatype *type, void *caller)
{
    static int nothing[64];
    if (!is_to_fail(caller))
        return false;
    *type = (MPI_Datatype)nothing;
    return true;
}

int MPI_Type_dup(MPI_Datatype type, MPI_Datatype *made)
{
    return no_type(made, __builtin_return_address(0)) ? MPI_ERR_NO_MEM : PMPI_Type_dup(type, made);
}

int MPI_Type_create_hvector(int n, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *made)
{
    return no_type(made, __builtin_return_address(0)) ? MPI_ERR_NO_MEM : PMPI_Type_create_hvector(n, length, stride, type, made);
}

int MPI_Type_create_struct(int n, const int lengths[], const MPI_Aint at[], const MPI_Datatype types[], MPI_Datatype *made)
{
    return no_type(made, __builtin_return_address(0)) ? MPI_ERR_NO_MEM : PMPI_Type_create_struct(n, lengths, at, types, made);
}

int MPI_Type_commit(MPI_Datatype *type)
{
    return is_to_fail(__builtin_return_address(0)) ? MPI_ERR_NO_MEM : PMPI_Type_commit(type);
}

static DRI_dist whole, rest, all; /* over process 0; over the other ones, or only over this one; over all */

/* Returns a distribution of D in cyclic blocks over n processes from first on. */
static DRI_dist cyclic(DRI_gdo d, int first, int n)
{
    DRI_group g = group(first, n);
    DRI_part part;
    DRI_dist dist;
    OK(DRI_part_rules(d, g, NULL, &(DRI_part_rule){.kind = DRI_CYCLIC, .block = 2}, &part));
    OK(DRI_dist_create(d, part, g, &dist));
    OK(DRI_part_destroy(&part));
    OK(DRI_group_destroy(&g));
    return dist;
}

/* Makes a transfer that is not committed; a clique is created as a whole. Returns the class of an error. */
static int make(int kind, const char *name, struct transfer *t)
{
    *t = (struct transfer){0};
    if (kind == CLIQUE)
        return DRI_xfer_create_clique(name, all, DRI_LAYOUT_PACKED_0, 1, t->out, all, DRI_LAYOUT_PACKED_0, 1, t->in, &t->xfer);
    if (rank)
        OK(DRI_xfer_register(name, DRI_DESTINATION, rest, DRI_LAYOUT_PACKED_0, 1, t->in, &t->xfer));
    else
        OK(DRI_xfer_register(name, DRI_SOURCE, whole, DRI_LAYOUT_PACKED_0, 1, t->out, &t->xfer));
    if (kind == PARTNERS && !rank)
        OK(DRI_xfer_partners(t->xfer, 2));
    return DRI_SUCCESS;
}

/* Moves the numbers 1, 2, 3 … and checks the sum of those that come. */
static void move(int kind, struct transfer *t)
{
    long sum = 0, expected = (long)N * (N + 1) / 2 * (kind == PARTNERS ? 2 : 1);
    DRI_dist dist = kind == CLIQUE ? all : rank ? rest : whole;
    int me = kind == CLIQUE ? rank : kind == PAIR && rank ? rank - 1 : 0, blocks, *out = t->out[0], *in = t->in[0];
    MPI_Count n = 0;
    OK(DRI_dist_query(dist, me, &blocks, 0, NULL));
    for (int i = 0; i < blocks; i++) {
        DRI_part_tuple r;
        OK(DRI_dist_query(dist, me, NULL, i, &r));
        for (MPI_Count at = r.left_x; at <= r.right_x; at++, n++)
            if (out)
                out[n] = at + 1;
    }
    OK(DRI_do(NULL, t->xfer));
    for (MPI_Count i = 0; in && i < n; i++)
        sum += in[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == expected, "the sum is %ld, not %ld", sum, expected);
}

/* Makes a clique, or commits two transfers at once, in different orders. Returns the class of an error. */
static int finish(int kind, struct transfer t[2])
{
    if (kind == CLIQUE)
        return make(kind, "one", &t[0]);
    DRI_xfer xfers[] = {t[rank == 1].xfer, t[rank != 1].xfer};
    return DRI_xfer_commit(2, xfers);
}

/* Makes each allocation of one process fail. */
static void exhaust(int kind, const char *what, int in)
{
    int failures = 0;
    bool again = true;
    for (int n = 0; again; n++) {
        struct transfer t[2] = {{0}};
        for (int i = 0; kind != CLIQUE && i < 2; i++)
            make(kind, i ? "two" : "one", &t[i]);
        fail(in, n);
        int class = finish(kind, t);
        again = lacked(class, what, n);
        failures += class != DRI_SUCCESS;
        for (int i = 0; i < 2; i++)
            if (t[i].xfer != DRI_NULL) {
                if (!class)
                    move(kind, &t[i]);
                OK(DRI_xfer_destroy(&t[i].xfer));
            }
        MPI_Barrier(MPI_COMM_WORLD); /* then the names are free */
    }
    CHECK(failures > 5, "%s, process %d: only %d failures", what, in, failures);
}

int main(int argc, char **argv)
{
    static const char *const what[KINDS] = {"DRI_xfer_commit", "DRI_xfer_commit with two destinations", "DRI_xfer_create_clique"};
    begin_lacking(&argc, &argv);
    DRI_gdo d = gdo(DRI_INT, 1, N);
    all = cyclic(d, 0, 3);
    for (int kind = 0; kind < KINDS; kind++) {
        if (rank)
            rest = kind == PARTNERS ? cyclic(d, rank, 1) : cyclic(d, 1, 2);
        else
            whole = cyclic(d, 0, 1);
        for (int in = 0; in < 3; in++)
            exhaust(kind, what[kind], in);
        OK(DRI_dist_destroy(rank ? &rest : &whole));
    }
    OK(DRI_dist_destroy(&all));
    OK(DRI_gdo_destroy(&d));
    end("exhausted");
    return 0;
}
