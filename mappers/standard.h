/*
 * What is learnt of a runtime of the standard ABI, beyond what the standard says
 * of all of them.
 */
#if R_IS_mpiabi
#define MPICH_ERRORS_ABORT 0x54000003 /* of MPICH's other ABI */

/* Whether the library numbers some constants as a draft of the standard did
   (gen/draft.go). In Intel MPI 2021.18 MPI_ERRORS_RETURN and MPI_ERRORS_ABORT
   have changed places, which MPI_Errhandler_toint lets see before MPI_Init: it
   gives the handles of Intel's other ABI, and those of the standard's own in a
   library that is made to the standard (MPI-5.0, 20.3.4). */
static void learn_draft(void)
{
    runtime_is_draft = 0; /* so that this is the standard's number */
    runtime_is_draft = HAVE(MPI_Errhandler_toint) && R_MPI_Errhandler_toint((R_MPI_Errhandler)R_MPI_ERRORS_RETURN) == MPICH_ERRORS_ABORT;
}
#else
static inline void learn_draft(void) {}
#endif

#if R_IS_mpiabi && !A_IS_mpiabi
/*
 * A status has five words that are the library's own (MPI-5.0, 20.3.5). MPICH's
 * way, and Intel's, is that of their other ABI, in the first two. Whether it is
 * this library's is tried when MPI is up; if it is not, the library is asked
 * each time, and no function goes its short way, which knows only this one.
 */
static __attribute__((cold, noinline)) int64_t library_count(const R_MPI_Status *s)
{
    MPI_Count count = 0;
    R_MPI_Get_elements_x(s, (R_MPI_Datatype)R_MPI_BYTE, &count);
    return count;
}

static __attribute__((cold, noinline)) int library_cancelled(const R_MPI_Status *s)
{
    int flag = 0;
    R_MPI_Test_cancelled(s, &flag);
    return flag;
}

static __attribute__((cold, noinline)) void library_set(R_MPI_Status *s, int64_t count, int cancelled)
{
    R_MPI_Status_set_elements_x(s, (R_MPI_Datatype)R_MPI_BYTE, count);
    R_MPI_Status_set_cancelled(s, cancelled);
}

static void leave_to_c(void);

static void learn_statuses(void)
{
    R_MPI_Status theirs, ours;
    int same = 1;
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        memset(&theirs, 0x5a, sizeof theirs);
        ours = theirs;
        library_set(&theirs, 0x123456789a, cancelled);
        mpiabi_status_set(&ours, 0x123456789a, cancelled);
        same &= !memcmp(&theirs, &ours, sizeof ours);
    }
    __atomic_store_n(&status_words_are_mpich, same, __ATOMIC_RELEASE);
    if (!same)
        leave_to_c();
}
#define AFTER_INIT learn_statuses
#endif
