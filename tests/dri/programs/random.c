/* Random redistributions: random SEED COUNT. Every process draws the same numbers, so each knows all parts. */
#include "model.h"

static uint64_t state;
static int draw(int n)
{
    state = mix(state);
    return (state >> 20) % n;
}

struct side {
    int n_procs, procs[64], cut, grid[8], kind[8];
    MPI_Count block[8], left[8], right[8], points[8][66];
    int edge[8], shrink[8], strided, order[8], n_buffs, ours;
    MPI_Count gaps[8];
};

static void draw_side(struct side *s, int n, const MPI_Count sizes[], int destination)
{
    int left = s->n_procs;
    s->cut = draw(3);
    for (int d = 0; d < n; d++) {
        s->grid[d] = d == n - 1 ? left : 1;
        if (d < n - 1)
            for (int tries = 0; tries < 2; tries++) {
                int p = 1 + draw(left);
                if (left % p == 0)
                    s->grid[d] = p;
            }
        left /= s->grid[d];
        s->kind[d] = s->grid[d] == 1 ? draw(3) : 1 + draw(2);
        s->block[d] = 1 + draw(3);
        s->left[d] = destination && draw(2) ? draw(draw(4) ? 3 : 2 * (int)sizes[d] + 2) : draw(3);
        s->right[d] = destination && draw(2) ? draw(draw(4) ? 3 : 2 * (int)sizes[d] + 2) : draw(3);
        s->edge[d] = draw(4);
        s->points[d][0] = 0;
        for (int i = 1; i < s->grid[d]; i++) {
            s->points[d][i] = draw((int)sizes[d] + 1);
            for (int j = i; j > 1 && s->points[d][j] < s->points[d][j - 1]; j--) {
                MPI_Count t = s->points[d][j];
                s->points[d][j] = s->points[d][j - 1];
                s->points[d][j - 1] = t;
            }
        }
        s->points[d][s->grid[d]] = sizes[d];
        s->shrink[d] = destination ? draw(3) : 0;
        int at = draw(d + 1);
        for (int i = d; i > at; i--)
            s->order[i] = s->order[i - 1];
        s->order[at] = d;
        s->gaps[d] = draw(3);
    }
    s->strided = draw(3) == 0;
    s->n_buffs = 1 + draw(3);
    s->ours = draw(3);
}

/* Makes the distribution of a side, by rules or by tuples, and its description for the model. */
static void make_dist(const struct side *s, DRI_gdo d, int n, DRI_dist *dist, struct model *m)
{
    DRI_group g;
    DRI_part p;
    OK(DRI_group_create(s->n_procs, s->procs, &g));
    for (m->member = 0; s->procs[m->member] != rank;)
        m->member++;
    if (s->cut) {
        DRI_part_rule rules[8] = {{0}};
        for (int i = 0; i < n; i++)
            rules[i] = (DRI_part_rule){s->kind[i], 0, 0, s->block[i], s->left[i], s->right[i], m->edge[i] = s->edge[i]};
        OK(DRI_part_rules(d, g, s->grid, rules, &p));
    } else {
        DRI_part_tuple tuples[8];
        int index = m->member;
        for (int i = n - 1; i >= 0; i--) {
            int at = index % s->grid[i];
            index /= s->grid[i];
            m->edge[i] = DRI_EDGE_TRUNCATE;
            tuples[i] = (DRI_part_tuple){s->left[i], s->points[i][at], s->points[i][at + 1] - 1, s->right[i]};
            if (s->shrink[i] == 1 && tuples[i].left_x <= tuples[i].right_x)
                tuples[i].right_x--;
        }
        OK(DRI_part_create(n, tuples, &p));
    }
    OK(DRI_dist_create(d, p, g, dist));
    OK(DRI_part_destroy(&p));
    OK(DRI_group_destroy(&g));
}

static void make_layout(const struct side *s, int n, struct model *m)
{
    if (!s->strided) {
        OK(DRI_layout_packed(n, s->order, &m->layout));
        return;
    }
    /* Each stride is at least as large as the data of the smaller ones. */
    MPI_Count strides[8], next = 1;
    for (int i = 0; i < n; i++) {
        int d = s->order[i];
        strides[d] = next + s->gaps[d];
        next = strides[d] * (m->sizes[d] + s->left[d] + s->right[d]) + next;
    }
    OK(DRI_layout_create(n, strides, &m->layout));
}

static void make_buffers(const struct side *s, const struct model *m, void *buffs[], char *own[])
{
    size_t bytes = model_fill(m, 0, NULL) * m->type->extent;
    for (int i = 0; i < s->n_buffs; i++) {
        own[i] = buffs[i] = NULL;
        if (s->ours == 0 || (s->ours == 1 && i % 2))
            own[i] = buffs[i] = malloc(bytes + 8);
    }
}

static void once(int seed)
{
    static const char guard = 0x5a;
    int n = 1 + draw(3), zebra = size > 2 && draw(4) == 0, clique = size == 1 || (!zebra && draw(2)), gos = 1 + draw(4), all[64];
    const struct model_type *type = &model_types[draw(9)];
    MPI_Count sizes[8];
    for (int d = 0; d < n; d++)
        sizes[d] = 1 + draw(draw(5) ? 7 : 24);
    for (int i = 0; i < size; i++) {
        int at = draw(i + 1);
        for (int j = i; j > at; j--)
            all[j] = all[j - 1];
        all[at] = i;
    }
    struct side sides[3] = {{0}};
    int n_sides = zebra ? 3 : 2, used = clique ? 1 + draw(size) : n_sides + draw(size - n_sides + 1), role = -1;
    int from[4] = {0, clique ? used : 1 + draw(used - n_sides + 1), used, used};
    if (zebra)
        from[2] = from[1] + 1 + draw(used - from[1] - 1);
    for (int i = 0; i < n_sides; i++) {
        struct side *s = &sides[i];
        int first = clique ? 0 : from[i], behind = clique ? used : from[i + 1];
        for (int j = first; j < behind; j++) {
            if (all[j] == rank)
                role = i;
            s->procs[s->n_procs++] = all[j];
        }
        draw_side(s, n, sizes, i > 0);
    }
    if (role < 0)
        return;
    DRI_gdo d;
    OK(DRI_gdo_create(n, type->type, sizes, &d));
    struct model m[2] = {{0}};
    void *buffs[2][4];
    char *own[2][4] = {{0}};
    const struct side *mine[2] = {clique || role == 0 ? &sides[0] : NULL, clique ? &sides[1] : role ? &sides[role] : NULL};
    for (int i = 0; i < 2; i++)
        if (mine[i]) {
            m[i] = (struct model){.type = type, .n = n, .destination = i};
            memcpy(m[i].sizes, sizes, sizeof sizes);
            make_dist(mine[i], d, n, &m[i].dist, &m[i]);
            make_layout(mine[i], n, &m[i]);
            make_buffers(mine[i], &m[i], buffs[i], own[i]);
        }
    DRI_xfer x;
    char name[32]; /* its own name, because slower processes may still use the previous one */
    snprintf(name, sizeof name, "random %d", seed);
    if (clique)
        OK(DRI_xfer_create_clique(name, m[0].dist, m[0].layout, mine[0]->n_buffs, buffs[0], m[1].dist, m[1].layout, mine[1]->n_buffs,
                                  buffs[1], &x));
    else {
        int i = role > 0;
        OK(DRI_xfer_register(name, i ? DRI_DESTINATION : DRI_SOURCE, m[i].dist, m[i].layout, mine[i]->n_buffs, buffs[i], &x));
        if (zebra && !i)
            OK(DRI_xfer_partners(x, 2));
        OK(DRI_xfer_commit(1, &x));
    }
    for (int go = 0; go < gos; go++) {
        if (mine[0]) {
            void *b = buffs[0][go % mine[0]->n_buffs];
            memset(b, 0x11, model_fill(&m[0], 0, NULL) * type->extent);
            model_fill(&m[0], go, b);
        }
        if (mine[1])
            memset(buffs[1][go % mine[1]->n_buffs], guard, model_fill(&m[1], 0, NULL) * type->extent);
        OK(DRI_do(name, x));
        if (mine[1])
            MODEL_CHECK(&m[1], go, buffs[1][go % mine[1]->n_buffs], guard);
    }
    OK(DRI_xfer_destroy(&x));
    for (int i = 0; i < 2; i++)
        if (mine[i]) {
            OK(DRI_layout_destroy(&m[i].layout));
            OK(DRI_dist_destroy(&m[i].dist));
            for (int j = 0; j < 4; j++)
                free(own[i][j]);
        }
    OK(DRI_gdo_destroy(&d));
}

static int seed = 1, count = 100; /* the next seed; the number of redistributions with each setting */

static void several(const struct setting *s)
{
    for (int last = seed + count; seed < last; seed++) {
        state = seed;
        if (getenv("RANDOM_VERBOSE") && rank == 0)
            fprintf(stderr, "%sseed %d\n", s->name, seed);
        once(seed);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    model_begin();
    if (argc > 2)
        seed = atoi(argv[1]), count = atoi(argv[2]);
    with_each_setting(several);
    model_end();
    MPI_Finalize();
    if (rank == 0)
        printf("random: right\n");
    return 0;
}
