/*
 * The predefined datatypes (MPI-5.0, 3.2.2, 20.3). Their objects are in em->types, by the number
 * of the handle. Reading them needs no lock.
 */
#include "layout.h"
#include "../base/state.h"

#include <stdlib.h>
#include <string.h>

#define INDEX(handle) ((uintptr_t)(handle) - TYPES_FIRST)

/* Pairs for MPI_MAXLOC and MPI_MINLOC: a struct of two basic datatypes. */
typedef struct { float value; int index; } float_int;
typedef struct { double value; int index; } double_int;
typedef struct { long value; int index; } long_int;
typedef struct { int value, index; } two_ints;
typedef struct { short value; int index; } short_int;
typedef struct { long double value; int index; } long_double_int;
typedef struct { float value, index; } two_floats;
typedef struct { double value, index; } two_doubles;
#define PAIR(handle, type, value, index_type) {INDEX(handle), INDEX(value), INDEX(index_type), offsetof(type, index), sizeof(type), #handle},
static const struct {
    uint8_t index, value, second, displacement, extent; /* positions in the table above; displacement of the index, in bytes */
    const char *name;
} pairs[] = {
    PAIR(MPI_FLOAT_INT, float_int, MPI_FLOAT, MPI_INT) PAIR(MPI_DOUBLE_INT, double_int, MPI_DOUBLE, MPI_INT)
    PAIR(MPI_LONG_INT, long_int, MPI_LONG, MPI_INT) PAIR(MPI_2INT, two_ints, MPI_INT, MPI_INT)
    PAIR(MPI_SHORT_INT, short_int, MPI_SHORT, MPI_INT) PAIR(MPI_LONG_DOUBLE_INT, long_double_int, MPI_LONG_DOUBLE, MPI_INT)
    PAIR(MPI_2REAL, two_floats, MPI_REAL, MPI_REAL) PAIR(MPI_2DOUBLE_PRECISION, two_doubles, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION)
    PAIR(MPI_2INTEGER, two_ints, MPI_INTEGER, MPI_INTEGER)
};

/* ---- the objects ---- */

/* Fills the object of a predefined datatype in the table that its number indexes. */
static void fill_predefined(size_t index, const char *name, struct layout *layout, int64_t extent, int align)
{
    struct type *type = &em->types[index];
    type->head = (struct object){.cookie = COOKIE(TYPE), .predefined = true};
    type->device.ops = &em_type_ops;
    type->committed = true;
    type->align = align;
    type->number = type->element = (int)index + TYPES_FIRST;
    type->layout = layout;
    em_type_fill(type, 0, extent);
    strcpy(type->name, name);
}

/* Fills the layout of a basic datatype. */
static void fill_basic(struct layout *layout, size_t index)
{
    const struct basic *basic = &em_basics[index];
    layout->kind = BASIC;
    layout->dense = true;
    layout->element = (int)index + TYPES_FIRST;
    layout->high = basic->size;
    layout->size[ELEMENTS] = layout->count = 1;
    for (int m = 0; m < ELEMENTS; m++)
        layout->size[m] = basic->width[m] * basic->components;
}

/* One block of memory holds the datatypes and the layouts of the basic ones. Called in MPI_Init, before another thread
 * exists for MPI. */
int em_types_init(void)
{
    /* The layouts of basic datatypes follow the objects. */
    em->types = calloc(TYPES_MAX, sizeof *em->types + sizeof(struct layout));
    if (!em->types)
        return em_type_no_memory();
    struct layout *layouts = (struct layout *)(em->types + TYPES_MAX);
    for (size_t i = 0; i < TYPES_MAX; i++)
        if (em_basics[i].components) {
            fill_basic(&layouts[i], i);
            fill_predefined(i, em_basics[i].name, &layouts[i], em_basics[i].size, em_basics[i].align);
        }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct layout *parts[] = {&layouts[pairs[i].value], &layouts[pairs[i].second]}, *layout;
        int err = em_layout_parts(2, (int64_t[]){0, pairs[i].displacement}, parts, &layout);
        if (err != MPI_SUCCESS)
            return err;
        fill_predefined(pairs[i].index, pairs[i].name, layout, pairs[i].extent, em->types[pairs[i].value].align);
        struct type *index = &em->types[pairs[i].second], *pair = &em->types[pairs[i].index];
        if (index->align > pair->align)
            pair->align = index->align;
    }
    return em_ops_init();
}

/* Frees the predefined objects. Datatypes of the program that were not freed stay allocated. */
void em_types_end(void)
{
    for (size_t i = 0; em->types && i < sizeof pairs / sizeof *pairs; i++)
        em_layout_release(em->types[pairs[i].index].layout);
    em_f90_end();
    free(em->types);
    em->types = NULL;
    free(em->ops);
    em->ops = NULL;
}
