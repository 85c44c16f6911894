/* The queries about a program's ABI (MPI-5.0, 20.4) return the values of the mpi.h that the program was compiled with. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if CHECK_HAVE(5, 0)
    int major = 7, minor = 7, set = 0, flag, room;
    int yes = 0, no = 7;
    char value[8];
    MPI_Info info;
    MUST(MPI_Abi_get_version(&major, &minor));
#ifdef MPI_ABI_VERSION
    CHECK_INT(major, MPI_ABI_VERSION);
    CHECK_INT(minor, MPI_ABI_SUBVERSION);
#else
    CHECK_INT(major, -1);
    CHECK_INT(minor, -1);
#endif
    MUST(MPI_Abi_get_info(&info));
    room = sizeof value;
    MUST(MPI_Info_get_string(info, "mpi_aint_size", &room, value, &flag));
    CHECK_INT(flag, 1);
    CHECK_INT(atoi(value), (int)sizeof(MPI_Aint));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Abi_get_fortran_booleans(sizeof yes, &yes, &no, &set));
    CHECK_INT(set, 1);
    CHECK(yes != no);
#endif
    return check_done("env_abi");
}
