/* All layouts of all basic types, on one rank: the guarantees of the pools. */
#include "../../conformance/check.h"

#include "dtpools.h"
#include "layouts.h"

static MPI_Datatype types[DTP_NUM_TYPES];

/* Every object of one pool sends to every object of another. */
static void exchange(DTP_t from, DTP_t to, const char *name)
{
    int n = DTP_pool_elements(from);
    char text[512];
    for (int s = 0; s < from->DTP_num_objs; s++) {
        MUST(DTP_obj_create(from, s, 5, 3, n));
        DTP_obj_t *o = &from->DTP_obj_array[s];
        for (int r = 0; r < to->DTP_num_objs; r++) {
            MUST(DTP_obj_create(to, r, 0, 0, 0));
            DTP_obj_t *in = &to->DTP_obj_array[r];
            MUST(MPI_Sendrecv(o->DTP_obj_buf, o->DTP_obj_count, o->DTP_obj_type, 0, 1, in->DTP_obj_buf, in->DTP_obj_count,
                              in->DTP_obj_type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
            if (DTP_obj_buf_check_report(to, r, 5, 3, n, text, sizeof text) != DTP_SUCCESS)
                check_fail(__FILE__, __LINE__, "%s × %d, %d → %d: %s", name, n, s, r, text);
            MUST(DTP_obj_free(to, r));
        }
        MUST(DTP_obj_buf_check(from, s, 5, 3, n));
        MUST(DTP_obj_free(from, s));
    }
}

/* Checks that every wrong byte is found: in the last element, around the data, and between. */
static void harm(DTP_t pool, int has_padding)
{
    int n = DTP_pool_elements(pool), found[DTP_ERR_GUARD + 1] = {0};
    char text[512];
    for (int i = 0; i < pool->DTP_num_objs; i++) {
        MUST(DTP_obj_create(pool, i, -7, 1, n));
        DTP_obj_t *o = &pool->DTP_obj_array[i];
        char *buf = o->DTP_obj_buf;
        for (long at = -16; at < (long)o->DTP_obj_bufsize + 16; at++) {
            buf[at] ^= 1;
            int rc = DTP_obj_buf_check_report(pool, i, -7, 1, n, text, sizeof text);
            CHECK(rc == DTP_ERR_ELEMENT || rc == DTP_ERR_GAP || rc == DTP_ERR_GUARD || (rc == DTP_SUCCESS && has_padding));
            CHECK((rc == DTP_SUCCESS) == (*text == 0));
            CHECK((rc == DTP_ERR_GUARD) == (at < 0 || at >= (long)o->DTP_obj_bufsize));
            found[rc]++;
            buf[at] ^= 1;
        }
        MUST(DTP_obj_buf_check(pool, i, -7, 1, n));
        CHECK_INT(DTP_obj_buf_check(pool, i, -7, 2, n), n > 1 ? DTP_ERR_ELEMENT : DTP_SUCCESS);
        MUST(DTP_obj_free(pool, i));
    }
    CHECK(found[DTP_ERR_ELEMENT] > 0 && found[DTP_ERR_GUARD] > 0);
    CHECK(n == 1 || found[DTP_ERR_GAP] > 0);
}

static void errors(void)
{
    DTP_t pool = NULL;
    MPI_Datatype derived, two[2] = {MPI_INT, MPI_DOUBLE};
    int counts[2] = {1, 0};
    CHECK_INT(DTP_pool_create(MPI_INT, 0, &pool), DTP_ERR_ARG);
    CHECK_INT(DTP_pool_create(MPI_INT, -3, &pool), DTP_ERR_ARG);
    CHECK_INT(DTP_pool_create(MPI_INT, 1, NULL), DTP_ERR_ARG);
    CHECK_INT(DTP_pool_create(MPI_DATATYPE_NULL, 1, &pool), DTP_ERR_TYPE);
    CHECK_INT(DTP_pool_create_struct(2, two, counts, &pool), DTP_ERR_ARG);
    CHECK_INT(DTP_pool_create_struct(0, two, counts, &pool), DTP_ERR_ARG);
    CHECK_INT(DTP_pool_create_struct(1, NULL, counts, &pool), DTP_ERR_ARG);
    MUST(MPI_Type_contiguous(2, MPI_INT, &derived));
    CHECK_INT(DTP_pool_create(derived, 1, &pool), DTP_ERR_TYPE);
    MUST(MPI_Type_free(&derived));
    CHECK(pool == NULL);
    CHECK_INT(DTP_pool_free(NULL), DTP_ERR_ARG);
    CHECK_INT(DTP_obj_create(NULL, 0, 0, 0, 0), DTP_ERR_ARG);

    MUST(DTP_pool_create(MPI_INT, 7, &pool));
    for (int i = -1; i < 2; i++) {
        int index = i < 0 ? -1 : pool->DTP_num_objs + i * 100000;
        CHECK_INT(DTP_obj_create(pool, index, 0, 0, 0), DTP_ERR_INDEX);
        CHECK_INT(DTP_obj_free(pool, index), DTP_ERR_INDEX);
        CHECK_INT(DTP_obj_buf_check(pool, index, 0, 0, 0), DTP_ERR_INDEX);
        CHECK_INT(DTP_obj_describe(pool, index, NULL, 0), DTP_ERR_INDEX);
    }
    CHECK_INT(DTP_obj_free(pool, 0), DTP_ERR_STATE);
    CHECK_INT(DTP_obj_buf_check(pool, 0, 0, 0, 0), DTP_ERR_STATE);
    CHECK_INT(DTP_obj_create(pool, 0, 0, 1, 8), DTP_ERR_ARG);
    CHECK_INT(DTP_obj_create(pool, 0, 0, 1, -1), DTP_ERR_ARG);
    MUST(DTP_obj_create(pool, 0, 0, 1, 7));
    CHECK_INT(DTP_obj_create(pool, 0, 0, 1, 7), DTP_ERR_STATE);
    CHECK_INT(DTP_obj_buf_check(pool, 0, 0, 1, 8), DTP_ERR_ARG);
    MUST(DTP_obj_create(pool, 3, 0, 1, 3)); /* freed with the pool */
    MUST(DTP_pool_free(pool));

    /* More than an int can hold: the layout is refused, not the pool. */
    MUST(DTP_pool_create(MPI_DOUBLE, 2147483647, &pool));
    CHECK_INT(DTP_obj_create(pool, 2, 0, 0, 0), DTP_ERR_SIZE);
    MUST(DTP_pool_free(pool));
    counts[1] = 2147483647;
    CHECK_INT(DTP_pool_create_struct(2, two, counts, &pool), DTP_ERR_SIZE);
    CHECK(strlen(DTP_error_string(DTP_ERR_SIZE)) > 0 && strlen(DTP_error_string(999)) > 0);
}

/* The text of a report. */
static void reports(void)
{
    DTP_t pool;
    MPI_Datatype two[2] = {MPI_INT, MPI_DOUBLE};
    int counts[2] = {4, 6};
    char text[512];
    MUST(DTP_pool_create(MPI_INT, 64, &pool));
    MUST(DTP_obj_create(pool, 8, 10, 1, 64)); /* large block, vector */
    MUST(DTP_obj_describe(pool, 8, text, sizeof text));
    CHECK_STR(text, "large block, vector: count 8, blklen 8, stride 9");
    ((int *)pool->DTP_obj_array[8].DTP_obj_buf)[10] = 99; /* the second element of the second block */
    CHECK_INT(DTP_obj_buf_check_report(pool, 8, 10, 1, 64, text, sizeof text), DTP_ERR_ELEMENT);
    CHECK_STR(text, "element 9 of 64 (MPI_INT, at byte 40) is 99, expected 19");
    MUST(DTP_obj_buf_check(pool, 8, 10, 1, 9));
    MUST(DTP_pool_free(pool));
    MUST(DTP_pool_create_struct(2, two, counts, &pool));
    CHECK_INT(DTP_pool_elements(pool), 10);
    MUST(DTP_obj_create(pool, 0, 1, 1, 10));
    CHECK_INT(DTP_obj_buf_check_report(pool, 0, 1, 2, 10, text, sizeof text), DTP_ERR_ELEMENT);
    CHECK_STR(text, "element 1 of 10 (element 1 of member 0, MPI_INT, at byte 4) is 2, expected 3");
    MUST(DTP_pool_free(pool));
}

/* Sends 64 elements of each layout into each layout of 96, and finds each byte that changes past the message. */
static void shorter(MPI_Datatype type)
{
    DTP_t from, to;
    char text[512];
    MUST(DTP_pool_create(type, 64, &from));
    MUST(DTP_pool_create(type, 96, &to));
    for (int s = 0; s < from->DTP_num_objs; s++)
        for (int r = 0; r < to->DTP_num_objs; r++) {
            MUST(DTP_obj_create(from, s, 1, 1, 64));
            MUST(DTP_obj_create(to, r, 0, 0, 0));
            DTP_obj_t *o = &from->DTP_obj_array[s], *in = &to->DTP_obj_array[r];
            MUST(MPI_Sendrecv(o->DTP_obj_buf, o->DTP_obj_count, o->DTP_obj_type, 0, 1, in->DTP_obj_buf, in->DTP_obj_count,
                              in->DTP_obj_type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
            MUST(DTP_obj_buf_check(to, r, 1, 1, 64));
            MUST(DTP_obj_rest_check_report(to, r, 64, text, sizeof text));
            CHECK_INT(DTP_obj_rest_check_report(to, r, 63, text, sizeof text), DTP_ERR_ELEMENT);
            CHECK(strncmp(text, "element 63 of 96 (", 18) == 0);
            MUST(DTP_obj_free(from, s));
            MUST(DTP_obj_free(to, r));
        }
    CHECK_INT(DTP_obj_rest_check_report(to, 0, 64, text, sizeof text), DTP_ERR_STATE);
    CHECK_INT(DTP_obj_rest_check_report(to, 0, 97, text, sizeof text), DTP_ERR_ARG);
    MUST(DTP_pool_free(from));
    MUST(DTP_pool_free(to));
}

/* ---- added layouts ---- */

/* Places elements from the end of the buffer to its beginning, every other one. */
static int set_backwards(const dtp_layout *layout, int n, dtp_shape *s)
{
    *s = (dtp_shape){.span = 2 * (MPI_Count)n - 1, .count = n, .blklen = 1, .stride = -2};
    return n > 1000 ? DTP_ERR_SIZE : DTP_SUCCESS;
}
static MPI_Count place_backwards(const dtp_shape *s, MPI_Count i) { return s->span - 1 - 2 * i; }
static int make_backwards(const dtp_shape *s, MPI_Datatype basic, size_t size, MPI_Datatype *type, int *count)
{
    int places[1000];
    for (int i = 0; i < s->count; i++)
        places[i] = (int)place_backwards(s, i);
    *count = 1;
    return MPI_Type_create_indexed_block((int)s->count, 1, places, basic, type);
}
/* Two mistakes: every element at one position, and an element past the end. */
static MPI_Count place_together(const dtp_shape *s, MPI_Count i) { return 0; }
static MPI_Count place_outside(const dtp_shape *s, MPI_Count i) { return 2 * i + 1; }

static void added_layouts(void)
{
    static const dtp_layout table[] = {{"mine", "backwards", set_backwards, place_backwards, make_backwards, {0}},
                                       {"mine", "together", set_backwards, place_together, make_backwards, {0}},
                                       {"mine", "outside", set_backwards, place_outside, make_backwards, {0}}};
    static const dtp_layout bad = {"mine", "nothing", set_backwards, NULL, make_backwards, {0}};
    DTP_t from, to;
    char text[512];
    CHECK_INT(DTP_layouts_add(NULL, 1), DTP_ERR_ARG);
    CHECK_INT(DTP_layouts_add(table, 0), DTP_ERR_ARG);
    CHECK_INT(DTP_layouts_add(&bad, 1), DTP_ERR_ARG);
    CHECK_INT(dtp_num_layouts(), DTPI_OBJ_LAYOUTS);
    CHECK_STR(dtp_layout_at(DTPI_OBJ_LAYOUT_SIMPLE__CONTIG)->name, "contiguous");
    CHECK_STR(dtp_layout_at(DTPI_OBJ_LAYOUT_LARGE_BLK__SUBARRAY_F)->name, "subarray Fortran");
    CHECK_STR(dtp_layout_at(DTPI_OBJ_LAYOUT_LARGE_CNT__VECTOR)->group, "large count");
    CHECK_STR(dtp_layout_at(DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__VECTOR)->group, "large block, strided");
    CHECK_STR(dtp_layout_at(DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__SUBARRAY_F)->name, "subarray Fortran");
    CHECK_INT(DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__SUBARRAY_F, 39);
    MUST(DTP_layouts_add(table, 1));
    MUST(DTP_pool_create(MPI_SHORT, 12, &from));
    MUST(DTP_pool_create(MPI_SHORT, 12, &to));
    CHECK_INT(from->DTP_num_objs, 41);
    exchange(from, to, "backwards");
    harm(to, 0);
    MUST(DTP_obj_describe(to, 40, text, sizeof text));
    CHECK_STR(text, "mine, backwards: count 12, blklen 1, stride -2");
    MUST(DTP_pool_free(from));
    MUST(DTP_pool_free(to));
    MUST(DTP_layouts_add(table + 1, 2));
    MUST(DTP_pool_create(MPI_SHORT, 12, &from));
    CHECK_INT(DTP_obj_create(from, 41, 0, 0, 0), DTP_ERR_LAYOUT);
    CHECK_INT(DTP_obj_create(from, 42, 0, 0, 0), DTP_ERR_LAYOUT);
    CHECK_INT(DTP_obj_create(from, 43, 0, 0, 0), DTP_ERR_INDEX);
    MUST(DTP_pool_free(from));
    MUST(DTP_pool_create(MPI_SHORT, 1001, &from));
    CHECK_INT(DTP_obj_create(from, 40, 0, 0, 0), DTP_ERR_SIZE);
    MUST(DTP_pool_free(from));
}

/* ---- signatures ---- */

static void bad_signature(const char *name, const char *says)
{
    DTP_signature_t *s;
    char text[512];
    CHECK_INT(DTP_signature_parse(name, &s, text, sizeof text), DTP_ERR_TYPE);
    CHECK(s == NULL);
    CHECK_STR(text, says);
}

static void signatures(void)
{
    DTP_signature_t *s;
    DTP_t from, to;
    char text[512], many[40 * 12] = "MPI_SHORT";
    MUST(DTP_signature_parse("MPI_INT*3+MPI_DOUBLE+MPI_CHAR*16", &s, text, sizeof text));
    CHECK_INT(s->n, 3);
    CHECK_INT(s->elements, 20);
    CHECK(s->types[1] == MPI_DOUBLE && s->counts[0] == 3 && s->counts[1] == 1 && s->counts[2] == 16);
    MUST(DTP_pool_create_signature(s, 2, &from));
    MUST(DTP_pool_create_signature(s, 2, &to));
    CHECK_INT(DTP_pool_elements(from), 40);
    exchange(from, to, "a struct with counts");
    harm(to, 0);
    MUST(DTP_pool_free(from));
    MUST(DTP_pool_free(to));
    CHECK_INT(DTP_pool_create_signature(s, 0, &to), DTP_ERR_ARG);
    CHECK_INT(DTP_pool_create_signature(s, 2147483647, &to), DTP_ERR_SIZE);
    free(s);
    for (int i = 0; i < 39; i++)
        strcat(many, "+MPI_SHORT");
    MUST(DTP_signature_parse(many, &s, text, sizeof text));
    CHECK_INT(s->n, 40);
    MUST(DTP_pool_create_signature(s, 1, &from));
    CHECK_INT(DTP_pool_elements(from), 40);
    MUST(DTP_obj_create(from, 10, 1, 1, 40));
    MUST(DTP_obj_buf_check(from, 10, 1, 1, 40));
    MUST(DTP_pool_free(from));
    free(s);
    MUST(DTP_signature_parse("MPI_FLOAT", &s, text, sizeof text));
    CHECK_INT(s->n, 1);
    free(s);
    bad_signature("MPI_INT*3+MPI_DOUBEL", "MPI_INT*3+MPI_DOUBEL: MPI_DOUBEL is not a basic type of the pools: did you mean MPI_DOUBLE? use MPI_CHAR, MPI_INT, … (dtpools.h)");
    bad_signature("MPI_INT*0", "MPI_INT*0: \"0\" is not a count: write a number from 1 to 2147483647 after one *");
    bad_signature("MPI_CHAR+MPI_INT*x", "MPI_CHAR+MPI_INT*x: MPI_INT*x: \"x\" is not a count: write a number from 1 to 2147483647 after one *");
    bad_signature("MPI_INT*3*3", "MPI_INT*3*3: \"3*3\" is not a count: write a number from 1 to 2147483647 after one *");
    bad_signature("MPI_INT+", "MPI_INT+: member 2 has no name: write a struct as MPI_INT*3+MPI_DOUBLE");
    bad_signature("", "an empty type: member 1 has no name: write a struct as MPI_INT*3+MPI_DOUBLE");
    bad_signature("MPI_INT*2147483647+MPI_INT", "MPI_INT*2147483647+MPI_INT: all members together have more than 2147483647 elements: reduce the counts");
}

/* Checks the names of DTP_runtime_signatures, joined by blanks. */
static void check_names(const char *expected)
{
    char **names, text[512], joined[2048] = "";
    int n;
    int rc = DTP_runtime_signatures(&n, &names, text, sizeof text);
    if (rc != DTP_SUCCESS) {
        check_fail(__FILE__, __LINE__, "%s", text);
        return;
    }
    for (int i = 0; i < n; i++)
        strcat(strcat(joined, i ? " " : ""), names[i]);
    CHECK_STR(joined, expected);
    DTP_names_free(names);
}

static void lists(void)
{
    char text[512], **names;
    int n;
    CHECK_INT(DTP_num_basic_types, DTP_NUM_TYPES);
    for (int i = 0; i < DTP_num_basic_types; i++)
        CHECK(DTP_type_name(DTP_basic_types[i]) != NULL);
    setenv("DTP_RUNTIME_TYPES", "MPI_INT*3+MPI_DOUBLE,MPI_INT", 1);
    check_names("MPI_INT MPI_INT*3+MPI_DOUBLE");
    FILE *file = fopen("structs.txt", "w");
    fprintf(file, "MPI_INT*3+MPI_DOUBLE+MPI_CHAR*16 # a record\nMPI_FLOAT\nMPI_FLOAT\nMPI_CHAR+MPI_FLOAT\n");
    fclose(file);
    setenv("DTP_DATATYPE_FILE", "structs.txt", 1);
    unsetenv("DTP_RUNTIME_TYPES");
    check_names("MPI_INT*3+MPI_DOUBLE+MPI_CHAR*16 MPI_FLOAT MPI_CHAR+MPI_FLOAT");
    setenv("DTP_RUNTIME_TYPES", "MPI_CHAR,MPI_DOUBLE,MPI_INT,MPI_FLOAT*2+MPI_FLOAT", 1);
    check_names("MPI_INT*3+MPI_DOUBLE+MPI_CHAR*16 MPI_FLOAT*2+MPI_FLOAT");
    MPI_Datatype some[DTP_NUM_TYPES];
    CHECK_INT(DTP_runtime_types(&n, some, text, sizeof text), DTP_ERR_ENV);
    CHECK(strstr(text, "the list has only structs") != NULL);
    file = fopen("structs.txt", "w");
    fprintf(file, "MPI_INT\nMPI_INT*3+MPI_DUOBLE\n");
    fclose(file);
    CHECK_INT(DTP_runtime_signatures(&n, &names, text, sizeof text), DTP_ERR_ENV);
    CHECK(strstr(text, "DTP_DATATYPE_FILE: structs.txt:2: MPI_INT*3+MPI_DUOBLE: MPI_DUOBLE is not a basic type of the pools: did you mean MPI_DOUBLE?") == text);
    unsetenv("DTP_DATATYPE_FILE");
    unsetenv("DTP_RUNTIME_TYPES");
}

static void environment(void)
{
    DTP_t pool;
    MPI_Datatype some[DTP_NUM_TYPES];
    int n;
    char text[512];
    setenv("DTP_NUM_OBJS", "5", 1);
    MUST(DTP_pool_create(MPI_INT, 1, &pool));
    CHECK_INT(pool->DTP_num_objs, 5);
    CHECK_INT(DTP_obj_create(pool, 5, 0, 0, 0), DTP_ERR_INDEX);
    MUST(DTP_pool_free(pool));
    setenv("DTP_NUM_OBJS", "100000", 1);
    MUST(DTP_pool_create(MPI_INT, 1, &pool));
    CHECK_INT(pool->DTP_num_objs, 40);
    MUST(DTP_pool_free(pool));
    setenv("DTP_NUM_OBJS", "-1", 1);
    MUST(DTP_pool_create(MPI_INT, 1, &pool));
    CHECK_INT(pool->DTP_num_objs, 40);
    MUST(DTP_pool_free(pool));
    const char *bad[] = {"0", "-2", "five", "", "3x", "99999999999999999999"};
    for (int i = 0; i < 6; i++) {
        setenv("DTP_NUM_OBJS", bad[i], 1);
        CHECK_INT(DTP_pool_create(MPI_INT, 1, &pool), DTP_ERR_ENV);
    }
    unsetenv("DTP_NUM_OBJS");

    setenv("DTP_RUNTIME_TYPES", "MPI_INT  MPI_DOUBLE", 1);
    MUST(DTP_runtime_types(&n, some, text, sizeof text));
    CHECK_INT(n, 2);
    CHECK(some[0] == MPI_INT && some[1] == MPI_DOUBLE);
    FILE *file = fopen("types.txt", "w");
    fprintf(file, "# types\nMPI_FLOAT\n  MPI_DOUBLE # and a comment\n\nMPI_2INT\n");
    fclose(file);
    setenv("DTP_DATATYPE_FILE", "types.txt", 1);
    MUST(DTP_runtime_types(&n, some, text, sizeof text));
    CHECK_INT(n, 1);
    CHECK(some[0] == MPI_DOUBLE);
    setenv("DTP_RUNTIME_TYPES", "MPI_INT", 1);
    CHECK_INT(DTP_runtime_types(&n, some, text, sizeof text), DTP_ERR_ENV);
    CHECK_STR(text, "DTP_RUNTIME_TYPES: the list has no types: name one that DTP_DATATYPE_FILE has");
    unsetenv("DTP_RUNTIME_TYPES");
    MUST(DTP_runtime_types(&n, some, text, sizeof text));
    CHECK_INT(n, 3);
    const char *similar[][2] = {{"MPI_INTT", "MPI_INT"}, {"MPI_IT", "MPI_INT"}, {"mpi_int", "MPI_INT"}, {"INT", "MPI_INT"},
                                {"MPI_Duoble", "MPI_DOUBLE"}, {"MPI_DOUBEL", "MPI_DOUBLE"}, {"MPI_UINT16_X", "MPI_UINT16_T"},
                                {"xMPI_BYTE", "MPI_BYTE"}};
    for (size_t i = 0; i < sizeof similar / sizeof *similar; i++)
        CHECK_STR(DTP_type_like(similar[i][0]), similar[i][1]);
    CHECK(DTP_type_like("MPI_INTEGER") == NULL && DTP_type_like("") == NULL && DTP_type_like(NULL) == NULL);
    setenv("DTP_RUNTIME_TYPES", "MPI_INT MPI_INTEGER", 1);
    CHECK_INT(DTP_runtime_types(&n, some, text, sizeof text), DTP_ERR_ENV);
    CHECK(strstr(text, "MPI_INTEGER is not a basic type of the pools: use MPI_CHAR") != NULL);
    unsetenv("DTP_RUNTIME_TYPES");
    file = fopen("types.txt", "a");
    fprintf(file, "MPI_FLOTA\n");
    fclose(file);
    CHECK_INT(DTP_runtime_types(&n, some, text, sizeof text), DTP_ERR_ENV);
    CHECK(strstr(text, "types.txt:6: MPI_FLOTA is not a basic type of the pools: did you mean MPI_FLOAT? use MPI_CHAR") != NULL);
    setenv("DTP_DATATYPE_FILE", "nowhere.txt", 1);
    CHECK_INT(DTP_runtime_types(&n, some, text, sizeof text), DTP_ERR_ENV);
    CHECK(strstr(text, "cannot read nowhere.txt") != NULL);
    setenv("DTP_DATATYPE_FILE", ".", 1);
    CHECK_INT(DTP_runtime_types(&n, some, text, sizeof text), DTP_ERR_ENV);
    unsetenv("DTP_DATATYPE_FILE");
}

int main(int argc, char **argv)
{
    int n;
    char text[64];
    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MUST(DTP_runtime_types(&n, types, text, sizeof text));
    CHECK_INT(n, DTP_NUM_TYPES);
    for (int i = 0; i < n; i++) {
        const int counts[] = {1, 7, 12};
        const char *name = DTP_type_name(types[i]);
        CHECK(name != NULL && DTP_type_of(name) == types[i]);
        /* The last bytes of a pair and of a long double are padding. */
        int padding = strstr(name, "_INT") != NULL || strstr(name, "LONG_DOUBLE") != NULL;
        for (int k = 0; k < 3; k++) {
            DTP_t from, to;
            MUST(DTP_pool_create(types[i], counts[k], &from));
            MUST(DTP_pool_create(types[i], counts[k], &to));
            exchange(from, to, name);
            harm(to, padding);
            MUST(DTP_pool_free(from));
            MUST(DTP_pool_free(to));
        }
    }
    MPI_Datatype members[3] = {MPI_CHAR, MPI_DOUBLE, MPI_2INT};
    int counts[3] = {3, 4, 6};
    DTP_t from, to;
    MUST(DTP_pool_create_struct(3, members, counts, &from));
    MUST(DTP_pool_create_struct(3, members, counts, &to));
    exchange(from, to, "a struct");
    harm(to, 0);
    MUST(DTP_pool_free(from));
    MUST(DTP_pool_free(to));
    CHECK(DTP_type_name(MPI_DATATYPE_NULL) == NULL && DTP_type_of("MPI_NOTHING") == MPI_DATATYPE_NULL);
    errors();
    reports();
    environment();
    signatures();
    lists();
    shorter(MPI_INT);
    shorter(MPI_DOUBLE_INT);
    added_layouts();
    return check_done("dtpools");
}
