/*
 * Datatypes, attributes, info objects and operations while memory is lacking: each allocation fails
 * once, the call returns MPI_ERR_NO_MEM, and nothing is lost. The program is linked with
 * --wrap=malloc and its kind.
 */
#include "exhaust.h"

static void free_type(MPI_Datatype *type)
{
    if (*type != MPI_DATATYPE_NULL)
        MUST(MPI_Type_free(type));
}

static void types(void)
{
    MPI_Datatype a = MPI_DATATYPE_NULL, b = MPI_DATATYPE_NULL, c = MPI_DATATYPE_NULL, d = MPI_DATATYPE_NULL, e = MPI_DATATYPE_NULL, f = MPI_DATATYPE_NULL, got = MPI_DATATYPE_NULL;
    const int three[3] = {1, 2, 1}, places[3] = {0, 5, 3}, sizes[2] = {4, 5}, parts[2] = {2, 3}, starts[2] = {1, 1};
    const int kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, args[2] = {2, MPI_DISTRIBUTE_DFLT_DARG}, grid[2] = {1, 2};
    const MPI_Aint at[2] = {0, 100};
    bool all = done(MPI_Type_vector(3, 2, 4, MPI_INT, &a)) && done(MPI_Type_indexed(3, three, places, MPI_DOUBLE, &b)) &&
        done(MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, a, &c)) && done(MPI_Type_create_darray(2, 1, 2, sizes, kinds, args, grid, MPI_ORDER_FORTRAN, MPI_SHORT, &d));
    const MPI_Datatype two[2] = {b, d};
    all = all && done(MPI_Type_create_struct(2, three, at, two, &e)) && done(MPI_Type_dup(e, &f)) && done(MPI_Type_get_contents(f, 0, 0, 1, NULL, NULL, &got));
    if (all)
        CHECK(MPI_Type_toint(got) == 0 || MPI_Type_fromint(MPI_Type_toint(got)) == got);
    MPI_Datatype *every[] = {&a, &b, &c, &d, &e, &f, &got};
    for (int i = 0; i < 7; i++)
        free_type(every[i]);
    MPI_Datatype real;
    done(MPI_Type_create_f90_real(7, 20, &real));
}

static void others(void)
{
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Info info = MPI_INFO_NULL, dup = MPI_INFO_NULL;
    MPI_Datatype a = MPI_DATATYPE_NULL, b = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    if (done(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL)) && done(MPI_Type_contiguous(3, MPI_INT, &a)) && done(MPI_Type_set_attr(a, keyval, &keyval)))
        done(MPI_Type_dup(a, &b));
    free_type(&a);
    free_type(&b);
    if (keyval != MPI_KEYVAL_INVALID)
        MUST(MPI_Type_free_keyval(&keyval));
    if (done(MPI_Info_create(&info)) && done(MPI_Info_set(info, "key", "value")) && done(MPI_Info_set(info, "key", "other")))
        done(MPI_Info_dup(info, &dup));
    if (info != MPI_INFO_NULL)
        MUST(MPI_Info_free(&info));
    if (dup != MPI_INFO_NULL)
        MUST(MPI_Info_free(&dup));
    if (done(MPI_Op_create((MPI_User_function *)&others, 1, &op)))
        MUST(MPI_Op_free(&op));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(exhaust(types) > 20);
    CHECK(exhaust(others) > 5);
    return right("types_exhausted");
}
