/* The queries that are allowed before MPI_Init return without loading anything: no thread, no mapping, no signal
   handler. The first other call loads the library. */
#include "fact.h"
#include <signal.h>

int main(void)
{
    int flag = -1, version = -1, subversion = -1;
    MUST(MPI_Initialized(&flag));
    CHECK(flag == 0);
    MUST(MPI_Finalized(&flag));
    CHECK(flag == 0);
    CHECK(fact_threads() == 1);
    CHECK(!fact_mapped("libwi4go.so"));
    for (int i = 1; i < NSIG; i++) {
        struct sigaction action;
        if (!sigaction(i, NULL, &action))
            CHECK(action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);
    }
    MUST(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3 && version <= MPI_VERSION);
    MUST(MPI_Init(NULL, NULL));
    MUST(MPI_Initialized(&flag));
    CHECK(flag == 1);
    MUST(MPI_Finalize());
    MUST(MPI_Finalized(&flag));
    CHECK(flag == 1);
    return fact_done();
}
