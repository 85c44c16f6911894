/*
 * Large-count functions (MPI-4.0, 2.5.8) over a library that lacks them: what
 * fits is handed to the function with int counts, on the program's own side;
 * what does not raises MPI_ERR_UNSUPPORTED_OPERATION, as a function does that
 * is not there at all. narrow.c has one for each, made by the generator.
 */
#define CALL(type, function) ((__typeof__(type) *)wi4go_A[SLOT_##function])
#define REFUSE(function) ((__typeof__(N_##function) *)wi4go_missing_entries[SLOT_##function])
#define FITS(count) ((count) == (int)(count))

/* An array of 64-bit numbers as one of int. */
struct narrowed {
    int *array;
    size_t bytes;
    int fits;
};

static struct narrowed narrowed(const int64_t *from, int64_t n)
{
    struct narrowed x = {NULL, 0, 1};
    if (!from)
        return x;
    x.bytes = (n > 0 ? (size_t)n : 1) * sizeof(int);
    x.array = wi4go_scratch_take(x.bytes);
    for (int64_t i = 0; i < n; i++) {
        x.array[i] = (int)from[i];
        x.fits &= FITS(from[i]);
    }
    return x;
}

static void give_narrowed(struct narrowed *x)
{
    if (x->array)
        wi4go_scratch_give(x->array, x->bytes);
}
#define NARROWED(name, n) \
    __attribute__((cleanup(give_narrowed))) struct narrowed narrow_##name = narrowed((const int64_t *)name, n)

typedef int comm_number(A_MPI_Comm, int *);

/* How many processes a collective call sends to or receives from. */
static int64_t peers(A_MPI_Comm comm)
{
    int inter = 0, n = 0;
    if (CALL(comm_number, MPI_Comm_test_inter)(comm, &inter))
        return 0;
    if (inter)
        CALL(comm_number, MPI_Comm_remote_size)(comm, &n);
    else
        CALL(comm_number, MPI_Comm_size)(comm, &n);
    return n;
}

/* How many processes there are on this side. */
static int64_t members(A_MPI_Comm comm)
{
    int n = 0;
    CALL(comm_number, MPI_Comm_size)(comm, &n);
    return n;
}

/* Whether this process is the root, whose arrays count. */
static int at_root(int root, A_MPI_Comm comm)
{
    int rank = -1, inter = 0;
    if (root == A_MPI_ROOT)
        return 1;
    CALL(comm_number, MPI_Comm_test_inter)(comm, &inter);
    CALL(comm_number, MPI_Comm_rank)(comm, &rank);
    return !inter && rank == root;
}

/* The program's operation wants the length as an MPI_Count. */
static void widen_length(void *in, void *inout, const int *length, A_MPI_Datatype *datatype, void *unused, const struct wi4go_callback *c)
{
    (void)unused;
    MPI_Count n = *length;
    ((void (*)(void *, void *, MPI_Count *, A_MPI_Datatype *))c->call)(in, inout, &n, datatype);
}

static int N_MPI_Op_create_c(void *user_fn, int commute, A_MPI_Op *op)
{
    void *function = user_fn ? wi4go_trampoline(LARGE_OPERATION, user_fn, (void *)widen_length) : NULL;
    return CALL(int(void *, int, A_MPI_Op *), MPI_Op_create)(function, commute, op);
}

/* Nothing in such a library is made with large counts. */
static int N_MPI_Type_get_envelope_c(A_MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
                                     MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner)
{
    int integers = 0, addresses = 0, datatypes = 0;
    int rc = CALL(int(A_MPI_Datatype, int *, int *, int *, int *), MPI_Type_get_envelope)(datatype, &integers, &addresses, &datatypes, combiner);
    if (!rc) {
        *num_integers = integers;
        *num_addresses = addresses;
        *num_large_counts = 0;
        *num_datatypes = datatypes;
    }
    return rc;
}

static int N_MPI_Type_get_contents_c(A_MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts,
                                     MPI_Count max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses,
                                     MPI_Count *array_of_large_counts, A_MPI_Datatype *array_of_datatypes)
{
    (void)max_large_counts, (void)array_of_large_counts;
    /* They only bound how much is written. */
    const int integers = max_integers < INT_MAX ? (int)max_integers : INT_MAX;
    const int addresses = max_addresses < INT_MAX ? (int)max_addresses : INT_MAX;
    const int datatypes = max_datatypes < INT_MAX ? (int)max_datatypes : INT_MAX;
    return CALL(int(A_MPI_Datatype, int, int, int, int *, MPI_Aint *, A_MPI_Datatype *), MPI_Type_get_contents)(
        datatype, integers, addresses, datatypes, array_of_integers, array_of_addresses, array_of_datatypes);
}
