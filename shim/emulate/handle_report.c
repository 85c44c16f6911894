/*
 * Reports the handles that a program has left at MPI_Finalize, if the user sets
 * WI4GO_HANDLES=report: one line on stderr for each rank. The report reads the tables of handles
 * of the pair. A pair has none if its handles are the library's own or are computed. No state, no
 * lock.
 */
#include "emulate.h"
#include <stdlib.h>
#include <string.h>

int wi4go_needs_layer_handle_report(const struct wi4go_pair *pair)
{
    const char *setting = getenv("WI4GO_HANDLES");
    if (!setting || !*setting)
        return 0;
    if (strcmp(setting, "report"))
        wi4go_die("WI4GO_HANDLES=%s: unknown value: set it to report, or unset it", setting);
    return 1;
}

/* Writes the report, then finalizes. */
int handle_report_MPI_Finalize(void)
{
    char text[4096];
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (wi4go_handles_left(text, sizeof text)) {
        if (rank == 0)
            wi4go_print("WI4GO_HANDLES has no effect on %s: wi4go counts handles only for programs of MPICH's family on libraries of other "
                        "families", wi4go_runtime_path);
    } else if (*text)
        wi4go_print("rank %d: not freed at MPI_Finalize: %s", rank, text);
    else
        wi4go_print("rank %d: every handle is freed at MPI_Finalize", rank);
    return BELOW(handle_report, MPI_Finalize)();
}
