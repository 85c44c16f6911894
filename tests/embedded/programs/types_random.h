/*
 * Random datatypes with their model: each constructor by its definition.
 *
 * Gives: random_type. Needs: types_model.h, which includes it.
 */
#ifndef WI4GO_TYPES_RANDOM_H
#define WI4GO_TYPES_RANDOM_H

enum { CONTIGUOUS, VECTOR, HVECTOR, INDEXED, HINDEXED, INDEXED_BLOCK, HINDEXED_BLOCK, STRUCT, SUBARRAY, DARRAY, RESIZED, DUP, CONSTRUCTORS };

static MPI_Datatype random_type(struct model *m, int depth, uint64_t *random);

static void free_unnamed(MPI_Datatype *type)
{
    int integers, addresses, inner, combiner;
    MUST(MPI_Type_get_envelope(*type, &integers, &addresses, &inner, &combiner));
    if (combiner != MPI_COMBINER_NAMED)
        MUST(MPI_Type_free(type));
}

/* Returns a random datatype of at most 90 elements. */
static MPI_Datatype small_type(struct model *m, int depth, uint64_t *random)
{
    MPI_Datatype type = random_type(m, depth, random);
    while (m->n > 90) {
        free_unnamed(&type);
        type = random_type(m, depth, random);
    }
    return type;
}

/* The random arguments of a constructor. */
struct arguments {
    int n, length;
    int lengths[5], places[5];
    MPI_Aint bytes[5], stride;
};

static struct arguments random_arguments(const struct model *old, uint64_t *random)
{
    struct arguments a = {.n = (int)below(random, 4), .length = (int)below(random, 4)};
    long extent = old->ub - old->lb, odd = below(random, 3) ? 0 : below(random, 9);
    for (int i = 0; i < 5; i++) {
        a.lengths[i] = (int)below(random, 4);
        a.places[i] = (int)(below(random, 3) ? i * 3 + below(random, 2) : below(random, 12) - 4);
        a.bytes[i] = a.places[i] * extent + odd;
    }
    a.stride = below(random, 9) - 2;
    return a;
}

static MPI_Datatype blocks_type(struct model *m, int constructor, MPI_Datatype old_type, const struct model *old, uint64_t *random)
{
    MPI_Datatype type;
    struct arguments a = random_arguments(old, random);
    long extent = old->ub - old->lb;
    if (constructor == INDEXED)
        MUST(MPI_Type_indexed(a.n, a.lengths, a.places, old_type, &type));
    else if (constructor == HINDEXED)
        MUST(MPI_Type_create_hindexed(a.n, a.lengths, a.bytes, old_type, &type));
    else if (constructor == INDEXED_BLOCK)
        MUST(MPI_Type_create_indexed_block(a.n, a.length, a.places, old_type, &type));
    else
        MUST(MPI_Type_create_hindexed_block(a.n, a.length, a.bytes, old_type, &type));
    for (int i = 0; i < a.n; i++)
        place_block(m, constructor == INDEXED || constructor == INDEXED_BLOCK ? a.places[i] * extent : a.bytes[i],
                    constructor == INDEXED || constructor == HINDEXED ? a.lengths[i] : a.length, old);
    return type;
}

static MPI_Datatype vector_type(struct model *m, int constructor, MPI_Datatype old_type, const struct model *old, uint64_t *random)
{
    MPI_Datatype type;
    struct arguments a = random_arguments(old, random);
    long extent = old->ub - old->lb, stride = a.stride * extent;
    if (constructor == CONTIGUOUS) {
        MUST(MPI_Type_contiguous(a.n + 1, old_type, &type));
        place_block(m, 0, a.n + 1, old);
        return type;
    }
    if (constructor == HVECTOR) {
        stride += below(random, 3) ? 0 : below(random, 7);
        MUST(MPI_Type_create_hvector(a.n, a.length, stride, old_type, &type));
    } else {
        MUST(MPI_Type_vector(a.n, a.length, (int)a.stride, old_type, &type));
    }
    for (int i = 0; i < a.n; i++)
        place_block(m, i * stride, a.length, old);
    return type;
}

static MPI_Datatype struct_type(struct model *m, int depth, uint64_t *random)
{
    MPI_Datatype types[3], type;
    int n = 1 + (int)below(random, 3), lengths[3];
    MPI_Aint places[3], next = 0;
    static struct model parts[5][3]; /* by depth */
    for (int i = 0; i < n; i++) {
        struct model *part = &parts[depth][i];
        types[i] = small_type(part, below(random, 2) ? depth - 1 : 0, random);
        lengths[i] = (int)below(random, 3);
        places[i] = below(random, 4) ? next - part->lb + (below(random, 2) ? 0 : below(random, 9)) : below(random, 40) - 10;
        next = places[i] + part->lb + lengths[i] * (part->ub - part->lb);
    }
    MUST(MPI_Type_create_struct(n, lengths, places, types, &type));
    for (int i = 0; i < n; i++) {
        place_block(m, places[i], lengths[i], &parts[depth][i]);
        free_unnamed(&types[i]);
    }
    return type;
}

/* Places the elements of an array that `mine` selects, in the order of memory. */
static void place_array(struct model *m, int dims, const int *sizes, int order, bool (*mine)(int dim, int index, const void *state), const void *state, const struct model *old)
{
    long total = 1, extent = old->ub - old->lb;
    for (int d = 0; d < dims; d++)
        total *= sizes[d];
    for (long i = 0; i < total; i++) {
        bool all = true;
        long rest = i;
        for (int k = 0; k < dims; k++) {
            int d = order == MPI_ORDER_FORTRAN ? k : dims - 1 - k;
            all &= mine(d, (int)(rest % sizes[d]), state);
            rest /= sizes[d];
        }
        if (all)
            place(m, i * extent, old);
    }
    m->align = old->align;
    m->any = m->bounded = true;
    m->lb = 0;
    m->ub = total * extent;
}

struct part_of_array {
    int subsizes[3], starts[3];                                  /* subarray */
    int sizes[3], kinds[3], args[3], processes[3], coords[3];    /* darray */
};
static bool in_subarray(int d, int index, const void *state)
{
    const struct part_of_array *p = state;
    return index >= p->starts[d] && index < p->starts[d] + p->subsizes[d];
}
static bool in_darray(int d, int index, const void *state)
{
    const struct part_of_array *p = state;
    int block = p->args[d];
    if (p->kinds[d] == MPI_DISTRIBUTE_NONE)
        return true;
    if (block == MPI_DISTRIBUTE_DFLT_DARG)
        block = p->kinds[d] == MPI_DISTRIBUTE_CYCLIC ? 1 : (p->sizes[d] + p->processes[d] - 1) / p->processes[d];
    return index / block % p->processes[d] == p->coords[d];
}

static MPI_Datatype subarray_type(struct model *m, MPI_Datatype old_type, const struct model *old, uint64_t *random)
{
    MPI_Datatype type;
    struct part_of_array p;
    int dims = 1 + (int)below(random, 3), order = below(random, 2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    for (int d = 0; d < dims; d++) {
        p.sizes[d] = 1 + (int)below(random, 4);
        p.subsizes[d] = 1 + (int)below(random, p.sizes[d]);
        p.starts[d] = (int)below(random, p.sizes[d] - p.subsizes[d] + 1);
    }
    MUST(MPI_Type_create_subarray(dims, p.sizes, p.subsizes, p.starts, order, old_type, &type));
    place_array(m, dims, p.sizes, order, in_subarray, &p, old);
    return type;
}

static MPI_Datatype darray_type(struct model *m, MPI_Datatype old_type, const struct model *old, uint64_t *random)
{
    MPI_Datatype type;
    struct part_of_array p;
    int dims = 1 + (int)below(random, 3), order = below(random, 2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, size = 1, rank = 0;
    for (int d = 0; d < dims; d++) {
        const int kinds[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
        p.sizes[d] = 1 + (int)below(random, 5);
        p.kinds[d] = kinds[below(random, 3)];
        p.processes[d] = p.kinds[d] == MPI_DISTRIBUTE_NONE ? 1 : 1 + (int)below(random, 3);
        int least = p.kinds[d] == MPI_DISTRIBUTE_BLOCK ? (p.sizes[d] + p.processes[d] - 1) / p.processes[d] : 1;
        p.args[d] = below(random, 2) ? MPI_DISTRIBUTE_DFLT_DARG : least + (int)below(random, 2);
        p.coords[d] = (int)below(random, p.processes[d]);
        size *= p.processes[d];
        rank = rank * p.processes[d] + p.coords[d];
    }
    MUST(MPI_Type_create_darray(size, rank, dims, p.sizes, p.kinds, p.args, p.processes, order, old_type, &type));
    place_array(m, dims, p.sizes, order, in_darray, &p, old);
    return type;
}

static MPI_Datatype resized_type(struct model *m, MPI_Datatype old_type, const struct model *old, uint64_t *random)
{
    MPI_Datatype type;
    MPI_Aint lb = below(random, 20) - 8, extent = below(random, 5) ? below(random, 60) : -below(random, 60);
    MUST(MPI_Type_create_resized(old_type, lb, extent, &type));
    place(m, 0, old);
    m->any = m->bounded = true;
    m->lb = lb;
    m->ub = lb + extent;
    m->align = old->align;
    return type;
}

static MPI_Datatype named_type(struct model *m, uint64_t *random)
{
    if (below(random, 5)) {
        int basic = (int)below(random, BASICS);
        model_of_basic(m, basic);
        return basics[basic].type;
    }
    long i = below(random, sizeof pair_models / sizeof *pair_models);
    static struct model second;
    model_of_basic(m, pair_models[i].first);
    model_of_basic(&second, pair_models[i].second);
    place(m, pair_models[i].at, &second);
    finish(m);
    EQUAL(pair_models[i].extent, m->ub);
    return pair_models[i].type;
}

static MPI_Datatype random_type(struct model *m, int depth, uint64_t *random)
{
    static struct model olds[5]; /* by depth */
    if (depth == 0)
        return named_type(m, random);
    MPI_Datatype old_type = MPI_DATATYPE_NULL, type;
    int constructor = (int)below(random, CONSTRUCTORS);
    struct model *old = &olds[depth];
    if (constructor != STRUCT)
        old_type = small_type(old, depth - 1, random);
    empty_model(m);
    switch (constructor) {
    case CONTIGUOUS:
    case VECTOR:
    case HVECTOR:
        type = vector_type(m, constructor, old_type, old, random);
        break;
    case STRUCT:
        type = struct_type(m, depth, random);
        break;
    case SUBARRAY:
        type = subarray_type(m, old_type, old, random);
        break;
    case DARRAY:
        type = darray_type(m, old_type, old, random);
        break;
    case RESIZED:
        type = resized_type(m, old_type, old, random);
        break;
    case DUP:
        MUST(MPI_Type_dup(old_type, &type));
        *m = *old;
        break;
    default:
        type = blocks_type(m, constructor, old_type, old, random);
        break;
    }
    finish(m);
    if (constructor != STRUCT)
        free_unnamed(&old_type);
    return type;
}

#endif
