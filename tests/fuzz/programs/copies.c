/*
 * copies: random programs that keep copies of requests' handles and complete the copies later.
 *
 *   copies SEED CALLS THREADS OUT
 *
 * Libraries return one request for many operations that complete immediately: a small send, a message of MPI_PROC_NULL,
 * a collective operation on one process. A program that completes such a request may, against the standard, complete
 * copies of its handle again, and this program does. It detects that two operations have one request by their equal
 * handles. It keeps copies only of such requests, and of persistent requests, for which it is allowed. Rank R writes
 * the results of its thread T to the file OUT.R.T: they are the same natively and through wi4go. The seed determines
 * the first operation and the first completion, so twice as many seeds as there are completion functions try each of
 * them as the first one.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../conformance/random.h"
#include "classes.h"

#if defined(MPI_ABI_VERSION) && !defined(OPEN_MPI) /* the standard ABI, whose libraries may lack the others */
typedef int MPI_Fint;
#define MPI_Request_c2f MPI_Request_toint
#define MPI_Request_f2c MPI_Request_fromint
#endif

enum { KEPT = 12, MOST = 40, BYTES = 40000, TAGS = 1000 };

/* The state of one thread's program. */
struct sequence {
    pthread_t thread;
    uint64_t state;
    FILE *out;
    MPI_Comm comm;
    MPI_Win win;
    int rank, peer, seed, number, tag, completions, first;
    MPI_Request kept[KEPT];     /* copies of requests that stand for many operations, or null */
    MPI_Fint integers[KEPT];    /* and as Fortran's integers */
    MPI_Request freed[KEPT];    /* those copies that are of sends and receives: MPICH can free only these */
    MPI_Request fresh[2];       /* the operations' requests that may be freed, or null */
    MPI_Request persistent[2];  /* inactive */
    char from[BYTES], to[2][BYTES];
};

static unsigned below(struct sequence *s, unsigned n) { return random_next(&s->state, n); }

static __attribute__((format(printf, 4, 5))) int said(struct sequence *s, const char *call, int code, const char *format, ...)
{
    va_list args;
    fprintf(s->out, "%d %s %s", s->number, call, class_name(code));
    va_start(args, format);
    vfprintf(s->out, format, args);
    va_end(args);
    fputc('\n', s->out);
    return code == MPI_SUCCESS;
}

/* ---- completions ---- */

enum { WAIT, TEST, WAITALL, TESTALL, WAITANY, TESTANY, WAITSOME, TESTSOME, FREE, GET_STATUS, COMPLETIONS };

/* Returns the number of null requests. */
static int nulls(int n, const MPI_Request *requests)
{
    int null = 0;
    for (int i = 0; i < n; i++)
        null += requests[i] == MPI_REQUEST_NULL;
    return null;
}

/* Reports whether a request may be freed instead of completed. */
static int may_be_freed(const struct sequence *s, MPI_Request request)
{
    int may = request == s->fresh[0] || request == s->fresh[1];
    for (int i = 0; i < KEPT; i++)
        may |= request == s->freed[i];
    return may && request != MPI_REQUEST_NULL;
}

/* Completes all of n requests, which can all complete, by one of the functions, called as often as necessary. */
static void complete(struct sequence *s, int n, MPI_Request *requests)
{
    MPI_Status one, statuses[MOST];
    int how = s->completions++ ? (int)below(s, COMPLETIONS) : s->first, ignored = (int)below(s, 2), code = 0, flag = 0, index = -1, done = 0, indices[MOST], rounds = 0;
    MPI_Status *status = ignored ? MPI_STATUS_IGNORE : &one, *all = ignored ? MPI_STATUSES_IGNORE : statuses;
    switch (how) {
    case WAIT:
        for (int i = 0; i < n; i++)
            code = code ? code : MPI_Wait(&requests[i], status);
        said(s, "MPI_Wait", code, " %d", nulls(n, requests));
        break;
    case TEST:
        for (int i = 0; i < n; i++)
            for (flag = 0; !code && !flag;)
                code = MPI_Test(&requests[i], &flag, status);
        said(s, "MPI_Test", code, " %d", nulls(n, requests));
        break;
    case WAITALL:
        code = MPI_Waitall(n, requests, all);
        said(s, "MPI_Waitall", code, " %d", nulls(n, requests));
        break;
    case TESTALL:
        while (!code && !flag)
            code = MPI_Testall(n, requests, &flag, all);
        said(s, "MPI_Testall", code, " %d", nulls(n, requests));
        break;
    case WAITANY:
        do {
            code = MPI_Waitany(n, requests, &index, status);
        } while (!code && index != MPI_UNDEFINED && ++rounds < 2 * n);
        said(s, "MPI_Waitany", code, " %d", nulls(n, requests));
        break;
    case TESTANY:
        do {
            code = MPI_Testany(n, requests, &index, &flag, status);
        } while (!code && (!flag || (index != MPI_UNDEFINED && ++rounds < 2 * n)));
        said(s, "MPI_Testany", code, " %d", nulls(n, requests));
        break;
    case WAITSOME:
        do {
            code = MPI_Waitsome(n, requests, &done, indices, all);
        } while (!code && done != MPI_UNDEFINED && ++rounds < 2 * n);
        said(s, "MPI_Waitsome", code, " %d", nulls(n, requests));
        break;
    case TESTSOME:
        do {
            code = MPI_Testsome(n, requests, &done, indices, all);
        } while (!code && done != MPI_UNDEFINED && (!done || ++rounds < 2 * n));
        said(s, "MPI_Testsome", code, " %d", nulls(n, requests));
        break;
    case FREE: /* a receive would complete some time later */
        for (int i = 0; i < n; i++) {
            code = code ? code : MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
            if (!code && flag && may_be_freed(s, requests[i]))
                code = MPI_Request_free(&requests[i]);
        }
        code = code ? code : MPI_Waitall(n, requests, all);
        said(s, "MPI_Request_free", code, " %d", nulls(n, requests));
        break;
    case GET_STATUS:
        for (int i = 0; i < n; i++) {
            for (flag = 0; !code && !flag;)
                code = MPI_Request_get_status(requests[i], &flag, status);
            code = code ? code : MPI_Wait(&requests[i], status);
        }
        said(s, "MPI_Request_get_status", code, " %d", nulls(n, requests));
        break;
    }
}

/* ---- copies ---- */

static void keep(struct sequence *s, MPI_Request request, int may_be_freed)
{
    const unsigned i = below(s, KEPT);
    s->kept[i] = request;
    s->integers[i] = MPI_Request_c2f(request);
    s->freed[i] = may_be_freed ? request : MPI_REQUEST_NULL;
}

/* Returns one of the copies, as a handle or by its integer, or null. */
static MPI_Request copy_of_kept(struct sequence *s)
{
    const unsigned i = below(s, KEPT);
    const int by_integer = (int)below(s, 2);
    return s->kept[i] != MPI_REQUEST_NULL && by_integer ? MPI_Request_f2c(s->integers[i]) : s->kept[i];
}

/* Inserts up to five copies and null handles at any places among n requests. Returns the new number. */
static int with_copies(struct sequence *s, int n, MPI_Request *requests)
{
    for (unsigned more = below(s, 6); more; more--) {
        const int fresh = n - (int)below(s, (unsigned)n + 1); /* the copy's position */
        memmove(&requests[fresh + 1], &requests[fresh], (size_t)(n - fresh) * sizeof *requests);
        requests[fresh] = copy_of_kept(s);
        n++;
    }
    return n;
}

/* ---- operations ---- */

enum { SEND, SSEND, BSEND, RSEND, LARGE, TO_NONE, FROM_NONE, BARRIER, BCAST, ALLREDUCE, ALLTOALLW, PUT_NONE, RECEIVE, OPERATIONS };

static const char *const names[OPERATIONS] = {
    "MPI_Isend", "MPI_Issend", "MPI_Ibsend", "MPI_Irsend", "MPI_Isend large", "MPI_Isend none", "MPI_Irecv none", "MPI_Ibarrier", "MPI_Ibcast",
    "MPI_Iallreduce", "MPI_Ialltoallw", "MPI_Rput", "MPI_Irecv",
};

/* The arrays of MPI_Ialltoallw without data: in Open MPI it completes immediately. */
static const int counts[1], places[1];
static MPI_Datatype types[1];

static int begin(struct sequence *s, int what, int i, MPI_Request *request)
{
    const int tag = s->tag + i;
    switch (what) {
    case SSEND: return MPI_Issend(s->from, 4, MPI_CHAR, s->peer, tag, s->comm, request);
    case BSEND: return MPI_Ibsend(s->from, 4, MPI_CHAR, s->peer, tag, s->comm, request);
    case RSEND: return MPI_Irsend(s->from, 4, MPI_CHAR, s->peer, tag, s->comm, request);
    case LARGE: return MPI_Isend(s->from, BYTES, MPI_CHAR, s->peer, tag, s->comm, request);
    case TO_NONE: return MPI_Isend(s->from, 4, MPI_CHAR, MPI_PROC_NULL, tag, s->comm, request);
    case FROM_NONE: return MPI_Irecv(s->to[i], 4, MPI_CHAR, MPI_PROC_NULL, tag, s->comm, request);
    case BARRIER: return MPI_Ibarrier(MPI_COMM_SELF, request);
    case BCAST: return MPI_Ibcast(s->from, 4, MPI_CHAR, 0, MPI_COMM_SELF, request);
    case ALLREDUCE: return MPI_Iallreduce(s->from, s->to[i], 4, MPI_CHAR, MPI_BOR, MPI_COMM_SELF, request);
    case ALLTOALLW: return MPI_Ialltoallw(s->from, counts, places, types, s->to[i], counts, places, types, MPI_COMM_SELF, request);
    case PUT_NONE: return MPI_Rput(s->from, 4, MPI_CHAR, MPI_PROC_NULL, 0, 4, MPI_CHAR, s->win, request);
    default: return MPI_Isend(s->from, 4, MPI_CHAR, s->peer, tag, s->comm, request);
    }
}

static int receives(int what) { return what <= LARGE || what == RECEIVE; }
static int is_message(int what) { return receives(what) || what == TO_NONE || what == FROM_NONE; }

static int begin_receives(struct sequence *s, MPI_Request *receiving)
{
    int code = 0;
    for (int i = 0; i < 2; i++)
        code = code ? code : MPI_Irecv(s->to[i], BYTES, MPI_CHAR, s->peer, s->tag + i, s->comm, &receiving[i]);
    return code;
}

/* Starts two operations at once, and keeps the copies of their requests. */
static void operations(struct sequence *s)
{
    MPI_Request requests[MOST], receiving[MOST];
    const int first = !s->completions; /* a send comes before all requests that do not complete immediately */
    int what = !first ? (int)below(s, OPERATIONS) : s->seed % 2 ? SEND : TO_NONE, code = 0;
    if (what == PUT_NONE && s->win == MPI_WIN_NULL)
        what = SEND;
    s->tag = (s->tag + 2) % TAGS;
    if (receives(what) && !first)
        code = begin_receives(s, receiving);
    if (what == RSEND) /* the receives must be posted */
        code = code ? code : MPI_Barrier(s->comm);
    for (int i = 0; i < 2; i++)
        code = code ? code : begin(s, what, i, &requests[i]);
    /* Whether the others complete immediately depends on timing. */
    const int one = !code && what != LARGE && what != SSEND && requests[0] == requests[1];
    if (!said(s, names[what], code, "%s", one ? " one" : ""))
        return;
    for (unsigned copies = one ? below(s, 3) + 1 : 0; copies; copies--)
        keep(s, requests[0], is_message(what));
    if (receives(what) && first && !said(s, "MPI_Irecv", begin_receives(s, receiving), "%s", ""))
        return;
    if (receives(what))
        complete(s, with_copies(s, 2, receiving), receiving);
    for (int i = 0; i < 2; i++)
        s->fresh[i] = is_message(what) ? requests[i] : MPI_REQUEST_NULL;
    complete(s, with_copies(s, 2, requests), requests);
    s->fresh[0] = s->fresh[1] = MPI_REQUEST_NULL;
}

/* Completes copies only. */
static void again(struct sequence *s)
{
    MPI_Request requests[MOST];
    complete(s, with_copies(s, 0, requests), requests);
}

/* Uses a persistent request, which a copy may start or complete as well. */
static void persistent(struct sequence *s)
{
    MPI_Request copies[2] = {s->persistent[0], s->persistent[1]};
    int code = 0;
    for (int i = 0; i < 2; i++)
        code = code ? code : MPI_Start(below(s, 2) ? &copies[i] : &s->persistent[i]);
    if (!said(s, "MPI_Start", code, "%s", ""))
        return;
    MPI_Request requests[MOST] = {copies[0], s->persistent[1]};
    complete(s, with_copies(s, 2, requests), requests);
    complete(s, 2, copies); /* no longer active */
}

static void *run(void *sequence)
{
    struct sequence *s = sequence;
    static void (*const kinds[])(struct sequence *) = {operations, operations, operations, again, persistent};
    const int calls = s->number;
    s->number = 0;
    operations(s); /* before all others */
    MPI_Send_init(s->from, 4, MPI_CHAR, s->peer, TAGS + 2, s->comm, &s->persistent[0]);
    MPI_Recv_init(s->to[1], 4, MPI_CHAR, s->peer, TAGS + 2, s->comm, &s->persistent[1]);
    for (s->number = 1; s->number <= calls; s->number++)
        kinds[below(s, sizeof kinds / sizeof *kinds)](s);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&s->persistent[i]);
    fprintf(s->out, "done\n");
    fclose(s->out);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: copies SEED CALLS THREADS OUT\n");
        return 2;
    }
    static char memory[64], buffers[1 << 16];
    const int threads = atoi(argv[3]);
    int given, rank, size;
    struct sequence *all = calloc((size_t)threads, sizeof *all);
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(buffers, sizeof buffers);
    types[0] = MPI_CHAR;
    for (int i = 0; i < threads; i++) {
        struct sequence *s = &all[i];
        char name[4096];
        snprintf(name, sizeof name, "%s.%d.%d", argv[4], rank, i);
        if (!(s->out = fopen(name, "w")))
            return 1;
        setvbuf(s->out, NULL, _IOLBF, 0); /* a crash must show its place */
        s->state = random_state(strtoull(argv[1], NULL, 10) * 64 + (uint64_t)i);
        s->seed = atoi(argv[1]);
        s->first = (s->seed / 2 + i) % COMPLETIONS;
        s->number = atoi(argv[2]);
        s->rank = rank;
        s->peer = (rank + 1) % size;
        s->win = MPI_WIN_NULL;
        s->persistent[0] = s->persistent[1] = MPI_REQUEST_NULL;
        for (int k = 0; k < KEPT; k++)
            s->kept[k] = s->freed[k] = MPI_REQUEST_NULL;
        s->fresh[0] = s->fresh[1] = MPI_REQUEST_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &s->comm);
    }
    if (given < MPI_THREAD_MULTIPLE && threads > 1) {
        fprintf(stderr, "no threads\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (threads == 1) { /* Open MPI has no windows for one rank with threads */
        MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &all->win);
        MPI_Win_lock_all(0, all->win);
    }
    for (int i = 1; i < threads; i++)
        pthread_create(&all[i].thread, NULL, run, &all[i]);
    run(&all[0]);
    for (int i = 1; i < threads; i++)
        pthread_join(all[i].thread, NULL);
    if (threads == 1) {
        MPI_Win_unlock_all(all->win);
        MPI_Win_free(&all->win);
    }
    MPI_Finalize();
    printf("done\n");
    return 0;
}
