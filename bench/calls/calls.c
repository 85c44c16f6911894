/*
 * calls.c: the rows of `make bench`, one function for each.
 *
 * Each family's mpicc compiles this same source, so two programs differ only in the ABI
 * they were built for.
 *
 *   calls list                         prints the rows: name, ranks
 *   calls time   SCALE [ROW...]        prints "ROW ns ns ...", one figure per batch
 *   calls count  [ROW...]              for callgrind: one dump per row, named "ROW K" after
 *                                      the K operations in it
 *   calls memory                       prints "memory KB", resident, after MPI_Init and some traffic
 *   calls empty                        calls MPI_Init and MPI_Finalize
 *   calls spawn  COMMAND...            without MPI: prints the ns from start to end of COMMAND
 *
 * Times and counts are for one operation: the body of a row's loop. Only rows for the number
 * of ranks that the program runs on are measured.
 *
 * Compiled with -DFORTRAN, and linked with fortran.F90, the program has other rows: single
 * calls, each in C, in C with arguments as Fortran passes them, and in Fortran.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
/* Without valgrind's header the program measures time only. */
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_TOGGLE_COLLECT ((void)0)
#endif
#include "heap.h"

/* The batches of a row's time, and the messages each way in an operation of pairs_64. */
enum { batches = 5, window = 64 };

/* The objects and buffers that the rows use. */
static MPI_Comm twin;       /* a duplicate of MPI_COMM_SELF */
static MPI_Datatype pair;   /* a derived datatype: two ints */
static MPI_Op addition;     /* a user-defined operation */
static MPI_Status received; /* status of one message of `pair`, for MPI_Get_count */
/* This rank, and the other one (on one rank: itself). */
static int rank, peer;
static long long in[2 * window], out[2 * window];
static int sink; /* takes results, so that the compiler keeps every call */

/* Returns the time in nanoseconds. */
static long long now_nanoseconds(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Returns the time in an unspecified unit. This clock costs only a few ns. */
static long long ticks(void) {
#ifdef __x86_64__
	unsigned processor;
	return (long long)__builtin_ia32_rdtscp(&processor);
#else
	return now_nanoseconds();
#endif
}
static long long not_counted; /* ticks in a row's loop that are not part of the operation */

/* Adds ints: the function of `addition`. */
static void add_ints(void *a, void *b, int *n, MPI_Datatype *type) {
	(void)type;
	for (int i = 0; i < *n; i++)
		((int *)b)[i] += ((int *)a)[i];
}

/* ---- queries of one handle ---- */

static void comm_rank_world(long n) {
	while (n--)
		MPI_Comm_rank(MPI_COMM_WORLD, &sink);
}

static void comm_rank_dup(long n) {
	while (n--)
		MPI_Comm_rank(twin, &sink);
}

static void comm_size_world(long n) {
	while (n--)
		MPI_Comm_size(MPI_COMM_WORLD, &sink);
}

static void comm_size_dup(long n) {
	while (n--)
		MPI_Comm_size(twin, &sink);
}

static void type_size_predefined(long n) {
	while (n--)
		MPI_Type_size(MPI_DOUBLE, &sink);
}

static void type_size_derived(long n) {
	while (n--)
		MPI_Type_size(pair, &sink);
}

/* ---- a handle to a Fortran integer and back, as in BLACS ---- */

#ifdef MPI_ABI_VERSION /* libraries of the standard ABI may lack these functions */
#define MPI_Comm_c2f MPI_Comm_toint
#define MPI_Comm_f2c MPI_Comm_fromint
#define MPI_Type_c2f MPI_Type_toint
#define MPI_Type_f2c MPI_Type_fromint
#endif

static void fortran_comm_world(long n) {
	while (n--)
		sink += MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD;
}

static void fortran_comm_dup(long n) {
	while (n--)
		sink += MPI_Comm_f2c(MPI_Comm_c2f(twin)) == twin;
}

static void fortran_type_predefined(long n) {
	while (n--)
		sink += MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT;
}

/* ---- statuses and null requests ---- */

static void get_count(long n) {
	while (n--)
		MPI_Get_count(&received, MPI_INT, &sink);
}

static void get_count_derived(long n) {
	while (n--)
		MPI_Get_count(&received, pair, &sink);
}

static void iprobe(long n) {
	while (n--)
		MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_SELF, &sink, MPI_STATUS_IGNORE);
}

/* The status is ignored here, and the empty status below. */
static void test_null(long n) {
	while (n--) {
		MPI_Request r = MPI_REQUEST_NULL;
		MPI_Test(&r, &sink, MPI_STATUS_IGNORE);
	}
}

/* Sets the empty status. */
static void test_null_status(long n) {
	MPI_Status s;
	while (n--) {
		MPI_Request r = MPI_REQUEST_NULL;
		MPI_Test(&r, &sink, &s);
	}
}

/* ---- messages of a rank to itself ----

   Each row exists with predefined handles and with dynamic ones. Programs that duplicate
   MPI_COMM_WORLD use the latter. */

/* Sends and receives one message, with a status. */
static void sendrecv_on(long n, MPI_Comm comm, int count, MPI_Datatype type, int source, int tag) {
	MPI_Status s;
	while (n--) {
		MPI_Sendrecv(out, count, type, 0, 3, in, count, type, source, tag, comm, &s);
		sink += s.MPI_TAG;
	}
}

static void sendrecv_status(long n) { sendrecv_on(n, MPI_COMM_SELF, 2, MPI_INT, 0, 3); }
static void sendrecv_status_dynamic(long n) { sendrecv_on(n, twin, 1, pair, 0, 3); }
static void sendrecv_any(long n) { sendrecv_on(n, MPI_COMM_SELF, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG); }
static void sendrecv_any_dynamic(long n) { sendrecv_on(n, twin, 1, pair, MPI_ANY_SOURCE, MPI_ANY_TAG); }

/* Completes a message each way by MPI_Waitall, with statuses or MPI_STATUSES_IGNORE. */
static void isend_irecv_on(long n, MPI_Comm comm, int count, MPI_Datatype type, MPI_Status *s) {
	MPI_Request r[2];
	while (n--) {
		MPI_Irecv(in, count, type, 0, 4, comm, &r[0]);
		MPI_Isend(out, count, type, 0, 4, comm, &r[1]);
		MPI_Waitall(2, r, s);
	}
}

static MPI_Status two[2];
static void isend_irecv_waitall(long n) {
	isend_irecv_on(n, MPI_COMM_SELF, 2, MPI_INT, MPI_STATUSES_IGNORE);
}
static void isend_irecv_waitall_dynamic(long n) {
	isend_irecv_on(n, twin, 1, pair, MPI_STATUSES_IGNORE);
}
static void isend_irecv_waitall_statuses(long n) {
	isend_irecv_on(n, MPI_COMM_SELF, 2, MPI_INT, two);
}
static void isend_irecv_waitall_statuses_dynamic(long n) {
	isend_irecv_on(n, twin, 1, pair, two);
}

/* Sends without blocking, receives, and completes the send. */
static void isend_recv_on(long n, MPI_Comm comm, int count, MPI_Datatype type, int source, int tag) {
	MPI_Request r;
	while (n--) {
		MPI_Isend(out, count, type, 0, 4, comm, &r);
		MPI_Recv(in, count, type, source, tag, comm, MPI_STATUS_IGNORE);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	}
}

static void isend_recv_wait(long n) { isend_recv_on(n, MPI_COMM_SELF, 2, MPI_INT, 0, 4); }
static void isend_recv_wait_dynamic(long n) { isend_recv_on(n, twin, 1, pair, 0, 4); }
static void isend_recv_any_wait(long n) { isend_recv_on(n, MPI_COMM_SELF, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG); }

/* Finds a message by its envelope, as programs do that do not know the sender. */
static void isend_probe_recv_wait(long n) {
	MPI_Request r;
	MPI_Status s;
	while (n--) {
		MPI_Isend(out, 2, MPI_INT, 0, 4, MPI_COMM_SELF, &r);
		MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &s);
		MPI_Recv(in, 2, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_SELF, &s);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	}
}

/* Sends a message with persistent requests. Only starts and completions are in the loop. */
static void start_wait(long n) {
	MPI_Request r[2];
	MPI_Recv_init(in, 2, MPI_INT, 0, 4, MPI_COMM_SELF, &r[0]);
	MPI_Send_init(out, 2, MPI_INT, 0, 4, MPI_COMM_SELF, &r[1]);
	while (n--) {
		MPI_Start(&r[0]);
		MPI_Start(&r[1]);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

/* ---- tests of pending requests, which are completed after the loop ---- */

enum { pending = 4 };

/* Starts the requests. */
static void post(MPI_Request *r) {
	for (int i = 0; i < pending; i++)
		MPI_Irecv(&in[i], 8, MPI_BYTE, 0, 8, MPI_COMM_SELF, &r[i]);
}

/* Completes the requests. */
static void satisfy(MPI_Request *r) {
	for (int i = 0; i < pending; i++)
		MPI_Send(out, 8, MPI_BYTE, 0, 8, MPI_COMM_SELF);
	MPI_Waitall(pending, r, MPI_STATUSES_IGNORE);
}

static void testany_pending(long n) {
	MPI_Request r[pending];
	int index;
	post(r);
	while (n--)
		MPI_Testany(pending, r, &index, &sink, MPI_STATUS_IGNORE);
	satisfy(r);
}

static void testsome_pending(long n) {
	MPI_Request r[pending];
	int indices[pending];
	post(r);
	while (n--)
		MPI_Testsome(pending, r, &sink, indices, MPI_STATUSES_IGNORE);
	satisfy(r);
}

static void testall_pending(long n) {
	MPI_Request r[pending];
	post(r);
	while (n--)
		MPI_Testall(pending, r, &sink, MPI_STATUSES_IGNORE);
	satisfy(r);
}

/* ---- completion of any or some requests ---- */

/* Starts a message each way. The rows below complete the two requests one by one or together,
   with as many calls as that takes. */
static void start_exchange(MPI_Request *r) {
	MPI_Irecv(in, 2, MPI_INT, 0, 4, MPI_COMM_SELF, &r[0]);
	MPI_Isend(out, 2, MPI_INT, 0, 4, MPI_COMM_SELF, &r[1]);
}

static void isend_irecv_waitany(long n) {
	MPI_Request r[2];
	MPI_Status s;
	int index;
	while (n--) {
		start_exchange(r);
		for (int i = 0; i < 2; i++)
			MPI_Waitany(2, r, &index, &s);
	}
}

static void isend_irecv_testany(long n) {
	MPI_Request r[2];
	int index, flag;
	while (n--) {
		start_exchange(r);
		for (int done = 0; done < 2; done += flag)
			MPI_Testany(2, r, &index, &flag, MPI_STATUS_IGNORE);
	}
}

static void isend_irecv_waitsome_on(long n, MPI_Status *s) {
	MPI_Request r[2];
	int indices[2], some;
	while (n--) {
		start_exchange(r);
		for (int done = 0; done < 2; done += some)
			MPI_Waitsome(2, r, &some, indices, s);
	}
}

static void isend_irecv_waitsome(long n) { isend_irecv_waitsome_on(n, MPI_STATUSES_IGNORE); }
static void isend_irecv_waitsome_statuses(long n) { isend_irecv_waitsome_on(n, two); }

static void isend_irecv_testsome(long n) {
	MPI_Request r[2];
	int indices[2], some;
	while (n--) {
		start_exchange(r);
		for (int done = 0; done < 2; done += some)
			MPI_Testsome(2, r, &some, indices, MPI_STATUSES_IGNORE);
	}
}

static void isend_irecv_testall_on(long n, MPI_Status *s) {
	MPI_Request r[2];
	int flag;
	while (n--) {
		start_exchange(r);
		do
			MPI_Testall(2, r, &flag, s);
		while (!flag);
	}
}

static void isend_irecv_testall(long n) { isend_irecv_testall_on(n, MPI_STATUSES_IGNORE); }
static void isend_irecv_testall_statuses(long n) { isend_irecv_testall_on(n, two); }

/* ---- reductions ---- */

static void allreduce_sum(long n) {
	while (n--)
		MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

static void allreduce_sum_dynamic(long n) {
	while (n--)
		MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, twin);
}

static void allreduce_in_place(long n) {
	while (n--)
		MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

static void allreduce_user(long n) {
	while (n--)
		MPI_Allreduce(out, in, 1, MPI_INT, addition, MPI_COMM_SELF);
}

static void allreduce_user_dynamic(long n) {
	while (n--)
		MPI_Allreduce(out, in, 1, pair, addition, twin);
}

/* MPI_Reduce_local must call the operation. MPI_Allreduce on one rank need not. */
static void reduce_local_user(long n) {
	while (n--)
		MPI_Reduce_local(out, in, 1, MPI_INT, addition);
}

/* ---- other communication ---- */

static void alltoallv(long n) {
	static int counts[1] = {2}, displs[1];
	while (n--)
		MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_SELF);
}

static void put_flush(long n) {
	MPI_Win win;
	void *memory;
	MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
	MPI_Win_lock_all(0, win);
	while (n--) {
		MPI_Put(out, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
		MPI_Win_flush(0, win);
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
}

/* ---- creation and destruction of objects ---- */

static void type_life(long n) {
	while (n--) {
		MPI_Datatype t;
		MPI_Type_contiguous(3, MPI_INT, &t);
		MPI_Type_commit(&t);
		MPI_Type_free(&t);
	}
}

static void type_life_dynamic(long n) {
	while (n--) {
		MPI_Datatype t;
		MPI_Type_contiguous(3, pair, &t);
		MPI_Type_commit(&t);
		MPI_Type_free(&t);
	}
}

static void op_life(long n) {
	while (n--) {
		MPI_Op op;
		MPI_Op_create(add_ints, 1, &op);
		MPI_Op_free(&op);
	}
}

static void comm_life(long n) {
	while (n--) {
		MPI_Comm c;
		MPI_Comm_dup(MPI_COMM_SELF, &c);
		MPI_Comm_free(&c);
	}
}

/* ---- two ranks ---- */

/* Exchanges `window` messages each way in one operation. Both ranks do the same, so neither runs
   ahead by more than a window. */
static void pairs_on(long n, MPI_Comm comm) {
	MPI_Request r[2 * window];
	while (n--) {
		for (int i = 0; i < window; i++)
			MPI_Irecv(&in[i], 8, MPI_BYTE, peer, 5, comm, &r[i]);
		for (int i = 0; i < window; i++)
			MPI_Isend(&out[i], 8, MPI_BYTE, peer, 5, comm, &r[window + i]);
		MPI_Waitall(2 * window, r, MPI_STATUSES_IGNORE);
	}
}

static void pairs_64(long n) { pairs_on(n, MPI_COMM_WORLD); }

/* Sends a message there and back. */
static void round_trip(long n) {
	while (n--) {
		if (rank == 0) {
			MPI_Send(out, 8, MPI_BYTE, 1, 6, MPI_COMM_WORLD);
			MPI_Recv(in, 8, MPI_BYTE, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			MPI_Recv(in, 8, MPI_BYTE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(out, 8, MPI_BYTE, 0, 6, MPI_COMM_WORLD);
		}
	}
}

#include "objects.h"

#ifdef FORTRAN
/* ---- single calls in C and in Fortran ----

   The variants use the same handles. NOT_COUNTED runs calls whose instructions and time are not
   counted. */

#define NOT_COUNTED(...) \
	do { \
		CALLGRIND_TOGGLE_COLLECT; \
		const long long began = ticks(); \
		__VA_ARGS__; \
		not_counted += ticks() - began; \
		CALLGRIND_TOGGLE_COLLECT; \
	} while (0)

/* The handles that `on` selects, the requests of a row, and the other side's request. */
static MPI_Comm comm;
static MPI_Datatype datatype;
static int elements;
static MPI_Request requests[2], other;
static MPI_Status statuses[2];

void fortran_on(int comm, int datatype, int elements);
/* Selects predefined or dynamic handles, in C and in Fortran. */
static void on(int is_dynamic) {
	comm = is_dynamic ? twin : MPI_COMM_SELF;
	datatype = is_dynamic ? pair : MPI_INTEGER;
	elements = is_dynamic ? 1 : 2;
	fortran_on(MPI_Comm_c2f(comm), MPI_Type_c2f(datatype), elements);
}

/* ---- arguments ----

   In C, arguments are values. As Fortran passes them, each is an address, and a buffer may be a
   descriptor, here of the size for an array of one dimension. The calls in C with arguments passed
   in that way, each in its own function, measure the program's part of a call in Fortran. */
#define VALUE(argument) (argument)
#define BUFFER(argument) (argument)
/* Returns the address, and hides its origin from the compiler. */
#define HIDDEN(address) \
	({ \
		__typeof__(address) from = (address); \
		__asm__ volatile("" : "+r"(from) : : "memory"); \
		from; \
	})
#define PASSED_VALUE(argument) (*HIDDEN(&(argument)))
#if !defined(F08) || defined(OPEN_MPI)
#define PASSED_BUFFER(argument) HIDDEN((void *)(argument))
#else
#ifdef MPI_ABI_VERSION
enum { words = 6 }; /* the C descriptor */
#else
enum { words = 8 }; /* gfortran's descriptor */
#endif
struct descriptor {
	void *address;
	long more[words - 1];
};
#define PASSED_BUFFER(argument) (HIDDEN((&(struct descriptor){(argument), {1, 2, 3, 4, 5}}))->address)
#endif
/* Arguments must be variables to be passed by address. */
static const int zero = 0, one = 1, two_requests = 2, three = 3, four = 4;
static const MPI_Datatype number = MPI_INTEGER;
static const MPI_Op sum = MPI_SUM;
/* Takes the error code, as ierror does in Fortran. */
static volatile int error;

/* Defines the calls for one way of passing arguments: c_comm_rank and so on. */
#define CALLS(language, FUNCTION, BUFFER, VALUE, STORE) \
	FUNCTION language##_comm_rank(void) { STORE MPI_Comm_rank(VALUE(comm), &sink); } \
	FUNCTION language##_get_count(void) { STORE MPI_Get_count(&received, VALUE(datatype), &sink); } \
	FUNCTION language##_send(void) { STORE MPI_Send(BUFFER(out), VALUE(elements), VALUE(datatype), VALUE(zero), VALUE(four), VALUE(comm)); } \
	FUNCTION language##_recv(void) { STORE MPI_Recv(BUFFER(in), VALUE(elements), VALUE(datatype), VALUE(zero), VALUE(four), VALUE(comm), MPI_STATUS_IGNORE); } \
	FUNCTION language##_recv_status(void) { STORE MPI_Recv(BUFFER(in), VALUE(elements), VALUE(datatype), VALUE(zero), VALUE(four), VALUE(comm), &statuses[0]); } \
	FUNCTION language##_isend(void) { STORE MPI_Isend(BUFFER(out), VALUE(elements), VALUE(datatype), VALUE(zero), VALUE(four), VALUE(comm), &requests[1]); } \
	FUNCTION language##_irecv(void) { STORE MPI_Irecv(BUFFER(in), VALUE(elements), VALUE(datatype), VALUE(zero), VALUE(four), VALUE(comm), &requests[0]); } \
	FUNCTION language##_wait_for(int i) { STORE MPI_Wait(&requests[i], MPI_STATUS_IGNORE); } \
	FUNCTION language##_wait(void) { STORE MPI_Wait(&requests[0], &statuses[0]); } \
	FUNCTION language##_test(void) { STORE MPI_Test(&requests[0], &sink, &statuses[0]); } \
	FUNCTION language##_iprobe(void) { STORE MPI_Iprobe(VALUE(zero), VALUE(four), VALUE(comm), &sink, &statuses[0]); } \
	FUNCTION language##_waitall(void) { STORE MPI_Waitall(VALUE(two_requests), requests, MPI_STATUSES_IGNORE); } \
	FUNCTION language##_waitall_statuses(void) { STORE MPI_Waitall(VALUE(two_requests), requests, statuses); } \
	FUNCTION language##_sendrecv(void) { STORE MPI_Sendrecv(BUFFER(out), VALUE(elements), VALUE(datatype), VALUE(zero), VALUE(three), BUFFER(in), VALUE(elements), VALUE(datatype), VALUE(zero), VALUE(three), VALUE(comm), &statuses[0]); } \
	FUNCTION language##_allreduce(void) { STORE MPI_Allreduce(BUFFER(out), BUFFER(in), VALUE(one), VALUE(number), VALUE(sum), VALUE(comm)); } \
	FUNCTION language##_allreduce_in_place(void) { STORE MPI_Allreduce(BUFFER(MPI_IN_PLACE), BUFFER(in), VALUE(one), VALUE(number), VALUE(sum), VALUE(comm)); }
CALLS(c, static void, BUFFER, VALUE, )
CALLS(passed, static __attribute__((noinline)) void, PASSED_BUFFER, PASSED_VALUE, error =)

/* The calls in fortran.F90. */
#define FORTRAN_PROCEDURE(name) void fortran_##name(void);
FORTRAN_PROCEDURE(comm_rank) FORTRAN_PROCEDURE(get_count) FORTRAN_PROCEDURE(send) FORTRAN_PROCEDURE(recv)
FORTRAN_PROCEDURE(recv_status) FORTRAN_PROCEDURE(isend) FORTRAN_PROCEDURE(irecv) FORTRAN_PROCEDURE(wait)
FORTRAN_PROCEDURE(test) FORTRAN_PROCEDURE(iprobe) FORTRAN_PROCEDURE(waitall)
FORTRAN_PROCEDURE(waitall_statuses) FORTRAN_PROCEDURE(sendrecv) FORTRAN_PROCEDURE(allreduce) FORTRAN_PROCEDURE(allreduce_in_place)
void fortran_wait_for(int i);

/* The other side of a message, which is not counted. */
#define OTHER_RECEIVES NOT_COUNTED(MPI_Irecv(in, elements, datatype, 0, 4, comm, &other))
#define OTHER_SENDS NOT_COUNTED(MPI_Isend(out, elements, datatype, 0, 4, comm, &other))
#define OTHER_ENDS MPI_Wait(&other, MPI_STATUS_IGNORE)

/* Defines the rows of a call: with predefined handles, and with dynamic ones. before and after are
   the statements around the call. */
#define ROW(name, language, before, after) \
	static void name##_in_##language(long n) { \
		on(0); \
		while (n--) { before; language##_##name(); after; } \
	} \
	static void name##_dynamic_in_##language(long n) { \
		on(1); \
		while (n--) { before; language##_##name(); after; } \
	}
#define ROWS(language) \
	ROW(comm_rank, language, , ) \
	ROW(get_count, language, , ) \
	ROW(send, language, OTHER_RECEIVES, NOT_COUNTED(OTHER_ENDS)) \
	ROW(recv, language, OTHER_SENDS, NOT_COUNTED(OTHER_ENDS)) \
	ROW(recv_status, language, OTHER_SENDS, NOT_COUNTED(OTHER_ENDS)) \
	ROW(isend, language, OTHER_RECEIVES, NOT_COUNTED(language##_wait_for(1); OTHER_ENDS)) \
	ROW(irecv, language, , NOT_COUNTED(MPI_Send(out, elements, datatype, 0, 4, comm); language##_wait_for(0))) \
	ROW(wait, language, NOT_COUNTED(language##_irecv(); MPI_Send(out, elements, datatype, 0, 4, comm)), ) \
	ROW(test, language, NOT_COUNTED(language##_irecv(); MPI_Send(out, elements, datatype, 0, 4, comm)), ) \
	ROW(iprobe, language, , ) \
	ROW(waitall, language, NOT_COUNTED(language##_irecv(); language##_isend()), ) \
	ROW(waitall_statuses, language, NOT_COUNTED(language##_irecv(); language##_isend()), ) \
	ROW(sendrecv, language, , ) \
	ROW(allreduce, language, , ) \
	ROW(allreduce_in_place, language, , )
ROWS(c)
ROWS(passed)
ROWS(fortran)
#endif

/* The rows. `batch` operations take about 10 ms; callgrind counts `counted` operations. */
static const struct row {
	const char *name;
	void (*run)(long n); /* runs n operations */
	int ranks;           /* the number of ranks that the row needs */
	long batch, counted;
} rows[] = {
#ifdef FORTRAN
#define IN(name, language, batch, counted) {#name ":" #language, name##_in_##language, 1, batch, counted}
#define IN_EACH(name, batch, counted) IN(name, c, batch, counted), IN(name, passed, batch, counted), IN(name, fortran, batch, counted)
#define ALL(name, batch, counted) IN_EACH(name, batch, counted), IN_EACH(name##_dynamic, batch, counted)
	ALL(comm_rank, 1000000, 5000),
	ALL(get_count, 1000000, 5000),
	ALL(send, 50000, 2000),
	ALL(recv, 50000, 2000),
	ALL(recv_status, 50000, 2000),
	ALL(isend, 50000, 2000),
	ALL(irecv, 50000, 2000),
	ALL(wait, 50000, 2000),
	ALL(test, 50000, 2000),
	ALL(iprobe, 200000, 2000),
	ALL(waitall, 50000, 2000),
	ALL(waitall_statuses, 50000, 2000),
	ALL(sendrecv, 50000, 2000),
	ALL(allreduce, 200000, 2000),
	ALL(allreduce_in_place, 200000, 2000),
#else
	{"comm_rank_world", comm_rank_world, 1, 1000000, 5000},
	{"comm_rank_thunk", comm_rank_world, 1, 1000000, 5000},
	{"comm_rank_dup", comm_rank_dup, 1, 1000000, 5000},
	{"comm_size_world", comm_size_world, 1, 1000000, 5000},
	{"comm_size_dup", comm_size_dup, 1, 1000000, 5000},
	{"type_size_predefined", type_size_predefined, 1, 1000000, 5000},
	{"type_size_derived", type_size_derived, 1, 1000000, 5000},
	{"fortran_comm_world", fortran_comm_world, 1, 1000000, 5000},
	{"fortran_comm_dup", fortran_comm_dup, 1, 1000000, 5000},
	{"fortran_type_predefined", fortran_type_predefined, 1, 1000000, 5000},
	{"get_count", get_count, 1, 1000000, 5000},
	{"get_count_derived", get_count_derived, 1, 1000000, 5000},
	{"iprobe", iprobe, 1, 100000, 2000},
	{"test_null", test_null, 1, 1000000, 5000},
	{"test_null_status", test_null_status, 1, 1000000, 5000},
	{"sendrecv_status", sendrecv_status, 1, 50000, 2000},
	{"sendrecv_status_dynamic", sendrecv_status_dynamic, 1, 50000, 2000},
	{"sendrecv_any", sendrecv_any, 1, 50000, 2000},
	{"sendrecv_any_dynamic", sendrecv_any_dynamic, 1, 50000, 2000},
	{"isend_irecv_waitall", isend_irecv_waitall, 1, 50000, 2000},
	{"isend_irecv_waitall_dynamic", isend_irecv_waitall_dynamic, 1, 50000, 2000},
	{"isend_irecv_waitall_statuses", isend_irecv_waitall_statuses, 1, 50000, 2000},
	{"isend_irecv_waitall_statuses_dynamic", isend_irecv_waitall_statuses_dynamic, 1, 50000, 2000},
	{"isend_recv_wait", isend_recv_wait, 1, 50000, 2000},
	{"isend_recv_wait_dynamic", isend_recv_wait_dynamic, 1, 50000, 2000},
	{"isend_recv_any_wait", isend_recv_any_wait, 1, 50000, 2000},
	{"isend_probe_recv_wait", isend_probe_recv_wait, 1, 50000, 2000},
	{"start_wait", start_wait, 1, 50000, 2000},
	{"testany_pending", testany_pending, 1, 100000, 2000},
	{"testsome_pending", testsome_pending, 1, 100000, 2000},
	{"testall_pending", testall_pending, 1, 100000, 2000},
	{"isend_irecv_waitany", isend_irecv_waitany, 1, 50000, 2000},
	{"isend_irecv_testany", isend_irecv_testany, 1, 50000, 2000},
	{"isend_irecv_waitsome", isend_irecv_waitsome, 1, 50000, 2000},
	{"isend_irecv_waitsome_statuses", isend_irecv_waitsome_statuses, 1, 50000, 2000},
	{"isend_irecv_testsome", isend_irecv_testsome, 1, 50000, 2000},
	{"isend_irecv_testall", isend_irecv_testall, 1, 50000, 2000},
	{"isend_irecv_testall_statuses", isend_irecv_testall_statuses, 1, 50000, 2000},
	{"allreduce_sum", allreduce_sum, 1, 200000, 2000},
	{"allreduce_sum_dynamic", allreduce_sum_dynamic, 1, 200000, 2000},
	{"allreduce_in_place", allreduce_in_place, 1, 200000, 2000},
	{"allreduce_user", allreduce_user, 1, 200000, 2000},
	{"allreduce_user_dynamic", allreduce_user_dynamic, 1, 200000, 2000},
	{"reduce_local_user", reduce_local_user, 1, 500000, 2000},
	{"alltoallv", alltoallv, 1, 100000, 2000},
	{"put_flush", put_flush, 1, 50000, 2000},
	{"type_life", type_life, 1, 50000, 2000},
	{"type_life_dynamic", type_life_dynamic, 1, 50000, 2000},
	{"op_life", op_life, 1, 100000, 2000},
	{"comm_life", comm_life, 1, 2000, 200},
	{"comm_get_attr", comm_get_attr, 1, 100000, 2000},
	{"comm_get_attr_predefined", comm_get_attr_predefined, 1, 100000, 2000},
	{"comm_set_attr", comm_set_attr, 1, 100000, 2000},
	{"comm_set_delete_attr", comm_set_delete_attr, 1, 100000, 2000},
	{"type_get_attr", type_get_attr, 1, 100000, 2000},
	{"type_set_attr", type_set_attr, 1, 100000, 2000},
	{"type_set_delete_attr", type_set_delete_attr, 1, 100000, 2000},
	{"win_get_attr", win_get_attr, 1, 100000, 2000},
	{"win_set_attr", win_set_attr, 1, 100000, 2000},
	{"win_set_delete_attr", win_set_delete_attr, 1, 100000, 2000},
	{"type_get_envelope", type_get_envelope, 1, 100000, 2000},
	{"type_get_contents", type_get_contents, 1, 100000, 2000},
	{"type_get_contents_struct", type_get_contents_struct, 1, 100000, 2000},
	{"group_translate_ranks_1", group_translate_ranks_1, 1, 100000, 2000},
	{"group_translate_ranks_64", group_translate_ranks_64, 1, 100000, 2000},
	{"alltoallw", alltoallw_static, 1, 100000, 2000},
	{"alltoallw_dynamic", alltoallw_dynamic, 1, 100000, 2000},
	{"ialltoallw_wait", ialltoallw_wait, 1, 100000, 2000},
	{"ialltoallw_wait_dynamic", ialltoallw_wait_dynamic, 1, 100000, 2000},
	{"neighbor_alltoallw", neighbor_alltoallw, 1, 100000, 2000},
	{"alltoallw_2", alltoallw_2, 2, 20000, 500},
	{"ialltoallw_wait_2", ialltoallw_wait_2, 2, 20000, 500},
	{"pairs_64", pairs_64, 2, 1000, 50},
	{"round_trip", round_trip, 2, 20000, 500},
#endif
};
enum { nrows = sizeof rows / sizeof rows[0] };

/* Reports whether `row` is among the names, or there are none, and is for `size` ranks. */
static int wanted(const struct row *row, int size, int n, char **names) {
	if (row->ranks != size)
		return 0;
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], row->name) == 0)
			return 1;
	return n == 0;
}

/* Creates the objects that the rows use, and receives a message for MPI_Get_count. */
static void create_objects(void) {
	int size;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	peer = size > 1 ? 1 - rank : 0;
	MPI_Comm_dup(MPI_COMM_SELF, &twin);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Op_create(add_ints, 1, &addition);
	MPI_Sendrecv(out, 1, pair, 0, 1, in, 1, pair, 0, 1, twin, &received);
}

/* Frees these objects. */
static void teardown(void) {
	MPI_Op_free(&addition);
	MPI_Type_free(&pair);
	MPI_Comm_free(&twin);
}

/* The number of consecutive rows that are measured in turn, because they are compared with each
   other. */
#ifdef FORTRAN
enum { compared = 3 };
#else
enum { compared = 1 };
#endif

/* Prints the times of `compared` rows. Time that a row excludes is subtracted in proportion to its
   ticks. */
static void measure_time(const struct row *row, double scale) {
	long n = (long)(row->batch * scale);
	if (n < 1)
		n = 1;
	double ns[compared][batches];
	for (int b = -1; b < batches; b++) /* the first batch only warms up */
		for (int r = 0; r < compared; r++) {
			MPI_Barrier(MPI_COMM_WORLD);
			not_counted = 0;
			long long start = now_nanoseconds(), from = ticks();
			row[r].run(b < 0 ? n / 5 + 1 : n);
			double all = (double)(ticks() - from);
			if (b >= 0)
				ns[r][b] = (double)(now_nanoseconds() - start) / n * (1 - (double)not_counted / all);
		}
	for (int r = 0; r < compared && rank == 0; r++) {
		printf("%s", row[r].name);
		for (int b = 0; b < batches; b++)
			printf(" %.3f", ns[r][b]);
		printf("\n");
	}
}

/* Makes two dumps, of K and of 2K operations. The reader takes their difference, so everything in a
   dump except the operations cancels. */
static void measure_count(const struct row *row) {
	row->run(row->counted / 5 + 1); /* binds symbols and fills pools */
	CALLGRIND_DUMP_STATS_AT("warm"); /* callgrind keeps some earlier counts until a dump */
	for (long k = row->counted; k <= 2 * row->counted; k += row->counted) {
		char name[128];
		snprintf(name, sizeof name, "%s %ld", row->name, k);
		MPI_Barrier(MPI_COMM_WORLD);
		CALLGRIND_ZERO_STATS;
		row->run(k);
		CALLGRIND_DUMP_STATS_AT(name);
	}
}

/* Prints the resident memory, or -1 if it is unknown. */
static void print_memory(void) {
	char line[256];
	long kb = -1;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "VmRSS: %ld", &kb) == 1)
			break;
	if (f)
		fclose(f);
	printf("memory %ld\n", kb);
}

/* Runs a command and prints its time. Returns the exit status for main. */
static int spawn(char **command, char **environment) {
	pid_t pid;
	int status;
	long long start = now_nanoseconds();
	int err = posix_spawnp(&pid, command[0], NULL, NULL, command, environment);
	if (err) {
		fprintf(stderr, "calls: %s: %s\n", command[0], strerror(err));
		return 1;
	}
	if (waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "calls: %s: exit status %d\n", command[0], status);
		return 1;
	}
	printf("start_to_end %lld\n", now_nanoseconds() - start);
	return 0;
}

/* The environment is an argument. A program that refers to `environ` gets libc's variable copied
   into itself. Libraries opened with RTLD_DEEPBIND, as by some translation layers, then find an
   empty one. */
int main(int argc, char **argv, char **environment) {
	const char *mode = argc > 1 ? argv[1] : "";
	if (strcmp(mode, "list") == 0) {
		for (int i = 0; i < nrows; i++)
			printf("%s %d\n", rows[i].name, rows[i].ranks);
		return 0;
	}
	if (strcmp(mode, "spawn") == 0 && argc > 2)
		return spawn(argv + 2, environment);
	int timing = strcmp(mode, "time") == 0 && argc > 2;
	int counting = strcmp(mode, "count") == 0;
	int memory = strcmp(mode, "memory") == 0;
	if (!timing && !counting && !memory && strcmp(mode, "empty") != 0) {
		fprintf(stderr, "usage: calls list | time SCALE [ROW...] | count [ROW...] | memory | empty | spawn COMMAND...\n");
		return 2;
	}

	MPI_Init(&argc, &argv);
	if (timing || counting || memory) {
		int size, names = timing ? 3 : 2;
		create_objects();
		if (counting)
			fill_bins(1032);
		MPI_Comm_size(MPI_COMM_WORLD, &size);
		for (int i = 0; i < nrows && !memory; i++) {
			if (!wanted(&rows[i], size, argc - names, argv + names))
				continue;
			if (timing && i % compared == 0)
				measure_time(&rows[i], atof(argv[2]));
			else if (counting)
				measure_count(&rows[i]);
		}
		if (memory) {
			isend_irecv_waitall(100);
			print_memory();
		}
		teardown();
	}
	MPI_Finalize();
	return 0;
}
