/* Replaces the front for shim/fortran/descriptor.c: each call that creates a datatype of a section fails in
   turn. All datatypes must be freed, each once. */
#include "../../../shim/fortran/descriptor.c"
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
static int contiguous_type(MPI_Count n, MPI_Datatype old, MPI_Datatype *type) { return make(type); }
static int dup(MPI_Datatype old, MPI_Datatype *type) { return make(type); }
static int hvector(MPI_Count n, MPI_Count length, MPI_Count stride, MPI_Datatype old, MPI_Datatype *type) { return make(type); }
static int structure(MPI_Count n, const MPI_Count lengths[], const MPI_Count at[], const MPI_Datatype old[], MPI_Datatype *type) { return make(type); }
static int commit(MPI_Datatype *type) { return calls++ == failing ? MPI_ERR_NO_MEM : MPI_SUCCESS; }
static int size_of(MPI_Datatype type, MPI_Count *size) { *size = 4; return MPI_SUCCESS; }
static int extent_of(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) { *lower = 0; *extent = 4; return MPI_SUCCESS; }
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
SERVES(MPI_Type_contiguous_c, contiguous_type)
SERVES(MPI_Type_dup, dup)
SERVES(MPI_Type_create_hvector_c, hvector)
SERVES(MPI_Type_create_struct_c, structure)
SERVES(MPI_Type_commit, commit)
SERVES(MPI_Type_size_c, size_of)
SERVES(MPI_Type_get_extent_c, extent_of)
SERVES(MPI_Type_free, free_type)

int main(void)
{
    struct { struct descriptor d; char room[256]; } array = {.d = {.size = 4, .rank = 2}};
    int left = 0, failed = 0;
    for (int i = 0; i < 2; i++) {
        array.d.dim[i].extent = 4;
        array.d.dim[i].stride = i ? 64 : 8;
    }
    for (failing = 0;; failing++) { /* until no call has failed */
        calls = made = 0;
        struct section s = section_of(&array.d, 6, (MPI_Datatype)(intptr_t)TYPES);
        done(&s);
        for (int i = 1; i <= made; i++) {
            left += live[i];
            live[i] = 0;
        }
        if (!s.error)
            break;
        failed++;
    }
    printf("%d failures, %d wrong, %d left\n", failed, wrong, left);
    return 0;
}
