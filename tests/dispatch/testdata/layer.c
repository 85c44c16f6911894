/*
 * A layer on top of every slot for tests: it counts the calls of the program. It is linked into a front, which exports
 * its functions in addition to MPI's. watch_inner also counts below it, and so includes calls that the front itself
 * makes.
 */
#include "front.h"
#include "slots.h"
#include <string.h>

#define SIZE 16 /* of an entry */
#define COUNTING(entries, counts, table) \
    static long counts[N_SLOTS] __attribute__((used)); \
    extern const char entries[] HIDDEN; \
    __asm__(".text\n.p2align 4\n.hidden " #entries "\n.globl " #entries "\n" #entries ":\n" \
            ".set slot, 0\n.rept " NUMBER(N_SLOTS) "\n.p2align 4\n" \
            "incq\t" #counts "+8*slot(%rip)\n\tjmp\t*" #table "+8*slot(%rip)\n.set slot, slot+1\n.endr\n");
#define NUMBER(n) TEXT(n)
#define TEXT(n) #n

static void *below[N_SLOTS] __attribute__((used)); /* used by watch_inner */
COUNTING(observed_entries, observed, wi4go_inner)
COUNTING(inner_entries, served, below)

static unsigned slot_of(const char *name)
{
    for (unsigned i = 0; i < N_SLOTS; i++)
        if (!strcmp(wi4go_slots[i].name, name))
            return i;
    wi4go_die("the test names %s, which has no slot", name);
}

void observe(void);
void observe(void)
{
    for (unsigned i = 0; i < N_SLOTS; i++)
        wi4go_route(i, (void *)(observed_entries + SIZE * i));
    wi4go_notify_rebind();
}

void observe_no_more(void);
void observe_no_more(void)
{
    for (unsigned i = 0; i < N_SLOTS; i++)
        wi4go_unroute(i);
    wi4go_notify_rebind();
}

void watch_inner(const char *name);
void watch_inner(const char *name)
{
    const unsigned slot = slot_of(name);
    below[slot] = wi4go_entry(slot);
    wi4go_set_entry(slot, (void *)(inner_entries + SIZE * slot));
    wi4go_notify_rebind();
}

long calls_observed(const char *name);
long calls_observed(const char *name) { return observed[slot_of(name)]; }

long calls_served(const char *name);
long calls_served(const char *name) { return served[slot_of(name)]; }

/* Returns the name of slot i, or NULL after the last. Reports whether the runtime lacks its function and nothing
 * implements it. */
const char *slot_name(unsigned i);
const char *slot_name(unsigned i) { return i < N_SLOTS ? wi4go_slots[i].name : NULL; }

int is_missing(const char *name);
int is_missing(const char *name) { return wi4go_entry(slot_of(name)) == wi4go_missing_entries[slot_of(name)]; }
