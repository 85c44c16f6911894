/* One plan for many places in a buffer: each frame of a long buffer goes to another place. Any number of processes. */
#include "check.h"

enum { ROWS = 6, COLUMNS = 8, FRAMES = 5, N = ROWS * COLUMNS };

static DRI_group everybody;
static DRI_gdo frame;

static int number(int f, int i, int j)
{
    return f * 10000 + i * 100 + j;
}

/* The part of one process: its first index and the number of its indices, of the rows or the columns. */
static int share(DRI_dist dist, int d, int place, int *first)
{
    DRI_part_tuple t[2];
    OK(DRI_dist_query(dist, place, NULL, 0, t));
    *first = t[d].left_x;
    return t[d].right_x - t[d].left_x + 1;
}

static void fill(int *rows, int first, int n, int f)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < COLUMNS; j++)
            rows[i * COLUMNS + j] = number(f, first + i, j);
}

static void compare(const int *columns, int first, int n, int f, const char *what)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < ROWS; i++)
            CHECK(columns[j * ROWS + i] == number(f, i, first + j), "%s: frame %d: (%d, %d) is %d", what, f, i, first + j, columns[j * ROWS + i]);
}

/* Frames in a row at the source, in reverse order at the destination, turned by one plan. method: 0: other memory at the
 * destination, 1: one buffer for both ends, so that the source is copied first. */
static void turned(int method)
{
    DRI_dist rows = slices(frame, everybody, 0, 0, 0), columns = slices(frame, everybody, 1, 0, 0);
    int r, c, n = share(rows, 0, rank, &r), m = share(columns, 1, rank, &c), step = n * COLUMNS > m * ROWS ? n * COLUMNS : m * ROWS;
    int *in = malloc((FRAMES * step + 1) * sizeof *in), *out = method ? in : malloc((FRAMES * step + 1) * sizeof *out);
    DRI_xfer x;
    const char *name = method ? "in place" : "turned";
    OK(DRI_xfer_create_clique(name, rows, DRI_LAYOUT_PACKED_10, 1, (void *[]){in}, columns, DRI_LAYOUT_PACKED_01, 1, (void *[]){out}, &x));
    for (int f = 0; f < FRAMES; f++)
        fill(in + f * step, r, n, f);
    for (int f = 0; f < FRAMES; f++) {
        if (method)
            OK(DRI_xfer_rebase(x, f * step));
        else {
            OK(DRI_xfer_rebase_end(x, DRI_SOURCE, f * step));
            OK(DRI_xfer_rebase_end(x, DRI_DESTINATION, (FRAMES - 1 - f) * step));
        }
        OK(DRI_do(NULL, x));
    }
    for (int f = 0; f < FRAMES; f++)
        compare(out + (method ? f : FRAMES - 1 - f) * step, c, m, f, name);
    if (!method) { /* a Go under way keeps its place */
        OK(DRI_xfer_rebase(x, 0));
        OK(DRI_start(x));
        OK(DRI_xfer_rebase(x, step));
        OK(DRI_wait(x));
        compare(out, c, m, 0, "started");
        OK(DRI_do(NULL, x));
        compare(out + step, c, m, 1, "after it");
    }
    OK(DRI_xfer_destroy(&x));
    OK(DRI_dist_destroy(&rows));
    OK(DRI_dist_destroy(&columns));
    free(in);
    if (!method)
        free(out);
}

/* A pipeline: the source runs ahead through its long buffer, the destination takes the frames into every second place of two
 * buffers. Only the source's memory is the program's. */
static void pipeline(int buffers)
{
    if (size < 2)
        return;
    DRI_group half[2];
    OK(DRI_group_split(everybody, 2, NULL, half));
    int stage = rank >= (size + 1) / 2, place = rank - stage * ((size + 1) / 2), first;
    DRI_dist dist = slices(frame, half[stage], stage, 0, 0);
    int n = share(dist, stage, place, &first), *memory = malloc((2 * FRAMES * N + 1) * sizeof *memory), index;
    void *buffs[] = {memory, memory + FRAMES * N}, *at;
    DRI_xfer x;
    char name[16];
    snprintf(name, sizeof name, "frames %d", buffers);
    OK(DRI_xfer_create(name, stage ? DRI_DESTINATION : DRI_SOURCE, dist, stage ? DRI_LAYOUT_PACKED_01 : DRI_LAYOUT_PACKED_10, buffers, buffs, &x));
    for (int f = 0; f < FRAMES; f++) {
        if (stage == 0) {
            OK(DRI_xfer_rebase(x, f * N / 2));
            OK(DRI_acquire(x, DRI_SOURCE, &at, &index));
            CHECK(at == (int *)buffs[f % buffers] + f * N / 2 && index == f % buffers, "frame %d is at another place", f);
            OK(DRI_xfer_rebase(x, 0)); /* the acquired place stays */
            fill(at, first, n, f);
            OK(DRI_release(x, DRI_SOURCE));
        } else {
            /* The first call offers all buffers, and each release the one that is released: it is for a later frame. */
            if (f == 0)
                OK(DRI_xfer_rebase(x, 3));
            OK(DRI_acquire(x, DRI_DESTINATION, &at, &index));
            int offset = f < buffers ? 3 : (f - buffers) * N / 4;
            CHECK(at == (int *)buffs[f % buffers] + offset && index == f % buffers, "frame %d is at another place", f);
            compare(at, first, n, f, name);
            OK(DRI_xfer_rebase(x, f * N / 4));
            OK(DRI_release(x, DRI_DESTINATION));
        }
    }
    int class;
    while ((class = DRI_xfer_destroy(&x)) == DRI_ERR_STATE)
        ;
    OK(class);
    OK(DRI_dist_destroy(&dist));
    OK(DRI_group_destroy(&half[0]));
    OK(DRI_group_destroy(&half[1]));
    free(memory);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    everybody = group(0, size);
    frame = gdo(DRI_INT, 2, ROWS, COLUMNS);
    turned(0);
    turned(1);
    pipeline(1);
    pipeline(2);
    OK(DRI_gdo_destroy(&frame));
    OK(DRI_group_destroy(&everybody));
    end("rebase");
    return 0;
}
