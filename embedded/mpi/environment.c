/* Inquiries about the library and the host, memory, and timers (MPI-5.0, 9.1, 9.2, 9.6). No state, no locks. */
#include "functions.h"
#include "../base/errors.h"
#include "../../shim/front/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports MPI-3.1, the version whose functions this library implements. */
int em_Get_version(int *version, int *subversion)
{
    *version = 3;
    *subversion = 1;
    return MPI_SUCCESS;
}

int em_Get_library_version(char *version, int *resultlen)
{
    *resultlen = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "wi4go embedded MPI %s, for one host", WI4GO_VERSION);
    return MPI_SUCCESS;
}

int em_Get_processor_name(char *name, int *resultlen)
{
    MPID_Node_name(name, MPI_MAX_PROCESSOR_NAME);
    *resultlen = (int)strlen(name);
    return MPI_SUCCESS;
}

/* Memory begins at a cache line. No hints are supported, so info is ignored. */
int em_Alloc_mem(MPI_Aint size, struct info *info, void *baseptr)
{
    if (size < 0)
        return em_error(MPI_ERR_ARG, "size is %lld", (long long)size);
    if (posix_memalign((void **)baseptr, 64, size ? (size_t)size : 1))
        return em_error(MPI_ERR_NO_MEM, "no memory for %lld bytes", (long long)size);
    return MPI_SUCCESS;
}

int em_Free_mem(void *base)
{
    free(base);
    return MPI_SUCCESS;
}

/* Seconds of the device's clock. All ranks run on one host and read one clock. */
double em_Wtime(void)
{
    double seconds;
    MPID_Wtime(&seconds);
    return seconds;
}

double em_Wtick(void)
{
    double seconds;
    MPID_Wtick(&seconds);
    return seconds;
}

int em_Pcontrol(const int level) { return MPI_SUCCESS; }
