/*
 * every_objects.h: the objects, buffers and partners that the rows of every.c use.
 */
/* ---- failures ---- */

static jmp_buf abandoned; /* the place where a row that fails continues */
static char reason[512];

/* Leaves the current row. */
static void leave_row(const char *what, const char *why) {
	snprintf(reason, sizeof reason, "%s%s", what, why);
	longjmp(abandoned, 1);
}

/* Leaves the row if a call that prepares it, or the measured call, fails. */
static void must_succeed(int code, const char *call) {
	if (code != MPI_SUCCESS) {
		char text[256];
		snprintf(text, sizeof text, " returns %d", code);
		leave_row(call, text);
	}
}
#define MUST(call) must_succeed((call), #call)

/* Returns the address of a function that some libraries lack, or leaves the row. The front precedes the library. */
static void *find(const char *name) {
	void *found = dlsym(RTLD_DEFAULT, name);
	if (!found)
		leave_row(name, " is absent");
	return found;
}
#define CALL(function, ...) must_succeed(((__typeof__(&function))find(#function))(__VA_ARGS__), #function)

/* ---- buffers and objects that last as long as the program ---- */

static MPI_Comm twin;       /* a duplicate of MPI_COMM_WORLD */
static MPI_Comm alone;      /* a duplicate of MPI_COMM_SELF */
static MPI_Datatype pair;   /* a derived datatype: two ints */
static MPI_Datatype record; /* a struct of an int and a pair */
static MPI_Group members;   /* the group of twin */
static MPI_Info hints;      /* with one key */
static MPI_Errhandler handler;
static MPI_Status received[2]; /* statuses of a pair of messages */
static MPI_Fint fortran_status[64];
static MPI_F08_status f08;
static int comm_key, type_key, win_key, user_class, user_code;
static int me, peer;   /* this rank, and the other one, or this one again if it is the only one */
static long long in[512], out[512], exposed[512], sink; /* buffers, and the memory of windows */
static char attached[1 << 16], more_attached[1 << 16];

static int succeed(void) { return MPI_SUCCESS; }
static void add_nothing(void *a, void *b, int *n, MPI_Datatype *type) { (void)a, (void)b, (void)n, (void)type; }
static void add_many(void *a, void *b, MPI_Count *n, MPI_Datatype *type) { (void)a, (void)b, (void)n, (void)type; }
static void on_error(void *object, int *code, ...) { (void)object, (void)code; }

static void create_lasting_objects(void) {
	int size;
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	peer = size > 1 ? 1 - me : 0;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	MPI_Comm_dup(MPI_COMM_SELF, &alone);
	MPI_Comm_group(twin, &members);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, pair}, &record);
	MPI_Type_commit(&record);
	MPI_Info_create(&hints);
	MPI_Info_set(hints, "key", "value");
	MPI_Comm_create_errhandler((void *)on_error, &handler);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);
	MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
	MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_key, NULL);
	MPI_Comm_set_attr(twin, comm_key, &sink);
	MPI_Type_set_attr(pair, type_key, &sink);
	MPI_Add_error_class(&user_class);
	MPI_Add_error_code(user_class, &user_code);
	MPI_Sendrecv(out, 1, pair, 0, 1, in, 1, pair, 0, 1, alone, &received[0]);
	received[1] = received[0];
	MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
}

/* ---- objects that the first row which needs them creates ---- */

/* Defines a function that returns an object, which the statement creates in `made` when it is called first. */
#define LASTING(type, function, ...) \
	static type function(void) { \
		static type made; \
		static int exists; \
		if (!exists) { \
			__VA_ARGS__; \
		} \
		exists = 1; \
		return made; \
	}

static int ranks(void) {
	int n;
	MPI_Comm_size(twin, &n);
	return n;
}

/* Communicators with a topology: a ring of all ranks, and graphs of one rank. */
LASTING(MPI_Comm, ring, MUST(MPI_Cart_create(twin, 1, (int[]){ranks()}, (int[]){1}, 0, &made)))
LASTING(MPI_Comm, graph, MUST(MPI_Graph_create(alone, 1, (int[]){1}, (int[]){0}, 0, &made)))
LASTING(MPI_Comm, distributed_graph,
        MUST(MPI_Dist_graph_create_adjacent(alone, 1, (int[]){0}, (int[]){1}, 1, (int[]){0}, (int[]){1}, MPI_INFO_NULL, 0, &made)))

/* An intercommunicator between two ranks, and the groups of this one and of the other one. */
LASTING(MPI_Comm, bridge, MUST(MPI_Intercomm_create(alone, 0, twin, peer, 9, &made)))
LASTING(MPI_Group, my_group, MUST(MPI_Comm_group(alone, &made)))
LASTING(MPI_Group, others, MUST(MPI_Group_incl(members, 1, &peer, &made)))

static MPI_Win create_window(void) {
	MPI_Win made;
	MUST(MPI_Win_create(exposed, sizeof exposed, 1, MPI_INFO_NULL, twin, &made));
	MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
	return made;
}

/* Windows: with an attribute, locked for all ranks, of shared memory, and without memory. */
LASTING(MPI_Win, window, made = create_window(); MPI_Win_set_attr(made, win_key, &sink))
LASTING(MPI_Win, locked_window, made = create_window(); MUST(MPI_Win_lock_all(0, made)))
LASTING(MPI_Win, shared_window, void *base; MUST(MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, twin, &base, &made)))
LASTING(MPI_Win, dynamic_window, MUST(MPI_Win_create_dynamic(MPI_INFO_NULL, twin, &made)))

/* Returns the path of a file of this job. */
static const char *path_of(const char *name) {
	static char path[512];
	const char *directory = getenv("EVERY_FILES");
	snprintf(path, sizeof path, "%s/%s", directory ? directory : ".", name);
	return path;
}

static MPI_File open_file(const char *name) {
	MPI_File made;
	MUST(MPI_File_open(twin, path_of(name), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &made));
	MPI_File_set_errhandler(made, MPI_ERRORS_RETURN);
	return made;
}
LASTING(MPI_File, a_file, made = open_file("file"); MUST(MPI_File_set_size(made, 4096)))

static MPI_Session create_session(void) {
	MPI_Session made;
	CALL(MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
	CALL(MPI_Session_set_errhandler, made, MPI_ERRORS_RETURN);
	return made;
}
LASTING(MPI_Session, a_session, made = create_session())

LASTING(MPI_Errhandler, window_handler, MUST(MPI_Win_create_errhandler((void *)on_error, &made)))
LASTING(MPI_Errhandler, file_handler, MUST(MPI_File_create_errhandler((void *)on_error, &made)))
LASTING(MPI_Errhandler, session_handler, CALL(MPI_Session_create_errhandler, (void *)on_error, &made))

/* ---- handles as Fortran's integers ---- */

/* Returns the integer of a handle. Libraries of the standard ABI may only have the newer name. */
#define INTEGER(Kind, type, handle) \
	({ \
		MPI_Fint (*convert)(type) = dlsym(RTLD_DEFAULT, "MPI_" #Kind "_c2f"); \
		if (!convert) \
			convert = find("MPI_" #Kind "_toint"); \
		convert(handle); \
	})

/* ---- the other side of a message from a rank to itself ---- */

static MPI_Request partner;
static void partner_sends(void) { MUST(MPI_Isend(out, 2, MPI_INT, 0, 3, twin, &partner)); }
static void partner_receives(void) { MUST(MPI_Irecv(in, 2, MPI_INT, 0, 3, twin, &partner)); }
static void partner_ends(void) { MUST(MPI_Wait(&partner, MPI_STATUS_IGNORE)); }

/* Receives the message of partner_sends. */
static void take_function(void) {
	MUST(MPI_Recv(in, 2, MPI_INT, 0, 3, twin, MPI_STATUS_IGNORE));
	partner_ends();
}

static MPI_Request two[2]; /* for functions that do not change requests */

/* Starts a receive and a send. */
static void begin_exchange(MPI_Request *r) {
	MUST(MPI_Irecv(in, 2, MPI_INT, 0, 3, twin, &r[0]));
	MUST(MPI_Isend(out, 2, MPI_INT, 0, 3, twin, &r[1]));
}
static void end_exchange(MPI_Request *r) { MUST(MPI_Waitall(2, r, MPI_STATUSES_IGNORE)); }

/* Creates persistent requests for the same messages. */
static void create_exchange(MPI_Request *r) {
	MUST(MPI_Recv_init(in, 2, MPI_INT, 0, 3, twin, &r[0]));
	MUST(MPI_Send_init(out, 2, MPI_INT, 0, 3, twin, &r[1]));
}
static void free_requests(MPI_Request *r) {
	MUST(MPI_Request_free(&r[0]));
	MUST(MPI_Request_free(&r[1]));
}

/* Creates a partitioned receive and send of two partitions. */
static void create_partitions(MPI_Request *r) {
	CALL(MPI_Precv_init, in, 2, 1, MPI_INT, 0, 3, twin, MPI_INFO_NULL, &r[0]);
	CALL(MPI_Psend_init, out, 2, 1, MPI_INT, 0, 3, twin, MPI_INFO_NULL, &r[1]);
}
static void start_partitions(MPI_Request *r) { MUST(MPI_Startall(2, r)); }

/* Marks partitions from `first` on as ready, and completes both requests. */
static void end_partitions(MPI_Request *r, int first) {
	for (int i = first; i < 2; i++)
		CALL(MPI_Pready, i, r[1]);
	end_exchange(r);
}

static MPI_Request begin_general(void) {
	MPI_Request made;
	MUST(MPI_Grequest_start((void *)succeed, (void *)succeed, (void *)succeed, NULL, &made));
	return made;
}

/* ---- the tool interface ---- */

/* A variable of the tool interface, as far as rows need it. */
struct variable {
	char name[256];
	int class, bind, scope, readonly, continuous;
	MPI_Datatype type;
	MPI_T_enum values;
};

/* Reads a control variable. Returns 0 if there is none with this index. */
static int read_cvar(int i, struct variable *v) {
	int length = sizeof v->name, none = 0, verbosity;
	v->values = MPI_T_ENUM_NULL;
	return MPI_T_cvar_get_info(i, v->name, &length, &verbosity, &v->type, &v->values, NULL, &none, &v->bind, &v->scope) == MPI_SUCCESS;
}

/* Reads a performance variable. Returns 0 if there is none with this index. */
static int read_pvar(int i, struct variable *v) {
	int length = sizeof v->name, none = 0, verbosity, atomic;
	return MPI_T_pvar_get_info(i, v->name, &length, &verbosity, &v->class, &v->type, &v->values, NULL, &none, &v->bind, &v->readonly,
	                           &v->continuous, &atomic) == MPI_SUCCESS;
}

/* Returns a handle of an integer that is not bound to an object and can be written, or leaves the row. */
static MPI_T_cvar_handle find_cvar(void) {
	struct variable v;
	MPI_T_cvar_handle made;
	int n, count;
	MUST(MPI_T_cvar_get_num(&n));
	for (int i = 0; i < n; i++)
		if (read_cvar(i, &v) && v.type == MPI_INT && v.bind == MPI_T_BIND_NO_OBJECT && v.scope != MPI_T_SCOPE_CONSTANT &&
		    v.scope != MPI_T_SCOPE_READONLY && MPI_T_cvar_handle_alloc(i, NULL, &made, &count) == MPI_SUCCESS && count == 1 &&
		    MPI_T_cvar_read(made, in) == MPI_SUCCESS && MPI_T_cvar_write(made, in) == MPI_SUCCESS)
			return made;
	leave_row("the library", " has no integer control variable that can be written");
	return made;
}
LASTING(MPI_T_cvar_handle, cvar, made = find_cvar())

/* Returns the enumeration of a control variable, or leaves the row. */
static MPI_T_enum tool_enum(void) {
	struct variable v;
	int n;
	MUST(MPI_T_cvar_get_num(&n));
	for (int i = 0; i < n; i++)
		if (read_cvar(i, &v) && v.values != MPI_T_ENUM_NULL)
			return v.values;
	leave_row("the library", " has no control variable with an enumeration");
	return MPI_T_ENUM_NULL;
}

LASTING(MPI_T_pvar_session, pvar_session, MUST(MPI_T_pvar_session_create(&made)))

/* Kinds of performance variables: any, those that can be started, and those that can be written. */
enum kind { any, changeable, resettable };

/* Returns the index of a performance variable without an object, and its name and class in v, or leaves the row. */
static int find_pvar(enum kind kind, struct variable *v) {
	static const char *const missing[] = {
		" has no performance variable", " has no performance variable that can be started", " has no performance variable that can be written"};
	int n;
	MUST(MPI_T_pvar_get_num(&n));
	for (int i = 0; i < n; i++)
		if (read_pvar(i, v) && v->bind == MPI_T_BIND_NO_OBJECT && (kind != changeable || !v->continuous) && (kind != resettable || !v->readonly))
			return i;
	leave_row("the library", missing[kind]);
	return 0;
}
static struct variable performance; /* the variable of the last call */
static int performance_index(void) { return find_pvar(any, &performance); }

static MPI_T_pvar_handle create_pvar(enum kind kind) {
	struct variable v;
	MPI_T_pvar_handle made;
	int count;
	MUST(MPI_T_pvar_handle_alloc(pvar_session(), find_pvar(kind, &v), NULL, &made, &count));
	return made;
}
LASTING(MPI_T_pvar_handle, pvar, made = create_pvar(any))
LASTING(MPI_T_pvar_handle, changeable_pvar, made = create_pvar(changeable))
LASTING(MPI_T_pvar_handle, resettable_pvar, made = create_pvar(resettable))

/* Returns a registration for the first event, or leaves the row if the library lacks events. */
LASTING(MPI_T_event_registration, registration, CALL(MPI_T_event_handle_alloc, 0, NULL, MPI_INFO_NULL, &made))

static const char *cvar_name(void) {
	static struct variable first;
	read_cvar(0, &first);
	return first.name;
}

static const char *category_name(void) {
	static char name[256];
	int length = sizeof name, none = 0, a, b, c;
	MUST(MPI_T_category_get_info(0, name, &length, NULL, &none, &a, &b, &c));
	return name;
}
