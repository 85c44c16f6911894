/*
 * Set-up of a pair. setup runs once when the runtime's library is loaded, and reads the handles
 * and constants that only the library has. after_init runs whenever MPI has been initialized,
 * and checks the properties that need a running library.
 *
 * Gives: setup, after_init, has_begun; in a front's own family cxx.
 * Needs: pair.h, identity.h, handles.h, request_handles.h, abi_draft.h, intel_abi_fint.h,
 * status_probe.h, status_fields.h.
 */
#ifndef WI4GO_PAIR_SETUP_H
#define WI4GO_PAIR_SETUP_H
#include "pair.h"

#if SAME_FAMILY
#include "identity.h"
#else
/* Returns NULL, or a text with the reason that the library cannot be used. */
const char *PAIR(setup)(void *library) HIDDEN;
#define after_init PAIR(after_init)
void after_init(void) HIDDEN;
#define has_begun PAIR(has_begun)
SHARED int has_begun; /* 1 once MPI or a session has been initialized */

#if DEFINES_SHARED
#include "handles.h"
#include "request_handles.h"
#include "abi_draft.h"
#include "intel_abi_fint.h"
#include "status_probe.h"
#include "status_fields.h"
#include <dlfcn.h>

#define setup_error PAIR(setup_error)
SHARED char setup_error[256];

/* Returns the runtime's handle of a row: the address of a symbol of the library, 0 if it lacks the
   symbol, or the value if the row names no symbol. */
static int64_t runtime_value(void *library, const char *symbol, int64_t value)
{
    if (symbol)
        return (int64_t)(intptr_t)dlsym(library, symbol);
    return runtime_handle(value);
}

/* Reports whether the library is of a version that defines a predefined handle. since is 0 if all
   versions have it; otherwise since - 1 is the slot of a function that came with the same
   version. A library must not get a handle that it does not have, because it may dereference
   anything. */
static int is_available(unsigned since)
{
    return !since || (since <= N_SLOTS && wi4go_R[since - 1] != wi4go_missing_entries[since - 1]);
}

#if A_STANDARD
static inline void save_status_ignore(void) {}
static inline void restore_status_ignore(void) {}
#else
/* MPI_Init may overwrite the program's variables MPI_F_STATUS_IGNORE and MPI_F_STATUSES_IGNORE, by
   which C recognizes Fortran's constants: Intel MPI's library has Fortran's constants itself, and
   its references to the variables are bound to the program's, because the names are the same. So
   save_status_ignore saves the values before, and restore_status_ignore restores them. */
#define saved_status_ignore PAIR(saved_status_ignore)
SHARED void *saved_status_ignore[2];

static void save_status_ignore(void)
{
    saved_status_ignore[0] = f_status_ignore;
    saved_status_ignore[1] = f_statuses_ignore;
}

static void restore_status_ignore(void)
{
    if (saved_status_ignore[0]) { /* otherwise a Fortran library sets them, which is loaded later */
        f_status_ignore = saved_status_ignore[0];
        f_statuses_ignore = saved_status_ignore[1];
    }
}
#endif

const char *PAIR(setup)(void *library)
{
    save_status_ignore();
    detect_draft();
    keep_toint_results();
    for (unsigned i = 0; runtime_addresses[i].symbol; i++) {
        void **variable = dlsym(library, runtime_addresses[i].symbol);
        if (variable)
            *runtime_addresses[i].value = *variable;
    }
    for (unsigned i = 0; runtime_handles[i].symbol; i++) {
        void *address = dlsym(library, runtime_handles[i].symbol);
        *(int64_t *)runtime_handles[i].value = (int64_t)(intptr_t)address;
    }
    handles_prepare();
    requests_prepare();
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < N_PREDEFINED; i++) {
            int64_t r = runtime_value(library, predefined[i].r_symbol, predefined[i].r_value);
            const int found = predefined[i].r_symbol ? r != 0 : is_available(predefined[i].since);
            const int real = found && !predefined[i].substitute;
            /* The first pass enters the runtime's own handles and the second one the substitutes,
               so that the reverse map returns the own ones. */
            if (pass == real)
                continue;
            if (!found)
                r = runtime_value(library, predefined[i].else_symbol, predefined[i].else_value);
            if (handle_predefine(i, r, real)) {
                static const char text[] = "two predefined handles share a place: ";
                memcpy(setup_error, text, sizeof text);
                strncat(setup_error, predefined[i].r_symbol ? predefined[i].r_symbol : "?", sizeof setup_error - sizeof text);
                return setup_error;
            }
        }
    return NULL;
}

void after_init(void)
{
    restore_status_ignore();
    detect_status_words();
    has_begun = 1;
}
#endif
#endif
#endif
