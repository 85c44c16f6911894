/*
 * Ranks that end abnormally, in the way of the first argument. All ranks print "rank R begins" first. If ranks wait for
 * a rank that is gone, the launcher has to end them.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank;

static void say(const char *what, const char *more)
{
    printf("rank %d %s%s\n", rank, what, more);
    fflush(stdout);
}

static void wait_for_ever(void)
{
    int none;
    MPI_Recv(&none, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Writes to a device that is always full (MPI-5.0, 14.9: MPI_ERR_NO_SPACE). */
static void full(void)
{
    static char data[1 << 16];
    MPI_File file;
    int code = MPI_File_open(MPI_COMM_SELF, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &file), class = MPI_SUCCESS;
    if (code == MPI_SUCCESS) {
        code = MPI_File_write(file, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
        int closed = MPI_File_close(&file);
        code = code ? code : closed;
        MPI_Error_class(code, &class);
        say("writes: ", code == MPI_SUCCESS ? "success" : class == MPI_ERR_NO_SPACE ? "no space" : class == MPI_ERR_IO ? "I/O" : "another class");
    } else {
        MPI_Error_class(code, &class);
        say("opens: ", class == MPI_ERR_IO ? "I/O" : "another class");
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    say("begins", "");
    MPI_Barrier(MPI_COMM_WORLD);
    int last = rank == 1;
    if (!strcmp(how, "wait"))
        wait_for_ever();
    else if (!strcmp(how, "kill"))
        last ? (void)raise(SIGKILL) : wait_for_ever();
    else if (!strcmp(how, "fault"))
        last ? (void)raise(SIGSEGV) : wait_for_ever();
    else if (!strcmp(how, "abort"))
        last ? abort() : wait_for_ever();
    else if (!strcmp(how, "leave"))
        last ? _exit(3) : wait_for_ever();
    else if (!strcmp(how, "exit"))
        exit(rank ? 0 : 5); /* without MPI_Finalize */
    else if (!strcmp(how, "error"))
        last ? (void)MPI_Send(how, 1, MPI_CHAR, 12345, 1, MPI_COMM_WORLD) : wait_for_ever();
    else if (!strcmp(how, "MPI_Abort"))
        last ? (void)MPI_Abort(MPI_COMM_WORLD, 7) : wait_for_ever();
    else if (!strcmp(how, "full"))
        full();
    MPI_Finalize();
    say("ends", "");
    return 0;
}
