/*
 * A model of datatypes: the list of basic elements with their displacements, and bounds, made by the
 * definitions of the standard (MPI-5.0, 5.1), one element after the other; and the representations
 * of elements. Random datatypes with their model.
 *
 * Gives: struct model, random_type, convert, convert_back, set_valid, overlaps.
 * Needs: types_check.h.
 */
#ifndef WI4GO_TYPES_MODEL_H
#define WI4GO_TYPES_MODEL_H

#include "types_check.h"

#include <complex.h>
#include <wchar.h>

enum { TO_NATIVE, TO_XDR, TO_EXTERNAL32 };
enum { WHOLE, UNSIGNED_WHOLE, LONG_DOUBLE };

/* Basic elements. external: bytes in external32. parts: complex numbers have two. */
static const struct basic_model {
    MPI_Datatype type;
    int size, align, external, parts, kind;
} basics[] = {
    {MPI_CHAR, 1, 1, 1, 1, WHOLE}, {MPI_BYTE, 1, 1, 1, 1, WHOLE}, {MPI_SHORT, 2, 2, 2, 1, WHOLE}, {MPI_INT, 4, 4, 4, 1, WHOLE},
    {MPI_LONG, 8, 8, 4, 1, WHOLE}, {MPI_UNSIGNED_LONG, 8, 8, 4, 1, UNSIGNED_WHOLE}, {MPI_LONG_LONG, 8, 8, 8, 1, WHOLE},
    {MPI_FLOAT, 4, 4, 4, 1, WHOLE}, {MPI_DOUBLE, 8, 8, 8, 1, WHOLE}, {MPI_LONG_DOUBLE, 16, 16, 16, 1, LONG_DOUBLE},
    {MPI_C_FLOAT_COMPLEX, 8, 4, 8, 2, WHOLE}, {MPI_C_DOUBLE_COMPLEX, 16, 8, 16, 2, WHOLE}, {MPI_C_LONG_DOUBLE_COMPLEX, 32, 16, 32, 2, LONG_DOUBLE},
    {MPI_WCHAR, 4, 4, 2, 1, UNSIGNED_WHOLE}, {MPI_UINT16_T, 2, 2, 2, 1, UNSIGNED_WHOLE}, {MPI_INT64_T, 8, 8, 8, 1, WHOLE}, {MPI_REAL16, 16, 16, 16, 1, WHOLE},
};
enum { BASICS = sizeof basics / sizeof *basics, MOST = 12000 };
/* Pairs: two basics, the second at a displacement. */
static const struct {
    MPI_Datatype type;
    int first, second, at, extent;
} pair_models[] = {
    {MPI_2INT, 3, 3, 4, 8}, {MPI_DOUBLE_INT, 8, 3, 8, 16}, {MPI_SHORT_INT, 2, 3, 4, 8}, {MPI_LONG_DOUBLE_INT, 9, 3, 16, 32}, {MPI_FLOAT_INT, 7, 3, 4, 8}, {MPI_LONG_INT, 4, 3, 8, 16},
};

struct model {
    int n;
    struct { int basic; long at; } entry[MOST];
    bool any, bounded;
    long lb, ub;
    int align;
};

/* ---- representations ---- */

static inline int size_in(int basic, int to) { return to == TO_EXTERNAL32 ? basics[basic].external : basics[basic].size; }

/* Writes the element at memory in a representation, with the most significant byte first. */
static void convert(int basic, const char *memory, char *stream, int to)
{
    const struct basic_model *b = &basics[basic];
    int width = b->size / b->parts, outside = size_in(basic, to) / b->parts;
    for (int part = 0; part < b->parts; part++, memory += width, stream += outside) {
        char value[16];
        memcpy(value, memory, (size_t)width);
#if __LDBL_MANT_DIG__ == 64
        if (b->kind == LONG_DOUBLE && to != TO_NATIVE) {
            long double number;
            memcpy(&number, memory, sizeof number);
            __float128 quadruple = number;
            memcpy(value, &quadruple, sizeof quadruple);
        }
#endif
        for (int i = 0; i < outside; i++)
            stream[i] = to == TO_NATIVE ? value[i] : value[outside - 1 - i];
    }
}

static void convert_back(int basic, const char *stream, char *memory, int from)
{
    const struct basic_model *b = &basics[basic];
    int width = b->size / b->parts, outside = size_in(basic, from) / b->parts;
    for (int part = 0; part < b->parts; part++, memory += width, stream += outside) {
        signed char value[16], fill = 0;
        for (int i = 0; i < outside; i++)
            value[i] = (signed char)(from == TO_NATIVE ? stream[i] : stream[outside - 1 - i]);
        if (b->kind == WHOLE && value[outside - 1] < 0)
            fill = -1;
        memset(memory, fill, (size_t)width);
#if __LDBL_MANT_DIG__ == 64
        if (b->kind == LONG_DOUBLE && from != TO_NATIVE) {
            __float128 quadruple;
            memcpy(&quadruple, value, sizeof quadruple);
            long double number = quadruple;
            memcpy(memory, &number, 10);
            continue;
        }
#endif
        memcpy(memory, value, (size_t)outside);
    }
}

/* Makes the element valid, if not all bytes are. */
static void set_valid(int basic, char *memory, uint64_t *random)
{
    if (basics[basic].kind != LONG_DOUBLE)
        return;
    for (int part = 0; part < basics[basic].parts; part++) {
        long double number = ((long double)random_next(random) - 0x1p63L) * (1 + random_next(random) % 1000);
        if (random_next(random) % 8 == 0)
            number = 0;
        memset(memory + 16 * part, 0, 16);
        memcpy(memory + 16 * part, &number, 10);
    }
}

/* ---- construction ---- */

static void empty_model(struct model *m)
{
    m->n = 0;
    m->any = m->bounded = false;
    m->lb = m->ub = 0;
    m->align = 1;
}

static void model_of_basic(struct model *m, int basic)
{
    empty_model(m);
    m->n = 1;
    m->any = true;
    m->ub = basics[basic].size;
    m->align = basics[basic].align;
    m->entry[0].basic = basic;
    m->entry[0].at = 0;
}

/* Adds an instance at a displacement. */
static void place(struct model *m, long at, const struct model *old)
{
    if (old->n == 0 && !old->bounded)
        return;
    for (int e = 0; e < old->n; e++) {
        CHECK(m->n < MOST);
        m->entry[m->n].basic = old->entry[e].basic;
        m->entry[m->n++].at = at + old->entry[e].at;
    }
    m->align = old->align > m->align ? old->align : m->align;
    if (m->bounded && !old->bounded)
        return;
    bool fresh = !m->any || (old->bounded && !m->bounded);
    m->lb = fresh || at + old->lb < m->lb ? at + old->lb : m->lb;
    m->ub = fresh || at + old->ub > m->ub ? at + old->ub : m->ub;
    m->any = true;
    m->bounded |= old->bounded;
}

static void place_block(struct model *m, long at, long n, const struct model *old)
{
    for (long i = 0; i < n; i++)
        place(m, at + i * (old->ub - old->lb), old);
}

/* Rounds the extent up to the alignment. */
static void finish(struct model *m)
{
    while (!m->bounded && m->align && (m->ub - m->lb) % m->align)
        m->ub++;
}

static bool overlaps(const struct model *m, int count)
{
    long low = 0, high = 0, extent = m->ub - m->lb;
    for (int pass = 0; pass < 2; pass++) {
        static char used[1 << 20];
        if (pass) {
            if (high - low > (long)sizeof used)
                return true;
            memset(used, 0, (size_t)(high - low));
        }
        for (int i = 0; i < count; i++)
            for (int e = 0; e < m->n; e++)
                for (int b = 0; b < basics[m->entry[e].basic].size; b++) {
                    long at = i * extent + m->entry[e].at + b;
                    low = at < low ? at : low;
                    high = at + 1 > high ? at + 1 : high;
                    if (pass && used[at - low]++)
                        return true;
                }
    }
    return false;
}

static long below(uint64_t *random, long n) { return (long)(random_next(random) % (uint64_t)n); }

#include "types_random.h"

#endif
