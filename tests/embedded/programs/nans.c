/*
 * Sums and products of NaNs with different bits: the result's bits depend neither on the number of elements nor on the function. The
 * first 16 counts also begin at odd addresses.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 70, BYTES = 32 };

static int rank, size, wrong;

/* Fills an element: each number in it is a NaN in three of four cases, with bits that depend on the rank. */
static void fill(unsigned char *element, int bytes, int part, int round)
{
    unsigned state = (unsigned)(rank * 977 + round * 31 + 5);
    for (int at = 0; at < bytes; at += part) {
        unsigned char *p = element + at;
        int width = part == 16 && sizeof(long double) == 16 && __LDBL_MANT_DIG__ == 64 ? 10 : part;
        memset(p, 0, (size_t)part);
        state = state * 1664525u + 1013904223u;
        if (!(state >> 20 & 3))
            continue;
        for (int i = 0; i < width; i++)
            p[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
        p[width - 1] |= 0x7f; /* the exponent, and the bit of quiet NaNs; the sign stays */
        p[width - 2] |= width == 10 ? 0xff : width == 4 ? 0xc0 : 0xf8;
        if (width == 10)
            p[width - 3] |= 0xc0;
    }
}

static void compare(const char *name, const char *function, int n, int bytes, const unsigned char *first, const unsigned char *got)
{
    for (int i = 0; i < n; i++)
        if (memcmp(first, got + i * bytes, (size_t)bytes) && wrong++ < 10)
            fprintf(stderr, "%s of %s: element %d of %d has other bits\n", function, name, i, n);
}

static void check(const char *name, MPI_Datatype type, MPI_Op op, int part)
{
    static unsigned char mine[MOST * BYTES + 8], out[MOST * BYTES + 8];
    unsigned char element[BYTES], first[BYTES], scan[BYTES];
    int bytes;
    MPI_Type_size(type, &bytes);
    for (int round = 0; round < 8; round++) {
        fill(element, bytes, part, round);
        for (int n = 1; n <= MOST; n++) {
            unsigned char *in = mine + (n <= 16 && n % 2), *result = out + (n <= 16 && n % 3 == 1);
            for (int i = 0; i < n; i++)
                memcpy(in + i * bytes, element, (size_t)bytes);
            MPI_Allreduce(in, result, n, type, op, MPI_COMM_WORLD);
            if (n == 1)
                memcpy(first, result, (size_t)bytes);
            compare(name, "MPI_Allreduce", n, bytes, first, result);
            MPI_Reduce(in, result, n, type, op, n % size, MPI_COMM_WORLD);
            if (rank == n % size)
                compare(name, "MPI_Reduce", n, bytes, first, result);
            MPI_Scan(in, result, n, type, op, MPI_COMM_WORLD);
            if (n == 1)
                memcpy(scan, result, (size_t)bytes);
            compare(name, "MPI_Scan", n, bytes, scan, result);
            if (n % size == 0) {
                MPI_Reduce_scatter_block(in, result, n / size, type, op, MPI_COMM_WORLD);
                compare(name, "MPI_Reduce_scatter_block", n / size, bytes, first, result);
            }
            MPI_Bcast(in, n * bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
            for (int i = 0; i < n; i++)
                memcpy(result + i * bytes, element, (size_t)bytes);
            MPI_Reduce_local(in, result, n, type, op);
            compare(name, "MPI_Reduce_local", n, bytes, result, result);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
    for (int i = 0; i < 4; i++) {
        check("MPI_FLOAT", MPI_FLOAT, ops[i], 4);
        check("MPI_DOUBLE", MPI_DOUBLE, ops[i], 8);
        check("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, ops[i], 16);
        if (i > 1)
            continue;
        check("MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX, ops[i], 4);
        check("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, ops[i], 8);
        check("MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX, ops[i], 16);
    }
    MPI_Finalize();
    return wrong != 0;
}
