/*
 * sequence: random MPI calls on one rank, most of them valid, many invalid, and the result of each.
 *
 *   sequence SEED CALLS [stale]
 *
 * The same seed makes the same calls in every ABI family, so a program of one family that runs through wi4go prints the
 * same as the runtime's own. A line has the number of the call, its name, the name of its error class, and its outputs.
 * Errors are returned. Arguments are invalid in the ways that libraries check: null handles, counts and ranks out of
 * range, null pointers. With "stale" the last call has a handle that was freed or is of another kind. That may end a
 * native program, so nothing follows it.
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../conformance/random.h"
#include "classes.h"

static uint64_t state;

static unsigned random_below(unsigned n) { return random_next(&state, n); }

static int one_in(unsigned n) { return random_below(n) == 0; }

/* ---- output ---- */

static int number;

/* Prints the result of a call; the values only after a success. Reports whether it succeeded. */
static __attribute__((format(printf, 3, 4))) int said(const char *call, int code, const char *format, ...)
{
    printf("%d %s %s", number, call, class_name(code));
    if (code == MPI_SUCCESS && *format) {
        va_list args;
        va_start(args, format);
        vprintf(format, args);
        va_end(args);
    }
    putchar('\n');
    return code == MPI_SUCCESS;
}

/* Returns the names of constants, because their values differ between families. */
static const char *value(long long v)
{
    static char texts[8][32];
    static unsigned next;
    char *text = texts[next++ % 8];
    const char *name = v == MPI_UNDEFINED ? "MPI_UNDEFINED" : v == MPI_PROC_NULL ? "MPI_PROC_NULL" : v == MPI_ANY_SOURCE ?
        "MPI_ANY_SOURCE" : NULL;
    if (name)
        snprintf(text, 32, "%s", name);
    else
        snprintf(text, 32, "%lld", v);
    return text;
}

static const char *tag_of(const MPI_Status *status)
{
    return status->MPI_TAG == MPI_ANY_TAG ? "MPI_ANY_TAG" : value(status->MPI_TAG);
}

static const char *comparison(int result)
{
    return result == MPI_IDENT ? "ident" : result == MPI_CONGRUENT ? "congruent" : result == MPI_SIMILAR ? "similar" : result == MPI_UNEQUAL ?
        "unequal" : "?";
}

/* ---- objects: some of each kind, created and freed by the calls ---- */

enum { LIVE = 12 };

/* any_KIND returns mostly a live or predefined handle, sometimes the null handle. keep_KIND stores a new handle in some
 * place, after it has freed the old one. */
#define KIND(kind, Type, null, free_call, ...) \
    static Type kind##_live[LIVE]; \
    static const char kind##_free_name[] = #free_call; \
    static void no_##kind(void) \
    { \
        for (unsigned i = 0; i < LIVE; i++) \
            kind##_live[i] = null; \
    } \
    static Type any_##kind(void) \
    { \
        Type predefined[] = {__VA_ARGS__}; \
        unsigned i = random_below(LIVE); \
        if (one_in(14)) \
            return null; \
        return kind##_live[i] != null && !one_in(3) ? kind##_live[i] : predefined[random_below(sizeof predefined / sizeof *predefined)]; \
    } \
    static void drop_##kind(unsigned i) \
    { \
        if (kind##_live[i] != null) { \
            int code = free_call(&kind##_live[i]); \
            said(kind##_free_name, code, " %s", kind##_live[i] == null ? "null" : "not null"); \
            kind##_live[i] = null; \
        } \
    } \
    static void keep_##kind(Type made) \
    { \
        unsigned i = random_below(LIVE); \
        drop_##kind(i); \
        kind##_live[i] = made; \
    } \
    static void drop_all_##kind(void) \
    { \
        for (unsigned i = 0; i < LIVE; i++) \
            drop_##kind(i); \
    }

KIND(comm, MPI_Comm, MPI_COMM_NULL, MPI_Comm_free, MPI_COMM_WORLD, MPI_COMM_SELF)
KIND(group, MPI_Group, MPI_GROUP_NULL, MPI_Group_free, MPI_GROUP_EMPTY)
KIND(type, MPI_Datatype, MPI_DATATYPE_NULL, MPI_Type_free, MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_BYTE, MPI_SHORT, MPI_LONG,
     MPI_FLOAT, MPI_DOUBLE_INT, MPI_2INT, MPI_UNSIGNED, MPI_INT64_T, MPI_C_BOOL, MPI_PACKED, MPI_AINT, MPI_WCHAR)
KIND(op, MPI_Op, MPI_OP_NULL, MPI_Op_free, MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_BOR, MPI_MAXLOC, MPI_REPLACE)
KIND(info, MPI_Info, MPI_INFO_NULL, MPI_Info_free, MPI_INFO_NULL, MPI_INFO_ENV)
KIND(errhandler, MPI_Errhandler, MPI_ERRHANDLER_NULL, MPI_Errhandler_free, MPI_ERRORS_RETURN, MPI_ERRORS_RETURN)
KIND(win, MPI_Win, MPI_WIN_NULL, MPI_Win_free, MPI_WIN_NULL)

static int keyvals[LIVE]; /* of communicators, or MPI_KEYVAL_INVALID */

/* ---- numbers ---- */

static int any_count(void) { return one_in(20) ? -1 - (int)random_below(3) : (int)random_below(8); }
static int any_rank(MPI_Comm comm)
{
    int size = 1;
    if (comm != MPI_COMM_NULL)
        MPI_Comm_size(comm, &size);
    return one_in(15) ? size + (int)random_below(5) : one_in(25) ? -20 - (int)random_below(9) : (int)random_below((unsigned)size);
}
static int any_tag(void) { return one_in(25) ? -40 - (int)random_below(9) : (int)random_below(100); }

static char out[1 << 16], in[1 << 16];

/* ---- the calls ---- */

static void returns(MPI_Comm comm) { MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN); }

static void made_comm(const char *call, int code, MPI_Comm made)
{
    if (!said(call, code, " %s", made == MPI_COMM_NULL ? "null" : "one") || made == MPI_COMM_NULL)
        return;
    returns(made);
    keep_comm(made);
}

static void communicators(void)
{
    MPI_Comm comm = any_comm(), other = any_comm(), made = MPI_COMM_NULL;
    MPI_Group group = any_group();
    char name[MPI_MAX_OBJECT_NAME] = "";
    int a = 0, b = 0, flag = 0;
    switch (random_below(15)) {
    case 0: a = MPI_Comm_rank(comm, &b); said("MPI_Comm_rank", a, " %s", value(b)); break;
    case 1: a = MPI_Comm_size(comm, &b); said("MPI_Comm_size", a, " %s", value(b)); break;
    case 2: a = MPI_Comm_compare(comm, other, &b); said("MPI_Comm_compare", a, " %s", comparison(b)); break;
    case 3: a = MPI_Comm_dup(comm, &made); made_comm("MPI_Comm_dup", a, made); break;
    case 4: b = one_in(4) ? MPI_UNDEFINED : one_in(9) ? -5 : (int)random_below(3);
            a = MPI_Comm_split(comm, b, (int)random_below(9), &made); made_comm("MPI_Comm_split", a, made); break;
    case 5: a = MPI_Comm_create(comm, group, &made); made_comm("MPI_Comm_create", a, made); break;
    case 6: a = MPI_Comm_group(comm, &group); if (said("MPI_Comm_group", a, "%s", "")) keep_group(group); break;
    case 7: snprintf(name, sizeof name, "name %u", random_below(1000));
            a = MPI_Comm_set_name(comm, name); said("MPI_Comm_set_name", a, "%s", ""); break;
    case 8: if (comm == MPI_COMM_NULL) break; /* libraries use different names for it */
            a = MPI_Comm_get_name(comm, name, &b); said("MPI_Comm_get_name", a, " %s %d", name, b); break;
    case 9: a = MPI_Comm_test_inter(comm, &flag); said("MPI_Comm_test_inter", a, " %d", flag); break;
    case 10: a = MPI_Comm_remote_size(comm, &b); said("MPI_Comm_remote_size", a, " %s", value(b)); break;
    case 11: a = MPI_Comm_set_errhandler(comm, one_in(5) ? MPI_ERRHANDLER_NULL : MPI_ERRORS_RETURN);
             said("MPI_Comm_set_errhandler", a, "%s", ""); break;
    case 12: a = MPI_Comm_split_type(comm, one_in(3) ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, any_info(), &made);
             made_comm("MPI_Comm_split_type", a, made); break;
    case 13: a = MPI_Comm_create_group(comm, group, any_tag(), &made); made_comm("MPI_Comm_create_group", a, made); break;
    case 14: drop_comm(random_below(LIVE)); break;
    }
}

static void groups(void)
{
    MPI_Group group = any_group(), other = any_group(), made = MPI_GROUP_NULL;
    int ranks[3] = {one_in(9) ? 7 : 0, one_in(9) ? -9 : 0, 0}, translated[3] = {0}, range[1][3] = {{0, (int)random_below(2), one_in(9) ? 0 : 1}};
    int n = one_in(15) ? -1 : (int)random_below(3), a, b = 0;
    switch (random_below(11)) {
    case 0: a = MPI_Group_size(group, &b); said("MPI_Group_size", a, " %s", value(b)); break;
    case 1: a = MPI_Group_rank(group, &b); said("MPI_Group_rank", a, " %s", value(b)); break;
    case 2: a = MPI_Group_compare(group, other, &b); said("MPI_Group_compare", a, " %s", comparison(b)); break;
    case 3: a = MPI_Group_incl(group, n, ranks, &made); if (said("MPI_Group_incl", a, "%s", "")) keep_group(made); break;
    case 4: a = MPI_Group_excl(group, n, ranks, &made); if (said("MPI_Group_excl", a, "%s", "")) keep_group(made); break;
    case 5: a = MPI_Group_union(group, other, &made); if (said("MPI_Group_union", a, "%s", "")) keep_group(made); break;
    case 6: a = MPI_Group_intersection(group, other, &made);
            if (said("MPI_Group_intersection", a, "%s", "")) keep_group(made); break;
    case 7: a = MPI_Group_difference(group, other, &made); if (said("MPI_Group_difference", a, "%s", "")) keep_group(made); break;
    case 8: /* A rank that the group lacks: Open MPI 4.1 reads after its table. */
            for (int i = 0; i < 3; i++)
                ranks[i] = ranks[i] ? MPI_PROC_NULL : 0;
            a = MPI_Group_translate_ranks(group, n, ranks, other, translated);
            said("MPI_Group_translate_ranks", a, " %s", n > 0 ? value(translated[0]) : ""); break;
    case 9: a = MPI_Group_range_incl(group, one_in(2), range, &made);
            if (said("MPI_Group_range_incl", a, "%s", "")) keep_group(made); break;
    case 10: drop_group(random_below(LIVE)); break;
    }
}

static void made_type(const char *call, int code, MPI_Datatype made)
{
    if (!said(call, code, "%s", ""))
        return;
    /* Only small ones, because buffers are small. */
    MPI_Aint lower = 0, extent = 0;
    int size = 0;
    MPI_Type_get_extent(made, &lower, &extent);
    MPI_Type_size(made, &size);
    if (lower < 0 || extent < 0 || lower + extent > 512 || size > 512)
        MPI_Type_free(&made);
    else {
        if (!one_in(10)) {
            int committed = MPI_Type_commit(&made);
            said("MPI_Type_commit", committed, "%s", "");
        }
        keep_type(made);
    }
}

static const char *combiner_name(int combiner)
{
    static const struct { int value; const char *name; } names[] = {
        {MPI_COMBINER_NAMED, "named"}, {MPI_COMBINER_DUP, "dup"}, {MPI_COMBINER_CONTIGUOUS, "contiguous"},
        {MPI_COMBINER_VECTOR, "vector"}, {MPI_COMBINER_HVECTOR, "hvector"}, {MPI_COMBINER_INDEXED, "indexed"},
        {MPI_COMBINER_STRUCT, "struct"}, {MPI_COMBINER_RESIZED, "resized"}, {MPI_COMBINER_INDEXED_BLOCK, "indexed block"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].value == combiner)
            return names[i].name;
    return "?";
}

static void datatypes(void)
{
    MPI_Datatype type = any_type(), made = MPI_DATATYPE_NULL, types[2] = {any_type(), any_type()};
    int n = any_count(), lengths[2] = {(int)random_below(3), one_in(20) ? -1 : (int)random_below(3)};
    int places[2] = {(int)random_below(3), 4}, ints[8], a, b = 0, c = 0, d = 0, e = 0;
    MPI_Aint displacements[2] = {(MPI_Aint)random_below(20), 64}, lower = 0, extent = 0;
    char name[MPI_MAX_OBJECT_NAME] = "";
    switch (random_below(15)) {
    case 0: a = MPI_Type_contiguous(n, type, &made); made_type("MPI_Type_contiguous", a, made); break;
    case 1: a = MPI_Type_vector(n, lengths[1], (int)random_below(4), type, &made); made_type("MPI_Type_vector", a, made); break;
    case 2: a = MPI_Type_create_hvector(n, lengths[0], (MPI_Aint)random_below(40), type, &made);
            made_type("MPI_Type_create_hvector", a, made); break;
    case 3: a = MPI_Type_indexed(2, lengths, places, type, &made); made_type("MPI_Type_indexed", a, made); break;
    case 4: a = MPI_Type_create_struct(2, lengths, displacements, types, &made); made_type("MPI_Type_create_struct", a, made); break;
    case 5: a = MPI_Type_create_resized(type, 0, (MPI_Aint)random_below(100), &made); made_type("MPI_Type_create_resized", a, made); break;
    case 6: a = MPI_Type_dup(type, &made); made_type("MPI_Type_dup", a, made); break;
    case 7: a = MPI_Type_create_indexed_block(2, lengths[1], places, type, &made); made_type("MPI_Type_create_indexed_block", a, made); break;
    case 8: a = MPI_Type_size(type, &b); said("MPI_Type_size", a, " %s", value(b)); break;
    case 9: a = MPI_Type_get_extent(type, &lower, &extent); said("MPI_Type_get_extent", a, " %ld %ld", (long)lower, (long)extent); break;
    case 10: a = MPI_Type_get_true_extent(type, &lower, &extent);
             said("MPI_Type_get_true_extent", a, " %ld %ld", (long)lower, (long)extent); break;
    case 11: a = MPI_Type_get_envelope(type, &b, &c, &d, &e);
             if (!said("MPI_Type_get_envelope", a, " %d %d %d %s", b, c, d, combiner_name(e)) || e != MPI_COMBINER_CONTIGUOUS) break;
             a = MPI_Type_get_contents(type, 8, 2, 2, ints, displacements, types);
             if (!said("MPI_Type_get_contents", a, " %d", ints[0])) break;
             MPI_Type_get_envelope(types[0], &b, &c, &d, &e);
             if (e != MPI_COMBINER_NAMED) MPI_Type_free(&types[0]);
             break;
    case 12: snprintf(name, sizeof name, "type %u", random_below(1000));
             a = MPI_Type_set_name(type, name); said("MPI_Type_set_name", a, "%s", ""); break;
    case 13: if (type == MPI_DATATYPE_NULL) break;
             a = MPI_Type_get_name(type, name, &b); said("MPI_Type_get_name", a, " %s %d", name, b); break;
    case 14: drop_type(random_below(LIVE)); break;
    }
}

/* Messages from the rank to itself, started and completed immediately. */
static void messages(void)
{
    MPI_Comm comm = any_comm();
    MPI_Datatype type = any_type();
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[3];
    int n = any_count(), wanted = n + (one_in(3) ? 2 : 0), to = any_rank(comm), tag = any_tag(), me = 0, a, b = 0, flag = 0, indices[3];
    int persistent = one_in(4), from = one_in(4) ? MPI_ANY_SOURCE : 0;
    memset(statuses, 0, sizeof statuses);
    if (one_in(12)) {
        n = one_in(2) ? n : 1;
        a = MPI_Send(out, n, type, MPI_PROC_NULL, tag, comm);
        said("MPI_Send", a, "%s", "");
        a = MPI_Recv(in, n, type, MPI_PROC_NULL, one_in(2) ? MPI_ANY_TAG : tag, comm, &statuses[0]);
        said("MPI_Recv", a, " %s %s", value(statuses[0].MPI_SOURCE), tag_of(&statuses[0]));
        return;
    }
    if (one_in(8) && comm != MPI_COMM_NULL) { /* Open MPI 4.1 ends the process for a null communicator */
        a = MPI_Iprobe(from, tag, comm, &flag, MPI_STATUS_IGNORE);
        said("MPI_Iprobe", a, " %d", flag);
        return;
    }
    a = persistent ? MPI_Recv_init(in, wanted, type, from, tag, comm, &requests[0]) : MPI_Irecv(in, wanted, type, from, tag, comm, &requests[0]);
    if (!said(persistent ? "MPI_Recv_init" : "MPI_Irecv", a, "%s", ""))
        return;
    a = persistent ? MPI_Send_init(out, n, type, to, tag, comm, &requests[2]) : MPI_Isend(out, n, type, to, tag, comm, &requests[2]);
    int sent = said(persistent ? "MPI_Send_init" : "MPI_Isend", a, "%s", "");
    MPI_Comm_rank(comm, &me);
    if (!sent) {
        requests[2] = MPI_REQUEST_NULL;
        if (!persistent) {
            said("MPI_Cancel", MPI_Cancel(&requests[0]), "%s", "");
            a = MPI_Wait(&requests[0], &statuses[0]);
            MPI_Test_cancelled(&statuses[0], &flag);
            said("MPI_Wait", a, " %d", flag);
            return;
        }
    } else if (persistent && one_in(2)) {
        said("MPI_Start", MPI_Start(&requests[0]), "%s", "");
        said("MPI_Start", MPI_Start(&requests[2]), "%s", "");
    } else if (persistent) {
        MPI_Request both[2] = {requests[0], requests[2]};
        said("MPI_Startall", MPI_Startall(2, both), " %d", both[0] == requests[0] && both[1] == requests[2]);
    }
    switch (random_below(5)) {
    case 0: a = MPI_Waitall(3, requests, one_in(3) ? MPI_STATUSES_IGNORE : statuses); said("MPI_Waitall", a, "%s", ""); break;
    case 1: for (int i = 0; i < 3; i++) {
                a = MPI_Wait(&requests[i], &statuses[i]);
                said("MPI_Wait", a, " %s %s", value(statuses[i].MPI_SOURCE), tag_of(&statuses[i]));
            }
            break;
    case 2: for (int i = 0; i < 100000 && !flag; i++) {
                a = MPI_Testall(3, requests, &flag, statuses);
                if (a != MPI_SUCCESS) break;
            }
            said("MPI_Testall", a, " %d", flag); break;
    case 3: for (int done = 0; done < 2 && b != MPI_UNDEFINED; done += b > 0 ? b : 0) { /* the library determines how many at a time */
                a = MPI_Waitsome(3, requests, &b, indices, statuses);
                if (a != MPI_SUCCESS) break;
            }
            said("MPI_Waitsome", a, "%s", ""); break;
    case 4: for (int i = 0; i < 3; i++)
                if ((a = MPI_Waitany(3, requests, &b, &statuses[0])) != MPI_SUCCESS) break;
            said("MPI_Waitany", a, " %s", value(b == MPI_UNDEFINED ? b : 0)); break;
    }
    if (sent && (a = MPI_Get_count(&statuses[0], type, &b)) == MPI_SUCCESS)
        said("MPI_Get_count", a, "%s", "");
    for (int i = 0; i < 3; i++) {
        if (requests[i] != MPI_REQUEST_NULL)
            said("MPI_Request_free", MPI_Request_free(&requests[i]), " %d", requests[i] == MPI_REQUEST_NULL);
    }
    a = MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    said("MPI_Wait", a, "%s", "");
}

static void user_function(void *invec, void *inoutvec, int *len, MPI_Datatype *type)
{
    int size = 0;
    MPI_Type_size(*type, &size); /* callbacks call MPI */
    for (int i = 0; i < *len * size; i++)
        ((char *)inoutvec)[i] = (char)(((char *)inoutvec)[i] ^ ((char *)invec)[i]);
}

static unsigned sum_of(const char *bytes, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned char)bytes[i];
    return sum;
}

static void collectives(void)
{
    MPI_Comm comm = any_comm();
    MPI_Datatype type = one_in(2) ? any_type() : MPI_INT;
    MPI_Op op = any_op();
    MPI_Request request = MPI_REQUEST_NULL;
    int n = any_count(), root = any_rank(comm), a, b = 0;
    const void *from = one_in(8) ? MPI_IN_PLACE : out;
    MPI_Datatype basic[] = {MPI_INT, MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_2INT, MPI_DOUBLE_INT, MPI_BYTE, MPI_CHAR};
    memset(in, 3, 256);
    switch (random_below(13)) {
    case 0: a = MPI_Barrier(comm); said("MPI_Barrier", a, "%s", ""); break;
    case 1: a = MPI_Bcast(out, n, type, root, comm); said("MPI_Bcast", a, "%s", ""); break;
    case 2: type = basic[random_below(8)];
            a = MPI_Allreduce(from, in, n, type, op, comm); said("MPI_Allreduce", a, " %u", sum_of(in, 256)); break;
    case 3: type = MPI_INT; /* MPICH 4.0 ends the process for an operation that the type lacks */
            op = op == MPI_OP_NULL || op == MPI_REPLACE || op == MPI_MAXLOC || op == MPI_BOR || n < 0 ? MPI_SUM : op, n = n < 0 ? 1 : n;
            a = MPI_Reduce_local(out, in, n, type, op); said("MPI_Reduce_local", a, " %u", sum_of(in, 256)); break;
    case 4: a = MPI_Gather(from, n, type, in, n, type, root, comm); said("MPI_Gather", a, "%s", ""); break;
    case 5: a = MPI_Alltoall(from, n, type, in, n, type, comm); said("MPI_Alltoall", a, "%s", ""); break;
    case 6: a = MPI_Iallreduce(from, in, n, type = basic[random_below(8)], op, comm, &request);
            if (said("MPI_Iallreduce", a, "%s", "")) said("MPI_Wait", MPI_Wait(&request, MPI_STATUS_IGNORE), " %u", sum_of(in, 256));
            break;
    case 7: a = MPI_Ibarrier(comm, &request);
            if (said("MPI_Ibarrier", a, "%s", "")) said("MPI_Wait", MPI_Wait(&request, MPI_STATUS_IGNORE), " %d", request == MPI_REQUEST_NULL);
            break;
    case 8: type = basic[random_below(8)], n = n < 0 ? 2 : n; /* MPICH 4.0 crashes for negative counts */
            a = MPI_Scan(from, in, n, type, op, comm); said("MPI_Scan", a, " %u", sum_of(in, 256)); break;
    case 9: a = MPI_Op_create(user_function, (int)random_below(2), &op); if (said("MPI_Op_create", a, "%s", "")) keep_op(op); break;
    case 10: a = MPI_Op_commutative(op, &b); said("MPI_Op_commutative", a, " %d", b); break;
    case 11: a = MPI_Reduce(from, in, n, type = basic[random_below(8)], op, root, comm); said("MPI_Reduce", a, " %u", sum_of(in, 256)); break;
    case 12: drop_op(random_below(LIVE)); break;
    }
}

static void packing(void)
{
    MPI_Comm comm = any_comm();
    MPI_Datatype type = any_type();
    int n = any_count(), position = one_in(20) ? -1 : (int)random_below(9), room = one_in(9) ? 2 : 4096, a, b = 0;
    switch (random_below(4)) {
    case 0: type = one_in(2) ? MPI_INT : MPI_DOUBLE; /* Open MPI 4.1 crashes if a type is not committed */
            a = MPI_Pack_size(n, type, comm, &b); said("MPI_Pack_size", a, "%s", ""); break;
    case 1: a = MPI_Pack(out, n, type, in, room, &position, comm); said("MPI_Pack", a, " %d", position); break;
    case 2: /* MPICH 4.0 crashes if the buffer is too small, and for types of size 0 */
            room = 4096, position = position < 0 ? 0 : position, type = one_in(2) ? MPI_INT : MPI_SHORT;
            a = MPI_Unpack(out, room, &position, in, n, type, comm); said("MPI_Unpack", a, " %d", position); break;
    case 3: {
        MPI_Aint bytes = 0;
        type = type == MPI_DATATYPE_NULL || one_in(2) ? MPI_INT : MPI_DOUBLE; /* MPICH 4.0 traps on MPI_WCHAR and others */
        a = MPI_Pack_external_size("external32", n, type, &bytes);
        said("MPI_Pack_external_size", a, " %ld", (long)bytes);
    }
    }
}

static void infos(void)
{
    MPI_Info info = any_info(), made = MPI_INFO_NULL;
    char key[MPI_MAX_INFO_KEY + 1] = "", text[64] = "";
    int a, b = 0, flag = 0;
    snprintf(key, sizeof key, one_in(15) ? "" : "key %u", random_below(5));
    if (info == MPI_INFO_ENV) /* its content is the launcher's */
        info = MPI_INFO_NULL;
    switch (random_below(8)) {
    case 0: a = MPI_Info_create(&made); if (said("MPI_Info_create", a, "%s", "")) keep_info(made); break;
    case 1: a = MPI_Info_set(info, key, "some value"); said("MPI_Info_set", a, "%s", ""); break;
    case 2: a = MPI_Info_get(info, key, 63, text, &flag); said("MPI_Info_get", a, " %d %s", flag, flag ? text : ""); break;
    case 3: a = MPI_Info_delete(info, key); said("MPI_Info_delete", a, "%s", ""); break;
    case 4: a = MPI_Info_get_nkeys(info, &b); said("MPI_Info_get_nkeys", a, " %d", b); break;
    case 5: a = MPI_Info_get_nthkey(info, (int)random_below(6) - 1, key); said("MPI_Info_get_nthkey", a, " %s", key); break;
    case 6: a = MPI_Info_dup(info, &made); if (said("MPI_Info_dup", a, "%s", "")) keep_info(made); break;
    case 7: drop_info(random_below(LIVE)); break;
    }
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in_value, void *out_value, int *flag)
{
    int b;
    (void)keyval;
    MPI_Comm_rank(comm, &b);
    *(void **)out_value = in_value;
    *flag = (intptr_t)extra % 3 != 0;
    return MPI_SUCCESS;
}

static int removed;
static int gone(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    (void)comm, (void)keyval, (void)attribute;
    removed += 1 + (int)(intptr_t)extra;
    return (intptr_t)extra == 7 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void attributes(void)
{
    MPI_Comm comm = any_comm();
    unsigned i = random_below(LIVE);
    int a, flag = 0, before = removed, keyval = one_in(20) ? 0x1234567 : keyvals[i];
    void *text = NULL;
    switch (random_below(5)) {
    case 0: if (keyvals[i] != MPI_KEYVAL_INVALID) break;
            a = MPI_Comm_create_keyval(copy, gone, &keyvals[i], (void *)(intptr_t)random_below(7));
            said("MPI_Comm_create_keyval", a, "%s", ""); break;
    case 1: a = MPI_Comm_set_attr(comm, keyval, (void *)(intptr_t)random_below(1000));
            said("MPI_Comm_set_attr", a, " %d", removed - before); break;
    case 2: a = MPI_Comm_get_attr(comm, keyval, &text, &flag);
            said("MPI_Comm_get_attr", a, " %d %ld", flag, flag ? (long)(intptr_t)text : 0L); break;
    case 3: a = MPI_Comm_delete_attr(comm, keyval); said("MPI_Comm_delete_attr", a, " %d", removed - before); break;
    case 4: a = MPI_Comm_free_keyval(&keyvals[i]); said("MPI_Comm_free_keyval", a, " %d", keyvals[i] == MPI_KEYVAL_INVALID); break;
    }
}

static int handled, handled_class;
static void handler(MPI_Comm *comm, int *code, ...)
{
    int b;
    MPI_Comm_rank(*comm, &b);
    handled++;
    handled_class = class_of(*code);
}

static void errors(void)
{
    MPI_Comm comm = any_comm();
    MPI_Errhandler made = MPI_ERRHANDLER_NULL;
    int a, b = 0;
    char text[MPI_MAX_ERROR_STRING];
    switch (random_below(6)) {
    case 0: a = MPI_Comm_create_errhandler(handler, &made); if (said("MPI_Comm_create_errhandler", a, "%s", "")) keep_errhandler(made); break;
    case 1: if ((made = any_errhandler()) == MPI_ERRHANDLER_NULL || comm == MPI_COMM_NULL) break;
            a = MPI_Comm_set_errhandler(comm, made);
            if (!said("MPI_Comm_set_errhandler", a, "%s", "")) break;
            handled = 0;
            a = MPI_Comm_call_errhandler(comm, MPI_ERR_TRUNCATE);
            said("MPI_Comm_call_errhandler", a, " %d %d", handled, handled && handled_class == MPI_ERR_TRUNCATE);
            returns(comm); break;
    case 2: a = MPI_Error_class(classes[random_below(20)].value, &b); said("MPI_Error_class", a, " %s", class_name(b)); break;
    case 3: a = MPI_Error_string(classes[random_below(20)].value, text, &b); said("MPI_Error_string", a, " %d", b > 0); break;
    case 4: if (comm == MPI_COMM_NULL) break;
            a = MPI_Comm_get_errhandler(comm, &made);
            if (said("MPI_Comm_get_errhandler", a, " %d", made == MPI_ERRORS_RETURN)) MPI_Errhandler_free(&made);
            break;
    case 5: drop_errhandler(random_below(LIVE)); break;
    }
}

static void windows(void)
{
    MPI_Win win = any_win(), made = MPI_WIN_NULL;
    MPI_Comm comm = any_comm();
    MPI_Datatype basic[] = {MPI_INT, MPI_SHORT, MPI_DOUBLE};
    MPI_Datatype type = basic[random_below(3)];
    MPI_Group group = MPI_GROUP_NULL;
    static char memory[4096];
    int a, n = any_count(), target = one_in(9) ? 3 : 0, unit = one_in(15) ? -1 : 1;
    switch (random_below(7)) {
    case 0: a = MPI_Win_create(memory, (MPI_Aint)sizeof memory, unit, any_info(), comm, &made);
            if (!said("MPI_Win_create", a, "%s", "")) break;
            MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
            keep_win(made); break;
    case 1: if (win == MPI_WIN_NULL) break;
            a = MPI_Win_fence(0, win);
            said("MPI_Win_fence", a, "%s", "");
            a = MPI_Put(out, n, type, target, (MPI_Aint)random_below(64), n, type, win);
            said("MPI_Put", a, "%s", "");
            a = MPI_Accumulate(out, n, type, target, 0, n, type, MPI_SUM, win);
            said("MPI_Accumulate", a, "%s", "");
            a = MPI_Win_fence(0, win);
            said("MPI_Win_fence", a, " %u", sum_of(memory, 256));
            memset(memory, 0, sizeof memory); break;
    case 2: a = MPI_Win_get_group(win, &group); if (said("MPI_Win_get_group", a, "%s", "")) keep_group(group); break;
    case 3: if (win == MPI_WIN_NULL) break;
            a = MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            if (!said("MPI_Win_lock", a, "%s", "")) break;
            a = MPI_Get(in, n, type, 0, 0, n, type, win);
            said("MPI_Get", a, "%s", "");
            said("MPI_Win_unlock", MPI_Win_unlock(0, win), "%s", ""); break;
    case 4: a = MPI_Put(out, n, type, MPI_PROC_NULL, 0, n, type, MPI_WIN_NULL); said("MPI_Put", a, "%s", ""); break;
    default: drop_win(random_below(LIVE)); break;
    }
}

static void topologies(void)
{
    MPI_Comm comm = any_comm(), made = MPI_COMM_NULL;
    int dims[2] = {one_in(8) ? 2 : 1, one_in(12) ? -1 : 1}, periods[2] = {1, 0}, coordinates[2] = {0, one_in(6) ? 3 : 0}, a, b = 0, c = 0;
    switch (random_below(6)) {
    case 0: a = MPI_Cart_create(comm, 2, dims, periods, 0, &made); made_comm("MPI_Cart_create", a, made); break;
    case 1: a = MPI_Topo_test(comm, &b);
            said("MPI_Topo_test", a, " %s", b == MPI_CART ? "cart" : b == MPI_GRAPH ? "graph" : value(b)); break;
    case 2: a = MPI_Cart_rank(comm, coordinates, &b); said("MPI_Cart_rank", a, " %s", value(b)); break;
    case 3: a = MPI_Cart_shift(comm, (int)random_below(3), 1, &b, &c); said("MPI_Cart_shift", a, " %s %s", value(b), value(c)); break;
    case 4: dims[0] = one_in(9) ? 2 : 0, dims[1] = 0; /* MPICH 4.0 never returns for 0 nodes */
            a = MPI_Dims_create(1 + (int)random_below(30), 2, dims);
            said("MPI_Dims_create", a, " %d %d", dims[0], dims[1]); break;
    case 5: a = MPI_Cartdim_get(comm, &b); said("MPI_Cartdim_get", a, " %d", b); break;
    }
}

/* Uses a handle that is no longer valid, or is of another kind. */
static void stale(void)
{
    MPI_Comm comm, copy_of_comm;
    MPI_Group group;
    MPI_Datatype type, copy_of_type;
    MPI_Request request, copy_of_request;
    int b = 0;
    switch (random_below(6)) {
    case 0: MPI_Comm_dup(MPI_COMM_SELF, &comm); copy_of_comm = comm; MPI_Comm_free(&comm);
            said("MPI_Comm_size", MPI_Comm_size(copy_of_comm, &b), "%s", ""); break;
    case 1: MPI_Type_contiguous(3, MPI_INT, &type); copy_of_type = type; MPI_Type_free(&type);
            said("MPI_Type_size", MPI_Type_size(copy_of_type, &b), "%s", ""); break;
    case 2: MPI_Send_init(out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request); copy_of_request = request; MPI_Request_free(&request);
            said("MPI_Start", MPI_Start(&copy_of_request), "%s", ""); break;
    case 3: memset(&group, 0, sizeof group); memcpy(&group, &(MPI_Comm){MPI_COMM_WORLD}, sizeof group);
            said("MPI_Group_size", MPI_Group_size(group, &b), "%s", ""); break;
    case 4: memcpy(&comm, &(MPI_Datatype){MPI_INT}, sizeof comm);
            said("MPI_Comm_size", MPI_Comm_size(comm, &b), "%s", ""); break;
    case 5: said("MPI_Comm_size", MPI_Comm_size(MPI_COMM_WORLD, NULL), "%s", ""); break;
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: sequence SEED CALLS [stale]\n");
        return 2;
    }
    state = random_state(strtoull(argv[1], NULL, 10));
    const int calls = atoi(argv[2]);
    static void (*const chapters[])(void) = {communicators, groups, datatypes, datatypes, messages, messages, messages, collectives,
                                             collectives, packing, infos, attributes, errors, windows, topologies};
    setvbuf(stdout, NULL, _IOLBF, 0); /* a crash must show its place */
    MPI_Init(&argc, &argv);
    returns(MPI_COMM_WORLD);
    returns(MPI_COMM_SELF);
    no_comm(), no_group(), no_type(), no_op(), no_info(), no_errhandler(), no_win();
    for (int i = 0; i < LIVE; i++)
        keyvals[i] = MPI_KEYVAL_INVALID;
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = (char)(i % 3);
    for (number = 1; number <= calls; number++)
        chapters[random_below(sizeof chapters / sizeof *chapters)]();
    drop_all_win();
    drop_all_comm();
    drop_all_group();
    drop_all_type();
    drop_all_op();
    drop_all_info();
    drop_all_errhandler();
    if (argc > 3)
        stale();
    fflush(stdout);
    MPI_Finalize();
    printf("done\n");
    return 0;
}
