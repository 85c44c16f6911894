/*
 * Objects and requests of each kind until the process has no more memory (RLIMIT_AS), or the job no more context ids. The
 * call returns MPI_ERR_NO_MEM, the objects can be freed, and the library works as before. On two ranks.
 */
#include "types_check.h"

#include <sys/resource.h>

enum { MOST = 1000000, ROOM = 32 << 20 };

static union {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Errhandler errhandler;
    MPI_Group group;
    MPI_Info info;
    MPI_Op op;
    int keyval;
    MPI_Request request;
} made[MOST];
static int rank, size, value;
static int data[1000], in[1000];
static MPI_Group all;

static void combine(void *from, void *to, int *n, MPI_Datatype *type) { (void)from, (void)to, (void)n, (void)type; }
static void handler(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

/* Defines two functions: one creates the object i, the other one frees it. */
#define KIND(name, create, free) \
    static int create_##name(int i) { return create; } \
    static int free_##name(int i) { return free; }

KIND(comm, MPI_Comm_dup(MPI_COMM_SELF, &made[i].comm), MPI_Comm_free(&made[i].comm))
KIND(type, MPI_Type_vector(i + 1, 1, 2, MPI_INT, &made[i].type), MPI_Type_free(&made[i].type))
KIND(errhandler, MPI_Comm_create_errhandler(handler, &made[i].errhandler), MPI_Errhandler_free(&made[i].errhandler))
KIND(group, MPI_Group_incl(all, 1, &value, &made[i].group), MPI_Group_free(&made[i].group))
KIND(info, MPI_Info_create(&made[i].info), MPI_Info_free(&made[i].info))
KIND(op, MPI_Op_create(combine, 1, &made[i].op), MPI_Op_free(&made[i].op))
KIND(keyval, MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &made[i].keyval, NULL), MPI_Comm_free_keyval(&made[i].keyval))
KIND(persistent, MPI_Send_init(data, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &made[i].request), MPI_Request_free(&made[i].request))
KIND(receive, MPI_Irecv(in, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &made[i].request), MPI_Cancel(&made[i].request) || MPI_Wait(&made[i].request, MPI_STATUS_IGNORE))
/* Unexpected messages, to the other rank and to this one. */
KIND(send, MPI_Isend(data, 1000, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &made[i].request), ((void)i, MPI_SUCCESS))
KIND(own, MPI_Isend(data, 1000, MPI_INT, 0, 4, MPI_COMM_SELF, &made[i].request), ((void)i, MPI_SUCCESS))

static const struct {
    const char *name;
    int (*create)(int), (*free)(int);
} kinds[] = {
#define ROW(name) {#name, create_##name, free_##name}
    ROW(comm), ROW(type), ROW(errhandler), ROW(group), ROW(info), ROW(op), ROW(keyval), ROW(persistent), ROW(receive), ROW(send), ROW(own),
};

static size_t address_space(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld", &pages) == 1);
    fclose(file);
    return (size_t)pages * 4096;
}

/* All messages arrive: sent of this rank, received of the other one. */
static void receive_all(int sent, int received, MPI_Comm comm, int source, int tag)
{
    for (int i = 0; i < received; i++)
        MUST(MPI_Recv(in, 1000, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE));
    for (int i = 0; i < sent; i++)
        MUST(MPI_Wait(&made[i].request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_SELF, &all);
    memset(made, 0, sizeof made); /* its memory is there before the limit */
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct rlimit unlimited, few;
        int n = 0, error = MPI_SUCCESS, sum = 0, counts[64], before = (rank + size - 1) % size;
        getrlimit(RLIMIT_AS, &unlimited);
        few = unlimited;
        few.rlim_cur = address_space() + ROOM;
        setrlimit(RLIMIT_AS, &few);
        while (n < MOST && (error = kinds[k].create(n)) == MPI_SUCCESS)
            n++;
        setrlimit(RLIMIT_AS, &unlimited);
        if (error)
            FAILS(MPI_ERR_NO_MEM, error);
        printf("%d objects of the kind %s\n", n, kinds[k].name);
        MUST(MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD));
        for (int i = 0; i < size; i++)
            sum += counts[i];
        CHECK(sum > 1000 * size); /* the ranks share the context ids */
        if (kinds[k].create == create_send)
            receive_all(n, counts[before], MPI_COMM_WORLD, before, 3);
        else if (kinds[k].create == create_own)
            receive_all(n, n, MPI_COMM_SELF, 0, 4);
        for (int i = 0; i < n; i++)
            MUST(kinds[k].free(i));
        MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL(size * (size - 1) / 2, sum);
    }
    MPI_Group_free(&all);
    return right("exhausted_objects");
}
