/* Corner turns in two and three dimensions, each packed order on either side, against the model. */
#include "model.h"

static DRI_group everybody;
static int turns;

/* Transposes: rows along one dimension become rows along another. mode: 0: the library's buffers, 1: the program's, 2:
   one buffer for both ends. */
static void turn(const struct model_type *type, int n, const int sizes[], int from, int to, const int src_order[], const int dst_order[],
                 int mode)
{
    MPI_Count s[3];
    for (int i = 0; i < n; i++)
        s[i] = sizes[i];
    DRI_gdo d;
    OK(DRI_gdo_create(n, type->type, s, &d));
    struct model src = {.type = type, .n = n, .member = rank}, dst = {.type = type, .n = n, .member = rank, .destination = 1};
    memcpy(src.sizes, s, sizeof s);
    memcpy(dst.sizes, s, sizeof s);
    src.dist = slices(d, everybody, from, 0, 0);
    dst.dist = slices(d, everybody, to, 0, 0);
    OK(DRI_layout_packed(n, src_order, &src.layout));
    OK(DRI_layout_packed(n, dst_order, &dst.layout));
    size_t src_bytes = model_fill(&src, 0, NULL) * type->extent, dst_bytes = model_fill(&dst, 0, NULL) * type->extent;
    size_t most = src_bytes > dst_bytes ? src_bytes : dst_bytes;
    char *memory = malloc(2 * most + 64);
    void *in[] = {mode ? memory : NULL}, *out[] = {mode ? memory + (mode == 1) * most : NULL};
    DRI_xfer x;
    char name[32];
    snprintf(name, sizeof name, "turn %d", turns++);
    OK(DRI_xfer_create_clique(name, src.dist, src.layout, 1, in, dst.dist, dst.layout, 1, out, &x));
    for (int go = 0; go < 2; go++) {
        memset(out[0], 0x33, dst_bytes);
        model_fill(&src, go, in[0]);
        OK(DRI_do(name, x));
        if (mode != 2 || type->size == type->extent) /* otherwise the holes keep the source's bytes */
            MODEL_CHECK(&dst, go, out[0], 0x33);
    }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_layout_destroy(&src.layout));
    OK(DRI_layout_destroy(&dst.layout));
    OK(DRI_dist_destroy(&src.dist));
    OK(DRI_dist_destroy(&dst.dist));
    OK(DRI_gdo_destroy(&d));
    free(memory);
}

int main(int argc, char **argv)
{
    static const int two[2][2] = {{0, 1}, {1, 0}}, sizes2[3][2] = {{1, 16}, {7, 13}, {1024, 512}};
    static const int three[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}, sizes3[3] = {7, 5, 9};
    begin(&argc, &argv);
    model_begin();
    everybody = group(0, size);
    for (int i = 0; i < 4; i++) {
        for (int t = 0; t < 9; t++)
            for (int mode = 0; mode < 3; mode++) {
                turn(&model_types[t], 2, sizes2[0], 0, 1, two[i / 2], two[i % 2], mode);
                turn(&model_types[t], 2, sizes2[1], i % 2, !(i % 2), two[i / 2], two[i % 2], mode);
            }
        turn(&model_types[i + 3], 2, sizes2[2], 0, 1, two[i / 2], two[i % 2], i % 3);
    }
    for (int i = 0; i < 36; i++)
        turn(&model_types[i % 9], 3, sizes3, i % 3, (i + 1 + i / 3 % 2) % 3, three[i / 6], three[i % 6], i % 2);
    /* More than one message between two processes, with the library's buffers and with the program's. */
    turn(&model_types[4], 2, (int[]){700, 900}, 0, 1, two[1], two[0], 0);
    turn(&model_types[4], 2, (int[]){700, 900}, 0, 1, two[1], two[0], 1);
    turn(&model_types[6], 2, (int[]){300, 400}, 0, 1, two[1], two[1], 1);
    model_end();
    OK(DRI_group_destroy(&everybody));
    end("corner");
    return 0;
}
