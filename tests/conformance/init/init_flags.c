/* The functions that may be called before MPI_Init and after MPI_Finalize, and their results; a constructor that calls
   MPI before main. */
#include "check.h"

static int early_initialized = -1, early_finalized = -1, early_version = -1;

__attribute__((constructor)) static void early(void)
{
    int minor;
    MPI_Initialized(&early_initialized);
    MPI_Finalized(&early_finalized);
    MPI_Get_version(&early_version, &minor);
}

int main(void)
{
    int flag = -1, major = -1, minor = -1, length = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];

    CHECK_INT(early_initialized, 0);
    CHECK_INT(early_finalized, 0);
    CHECK(early_version >= 3);
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Finalized(&flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Get_version(&major, &minor));
    CHECK(major >= 3 && minor >= 0);
    MUST(MPI_Get_library_version(text, &length));
    CHECK(length > 0 && length < MPI_MAX_LIBRARY_VERSION_STRING);
    CHECK(strlen(text) > 0 && strlen(text) <= (size_t)length);
    CHECK(strstr(text, "MPI") != NULL);

    MUST(MPI_Init(NULL, NULL));
    check_ranks();
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Finalized(&flag));
    CHECK_INT(flag, 0);
    int again_major, again_minor;
    MUST(MPI_Get_version(&again_major, &again_minor));
    CHECK(again_major == major && again_minor == minor);
    CHECK(rank >= 0 && rank < size);
    char name[MPI_MAX_PROCESSOR_NAME];
    MUST(MPI_Get_processor_name(name, &length));
    CHECK_INT(length, strlen(name));
    CHECK(length > 0);
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1);
    double before = MPI_Wtime();
    while (MPI_Wtime() == before)
        ;
    CHECK(MPI_Wtime() > before);
    MUST(MPI_Pcontrol(1));
    MUST(MPI_Pcontrol(2, 3.5, "any", 4));
    MUST(MPI_Barrier(MPI_COMM_WORLD));

    int all = 0;
    MUST(MPI_Allreduce(&check_failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    MUST(MPI_Finalize());
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Finalized(&flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Get_version(&again_major, &again_minor));
    CHECK(again_major == major && again_minor == minor);
    MUST(MPI_Get_library_version(text, &length));
    CHECK(length > 0);
    return check_verdict("init_flags", all + (rank == 0 ? check_failures : 0));
}
