/* The environment: ranks, names, versions, clocks, memory (MPI-3.1, 8.1 to 8.7). */
#include <unistd.h>
#include "check.h"

int main(int argc, char **argv)
{
    int flag = -1, version = -1, subversion = -1, length = -1;
    char library[MPI_MAX_LIBRARY_VERSION_STRING], processor[MPI_MAX_PROCESSOR_NAME], host[256];

    /* Before MPI_Init. */
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Finalized(&flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3 && version <= 5 && subversion >= 0 && subversion <= 1);
#ifdef MPI_ABI_VERSION /* the same level, whatever library the program was linked with */
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
#endif
    MUST(MPI_Get_library_version(library, &length));
    CHECK(length > 0 && length <= MPI_MAX_LIBRARY_VERSION_STRING);
    const int shown = (int)strnlen(library, sizeof library); /* Open MPI also counts the final zero */
    CHECK(shown > 0 && shown < (int)sizeof library && (length == shown || length == shown + 1));

    check_init(&argc, &argv);
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    CHECK(size >= 1 && rank >= 0 && rank < size);
    int self_rank = -1, self_size = -1, sum = -1;
    MUST(MPI_Comm_rank(MPI_COMM_SELF, &self_rank));
    MUST(MPI_Comm_size(MPI_COMM_SELF, &self_size));
    CHECK_INT(self_rank, 0);
    CHECK_INT(self_size, 1);
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(sum, size * (size - 1) / 2); /* all ranks differ */

    memset(processor, 'x', sizeof processor);
    MUST(MPI_Get_processor_name(processor, &length));
    CHECK(length > 0 && length < MPI_MAX_PROCESSOR_NAME);
    CHECK_INT(strnlen(processor, sizeof processor), length);
    gethostname(host, sizeof host);
    CHECK(strncmp(processor, host, strcspn(host, ".")) == 0);

    const double start = MPI_Wtime();
    usleep(20000);
    const double passed = MPI_Wtime() - start;
    CHECK(passed >= 0.019 && passed < 20);
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 0.1);

    int *memory = NULL;
    MUST(MPI_Alloc_mem(1000 * sizeof(int), MPI_INFO_NULL, &memory));
    CHECK(memory != NULL);
    for (int i = 0; i < 1000; i++)
        memory[i] = i;
    CHECK_INT(memory[999], 999);
    MUST(MPI_Free_mem(memory));

    /* Pcontrol takes any number of arguments of any kind. */
    MUST(MPI_Pcontrol(1));
    MUST(MPI_Pcontrol(2, 3.5, "text", 7L));

    int provided = -1, is_main = -1;
    MUST(MPI_Query_thread(&provided));
    CHECK(provided == MPI_THREAD_SINGLE || provided == MPI_THREAD_FUNNELED || provided == MPI_THREAD_SERIALIZED ||
          provided == MPI_THREAD_MULTIPLE);
    MUST(MPI_Is_thread_main(&is_main));
    CHECK_INT(is_main, 1);
    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
          MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);

    /* After MPI_Finalize. */
    int all = 0;
    MUST(MPI_Allreduce(&check_failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    MUST(MPI_Finalize());
    const int before = check_failures;
    MUST(MPI_Finalized(&flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3);
    return check_verdict("env_basic", all + check_failures - before);
}
