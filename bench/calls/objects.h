/*
 * objects.h: rows of calls.c for functions that take or return arrays of handles or ranks, and for
 * attributes. Each row measures calls whose cost must not depend on a lock or an allocation.
 */

/* ---- attributes ---- */

static int attribute; /* its address is the value of the attributes */

/* Defines the rows of one kind of object: read and set an attribute, and set and delete it. make
   and unmake create and free the object. */
#define ATTRIBUTE_ROWS(KIND, Kind, kind, object, make, unmake) \
	static void kind##_attr_on(long n, int set, int delete) { \
		int keyval, found; \
		void *value; \
		make; \
		MPI_##Kind##_create_keyval(MPI_##KIND##_NULL_COPY_FN, MPI_##KIND##_NULL_DELETE_FN, &keyval, NULL); \
		MPI_##Kind##_set_attr(object, keyval, &attribute); \
		while (n--) \
			if (delete) { \
				MPI_##Kind##_set_attr(object, keyval, &attribute); \
				MPI_##Kind##_delete_attr(object, keyval); \
			} else if (set) { \
				MPI_##Kind##_set_attr(object, keyval, &attribute); \
			} else { \
				MPI_##Kind##_get_attr(object, keyval, &value, &found); \
				sink += found; \
			} \
		MPI_##Kind##_free_keyval(&keyval); \
		unmake; \
	} \
	static void kind##_get_attr(long n) { kind##_attr_on(n, 0, 0); } \
	static void kind##_set_attr(long n) { kind##_attr_on(n, 1, 0); } \
	static void kind##_set_delete_attr(long n) { kind##_attr_on(n, 1, 1); }

ATTRIBUTE_ROWS(COMM, Comm, comm, twin, , )
ATTRIBUTE_ROWS(TYPE, Type, type, pair, , )
ATTRIBUTE_ROWS(WIN, Win, win, window_handle, MPI_Win window_handle; void *memory; \
	MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &window_handle), MPI_Win_free(&window_handle))

static void comm_get_attr_predefined(long n) {
	void *value;
	while (n--)
		MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &sink);
}

/* ---- datatypes ---- */

static void type_get_envelope(long n) {
	int integers, addresses, types;
	while (n--)
		MPI_Type_get_envelope(pair, &integers, &addresses, &types, &sink);
}

/* Reads the contents of a structure of `members` predefined and derived types. */
static void type_get_contents_on(long n, int members) {
	int lengths[64], integers[65];
	MPI_Aint places[64], addresses[64];
	MPI_Datatype types[64], found[64], structure;
	for (int i = 0; i < members; i++) {
		lengths[i] = 1;
		places[i] = 16 * i;
		types[i] = MPI_INT;
	}
	MPI_Type_create_struct(members, lengths, places, types, &structure);
	while (n--)
		MPI_Type_get_contents(structure, members + 1, members, members, integers, addresses, found);
	MPI_Type_free(&structure);
}
static void type_get_contents(long n) {
	int integers[1];
	MPI_Aint addresses[1];
	MPI_Datatype types[1];
	while (n--)
		MPI_Type_get_contents(pair, 1, 0, 1, integers, addresses, types);
}
static void type_get_contents_struct(long n) { type_get_contents_on(n, 8); }

/* ---- groups ---- */

static void group_translate_ranks_on(long n, int many) {
	static int from[64], to[64];
	MPI_Group group;
	MPI_Comm_group(MPI_COMM_WORLD, &group);
	while (n--)
		MPI_Group_translate_ranks(group, many, from, group, to);
	MPI_Group_free(&group);
}
static void group_translate_ranks_1(long n) { group_translate_ranks_on(n, 1); }
static void group_translate_ranks_64(long n) { group_translate_ranks_on(n, 64); }

/* ---- arrays of datatypes ---- */

enum { most_ranks = 8 };
static int w_counts[most_ranks], w_places[most_ranks];
static MPI_Aint w_addresses[most_ranks];
static MPI_Datatype w_types[most_ranks], w_other_types[most_ranks];

/* Fills the arrays with predefined datatypes, or with derived ones. */
static void fill_w(int is_dynamic) {
	for (int i = 0; i < most_ranks; i++) {
		w_counts[i] = is_dynamic ? 1 : 2;
		w_types[i] = w_other_types[i] = is_dynamic ? pair : MPI_INT;
		w_places[i] = 8 * i;
		w_addresses[i] = 8 * i;
	}
}

static void alltoallw_on(long n, MPI_Comm comm, int is_dynamic) {
	fill_w(is_dynamic);
	while (n--)
		MPI_Alltoallw(out, w_counts, w_places, w_types, in, w_counts, w_places, w_other_types, comm);
}
static void alltoallw_static(long n) { alltoallw_on(n, MPI_COMM_WORLD, 0); }
static void alltoallw_dynamic(long n) { alltoallw_on(n, twin, 1); }
static void alltoallw_2(long n) { alltoallw_on(n, MPI_COMM_WORLD, 0); }

static void ialltoallw_on(long n, MPI_Comm comm, int is_dynamic) {
	MPI_Request r;
	fill_w(is_dynamic);
	while (n--) {
		MPI_Ialltoallw(out, w_counts, w_places, w_types, in, w_counts, w_places, w_other_types, comm, &r);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	}
}
static void ialltoallw_wait(long n) { ialltoallw_on(n, MPI_COMM_WORLD, 0); }
static void ialltoallw_wait_dynamic(long n) { ialltoallw_on(n, twin, 1); }
static void ialltoallw_wait_2(long n) { ialltoallw_on(n, MPI_COMM_WORLD, 0); }

/* Exchanges with itself as the neighbor on both sides. */
static void neighbor_alltoallw(long n) {
	const int size = 1, periodic = 1;
	MPI_Comm ring;
	MPI_Cart_create(MPI_COMM_SELF, 1, &size, &periodic, 0, &ring);
	fill_w(0);
	while (n--)
		MPI_Neighbor_alltoallw(out, w_counts, w_addresses, w_types, in, w_counts, w_addresses, w_other_types, ring);
	MPI_Comm_free(&ring);
}
