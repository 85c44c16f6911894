/* The program defines pwrite, pread, open and malloc like a tracer. They get rank, size and a datatype's size from MPI
   when the library calls them, during file access and during any other call. */
#define _GNU_SOURCE
#ifndef NAME
#define NAME "inside_trace"
#endif
#include "check.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>
#include <unistd.h>

#include "files.h"

static __thread int busy;
static int active, asked, wrong, mallocs, files;
static MPI_Comm twin;
static MPI_Datatype pair;

static void ask(int *kind)
{
    int r = -1, s = -1, t = -1, bytes = -1;
    if (!active || busy)
        return;
    busy = 1;
    asked++;
    ++*kind;
    wrong += MPI_Comm_rank(MPI_COMM_WORLD, &r) || r != rank;
    wrong += MPI_Comm_size(twin, &s) || s != size;
    wrong += MPI_Comm_rank(twin, &t) || t != rank;
    wrong += MPI_Type_size(pair, &bytes) || bytes != 2 * (int)sizeof(double);
    busy = 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite64(int file, const void *data, size_t bytes, off64_t offset)
{
    ask(&files);
    return REAL(pwrite64)(file, data, bytes, offset);
}

ssize_t pwrite(int file, const void *data, size_t bytes, off_t offset)
{
    ask(&files);
    return REAL(pwrite)(file, data, bytes, offset);
}

ssize_t pread64(int file, void *data, size_t bytes, off64_t offset)
{
    ask(&files);
    return REAL(pread64)(file, data, bytes, offset);
}

ssize_t pread(int file, void *data, size_t bytes, off_t offset)
{
    ask(&files);
    return REAL(pread)(file, data, bytes, offset);
}

ssize_t write(int file, const void *data, size_t bytes)
{
    ask(&files);
    return REAL(write)(file, data, bytes);
}

ssize_t read(int file, void *data, size_t bytes)
{
    ask(&files);
    return REAL(read)(file, data, bytes);
}

#define OPEN(name)                                               \
    int name(const char *path, int flags, ...)                   \
    {                                                            \
        va_list more;                                            \
        mode_t mode = 0;                                         \
        va_start(more, flags);                                   \
        if (flags & O_CREAT)                                     \
            mode = (mode_t)va_arg(more, int);                    \
        va_end(more);                                            \
        ask(&files);                                             \
        return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

extern void *__libc_malloc(size_t bytes);
void *malloc(size_t bytes)
{
    ask(&mallocs);
    return __libc_malloc(bytes);
}

static void files_are_written(MPI_Comm comm)
{
    enum { N = 1000 };
    static int out[N], in[N];
    MPI_File file;
    MPI_Status status;
    int count = -1;
    const char *path = file_path("inside_trace");
    for (int i = 0; i < N; i++)
        out[i] = rank * N + i, in[i] = -1;
    const int before = files;
    MUST(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MUST(MPI_File_write_at_all(file, (MPI_Offset)rank * N * (MPI_Offset)sizeof(int), out, N, MPI_INT, &status));
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, N);
    MUST(MPI_File_sync(file));
    MUST(MPI_Barrier(comm));
    MUST(MPI_File_sync(file));
    MUST(MPI_File_read_at(file, (MPI_Offset)rank * N * (MPI_Offset)sizeof(int), in, N, MPI_INT, &status));
    CHECK(!memcmp(in, out, sizeof in));
    MUST(MPI_File_close(&file));
    CHECK(files > before);
    MUST(MPI_Barrier(comm));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &twin));
    MUST(MPI_Type_contiguous(2, MPI_DOUBLE, &pair));
    MUST(MPI_Type_commit(&pair));
    active = 1;
    files_are_written(twin);
    for (int i = 0; i < 100; i++) {
        const int lengths[3] = {1, 2, 3}, places[3] = {0, 10, 20};
        MPI_Comm more;
        MPI_Datatype type;
        MUST(MPI_Comm_dup(twin, &more));
        MUST(MPI_Type_indexed(3, lengths, places, MPI_INT, &type));
        MUST(MPI_Type_commit(&type));
        MUST(MPI_Type_free(&type));
        MUST(MPI_Comm_free(&more));
    }
    active = 0;
    CHECK(asked > 0);
    CHECK(mallocs > 0);
    CHECK_INT(wrong, 0);
    MUST(MPI_Type_free(&pair));
    MUST(MPI_Comm_free(&twin));
    return check_done(NAME);
}
