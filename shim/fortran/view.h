/*
 * Choice buffers of mpi_f08 that are sections of arrays: passed as a datatype with the elements
 * in place or, if that is not possible, as a copy. sections.h and descriptor.h turn the
 * descriptors of a compiler and of the standard into a struct view.
 *
 * A procedure begins a struct section for each choice buffer, passes its members to MPI, and
 * ends it when it returns (SECTION). A section belongs to one call and one thread; nothing is
 * locked.
 *
 * Gives: struct view, struct section, SECTION.
 * Needs: library.h.
 */
#ifndef WI4GO_VIEW_H
#define WI4GO_VIEW_H
#include "library.h"

/* The elements of an array with gaps, or in another order. No extent is 0. */
struct view {
    int rank;
    size_t size;          /* size of an element in bytes */
    MPI_Aint stride[15];  /* in bytes; an array has at most 15 dimensions */
    MPI_Count extent[15]; /* elements of each dimension */
};

/* The arguments that describe a choice buffer during a call. */
struct section {
    void *address;     /* the array, or the copy */
    MPI_Count count;
    MPI_Datatype type; /* the program's, or one made for the section */
    MPI_Fint datatype; /* the same in Fortran, for procedures that call those of mpif.h (sections.h) */

    int is_made;        /* the section owns `made`, and the following members are valid */
    MPI_Datatype made;  /* describes the section's elements in the array; `type` if there is no copy */
    void *array, *copy; /* the array's first element; the copy, owned, or NULL */
    MPI_Count bytes;    /* the size of the copy */
    int is_out;         /* the call writes to the buffer */
};

/* How a section may be passed: as a datatype, as a copy; and whether the call writes to it. */
enum { TYPED = 1, COPIED = 2, WRITTEN_BACK = 4 };

/* section_pass fills *s for count elements of the datatype in a section, in the ways that `how`
   allows. Returns MPI_SUCCESS or an error, for which it has called the error handler.
   section_release frees the datatype and the copy. If the call has written to the copy, it is
   written back to the array first. */
int section_pass(struct section *s, const struct view *v, MPI_Count count, MPI_Datatype datatype, int how) __attribute__((visibility("hidden")));
void section_release(struct section *s) __attribute__((visibility("hidden")));
static inline void section_end(struct section *s)
{
    if (unlikely(s->is_made))
        section_release(s);
}

/* Begins the section of parameter buf, and ends it when the procedure returns. section_begin
   takes the descriptor; it is in the header for the descriptors. */
#define SECTION(buf, count, datatype, how) \
    struct section s_##buf __attribute__((cleanup(section_end))); \
    { \
        const int failed = section_begin(&s_##buf, buf, count, datatype, how); \
        if (unlikely(failed != MPI_SUCCESS)) { \
            RESULT(failed); \
            return; \
        } \
    }
#endif
