/* Replaces the front for shim/fortran/view.c: each call that creates a datatype of a section, or a copy of it, fails
   in turn. All datatypes must be freed, each once. */
#include "../../../shim/fortran/view.c"
#include "../../../shim/fortran/descriptor.h"
#include <stdio.h>

enum { TYPES = 100 };
static int made, calls, failing, wrong;
static char live[TYPES]; /* indexed by the number that is a datatype's handle */

static int make(MPI_Datatype *type)
{
    if (calls++ == failing)
        return MPI_ERR_NO_MEM;
    live[++made] = 1;
    *type = (MPI_Datatype)(intptr_t)made;
    return MPI_SUCCESS;
}
static int contiguous_type(int n, MPI_Datatype old, MPI_Datatype *type) { return make(type); }
static int dup(MPI_Datatype old, MPI_Datatype *type) { return make(type); }
static int hvector(int n, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *type) { return make(type); }
static int long_hvector(MPI_Count n, MPI_Count length, MPI_Count stride, MPI_Datatype old, MPI_Datatype *type) { return make(type); }
static int structure(int n, const int lengths[], const MPI_Aint at[], const MPI_Datatype old[], MPI_Datatype *type) { return make(type); }
static int commit(MPI_Datatype *type) { return calls++ == failing ? MPI_ERR_NO_MEM : MPI_SUCCESS; }
static int extent_of(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) { *lower = 0; *extent = 2; return MPI_SUCCESS; }
static int handler(MPI_Comm comm, int code) { return MPI_SUCCESS; }
static int pack(const void *in, MPI_Count n, MPI_Datatype type, void *out, MPI_Count room, MPI_Count *at, MPI_Comm comm)
{
    *at += room;
    return calls++ == failing ? MPI_ERR_TYPE : MPI_SUCCESS;
}
static int unpack(const void *in, MPI_Count room, MPI_Count *at, void *out, MPI_Count n, MPI_Datatype type, MPI_Comm comm)
{
    *at += room;
    return MPI_SUCCESS;
}
static int free_type(MPI_Datatype *type)
{
    const intptr_t number = (intptr_t)*type;
    wrong += number < 1 || number > made || !live[number];
    if (number > 0 && number < TYPES)
        live[number] = 0;
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

#define SERVES(name, function) \
    static __typeof__(P##name) *const entry_##name = function; \
    __typeof__(P##name) *const *wi4go_inner_##name = &entry_##name;
SERVES(MPI_Type_contiguous, contiguous_type)
SERVES(MPI_Type_dup, dup)
SERVES(MPI_Type_create_hvector, hvector)
SERVES(MPI_Type_create_hvector_c, long_hvector)
SERVES(MPI_Type_create_struct, structure)
SERVES(MPI_Type_commit, commit)
SERVES(MPI_Type_get_extent, extent_of)
SERVES(MPI_Type_get_true_extent, extent_of)
SERVES(MPI_Type_free, free_type)
SERVES(MPI_Pack_c, pack)
SERVES(MPI_Unpack_c, unpack)
SERVES(MPI_Comm_call_errhandler, handler)

/* Passes a section of 6 elements, each of two datatypes. */
static int described(const struct descriptor *d)
{
    struct section s __attribute__((cleanup(section_end)));
    return section_begin(&s, d, 12, (MPI_Datatype)(intptr_t)TYPES, TYPED);
}
static int copied(const struct descriptor *d)
{
    struct section s __attribute__((cleanup(section_end)));
    return section_begin(&s, d, 0, MPI_DATATYPE_NULL, COPIED | WRITTEN_BACK);
}

/* Makes each call fail, until none has failed. */
static void fail(const char *what, int (*use)(const struct descriptor *), const struct descriptor *d)
{
    int left = 0;
    wrong = 0;
    for (failing = 0;; failing++) {
        calls = made = 0;
        const int error = use(d);
        for (int i = 1; i <= made; i++) {
            left += live[i];
            live[i] = 0;
        }
        if (!error)
            break;
    }
    printf("%s: %d failures, %d wrong, %d left\n", what, failing, wrong, left);
}

int main(void)
{
    struct { struct descriptor d; char room[256]; } array = {.d = {.size = 4, .rank = 2}};
    for (int i = 0; i < 2; i++) {
        array.d.dim[i].extent = 4;
        array.d.dim[i].stride = i ? 64 : 8;
    }
    fail("datatype", described, &array.d);
    fail("copy", copied, &array.d);
    return 0;
}
