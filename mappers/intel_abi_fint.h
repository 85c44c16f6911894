/*
 * Numbers of handles over a library of the standard ABI whose fromint does not accept the
 * results of its toint. Intel MPI's MPI_Comm_toint returns the number of an inner handle, and
 * MPI_Comm_fromint does not return a valid handle for that number, natively either. So the
 * front keeps each number that toint returns with its handle. A predefined handle is its own
 * number (MPI-5.0, 20.3.4), and the library's numbers from 0 on are moved past those.
 *
 * Ownership and locking: entries are added at the head of their chain by compare-and-swap and
 * never removed, so look-ups need no lock. If the library returns a number for another handle
 * later, the entry's handle is replaced.
 *
 * Gives: keep_toint_results.
 * Needs: pair.h, layout.h.
 */
#ifndef WI4GO_INTEL_ABI_FINT_H
#define WI4GO_INTEL_ABI_FINT_H
#include "pair.h"

#if R_HANDLES_ARE_NUMBERS
#include "layout.h"
#include <stdlib.h>

/* A number and the handle that has it now. There are at most as many entries as numbers were
   ever in use at once. */
struct toint_result {
    struct toint_result *next;
    int number;      /* as the program gets it */
    intptr_t handle;
};
static struct toint_result *toint_results[4096]; /* chains, by number */

/* Returns the chain of a number. */
static struct toint_result **toint_chain(int number) { return &toint_results[(unsigned)number % (sizeof toint_results / sizeof *toint_results)]; }

/* Returns the entry of a number in a chain that begins with g, or NULL. */
static struct toint_result *toint_find(struct toint_result *g, int number)
{
    while (g && g->number != number)
        g = g->next;
    return g;
}

/* Returns the number of a handle, and keeps both. toint is the library's function. Ends the
   process if memory is exhausted. */
static int toint_and_keep(intptr_t handle, int (*toint)(intptr_t))
{
    if (handle >= 0 && handle < LOWEST_ADDRESS)
        return (int)handle;
    int number = toint(handle);
    if (number >= 0)
        number += LOWEST_ADDRESS;
    struct toint_result **chain = toint_chain(number), *first = __atomic_load_n(chain, __ATOMIC_ACQUIRE), *there, *made = NULL;
    while (!(there = toint_find(first, number))) {
        if (!made && !(made = malloc(sizeof *made)))
            wi4go_die("out of memory for a handle's number");
        *made = (struct toint_result){first, number, handle};
        if (__atomic_compare_exchange_n(chain, &first, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return number;
    }
    free(made);
    __atomic_store_n(&there->handle, handle, __ATOMIC_RELEASE);
    return number;
}

/* Returns the handle of a number. A number that was never given goes to fromint, the library's
   function. */
static intptr_t fromint_kept(int number, intptr_t (*fromint)(int))
{
    if (number >= 0 && number < LOWEST_ADDRESS)
        return number;
    struct toint_result *there = toint_find(__atomic_load_n(toint_chain(number), __ATOMIC_ACQUIRE), number);
    return there ? __atomic_load_n(&there->handle, __ATOMIC_ACQUIRE) : fromint(number);
}

/* Applies a macro to each kind of handle. */
#define TOINT_KINDS(KIND) KIND(Comm) KIND(Errhandler) KIND(File) KIND(Group) KIND(Info) KIND(Message) KIND(Op) KIND(Request) KIND(Session) KIND(Type) KIND(Win)

/* Defines the library's functions of a kind, and those that replace them. */
#define TOINT_KIND(Kind) \
    static int (*library_##Kind##_toint)(intptr_t); \
    static intptr_t (*library_##Kind##_fromint)(int); \
    static int keep_##Kind(intptr_t handle) { return toint_and_keep(handle, library_##Kind##_toint); } \
    static intptr_t find_##Kind(int number) { return fromint_kept(number, library_##Kind##_fromint); }
TOINT_KINDS(TOINT_KIND)
#undef TOINT_KIND

/* Puts the functions above in place of the library's, if its number of MPI_COMM_WORLD is
   that of an inner handle. Called after detect_draft, which needs the library's own numbers. */
static void keep_toint_results(void)
{
    const int inner_world = 0x44000000; /* MPI_COMM_WORLD in MPICH's other ABI */
    if (!HAVE(MPI_Comm_toint) || R_MPI_Comm_toint((R_MPI_Comm)R_MPI_COMM_WORLD) != inner_world)
        return;
#define TOINT_KIND(Kind) \
    library_##Kind##_toint = (int (*)(intptr_t))wi4go_R[SLOT_MPI_##Kind##_toint]; \
    library_##Kind##_fromint = (intptr_t (*)(int))wi4go_R[SLOT_MPI_##Kind##_fromint]; \
    wi4go_R[SLOT_MPI_##Kind##_toint] = wi4go_R[SLOT_MPI_##Kind##_c2f] = (void *)keep_##Kind; \
    wi4go_R[SLOT_MPI_##Kind##_fromint] = wi4go_R[SLOT_MPI_##Kind##_f2c] = (void *)find_##Kind;
    TOINT_KINDS(TOINT_KIND)
#undef TOINT_KIND
}
#else
static inline void keep_toint_results(void) {}
#endif
#endif
