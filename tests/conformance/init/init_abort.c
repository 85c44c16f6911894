/* MPI_Abort ends a process with the given code, a fatal error with any nonzero code. Each rank starts copies of the
   program outside the launcher's job and checks their exit statuses. */
#include "alone.h"

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "abort") == 0) {
        MPI_Init(&argc, &argv);
#ifdef MPI_ERRORS_ABORT
        if (strcmp(argv[2], "00") == 0)
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
#endif
        if (atoi(argv[2]) == 0) /* the default error handler is fatal */
            MPI_Send(argv, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
        MPI_Abort(atoi(argv[2]) == 43 ? MPI_COMM_SELF : MPI_COMM_WORLD, atoi(argv[2]));
        return 1; /* not reached */
    }
    static const char *codes[] = {"42", "43", "1", "0", "00"};
    for (int i = 0; i < 5; i++) {
        const int status = run_alone(argv, "abort", codes[i]);
        CHECK(WIFEXITED(status));
        if (i < 3)
            CHECK_INT(WEXITSTATUS(status), atoi(codes[i]));
        else
            CHECK(WEXITSTATUS(status) != 0);
    }
    check_init(&argc, &argv);
    return check_done("init_abort");
}
