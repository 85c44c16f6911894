/*
 * A table of objects by number, in which one is found, entered and taken out in constant
 * time: chains, which double when there are as many objects as chains. The objects have
 * their links in themselves. Not for two threads at once.
 *
 * Gives: wi4go_chains_find, wi4go_chains_next, wi4go_chains_enter, wi4go_chains_leave.
 * Needs: front.h.
 */
#ifndef WI4GO_CHAINS_H
#define WI4GO_CHAINS_H
#include "front.h"
#include <stdint.h>
#include <stdlib.h>

/* What an object of a table has as its first member. */
struct wi4go_chained {
    uint64_t key;
    struct wi4go_chained *next, **link; /* in its chain: the next one, and what leads to this */
};

/* Of zeros at first. */
struct wi4go_chains {
    struct wi4go_chained **first;
    size_t chains, n;
};

static inline struct wi4go_chained **wi4go_chain_of(const struct wi4go_chains *t, uint64_t key)
{
    return &t->first[(key * 0x9E3779B97F4A7C15u >> 32) & (t->chains - 1)];
}

static inline void wi4go_chain_link(struct wi4go_chains *t, struct wi4go_chained *o)
{
    struct wi4go_chained **chain = wi4go_chain_of(t, o->key);
    o->next = *chain;
    o->link = chain;
    if (o->next)
        o->next->link = &o->next;
    *chain = o;
}

/* Twice as many chains; the table stays as it is where memory lacks. */
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
    for (size_t i = 0; i < n; i++)
        for (struct wi4go_chained *o = old[i], *next; o; o = next) {
            next = o->next;
            wi4go_chain_link(t, o);
        }
    free(old);
}

/* The object of that key that was entered last, and the one before it; NULL: none. */
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

/* Enters an object, whose key is then that. */
static inline void wi4go_chains_enter(struct wi4go_chains *t, struct wi4go_chained *o, uint64_t key)
{
    if (t->n++ >= t->chains)
        wi4go_chains_grow(t);
    o->key = key;
    wi4go_chain_link(t, o);
}

static inline void wi4go_chains_leave(struct wi4go_chains *t, struct wi4go_chained *o)
{
    *o->link = o->next;
    if (o->next)
        o->next->link = o->link;
    t->n--;
}
#endif
