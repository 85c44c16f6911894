/*
 * The tests of `wi4go verify` in Fortran. They cover the mistakes that a layer between
 * Fortran and C can make. Each one checks all values that are received, returned or left
 * alone, even if the call returns MPI_SUCCESS.
 */
#include "binding.h"

/* The tag of messages; the value of variables that a call must set, or must not touch. */
enum { SENT = 17, LEFT = 0x5a5a5a5a };
#define WORLD INT(F_MPI_COMM_WORLD)
#define SELF INT(F_MPI_COMM_SELF)
#define INTEGER INT(F_MPI_INTEGER)

/* ---- shared functions ---- */

/* Returns the other rank of a pair, or MPI_PROC_NULL if there is none. */
static MPI_Fint partner(void)
{
    MPI_Fint other = rank ^ 1;
    return other < size ? other : MPI_PROC_NULL;
}

/* Returns byte i of the elements that a rank sends. They differ from rank to rank. */
static char nth(size_t i, int of) { return (char)(1 + i % 101 + (size_t)(of % 16)); }

/* Returns the elements that a rank sends. The caller frees them. */
static char *sent_elements(const place *p, int of)
{
    char *made = malloc(p->of->size * (size_t)p->n + 8);
    for (size_t i = 0; i < p->of->size * (size_t)p->n; i++)
        made[i] = nth(i, of);
    return made;
}

/* Returns a receive buffer, followed by 8 guard bytes. The caller frees it. */
static char *room(const place *p)
{
    const size_t bytes = p->of->size * (size_t)p->n;
    char *made = malloc(bytes + 8);
    memset(made, 0x55, bytes + 8);
    return made;
}

/* Checks a receive buffer with the elements of a rank, and its guard bytes. */
static void check_received(const place *p, const char *received, int of)
{
    const size_t bytes = p->of->size * (size_t)p->n;
    for (size_t i = 0; i < bytes && !is_judged; i++)
        if (received[i] != nth(i, of))
            wrong("received byte %zu is %d, expected %d", i, received[i], nth(i, of));
    for (size_t i = bytes; i < bytes + 8 && !is_judged; i++)
        if (received[i] != 0x55)
            wrong("byte %zu after the received data is %d: it must not change", i - bytes, received[i]);
}

/* The arguments of a call that describe a buffer of the case. */
#define MESSAGE(p, buffer) ARRAY(buffer, (p)->of->size, (p)->n), INT((p)->n), INT((p)->of->type)

/* Checks a CHARACTER: it contains the characters of a C string, then blanks, and no final 0. */
static void expect_text(const char *what, const char *got, size_t length, const char *want)
{
    const size_t n = strlen(want);
    for (size_t i = 0; i < length; i++)
        if (got[i] != (i < n ? want[i] : ' ')) {
            wrong("character %zu of %s is %d, expected %d", i + 1, what, got[i], i < n ? want[i] : ' ');
            return;
        }
}

/* Fills n integers with LEFT. */
static void fill_left(MPI_Fint *constant, int n)
{
    for (int i = 0; i < n; i++)
        constant[i] = LEFT;
}
/* Checks that n integers still are LEFT. */
static void expect_forgotten(const char *what, const MPI_Fint *constant, int n)
{
    for (int i = 0; i < n; i++)
        if (constant[i] != LEFT) {
            wrong("%s was written to", what);
            return;
        }
}

/* ---- messages ---- */

/* A message from an even rank to the next one, of each type and count. */
static void send_to_next(const place *p)
{
    const MPI_Fint other = partner();
    MPI_Fint count = LEFT;
    status s;
    char *buffer;
    if (other == MPI_PROC_NULL)
        return;
    if (rank % 2 == 0) {
        buffer = sent_elements(p, rank);
        MUST(CHOICE(send)(MESSAGE(p, buffer), &other, INT(SENT), WORLD, IERROR));
    } else {
        buffer = room(p);
        fill_left(s, STATUS_SIZE);
        MUST(CHOICE(recv)(MESSAGE(p, buffer), INT(MPI_ANY_SOURCE), INT(MPI_ANY_TAG), WORLD, s, IERROR));
        EXPECT("status(MPI_SOURCE)", SOURCE(s), other);
        EXPECT("status(MPI_TAG)", TAG(s), SENT);
        MUST(PLAIN(get_count)(s, INT(p->of->type), &count, IERROR));
        EXPECT("the count of mpi_get_count", count, p->n);
        check_received(p, buffer, other);
    }
    free(buffer);
}

/* Calls with MPI_STATUS_IGNORE must not write to it. */
static void ignored_status(const place *p)
{
    MPI_Fint sent = rank + 5, got = 0, request = F_MPI_REQUEST_NULL;
    fill_left(STATUS_IGNORE, 5);
    MUST(CHOICE(isend)(SCALAR(&sent), INT(1), INTEGER, &rank, INT(SENT), WORLD, &request, IERROR));
    MUST(CHOICE(recv)(SCALAR(&got), INT(1), INTEGER, &rank, INT(SENT), WORLD, STATUS_IGNORE, IERROR));
    MUST(PLAIN(wait)(&request, STATUS_IGNORE, IERROR));
    EXPECT("the message", got, rank + 5);
    EXPECT("the request that is done", request, F_MPI_REQUEST_NULL);
    expect_forgotten("MPI_STATUS_IGNORE", STATUS_IGNORE, 5);
}

/* A receive from MPI_PROC_NULL. */
static void proc_null(const place *p)
{
    MPI_Fint got = LEFT;
    status s;
    fill_left(s, STATUS_SIZE);
    MUST(CHOICE(recv)(SCALAR(&got), INT(1), INTEGER, INT(MPI_PROC_NULL), INT(SENT), WORLD, s, IERROR));
    EXPECT("status(MPI_SOURCE) of MPI_PROC_NULL", SOURCE(s), MPI_PROC_NULL);
    EXPECT("status(MPI_TAG) of MPI_PROC_NULL", TAG(s), MPI_ANY_TAG);
    EXPECT("the buffer, to which nobody sent", got, LEFT);
}

/* Starts several messages from this process to itself: first the receives, then the sends.
   Returns 1; if a call fails, judges the case and returns 0. */
enum { MANY = 3 };
static int begin_many(MPI_Fint *requests, MPI_Fint *received)
{
    static MPI_Fint sent[MANY];
    for (int i = 0; i < 2 * MANY; i++)
        requests[i] = F_MPI_REQUEST_NULL;
    for (int i = 0; i < MANY; i++) {
        received[i] = 0;
        ierror = MPI_SUCCESS;
        CHOICE(irecv)(SCALAR(&received[i]), INT(1), INTEGER, &rank, INT(i + 1), WORLD, &requests[i], IERROR);
        if (ierror != MPI_SUCCESS) {
            failed("CHOICE(irecv)", ierror);
            return 0;
        }
    }
    for (int i = 0; i < MANY; i++) {
        sent[i] = 10 + i;
        CHOICE(isend)(SCALAR(&sent[i]), INT(1), INTEGER, &rank, INT(i + 1), WORLD, &requests[MANY + i], IERROR);
        if (ierror != MPI_SUCCESS) {
            failed("CHOICE(isend)", ierror);
            return 0;
        }
    }
    return 1;
}

/* Checks that all of them are complete. */
static void expect_many(const MPI_Fint *requests, const MPI_Fint *received)
{
    for (int i = 0; i < 2 * MANY; i++)
        EXPECT("a request that is done", requests[i], F_MPI_REQUEST_NULL);
    for (int i = 0; i < MANY; i++)
        EXPECT("a message", received[i], 10 + i);
}

/* An array of statuses, which is aligned only as an INTEGER, and MPI_STATUSES_IGNORE. */
static void waitall(const place *p)
{
    MPI_Fint requests[2 * MANY], received[MANY];
    MPI_Fint memory[2 + 2 * MANY * STATUS_SIZE] __attribute__((aligned(16))), *s = memory + 1; /* aligned only as an INTEGER */
    if (!begin_many(requests, received))
        return;
    fill_left(memory, 2 + 2 * MANY * STATUS_SIZE);
    MUST(PLAIN(waitall)(INT(2 * MANY), requests, s, IERROR));
    expect_many(requests, received);
    for (int i = 0; i < MANY; i++) {
        EXPECT("status(MPI_SOURCE) of mpi_waitall", SOURCE(s + i * STATUS_SIZE), rank);
        EXPECT("status(MPI_TAG) of mpi_waitall", TAG(s + i * STATUS_SIZE), i + 1);
    }
    expect_forgotten("the memory before the statuses", memory, 1);
    expect_forgotten("the memory after the statuses", memory + 1 + 2 * MANY * STATUS_SIZE, 1);

    if (!begin_many(requests, received))
        return;
    fill_left(STATUSES_IGNORE, 5);
    MUST(PLAIN(waitall)(INT(2 * MANY), requests, STATUSES_IGNORE, IERROR));
    expect_many(requests, received);
    expect_forgotten("MPI_STATUSES_IGNORE", STATUSES_IGNORE, 5);
}

/* Indices begin with 1. */
static void waitany(const place *p)
{
    MPI_Fint requests[2 * MANY], received[MANY], index, seen = 0;
    status s;
    if (!begin_many(requests, received))
        return;
    for (int i = 0; i < 2 * MANY; i++) {
        index = LEFT;
        MUST(PLAIN(waitany)(INT(2 * MANY), requests, &index, s, IERROR));
        if (index < 1 || index > 2 * MANY) {
            wrong("the index of mpi_waitany is %d, expected 1 to %d", index, 2 * MANY);
            return;
        }
        EXPECT("the request of the index", requests[index - 1], F_MPI_REQUEST_NULL);
        if (index <= MANY)
            EXPECT("status(MPI_TAG) of mpi_waitany", TAG(s), index);
        seen |= 1 << index;
    }
    EXPECT("the indices of mpi_waitany, as bits", seen, (2 << 2 * MANY) - 2);
    MUST(PLAIN(waitany)(INT(2 * MANY), requests, &index, STATUS_IGNORE, IERROR));
    EXPECT("the index of mpi_waitany without requests", index, MPI_UNDEFINED);
    expect_many(requests, received);
}

/* An array of indices, which begin with 1, and of statuses. */
static void waitsome(const place *p)
{
    MPI_Fint requests[2 * MANY], received[MANY], indices[2 * MANY], n = 0, seen = 0;
    MPI_Fint s[2 * MANY * STATUS_SIZE];
    if (!begin_many(requests, received))
        return;
    for (int done = 0; done < 2 * MANY; done += n) {
        n = LEFT;
        MUST(PLAIN(waitsome)(INT(2 * MANY), requests, &n, indices, s, IERROR));
        if (n < 1 || n > 2 * MANY - done) {
            wrong("mpi_waitsome has completed %d requests of %d", n, 2 * MANY - done);
            return;
        }
        for (int i = 0; i < n; i++) {
            if (indices[i] < 1 || indices[i] > 2 * MANY) {
                wrong("an index of mpi_waitsome is %d, expected 1 to %d", indices[i], 2 * MANY);
                return;
            }
            if (indices[i] <= MANY)
                EXPECT("status(MPI_TAG) of mpi_waitsome", TAG(s + i * STATUS_SIZE), indices[i]);
            seen |= 1 << indices[i];
        }
    }
    EXPECT("the indices of mpi_waitsome, as bits", seen, (2 << 2 * MANY) - 2);
    MUST(PLAIN(waitsome)(INT(2 * MANY), requests, &n, indices, STATUSES_IGNORE, IERROR));
    EXPECT("the count of mpi_waitsome without requests", n, MPI_UNDEFINED);
    expect_many(requests, received);
}

/* A LOGICAL result is set to 1 for .TRUE. and to 0 for .FALSE. */
static void logicals(const place *p)
{
    MPI_Fint flag = LEFT, request = F_MPI_REQUEST_NULL, got = 0;
    MUST(PLAIN(initialized)(&flag, IERROR));
    EXPECT("the flag of mpi_initialized", flag, 1);
    flag = LEFT;
    MUST(PLAIN(finalized)(&flag, IERROR));
    EXPECT("the flag of mpi_finalized", flag, 0);
    flag = LEFT;
    MUST(PLAIN(iprobe)(INT(MPI_ANY_SOURCE), INT(SENT), SELF, &flag, STATUS_IGNORE, IERROR));
    EXPECT("the flag of mpi_iprobe without a message", flag, 0);
    MUST(CHOICE(irecv)(SCALAR(&got), INT(1), INTEGER, INT(0), INT(SENT), SELF, &request, IERROR));
    flag = LEFT;
    MUST(PLAIN(test)(&request, &flag, STATUS_IGNORE, IERROR));
    EXPECT("the flag of mpi_test without a message", flag, 0);
    MUST(CHOICE(send)(SCALAR(INT(3)), INT(1), INTEGER, INT(0), INT(SENT), SELF, IERROR));
    for (int i = 0; i < 1000000 && flag == 0; i++)
        MUST(PLAIN(test)(&request, &flag, STATUS_IGNORE, IERROR));
    EXPECT("the flag of mpi_test", flag, 1);
    EXPECT("the message", got, 3);
}

/* ---- constants that are addresses ---- */

/* MPI_BOTTOM with absolute addresses. */
static void bottom(const place *p)
{
    struct {
        MPI_Fint a;
        double b;
    } from = {7, 2.5}, to = {0, 0};
    MPI_Aint at[2][2];
    MPI_Fint types[2] = {F_MPI_INTEGER, F_MPI_DOUBLE_PRECISION}, ones[2] = {1, 1}, made[2] = {0, 0};
    MUST(CHOICE(get_address)(SCALAR(&from.a), &at[0][0], IERROR));
    MUST(CHOICE(get_address)(SCALAR(&from.b), &at[0][1], IERROR));
    MUST(CHOICE(get_address)(SCALAR(&to.a), &at[1][0], IERROR));
    MUST(CHOICE(get_address)(SCALAR(&to.b), &at[1][1], IERROR));
    EXPECT("the distance of two addresses", at[0][1] - at[0][0], (char *)&from.b - (char *)&from.a);
    for (int i = 0; i < 2; i++) {
        MUST(PLAIN(type_create_struct)(INT(2), ones, at[i], types, &made[i], IERROR));
        MUST(PLAIN(type_commit)(&made[i], IERROR));
    }
    MUST(CHOICE(sendrecv)(SCALAR(BOTTOM), INT(1), &made[0], &rank, INT(SENT), SCALAR(BOTTOM), INT(1), &made[1], &rank, INT(SENT), WORLD, STATUS_IGNORE,
                          IERROR));
    EXPECT("the integer received at MPI_BOTTOM", to.a, 7);
    EXPECT("twice the number received at MPI_BOTTOM", 2 * to.b, 5);
    for (int i = 0; i < 2; i++) {
        MUST(PLAIN(type_free)(&made[i], IERROR));
        EXPECT("the type that is free", made[i], F_MPI_DATATYPE_NULL);
    }
}

/* MPI_IN_PLACE. */
static void in_place(const place *p)
{
    MPI_Fint values[4];
    for (int i = 0; i < 4; i++)
        values[i] = rank + i;
    MUST(CHOICE(allreduce)(SCALAR(IN_PLACE), ARRAY(values, 4, 4), INT(4), INTEGER, INT(F_MPI_SUM), WORLD, IERROR));
    for (int i = 0; i < 4; i++)
        EXPECT("a sum", values[i], size * (size - 1) / 2 + size * i);
    MPI_Fint *all = calloc((size_t)size, sizeof *all);
    all[rank] = 20 + rank;
    MUST(CHOICE(allgather)(SCALAR(IN_PLACE), INT(0), INT(F_MPI_DATATYPE_NULL), ARRAY(all, 4, size), INT(1), INTEGER, WORLD, IERROR));
    for (int i = 0; i < size; i++)
        EXPECT("an element of mpi_allgather", all[i], 20 + i);
    free(all);
}

/* ---- strings ---- */

/* A name loses the blanks at its end, and is padded with blanks when it is returned. */
static void names(const place *p)
{
    enum { LONG = MPI_MAX_OBJECT_NAME }; /* in Fortran one less, except in the mpi_f08 of one library */
    MPI_Fint comm = F_MPI_COMM_NULL, length = LEFT;
    char name[LONG + 1];
    memset(name, '#', sizeof name);
    name[LONG - 1] = ' ';
    MUST(PLAIN(comm_dup)(WORLD, &comm, IERROR));
    MUST(PLAIN(comm_set_name)(&comm, "a name of a communicator     #", IERROR, (size_t)29));
    MUST(PLAIN(comm_get_name)(&comm, name, &length, IERROR, (size_t)LONG));
    EXPECT("the length of the name", length, 24);
    expect_text("the name", name, LONG, "a name of a communicator");
    EXPECT("the memory after the string", name[LONG], '#');
    MUST(PLAIN(comm_free)(&comm, IERROR));
    EXPECT("the communicator that is free", comm, F_MPI_COMM_NULL);
}

/* Keys and values lose the blanks at both ends; flags are LOGICAL. */
static void infos(const place *p)
{
    MPI_Fint info = F_MPI_INFO_NULL, flag = LEFT, n = LEFT, length = LEFT;
    char text[21], key[13] = "############", value[13];
    MUST(PLAIN(info_create)(&info, IERROR));
    MUST(PLAIN(info_set)(&info, " wi4go_key  ", "  a value   ", IERROR, (size_t)12, (size_t)12));
    memset(text, '#', sizeof text);
    MUST(PLAIN(info_get)(&info, "wi4go_key", INT(20), text, &flag, IERROR, (size_t)9, (size_t)20));
    EXPECT("the flag of mpi_info_get", flag, 1);
    expect_text("the value", text, 20, "a value");
    EXPECT("the memory after the string", text[20], '#');
    MUST(PLAIN(info_get_valuelen)(&info, "wi4go_key ", &length, &flag, IERROR, (size_t)10));
    EXPECT("the length of the value", length, 7);
    MUST(PLAIN(info_get_nkeys)(&info, &n, IERROR));
    EXPECT("the number of keys", n, 1);
    MUST(PLAIN(info_get_nthkey)(&info, INT(0), key, IERROR, (size_t)12));
    expect_text("the key", key, 12, "wi4go_key");
    flag = LEFT;
    memset(value, '#', sizeof value);
    MUST(PLAIN(info_get)(&info, "another", INT(12), value, &flag, IERROR, (size_t)7, (size_t)12));
    EXPECT("the flag of mpi_info_get without the key", flag, 0);
    MUST(PLAIN(info_free)(&info, IERROR));
    EXPECT("the info that is free", info, F_MPI_INFO_NULL);
}

/* An error string is padded with blanks and lacks a final 0. */
static void error_strings(const place *p)
{
    char text[MPI_MAX_ERROR_STRING + 1];
    MPI_Fint length = LEFT, class = LEFT;
    memset(text, '#', sizeof text);
    text[sizeof text - 2] = ' '; /* as in names */
    MUST(PLAIN(error_string)(INT(MPI_ERR_RANK), text, &length, IERROR, sizeof text - 1));
    if (length < 1 || length > (MPI_Fint)sizeof text - 1) {
        wrong("the length of mpi_error_string is %d", length);
        return;
    }
    EXPECT("the last character is a blank", text[length - 1] == ' ', 0);
    EXPECT("the text has a 0", memchr(text, 0, sizeof text) != NULL, 0);
    expect_text("the rest of the text", text + length, sizeof text - 1 - (size_t)length, "");
    EXPECT("the memory after the string", text[sizeof text - 1], '#');
    MUST(PLAIN(error_class)(INT(MPI_ERR_RANK), &class, IERROR));
    EXPECT("the class of MPI_ERR_RANK", class, MPI_ERR_RANK);
}

/* ---- handles ---- */

/* Communicators and groups, and their null handles. */
static void groups(const place *p)
{
    MPI_Fint comm = F_MPI_COMM_NULL, group[2] = {F_MPI_GROUP_NULL, F_MPI_GROUP_NULL}, result = LEFT, n = LEFT, there = LEFT;
    MUST(PLAIN(comm_split)(WORLD, INT(rank % 2), INT(-rank), &comm, IERROR));
    MUST(PLAIN(comm_size)(&comm, &n, IERROR));
    EXPECT("the size of the half", n, (size + (rank % 2 == 0)) / 2);
    MUST(PLAIN(comm_compare)(WORLD, WORLD, &result, IERROR));
    EXPECT("a communicator compared with itself", result, MPI_IDENT);
    MUST(PLAIN(comm_group)(WORLD, &group[0], IERROR));
    MUST(PLAIN(comm_group)(&comm, &group[1], IERROR));
    MUST(PLAIN(group_translate_ranks)(&group[0], INT(1), &rank, &group[1], &there, IERROR));
    EXPECT("this rank in the half", there, n - 1 - rank / 2);
    MUST(PLAIN(comm_split)(WORLD, INT(MPI_UNDEFINED), INT(0), &result, IERROR));
    EXPECT("the communicator of MPI_UNDEFINED", result, F_MPI_COMM_NULL);
    for (int i = 0; i < 2; i++) {
        MUST(PLAIN(group_free)(&group[i], IERROR));
        EXPECT("the group that is free", group[i], F_MPI_GROUP_NULL);
    }
    MUST(PLAIN(comm_free)(&comm, IERROR));
}

/* Arrays of LOGICAL. */
static void grid(const place *p)
{
    MPI_Fint comm = F_MPI_COMM_NULL, dims[2] = {size, 1}, periods[2] = {1, 0}, coords[2] = {LEFT, LEFT}, from = LEFT, to = LEFT, kind = LEFT;
    MUST(PLAIN(cart_create)(WORLD, INT(2), dims, periods, INT(0), &comm, IERROR));
    dims[0] = dims[1] = periods[0] = periods[1] = LEFT;
    MUST(PLAIN(cart_get)(&comm, INT(2), dims, periods, coords, IERROR));
    EXPECT("the first extent", dims[0], size);
    EXPECT("the first period", periods[0], 1);
    EXPECT("the second period", periods[1], 0);
    EXPECT("the first coordinate", coords[0], rank);
    MUST(PLAIN(cart_shift)(&comm, INT(0), INT(1), &from, &to, IERROR));
    EXPECT("the rank before this one, around the period", from, (rank + size - 1) % size);
    EXPECT("the rank after this one, around the period", to, (rank + 1) % size);
    MUST(PLAIN(cart_shift)(&comm, INT(1), INT(1), &from, &to, IERROR));
    EXPECT("the rank after this one, without a period", to, MPI_PROC_NULL);
    MUST(PLAIN(topo_test)(&comm, &kind, IERROR));
    EXPECT("the topology", kind, MPI_CART);
    MUST(PLAIN(comm_free)(&comm, IERROR));
}

/* Weights are an array, or a constant that is an address. */
static void graph(const place *p)
{
    const MPI_Fint next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Fint comm = F_MPI_COMM_NULL, in = LEFT, out = LEFT, weighted = LEFT, from = LEFT, to = LEFT, weights[2] = {LEFT, LEFT};
    MUST(PLAIN(dist_graph_create_adjacent)(WORLD, INT(1), &before, UNWEIGHTED, INT(1), &next, UNWEIGHTED, INT(F_MPI_INFO_NULL), INT(0), &comm, IERROR));
    MUST(PLAIN(dist_graph_neighbors_count)(&comm, &in, &out, &weighted, IERROR));
    EXPECT("the sources", in, 1);
    EXPECT("the destinations", out, 1);
    EXPECT("the LOGICAL of weights, with MPI_UNWEIGHTED", weighted, 0);
    MUST(PLAIN(comm_free)(&comm, IERROR));
    MUST(PLAIN(dist_graph_create_adjacent)(WORLD, INT(1), &before, INT(3), INT(1), &next, INT(4), INT(F_MPI_INFO_NULL), INT(0), &comm, IERROR));
    MUST(PLAIN(dist_graph_neighbors_count)(&comm, &in, &out, &weighted, IERROR));
    EXPECT("the LOGICAL of weights", weighted, 1);
    MUST(PLAIN(dist_graph_neighbors)(&comm, INT(1), &from, &weights[0], INT(1), &to, &weights[1], IERROR));
    EXPECT("the source", from, before);
    EXPECT("the destination", to, next);
    EXPECT("the weight of the source", weights[0], 3);
    EXPECT("the weight of the destination", weights[1], 4);
    MUST(PLAIN(comm_free)(&comm, IERROR));
}

/* ---- derived types ---- */

/* A structure: its size, bounds, envelope and contents, and a message. */
static void structs(const place *p)
{
    struct record {
        MPI_Fint i;
        char c[4];
        double d;
    } from[2] = {{1, "abc", 1.5}, {2, "def", 2.5}}, to[2];
    MPI_Fint made = F_MPI_DATATYPE_NULL, ones[3] = {1, 4, 1}, bytes = LEFT, integers[4], types[3] = {F_MPI_INTEGER, F_MPI_CHARACTER, F_MPI_DOUBLE_PRECISION},
             n[3] = {LEFT, LEFT, LEFT}, combiner = LEFT, count = LEFT;
    MPI_Aint at[3] = {offsetof(struct record, i), offsetof(struct record, c), offsetof(struct record, d)}, lower = LEFT, extent = LEFT;
    status s;
    memset(to, 0, sizeof to);
    MUST(PLAIN(type_create_struct)(INT(3), ones, at, types, &made, IERROR));
    MUST(PLAIN(type_commit)(&made, IERROR));
    MUST(PLAIN(type_size)(&made, &bytes, IERROR));
    EXPECT("the size", bytes, 16);
    MUST(PLAIN(type_get_extent)(&made, &lower, &extent, IERROR));
    EXPECT("the lower bound", lower, 0);
    EXPECT("the extent", extent, sizeof(struct record));
    MUST(PLAIN(type_get_envelope)(&made, &n[0], &n[1], &n[2], &combiner, IERROR));
    EXPECT("the combiner", combiner, MPI_COMBINER_STRUCT);
    EXPECT("the integers of the envelope", n[0], 4);
    EXPECT("the addresses of the envelope", n[1], 3);
    EXPECT("the types of the envelope", n[2], 3);
    if (is_judged)
        return;
    /* The contents overwrite the arguments of the constructor. */
    memset(at, 0, sizeof at);
    memset(types, 0x55, sizeof types);
    MUST(PLAIN(type_get_contents)(&made, INT(4), INT(3), INT(3), integers, at, types, IERROR));
    EXPECT("the second length", integers[2], 4);
    EXPECT("the third displacement", at[2], offsetof(struct record, d));
    EXPECT("the first type", types[0], F_MPI_INTEGER);
    EXPECT("the second type", types[1], F_MPI_CHARACTER);
    EXPECT("the third type", types[2], F_MPI_DOUBLE_PRECISION);
    MUST(CHOICE(sendrecv)(ARRAY(from, sizeof *from, 2), INT(2), &made, &rank, INT(SENT), ARRAY(to, sizeof *to, 2), INT(2), &made, &rank, INT(SENT), WORLD, s,
                          IERROR));
    MUST(PLAIN(get_count)(s, &made, &count, IERROR));
    EXPECT("the count received", count, 2);
    EXPECT("the received data equal the sent data", memcmp(from, to, sizeof to) == 0, 1);
    MUST(PLAIN(type_free)(&made, IERROR));
    EXPECT("the type that is free", made, F_MPI_DATATYPE_NULL);
}

/* An array of datatypes: each rank gets an INTEGER or a DOUBLE PRECISION. */
static void alltoallw(const place *p)
{
    MPI_Fint *ones = calloc((size_t)size, sizeof *ones), *at = calloc((size_t)size, sizeof *at), *types = calloc((size_t)size, sizeof *types);
    double *from = calloc((size_t)size, sizeof *from), *to = calloc((size_t)size, sizeof *to);
    for (int i = 0; i < size; i++) {
        const int is_double = (rank + i) % 2;
        ones[i] = 1;
        at[i] = 8 * i;
        types[i] = is_double ? F_MPI_DOUBLE_PRECISION : F_MPI_INTEGER;
        if (is_double)
            from[i] = 0.5 + rank;
        else
            memcpy(&from[i], &(MPI_Fint){1 + rank}, 4);
    }
    MUST(CHOICE(alltoallw)(ARRAY(from, 8, size), ones, at, types, ARRAY(to, 8, size), ones, at, types, WORLD, IERROR));
    for (int i = 0; i < size; i++) {
        MPI_Fint got;
        memcpy(&got, &to[i], 4);
        if ((rank + i) % 2)
            EXPECT("twice a number received", 2 * to[i], 2 * i + 1);
        else
            EXPECT("an integer received", got, 1 + i);
    }
    free(ones);
    free(at);
    free(types);
    free(from);
    free(to);
}

/* ---- callbacks: procedures of the program ---- */

/* The calls of the callbacks below: their number, and the arguments of the last one. */
static struct {
    MPI_Fint calls, object, number;
    MPI_Aint value, extra;
} told;

/* Copies an attribute as its value plus 1. */
static void copy_incremented(MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, MPI_Fint *flag, MPI_Fint *error)
{
    told.calls++;
    told.object = *comm;
    told.number = *keyval;
    told.extra = *extra;
    told.value = *in;
    *out = *in + 1;
    *flag = 1;
    *error = MPI_SUCCESS;
}

static void delete(MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *value, MPI_Aint *extra, MPI_Fint *error)
{
    told.calls++;
    told.object = *comm;
    told.number = *keyval;
    told.extra = *extra;
    told.value = *value;
    *error = MPI_SUCCESS;
}

/* Attributes with a value that does not fit into an INTEGER, and the calls of their callbacks. */
static void attributes(const place *p)
{
    static const MPI_Aint extra = 5; /* static, because MPICH keeps its address */
    const MPI_Aint large = ((MPI_Aint)1 << 40) + 3;
    MPI_Fint comm[2] = {F_MPI_COMM_NULL, F_MPI_COMM_NULL}, keyval = MPI_KEYVAL_INVALID, flag = LEFT;
    MPI_Aint value = LEFT;
    MUST(PLAIN(comm_create_keyval)(copy_incremented, delete, &keyval, &extra, IERROR));
    MUST(PLAIN(comm_dup)(SELF, &comm[0], IERROR));
    MUST(PLAIN(comm_get_attr)(&comm[0], &keyval, &value, &flag, IERROR));
    EXPECT("the flag of an attribute that is not set", flag, 0);
    MUST(PLAIN(comm_set_attr)(&comm[0], &keyval, &large, IERROR));
    MUST(PLAIN(comm_get_attr)(&comm[0], &keyval, &value, &flag, IERROR));
    EXPECT("the flag of an attribute", flag, 1);
    EXPECT("the attribute", value, large);
    memset(&told, 0, sizeof told);
    MUST(PLAIN(comm_dup)(&comm[0], &comm[1], IERROR));
    EXPECT("the calls of the procedure that copies", told.calls, 1);
    EXPECT("its communicator", told.object, comm[0]);
    EXPECT("its keyval", told.number, keyval);
    EXPECT("its extra state", told.extra, 5);
    EXPECT("its attribute", told.value, large);
    MUST(PLAIN(comm_get_attr)(&comm[1], &keyval, &value, &flag, IERROR));
    EXPECT("the flag of the copy", flag, 1);
    EXPECT("the copy", value, large + 1);
    memset(&told, 0, sizeof told);
    MUST(PLAIN(comm_delete_attr)(&comm[1], &keyval, IERROR));
    EXPECT("the calls of the procedure that deletes", told.calls, 1);
    EXPECT("the communicator of the procedure that deletes", told.object, comm[1]);
    EXPECT("its extra state", told.extra, 5);
    EXPECT("its attribute", told.value, large + 1);
    memset(&told, 0, sizeof told);
    for (int i = 1; i >= 0; i--)
        MUST(PLAIN(comm_free)(&comm[i], IERROR));
    EXPECT("the calls of the procedure that deletes, at the end", told.calls, 1);
    EXPECT("its attribute", told.value, large);
    MUST(PLAIN(comm_free_keyval)(&keyval, IERROR));
    EXPECT("the keyval that is free", keyval, MPI_KEYVAL_INVALID);
}

/* MPI_TAG_UB is the number itself, not an address. */
static void predefined_attribute(const place *p)
{
    MPI_Fint flag = LEFT;
    MPI_Aint value = LEFT;
    MUST(PLAIN(comm_get_attr)(WORLD, INT(F_TAG_UB), &value, &flag, IERROR));
    EXPECT("the flag of MPI_TAG_UB", flag, 1);
    if (value < 32767 || value > 0x7fffffff)
        wrong("MPI_TAG_UB is %lld: the integer is from 32767 to 2147483647", (long long)value);
}

/* An operation: the sum of both operands and 1. */
static void twice_and_more(const MPI_Fint *in, MPI_Fint *inout, const MPI_Fint *n, const MPI_Fint *type)
{
    told.calls++;
    told.object = *type;
    told.number = *n;
    for (int i = 0; i < *n; i++)
        inout[i] += in[i] + 1;
}

/* A user-defined operation receives Fortran handles. */
static void user_operation(const place *p)
{
    MPI_Fint op = F_MPI_OP_NULL, in[3] = {1, 2, 3}, out[3] = {10, 20, 30};
    MUST(PLAIN(op_create)(twice_and_more, INT(1), &op, IERROR));
    memset(&told, 0, sizeof told);
    MUST(CHOICE(reduce_local)(ARRAY(in, 4, 3), ARRAY(out, 4, 3), INT(3), INTEGER, &op, IERROR));
    EXPECT("the calls of the operation", told.calls, 1);
    EXPECT("its length", told.number, 3);
    EXPECT("its type, as the program's MPI_INTEGER", told.object, F_MPI_INTEGER);
    for (int i = 0; i < 3; i++)
        EXPECT("a result of mpi_reduce_local", out[i], 11 * (i + 1) + 1);
    MUST(CHOICE(allreduce)(ARRAY(in, 4, 3), ARRAY(out, 4, 3), INT(3), INTEGER, &op, WORLD, IERROR));
    for (int i = 0; i < 3; i++)
        EXPECT("a result of mpi_allreduce", out[i], size * (i + 1) + size - 1);
    MUST(PLAIN(op_free)(&op, IERROR));
    EXPECT("the operation that is free", op, F_MPI_OP_NULL);
}

/* An error handler. */
static void handler(MPI_Fint *comm, MPI_Fint *code)
{
    told.calls++;
    told.object = *comm;
    told.number = *code;
}

/* An error handler receives a Fortran handle and the error code. */
static void error_handler(const place *p)
{
    MPI_Fint comm = F_MPI_COMM_NULL, made = F_MPI_ERRHANDLER_NULL, class = LEFT;
    MUST(PLAIN(comm_create_errhandler)(handler, &made, IERROR));
    MUST(PLAIN(comm_dup)(SELF, &comm, IERROR));
    MUST(PLAIN(comm_set_errhandler)(&comm, &made, IERROR));
    memset(&told, 0, sizeof told);
    MUST(PLAIN(comm_call_errhandler)(&comm, INT(MPI_ERR_TAG), IERROR));
    EXPECT("the calls of the error handler", told.calls, 1);
    EXPECT("its communicator", told.object, comm);
    MUST(PLAIN(error_class)(&told.number, &class, IERROR));
    EXPECT("the class of its error", class, MPI_ERR_TAG);
    MUST(PLAIN(errhandler_free)(&made, IERROR));
    EXPECT("the error handler that is free", made, F_MPI_ERRHANDLER_NULL);
    MUST(PLAIN(comm_get_errhandler)(WORLD, &made, IERROR));
    EXPECT("the error handler of MPI_COMM_WORLD", made, F_MPI_ERRORS_RETURN);
    MUST(PLAIN(comm_free)(&comm, IERROR));
}

/* ---- windows ---- */

/* Sizes and displacements have the kind MPI_ADDRESS_KIND. */
static void window_sizes(const place *p)
{
    MPI_Fint memory[4] = {LEFT, LEFT, LEFT, LEFT}, from[2] = {rank + 1, rank + 2}, win = F_MPI_WIN_NULL;
    const MPI_Fint next = (rank + 1) % size, before = (rank + size - 1) % size;
    MUST(CHOICE(win_create)(ARRAY(memory, 4, 4), ADDRESS(sizeof memory), INT(4), INT(F_MPI_INFO_NULL), WORLD, &win, IERROR));
    MUST(PLAIN(win_fence)(INT(0), &win, IERROR));
    MUST(CHOICE(put)(ARRAY(from, 4, 2), INT(2), INTEGER, &next, ADDRESS(1), INT(2), INTEGER, &win, IERROR));
    MUST(PLAIN(win_fence)(INT(0), &win, IERROR));
    EXPECT("the element before the data put", memory[0], LEFT);
    EXPECT("the first element put", memory[1], before + 1);
    EXPECT("the second element put", memory[2], before + 2);
    EXPECT("the element after the data put", memory[3], LEFT);
    MUST(PLAIN(win_free)(&win, IERROR));
    EXPECT("the window that is free", win, F_MPI_WIN_NULL);
}

/* The address of memory that the library allocates is returned as an INTEGER of kind
   MPI_ADDRESS_KIND, in mpi_f08 as a C pointer. */
static void pointers(const place *p)
{
    MPI_Fint *memory = NULL, *queried = NULL, win = F_MPI_WIN_NULL, node = F_MPI_COMM_NULL, unit = LEFT, here = LEFT;
    const MPI_Fint next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Aint bytes = LEFT;
    MUST(PLAIN(win_allocate)(ADDRESS(16), INT(4), INT(F_MPI_INFO_NULL), WORLD, &memory, &win, IERROR));
    if (!memory) {
        wrong("mpi_win_allocate has given no memory");
        return;
    }
    fill_left(memory, 4);
    MUST(PLAIN(win_fence)(INT(0), &win, IERROR));
    MUST(CHOICE(put)(SCALAR(&(MPI_Fint){rank + 1}), INT(1), INTEGER, &next, ADDRESS(2), INT(1), INTEGER, &win, IERROR));
    MUST(PLAIN(win_fence)(INT(0), &win, IERROR));
    EXPECT("the element put", memory[2], before + 1);
    EXPECT("the element after it", memory[3], LEFT);
    MUST(PLAIN(win_free)(&win, IERROR));
    MUST(PLAIN(comm_split_type)(WORLD, INT(MPI_COMM_TYPE_SHARED), INT(0), INT(F_MPI_INFO_NULL), &node, IERROR));
    MUST(PLAIN(comm_rank)(&node, &here, IERROR));
    MUST(PLAIN(win_allocate_shared)(ADDRESS(64), INT(4), INT(F_MPI_INFO_NULL), &node, &memory, &win, IERROR));
    MUST(PLAIN(win_shared_query)(&win, &here, &bytes, &unit, &queried, IERROR));
    EXPECT("the bytes of shared memory", bytes, 64);
    EXPECT("its unit of displacement", unit, 4);
    if (queried) {
        memory[15] = 100 + here;
        EXPECT("an element by either pointer", queried[15], 100 + here);
    } else {
        wrong("mpi_win_shared_query has given no memory");
    }
    MUST(PLAIN(win_free)(&win, IERROR));
    MUST(PLAIN(comm_free)(&node, IERROR));
}

/* ---- procedures of modules; Fortran and C together ---- */

/* MPI_SIZEOF, which is a module procedure. */
static void sizes(const place *p)
{
    MPI_Fint bytes = LEFT, integers[2];
    double number;
    MUST(SIZEOF_INTEGERS(ARRAY(integers, 4, 2), &bytes, &ierror));
    EXPECT("the size of an INTEGER", bytes, 4);
    MUST(SIZEOF_DOUBLE(SCALAR(&number), &bytes, &ierror));
    EXPECT("the size of a DOUBLE PRECISION", bytes, 8);
}

/* A communicator made in one language is used in the other, and a C status in Fortran. */
static void mixed(const place *p)
{
    int (*c_dup)(MPI_Comm, MPI_Comm *) = function("MPI_Comm_dup"), (*c_rank)(MPI_Comm, int *) = function("MPI_Comm_rank");
    int (*c_probe)(int, int, MPI_Comm, MPI_Status *) = function("MPI_Probe");
    int (*c_status)(const MPI_Status *, MPI_Fint *) = function("MPI_Status_c2f");
    MPI_Fint comm = F_MPI_COMM_NULL, twin, request = F_MPI_REQUEST_NULL, n = LEFT, got[2] = {LEFT, LEFT}, sent[2] = {rank + 1, rank + 2};
    MPI_Comm c_twin;
    MPI_Status c_s;
    status s;
    int here = LEFT;
    if (is_judged)
        return;
    MUST(PLAIN(comm_dup)(WORLD, &comm, IERROR));
    c_rank(C_COMM(comm), &here);
    EXPECT("the rank in C in a communicator of Fortran's", here, rank);
    c_dup(C_COMM(comm), &c_twin);
    twin = F_COMM(c_twin);
    MUST(PLAIN(comm_size)(&twin, &n, IERROR));
    EXPECT("the size in Fortran of a communicator of C's", n, size);
    MUST(CHOICE(isend)(ARRAY(sent, 4, 2), INT(2), INTEGER, &rank, INT(SENT), &twin, &request, IERROR));
    c_probe(MPI_ANY_SOURCE, MPI_ANY_TAG, c_twin, &c_s);
    c_status(&c_s, s);
    EXPECT("status(MPI_SOURCE) of C's status", SOURCE(s), rank);
    EXPECT("status(MPI_TAG) of C's status", TAG(s), SENT);
    MUST(PLAIN(get_count)(s, INTEGER, &n, IERROR));
    EXPECT("the count of C's status", n, 2);
    MUST(CHOICE(recv)(ARRAY(got, 4, 2), INT(2), INTEGER, &rank, INT(SENT), &twin, STATUS_IGNORE, IERROR));
    MUST(PLAIN(wait)(&request, STATUS_IGNORE, IERROR));
    EXPECT("the second element received", got[1], rank + 2);
    MUST(PLAIN(comm_free)(&twin, IERROR));
    MUST(PLAIN(comm_free)(&comm, IERROR));
}

/* ---- files ---- */

/* Offsets have the kind MPI_OFFSET_KIND, and the file name ends in blanks. */
static void files(const place *p)
{
    char name[4200];
    MPI_Fint fh = F_MPI_FILE_NULL, got = LEFT, count = LEFT;
    const MPI_Fint value = 40 + rank, mode = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE;
    const MPI_Offset offset = 4 * (MPI_Offset)rank;
    MPI_Offset bytes = LEFT;
    status s;
    memset(name, ' ', sizeof name);
    memcpy(name, file, strlen(file));
    MUST(PLAIN(file_open)(WORLD, name, &mode, INT(F_MPI_INFO_NULL), &fh, IERROR, strlen(file) + 9));
    MUST(CHOICE(file_write_at_all)(&fh, &offset, SCALAR((void *)&value), INT(1), INTEGER, s, IERROR));
    MUST(PLAIN(get_count)(s, INTEGER, &count, IERROR));
    EXPECT("the count that was written", count, 1);
    MUST(PLAIN(file_sync)(&fh, IERROR));
    MUST(PLAIN(barrier)(WORLD, IERROR));
    MUST(PLAIN(file_get_size)(&fh, &bytes, IERROR));
    EXPECT("the size of the file", bytes, 4 * size);
    MUST(CHOICE(file_read_at)(&fh, &offset, SCALAR(&got), INT(1), INTEGER, STATUS_IGNORE, IERROR));
    EXPECT("the data read", got, value);
    MUST(PLAIN(file_close)(&fh, IERROR));
    EXPECT("the file that is closed", fh, F_MPI_FILE_NULL);
}

/* ---- features of mpi_f08 only ---- */

#ifdef F08
/* == and /= of each kind of handle. */
static void comparisons(const place *p)
{
    const MPI_Fint one = 5, same = 5, other = 6;
#define COMPARED(kind) \
    do { \
        EXPECT("two " kind " handles that are ==", LOGICAL(COMPARE(kind, EQUAL))(&one, &same) != 0, 1); \
        EXPECT("two " kind " handles that are not ==", LOGICAL(COMPARE(kind, EQUAL))(&one, &other) != 0, 0); \
        EXPECT("two " kind " handles that are /=", LOGICAL(COMPARE(kind, NOT_EQUAL))(&one, &other) != 0, 1); \
        EXPECT("two " kind " handles that are not /=", LOGICAL(COMPARE(kind, NOT_EQUAL))(&one, &same) != 0, 0); \
    } while (0)
    COMPARED("comm");
    COMPARED("datatype");
    COMPARED("errhandler");
    COMPARED("file");
    COMPARED("group");
    COMPARED("info");
    COMPARED("message");
    COMPARED("op");
    COMPARED("request");
    COMPARED("win");
}

#ifdef LARGE
/* A message with counts of kind MPI_COUNT_KIND, and a datatype that is too large for other
   counts. */
static void large_counts(const place *p)
{
    const MPI_Count two = 2, three = 3, many = (MPI_Count)1 << 31;
    MPI_Fint from[3] = {1, 2, 3}, to[4] = {LEFT, LEFT, LEFT, LEFT}, request = F_MPI_REQUEST_NULL, made = F_MPI_DATATYPE_NULL;
    MPI_Count count = LEFT, lower = LEFT;
    status s;
    MUST(LARGECHOICE(isend)(LARGEARRAY(from, 4, 3), &two, INTEGER, &rank, INT(SENT), WORLD, &request, IERROR));
    MUST(LARGECHOICE(recv)(LARGEARRAY(to, 4, 4), &three, INTEGER, &rank, INT(SENT), WORLD, s, IERROR));
    MUST(PLAIN(wait)(&request, STATUS_IGNORE, IERROR));
    MUST(LARGE(get_count)(s, INTEGER, &count, IERROR));
    EXPECT("the large count", count, 2);
    EXPECT("the second element", to[1], 2);
    EXPECT("the element after it", to[2], LEFT);
    MUST(LARGECHOICE(allreduce)(LARGEARRAY(from, 4, 3), LARGEARRAY(to, 4, 4), &three, INTEGER, INT(F_MPI_SUM), WORLD, IERROR));
    EXPECT("the third sum", to[2], 3 * size);
    MUST(LARGE(type_contiguous)(&many, INTEGER, &made, IERROR));
    MUST(LARGE(type_size)(&made, &count, IERROR));
    EXPECT("the large size", count, 4 * many);
    MUST(LARGE(type_get_extent)(&made, &lower, &count, IERROR));
    EXPECT("the lower bound", lower, 0);
    EXPECT("the large extent", count, 4 * many);
    MUST(PLAIN(type_free)(&made, IERROR));
}
#else
static void large_counts(const place *p) { function("mpi_send_f08ts_large_"); }
#endif

#ifdef DESCRIPTORS
/* A message from from(8:2:-2), a reversed section, to to(2:3,:), which are rows 2 and 3 of
   to(4,2). */
static void sections(const place *p)
{
    MPI_Fint from[8], to[8], request = F_MPI_REQUEST_NULL;
    for (int i = 0; i < 8; i++) {
        from[i] = 1 + i;
        to[i] = LEFT;
    }
    MUST(CHOICE(irecv)(array(&to[1], 4, 2, (ptrdiff_t[]){2, 2}, (ptrdiff_t[]){1, 4}), INT(4), INTEGER, &rank, INT(SENT), WORLD, &request, IERROR));
    MUST(CHOICE(send)(array(&from[7], 4, 1, (ptrdiff_t[]){4}, (ptrdiff_t[]){-2}), INT(4), INTEGER, &rank, INT(SENT), WORLD, IERROR));
    MUST(PLAIN(wait)(&request, STATUS_IGNORE, IERROR));
    const MPI_Fint want[8] = {LEFT, 8, 6, LEFT, LEFT, 4, 2, LEFT};
    for (int i = 0; i < 8; i++)
        EXPECT("an element of the section received", to[i], want[i]);
}

/* A broadcast of every second element, which at the root begins with the last one. */
static void broadcast_section(const place *p)
{
    MPI_Fint values[6];
    for (int i = 0; i < 6; i++)
        values[i] = rank == 0 ? 1 + i : LEFT;
    MUST(CHOICE(bcast)(rank == 0 ? array(&values[5], 4, 1, (ptrdiff_t[]){3}, (ptrdiff_t[]){-2}) : array(values, 4, 1, (ptrdiff_t[]){3}, (ptrdiff_t[]){2}),
                       INT(3), INTEGER, INT(0), WORLD, IERROR));
    for (int i = 0; i < 6; i++)
        EXPECT("an element of the section", values[i], rank == 0 ? 1 + i : i % 2 ? LEFT : 6 - i);
}
#else
static void sections(const place *p) { function("mpi_send_f08ts_"); }
static void broadcast_section(const place *p) { function("mpi_bcast_f08ts_"); }
#endif
#else

/* ---- features of mpif.h only ---- */

/* The names that other compilers than gfortran give a procedure, and the profiling names. */
static void spellings(const place *p)
{
    static const char *const names[] = {"mpi_comm_rank", "mpi_comm_rank__", "MPI_COMM_RANK", "pmpi_comm_rank_", "pmpi_comm_rank", "PMPI_COMM_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        MPI_Fint got = LEFT;
        looked_up(names[i])(WORLD, &got, IERROR);
        if (got != rank)
            wrong("the rank by %s is %d, expected %d", names[i], got, rank);
    }
}

/* The datatype procedures of MPI-1, whose addresses are default INTEGERs. */
static void old_datatypes(const place *p)
{
    MPI_Fint made = F_MPI_DATATYPE_NULL, at[2] = {LEFT, LEFT}, extent = LEFT, bytes = LEFT, from[4] = {1, 2, 3, 4}, to[3] = {LEFT, LEFT, LEFT};
    const MPI_Fint ones[2] = {1, 1}, places[2] = {12, 0}, types[2] = {F_MPI_INTEGER, F_MPI_INTEGER};
    for (int i = 0; i < 2; i++)
        MUST(CHOICE(address)(SCALAR(&from[3 * i]), &at[i], IERROR));
    EXPECT("the distance of two addresses", at[1] - at[0], 12);
    MUST(PLAIN(type_struct)(INT(2), ones, places, types, &made, IERROR));
    MUST(PLAIN(type_commit)(&made, IERROR));
    MUST(PLAIN(type_extent)(&made, &extent, IERROR));
    EXPECT("the extent of the structure", extent, 16);
    MUST(CHOICE(sendrecv)(SCALAR(from), INT(1), &made, &rank, INT(SENT), ARRAY(to, 4, 3), INT(3), INTEGER, &rank, INT(SENT), WORLD, STATUS_IGNORE, IERROR));
    EXPECT("the first element received", to[0], 4);
    EXPECT("the second element received", to[1], 1);
    EXPECT("the element after them", to[2], LEFT);
    MUST(PLAIN(type_free)(&made, IERROR));
    MUST(PLAIN(type_hvector)(INT(2), INT(1), INT(12), INTEGER, &made, IERROR));
    MUST(PLAIN(type_size)(&made, &bytes, IERROR));
    MUST(PLAIN(type_extent)(&made, &extent, IERROR));
    EXPECT("the size of the vector", bytes, 8);
    EXPECT("the extent of the vector", extent, 16);
    MUST(PLAIN(type_free)(&made, IERROR));
}

/* The attributes and error handlers of MPI-1. */
static void old_attributes(const place *p)
{
    extern void mpi_dup_fn_(), mpi_null_delete_fn_();
    MPI_Fint comm[2] = {F_MPI_COMM_NULL, F_MPI_COMM_NULL}, keyval = MPI_KEYVAL_INVALID, value = LEFT, flag = LEFT, made = F_MPI_ERRHANDLER_NULL;
    MUST(PLAIN(comm_dup)(SELF, &comm[0], IERROR));
    MUST(PLAIN(keyval_create)(mpi_dup_fn_, mpi_null_delete_fn_, &keyval, INT(0), IERROR));
    MUST(PLAIN(attr_put)(&comm[0], &keyval, INT(-7), IERROR));
    MUST(PLAIN(comm_dup)(&comm[0], &comm[1], IERROR));
    MUST(PLAIN(attr_get)(&comm[1], &keyval, &value, &flag, IERROR));
    EXPECT("the flag of the copy", flag, 1);
    EXPECT("the value copied by MPI_DUP_FN", value, -7);
    MUST(PLAIN(attr_delete)(&comm[1], &keyval, IERROR));
    MUST(PLAIN(attr_get)(&comm[1], &keyval, &value, &flag, IERROR));
    EXPECT("the flag of the deleted attribute", flag, 0);
    MUST(PLAIN(errhandler_create)(handler, &made, IERROR));
    MUST(PLAIN(errhandler_set)(&comm[0], &made, IERROR));
    memset(&told, 0, sizeof told);
    MUST(PLAIN(comm_call_errhandler)(&comm[0], INT(MPI_ERR_TAG), IERROR));
    EXPECT("the communicator of the error handler", told.object, comm[0]);
    MUST(PLAIN(errhandler_free)(&made, IERROR));
    for (int i = 0; i < 2; i++)
        MUST(PLAIN(comm_free)(&comm[i], IERROR));
    MUST(PLAIN(keyval_free)(&keyval, IERROR));
    EXPECT("the keyval that is free", keyval, MPI_KEYVAL_INVALID);
}

/* The predefined callbacks of attributes. */
static void predefined_procedures(const place *p)
{
    extern void mpi_comm_dup_fn_(), mpi_comm_null_copy_fn_(), mpi_comm_null_delete_fn_();
    static const MPI_Aint extra = 0;
    MPI_Fint keyval[2] = {MPI_KEYVAL_INVALID, MPI_KEYVAL_INVALID}, comm[2] = {F_MPI_COMM_NULL, F_MPI_COMM_NULL}, flag = LEFT;
    MPI_Aint value = LEFT;
    MUST(PLAIN(comm_create_keyval)(mpi_comm_dup_fn_, mpi_comm_null_delete_fn_, &keyval[0], &extra, IERROR));
    MUST(PLAIN(comm_create_keyval)(mpi_comm_null_copy_fn_, mpi_comm_null_delete_fn_, &keyval[1], &extra, IERROR));
    MUST(PLAIN(comm_dup)(SELF, &comm[0], IERROR));
    for (int i = 0; i < 2; i++)
        MUST(PLAIN(comm_set_attr)(&comm[0], &keyval[i], ADDRESS(30 + i), IERROR));
    MUST(PLAIN(comm_dup)(&comm[0], &comm[1], IERROR));
    MUST(PLAIN(comm_get_attr)(&comm[1], &keyval[0], &value, &flag, IERROR));
    EXPECT("the flag of the attribute copied by MPI_COMM_DUP_FN", flag, 1);
    EXPECT("the value copied by MPI_COMM_DUP_FN", value, 30);
    MUST(PLAIN(comm_get_attr)(&comm[1], &keyval[1], &value, &flag, IERROR));
    EXPECT("the flag of the attribute that MPI_COMM_NULL_COPY_FN has not copied", flag, 0);
    for (int i = 0; i < 2; i++) {
        MUST(PLAIN(comm_free)(&comm[i], IERROR));
        MUST(PLAIN(comm_free_keyval)(&keyval[i], IERROR));
    }
}
#endif

/* A test with one case, without and with a variant. */
#define ONCE(name, run) {name BINDING, 1, 0, run}
#define OF(name, what, run) {name BINDING "-" what, 1, 0, run}
const test tests[] = {
    {"MPI_SEND" BINDING, 2, 1, send_to_next},
    OF("MPI_RECV", "ignore", ignored_status),
    OF("MPI_RECV", "proc-null", proc_null),
    ONCE("MPI_WAITALL", waitall),
    ONCE("MPI_WAITANY", waitany),
    ONCE("MPI_WAITSOME", waitsome),
    ONCE("MPI_TEST", logicals),
    ONCE("MPI_GET_ADDRESS", bottom),
    ONCE("MPI_ALLREDUCE", in_place),
    ONCE("MPI_COMM_SET_NAME", names),
    ONCE("MPI_INFO_SET", infos),
    ONCE("MPI_ERROR_STRING", error_strings),
    ONCE("MPI_COMM_SPLIT", groups),
    ONCE("MPI_CART_CREATE", grid),
    ONCE("MPI_DIST_GRAPH_CREATE_ADJACENT", graph),
    ONCE("MPI_TYPE_CREATE_STRUCT", structs),
    ONCE("MPI_ALLTOALLW", alltoallw),
    ONCE("MPI_COMM_CREATE_KEYVAL", attributes),
    ONCE("MPI_COMM_GET_ATTR", predefined_attribute),
    ONCE("MPI_OP_CREATE", user_operation),
    ONCE("MPI_COMM_CREATE_ERRHANDLER", error_handler),
    ONCE("MPI_PUT", window_sizes),
    {"MPI_WIN_ALLOCATE" BINDING, 2, 0, pointers},
    ONCE("MPI_FILE_WRITE_AT_ALL", files),
    ONCE("MPI_SIZEOF", sizes),
    OF("MPI_COMM_DUP", "c", mixed),
#ifdef F08
    OF("MPI_COMM", "compare", comparisons),
    OF("MPI_SEND", "large", large_counts),
    OF("MPI_SEND", "section", sections),
    OF("MPI_BCAST", "section", broadcast_section),
#else
    ONCE("MPI_TYPE_STRUCT", old_datatypes),
    ONCE("MPI_ATTR_PUT", old_attributes),
    OF("MPI_COMM_RANK", "spellings", spellings),
    ONCE("MPI_COMM_DUP_FN", predefined_procedures),
#endif
};
const int num_tests = sizeof tests / sizeof *tests;
