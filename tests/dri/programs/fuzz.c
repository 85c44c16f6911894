/* Random arguments: fuzz SEED COUNT. For any arguments a call returns an error class, and a collective call the same
 * class on all processes. Every process draws the same numbers. */
#include "check.h"

enum { POOL = 6 };
static uint64_t state;
static int draw(int n)
{
    state = mix(state);
    return (state >> 20) % n;
}

static void *pool[6][POOL]; /* gdo, part, group, dist, layout, xfer */

/* Returns usually an object of the right kind, sometimes of another kind or none. */
static void *any(int kind)
{
    if (draw(12) == 0)
        return pool[draw(6)][draw(POOL)];
    return draw(15) ? pool[kind][draw(POOL)] : NULL;
}

/* Returns a number that is small, or so large that no machine has the memory. Numbers in between would use all memory
 * of this machine. */
static MPI_Count number(void)
{
    static const MPI_Count odd[] = {-1, 0, 1, 2, 3, 7, 8, 20, 1L << 50, INT64_MAX, INT64_MIN, INT64_MAX / 8, -5};
    return draw(9) ? 1 + draw(6) : odd[draw(13)];
}

static int small(void)
{
    static const int odd[] = {-1, 0, 17, 1000, INT32_MAX, INT32_MIN};
    return draw(20) ? 1 + draw(3) : odd[draw(6)];
}

static void same(int class, const char *what)
{
    int mine[2] = {class, -class}, most[2];
    CHECK(class >= 0 && class < DRI_ERR_LAST, "%s: %d is no class", what, class);
    MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(most[0] == -most[1], "%s: error %d (%s) here, others from %d to %d", what, class, DRI_error_string(class), -most[1], most[0]);
}

static int (*const destroyers[6])(void *) = {(int (*)(void *))(void *)DRI_gdo_destroy, (int (*)(void *))(void *)DRI_part_destroy,
    (int (*)(void *))(void *)DRI_group_destroy, (int (*)(void *))(void *)DRI_dist_destroy, (int (*)(void *))(void *)DRI_layout_destroy,
    (int (*)(void *))(void *)DRI_xfer_destroy};

/* Returns a free place in the pool, after freeing one if necessary. */
static void **place(int kind)
{
    void **p = &pool[kind][draw(POOL)];
    if (*p)
        same(destroyers[kind](p), "destroy");
    CHECK(!*p, "a destroyed handle is there");
    return p;
}

static void once(int i)
{
    static MPI_Datatype types[] = {DRI_INT, DRI_DOUBLE, DRI_BYTE, DRI_DOUBLE_COMPLEX};
    MPI_Count numbers[DRI_MAX_DIMS + 1], more[DRI_MAX_DIMS + 1];
    DRI_part_tuple tuples[DRI_MAX_DIMS + 1], got[DRI_MAX_DIMS];
    DRI_part_rule rules[DRI_MAX_DIMS + 1];
    int ints[DRI_MAX_DIMS + 1], n = draw(3) ? 2 : small(), blocks = 0, kind = draw(6);
    void *buffs[4] = {NULL, NULL, NULL, NULL}, *others[4] = {NULL, NULL, NULL, NULL};
    char name[32];
    snprintf(name, sizeof name, "fuzz %d", draw(5) ? i : draw(3));
    for (int d = 0; d <= DRI_MAX_DIMS; d++) {
        numbers[d] = number();
        more[d] = draw(3) ? 5 : number();
        ints[d] = draw(9) ? d : small();
        tuples[d] = (DRI_part_tuple){draw(3) ? 0 : number(), number(), 0, draw(3) ? 0 : number()};
        tuples[d].right_x = draw(9) && tuples[d].left_x > -100 && tuples[d].left_x < 100 ? tuples[d].left_x + draw(4) : number();
        if (d == 0 && draw(2))
            tuples[d] = (DRI_part_tuple){0, 3 * rank, 3 * rank + 2, 1};
        rules[d] = (DRI_part_rule){draw(20) ? draw(3) : small(), draw(5) ? 0 : number(), draw(5) ? 0 : number(), number(), draw(3) ? 0 : draw(4),
                                   draw(3) ? 0 : number() % 10, draw(20) ? draw(4) : small()};
    }
    switch (draw(14)) {
    case 0: same(DRI_gdo_create(n, draw(20) ? types[draw(4)] : MPI_DATATYPE_NULL, draw(30) ? numbers : NULL, (DRI_gdo *)place(0)), "gdo"); break;
    case 1: same(DRI_gdo_sub(any(0), numbers, more, (DRI_gdo *)place(0)), "gdo_sub"); break;
    case 2:
        (void)place(1);
        { /* it differs between processes, so its error may, too */
            void **p = place(1);
            int class = DRI_part_create(n, tuples, (DRI_part *)p), all;
            MPI_Allreduce(&class, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
            if (all && !class)
                OK(DRI_part_destroy((DRI_part *)p));
        }
        break;
    case 3: case 4: {
        void **p = place(1);
        same(draw(5) ? DRI_part_rules(any(0), any(2), draw(3) ? NULL : ints, rules, (DRI_part *)p) : DRI_part_default(any(0), any(2), (DRI_part *)p), "part_rules");
        break;
    }
    case 5: {
        int n_procs = draw(9) ? size : small();
        for (int j = 0; j < size && j < 8; j++)
            ints[j] = draw(30) ? size - 1 - j : small();
        same(n_procs > DRI_MAX_DIMS ? DRI_ERR_ARG : DRI_group_create(n_procs, ints, (DRI_group *)place(2)), "group");
        /* A group that does not contain all processes is useless here: collective calls over it would wait. */
        for (int j = 0; j < POOL; j++)
            if (pool[2][j] && DRI_group_query(pool[2][j], &n, NULL) == DRI_SUCCESS && n != size)
                OK(DRI_group_destroy((DRI_group *)&pool[2][j]));
        break;
    }
    case 6: {
        void **p = place(3);
        same(DRI_dist_create(any(0), any(1), any(2), (DRI_dist *)p), "dist");
        break;
    }
    case 7: { /* objects that match, so that later calls have valid objects */
        void **d = place(0), **g = place(2), **p = place(3);
        *d = gdo(DRI_INT, 2, 6, 5);
        *g = group(0, size);
        *p = slices(*d, *g, draw(2), draw(3), draw(4));
        *place(4) = draw(2) ? DRI_LAYOUT_PACKED_01 : DRI_LAYOUT_PACKED_10;
        break;
    }
    case 8: same(draw(2) ? DRI_layout_create(n, numbers, (DRI_layout *)place(4)) : DRI_layout_packed(n, ints, (DRI_layout *)place(4)), "layout"); break;
    case 9: case 10: {
        void **p = place(5);
        same(DRI_xfer_create_clique(name, any(3), any(4), 1 + draw(3), buffs, any(3), any(4), draw(20) ? 1 + draw(3) : 0, others, (DRI_xfer *)p), "clique");
        break;
    }
    case 11: {
        void **p = place(5);
        int role = draw(9) ? 1 + draw(2) : small();
        same(DRI_xfer_register(draw(30) ? name : "", role, any(3), any(4), draw(20) ? 1 + draw(3) : 0, buffs, (DRI_xfer *)p), "register");
        break;
    }
    case 12: {
        DRI_xfer x = any(5);
        same(DRI_do(draw(5) ? NULL : name, x), "do");
        same(DRI_xfer_partners(x, small()), "partners");
        break;
    }
    default:
        same(DRI_part_query(any(1), &n, &blocks, small(), got) == DRI_SUCCESS ? 0 : 0, "part_query");
        same(DRI_dist_query(any(3), 0, &blocks, draw(3), got), "dist_query");
        same(DRI_gdo_query(any(0), NULL, NULL, numbers), "gdo_query");
        DRI_dist dist = any(3);
        MPI_Count bytes;
        (void)DRI_dist_bytes(dist, any(4), &bytes); /* each its own */
        void **p = &pool[kind][draw(POOL)];
        same(destroyers[draw(20) ? kind : draw(6)](p), "destroy");
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int first = argc > 1 ? atoi(argv[1]) : 1, count = argc > 2 ? atoi(argv[2]) : 1000, made = 0;
    for (int i = first; i < first + count; i++) {
        state = i;
        if (getenv("VERBOSE") && rank == 0)
            fprintf(stderr, "seed %d\n", i);
        once(i);
        for (int j = 0; j < POOL; j++)
            made += pool[5][j] != NULL;
    }
    for (int kind = 5; kind >= 0; kind--)
        for (int i = 0; i < POOL; i++)
            if (pool[kind][i])
                OK(destroyers[kind](&pool[kind][i]));
    CHECK(made || count < 1000, "no transfer was ever made");
    end("fuzz");
    return 0;
}
