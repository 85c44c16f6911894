/* MPI_Abort ends a process with the code it was given, a fatal error with some code but zero. Each rank starts copies of
   the program by itself, outside of the launcher's job, and looks at how they ended. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The environment without what ties a process to its launcher. */
static void leave_job(void)
{
    static const char *ties[] = {"PMI_", "PMIX_", "OMPI_COMM", "OMPI_MCA_orte", "OMPI_MCA_ess", "OMPI_MCA_pmix",
                                 "OMPI_UNIVERSE", "OMPI_APP", "OMPI_FIRST", "OMPI_NUM", "OMPI_FILE", "PRTE_", "HYDI_",
                                 "HYDRA_", "MPI_LOCAL", "PMI2_", "MPIR_"};
    char *names[512];
    int count = 0;
    for (char **entry = environ; *entry && count < 512; entry++)
        for (unsigned i = 0; i < sizeof ties / sizeof *ties; i++)
            if (strncmp(*entry, ties[i], strlen(ties[i])) == 0) {
                names[count++] = strndup(*entry, strcspn(*entry, "="));
                break;
            }
    for (int i = 0; i < count; i++)
        unsetenv(names[i]);
}

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
        pid_t child = fork();
        if (child == 0) {
            leave_job();
            for (int fd = 3; fd < 256; fd++)
                close(fd);
            if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
                _exit(98);
            execl("/proc/self/exe", argv[0], "abort", codes[i], (char *)NULL);
            _exit(97);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        if (i < 3)
            CHECK_INT(WEXITSTATUS(status), atoi(codes[i]));
        else
            CHECK(WEXITSTATUS(status) != 0);
    }
    check_init(&argc, &argv);
    return check_done("init_abort");
}
