/* Delete and copy callbacks of communicators, datatypes and windows that refuse. The call fails, and the object and the
   attribute remain usable. When the callback agrees, the call succeeds (MPI-3.1, 6.7.2 to 6.7.4). */
#include "check.h"

static int refuse, deletes, copies;

#define CALLBACKS(name, Type)                                                                            \
    static int name##_delete(Type object, int keyval, void *value, void *state)                          \
    {                                                                                                    \
        (void)object, (void)keyval, (void)value;                                                         \
        CHECK(state == &refuse);                                                                         \
        deletes++;                                                                                       \
        return refuse;                                                                                   \
    }                                                                                                    \
    static int name##_copy(Type object, int keyval, void *state, void *in, void *out, int *flag)         \
    {                                                                                                    \
        (void)object, (void)keyval;                                                                      \
        CHECK(state == &refuse);                                                                         \
        copies++;                                                                                        \
        *(void **)out = in;                                                                              \
        *flag = 1;                                                                                       \
        return refuse;                                                                                   \
    }
CALLBACKS(comm, MPI_Comm)
CALLBACKS(type, MPI_Datatype)
CALLBACKS(win, MPI_Win)

static char data[8];

/* The following is the same for the three kinds of objects. */
#define HOLDS(Kind, object, keyval, place)                        \
    do {                                                          \
        void *got_ = NULL;                                        \
        int flag_ = 0;                                            \
        MUST(MPI_##Kind##_get_attr(object, keyval, &got_, &flag_)); \
        CHECK(flag_ && got_ == (place));                          \
    } while (0)

#define REFUSED(call)                                 \
    do {                                              \
        deletes = copies = 0;                         \
        refuse = MPI_ERR_ARG;                         \
        const int class_ = (call);                    \
        refuse = MPI_SUCCESS;                         \
        CHECK(class_ != MPI_SUCCESS);                 \
        CHECK_INT(deletes + copies, 1);               \
    } while (0)

static void comms(void)
{
    MPI_Comm comm, dup = MPI_COMM_NULL;
    int keyval, sum = 0;
    MUST(MPI_Comm_create_keyval(comm_copy, comm_delete, &keyval, &refuse));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_attr(comm, keyval, data));
    for (int round = 0; round < 3; round++) {
        REFUSED(MPI_Comm_delete_attr(comm, keyval));
        HOLDS(Comm, comm, keyval, data);
        REFUSED(MPI_Comm_set_attr(comm, keyval, data + 1));
        HOLDS(Comm, comm, keyval, data);
        REFUSED(MPI_Comm_dup(comm, &dup));
        HOLDS(Comm, comm, keyval, data);
        MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK_INT(sum, size * (size - 1) / 2);
    }
    copies = deletes = 0;
    MUST(MPI_Comm_dup(comm, &dup));
    CHECK_INT(copies, 1);
    HOLDS(Comm, dup, keyval, data);
    MUST(MPI_Comm_free(&dup));
    CHECK_INT(deletes, 1);
    const MPI_Comm kept = comm;
    REFUSED(MPI_Comm_free(&comm));
    CHECK(comm == kept); /* MPICH has removed the attribute, Open MPI has not */
    MUST(MPI_Comm_free_keyval(&keyval));
    MUST(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
}

static void types(void)
{
    MPI_Datatype type, dup = MPI_DATATYPE_NULL;
    int keyval, bytes = 0;
    MUST(MPI_Type_create_keyval(type_copy, type_delete, &keyval, &refuse));
    MUST(MPI_Type_contiguous(3, MPI_INT, &type));
    MUST(MPI_Type_set_attr(type, keyval, data));
    for (int round = 0; round < 3; round++) {
        REFUSED(MPI_Type_delete_attr(type, keyval));
        HOLDS(Type, type, keyval, data);
        REFUSED(MPI_Type_set_attr(type, keyval, data + 1));
        HOLDS(Type, type, keyval, data);
        REFUSED(MPI_Type_dup(type, &dup));
        HOLDS(Type, type, keyval, data);
        MUST(MPI_Type_size(type, &bytes));
        CHECK_INT(bytes, 3 * (int)sizeof(int));
    }
    copies = deletes = 0;
    MUST(MPI_Type_dup(type, &dup));
    HOLDS(Type, dup, keyval, data);
    MUST(MPI_Type_free(&dup));
    MUST(MPI_Type_free_keyval(&keyval));
    MUST(MPI_Type_free(&type));
    CHECK(copies == 1 && deletes == 2);
}

static void windows(void)
{
    MPI_Win win;
    int keyval, memory[4] = {0};
    MUST(MPI_Win_create_keyval(win_copy, win_delete, &keyval, &refuse));
    MUST(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    MUST(MPI_Win_set_attr(win, keyval, data));
    for (int round = 0; round < 3; round++) {
        REFUSED(MPI_Win_delete_attr(win, keyval));
        HOLDS(Win, win, keyval, data);
        REFUSED(MPI_Win_set_attr(win, keyval, data + 1));
        HOLDS(Win, win, keyval, data);
        MUST(MPI_Win_fence(0, win));
    }
    deletes = 0;
    MUST(MPI_Win_free_keyval(&keyval));
    MUST(MPI_Win_free(&win));
    CHECK_INT(deletes, 1);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)); /* errors of datatypes */
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    comms();
    types();
    windows();
    return check_done("attr_refused");
}
