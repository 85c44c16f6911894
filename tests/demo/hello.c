/*
 * hello.c: prints the library that it was built for and the library that executes it, and passes a message around all
 * ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

#if defined(OPEN_MPI)
#define BUILT_FOR "Open MPI " VALUE(OMPI_MAJOR_VERSION) "." VALUE(OMPI_MINOR_VERSION) "." VALUE(OMPI_RELEASE_VERSION)
#elif defined(I_MPI_VERSION)
#define BUILT_FOR "Intel MPI " I_MPI_VERSION
#elif defined(MPICH_VERSION)
#define BUILT_FOR "MPICH " MPICH_VERSION
#elif defined(MPI_ABI_VERSION)
#define BUILT_FOR "the standard ABI " VALUE(MPI_ABI_VERSION) "." VALUE(MPI_ABI_SUBVERSION)
#else
#define BUILT_FOR "an unknown MPI"
#endif

int main(int argc, char **argv) {
	char library[MPI_MAX_LIBRARY_VERSION_STRING];
	int rank, size, length, token = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Get_library_version(library, &length);

	if (rank == 0) {
		printf("built for    %s (MPI %d.%d)\n", BUILT_FOR, MPI_VERSION, MPI_SUBVERSION);
		/* The first line has the form that programs of this family expect. A further line reports wi4go if it is in
		 * between. MPICH's own text continues with its configuration. */
		char *line = strtok(library, "\n");
		printf("executed by  %s\n", line ? line : "an unknown library");
		while ((line = strtok(NULL, "\n")))
			if (strstr(line, "wi4go"))
				printf("             %s\n", line);
	}

	/* Every rank adds its number to the token that goes around. */
	int next = (rank + 1) % size, previous = (rank + size - 1) % size;
	MPI_Status status = {.MPI_SOURCE = -1};
	if (rank == 0) {
		int first = 0;
		MPI_Sendrecv(&first, 1, MPI_INT, next, 1, &token, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, &status);
	} else {
		MPI_Recv(&token, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, &status);
		token += rank;
		MPI_Send(&token, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
	}
	int good = token == (rank == 0 ? size * (size - 1) / 2 : rank * (rank + 1) / 2) && status.MPI_SOURCE == previous;
	int all;
	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (rank == 0)
		printf("ring         %d ranks, token %d: %s\n", size, token, all ? "as it should be" : "WRONG");
	MPI_Finalize();
	return all ? 0 : 1;
}
