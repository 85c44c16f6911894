/* Objects that emulated requests hold (shim/emulate/requests.c): each of N requests holds its own datatype, a datatype
   that all share, and a communicator with the datatype's number. The program frees all of them, and then the requests
   end. Prints errors. */
#include "emulate.h"
#include <stdio.h>

void *wi4go_R[N_SLOTS];
void *const wi4go_missing_entries[N_SLOTS];
void wi4go_die(const char *format, ...) { (void)format; abort(); }
int below_requests_MPI_Testall(int n, A_MPI_Request *r, int *flag, A_MPI_Status *s) { (void)n, (void)r, (void)flag, (void)s; abort(); }
int below_requests_MPI_Op_free(A_MPI_Op *op) { (void)op; abort(); }
void wi4go_layers_install(enum wi4go_moment moment) { (void)moment; }

static int types_freed, comms_freed;
static int64_t last_freed;
static int envelope(A_MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses, MPI_Count *counts, MPI_Count *types, int *combiner)
{
    (void)type, (void)integers, (void)addresses, (void)counts, (void)types;
    *combiner = MPI_COMBINER_CONTIGUOUS;
    return 0;
}
void *wi4go_inner[N_SLOTS] = {[SLOT_MPI_Type_get_envelope_c] = (void *)envelope};
int below_requests_MPI_Type_free(A_MPI_Datatype *type)
{
    last_freed = (int64_t)*type;
    types_freed++;
    return 0;
}
int below_requests_MPI_Comm_free(A_MPI_Comm *comm)
{
    (void)comm;
    comms_freed++;
    return 0;
}

#define COMMON 0x7000
static A_MPI_Datatype numbered(int i) { return (A_MPI_Datatype)(0x10000 + 16 * i); }

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 0;
    static const struct emulated_kind kind = {.size = sizeof(struct emulated)};
    struct emulated **e = calloc((size_t)n + 1, sizeof *e);
    for (int i = 0; i < n; i++) {
        const A_MPI_Datatype types[] = {numbered(i), COMMON, numbered(i)};
        e[i] = wi4go_request_new(&kind, 1);
        wi4go_request_hold_types(e[i], types, 3);
        wi4go_request_hold(e[i], SLOT_MPI_Comm_free, (int64_t)numbered(i));
    }
    for (int i = 0; i < n; i++) {
        A_MPI_Datatype type = numbered(i);
        A_MPI_Comm comm = (A_MPI_Comm)numbered(i);
        if (requests_MPI_Type_free(&type) || type != MPI_DATATYPE_NULL || requests_MPI_Comm_free(&comm) || comm != MPI_COMM_NULL)
            printf("object %d is not given up\n", i);
    }
    A_MPI_Datatype common = COMMON;
    if (n)
        requests_MPI_Type_free(&common);
    if (types_freed || comms_freed)
        printf("%d datatypes and %d communicators are freed while requests use them\n", types_freed, comms_freed);
    for (int i = 0; i < n; i++) {
        wi4go_request_discard(e[i]);
        const int expected = i + 1 + (i == n - 1);
        if (types_freed != expected || comms_freed != i + 1 || (i < n - 1 && last_freed != (int64_t)numbered(i)))
            printf("after request %d %d datatypes and %d communicators are freed\n", i, types_freed, comms_freed);
    }
    A_MPI_Datatype other = numbered(n);
    if (requests_MPI_Type_free(&other) || last_freed != (int64_t)numbered(n))
        printf("a datatype that no request holds is not freed at once\n");
    free(e);
    return 0;
}
