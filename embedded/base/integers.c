/*
 * Handles as integers (MPI-5.0, 19.3.4, 20.3.4). A predefined handle is its number. Any other object gets a place in the
 * table of its kind when it is first converted, and keeps it until it is freed. The integer is the index of the place plus
 * 4096. Locks: each table has one.
 */
#include "handles.h"
#include "functions.h"

#include <stdlib.h>

/* A free place holds the index of the next free one, shifted, with the lowest bit set. */
static void *free_place(int next) { return (void *)((uintptr_t)next << 1 | 1); }
static bool is_free_place(const void *place) { return (uintptr_t)place & 1; }

/* Returns the index of a place for the object, or -1 if memory is lacking. Needs the lock. */
static int take_fortran_place(enum kind kind, void *object)
{
    int i = em->fortran[kind].free - 1;
    if (i >= 0) {
        em->fortran[kind].free = (int)((uintptr_t)em->fortran[kind].at[i] >> 1);
    } else {
        if (em->fortran[kind].n == em->fortran[kind].room) {
            int room = em->fortran[kind].room ? 2 * em->fortran[kind].room : 64;
            void **table = realloc(em->fortran[kind].at, (size_t)room * sizeof *table);
            if (!table)
                return -1;
            em->fortran[kind].at = table;
            em->fortran[kind].room = room;
        }
        i = em->fortran[kind].n++;
    }
    em->fortran[kind].at[i] = object;
    return i;
}

/* Returns the integer of an object, or 0 if the handle is invalid or memory is lacking. head_at: the
 * place of the object's struct object. */
static int fortran_integer(enum kind kind, void *object, size_t head_at)
{
    if (NUMBER(object) < PREDEFINED)
        return (int)NUMBER(object);
    struct object *head = (struct object *)((char *)object + head_at);
    if (head->cookie != COOKIE(kind))
        return 0;
    MPID_THREAD_DS_LOCK(&em->fortran[kind], em->threads);
    if (!head->fortran)
        head->fortran = take_fortran_place(kind, object) + 1;
    int i = head->fortran;
    MPID_THREAD_DS_UNLOCK(&em->fortran[kind], em->threads);
    return i ? i - 1 + PREDEFINED : 0;
}

/* Returns the handle of an integer, or null. */
static void *fortran_handle(enum kind kind, int integer, void *null)
{
    if ((unsigned)integer < PREDEFINED)
        return (void *)(uintptr_t)integer;
    void *object = null;
    int i = integer - PREDEFINED;
    MPID_THREAD_DS_LOCK(&em->fortran[kind], em->threads);
    if (i >= 0 && i < em->fortran[kind].n && !is_free_place(em->fortran[kind].at[i]))
        object = em->fortran[kind].at[i];
    MPID_THREAD_DS_UNLOCK(&em->fortran[kind], em->threads);
    return object;
}

void em_fortran_forget(enum kind kind, struct object *head)
{
    if (!head->fortran)
        return;
    MPID_THREAD_DS_LOCK(&em->fortran[kind], em->threads);
    em->fortran[kind].at[head->fortran - 1] = free_place(em->fortran[kind].free);
    em->fortran[kind].free = head->fortran;
    head->fortran = 0;
    MPID_THREAD_DS_UNLOCK(&em->fortran[kind], em->threads);
}

#define CONVERSIONS(KIND, structure, Name, Handle, null)                                                                          \
    int em_##Name##_toint(Handle handle) { return fortran_integer(KIND, (void *)handle, offsetof(struct structure, head)); } \
    Handle em_##Name##_fromint(int integer) { return (Handle)fortran_handle(KIND, integer, (void *)null); }
EM_KINDS(CONVERSIONS)

/* There are no windows, files and sessions, so only predefined handles of these are valid. */
static int predefined_integer(void *handle) { return NUMBER(handle) < PREDEFINED ? (int)NUMBER(handle) : 0; }
static void *predefined_handle(int integer, void *null) { return (unsigned)integer < PREDEFINED ? (void *)(uintptr_t)integer : null; }
int em_Win_toint(MPI_Win win) { return predefined_integer(win); }
MPI_Win em_Win_fromint(int win) { return predefined_handle(win, MPI_WIN_NULL); }
int em_File_toint(MPI_File file) { return predefined_integer(file); }
MPI_File em_File_fromint(int file) { return predefined_handle(file, MPI_FILE_NULL); }
int em_Session_toint(MPI_Session session) { return predefined_integer(session); }
MPI_Session em_Session_fromint(int session) { return predefined_handle(session, MPI_SESSION_NULL); }
MPI_Fint em_File_c2f(MPI_File file) { return em_File_toint(file); }
MPI_File em_File_f2c(MPI_Fint file) { return em_File_fromint(file); }
