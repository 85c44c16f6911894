/*
 * What the programs of collective operations share: checks, data in buffers with and without
 * holes, and the two forms of each function.
 *
 * Gives: CHECK, BOTH, struct layout, layouts, new_buffer, fill, check_data, reference.
 * Needs: mpi.h.
 */
#ifndef WI4GO_TESTS_COLLECTIVE_H
#define WI4GO_TESTS_COLLECTIVE_H

#include <mpi.h>
#ifdef EMBEDDED
#include "embedded/coll/coll.h"
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int world_rank, world_size;

#define CHECK(condition)                                                                                      \
    do {                                                                                                      \
        if (!(condition)) {                                                                                   \
            fprintf(stderr, "%s:%d: rank %d: not true: %s\n", __FILE__, __LINE__, world_rank, #condition);    \
            MPI_Abort(MPI_COMM_WORLD, 9);                                                                     \
        }                                                                                                     \
    } while (0)

/* Calls a function in its blocking form, or in its nonblocking form and waits. Use: BOTH(nonblocking, Bcast, Ibcast, arguments). */
#define BOTH(nonblocking, name, iname, ...)                             \
    do {                                                                \
        if (nonblocking) {                                              \
            MPI_Request request_;                                       \
            CHECK(MPI_##iname(__VA_ARGS__, &request_) == MPI_SUCCESS);  \
            CHECK(MPI_Wait(&request_, MPI_STATUS_IGNORE) == MPI_SUCCESS); \
        } else {                                                        \
            CHECK(MPI_##name(__VA_ARGS__) == MPI_SUCCESS);              \
        }                                                               \
    } while (0)

/* ---- data: integers at places of an element, with holes between them ---- */

enum { PATTERN_INTS = 2, LAYOUTS = 3 };
struct layout {
    MPI_Datatype type;
    int ints;   /* in an element */
    int extent; /* of an element, in integers */
    int at[PATTERN_INTS];
};

static struct layout layouts[LAYOUTS];

static inline void make_layouts(void)
{
    MPI_Datatype vector;
    layouts[0] = (struct layout){MPI_INT, 1, 1, {0}};
    layouts[1] = (struct layout){MPI_DATATYPE_NULL, 2, 5, {0, 3}}; /* holes */
    MPI_Type_vector(2, 1, 3, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 5 * (MPI_Aint)sizeof(int), &layouts[1].type);
    MPI_Type_free(&vector);
    layouts[2] = (struct layout){MPI_DATATYPE_NULL, 2, 2, {1, 0}}; /* the second integer first */
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 0}, MPI_INT, &layouts[2].type);
    for (int i = 1; i < LAYOUTS; i++)
        MPI_Type_commit(&layouts[i].type);
}

static inline void free_layouts(void)
{
    for (int i = 1; i < LAYOUTS; i++)
        MPI_Type_free(&layouts[i].type);
}

enum { HOLE = 0x5ca1ab1e };

static inline int value(int seed, int64_t i) { return (int)((uint32_t)seed * 2654435761u + (uint32_t)i * 40503u + 17u); }

static inline int *new_buffer(const struct layout *l, int64_t elements)
{
    int *buf = malloc((size_t)(elements * l->extent + 1) * sizeof *buf);
    CHECK(buf);
    for (int64_t i = 0; i < elements * l->extent; i++)
        buf[i] = HOLE;
    return buf;
}

/* Writes the stream of integers of a seed, from `from` on, to count elements. */
static inline void fill(int *buf, const struct layout *l, int64_t count, int seed, int64_t from)
{
    for (int64_t i = 0; i < count; i++)
        for (int j = 0; j < l->ints; j++)
            buf[i * l->extent + l->at[j]] = value(seed, from + i * l->ints + j);
}

/* Reports whether count elements have the stream of a seed, and their holes are untouched. */
static inline int has_data(const int *buf, const struct layout *l, int64_t count, int seed, int64_t from)
{
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < l->extent; k++) {
            int expected = HOLE;
            for (int j = 0; j < l->ints; j++)
                if (l->at[j] == k)
                    expected = value(seed, from + i * l->ints + j);
            if (buf[i * l->extent + k] != expected) {
                fprintf(stderr, "element %lld: %x at %d instead of %x\n", (long long)i, (unsigned)buf[i * l->extent + k], k, (unsigned)expected);
                return 0;
            }
        }
    return 1;
}

/* ---- reductions: the documented tree (docs/embedded.md) ---- */

/* Combines the operands of ranks a to b - 1; the operand of rank r is operand(r, i). */
#define REFERENCE(name, type, operand, combine)                                             \
    static type name(int a, int b, int64_t i)                                               \
    {                                                                                       \
        if (b - a == 1)                                                                     \
            return operand(a, i);                                                           \
        int m = 1;                                                                          \
        while (m * 2 < b - a)                                                               \
            m *= 2;                                                                         \
        type left = name(a, a + m, i), right = name(a + m, b, i);                           \
        return combine(left, right);                                                        \
    }

/* Reports whether an argument of the program is a word. */
static inline bool has_argument(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], word))
            return true;
    return false;
}

/* The argument "work" or "rounds" selects a table of collective operations. */
static inline void begin(int *argc, char ***argv)
{
    int provided, level = has_argument(*argc, *argv, "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    CHECK(MPI_Init_thread(argc, argv, level, &provided) == MPI_SUCCESS);
    CHECK(provided >= level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    make_layouts();
#ifdef EMBEDDED
    if (has_argument(*argc, *argv, "work"))
        em->collops = em->world->collops = &em_collops_work;
    if (has_argument(*argc, *argv, "rounds"))
        em->collops = em->world->collops = &em_collops_rounds;
#endif
}

static inline int end(void)
{
    free_layouts();
    MPI_Barrier(MPI_COMM_WORLD);
    printf("collective: right\n");
    MPI_Finalize();
    return 0;
}

#endif
