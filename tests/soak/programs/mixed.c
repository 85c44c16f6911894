/*
 * mixed.c: traffic of every kind at once, for some time.
 *
 *   mixed SECONDS THREADS [plain]
 *
 * Each thread has its own communicator, on which all ranks do the same: messages with checksums completed in every way,
 * reductions by a user operation, datatypes, communicators with attributes, groups, infos, error handlers, windows,
 * files, generalized requests. With "plain" there are no windows and no files. Rank 0 prints "mixed MESSAGES KB": the number of messages that all ranks have received
 * and checked since a third of the time, and the growth since then of the resident memory of the rank that grew most.
 * Lost or wrong data is reported on stderr and ends the job.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../conformance/random.h"

#define CHECK(condition)                                                                         \
	do {                                                                                         \
		if (!(condition)) {                                                                      \
			fprintf(stderr, "mixed: %s:%d: not true: %s\n", __func__, __LINE__, #condition);     \
			MPI_Abort(MPI_COMM_WORLD, 1);                                                        \
		}                                                                                        \
	} while (0)

enum { PAIRS = 8, LONGEST = 20000 };

struct thread {
	MPI_Comm comm;
	int rank, size;
	uint64_t state;
	long rounds;
	unsigned char out[PAIRS][LONGEST], in[PAIRS][LONGEST];
};

static double seconds, began;
static int alone; /* there is only one thread */
static int plain; /* the library has no windows and no files */

/* Returns the same numbers on all ranks. */
static unsigned random_below(struct thread *t, unsigned n) { return random_next(&t->state, n); }

static long resident_kb(void) {
	long pages = 0, all;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file) {
		if (fscanf(file, "%ld %ld", &all, &pages) != 2)
			pages = 0;
		fclose(file);
	}
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void fill(unsigned char *data, int n, unsigned seed) {
	for (int i = 0; i < n; i++)
		data[i] = (unsigned char)(seed = seed * 1103515245 + 12345, seed >> 16);
}

static int right(const unsigned char *data, int n, unsigned seed) {
	for (int i = 0; i < n; i++)
		if (data[i] != (unsigned char)(seed = seed * 1103515245 + 12345, seed >> 16))
			return 0;
	return 1;
}

static void messages(struct thread *t) {
	MPI_Request requests[2 * PAIRS];
	MPI_Status statuses[2 * PAIRS];
	int to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size, n[PAIRS], done, index, flag;
	int persistent = random_below(t, 3) == 0, indices[2 * PAIRS];
	unsigned seed = (unsigned)t->rounds * 64;
	for (int i = 0; i < PAIRS; i++) {
		n[i] = (int)random_below(t, random_below(t, 4) ? 200 : LONGEST);
		fill(t->out[i], n[i], seed + (unsigned)i);
		if (persistent) {
			MPI_Recv_init(t->in[i], LONGEST, MPI_BYTE, from, i, t->comm, &requests[i]);
			MPI_Send_init(t->out[i], n[i], MPI_BYTE, to, i, t->comm, &requests[PAIRS + i]);
		} else {
			MPI_Irecv(t->in[i], LONGEST, MPI_BYTE, i % 2 ? from : MPI_ANY_SOURCE, i, t->comm, &requests[i]);
			MPI_Isend(t->out[i], n[i], MPI_BYTE, to, i, t->comm, &requests[PAIRS + i]);
		}
	}
	if (persistent)
		MPI_Startall(2 * PAIRS, requests);
	switch (random_below(t, 5)) {
	case 0:
		MPI_Waitall(2 * PAIRS, requests, statuses);
		for (int i = 0; i < PAIRS; i++) {
			MPI_Get_count(&statuses[i], MPI_BYTE, &index);
			CHECK(index == n[i] && statuses[i].MPI_SOURCE == from && statuses[i].MPI_TAG == i);
		}
		break;
	case 1:
		for (int i = 0; i < 2 * PAIRS; i++) {
			MPI_Waitany(2 * PAIRS, requests, &index, &statuses[0]);
			CHECK(index != MPI_UNDEFINED);
		}
		break;
	case 2:
		for (int all = 0; all < 2 * PAIRS; all += done) {
			MPI_Waitsome(2 * PAIRS, requests, &done, indices, statuses);
			CHECK(done > 0);
		}
		break;
	case 3:
		for (int i = 0; i < 2 * PAIRS; i++)
			for (flag = 0; !flag;)
				MPI_Test(&requests[i], &flag, &statuses[0]);
		break;
	case 4:
		for (flag = 0; !flag;)
			MPI_Testall(2 * PAIRS, requests, &flag, MPI_STATUSES_IGNORE);
		break;
	}
	for (int i = 0; i < PAIRS; i++)
		CHECK(right(t->in[i], n[i], seed + (unsigned)i));
	for (int i = 0; i < 2 * PAIRS; i++) {
		CHECK(persistent == (requests[i] != MPI_REQUEST_NULL));
		if (persistent)
			MPI_Request_free(&requests[i]);
	}
}

/* A message that is probed before it is received. */
static void probed(struct thread *t) {
	MPI_Request request;
	MPI_Message message;
	MPI_Status status;
	int to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size, n = 100, got;
	fill(t->out[0], n, (unsigned)t->rounds);
	MPI_Isend(t->out[0], n, MPI_BYTE, to, PAIRS, t->comm, &request);
	MPI_Mprobe(from, PAIRS, t->comm, &message, &status);
	MPI_Get_count(&status, MPI_BYTE, &got);
	CHECK(got == n);
	memset(t->in[0], 0, (size_t)n);
	MPI_Mrecv(t->in[0], n, MPI_BYTE, &message, &status);
	CHECK(message == MPI_MESSAGE_NULL && right(t->in[0], n, (unsigned)t->rounds));
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void xor_all(void *in, void *inout, int *len, MPI_Datatype *type) {
	int size;
	MPI_Type_size(*type, &size);
	CHECK(size == sizeof(long));
	for (int i = 0; i < *len; i++)
		((long *)inout)[i] ^= ((long *)in)[i];
}

static void collectives(struct thread *t) {
	long mine[4] = {t->rank + 1, t->rounds, 3, 4}, all[4], expected = 0;
	MPI_Op op;
	MPI_Datatype type;
	MPI_Request request;
	int *places = calloc((size_t)t->size, sizeof *places), *ones = malloc((size_t)t->size * sizeof *ones), got[64];
	MPI_Datatype *types = malloc((size_t)t->size * sizeof(MPI_Datatype));
	MPI_Op_create(xor_all, 1, &op);
	MPI_Type_contiguous(1, MPI_LONG, &type);
	MPI_Type_commit(&type);
	MPI_Allreduce(mine, all, 4, type, op, t->comm);
	for (int i = 1; i <= t->size; i++)
		expected ^= i;
	CHECK(all[0] == expected);
	MPI_Iallreduce(mine, all, 4, MPI_LONG, MPI_SUM, t->comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(all[2] == 3 * t->size);
	MPI_Type_free(&type);
	MPI_Op_free(&op);
	for (int i = 0; i < t->size; i++) {
		ones[i] = 1;
		places[i] = i * (int)sizeof(int);
		types[i] = MPI_INT;
	}
	int out[64];
	for (int i = 0; i < t->size; i++)
		out[i] = t->rank * 100 + i;
	MPI_Ialltoallw(out, ones, places, types, got, ones, places, types, t->comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int i = 0; i < t->size; i++)
		CHECK(got[i] == i * 100 + t->rank);
	free(places);
	free(ones);
	free(types);
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
	(void)comm, (void)keyval, (void)extra;
	*(void **)out = (char *)in + 1;
	*flag = 1;
	return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void *attribute, void *extra) {
	(void)comm, (void)keyval, (void)attribute;
	__atomic_fetch_add((int *)extra, 1, __ATOMIC_RELAXED);
	return MPI_SUCCESS;
}

static void handled(MPI_Comm *comm, int *code, ...) { (void)comm, *code = MPI_SUCCESS; }

static void communicators(struct thread *t) {
	MPI_Comm dup, half;
	MPI_Group group, some;
	MPI_Info info;
	MPI_Errhandler handler;
	int keyval, flag, dropped = 0, zero = 0, size;
	char *value, text[32];
	MPI_Comm_create_keyval(copy, drop, &keyval, &dropped);
	MPI_Comm_set_attr(t->comm, keyval, text);
	MPI_Comm_dup(t->comm, &dup);
	MPI_Comm_get_attr(dup, keyval, &value, &flag);
	CHECK(flag && value == text + 1);
	MPI_Comm_split(dup, t->rank % 2, 0, &half);
	MPI_Comm_group(half, &group);
	MPI_Group_incl(group, 1, &zero, &some);
	MPI_Group_size(some, &size);
	CHECK(size == 1);
	MPI_Group_free(&some);
	MPI_Group_free(&group);
	MPI_Comm_create_errhandler(handled, &handler);
	MPI_Comm_set_errhandler(half, handler);
	MPI_Errhandler_free(&handler);
	MPI_Comm_call_errhandler(half, MPI_ERR_OTHER);
	MPI_Comm_free(&half);
	MPI_Comm_free(&dup);
	MPI_Comm_delete_attr(t->comm, keyval);
	CHECK(dropped == 2);
	MPI_Comm_free_keyval(&keyval);
	MPI_Info_create(&info);
	MPI_Info_set(info, "key", "value");
	MPI_Info_get(info, "key", 31, text, &flag);
	CHECK(flag && !strcmp(text, "value"));
	MPI_Info_free(&info);
}

static int query(void *extra, MPI_Status *status) {
	(void)extra;
	MPI_Status_set_elements(status, MPI_INT, 3);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
	return MPI_SUCCESS;
}
static int released(void *extra) { return ++*(int *)extra, MPI_SUCCESS; }
static int cancelled(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

static void generalized(void) {
	MPI_Request request;
	MPI_Status status;
	int count = 0, frees = 0;
	MPI_Grequest_start(query, released, cancelled, &frees, &request);
	MPI_Grequest_complete(request);
	MPI_Wait(&request, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	CHECK(count == 3 && frees == 1);
}

static void windows_and_files(struct thread *t, const char *path) {
	MPI_Win win;
	MPI_File file;
	MPI_Request request;
	MPI_Status status;
	int memory = -1, value = t->rank + 7, back = -1;
	/* No data: MPICH 4.0.2 itself leaks some memory of it in such traffic. */
	MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, t->comm, &win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	CHECK(win == MPI_WIN_NULL);
	if (!path) /* Open MPI 4.1 itself crashes if several threads do this */
		return;
	CHECK(MPI_File_open(t->comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS);
	MPI_File_write_at_all(file, t->rank * (MPI_Offset)sizeof value, &value, 1, MPI_INT, &status);
	MPI_File_iread_at(file, t->rank * (MPI_Offset)sizeof value, &back, 1, MPI_INT, &request);
	MPI_Wait(&request, &status);
	CHECK(back == value);
	MPI_File_close(&file);
}

static void *traffic(void *argument) {
	struct thread *t = argument;
	char path[4096];
	const char *dir = getenv("TMPDIR");
	snprintf(path, sizeof path, "%s/mixed", dir ? dir : ".");
	for (int more = 1; more; t->rounds++) {
		messages(t);
		if (random_below(t, 4) == 0)
			probed(t);
		if (random_below(t, 4) == 0)
			collectives(t);
		if (random_below(t, 16) == 0)
			communicators(t);
		if (random_below(t, 200) == 0) {
			generalized();
			if (!plain)
				windows_and_files(t, alone ? path : NULL);
		}
		if (t->rounds % 16 == 0) {
			more = MPI_Wtime() - began < seconds;
			MPI_Bcast(&more, 1, MPI_INT, 0, t->comm);
		}
	}
	return NULL;
}

static long run(struct thread *threads, int n, double time) {
	pthread_t others[64];
	long rounds = 0;
	began = MPI_Wtime();
	seconds = time;
	for (int i = 1; i < n; i++)
		CHECK(!pthread_create(&others[i], NULL, traffic, &threads[i]));
	traffic(&threads[0]);
	for (int i = 1; i < n; i++)
		pthread_join(others[i], NULL);
	for (int i = 0; i < n; i++)
		rounds += threads[i].rounds;
	return rounds;
}

int main(int argc, char **argv) {
	if (argc < 3 || atoi(argv[2]) < 1 || atoi(argv[2]) > 64) {
		fprintf(stderr, "usage: mixed SECONDS THREADS [plain]\n");
		return 2;
	}
	int n = atoi(argv[2]), provided, rank, size;
	alone = n == 1;
	plain = argc > 3;
	double all = atof(argv[1]);
	MPI_Init_thread(&argc, &argv, n > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
	CHECK(n == 1 || provided == MPI_THREAD_MULTIPLE);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	struct thread *threads = calloc((size_t)n, sizeof *threads);
	CHECK(threads);
	for (int i = 0; i < n; i++) {
		threads[i].state = random_state((uint64_t)(i + 1));
		MPI_Comm_dup(MPI_COMM_WORLD, &threads[i].comm);
		MPI_Comm_rank(threads[i].comm, &threads[i].rank);
		MPI_Comm_size(threads[i].comm, &threads[i].size);
		CHECK(threads[i].size <= 64);
	}
	run(threads, n, all / 3);
	MPI_Barrier(MPI_COMM_WORLD);
	long before = resident_kb(), rounds = run(threads, n, all * 2 / 3), grown = resident_kb() - before, most;
	for (int i = 0; i < n; i++)
		MPI_Comm_free(&threads[i].comm);
	MPI_Reduce(&grown, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	if (rank == 0)
		printf("mixed %ld %ld\n", rounds * PAIRS * size, most);
	return 0;
}
