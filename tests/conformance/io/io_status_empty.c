/* Collective access in which all ranks but one have no bytes. Their statuses, empty before, report that. With Open
   MPI's ROMIO. */
#include "check.h"

#include "files.h"

static void empty(MPI_Status *status) { memset(status, 0, sizeof *status); }

static void check_bytes(const MPI_Status *status, int bytes)
{
    int elements, cancelled;
    MPI_Count elements_x;
    MUST(MPI_Get_elements(status, MPI_BYTE, &elements));
    CHECK_INT(elements, bytes);
    MUST(MPI_Get_elements_x(status, MPI_BYTE, &elements_x));
    CHECK(elements_x == bytes);
    MUST(MPI_Test_cancelled(status, &cancelled));
    CHECK_INT(cancelled, 0);
}

int main(int argc, char **argv)
{
    setenv("OMPI_MCA_io", "^ompio", 0);
    check_init(&argc, &argv);
    char *path = file_path("io_status_empty.dat"), bytes[16] = "fifteen letters";
    int n = rank == 0 ? sizeof bytes : 0;
    MPI_File file;
    MPI_Status status;

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    empty(&status);
    MUST(MPI_File_write_at_all(file, 0, bytes, n, MPI_BYTE, &status));
    check_bytes(&status, n);
    empty(&status);
    MUST(MPI_File_read_at_all(file, 0, bytes, n, MPI_BYTE, &status));
    check_bytes(&status, n);
    empty(&status);
    MUST(MPI_File_write_all(file, bytes, n, MPI_BYTE, &status));
    check_bytes(&status, n);
    MUST(MPI_File_write_at_all_begin(file, 0, bytes, n, MPI_BYTE));
    empty(&status);
    MUST(MPI_File_write_at_all_end(file, bytes, &status));
    check_bytes(&status, n);
    MUST(MPI_File_close(&file));

    return check_done("io_status_empty");
}
