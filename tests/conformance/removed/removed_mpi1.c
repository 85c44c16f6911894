/* The functions that MPI-2.0 deprecated and MPI-3.0 removed. They are declared here, because old sources no longer find
   prototypes in mpi.h. */
#define OMPI_OMIT_MPI1_COMPAT_DECLS 1
#include "check.h"

#undef MPI_Address
#undef MPI_Errhandler_create
#undef MPI_Errhandler_get
#undef MPI_Errhandler_set
#undef MPI_Type_extent
#undef MPI_Type_hindexed
#undef MPI_Type_hvector
#undef MPI_Type_lb
#undef MPI_Type_struct
#undef MPI_Type_ub
#undef MPI_Attr_put
#undef MPI_Attr_get
#undef MPI_Attr_delete
#undef MPI_Keyval_create
#undef MPI_Keyval_free
int MPI_Address(void *, MPI_Aint *);
int MPI_Errhandler_create(void (*)(MPI_Comm *, int *, ...), MPI_Errhandler *);
int MPI_Errhandler_get(MPI_Comm, MPI_Errhandler *);
int MPI_Errhandler_set(MPI_Comm, MPI_Errhandler);
int MPI_Type_extent(MPI_Datatype, MPI_Aint *);
#ifndef MPI_ABI_VERSION /* declared with const there */
int MPI_Type_hindexed(int, int *, MPI_Aint *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_struct(int, int *, MPI_Aint *, MPI_Datatype *, MPI_Datatype *);
#endif
int MPI_Type_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
int MPI_Type_lb(MPI_Datatype, MPI_Aint *);
int MPI_Type_ub(MPI_Datatype, MPI_Aint *);
int MPI_Attr_put(MPI_Comm, int, void *);
int MPI_Attr_get(MPI_Comm, int, void *, int *);
int MPI_Attr_delete(MPI_Comm, int);
int MPI_Keyval_create(int (*)(MPI_Comm, int, void *, void *, void *, int *), int (*)(MPI_Comm, int, void *, void *),
                      int *, void *);
int MPI_Keyval_free(int *);

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static int copies, deletes, handled, last_code, state;
static MPI_Comm last_comm;

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    CHECK(extra == &state && keyval != MPI_KEYVAL_INVALID);
    copies++;
    last_comm = comm;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    CHECK(extra == &state && keyval != MPI_KEYVAL_INVALID && value != NULL);
    deletes++;
    last_comm = comm;
    return MPI_SUCCESS;
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    handled++;
    last_comm = *comm;
    last_code = *code;
}

static void types(void)
{
    struct record {
        int a;
        double b[2];
        char c;
    } record = {1, {2, 3}, 'x'}, got = {0};
    MPI_Aint base, at[3], extent, lower, upper, want_lower, want_extent;
    int lengths[3] = {1, 2, 1}, bytes;
    MPI_Datatype parts[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, type, vector, indexed;

    MUST(MPI_Address(&record, &base));
    MUST(MPI_Get_address(&record, &extent));
    CHECK(base == extent && base == (MPI_Aint)&record);
    MUST(MPI_Address(&record.a, &at[0]));
    MUST(MPI_Address(&record.b, &at[1]));
    MUST(MPI_Address(&record.c, &at[2]));
    for (int i = 0; i < 3; i++)
        at[i] -= base;
    MUST(MPI_Type_struct(3, lengths, at, parts, &type));
    MUST(MPI_Type_commit(&type));
    MUST(MPI_Type_size(type, &bytes));
    CHECK_INT(bytes, 4 + 16 + 1);
    MUST(MPI_Type_extent(type, &extent));
    MUST(MPI_Type_lb(type, &lower));
    MUST(MPI_Type_ub(type, &upper));
    MUST(MPI_Type_get_extent(type, &want_lower, &want_extent));
    CHECK_INT(extent, want_extent);
    CHECK_INT(lower, want_lower);
    CHECK_INT(upper, want_lower + want_extent);
    CHECK_INT(extent, sizeof record);
    MUST(MPI_Sendrecv(&record, 1, type, rank, 0, &got, 1, type, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(got.a == 1 && got.b[0] == 2 && got.b[1] == 3 && got.c == 'x');
    MUST(MPI_Type_free(&type));

    MUST(MPI_Type_hvector(3, 1, 8, MPI_INT, &vector));
    MUST(MPI_Type_extent(vector, &extent));
    CHECK_INT(extent, 20);
    MPI_Aint places[2] = {4, 16};
    int counts[2] = {1, 2};
    MUST(MPI_Type_hindexed(2, counts, places, MPI_INT, &indexed));
    MUST(MPI_Type_lb(indexed, &lower));
    MUST(MPI_Type_ub(indexed, &upper));
    CHECK_INT(lower, 4);
    CHECK_INT(upper, 24);
    MUST(MPI_Type_free(&vector));
    MUST(MPI_Type_free(&indexed));
}

/* MPI_LB and MPI_UB set the bounds of a structure. MPICH 5 no longer takes them. */
static void markers(void)
{
#ifdef OPEN_MPI /* its mpi.h no longer has them, but older programs use these */
    extern struct ompi_predefined_datatype_t ompi_mpi_lb, ompi_mpi_ub;
#undef MPI_LB
#undef MPI_UB
#define MPI_LB ((MPI_Datatype)&ompi_mpi_lb)
#define MPI_UB ((MPI_Datatype)&ompi_mpi_ub)
#endif
#ifdef MPI_UB
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Datatype parts[3] = {MPI_LB, MPI_INT, MPI_UB}, type;
    MPI_Aint places[3] = {-4, 0, 12}, lower, extent;
    int lengths[3] = {1, 1, 1}, length;
    MUST(MPI_Get_library_version(library, &length));
    if (strstr(library, "MPICH Version:      5"))
        return;
    MUST(MPI_Type_struct(3, lengths, places, parts, &type));
    MUST(MPI_Type_get_extent(type, &lower, &extent));
    CHECK(lower == -4 && extent == 16);
    MUST(MPI_Type_free(&type));
    MUST(MPI_Type_struct(2, lengths, places, parts, &type));
    MUST(MPI_Type_get_extent(type, &lower, &extent));
    CHECK(lower == -4 && extent == 8);
    MUST(MPI_Type_free(&type));
    MUST(MPI_Type_struct(2, lengths, places + 1, parts + 1, &type));
    MUST(MPI_Type_get_extent(type, &lower, &extent));
    CHECK(lower == 0 && extent == 12);
    MUST(MPI_Type_get_true_extent(type, &lower, &extent));
    CHECK(lower == 0 && extent == 4);
    MUST(MPI_Type_free(&type));
#endif
}

static void attributes(void)
{
    int keyval = MPI_KEYVAL_INVALID, flag;
    char data[4];
    void *got;
    MPI_Comm comm, dup;
    MUST(MPI_Keyval_create(copy, delete, &keyval, &state));
    CHECK(keyval != MPI_KEYVAL_INVALID);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Attr_get(comm, keyval, &got, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Attr_put(comm, keyval, data));
    MUST(MPI_Attr_get(comm, keyval, &got, &flag));
    CHECK(flag && got == data);
    MUST(MPI_Comm_dup(comm, &dup));
    CHECK_INT(copies, 1);
    CHECK(last_comm == comm);
    MUST(MPI_Attr_get(dup, keyval, &got, &flag));
    CHECK(flag && got == data + 1);
    MUST(MPI_Attr_delete(dup, keyval));
    CHECK_INT(deletes, 1);
    CHECK(last_comm == dup);
    MUST(MPI_Comm_free(&dup));
    CHECK_INT(deletes, 1);
    MUST(MPI_Keyval_free(&keyval));
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
    MUST(MPI_Comm_free(&comm));
    CHECK_INT(deletes, 2);

    MUST(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &keyval, NULL));
    MUST(MPI_Attr_put(MPI_COMM_SELF, keyval, data));
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    MUST(MPI_Attr_get(dup, keyval, &got, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Comm_free(&dup));
    MUST(MPI_Attr_delete(MPI_COMM_SELF, keyval));
    MUST(MPI_Keyval_free(&keyval));
    MUST(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &keyval, NULL));
    MUST(MPI_Attr_put(MPI_COMM_SELF, keyval, data + 2));
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    MUST(MPI_Attr_get(dup, keyval, &got, &flag));
    CHECK(flag && got == data + 2);
    MUST(MPI_Comm_free(&dup));
    MUST(MPI_Attr_delete(MPI_COMM_SELF, keyval));
    MUST(MPI_Keyval_free(&keyval));

    int *value;
    MUST(MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *value >= 32767);
    MUST(MPI_Attr_get(MPI_COMM_WORLD, MPI_IO, &value, &flag));
    CHECK(flag && *value == MPI_ANY_SOURCE);
}

static void errors(void)
{
    MPI_Errhandler mine, got;
    int value = 0;
    MUST(MPI_Errhandler_create(handler, &mine));
    MUST(MPI_Errhandler_get(MPI_COMM_WORLD, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    MUST(MPI_Errhandler_set(MPI_COMM_WORLD, mine));
    MUST(MPI_Errhandler_get(MPI_COMM_WORLD, &got));
    CHECK(got == mine);
    MUST(MPI_Errhandler_free(&got));
    CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_INT(handled, 1);
    CHECK(last_comm == MPI_COMM_WORLD);
    CHECK_CLASS(last_code, MPI_ERR_RANK);
    MUST(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_INT(handled, 1);
    MUST(MPI_Errhandler_free(&mine));
    MUST(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    types();
    markers();
    attributes();
    errors();
    return check_done("removed_mpi1");
}
