/* Tests of files: data is written from one layout through a view of another layout,
   and read back through the view. Each rank has its own part of the file. */
#include "verify.h"

/* Writes or reads an object by the function of the variant, and checks the count. */
static void transfer(const place *p, int variant, MPI_File file, const DTP_obj_t *o, int writes)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int rc, count = -1;
    switch (variant) {
    case WRITE_AT: rc = writes ? MPI_File_write_at(file, 0, BUFFER(o), &status) : MPI_File_read_at(file, 0, BUFFER(o), &status); break;
    case WRITE_AT_ALL: rc = writes ? MPI_File_write_at_all(file, 0, BUFFER(o), &status) : MPI_File_read_at_all(file, 0, BUFFER(o), &status); break;
    case WRITE: rc = writes ? MPI_File_write(file, BUFFER(o), &status) : MPI_File_read(file, BUFFER(o), &status); break;
    case WRITE_ALL: rc = writes ? MPI_File_write_all(file, BUFFER(o), &status) : MPI_File_read_all(file, BUFFER(o), &status); break;
    case IWRITE_AT: rc = writes ? MPI_File_iwrite_at(file, 0, BUFFER(o), &request) : MPI_File_iread_at(file, 0, BUFFER(o), &request); break;
    default: rc = writes ? MPI_File_iwrite(file, BUFFER(o), &request) : MPI_File_iread(file, BUFFER(o), &request);
    }
    if (rc != MPI_SUCCESS) {
        failed(p->function, rc);
        return;
    }
    if (request != MPI_REQUEST_NULL)
        MUST(MPI_Wait(&request, &status));
    MUST(MPI_Get_count(&status, o->DTP_obj_type, &count));
    EXPECT(writes ? "the count written" : "the count read", count, o->DTP_obj_count);
}

/* Writes and reads through a view, and checks the view itself. */
void io_view(const place *p, int variant)
{
    MPI_File file;
    MPI_Datatype got_etype, got_filetype;
    MPI_Offset at;
    char representation[MPI_MAX_DATAREP_STRING] = "";
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *view = object(p->to, p->r, 0, 0);
    if (!s || !view)
        return;
    MPI_Datatype etype = p->basic == MPI_DATATYPE_NULL ? view->DTP_obj_type : p->basic;
    MPI_Offset place = (MPI_Offset)rank * (MPI_Offset)((view->DTP_obj_bufsize + 63) / 64 * 64 + 64);
    MUST(MPI_File_open(MPI_COMM_WORLD, p->file, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    MUST(MPI_File_set_view(file, place, etype, view->DTP_obj_type, "native", MPI_INFO_NULL));
    MUST(MPI_File_get_view(file, &at, &got_etype, &got_filetype, representation));
    EXPECT("the displacement of MPI_File_get_view", at, place);
    if (p->basic != MPI_DATATYPE_NULL)
        EXPECT("the etype of MPI_File_get_view is the predefined one", got_etype == p->basic, 1);
    if (strcmp(representation, "native") != 0)
        wrong("the representation of MPI_File_get_view is %s", representation);
    transfer(p, variant, file, s, 1);
    MUST(MPI_File_sync(file));
    MUST(MPI_File_seek(file, 0, MPI_SEEK_SET));
    /* Read back into an object with the layout of the view. */
    transfer(p, variant, file, view, 0);
    check(p->to, p->r, value(p, rank), 1, p->elements, "the data read back");
    MUST(MPI_File_close(&file));
    EXPECT("the file that is closed is MPI_FILE_NULL", file == MPI_FILE_NULL, 1);
}
