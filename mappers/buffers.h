/*
 * Buffers for buffered sends (MPI-5.0, 3.6). A program sizes them with the
 * MPI_BSEND_OVERHEAD of its own mpi.h. MPICH's library of the standard ABI refuses a buffer
 * that is smaller than the standard's MPI_BSEND_OVERHEAD, although it needs no more space than
 * its other ABI does. Instead of such a small buffer the library gets a larger one of the
 * front, from attach to detach.
 *
 * Ownership: a struct small_buffer is allocated by the attach and freed by the detach, or at
 * once if the attach fails. Locking: small_buffers_mutex protects the list of them.
 *
 * Gives: MPI_Buffer_attach and its kind.
 * Needs: pair.h, errors.h, handles.h, raise_error.h.
 */
#ifndef WI4GO_BUFFERS_H
#define WI4GO_BUFFERS_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "raise_error.h"
#include <pthread.h>

/* A substitute for a small buffer of the program. */
struct small_buffer {
    struct small_buffer *next;
    void *program_buffer;                         /* the program's buffer */
    int64_t size;                                 /* its size in bytes */
    _Alignas(16) char substitute[R_MPI_BSEND_OVERHEAD]; /* the buffer that the runtime gets */
};

static struct small_buffer *small_buffers;
static pthread_mutex_t small_buffers_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Reports whether the buffer is MPI_BUFFER_AUTOMATIC and the runtime is older than that
   constant. Both it and MPI_Buffer_flush came with MPI 4.1. An older library would take the
   constant for an address and write there. */
static int is_unsupported_automatic(const void *buffer)
{
#ifdef A_MPI_BUFFER_AUTOMATIC
    return buffer == A_MPI_BUFFER_AUTOMATIC && !HAVE(MPI_Buffer_flush);
#else
    return 0;
#endif
}

/* Returns the buffer to attach for the program's, and updates *size to its size in bytes. Ends
   the process if memory is exhausted. */
static void *buffer_a2r(void *buffer, int64_t *size)
{
    void *r = ATTACH_BUFFER_a2r(buffer);
    if (!R_SMALL_BUFFERS_REFUSED || r != buffer || !buffer || *size < A_MPI_BSEND_OVERHEAD || *size >= R_MPI_BSEND_OVERHEAD)
        return r;
    struct small_buffer *b = malloc(sizeof *b);
    if (!b)
        wi4go_die("out of memory for a buffer of buffered sends");
    b->program_buffer = buffer;
    b->size = *size;
    pthread_mutex_lock(&small_buffers_mutex);
    b->next = small_buffers;
    small_buffers = b;
    pthread_mutex_unlock(&small_buffers_mutex);
    *size = R_MPI_BSEND_OVERHEAD;
    return b->substitute;
}

/* Returns the program's buffer for a detached one of the runtime, and updates *size to its size
   in bytes. A substitute is freed. */
static void *buffer_r2a(void *r, int64_t *size)
{
#if defined A_MPI_BUFFER_AUTOMATIC && defined R_MPI_BUFFER_AUTOMATIC
    if (r == R_MPI_BUFFER_AUTOMATIC)
        return A_MPI_BUFFER_AUTOMATIC;
#endif
    if (!R_SMALL_BUFFERS_REFUSED)
        return r;
    pthread_mutex_lock(&small_buffers_mutex);
    struct small_buffer **place = &small_buffers, *b;
    while ((b = *place) && b->substitute != r)
        place = &b->next;
    if (b) {
        *place = b->next;
        r = b->program_buffer;
        *size = b->size;
    }
    pthread_mutex_unlock(&small_buffers_mutex);
    free(b);
    return r;
}

/* Defines an attach function. PARAMETER and ARGUMENT are the object's, or nothing. */
#define ATTACH(function, Count, PARAMETER, ARGUMENT) \
    static int A_##function(PARAMETER void *buffer, Count size) \
    { \
        int64_t n = size; \
        if (unlikely(is_unsupported_automatic(buffer))) \
            return raise_error(WI4GO_NO_OBJECT, 0, A_MPI_ERR_BUFFER); \
        void *r = buffer_a2r(buffer, &n); \
        int rc = R_##function(ARGUMENT r, (Count)n); \
        if (unlikely(rc)) { \
            buffer_r2a(r, &n); \
            return error_r2a(rc); \
        } \
        return 0; \
    }
/* Defines a detach function, with the same parameters. */
#define DETACH(function, Count, PARAMETER, ARGUMENT) \
    static int A_##function(PARAMETER void *buffer_addr, Count *size) \
    { \
        int rc = R_##function(ARGUMENT buffer_addr, size); \
        if (unlikely(rc)) \
            return error_r2a(rc); \
        int64_t n = *size; \
        *(void **)buffer_addr = buffer_r2a(*(void **)buffer_addr, &n); \
        *size = (Count)n; \
        return 0; \
    }
#define NOTHING
#define A_COMM_PARAMETER A_MPI_Comm comm,
#define R_COMM_ARGUMENT COMM_a2r(comm),
#define A_SESSION_PARAMETER A_MPI_Session session,
#define R_SESSION_ARGUMENT SESSION_a2r(session),
ATTACH(MPI_Buffer_attach, int, NOTHING, NOTHING)
ATTACH(MPI_Buffer_attach_c, MPI_Count, NOTHING, NOTHING)
ATTACH(MPI_Comm_attach_buffer, int, A_COMM_PARAMETER, R_COMM_ARGUMENT)
ATTACH(MPI_Comm_attach_buffer_c, MPI_Count, A_COMM_PARAMETER, R_COMM_ARGUMENT)
ATTACH(MPI_Session_attach_buffer, int, A_SESSION_PARAMETER, R_SESSION_ARGUMENT)
ATTACH(MPI_Session_attach_buffer_c, MPI_Count, A_SESSION_PARAMETER, R_SESSION_ARGUMENT)
DETACH(MPI_Buffer_detach, int, NOTHING, NOTHING)
DETACH(MPI_Buffer_detach_c, MPI_Count, NOTHING, NOTHING)
DETACH(MPI_Comm_detach_buffer, int, A_COMM_PARAMETER, R_COMM_ARGUMENT)
DETACH(MPI_Comm_detach_buffer_c, MPI_Count, A_COMM_PARAMETER, R_COMM_ARGUMENT)
DETACH(MPI_Session_detach_buffer, int, A_SESSION_PARAMETER, R_SESSION_ARGUMENT)
DETACH(MPI_Session_detach_buffer_c, MPI_Count, A_SESSION_PARAMETER, R_SESSION_ARGUMENT)
#endif
