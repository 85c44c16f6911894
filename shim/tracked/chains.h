/*
 * A hash table of objects by number, in which finding, entering and removing an object take
 * constant time. The number of chains doubles when there are as many objects as chains. The
 * objects contain their own links. The table takes no lock: the caller must keep other threads out.
 *
 * Gives: wi4go_chains_find, wi4go_chains_next, wi4go_chains_enter, wi4go_chains_leave.
 * Needs: front.h.
 */
#ifndef WI4GO_CHAINS_H
#define WI4GO_CHAINS_H
#include "front.h"
#include <stdint.h>
#include <stdlib.h>

/* The links of an object in a table; must be its first member. */
struct wi4go_chained {
    uint64_t key;
    struct wi4go_chained *next, **link; /* in its chain: the next object, and the pointer that leads to this one */
};

/* A table. It must be initialized with zeros. */
struct wi4go_chains {
    struct wi4go_chained **first;
    size_t chains, n; /* the number of chains, a power of two or 0, and of objects */
};

/* Returns the chain of a key. */
static inline struct wi4go_chained **wi4go_chain_of(const struct wi4go_chains *t, uint64_t key)
{
    return &t->first[(key * 0x9E3779B97F4A7C15u >> 32) & (t->chains - 1)];
}

/* Puts an object at the front of its chain. */
static inline void wi4go_chain_link(struct wi4go_chains *t, struct wi4go_chained *o)
{
    struct wi4go_chained **chain = wi4go_chain_of(t, o->key);
    o->next = *chain;
    o->link = chain;
    if (o->next)
        o->next->link = &o->next;
    *chain = o;
}

/* Doubles the number of chains. If memory is exhausted the table keeps its size; if it has none,
   the process ends. */
static inline void wi4go_chains_grow(struct wi4go_chains *t)
{
    struct wi4go_chained **old = t->first, **made = calloc(t->chains ? 2 * t->chains : 64, sizeof *made);
    const size_t n = t->chains;
    if (!made && !old)
        wi4go_die("out of memory for a request");
    if (!made)
        return;
    t->first = made;
    t->chains = n ? 2 * n : 64;
    for (size_t i = 0; i < n; i++) {
        struct wi4go_chained *first = NULL, *next; /* the oldest, which is linked first */
        for (struct wi4go_chained *o = old[i]; o; o = next) {
            next = o->next;
            o->next = first;
            first = o;
        }
        for (struct wi4go_chained *o = first; o; o = next) {
            next = o->next;
            wi4go_chain_link(t, o);
        }
    }
    free(old);
}

/* wi4go_chains_find returns the object with this key that was entered last; wi4go_chains_next
   returns the one entered before o with the same key. Both return NULL if there is none. */
static inline struct wi4go_chained *wi4go_chains_next(const struct wi4go_chained *o)
{
    struct wi4go_chained *p = o->next;
    while (p && p->key != o->key)
        p = p->next;
    return p;
}

static inline struct wi4go_chained *wi4go_chains_find(const struct wi4go_chains *t, uint64_t key)
{
    struct wi4go_chained *o = t->first ? *wi4go_chain_of(t, key) : NULL;
    while (o && o->key != key)
        o = o->next;
    return o;
}

/* Enters an object under a key. */
static inline void wi4go_chains_enter(struct wi4go_chains *t, struct wi4go_chained *o, uint64_t key)
{
    if (t->n++ >= t->chains)
        wi4go_chains_grow(t);
    o->key = key;
    wi4go_chain_link(t, o);
}

/* Removes an object, which stays the caller's. */
static inline void wi4go_chains_leave(struct wi4go_chains *t, struct wi4go_chained *o)
{
    *o->link = o->next;
    if (o->next)
        o->next->link = o->link;
    t->n--;
}
#endif
