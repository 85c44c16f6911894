/* Chooses the body that each direct procedure of Fortran jumps to; see fortran_direct.h. The mutex
   `writing` protects the Fortran library's entries; procedures read them without a lock. */
#include "front.h"
#include "fortran_direct.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct wi4go_fortran_library *library; /* the registered library */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
struct wi4go_fortran_constants wi4go_fortran_constants, wi4go_described_constants;

/* Returns the index of the library's procedure for an entry of the pair, or -1 if the library has
   none. */
static int direct_procedure_of(const struct wi4go_direct_body *f)
{
    for (int i = 0; i < library->n; i++)
        if (library->procedures[i].described == f->described && !strcmp(library->procedures[i].function, wi4go_slots[f->slot].name))
            return i;
    return -1;
}

/* Reports whether the pair's body may replace the procedure's call of the function in C. It may
   if the call would reach the pair's translation directly: no tool, route or layer is in between. */
static int is_direct(unsigned slot, const struct wi4go_fortran_procedure *p)
{
    const struct wi4go_translation *t = &wi4go_pair->translations[slot];
    void *const entry = wi4go_entry(slot);
    return wi4go_is_own_address((uintptr_t)p->call) && !wi4go_is_routed(slot) && entry && (entry == t->function || entry == t->fallback);
}

/* Makes each direct procedure jump to the body that is right now. Called when the library is
   registered and after each change of slots. */
static void choose_bodies(void)
{
    const struct wi4go_pair *const pair = wi4go_pair;
    if (!pair->direct_bodies)
        return;
    static int begun;
    pthread_mutex_lock(&writing);
    if (!begun++ && pair->direct_prepare)
        pair->direct_prepare();
    for (const struct wi4go_direct_body *f = pair->direct_bodies; f->library_body; f++) {
        const int i = direct_procedure_of(f);
        if (i < 0)
            continue;
        const struct wi4go_fortran_procedure *p = &library->procedures[i];
        void *const body = f->fast && wi4go_fast_paths_run() ? f->fast : f->body;
        *f->library_body = p->body;
        __atomic_store_n(&library->entries[i], body && is_direct(f->slot, p) ? body : p->body, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&writing);
}

void wi4go_fortran_begins(const struct wi4go_fortran_library *l)
{
    if (l->form != WI4GO_FORTRAN_FORM)
        return; /* the library's own bodies work with every front */
    wi4go_fortran_constants = l->constants;
    wi4go_described_constants = l->described_constants;
    library = l;
    wi4go_on_rebind(choose_bodies);
}

/* Compares for bsearch: slots are sorted by name. */
static int compare(const void *name, const void *slot) { return strcmp(name, ((const struct wi4go_slot *)slot)->name); }

void wi4go_fortran_inner(const struct wi4go_inner_function *functions, int n)
{
    for (int i = 0; i < n; i++) {
        const struct wi4go_slot *slot = bsearch(functions[i].name, wi4go_slots, wi4go_family.n_functions, sizeof *slot, compare);
        if (slot && wi4go_inner[slot - wi4go_slots])
            *functions[i].pointer = &wi4go_inner[slot - wi4go_slots];
    }
}
