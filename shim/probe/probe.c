/*
 * The probe of `wi4go doctor`: two ranks pass a message. It is a program of one
 * family (PROBE_openmpi and so on), linked to that family's front, so that
 * it is made without any MPI; what it uses of the family's ABI is declared
 * here.
 *
 * It prints one line a rank: "probe: alone", "probe: ok", or what went wrong.
 */
#include <stdio.h>

#if defined PROBE_openmpi
typedef void *MPI_Comm, *MPI_Datatype, *MPI_Op;
extern char ompi_mpi_comm_world[], ompi_mpi_int[], ompi_mpi_op_sum[];
#define MPI_COMM_WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define MPI_INT ((MPI_Datatype)ompi_mpi_int)
#define MPI_SUM ((MPI_Op)ompi_mpi_op_sum)
#define MPI_ANY_SOURCE (-1)
typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled;
    unsigned long count;
} MPI_Status;
#elif defined PROBE_mpich
typedef int MPI_Comm, MPI_Datatype, MPI_Op;
#define MPI_COMM_WORLD 0x44000000
#define MPI_INT 0x4c000405
#define MPI_SUM 0x58000003
#define MPI_ANY_SOURCE (-2)
typedef struct {
    int count_low, count_high_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;
#elif defined PROBE_mpiabi
typedef void *MPI_Comm, *MPI_Datatype, *MPI_Op;
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_SUM ((MPI_Op)0x21)
#define MPI_ANY_SOURCE (-1)
typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, internal[5];
} MPI_Status;
#else
#error "name the family: -DPROBE_openmpi, -DPROBE_mpich or -DPROBE_mpiabi"
#endif

int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);

enum { TAG = 7, FIRST = 4711 };

/* Sends n numbers there and back: short ones and ones that go by way of shared
   memory or the kernel. Returns 0, or 1 when something else came back. */
static int exchange(int rank, int n)
{
    static int numbers[1 << 18];
    MPI_Status status;
    if (rank == 0) {
        for (int i = 0; i < n; i++)
            numbers[i] = FIRST + i;
        MPI_Send(numbers, n, MPI_INT, 1, TAG, MPI_COMM_WORLD);
    }
    MPI_Recv(numbers, n, MPI_INT, rank == 0 ? 1 : MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE != 1 - rank || status.MPI_TAG != TAG)
        return 1;
    for (int i = 0; i < n; i++)
        if (numbers[i]++ != FIRST + i + (rank == 0))
            return 1;
    if (rank == 1)
        MPI_Send(numbers, n, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    return 0;
}

int main(int argc, char **argv)
{
    int rank = -1, size = -1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *result = "alone";
    if (size > 1) {
        int wrong = rank < 2 && (exchange(rank, 1) || exchange(rank, 1 << 18));
        MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        result = sum ? "another message came than was sent" : "ok";
    }
    printf("probe: %s\n", result);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
