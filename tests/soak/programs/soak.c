/*
 * soak.c: creates and frees one class of handles, or starts requests, many times.
 *
 *   soak list           the classes: name, operations of the whole test
 *   soak CLASS COUNT    COUNT operations after a warm-up of a tenth of them
 *
 * Prints "CLASS COUNT KB": the growth of resident memory after the warm-up. A
 * wrong result (a handle that a call has changed and must not, a message that did
 * not arrive) is reported on stderr and ends the program with status 1. Runs on
 * one rank.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                          \
	do {                                                                                          \
		if (!(condition)) {                                                                       \
			fprintf(stderr, "soak: %s:%d: not true: %s\n", __func__, __LINE__, #condition);       \
			MPI_Abort(MPI_COMM_WORLD, 1);                                                         \
		}                                                                                         \
	} while (0)

/* Life cycles: the object is created, used if that is cheap, and freed. The handle must then be the null handle. */

static void comm(long n) {
	while (n--) {
		MPI_Comm c;
		int result;
		MPI_Comm_dup(MPI_COMM_SELF, &c);
		MPI_Comm_compare(c, MPI_COMM_SELF, &result);
		CHECK(result == MPI_CONGRUENT);
		MPI_Comm_free(&c);
		CHECK(c == MPI_COMM_NULL);
	}
}

static void group(long n) {
	int zero = 0, size;
	while (n--) {
		MPI_Group all, one;
		MPI_Comm_group(MPI_COMM_WORLD, &all);
		MPI_Group_incl(all, 1, &zero, &one);
		MPI_Group_size(one, &size);
		CHECK(size == 1);
		MPI_Group_free(&one);
		MPI_Group_free(&all);
		CHECK(one == MPI_GROUP_NULL && all == MPI_GROUP_NULL);
	}
}

/* Not MPI_Type_vector: MPICH 4.0.2 itself leaks 64 bytes of each. */
static void type(long n) {
	int size;
	while (n--) {
		MPI_Datatype t;
		MPI_Type_contiguous(2, MPI_INT, &t);
		MPI_Type_commit(&t);
		MPI_Type_size(t, &size);
		CHECK(size == 2 * (int)sizeof(int));
		MPI_Type_free(&t);
		CHECK(t == MPI_DATATYPE_NULL);
	}
}

/* The handles from MPI_Type_get_contents are new ones, which must be freed. */
static void type_contents(long n) {
	MPI_Datatype inner, outer;
	MPI_Type_contiguous(2, MPI_INT, &inner);
	MPI_Type_contiguous(3, inner, &outer);
	while (n--) {
		int count;
		MPI_Aint unused;
		MPI_Datatype t;
		MPI_Type_get_contents(outer, 1, 0, 1, &count, &unused, &t);
		CHECK(count == 3);
		MPI_Type_free(&t);
	}
	MPI_Type_free(&outer);
	MPI_Type_free(&inner);
}

static void add(void *a, void *b, int *n, MPI_Datatype *t) {
	CHECK(*t == MPI_INT);
	for (int i = 0; i < *n; i++)
		((int *)b)[i] += ((int *)a)[i];
}

static void op(long n) {
	while (n--) {
		MPI_Op o;
		int two = 2, sum = 1;
		MPI_Op_create(add, 1, &o);
		MPI_Reduce_local(&two, &sum, 1, MPI_INT, o);
		CHECK(sum == 3);
		MPI_Op_free(&o);
		CHECK(o == MPI_OP_NULL);
	}
}

static void on_error(MPI_Comm *c, int *code, ...) {
	(void)c;
	(void)code;
}

static void errhandler(long n) {
	while (n--) {
		MPI_Errhandler e;
		MPI_Comm_create_errhandler(on_error, &e);
		MPI_Errhandler_free(&e);
		CHECK(e == MPI_ERRHANDLER_NULL);
	}
}

/* Each query returns a new reference. */
static void errhandler_get(long n) {
	MPI_Errhandler mine, e;
	MPI_Comm c;
	MPI_Comm_dup(MPI_COMM_SELF, &c);
	MPI_Comm_create_errhandler(on_error, &mine);
	MPI_Comm_set_errhandler(c, mine);
	while (n--) {
		MPI_Comm_get_errhandler(c, &e);
		MPI_Errhandler_free(&e);
	}
	MPI_Errhandler_free(&mine);
	MPI_Comm_free(&c);
}

static void info(long n) {
	while (n--) {
		MPI_Info i;
		int keys;
		MPI_Info_create(&i);
		MPI_Info_set(i, "key", "value");
		MPI_Info_get_nkeys(i, &keys);
		CHECK(keys == 1);
		MPI_Info_free(&i);
		CHECK(i == MPI_INFO_NULL);
	}
}

static int deleted;

static int copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag) {
	(void)c, (void)key, (void)extra;
	*(void **)out = in;
	*flag = 1;
	return MPI_SUCCESS;
}

static int drop(MPI_Comm c, int key, void *value, void *extra) {
	(void)c, (void)key, (void)value, (void)extra;
	deleted++;
	return MPI_SUCCESS;
}

static void keyval(long n) {
	while (n--) {
		int key, before = deleted, found;
		void *value;
		MPI_Comm_create_keyval(copy, drop, &key, NULL);
		MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
		MPI_Comm_get_attr(MPI_COMM_SELF, key, &value, &found);
		CHECK(found && value == &key);
		MPI_Comm_delete_attr(MPI_COMM_SELF, key);
		CHECK(deleted == before + 1);
		MPI_Comm_free_keyval(&key);
		CHECK(key == MPI_KEYVAL_INVALID);
	}
}

static void type_keyval(long n) {
	while (n--) {
		int key;
		MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
		MPI_Type_free_keyval(&key);
		CHECK(key == MPI_KEYVAL_INVALID);
	}
}

static void win(long n) {
	static int base[4];
	while (n--) {
		MPI_Win w;
		MPI_Win_create(base, sizeof base, sizeof base[0], MPI_INFO_NULL, MPI_COMM_SELF, &w);
		MPI_Win_free(&w);
		CHECK(w == MPI_WIN_NULL);
	}
}

static void file(long n) {
	const char *name = "soak.data";
	int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
	while (n--) {
		MPI_File f;
		CHECK(MPI_File_open(MPI_COMM_SELF, name, mode, MPI_INFO_NULL, &f) == MPI_SUCCESS);
		MPI_File_close(&f);
		CHECK(f == MPI_FILE_NULL);
	}
	MPI_File_delete(name, MPI_INFO_NULL);
}

/* Requests. */

static void request(long n) {
	int in = -1;
	for (int i = 0; i < n; i++) {
		MPI_Request r[2];
		MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[0]);
		MPI_Isend(&i, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[1]);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		CHECK(in == i && r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
	}
}

/* Freed while active. */
static void request_free(long n) {
	int in = -1;
	for (int i = 0; i < n; i++) {
		MPI_Request r;
		MPI_Isend(&i, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r);
		MPI_Request_free(&r);
		CHECK(r == MPI_REQUEST_NULL);
		MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
		CHECK(in == i);
	}
}

/* Cancelled before a message matches it. */
static void request_cancel(long n) {
	int in, cancelled;
	while (n--) {
		MPI_Request r;
		MPI_Status s;
		MPI_Irecv(&in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &r);
		MPI_Request before = r;
		MPI_Cancel(&r);
		CHECK(r == before);
		MPI_Wait(&r, &s);
		MPI_Test_cancelled(&s, &cancelled);
		CHECK(cancelled);
	}
}

static void persistent(long n) {
	int in;
	while (n--) {
		MPI_Request r;
		MPI_Recv_init(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r);
		MPI_Request_free(&r);
		CHECK(r == MPI_REQUEST_NULL);
	}
}

static int greq_query(void *extra, MPI_Status *s) {
	(void)extra;
	MPI_Status_set_elements(s, MPI_INT, 0);
	MPI_Status_set_cancelled(s, 0);
	s->MPI_SOURCE = MPI_ANY_SOURCE;
	s->MPI_TAG = MPI_ANY_TAG;
	return MPI_SUCCESS;
}

static int greq_free(void *extra) {
	++*(long *)extra;
	return MPI_SUCCESS;
}

static int greq_cancel(void *extra, int complete) {
	(void)extra, (void)complete;
	return MPI_SUCCESS;
}

static void generalized(long n) {
	long freed = 0;
	for (long i = 1; i <= n; i++) {
		MPI_Request r;
		MPI_Grequest_start(greq_query, greq_free, greq_cancel, &freed, &r);
		MPI_Grequest_complete(r);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		CHECK(r == MPI_REQUEST_NULL && freed == i);
	}
}

static void message(long n) {
	int in = -1;
	for (int i = 0; i < n; i++) {
		MPI_Request r;
		MPI_Message m;
		MPI_Isend(&i, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r);
		MPI_Mprobe(0, 1, MPI_COMM_SELF, &m, MPI_STATUS_IGNORE);
		MPI_Mrecv(&in, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		CHECK(in == i && m == MPI_MESSAGE_NULL);
	}
}

/* A persistent request keeps its handle from creation to free, through every start and completion. An operation is one
 * start. */
static void start(long n) {
	int in = -1, out;
	MPI_Request r[2], made[2];
	MPI_Recv_init(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[0]);
	MPI_Send_init(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[1]);
	memcpy(made, r, sizeof made);
	for (long i = 0; i < n / 2; i++) {
		out = (int)i;
		if (i % 2) {
			MPI_Startall(2, r);
		} else {
			MPI_Start(&r[0]);
			MPI_Start(&r[1]);
		}
		CHECK(r[0] == made[0] && r[1] == made[1]);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		CHECK(in == out && r[0] == made[0] && r[1] == made[1]);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
	CHECK(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
}

/* All n requests exist at once: receives before their messages, then sends before their receives. */
static void outstanding(long n) {
	/* Kept for the second run, so that malloc's return of memory to the system is not measured. */
	static MPI_Request *r;
	static int *in, *out;
	if (!r) {
		r = malloc(n * sizeof *r);
		in = malloc(n * sizeof *in);
		out = malloc(n * sizeof *out);
	}
	CHECK(r && in && out);
	for (int i = 0; i < n; i++) {
		in[i] = -1;
		out[i] = i;
		MPI_Irecv(&in[i], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[i]);
		CHECK(r[i] != MPI_REQUEST_NULL && (i == 0 || r[i] != r[i - 1]));
	}
	for (int i = 0; i < n; i++)
		MPI_Send(&out[i], 1, MPI_INT, 0, 1, MPI_COMM_SELF);
	MPI_Waitall((int)n, r, MPI_STATUSES_IGNORE);
	for (int i = 0; i < n; i++)
		CHECK(in[i] == i && r[i] == MPI_REQUEST_NULL);

	for (int i = 0; i < n; i++) {
		in[i] = -1;
		MPI_Isend(&out[i], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[i]);
		CHECK(r[i] != MPI_REQUEST_NULL);
	}
	for (int i = 0; i < n; i++)
		MPI_Recv(&in[i], 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	MPI_Waitall((int)n, r, MPI_STATUSES_IGNORE);
	for (int i = 0; i < n; i++)
		CHECK(in[i] == i && r[i] == MPI_REQUEST_NULL);
}

static const struct class {
	const char *name;
	void (*run)(long n);
	long whole; /* operations of the whole test */
	int again;  /* the warm-up is as large, because all operations exist at once */
} classes[] = {
	{"comm", comm, 100000, 0},
	{"group", group, 10000000, 0},
	{"type", type, 10000000, 0},
	{"type_contents", type_contents, 10000000, 0},
	{"op", op, 10000000, 0},
	{"errhandler", errhandler, 10000000, 0},
	{"errhandler_get", errhandler_get, 10000000, 0},
	{"info", info, 10000000, 0},
	{"keyval", keyval, 10000000, 0},
	{"type_keyval", type_keyval, 10000000, 0},
	{"win", win, 100000, 0},
	{"file", file, 100000, 0},
	{"request", request, 10000000, 0},
	{"request_free", request_free, 10000000, 0},
	{"request_cancel", request_cancel, 10000000, 0},
	{"persistent", persistent, 10000000, 0},
	{"generalized", generalized, 10000000, 0},
	{"message", message, 10000000, 0},
	{"start", start, 10000000, 0},
	{"outstanding", outstanding, 1000000, 1},
};
enum { nclasses = sizeof classes / sizeof classes[0] };

static long resident_kb(void) {
	char line[256];
	long kb = -1;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "VmRSS: %ld", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

int main(int argc, char **argv) {
	if (argc == 2 && strcmp(argv[1], "list") == 0) {
		for (int i = 0; i < nclasses; i++)
			printf("%s %ld\n", classes[i].name, classes[i].whole);
		return 0;
	}
	const struct class *c = NULL;
	for (int i = 0; argc == 3 && i < nclasses; i++)
		if (strcmp(argv[1], classes[i].name) == 0)
			c = &classes[i];
	long n = c ? atol(argv[2]) : 0;
	if (n < 1) {
		fprintf(stderr, "usage: soak list | soak CLASS COUNT\n");
		return 2;
	}
	MPI_Init(&argc, &argv);
	c->run(c->again ? n : n / 10 + 1);
	long before = resident_kb();
	c->run(n);
	printf("%s %ld %ld\n", c->name, n, resident_kb() - before);
	MPI_Finalize();
	return 0;
}
