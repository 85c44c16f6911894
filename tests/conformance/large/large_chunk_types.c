/*
 * Large-count constructors (MPI-4.0, 5.1) with numbers beyond the chunk limit that the suite sets: the data that each
 * type selects, its bounds, its envelope and its contents; and packing with such counts.
 */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { N = 1009, ROOM = 400000 };

static int *from, *packed, *got;
static MPI_Datatype two; /* two ints with a gap of one */

static int element(int i, int first) { return first + 3 * (i / 2) + 2 * (i % 2); }

/* Unpacks n ints. Packed data may have another representation than memory. */
static void unpack_ints(const void *packed, int n, int *to)
{
    MPI_Count position = 0, bytes = n * (MPI_Count)sizeof *to;
    MUST(MPI_Unpack_c(packed, bytes, &position, to, n, MPI_INT, MPI_COMM_WORLD));
}

/* Checks that the type selects exactly the ints of the list, in order, and frees the type. */
static void picks(const char *what, MPI_Datatype *type, const int *list, int n, MPI_Count want_lb, MPI_Count want_extent)
{
    MPI_Count bytes = -1, lb = -1, extent = -1, position = 0;
    int wrong = 0;
    MUST(MPI_Type_commit(type));
    MUST(MPI_Type_size_c(*type, &bytes));
    MUST(MPI_Type_get_extent_c(*type, &lb, &extent));
    if (bytes != n * (MPI_Count)sizeof(int) || lb != want_lb || extent != want_extent)
        check_fail(__FILE__, __LINE__, "%s: size %lld, lower bound %lld, extent %lld; not %lld, %lld, %lld", what, (long long)bytes,
                   (long long)lb, (long long)extent, (long long)n * 4, (long long)want_lb, (long long)want_extent);
    memset(packed, 255, (n + 1) * sizeof *packed);
    memset(got, 255, (n + 1) * sizeof *got);
    MUST(MPI_Pack_c(from, 1, *type, packed, ROOM * sizeof *packed, &position, MPI_COMM_WORLD));
    if (position != bytes)
        check_fail(__FILE__, __LINE__, "%s: packed to %lld", what, (long long)position);
    unpack_ints(packed, n, got);
    for (int i = 0; i < n; i++)
        wrong += got[i] != list[i];
    if (wrong || got[n] != -1 || packed[n] != -1)
        check_fail(__FILE__, __LINE__, "%s: %d of %d picked wrongly, first %d %d %d", what, wrong, n, got[0], got[1], got[2]);
    MUST(MPI_Type_free(type));
}

/* Checks the contents of the type. A NULL argument is not checked. */
static void made_of(MPI_Datatype type, int combiner, int integers, const int *integer, MPI_Count counts, const MPI_Count *count,
                    MPI_Count types, MPI_Datatype first)
{
    MPI_Count ni = -1, na = -1, nc = -1, nt = -1;
    int kind = -1, wrong = 0;
    MUST(MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nt, &kind));
    CHECK_INT(kind, combiner);
    CHECK_INT(ni, integers);
    CHECK_INT(na, 0);
    CHECK_INT(nc, counts);
    CHECK_INT(nt, types);
    if (ni != integers || nc != counts || nt != types)
        return;
    int *i = malloc((ni + 1) * sizeof *i);
    MPI_Count *c = malloc((nc + 1) * sizeof *c);
    MPI_Datatype *t = malloc((nt + 1) * sizeof *t);
    MPI_Aint none;
    MUST(MPI_Type_get_contents_c(type, ni, na, nc, nt, i, &none, c, t));
    for (MPI_Count j = 0; j < nc; j++)
        wrong += c[j] != count[j];
    for (int j = 0; j < integers; j++)
        wrong += i[j] != integer[j];
    CHECK_INT(wrong, 0);
    int of_first = -1, of_it = -1;
    MUST(MPI_Type_get_envelope_c(t[0], &ni, &na, &nc, &nt, &of_it));
    MUST(MPI_Type_get_envelope_c(first, &ni, &na, &nc, &nt, &of_first));
    CHECK_INT(of_it, of_first);
    for (MPI_Count j = 0; j < types; j++)
        if (of_it != MPI_COMBINER_NAMED)
            MUST(MPI_Type_free(&t[j]));
        else
            CHECK(t[j] == first);
    free(i);
    free(c);
    free(t);
}

static void constructors(void)
{
    static int list[ROOM];
    MPI_Count numbers[2 * N + 2], *lengths = numbers + 1, *displs;
    MPI_Datatype t, types[N];
    const MPI_Count I = sizeof(int);
    int n = 0;

    for (int i = 0; i < 2 * N; i++)
        list[i] = element(i, 0);
    MUST(MPI_Type_contiguous_c(N, two, &t));
    made_of(t, MPI_COMBINER_CONTIGUOUS, 0, NULL, 1, (MPI_Count[]){N}, 1, two);
    picks("contiguous", &t, list, 2 * N, 0, N * 3 * I);

    n = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 70; j++)
            list[n++] = 71 * i + j;
    MUST(MPI_Type_vector_c(N, 70, 71, MPI_INT, &t));
    made_of(t, MPI_COMBINER_VECTOR, 0, NULL, 3, (MPI_Count[]){N, 70, 71}, 1, MPI_INT);
    picks("vector", &t, list, n, 0, ((N - 1) * 71 + 70) * I);
    n = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 2; j++)
            list[n++] = 7 * i + 2 * j;
    MUST(MPI_Type_create_hvector_c(N, 1, 7 * I, two, &t));
    made_of(t, MPI_COMBINER_HVECTOR, 0, NULL, 3, (MPI_Count[]){N, 1, 7 * I}, 1, two);
    picks("hvector", &t, list, n, 0, ((N - 1) * 7 + 3) * I);

    /* One block in ten is long. The blocks are in reverse order. */
    MPI_Count end = 0;
    numbers[0] = N;
    displs = lengths + N;
    for (int i = N - 1; i >= 0; i--) {
        lengths[i] = i % 10 ? i % 3 : 100;
        displs[i] = end;
        end += lengths[i] + 1;
    }
    n = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < lengths[i]; j++)
            list[n++] = (int)displs[i] + j;
    MUST(MPI_Type_indexed_c(N, lengths, displs, MPI_INT, &t));
    made_of(t, MPI_COMBINER_INDEXED, 0, NULL, 2 * N + 1, numbers, 1, MPI_INT);
    /* The lowest block is empty and does not affect the bounds. */
    picks("indexed", &t, list, n, I, (end - 2) * I);
    for (int i = 0; i < N; i++) {
        displs[i] *= I;
        types[i] = MPI_INT;
    }
    MUST(MPI_Type_create_hindexed_c(N, lengths, displs, MPI_INT, &t));
    made_of(t, MPI_COMBINER_HINDEXED, 0, NULL, 2 * N + 1, numbers, 1, MPI_INT);
    picks("hindexed", &t, list, n, I, (end - 2) * I);
    MUST(MPI_Type_create_struct_c(N, lengths, displs, types, &t));
    made_of(t, MPI_COMBINER_STRUCT, 0, NULL, 2 * N + 1, numbers, N, MPI_INT);
    picks("struct", &t, list, n, I, (end - 2) * I);

    n = 0;
    numbers[0] = N;
    numbers[1] = 100;
    for (int i = 0; i < N; i++) {
        numbers[2 + i] = 101 * (i + 1);
        for (int j = 0; j < 100; j++)
            list[n++] = 101 * (i + 1) + j;
    }
    MUST(MPI_Type_create_indexed_block_c(N, 100, numbers + 2, MPI_INT, &t));
    made_of(t, MPI_COMBINER_INDEXED_BLOCK, 0, NULL, N + 2, numbers, 1, MPI_INT);
    picks("indexed_block", &t, list, n, 101 * I, ((N - 1) * 101 + 100) * I);
    for (int i = 0; i < N; i++)
        numbers[2 + i] *= I;
    MUST(MPI_Type_create_hindexed_block_c(N, 100, numbers + 2, MPI_INT, &t));
    made_of(t, MPI_COMBINER_HINDEXED_BLOCK, 0, NULL, N + 2, numbers, 1, MPI_INT);
    picks("hindexed_block", &t, list, n, 101 * I, ((N - 1) * 101 + 100) * I);

    MUST(MPI_Type_create_resized_c(two, -I, 5 * I, &t));
    made_of(t, MPI_COMBINER_RESIZED, 0, NULL, 2, (MPI_Count[]){-I, 5 * I}, 1, two);
    MUST(MPI_Type_free(&t));

    /* The inner type is freed, and the type is copied. */
    MPI_Datatype inner, copy;
    MUST(MPI_Type_vector(3, 1, 2, MPI_INT, &inner));
    MUST(MPI_Type_contiguous_c(N, inner, &t));
    MUST(MPI_Type_free(&inner));
    MUST(MPI_Type_vector(3, 1, 2, MPI_INT, &inner));
    made_of(t, MPI_COMBINER_CONTIGUOUS, 0, NULL, 1, (MPI_Count[]){N}, 1, inner);
    MUST(MPI_Type_dup(t, &copy));
    MPI_Count ni, na, nc, nt;
    int kind = -1;
    MUST(MPI_Type_get_envelope_c(copy, &ni, &na, &nc, &nt, &kind));
    CHECK_INT(kind, MPI_COMBINER_DUP);
    MUST(MPI_Type_free(&copy));
    MUST(MPI_Type_free(&t));
    MUST(MPI_Type_free(&inner));
}

static void arrays(int order)
{
    static int list[ROOM];
    const MPI_Count sizes[3] = {6, 100, 90}, subsizes[3] = {2, 80, 70}, starts[3] = {1, 15, 7};
    const int *dims = order == MPI_ORDER_C ? (int[]){0, 1, 2} : (int[]){2, 1, 0}; /* slowest first */
    const int s = dims[0], m = dims[1], f = dims[2];
    const MPI_Count I = sizeof(int), all = 6 * 100 * 90 * I;
    MPI_Count numbers[9];
    MPI_Datatype t;
    int n = 0;
    for (int i = 0; i < subsizes[s]; i++)
        for (int j = 0; j < subsizes[m]; j++)
            for (int k = 0; k < subsizes[f]; k++)
                list[n++] = (int)(((starts[s] + i) * sizes[m] + starts[m] + j) * sizes[f] + starts[f] + k);
    MUST(MPI_Type_create_subarray_c(3, sizes, subsizes, starts, order, MPI_INT, &t));
    memcpy(numbers, sizes, sizeof sizes);
    memcpy(numbers + 3, subsizes, sizeof subsizes);
    memcpy(numbers + 6, starts, sizeof starts);
    made_of(t, MPI_COMBINER_SUBARRAY, 2, (int[]){3, order}, 9, numbers, 1, MPI_INT);
    picks("subarray", &t, list, n, 0, all);

    /* Distributed to 2 × 3 processes: the slow dimension as a whole, one dimension in blocks, one cyclically in sevens. */
    for (int rank_of = 0; rank_of < 6; rank_of++) {
        int distribs[3], dargs[3], psizes[3], integers[3 + 9 + 1] = {6, rank_of, 3};
        distribs[s] = MPI_DISTRIBUTE_NONE, dargs[s] = MPI_DISTRIBUTE_DFLT_DARG, psizes[s] = 1;
        distribs[m] = MPI_DISTRIBUTE_BLOCK, dargs[m] = MPI_DISTRIBUTE_DFLT_DARG, psizes[m] = 2;
        distribs[f] = MPI_DISTRIBUTE_CYCLIC, dargs[f] = 7, psizes[f] = 3;
        /* The grid's last dimension varies fastest, whatever the order. */
        const int in_m = m < f ? rank_of / 3 : rank_of % 2, in_f = m < f ? rank_of % 3 : rank_of / 2;
        const MPI_Count half = (sizes[m] + 1) / 2;
        n = 0;
        for (int i = 0; i < sizes[s]; i++)
            for (MPI_Count j = in_m * half; j < (in_m + 1) * half && j < sizes[m]; j++)
                for (int k = 0; k < sizes[f]; k++)
                    if (k / 7 % 3 == in_f)
                        list[n++] = (int)((i * sizes[m] + j) * sizes[f] + k);
        MUST(MPI_Type_create_darray_c(6, rank_of, 3, sizes, distribs, dargs, psizes, order, MPI_INT, &t));
        memcpy(integers + 3, distribs, sizeof distribs);
        memcpy(integers + 6, dargs, sizeof dargs);
        memcpy(integers + 9, psizes, sizeof psizes);
        integers[12] = order;
        made_of(t, MPI_COMBINER_DARRAY, 13, integers, 3, sizes, 1, MPI_INT);
        picks("darray", &t, list, n, 0, all);
    }
}

static void packing(void)
{
    const MPI_Count I = sizeof(int);
    MPI_Count need = -1, position = 0;
    int wrong = 0;
    MUST(MPI_Pack_size_c(N, two, MPI_COMM_WORLD, &need));
    CHECK(need >= 2 * N * I);
    MUST(MPI_Pack_c(from, N, two, packed, ROOM * I, &position, MPI_COMM_WORLD));
    MUST(MPI_Pack_c(from + 1, N, MPI_INT, packed, ROOM * I, &position, MPI_COMM_WORLD));
    CHECK_INT(position, 3 * N * I);
    unpack_ints(packed, 3 * N, got);
    for (int i = 0; i < 2 * N; i++)
        wrong += got[i] != element(i, 0);
    for (int i = 0; i < N; i++)
        wrong += got[2 * N + i] != i + 1;
    int *back = calloc(3 * N, sizeof *back);
    position = 0;
    MUST(MPI_Unpack_c(packed, 3 * N * I, &position, back, N, two, MPI_COMM_WORLD));
    for (int i = 0; i < 3 * N; i++)
        wrong += back[i] != (i % 3 == 1 ? 0 : i);
    MUST(MPI_Unpack_c(packed, 3 * N * I, &position, back, N, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        wrong += back[i] != i + 1;
    CHECK_INT(position, 3 * N * I);
    CHECK_INT(wrong, 0);
    position = 0;
    MUST(MPI_Pack_external_size_c("external32", N, two, &need));
    CHECK_INT(need, 2 * N * I);
    MUST(MPI_Pack_external_c("external32", from, N, two, packed, need, &position));
    CHECK_INT(position, need);
    position = 0;
    memset(back, 0, 3 * N * I);
    MUST(MPI_Unpack_external_c("external32", packed, need, &position, back, N, two));
    for (int i = 0; i < 3 * N; i++)
        wrong += back[i] != (i % 3 == 1 ? 0 : i);
    CHECK_INT(wrong, 0);
    free(back);
}

/* The error classes of the standard. */
static void refused(void)
{
    MPI_Datatype t;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Type_contiguous_c(-1, MPI_INT, &t), MPI_ERR_COUNT);
    CHECK(MPI_Type_contiguous_c(N, MPI_DATATYPE_NULL, &t) != MPI_SUCCESS);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    MPI_Datatype vector;
    from = malloc(ROOM * sizeof *from);
    packed = malloc(ROOM * sizeof *packed);
    got = malloc(ROOM * sizeof *got);
    for (int i = 0; i < ROOM; i++)
        from[i] = i;
    MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &vector));
    MUST(MPI_Type_dup(vector, &two));
    MUST(MPI_Type_commit(&two));
    MUST(MPI_Type_free(&vector));
    constructors();
    arrays(MPI_ORDER_C);
    arrays(MPI_ORDER_FORTRAN);
    packing();
    refused();
    MUST(MPI_Type_free(&two));
    free(from);
    free(got);
    free(packed);
#endif
    return check_done("large_chunk_types");
}
