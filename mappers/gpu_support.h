/*
 * Queries whether the library handles memory of a kind of GPU. Families have functions of
 * different names for this, so each of the program's functions calls whichever the runtime has.
 * The answer is no if the runtime lacks a function for the kind.
 *
 * Gives: MPIX_Query_cuda_support and its kind.
 * Needs: pair.h, raise_error.h, pair_setup.h.
 */
#ifndef WI4GO_GPU_SUPPORT_H
#define WI4GO_GPU_SUPPORT_H
#include "pair.h"
#include "raise_error.h"
#include "pair_setup.h"

/* A kind of GPU. GPU_OTHER: the program's family defines a constant for it, and the queries
   here have no name for it. */
enum gpu { GPU_CUDA, GPU_ZE, GPU_HIP, GPU_OTHER, GPU_UNKNOWN };

/* Reports whether the runtime can be asked now. MPICH and Intel MPI end a process that asks before
   MPI is initialized or after it is finalized. Open MPI answers at any time, and so its programs
   may ask at any time. */
static int answers_now(void)
{
#if !SAME_FAMILY && defined(R_MPIX_GPU_SUPPORT_CUDA)
    int down = 0;
    return has_begun && !R_MPI_Finalized(&down) && !down;
#else
    return 1;
#endif
}

/* Reports whether the runtime handles memory of a kind of GPU. */
static int gpu_supported(enum gpu gpu)
{
    if (!answers_now())
        return 0;
#if defined(R_MPIX_GPU_SUPPORT_CUDA) && defined(R_MPIX_GPU_SUPPORT_ZE)
    /* This comes first because MPICH 3.4's other functions end the process. None of MPICH's
       enumerations has HIP. */
    int supported = 0;
    if (gpu <= GPU_ZE && HAVE(MPIX_GPU_query_support))
        return !R_MPIX_GPU_query_support(gpu == GPU_CUDA ? R_MPIX_GPU_SUPPORT_CUDA : R_MPIX_GPU_SUPPORT_ZE, &supported) && supported;
#endif
    if (gpu == GPU_CUDA && HAVE(MPIX_Query_cuda_support))
        return R_MPIX_Query_cuda_support();
    if (gpu == GPU_ZE && HAVE(MPIX_Query_ze_support))
        return R_MPIX_Query_ze_support();
    if (gpu == GPU_HIP && HAVE(MPIX_Query_hip_support))
        return R_MPIX_Query_hip_support();
    if (gpu == GPU_HIP && HAVE(MPIX_Query_rocm_support))
        return R_MPIX_Query_rocm_support();
    return 0;
}

static int A_MPIX_Query_cuda_support(void) { return gpu_supported(GPU_CUDA); }
static int A_MPIX_Query_ze_support(void) { return gpu_supported(GPU_ZE); }
static int A_MPIX_Query_hip_support(void) { return gpu_supported(GPU_HIP); }
static int A_MPIX_Query_rocm_support(void) { return gpu_supported(GPU_HIP); }

static int A_MPIX_GPU_query_support(int gpu_type, int *is_supported)
{
    enum gpu gpu = GPU_UNKNOWN;
#ifdef A_MPIX_GPU_SUPPORT_CUDA
    gpu = gpu_type == A_MPIX_GPU_SUPPORT_CUDA ? GPU_CUDA : gpu_type == A_MPIX_GPU_SUPPORT_ZE ? GPU_ZE : gpu;
#endif
#ifdef A_MPIX_GPU_SUPPORT_HIP
    gpu = gpu_type == A_MPIX_GPU_SUPPORT_HIP ? GPU_HIP : gpu;
#endif
#ifdef A_MPIX_GPU_SUPPORT_DEVICE_INITIATED
    gpu = gpu_type == A_MPIX_GPU_SUPPORT_DEVICE_INITIATED ? GPU_OTHER : gpu;
#endif
#if SAME_FAMILY /* the library may have its own kind */
    if (gpu >= GPU_OTHER && HAVE(MPIX_GPU_query_support))
        return R_MPIX_GPU_query_support(gpu_type, is_supported);
#endif
    if (gpu == GPU_UNKNOWN || !is_supported)
        return raise_error(WI4GO_NO_OBJECT, 0, A_MPI_ERR_ARG);
    *is_supported = gpu_supported(gpu);
    return 0;
}
#endif
