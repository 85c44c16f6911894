/*
 * Request handles of 64 bits, of both kinds: what does not depend on how a
 * handle of the runtime is told from one of ours (REQUEST_IS_PLAIN,
 * REQUEST_IS_OWN, A_FROM_R).
 */
static inline A_MPI_Request REQUEST_r2a(R_MPI_Request r)
{
    return unlikely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : A_FROM_R(r);
}

/* For a call that always starts an operation. */
static inline A_MPI_Request REQUEST_r2a_started(R_MPI_Request r) { return A_FROM_R(r); }
#define REQUEST_r2a_persistent REQUEST_r2a

static A_MPI_Request REQUEST_after_own(A_MPI_Request a, R_MPI_Request r);

static inline A_MPI_Request REQUEST_after(A_MPI_Request a, R_MPI_Request r)
{
    if (unlikely(REQUEST_IS_OWN(a)))
        return REQUEST_after_own(a, r);
    return likely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : a;
}

static inline A_MPI_Request REQUEST_replaced(A_MPI_Request a, R_MPI_Request r)
{
    return REQUEST_IS_PLAIN(a) && r != R_MPI_REQUEST_NULL ? A_FROM_R(r) : a;
}

static inline A_MPI_Request REQUEST_of_own(struct own *record) { return OWN_BIT | (int64_t)(intptr_t)record; }
static inline void REQUEST_forget_own(A_MPI_Request a) { (void)a; }
static inline struct own *own_of(int64_t a) { return (struct own *)(intptr_t)(a & ~OWN_BIT); }

static inline void handles_prepare(void) {}
