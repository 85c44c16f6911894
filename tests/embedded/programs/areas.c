/*
 * The memory of communicators (areas): `areas many N`, `areas parts`, `areas steady`, `areas closed`, `areas closed-fatal`, `areas all-closed`.
 */
#include "collective.h"
#include "embedded/adi/state.h"

#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 2000 };

static bool has_area(MPI_Comm comm) { return ((struct comm *)comm)->area.memory != NULL; }

static const char *name_of_area(MPI_Comm comm) { return adi_heap_of(adi_self->segment)->objects[((struct comm *)comm)->ids.area].name; }

/* Runs some operations of each kind on a communicator. */
static void use(MPI_Comm comm, int seed)
{
    int n, me, sum = 0, root = -1;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    int mine = seed + me, first = me == seed % n ? seed : -1;
    CHECK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK(sum == n * seed + n * (n - 1) / 2);
    root = first;
    CHECK(MPI_Bcast(&root, 1, MPI_INT, seed % n, comm) == MPI_SUCCESS);
    CHECK(root == seed);
    CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
}

/* Many communicators at once, all with an area, which are used in turn and freed in another order. */
static void many(int n)
{
    static OF_RANK MPI_Comm comms[MOST];
    int64_t before = MPID_Memory_optional();
    MPI_Barrier(MPI_COMM_WORLD); /* each rank has read it */
    for (int i = 0; i < n; i++) {
        CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]) == MPI_SUCCESS);
        CHECK(has_area(comms[i]));
    }
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < n; i++)
            use(comms[i * 7 % n], round * n + i);
    MPI_Comm_set_name(comms[0], "halo");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(name_of_area(comms[0]), "area of halo"));
    CHECK(!strcmp(name_of_area(comms[1]), "area of a communicator"));
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        MPI_Comm_free(&comms[i * 11 % n]);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPID_Memory_optional() == before);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Small communicators of a large job: each has an area, also if MPI_COMM_WORLD is too large for one. */
static void parts(void)
{
    MPI_Comm comm, again;
    CHECK((em->world->area.memory != NULL) == (world_size >= 2 && world_size <= 64));
    for (int size = 2; size <= 4; size++) {
        CHECK(MPI_Comm_split(MPI_COMM_WORLD, world_rank / size, 0, &comm) == MPI_SUCCESS);
        CHECK(MPI_Comm_dup(comm, &again) == MPI_SUCCESS);
        int n;
        MPI_Comm_size(comm, &n);
        CHECK(has_area(comm) == (n > 1) && has_area(again) == (n > 1));
        use(comm, size);
        use(again, size + 1);
        MPI_Comm_free(&comm);
        MPI_Comm_free(&again);
    }
}

static long lines_of_maps(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    long lines = 0;
    for (int c; maps && (c = getc(maps)) != EOF;)
        lines += c == '\n';
    if (maps)
        fclose(maps);
    return lines;
}

/* Communicators that come and go use the same memory again: the kernel allocates nothing. */
static void steady(void)
{
    MPI_Comm comm;
    long lines = 0;
    struct stat before, after;
    for (int i = 0; i < 5000; i++) {
        CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
        CHECK(has_area(comm));
        use(comm, i);
        MPI_Comm_free(&comm);
        if (i == 500) {
            MPI_Barrier(MPI_COMM_WORLD);
            lines = lines_of_maps();
            CHECK(fstat(adi_self->memory->fd, &before) == 0);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(fstat(adi_self->memory->fd, &after) == 0);
    CHECK(after.st_blocks - before.st_blocks <= 8 * 2 * 1024); /* another object may be taken while a rank is late: 8 MB at most */
    CHECK(lines_of_maps() <= lines + 8);
}

/* Closes all descriptors except the standard streams, as daemons do. */
static void close_all(void)
{
    for (int fd = 3; fd < 2000; fd++)
        close(fd);
}

/* Rank 1 closes the descriptor of the shared memory: it learns that from the call that needs it. */
static void closed(bool fatal)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int class;
    if (!fatal)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (world_rank == 1)
        close_all();
    int err = MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (world_rank == 1) {
        CHECK(err != MPI_SUCCESS);
        MPI_Error_class(err, &class);
        CHECK(class == MPI_ERR_OTHER);
    } else {
        CHECK(err == MPI_SUCCESS && has_area(comm));
        MPI_Comm_free(&comm);
    }
    use(MPI_COMM_WORLD, 3);
}

/* All ranks close it: new communicators use messages. */
static void all_closed(void)
{
    MPI_Comm comm;
    close_all();
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    CHECK(!has_area(comm));
    use(comm, 4);
    MPI_Comm_free(&comm);
    use(MPI_COMM_WORLD, 5);
}

int main(int argc, char **argv)
{
    const char *job = argv[1];
    begin(&argc, &argv);
    if (!strcmp(job, "many"))
        many(atoi(argv[2]));
    else if (!strcmp(job, "parts"))
        parts();
    else if (!strcmp(job, "steady"))
        steady();
    else if (!strncmp(job, "closed", 6))
        closed(!strcmp(job, "closed-fatal"));
    else if (!strcmp(job, "all-closed"))
        all_closed();
    else
        CHECK(!"a known job");
    return end();
}
