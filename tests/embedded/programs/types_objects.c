/*
 * Attributes, info objects, statuses, integers of handles, and queries about the ABI (MPI-5.0, 7.7,
 * 10, 3.2.5, 19.3.4, 20.4).
 */
#include "types_check.h"

/* ---- attributes ---- */

static int order[16], calls, refuse, copied;

static int drop_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID && extra == &calls);
    if (refuse)
        return MPI_ERR_INTERN;
    order[calls++] = (int)(intptr_t)value;
    return MPI_SUCCESS;
}

static int copy_type(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID && extra == &calls);
    copied++;
    *(void **)out = (char *)in + 100;
    *flag = (int)(intptr_t)in != 3; /* the value 3 is not copied */
    return (int)(intptr_t)in == 4 ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static void type_attributes(void)
{
    MPI_Datatype t, dup = MPI_INT;
    int keyval[3], flag, k;
    void *value;
    MUST(MPI_Type_contiguous(2, MPI_INT, &t));
    for (int i = 0; i < 3; i++) {
        MUST(MPI_Type_create_keyval(copy_type, drop_type, &keyval[i], &calls));
        MUST(MPI_Type_set_attr(t, keyval[i], (void *)(intptr_t)(i + 1)));
    }
    MUST(MPI_Type_dup(t, &dup));
    EQUAL(3, copied);
    MUST(MPI_Type_get_attr(dup, keyval[1], &value, &flag));
    CHECK(flag && value == (void *)102);
    MUST(MPI_Type_get_attr(dup, keyval[2], &value, &flag));
    EQUAL(0, flag);
    MUST(MPI_Type_free(&dup));
    CHECK(calls == 2 && order[0] == 102 && order[1] == 101); /* the last one first */

    /* A refused deletion keeps the object and the attribute. */
    calls = 0, refuse = 1;
    FAILS(MPI_ERR_INTERN, MPI_Type_free(&t));
    CHECK(t != MPI_DATATYPE_NULL);
    FAILS(MPI_ERR_INTERN, MPI_Type_delete_attr(t, keyval[0]));
    FAILS(MPI_ERR_INTERN, MPI_Type_set_attr(t, keyval[0], NULL));
    MUST(MPI_Type_get_attr(t, keyval[0], &value, &flag));
    CHECK(flag && value == (void *)1);
    refuse = 0;

    /* A copy that fails: no datatype, and the copied attributes are deleted. */
    MUST(MPI_Type_set_attr(t, keyval[2], (void *)4));
    CHECK(calls == 1 && order[0] == 3);
    calls = 0;
    FAILS(MPI_ERR_INTERN, MPI_Type_dup(t, &dup));
    CHECK(dup == MPI_DATATYPE_NULL && calls == 2);

    /* A freed keyval works until its attributes are gone. */
    calls = 0;
    k = keyval[0];
    MUST(MPI_Type_free_keyval(&keyval[0]));
    EQUAL(MPI_KEYVAL_INVALID, keyval[0]);
    MUST(MPI_Type_get_attr(t, k, &value, &flag));
    CHECK(flag && value == (void *)1);
    int same = k;
    MUST(MPI_Type_free_keyval(&same));
    FAILS(MPI_ERR_KEYVAL, MPI_Type_set_attr(t, MPI_TAG_UB, NULL));
    MUST(MPI_Type_free(&t));
    CHECK(calls == 3 && order[0] == 4 && order[1] == 2 && order[2] == 1);
    FAILS(MPI_ERR_KEYVAL, MPI_Type_get_attr(MPI_INT, k, &value, &flag));
    FAILS(MPI_ERR_KEYVAL, MPI_Type_free_keyval(&k));
    MUST(MPI_Type_free_keyval(&keyval[1]));
    MUST(MPI_Type_free_keyval(&keyval[2]));
}

static void comm_attributes(void)
{
    int keyval, type_keyval, flag = 0, *number;
    void *value;
    static const struct { int keyval, value; } predefined[] = {{MPI_TAG_UB, 0x7fffffff}, {MPI_IO, MPI_ANY_SOURCE}, {MPI_HOST, MPI_PROC_NULL}, {MPI_WTIME_IS_GLOBAL, 1}};
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++) {
        MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, predefined[i].keyval, &number, &flag));
        CHECK(flag);
        EQUAL(predefined[i].value, *number);
    }
    int k = MPI_IO;
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &k));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_IO));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&k));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value, &flag));
    MUST(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
    MUST(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyval, NULL));
    CHECK(keyval != type_keyval);
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, type_keyval, &k));
    FAILS(MPI_ERR_KEYVAL, MPI_Type_set_attr(MPI_INT, keyval, &k));
    MUST(MPI_Comm_get_attr(MPI_COMM_SELF, keyval, &value, &flag));
    EQUAL(0, flag);
    MUST(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &k));
    MPI_Comm dup;
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    MUST(MPI_Comm_get_attr(dup, keyval, &value, &flag));
    CHECK(flag && value == &k);
    MUST(MPI_Comm_free(&dup));
    MUST(MPI_Comm_delete_attr(MPI_COMM_SELF, keyval));
    MUST(MPI_Comm_free_keyval(&keyval));
    MUST(MPI_Type_free_keyval(&type_keyval));
}

/* ---- null handles and statuses ---- */

static void null_names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MUST(MPI_Comm_get_name(MPI_COMM_NULL, name, &length));
    CHECK(!strcmp(name, "MPI_COMM_NULL") && length == (int)strlen(name));
    MUST(MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length));
    CHECK(!strcmp(name, "MPI_DATATYPE_NULL") && length == (int)strlen(name));
    FAILS(MPI_ERR_ARG, MPI_Comm_get_name(MPI_COMM_NULL, name, NULL));
    FAILS(MPI_ERR_ARG, MPI_Type_get_name(MPI_DATATYPE_NULL, NULL, &length));
    FAILS(MPI_ERR_COMM, MPI_Comm_get_name((MPI_Comm)MPI_INT, name, &length));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_name((MPI_Datatype)MPI_COMM_WORLD, name, &length));
}

/* Every value may be set, as in an empty status. */
static void set_statuses(void)
{
    MPI_Status status;
    int value;
    MUST(MPI_Status_set_source(&status, MPI_ANY_SOURCE));
    MUST(MPI_Status_set_tag(&status, MPI_ANY_TAG));
    MUST(MPI_Status_set_error(&status, MPI_ERR_OTHER));
    MUST(MPI_Status_get_source(&status, &value));
    EQUAL(MPI_ANY_SOURCE, value);
    MUST(MPI_Status_get_tag(&status, &value));
    EQUAL(MPI_ANY_TAG, value);
    MUST(MPI_Status_get_error(&status, &value));
    EQUAL(MPI_ERR_OTHER, value);
}

/* ---- info objects ---- */

static void infos(void)
{
    MPI_Info info, dup;
    char key[MPI_MAX_INFO_KEY + 2], value[MPI_MAX_INFO_VAL + 2];
    int n, flag, length;
    MUST(MPI_Info_create(&info));
    for (int i = 0; i < 100; i++) {
        snprintf(key, sizeof key, "key%d", i);
        MUST(MPI_Info_set(info, key, i % 2 ? "odd" : ""));
    }
    MUST(MPI_Info_set(info, "key7", "seven"));
    MUST(MPI_Info_dup(info, &dup));
    for (int i = 0; i < 100; i += 3) {
        snprintf(key, sizeof key, "key%d", i);
        MUST(MPI_Info_delete(info, key));
    }
    MUST(MPI_Info_get_nkeys(info, &n));
    EQUAL(66, n);
    MUST(MPI_Info_get_nthkey(info, 1, key));
    CHECK(!strcmp(key, "key2"));
    MUST(MPI_Info_get(info, "key7", 3, value, &flag));
    CHECK(flag && !strcmp(value, "sev"));
    MUST(MPI_Info_get_valuelen(info, "key7", &length, &flag));
    CHECK(flag && length == 5);
    MUST(MPI_Info_get(info, "key3", 3, value, &flag));
    EQUAL(0, flag);
    MUST(MPI_Info_get(dup, "key3", 3, value, &flag));
    CHECK(flag && !strcmp(value, "odd"));
    FAILS(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "key3"));
    FAILS(MPI_ERR_ARG, MPI_Info_get_nthkey(info, 66, key));
    FAILS(MPI_ERR_INFO_KEY, MPI_Info_set(info, "", "value"));
    memset(key, 'k', sizeof key);
    key[MPI_MAX_INFO_KEY] = 0;
    FAILS(MPI_ERR_INFO_KEY, MPI_Info_set(info, key, "value"));
    key[MPI_MAX_INFO_KEY - 1] = 0;
    memset(value, 'v', sizeof value);
    value[MPI_MAX_INFO_VAL + 1] = 0;
    FAILS(MPI_ERR_INFO_VALUE, MPI_Info_set(info, key, value));
    value[MPI_MAX_INFO_VAL] = 0;
    MUST(MPI_Info_set(info, key, value));
    CHECK(MPI_Info_fromint(MPI_Info_toint(info)) == info);
    MUST(MPI_Info_free(&dup));
    MUST(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL);
    FAILS(MPI_ERR_INFO, MPI_Info_free(&info));
    info = MPI_INFO_ENV;
    FAILS(MPI_ERR_INFO, MPI_Info_free(&info));
    MUST(MPI_Info_get(MPI_INFO_ENV, "command", MPI_MAX_INFO_VAL, value, &flag));
    CHECK(flag && strstr(value, "types_objects"));
    MUST(MPI_Info_get(MPI_INFO_ENV, "thread_level", MPI_MAX_INFO_VAL, value, &flag));
    CHECK(flag && !strncmp(value, "MPI_THREAD_", 11));
}

/* A communicator has the hints of the standard, and ignores all others. */
static void hints(void)
{
    MPI_Comm comm, dup;
    MPI_Info info, back;
    char value[8];
    int flag, n;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    MUST(MPI_Info_set(info, "unknown", "true"));
    MUST(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm));
    MUST(MPI_Comm_dup(comm, &dup));
    MUST(MPI_Comm_set_info(comm, info));
    for (int i = 0; i < 2; i++) {
        MUST(MPI_Comm_get_info(i ? comm : dup, &back));
        MUST(MPI_Info_get(back, "mpi_assert_no_any_tag", 7, value, &flag));
        CHECK(flag && !strcmp(value, "true"));
        MUST(MPI_Info_get_nkeys(back, &n));
        EQUAL(1, n);
        MUST(MPI_Info_free(&back));
    }
    MUST(MPI_Info_free(&info));
    MUST(MPI_Comm_free(&dup));
    MUST(MPI_Comm_free(&comm));
}

/* ---- error handlers ---- */

static int of_file_calls;
static void of_window(MPI_Win *win, int *code, ...) { (void)win, (void)code; }
static void of_comm(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }
static void of_file(MPI_File *file, int *code, ...)
{
    of_file_calls++;
    CHECK(*file == MPI_FILE_NULL && (*code == MPI_ERR_IO || *code == MPI_ERR_ERRHANDLER || *code == MPI_ERR_FILE));
}

/* MPI_FILE_NULL has an error handler (MPI-5.0, 14.7). A handler belongs to one kind of objects. */
static void handlers(void)
{
    MPI_Errhandler window, file, comm, got;
    MUST(MPI_Win_create_errhandler(of_window, &window));
    MUST(MPI_File_create_errhandler(of_file, &file));
    MUST(MPI_Comm_create_errhandler(of_comm, &comm));
    FAILS(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler(MPI_COMM_WORLD, window));
    FAILS(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler(MPI_COMM_WORLD, file));
    FAILS(MPI_ERR_ERRHANDLER, MPI_File_set_errhandler(MPI_FILE_NULL, comm));
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    MUST(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, file));
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == file);
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_Errhandler_free(&file)); /* MPI_FILE_NULL keeps it */
    MUST(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO));
    EQUAL(1, of_file_calls);
    FAILS(MPI_ERR_ERRHANDLER, MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRHANDLER_NULL));
    FAILS(MPI_ERR_FILE, MPI_File_get_errhandler((MPI_File)comm, &got));
    EQUAL(3, of_file_calls);
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    MUST(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO));
    EQUAL(3, of_file_calls);
    MUST(MPI_Errhandler_free(&window));
    MUST(MPI_Errhandler_free(&comm));
}

/* ---- integers of handles ---- */

static void integers(void)
{
    enum { N = 1000 };
    MPI_Datatype types[N];
    int integer[N];
    EQUAL(0x209, MPI_Type_toint(MPI_INT));
    CHECK(MPI_Type_fromint(0x209) == MPI_INT);
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Request_fromint(MPI_Request_toint(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    CHECK(MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM);
    CHECK(MPI_File_fromint(MPI_File_toint(MPI_FILE_NULL)) == MPI_FILE_NULL);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) {
            MUST(MPI_Type_contiguous(i, MPI_INT, &types[i]));
            integer[i] = MPI_Type_toint(types[i]);
            CHECK(integer[i] >= 4096 && integer[i] < 4096 + N);
            EQUAL(integer[i], MPI_Type_toint(types[i]));
        }
        for (int i = 0; i < N; i++)
            CHECK(MPI_Type_fromint(integer[i]) == types[i]);
        for (int i = 0; i < N; i++)
            MUST(MPI_Type_free(&types[i]));
        for (int i = 0; i < N; i++)
            CHECK(MPI_Type_fromint(integer[i]) == MPI_DATATYPE_NULL);
    }
    CHECK(MPI_Type_fromint(-5) == MPI_DATATYPE_NULL);
    CHECK(MPI_Type_fromint(1 << 30) == MPI_DATATYPE_NULL);
}

/* ---- statuses and the ABI ---- */

static void statuses(void)
{
    MPI_Status s;
    int flag, n;
    memset(&s, 0, sizeof s);
    MUST(MPI_Status_set_elements(&s, MPI_INT, 7));
    MUST(MPI_Status_set_cancelled(&s, 1));
    MUST(MPI_Status_set_source(&s, 3));
    MUST(MPI_Status_set_tag(&s, 4));
    MUST(MPI_Status_set_error(&s, 5));
    MUST(MPI_Test_cancelled(&s, &flag));
    EQUAL(1, flag);
    MUST(MPI_Get_count(&s, MPI_INT, &n));
    EQUAL(7, n);
    MUST(MPI_Status_set_cancelled(&s, 0));
    MUST(MPI_Test_cancelled(&s, &flag));
    EQUAL(0, flag);
    MUST(MPI_Get_count(&s, MPI_DOUBLE, &n));
    EQUAL(MPI_UNDEFINED, n);
    CHECK(s.MPI_SOURCE == 3 && s.MPI_TAG == 4 && s.MPI_ERROR == 5);
    FAILS(MPI_ERR_ARG, MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &n));
    FAILS(MPI_ERR_ARG, MPI_Status_set_tag(MPI_STATUS_IGNORE, 1));
}

static void abi(void)
{
    int major, minor, set = 0;
    int64_t yes = 7, no = 7;
    MPI_Info info;
    char value[8];
    MUST(MPI_Abi_get_version(&major, &minor));
    CHECK(major == MPI_ABI_VERSION && minor == MPI_ABI_SUBVERSION);
    MUST(MPI_Abi_get_fortran_booleans(8, &yes, &no, &set));
    CHECK(yes == 1 && no == 0 && set == 1);
    FAILS(MPI_ERR_ARG, MPI_Abi_get_fortran_booleans(3, &yes, &no, &set));
    FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_booleans(4, &yes, &no));
    FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_info(MPI_INFO_NULL));
    MUST(MPI_Abi_get_info(&info));
    MUST(MPI_Info_get(info, "mpi_count_size", 7, value, &set));
    CHECK(set && !strcmp(value, "8"));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Abi_get_fortran_info(&info));
    MUST(MPI_Info_get(info, "mpi_logical_size", 7, value, &set));
    CHECK(set && !strcmp(value, "4"));
    MUST(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    type_attributes();
    comm_attributes();
    null_names();
    set_statuses();
    infos();
    hints();
    handlers();
    integers();
    statuses();
    abi();
    return right("types_objects");
}
