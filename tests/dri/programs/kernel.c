/* Transposes random boxes by every method, not only by the one chosen for this processor. */
#include "../../../dri/kernel.c"
#undef CHECK
#include "check.h"

enum { MOST = 150, ROOM = 16 * (MOST + 70) * (MOST + 70) };

static uint64_t state = 1;
static int draw(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
}

static void once(int width, int power, char *src, char *dst, char *wanted)
{
    int bytes = 1 << power, rows = 1 + draw(MOST), columns = 1 + draw(MOST), whole = LINE / bytes;
    MPI_Count in = rows + draw(20), out = columns + draw(20);
    if (draw(2))
        out = (out + whole - 1) / whole * whole;
    src += draw(LINE);
    int at = draw(2) ? draw(LINE) : draw(whole) * bytes;
    struct run run = {0, bytes};
    struct element element = {.extent = bytes, .size = bytes, .n_runs = 1, .runs = &run, .dense = true};
    struct move m = {.n = 2, .dims = {{rows, 1, out}, {columns, in, 1}}};
    struct kernel k;
    dri_kernel_prepare(&k, &m, &element, draw(2));
    if (k.method != COPY_TILES) /* one line, or the lines of a square */
        return;
    memset(dst, 0, ROOM);
    memset(wanted, 0, ROOM);
    for (int x = 0; x < rows; x++)
        for (int y = 0; y < columns; y++)
            memcpy(wanted + at + (x * out + y) * bytes, src + (x + y * in) * bytes, bytes);
    transposes[width][power](&k, dst + at, src);
    CHECK(memcmp(dst, wanted, ROOM) == 0, "%d x %d elements of %d bytes, vectors %d, stream %d", rows, columns, bytes, width, k.stream);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    char *src = aligned_alloc(LINE, ROOM), *dst = aligned_alloc(LINE, ROOM), *wanted = aligned_alloc(LINE, ROOM);
    for (int i = 0; i < ROOM; i++)
        src[i] = draw(256);
    for (int width = 0; width < widths(); width++)
        for (int power = 0; power <= 4; power++)
            for (int i = 0; i < 100; i++)
                once(width, power, src, dst, wanted);
    free(src), free(dst), free(wanted);
    end("kernel");
    return 0;
}
