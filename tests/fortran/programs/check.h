! The three bindings in one source: -DMPIF (mpif.h), -DMOD (use mpi), -DF08 (use
! mpi_f08) say which, and these macros what they call the types.
#if defined(F08)
#define IN_BINDING use mpi_f08
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define IS_HANDLE(kind) type(kind)
#define IS_STATUS(name) type(MPI_Status) :: name
#define IS_STATUSES(name, n) type(MPI_Status) :: name(n)
#define SOURCE(status) status%MPI_SOURCE
#define TAG(status) status%MPI_TAG
#define SOURCE_AT(statuses, i) statuses(i)%MPI_SOURCE
#define TAG_AT(statuses, i) statuses(i)%MPI_TAG
#define NUMBER(handle) handle%MPI_VAL
#else
#if defined(MOD)
#define IN_BINDING use mpi
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define IN_BINDING include 'mpif.h'
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#define IS_HANDLE(kind) integer
#define IS_STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define IS_STATUSES(name, n) integer :: name(MPI_STATUS_SIZE, n)
#define SOURCE(status) status(MPI_SOURCE)
#define TAG(status) status(MPI_TAG)
#define SOURCE_AT(statuses, i) statuses(MPI_SOURCE, i)
#define TAG_AT(statuses, i) statuses(MPI_TAG, i)
#define NUMBER(handle) handle
#endif
