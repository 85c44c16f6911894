/*
 * User operations, commutative and not, through every function that reduces, on predefined and derived types, in place,
 * and with operation and type freed before completion (MPI-4.0, 6.9.5, 6.9.7).
 */
#include "reductions.h"

enum { MAX = 64, N = 3, P = 251, WORDS = 4 };

/* Composes the maps x -> m x + c modulo P: associative, not commutative. */
static unsigned compose(unsigned a, unsigned b)
{
    const unsigned am = a / 256, ac = a % 256, bm = b / 256, bc = b % 256;
    return am * bm % P * 256 + (am * bc + ac) % P;
}

static MPI_Datatype want; /* MPI_DATATYPE_NULL: it is freed */
static int calls, failures;

static void combine(void *in, void *inout, int *len, MPI_Datatype *type, unsigned (*two)(unsigned, unsigned))
{
    MPI_Aint lb, extent = 0;
    int bytes = -1;
    calls++;
    failures += want != MPI_DATATYPE_NULL && *type != want;
    failures += MPI_Type_get_extent(*type, &lb, &extent) != MPI_SUCCESS;
    failures += MPI_Type_size(*type, &bytes) != MPI_SUCCESS || bytes != sizeof(unsigned);
    for (int i = 0; i < *len; i++) {
        unsigned *b = (unsigned *)((char *)inout + i * extent);
        *b = two(*(const unsigned *)((char *)in + i * extent), *b);
    }
}
static void composition(void *in, void *inout, int *len, MPI_Datatype *type)
{
    combine(in, inout, len, type, compose);
}
static unsigned add(unsigned a, unsigned b)
{
    return a + b;
}
static void addition(void *in, void *inout, int *len, MPI_Datatype *type)
{
    combine(in, inout, len, type, add);
}

static unsigned value(int r, int i)
{
    return (2 + r) * 256 + 3 * i + r * r + 1;
}

/* The types: one unsigned each, at most WORDS words apart. */
enum { PREDEFINED, DUP, CONTIGUOUS, RESIZED, BELOW, STRUCT, TYPES };
static const char *const names[] = {"MPI_UNSIGNED", "dup", "contiguous", "resized", "lower bound below 0", "struct"};

static MPI_Datatype make(int kind)
{
    const MPI_Aint I = sizeof(unsigned), zero = 0;
    MPI_Datatype t = MPI_UNSIGNED, inner;
    const int one = 1;
    switch (kind) {
    case DUP: MUST(MPI_Type_dup(MPI_UNSIGNED, &t)); break;
    case CONTIGUOUS: MUST(MPI_Type_contiguous(1, MPI_UNSIGNED, &t)); break;
    case RESIZED: MUST(MPI_Type_create_resized(MPI_UNSIGNED, 0, 2 * I, &t)); break;
    case BELOW: MUST(MPI_Type_create_resized(MPI_UNSIGNED, -I, 3 * I, &t)); break;
    case STRUCT:
        MUST(MPI_Type_create_struct(1, &one, &zero, &t, &inner));
        MUST(MPI_Type_create_resized(inner, 0, 4 * I, &t));
        MUST(MPI_Type_free(&inner));
        break;
    }
    if (kind != PREDEFINED)
        MUST(MPI_Type_commit(&t));
    return t;
}

static void reduce(int function, int way, int kind, int commute, int in_place, int freed)
{
    static unsigned out[MAX * N * WORDS], in[MAX * N * WORDS];
    int counts[MAX];
    const int root = size - 1, scatters = function == REDUCE_SCATTER || function == REDUCE_SCATTER_BLOCK;
    const int before = failures;
    MPI_Datatype t = make(kind);
    MPI_Aint lb, extent;
    MPI_Op op;
    MPI_Request r;
    want = freed ? MPI_DATATYPE_NULL : t;
    MUST(MPI_Type_get_extent(t, &lb, &extent));
    MUST(MPI_Op_create(commute ? addition : composition, commute, &op));
    const int step = (int)extent / (int)sizeof(unsigned), elements = scatters ? N * size : N;
    memset(out, 0x55, sizeof out);
    memset(in, 0x55, sizeof in);
    const int self = in_place && (function != REDUCE || rank == root);
    for (int i = 0; i < elements; i++)
        (self ? in : out)[i * step] = value(rank, i);
    for (int i = 0; i < size; i++)
        counts[i] = N;
    const struct reduction a = {function, way, self ? MPI_IN_PLACE : out, in, N, counts, t, op, root, MPI_COMM_WORLD};
    int code = reduction_start(&a, &r);
    if (freed) {
        if (kind != PREDEFINED)
            MUST(MPI_Type_free(&t));
        MUST(MPI_Op_free(&op));
    }
    code = reduction_end(code, &r);
    int last, wrong = 0;
    reduction_terms(function, root, &last);
    for (int i = 0; last >= 0 && i < N; i++) {
        const int at = scatters ? rank * N + i : i;
        unsigned all = value(0, at);
        for (int k = 1; k <= last; k++)
            all = commute ? all + value(k, at) : compose(all, value(k, at));
        wrong += in[i * step] != all;
        for (int gap = 1; gap < step; gap++)
            wrong += in[i * step + gap] != 0x55555555;
    }
    if (code != MPI_SUCCESS || wrong || failures > before)
        check_fail(__FILE__, __LINE__, "%s %s of %s%s%s%s: code %d, %d wrong, callback %d", reduction_ways[way],
                   reduction_names[function], names[kind], commute ? ", commutative" : "", in_place ? ", in place" : "",
                   freed ? ", freed" : "", code, wrong, failures - before);
    if (!freed) {
        if (kind != PREDEFINED)
            MUST(MPI_Type_free(&t));
        MUST(MPI_Op_free(&op));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    const int ways = HAVE_PERSISTENT_COLLECTIVES ? PERSISTENT : NONBLOCKING;
    for (int function = 0; function < REDUCTIONS; function++)
        for (int way = 0; way <= ways; way++)
            for (int kind = 0; kind < TYPES; kind++)
                for (int bits = 0; bits < 8; bits++) {
                    const int freed = bits >> 2, scatters = function >= REDUCE_SCATTER;
                    if (kind > CONTIGUOUS && scatters) /* MPICH 4.0.2 uses the size in place of the extent there */
                        continue;
                    if (!freed || way == NONBLOCKING)
                        reduce(function, way, kind, bits & 1, bits >> 1 & 1, freed);
                }
    CHECK(size == 1 || calls > 0);
    return check_done("coll_userop_all");
}
