/* Measures corner turns of R x R elements of 8 bytes: rows become columns, which are lines at the destination. All methods
 * take turns in one set of processes. Prints lines "R method microseconds": the minimum over repetitions of the maximum
 * over the processes. Compiled with -DFFTW and -DPETSC, it measures these libraries too. The argument is the number of
 * seconds for each method. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <dri.h>
#ifdef FFTW
#include <fftw3-mpi.h>
#endif
#ifdef PETSC
#include <petscvec.h>
#endif

/* Rounds over all methods, and the most repetitions of a method in a round. */
enum { ROUNDS = 50, MOST = 200 };

static int rank, size;
static MPI_Count R, mine; /* the rows of the array; the rows, and columns, of a process */
static uint64_t *from, *to;
static double seconds = 0.1; /* for the repetitions of a method */

/* The measurements. All rows are prepared first and then measured in turn, many times, so that other load of the machine
 * affects all of them. */
static struct row {
    const char *name;
    void (*once)(void *); /* does the work once */
    void *with;           /* its argument */
    uint64_t *result;     /* the buffer to check, or NULL if this is no turn */
    double least;         /* the shortest time, in seconds */
} rows[16];
static int n_rows;

/* Adds a row. */
static void add_row(const char *name, void (*once)(void *), void *with, uint64_t *result)
{
    rows[n_rows++] = (struct row){name, once, with, result, 1e9};
}

/* Fills a buffer with the rows of this process. */
static void fill_rows(uint64_t *b)
{
    for (MPI_Count i = 0; i < mine * R; i++)
        b[i] = (rank * mine * R + i) * 2654435761u + 1;
}

/* Does a turn once more and checks its result. It refills the source first, because FFTW's plan may overwrite it. */
static void check_turn(const struct row *row)
{
    fill_rows(from);
    memset(row->result, 0, mine * R * 8);
    row->once(row->with);
    for (MPI_Count c = 0; c < mine; c++)
        for (MPI_Count r = 0; r < R; r++)
            if (row->result[c * R + r] != (uint64_t)(r * R + rank * mine + c) * 2654435761u + 1) {
                fprintf(stderr, "%s: rank %d: row %lld of column %lld is wrong\n", row->name, rank, (long long)r, (long long)c);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
}

/* Repeats a row for its share of the time, and keeps the shortest time. */
static void repeat_row(struct row *row)
{
    double begun = MPI_Wtime(), longest[2] = {0};
    for (int i = 0; i == 0 || (longest[1] < seconds / ROUNDS && i < MOST); i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double t = MPI_Wtime();
        row->once(row->with);
        double over = MPI_Wtime(), took[2] = {over - t, over - begun};
        MPI_Allreduce(took, longest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        row->least = longest[0] < row->least ? longest[0] : row->least;
    }
}

/* Measures, checks and prints all rows, and forgets them. */
static void show_all(void)
{
    for (int i = 0; i < ROUNDS; i++)
        for (int row = 0; row < n_rows; row++)
            repeat_row(&rows[row]);
    for (int row = 0; row < n_rows; row++) {
        if (rows[row].result)
            check_turn(&rows[row]);
        if (rank == 0)
            printf("%lld %s %.2f\n", (long long)R, rows[row].name, rows[row].least * 1e6), fflush(stdout);
    }
    n_rows = 0;
}

/* ---- by hand ---- */

static uint64_t *packed, *arrived;

static void copy_rows(void *with)
{
    memcpy(to, from, mine * R * 8);
}

static void nothing(void *with)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Packs blocks by hand, exchanges them, and unpacks by tiles of 16 by 16 elements, which use whole cache lines of both
 * sides. */
static void pack(void *with)
{
    for (int p = 0; p < size; p++)
        for (MPI_Count r = 0; r < mine; r++)
            memcpy(packed + (p * mine + r) * mine, from + r * R + p * mine, mine * 8);
    MPI_Alltoall(packed, mine * mine, MPI_UINT64_T, arrived, mine * mine, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++)
        for (MPI_Count c0 = 0; c0 < mine; c0 += 16)
            for (MPI_Count r0 = 0; r0 < mine; r0 += 16)
                for (MPI_Count c = c0; c < c0 + 16 && c < mine; c++)
                    for (MPI_Count r = r0; r < r0 + 16 && r < mine; r++)
                        to[c * R + p * mine + r] = arrived[(p * mine + r) * mine + c];
}

static int *counts, *places_in, *places_out;
static MPI_Datatype *in, *out;

static void derived(void *with)
{
    MPI_Alltoallw(from, counts, places_in, in, to, counts, places_out, out, MPI_COMM_WORLD);
}

/* The datatypes of MPI_Alltoallw, which describe the transposition, so that the library packs and unpacks. */
static void make_derived(void)
{
    MPI_Datatype row, rows, column, line;
    /* A block of the source is sent row by row. At the destination each row becomes a column, with a stride of R,
     * and so a column of the source becomes a line. */
    MPI_Type_vector(mine, mine, R, MPI_UINT64_T, &rows);
    MPI_Type_commit(&rows);
    MPI_Type_vector(mine, 1, R, MPI_UINT64_T, &column);
    MPI_Type_create_resized(column, 0, 8, &row);
    MPI_Type_contiguous(mine, row, &line);
    MPI_Type_commit(&line);
    MPI_Type_free(&column);
    MPI_Type_free(&row);
    for (int p = 0; p < size; p++) {
        counts[p] = 1;
        places_in[p] = places_out[p] = p * mine * 8;
        in[p] = rows;
        out[p] = line;
    }
}

static void free_derived(void)
{
    MPI_Type_free(&in[0]);
    MPI_Type_free(&out[0]);
}

/* ---- libdri ---- */

/* One Go of DRI. The job ends after an error, because its time would be meaningless. */
static void go(void *xfer)
{
    if (DRI_do(NULL, xfer))
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Aborts with the text of the error if a call of libdri fails. */
#define OK(call) \
    do { \
        int class_ = (call); \
        if (class_) { \
            fprintf(stderr, "%s\n", DRI_error_string(class_)); \
            MPI_Abort(MPI_COMM_WORLD, 1); \
        } \
    } while (0)

/* Returns a distribution with dimension `along` in blocks and the others whole. */
static DRI_dist slices(DRI_gdo d, DRI_group g, int along)
{
    DRI_part_rule rules[3] = {{0}};
    DRI_part p;
    DRI_dist dist;
    rules[along].kind = DRI_BLOCK;
    OK(DRI_part_rules(d, g, NULL, rules, &p));
    OK(DRI_dist_create(d, p, g, &dist));
    OK(DRI_part_destroy(&p));
    return dist;
}

/* Returns the group of all n processes. */
static DRI_group everybody(int n)
{
    int procs[n];
    DRI_group g;
    for (int i = 0; i < n; i++)
        procs[i] = i;
    OK(DRI_group_create(n, procs, &g));
    return g;
}

/* Adds a transfer from the memory of one process to itself, which measures the kernel alone. */
static DRI_xfer alone(void)
{
    int me[] = {rank};
    DRI_group own;
    OK(DRI_group_create(1, me, &own));
    MPI_Count sizes[] = {mine, R};
    DRI_gdo d;
    OK(DRI_gdo_create(2, MPI_UINT64_T, sizes, &d));
    DRI_dist dist = slices(d, own, 0);
    char name[32];
    snprintf(name, sizeof name, "kernel %d", rank);
    void *src[] = {NULL}, *dst[] = {NULL};
    DRI_xfer x;
    OK(DRI_xfer_create_clique(name, dist, DRI_LAYOUT_PACKED_10, 1, src, dist, DRI_LAYOUT_PACKED_01, 1, dst, &x));
    fill_rows(src[0]);
    add_row("kernel", go, x, NULL);
    OK(DRI_dist_destroy(&dist));
    OK(DRI_gdo_destroy(&d));
    OK(DRI_group_destroy(&own));
    return x;
}

/* Adds a transfer among all processes, with these buffers or, if NULL, with allocated ones. */
static DRI_xfer together(const char *name, void *source, void *destination)
{
    DRI_group g = everybody(size);
    MPI_Count sizes[] = {R, R};
    DRI_gdo d;
    OK(DRI_gdo_create(2, MPI_UINT64_T, sizes, &d));
    DRI_dist before = slices(d, g, 0), after = slices(d, g, 1);
    void *src[] = {source}, *dst[] = {destination};
    DRI_xfer x;
    OK(DRI_xfer_create_clique(name, before, DRI_LAYOUT_PACKED_10, 1, src, after, DRI_LAYOUT_PACKED_01, 1, dst, &x));
    fill_rows(src[0]);
    add_row(name, go, x, dst[0]);
    OK(DRI_dist_destroy(&before));
    OK(DRI_dist_destroy(&after));
    OK(DRI_gdo_destroy(&d));
    OK(DRI_group_destroy(&g));
    return x;
}

/* Measures the commit of a plan in three dimensions and, on two ranks, a Go of an empty plan. */
static void plans(void)
{
    DRI_group g = everybody(size);
    MPI_Count sizes[] = {64, 64, 64};
    DRI_gdo d;
    OK(DRI_gdo_create(3, MPI_UINT64_T, sizes, &d));
    DRI_dist a = slices(d, g, 0), b = slices(d, g, 2);
    double least = 1e9;
    DRI_xfer xfer;
    for (int i = 0; i < ROUNDS; i++) {
        void *src[] = {NULL}, *dst[] = {NULL};
        char name[32];
        snprintf(name, sizeof name, "plan %d", i);
        MPI_Barrier(MPI_COMM_WORLD);
        double t = MPI_Wtime(), all;
        OK(DRI_xfer_create_clique(name, a, DRI_LAYOUT_PACKED_210, 1, src, b, DRI_LAYOUT_PACKED_012, 1, dst, &xfer));
        t = MPI_Wtime() - t;
        MPI_Allreduce(&t, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        least = all < least ? all : least;
        OK(DRI_xfer_destroy(&xfer));
    }
    if (rank == 0)
        printf("0 commit %.2f\n", least * 1e6);
    DRI_part_tuple none[3] = {{0, 0, -1, 0}, {0, 0, -1, 0}, {0, 0, -1, 0}};
    DRI_part p;
    DRI_dist empty;
    void *src[] = {NULL}, *dst[] = {NULL};
    OK(DRI_part_create(3, none, &p));
    OK(DRI_dist_create(d, p, g, &empty));
    OK(DRI_xfer_create_clique("empty", a, DRI_LAYOUT_PACKED_210, 1, src, empty, DRI_LAYOUT_PACKED_012, 1, dst, &xfer));
    R = 0;
    if (size == 2) {
        add_row("empty", go, xfer, NULL);
        add_row("barrier", nothing, NULL, NULL);
        show_all();
    }
    OK(DRI_xfer_destroy(&xfer));
    OK(DRI_part_destroy(&p));
    OK(DRI_dist_destroy(&a));
    OK(DRI_dist_destroy(&b));
    OK(DRI_dist_destroy(&empty));
    OK(DRI_gdo_destroy(&d));
    OK(DRI_group_destroy(&g));
}

#ifdef FFTW
static fftw_plan plan[3];

static void transpose(void *with)
{
    fftw_execute(with);
}

/* One plan for each effort that FFTW may spend on planning. */
static void make_fftw(void)
{
    static const struct {
        const char *name;
        unsigned flag;
    } ways[] = {{"fftw-estimate", FFTW_ESTIMATE}, {"fftw-measure", FFTW_MEASURE}, {"fftw-patient", FFTW_PATIENT}};
    for (int i = 0; i < 3; i++) {
        plan[i] = fftw_mpi_plan_many_transpose(R, R, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, (double *)from, (double *)to,
                                               MPI_COMM_WORLD, ways[i].flag);
        add_row(ways[i].name, transpose, plan[i], to);
        fftw_forget_wisdom();
    }
}

static void free_fftw(void)
{
    for (int i = 0; i < 3; i++)
        fftw_destroy_plan(plan[i]);
}
#endif

#ifdef PETSC
static Vec before, after;
static VecScatter scatter;

/* One scatter of PETSc's vectors, forward. */
static void scattered(void *with)
{
    VecScatterBegin(scatter, before, after, INSERT_VALUES, SCATTER_FORWARD);
    VecScatterEnd(scatter, before, after, INSERT_VALUES, SCATTER_FORWARD);
}

/* The index of each element of this rank's rows of the result in the vector of the source. */
static void make_petsc(void)
{
    IS wanted, places;
    PetscInt *index = malloc(mine * R * sizeof *index);
    for (MPI_Count c = 0; c < mine; c++)
        for (MPI_Count r = 0; r < R; r++)
            index[c * R + r] = r * R + rank * mine + c;
    VecCreateMPIWithArray(MPI_COMM_WORLD, 1, mine * R, R * R, (double *)from, &before);
    VecCreateMPIWithArray(MPI_COMM_WORLD, 1, mine * R, R * R, (double *)to, &after);
    ISCreateGeneral(MPI_COMM_WORLD, mine * R, index, PETSC_USE_POINTER, &wanted);
    ISCreateStride(MPI_COMM_WORLD, mine * R, rank * mine * R, 1, &places);
    VecScatterCreate(before, wanted, after, places, &scatter);
    add_row("petsc", scattered, NULL, to);
    ISDestroy(&wanted);
    ISDestroy(&places);
    free(index);
}

static void free_petsc(void)
{
    VecScatterDestroy(&scatter);
    VecDestroy(&before);
    VecDestroy(&after);
}
#endif

/* Binds each rank to a core, as launchers do, except in the tests. Two ranks on one core would wait for each other. */
static void stay(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(rank, &one);
    if (size <= sysconf(_SC_NPROCESSORS_ONLN))
        sched_setaffinity(0, sizeof one, &one);
}

int main(int argc, char **argv)
{
#ifdef PETSC
    PetscInitialize(&argc, &argv, NULL, NULL);
#else
    MPI_Init(&argc, &argv);
#endif
    if (argc > 1)
        seconds = atof(argv[1]);
    OK(DRI_init(&argc, &argv));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    stay();
#ifdef FFTW
    fftw_mpi_init();
#endif
    for (R = 256; size == 2 && R <= 1024; R *= 2) {
        mine = R / size;
        size_t bytes = mine * R * 8;
        from = aligned_alloc(4096, bytes);
        to = aligned_alloc(4096, bytes);
        packed = aligned_alloc(4096, bytes);
        arrived = aligned_alloc(4096, bytes);
        counts = malloc(size * sizeof *counts);
        places_in = malloc(size * sizeof *places_in);
        places_out = malloc(size * sizeof *places_out);
        in = malloc(size * sizeof *in);
        out = malloc(size * sizeof *out);
#ifdef FFTW
        make_fftw();
#endif
#ifdef PETSC
        make_petsc();
#endif
        make_derived();
        add_row("types", derived, NULL, to);
        add_row("memcpy", copy_rows, NULL, NULL);
        add_row("by-hand", pack, NULL, to);
        DRI_xfer own[] = {alone(), together("dri", NULL, NULL), together("dri-own", from, to)};
        show_all();
        for (int i = 0; i < 3; i++)
            OK(DRI_xfer_destroy(&own[i]));
        free_derived();
#ifdef PETSC
        free_petsc();
#endif
#ifdef FFTW
        free_fftw();
#endif
        free(from), free(to), free(packed), free(arrived), free(counts), free(places_in), free(places_out), free(in), free(out);
    }
    plans();
    OK(DRI_finalize());
#ifdef PETSC
    PetscFinalize();
#else
    MPI_Finalize();
#endif
    return 0;
}
