/* Tests of large counts: functions that take counts as MPI_Count. The MPI-4 functions
   are looked up by name, because not every library has them. */
#include "verify.h"

/* Declares a pointer to an MPI-4 function with these parameters. If the library lacks the
   function, the test returns. */
#define FUNCTION(name, ...)                                                                               \
    int (*name)(__VA_ARGS__) = (int (*)(__VA_ARGS__))function("MPI_" #name);                              \
    if (!name)                                                                                            \
    return
/* Makes a call through such a pointer. An error is judged under the name of the function. */
#define CALL(name, ...)                                                                                   \
    do {                                                                                                  \
        int rc_ = name(__VA_ARGS__);                                                                      \
        if (rc_ != MPI_SUCCESS) {                                                                         \
            failed("MPI_" #name "(", rc_);                                                                \
            return;                                                                                       \
        }                                                                                                 \
    } while (0)

/* A nonblocking and a blocking message around a ring. */
void large_p2p(const place *p, int unused)
{
    FUNCTION(Isend_c, const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    FUNCTION(Send_c, const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
    FUNCTION(Irecv_c, void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    FUNCTION(Get_count_c, const MPI_Status *, MPI_Datatype, MPI_Count *);
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Count count = -1;
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    for (int blocking = 0; blocking < 2; blocking++) {
        CALL(Irecv_c, BUFFER(r), before, 9, MPI_COMM_WORLD, &requests[0]);
        if (blocking) {
            CALL(Send_c, BUFFER(s), next, 9, MPI_COMM_WORLD);
        } else {
            CALL(Isend_c, BUFFER(s), next, 9, MPI_COMM_WORLD, &requests[1]);
            MUST(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
        }
        MUST(MPI_Wait(&requests[0], &status));
        check_status(p, &status, before, 9, r);
        CALL(Get_count_c, &status, r->DTP_obj_type, &count);
        EXPECT("MPI_Get_count_c", count, r->DTP_obj_count);
        check(p->to, p->r, value(p, before), 1, p->elements, "the buffer received");
    }
}

/* A broadcast. */
void large_coll(const place *p, int unused)
{
    FUNCTION(Bcast_c, void *, MPI_Count, MPI_Datatype, int, MPI_Comm);
    int root = p->number % size;
    DTP_obj_t *o = rank == root ? object(p->from, p->s, value(p, root), p->elements) : object(p->to, p->r, 0, 0);
    if (!o)
        return;
    CALL(Bcast_c, BUFFER(o), root, MPI_COMM_WORLD);
    if (rank != root)
        check(p->to, p->r, value(p, root), 1, p->elements, "the buffer");
}

/* A sum over all ranks. */
void large_reduce(const place *p, int unused)
{
    FUNCTION(Allreduce_c, const void *, void *, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm);
    int all = 0;
    DTP_obj_t *o = object(p->from, 0, value(p, rank), p->elements), *r = object(p->to, 0, 0, 0);
    if (!o || !r)
        return;
    CALL(Allreduce_c, o->DTP_obj_buf, r->DTP_obj_buf, p->elements, p->basic, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        all += value(p, i);
    check(p->to, 0, all, size, p->elements, "the sum");
}

/* Packs one layout and unpacks into another. */
void large_pack(const place *p, int unused)
{
    FUNCTION(Pack_size_c, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Count *);
    FUNCTION(Pack_c, const void *, MPI_Count, MPI_Datatype, void *, MPI_Count, MPI_Count *, MPI_Comm);
    FUNCTION(Unpack_c, const void *, MPI_Count, MPI_Count *, void *, MPI_Count, MPI_Datatype, MPI_Comm);
    MPI_Count bytes = -1, out = 0, in = 0;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    CALL(Pack_size_c, s->DTP_obj_count, s->DTP_obj_type, MPI_COMM_WORLD, &bytes);
    if (bytes < 1) {
        wrong("MPI_Pack_size_c is %lld", (long long)bytes);
        return;
    }
    char *packed = malloc((size_t)bytes);
    CALL(Pack_c, BUFFER(s), packed, bytes, &out, MPI_COMM_WORLD);
    CALL(Unpack_c, packed, out, &in, BUFFER(r), MPI_COMM_WORLD);
    EXPECT("the position after MPI_Unpack_c", in, out);
    check(p->to, p->r, value(p, rank), 1, p->elements, "the unpacked data");
    free(packed);
}

/* A put into the window of the next rank. */
void large_put(const place *p, int unused)
{
    FUNCTION(Put_c, const void *, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Win);
    FUNCTION(Win_create_c, void *, MPI_Aint, MPI_Aint, MPI_Info, MPI_Comm, MPI_Win *);
    MPI_Win win;
    DTP_obj_t *o = object(p->from, p->s, value(p, rank), p->elements), *w = object(p->to, p->r, 0, 0);
    if (!o || !w)
        return;
    CALL(Win_create_c, w->DTP_obj_buf, (MPI_Aint)w->DTP_obj_bufsize, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    MUST(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    CALL(Put_c, BUFFER(o), (rank + 1) % size, 0, w->DTP_obj_count, w->DTP_obj_type, win);
    MUST(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    check(p->to, p->r, value(p, (rank + size - 1) % size), 1, p->elements, "the window");
    MUST(MPI_Win_free(&win));
}

/* Writes one layout and reads another; each rank has 1 MiB of the file. */
void large_file(const place *p, int unused)
{
    FUNCTION(File_write_at_c, MPI_File, MPI_Offset, const void *, MPI_Count, MPI_Datatype, MPI_Status *);
    FUNCTION(File_read_at_c, MPI_File, MPI_Offset, void *, MPI_Count, MPI_Datatype, MPI_Status *);
    MPI_File file;
    MPI_Status status;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    MPI_Offset at = (MPI_Offset)rank * (1 << 20);
    MUST(MPI_File_open(MPI_COMM_WORLD, p->file, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    CALL(File_write_at_c, file, at, BUFFER(s), &status);
    MUST(MPI_File_sync(file));
    CALL(File_read_at_c, file, at, BUFFER(r), &status);
    check(p->to, p->r, value(p, rank), 1, p->elements, "the data read back");
    MUST(MPI_File_close(&file));
}

/* Datatypes with counts and strides that do not fit into an int. */
void large_constructors(const place *p, int unused)
{
    FUNCTION(Type_contiguous_c, MPI_Count, MPI_Datatype, MPI_Datatype *);
    FUNCTION(Type_vector_c, MPI_Count, MPI_Count, MPI_Count, MPI_Datatype, MPI_Datatype *);
    FUNCTION(Type_size_c, MPI_Datatype, MPI_Count *);
    FUNCTION(Type_get_extent_c, MPI_Datatype, MPI_Count *, MPI_Count *);
    const MPI_Count times = 2147483648; /* does not fit into an int */
    MPI_Datatype type;
    MPI_Count bytes = -1, lb = -1, extent = -1;
    int one = -1;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    MUST(MPI_Type_size(o->DTP_obj_type, &one));
    CALL(Type_contiguous_c, times, o->DTP_obj_type, &type);
    CALL(Type_size_c, type, &bytes);
    EXPECT("MPI_Type_size_c of a contiguous type", bytes, times * one);
    MUST(MPI_Type_free(&type));
    MPI_Count each = (MPI_Count)o->DTP_obj_bufsize / o->DTP_obj_count;
    if (p->basic == MPI_DATATYPE_NULL) /* a struct may end with padding */
        return;
    CALL(Type_vector_c, 3, 1, times, o->DTP_obj_type, &type);
    CALL(Type_get_extent_c, type, &lb, &extent);
    EXPECT("the extent of a vector whose stride does not fit an int", extent, 2 * times * each + each);
    MUST(MPI_Type_free(&type));
}

/* The functions of MPI-3 for datatypes with a size that does not fit into an int. */
void large_sizes(const place *p, int unused)
{
    MPI_Datatype type;
    MPI_Count bytes = -1, lb = -1, extent = -1;
    int one = -1, overflow = 0;
    MPI_Aint each_lb, each;
    DTP_obj_t *o = object(p->from, p->s, 0, 0);
    if (!o)
        return;
    MUST(MPI_Type_size(o->DTP_obj_type, &one));
    MUST(MPI_Type_get_extent(o->DTP_obj_type, &each_lb, &each));
    MPI_Datatype part;
    MUST(MPI_Type_contiguous(1 << 16, o->DTP_obj_type, &part));
    MUST(MPI_Type_contiguous(1 << 16, part, &type));
    MUST(MPI_Type_size_x(type, &bytes));
    EXPECT("MPI_Type_size_x", bytes, ((MPI_Count)one << 32));
    MUST(MPI_Type_get_extent_x(type, &lb, &extent));
    EXPECT("the extent of MPI_Type_get_extent_x", extent, (MPI_Count)each << 32);
    MUST(MPI_Type_size(type, &overflow));
    EXPECT("MPI_Type_size of a type whose size does not fit an int", overflow, MPI_UNDEFINED);
    MUST(MPI_Type_free(&type));
    MUST(MPI_Type_free(&part));
}

/* A status with a count that does not fit into an int. */
void large_elements(const place *p, int unused)
{
    const MPI_Count many = (MPI_Count)3 << 31;
    MPI_Status status;
    MPI_Count count = -1;
    int small = 0;
    memset(&status, 0, sizeof status);
    MUST(MPI_Status_set_elements_x(&status, MPI_BYTE, many));
    MUST(MPI_Get_elements_x(&status, MPI_BYTE, &count));
    EXPECT("MPI_Get_elements_x", count, many);
    MUST(MPI_Get_count(&status, MPI_BYTE, &small));
    EXPECT("MPI_Get_count of a count that does not fit an int", small, MPI_UNDEFINED);
}
