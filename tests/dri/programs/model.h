/* Computes the expected contents of a buffer, element by element, from the definitions alone. */
#ifndef MODEL_H
#define MODEL_H
#include "check.h"

struct model_type {
    const char *name;
    MPI_Datatype type;
    int extent, bytes[24]; /* bytes: the positions of data bytes; size: their number */
    int size;
};

static struct model_type model_types[9];

static void model_type_add(int i, const char *name, MPI_Datatype type, int extent, const char *data)
{
    struct model_type *t = &model_types[i];
    *t = (struct model_type){.name = name, .type = type, .extent = extent};
    for (int at = 0; at < extent; at++)
        if (data[at] == 'x')
            t->bytes[t->size++] = at;
}

static MPI_Datatype holes(int n, const int lengths[], const MPI_Aint at[], MPI_Aint extent)
{
    MPI_Datatype bytes[8], record, type;
    for (int i = 0; i < n; i++)
        bytes[i] = MPI_BYTE;
    MPI_Type_create_struct(n, lengths, at, bytes, &record);
    MPI_Type_create_resized(record, 0, extent, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&record);
    return type;
}

static void model_begin(void)
{
    MPI_Datatype three;
    MPI_Type_contiguous(3, MPI_BYTE, &three);
    MPI_Type_commit(&three);
    model_type_add(0, "char", MPI_CHAR, 1, "x");
    model_type_add(1, "short", MPI_SHORT, 2, "xx");
    model_type_add(2, "3 bytes", three, 3, "xxx");
    model_type_add(3, "float", MPI_FLOAT, 4, "xxxx");
    model_type_add(4, "double", MPI_DOUBLE, 8, "xxxxxxxx");
    model_type_add(5, "6 of 8 bytes", holes(2, (int[]){4, 2}, (MPI_Aint[]){0, 5}, 8), 8, "xxxx-xx-");
    model_type_add(6, "complex", MPI_C_DOUBLE_COMPLEX, 16, "xxxxxxxxxxxxxxxx");
    model_type_add(7, "24 bytes", holes(1, (int[]){24}, (MPI_Aint[]){0}, 24), 24, "xxxxxxxxxxxxxxxxxxxxxxxx");
    model_type_add(8, "17 of 24 bytes", holes(3, (int[]){8, 8, 1}, (MPI_Aint[]){0, 9, 20}, 24), 24, "xxxxxxxx-xxxxxxxx---x---");
}

static void model_end(void)
{
    MPI_Datatype *own[] = {&model_types[2].type, &model_types[5].type, &model_types[7].type, &model_types[8].type};
    for (int i = 0; i < 4; i++)
        MPI_Type_free(own[i]);
}

/* A part in memory: blocks, and their layout. */
struct model {
    const struct model_type *type;
    int n, edge[DRI_MAX_DIMS];
    MPI_Count sizes[DRI_MAX_DIMS];
    DRI_dist dist;
    int member, destination;
    DRI_layout layout;
};

static void model_window(const struct model *m, const DRI_part_tuple *t, int d, MPI_Count *lo, MPI_Count *length)
{
    *lo = t->left_x;
    MPI_Count hi = t->right_x;
    if (m->destination && hi >= *lo) {
        *lo -= t->left_v, hi += t->right_v;
        if (m->edge[d] == DRI_EDGE_TRUNCATE) {
            if (*lo < 0)
                *lo = 0;
            if (hi >= m->sizes[d])
                hi = m->sizes[d] - 1;
        }
    }
    *length = hi - *lo + 1;
}

static void model_value(const struct model *m, const MPI_Count g[], uint64_t go, char *element)
{
    uint64_t h = go;
    for (int d = 0; d < m->n; d++)
        h = mix(h * 31 + g[d]);
    for (int i = 0; i < m->type->size; i++)
        element[m->type->bytes[i]] = (char)(mix(h + i) | 1);
}

/* Writes into a buffer the data of a source, or the expected data of a destination, for one Go. Returns the number of
   elements. */
static MPI_Count model_fill(const struct model *m, uint64_t go, char *buffer)
{
    int blocks, order[DRI_MAX_DIMS];
    MPI_Count strides[DRI_MAX_DIMS], base = 0, span = 0;
    OK(DRI_dist_query(m->dist, m->member, &blocks, 0, NULL));
    OK(DRI_layout_query(m->layout, NULL, strides, order));
    DRI_part_tuple t[DRI_MAX_DIMS];
    MPI_Count lo[DRI_MAX_DIMS], length[DRI_MAX_DIMS], any = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < blocks; b++) {
            OK(DRI_dist_query(m->dist, m->member, NULL, b, t));
            MPI_Count volume = 1, own = 1, step[DRI_MAX_DIMS];
            for (int d = 0; d < m->n; d++) {
                model_window(m, &t[d], d, &lo[d], &length[d]);
                volume *= length[d];
            }
            for (int d = 0; d < m->n; d++)
                if (length[d] > 1)
                    own += (length[d] - 1) * strides[d];
            if (pass == 0) {
                span = own > span ? own : span;
                any += volume;
                continue;
            }
            MPI_Count next = 1;
            for (int i = 0; i < m->n; i++) {
                step[order[i]] = strides[0] ? strides[order[i]] : next;
                next *= length[order[i]];
            }
            for (MPI_Count e = 0; buffer && e < volume; e++) {
                MPI_Count g[DRI_MAX_DIMS], at = base, rest = e;
                int zero = 0;
                for (int d = m->n - 1; d >= 0; d--) {
                    MPI_Count i = rest % length[d];
                    rest /= length[d];
                    at += i * step[d];
                    g[d] = lo[d] + i;
                    if (g[d] >= 0 && g[d] < m->sizes[d])
                        continue;
                    if (m->edge[d] == DRI_EDGE_WRAP)
                        g[d] = (g[d] % m->sizes[d] + m->sizes[d]) % m->sizes[d];
                    else if (m->edge[d] == DRI_EDGE_COPY)
                        g[d] = g[d] < 0 ? 0 : m->sizes[d] - 1;
                    else
                        zero = 1;
                }
                char *element = buffer + at * m->type->extent;
                if (!zero)
                    model_value(m, g, go, element);
                for (int i = 0; zero && i < m->type->size; i++)
                    element[m->type->bytes[i]] = 0;
            }
            base += strides[0] ? span : volume;
        }
    return strides[0] && any == 0 ? 0 : base;
}

/* Compares a buffer, which was filled with a byte, with the expected contents. */
static void model_check(const struct model *m, uint64_t go, const char *buffer, char byte, const char *file, int line)
{
    size_t bytes = model_fill(m, go, NULL) * m->type->extent;
    char *expected = malloc(bytes + 1);
    memset(expected, byte, bytes);
    model_fill(m, go, expected);
    for (size_t i = 0; i < bytes; i++)
        if (buffer[i] != expected[i])
            wrong(file, line, "Go %d, %s: byte %zu (of element %zu) of %zu is %#x, not %#x", (int)go, m->type->name, i, i / m->type->extent,
                  bytes, (unsigned char)buffer[i], (unsigned char)expected[i]);
    free(expected);
}
#define MODEL_CHECK(m, go, buffer, byte) model_check(m, go, buffer, byte, __FILE__, __LINE__)
#endif
