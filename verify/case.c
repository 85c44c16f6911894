/* The functions by which a test of `wi4go verify` runs and judges a case (verify.h). The ranks of MPI_COMM_WORLD are the only state. */
#include "verify.h"

int rank = -1, size = -1;

void failed(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length, error_class = MPI_ERR_UNKNOWN, name = (int)strcspn(call, "(");
    MPI_Error_class(code, &error_class);
    if (error_class == MPI_ERR_UNSUPPORTED_OPERATION && strncmp(call, "MPI_", 4) == 0) {
        char function[64];
        snprintf(function, sizeof function, "%.*s", name, call);
        missing(function);
        return;
    }
    MPI_Error_string(code, text, &length);
    wrong("%.*s returned error %d (class %d): %.400s", name, call, code, error_class, text);
}

/* A name counts only as a whole: at the end of the signature, or before a plus or a count. */
int has_pair(const char *signature)
{
    static const char *const pairs[] = {"MPI_FLOAT_INT", "MPI_DOUBLE_INT", "MPI_LONG_INT", "MPI_2INT", "MPI_SHORT_INT", "MPI_LONG_DOUBLE_INT"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *at = strstr(signature, pairs[i]);
        char next = at ? at[strlen(pairs[i])] : 'x';
        if (next == 0 || next == '+' || next == '*')
            return 1;
    }
    return 0;
}

/* ---- objects ---- */

/* Judges the case as wrong if the pool cannot create the object, and returns NULL. */
DTP_obj_t *object(DTP_t pool, int index, int start, int n)
{
    int rc = DTP_obj_create(pool, index, start, 1, n);
    if (rc == DTP_SUCCESS)
        return &pool->DTP_obj_array[index];
    wrong("DTP_obj_create of layout %d: %s", index, DTP_error_string(rc));
    return NULL;
}

void check(DTP_t pool, int index, int start, int stride, int n, const char *where)
{
    char text[512], layout[128];
    if (DTP_obj_buf_check_report(pool, index, start, stride, n, text, sizeof text) == DTP_SUCCESS)
        return;
    DTP_obj_describe(pool, index, layout, sizeof layout);
    wrong("%s on rank %d, %s: %s", where, rank, layout, text);
}

/* Counts in the datatype of the received object, so a message of the wrong length fails here, too. A longer object has no whole
   number of its datatype in it unless that is the basic type. */
void check_status(const place *p, MPI_Status *status, int source, int tag, const DTP_obj_t *received)
{
    int count = -1, longer = DTP_pool_elements(p->to) > p->elements;
    EXPECT("status.MPI_SOURCE", status->MPI_SOURCE, source);
    EXPECT("status.MPI_TAG", status->MPI_TAG, tag);
    MUST(MPI_Get_count(status, received->DTP_obj_type, &count));
    int part = received->DTP_obj_type == p->basic ? p->elements : MPI_UNDEFINED;
    EXPECT("the count of MPI_Get_count", count, longer ? part : received->DTP_obj_count);
    if (!longer)
        return;
    MUST(MPI_Get_count(status, p->basic, &count));
    EXPECT("the number of basic elements received", count, p->elements);
}

void check_received(const place *p, int start)
{
    char text[512], layout[128];
    check(p->to, p->r, start, 1, p->elements, "the buffer received");
    if (is_judged || DTP_obj_rest_check_report(p->to, p->r, p->elements, text, sizeof text) == DTP_SUCCESS)
        return;
    DTP_obj_describe(p->to, p->r, layout, sizeof layout);
    wrong("the buffer received on rank %d, %s: %s", rank, layout, text);
}

/* The distance of two objects is a multiple of 16 bytes, so that all of them are aligned alike. Returns 0 after
 * judging the case as wrong if the datatype cannot be made. */
int row_of(const DTP_obj_t *o, row *made)
{
    MPI_Datatype whole;
    made->distance = (o->DTP_obj_bufsize + 15) / 16 * 16;
    made->memory = malloc((size_t)size * made->distance);
    if (!made->memory || MPI_Type_contiguous(o->DTP_obj_count, o->DTP_obj_type, &whole) != MPI_SUCCESS ||
        MPI_Type_create_resized(whole, 0, (MPI_Aint)made->distance, &made->type) != MPI_SUCCESS ||
        MPI_Type_commit(&made->type) != MPI_SUCCESS || MPI_Type_free(&whole) != MPI_SUCCESS) {
        free(made->memory);
        wrong("cannot create the type of a row of objects");
        return 0;
    }
    for (int i = 0; i < size; i++)
        memcpy(slice(made, i), o->DTP_obj_buf, o->DTP_obj_bufsize);
    return 1;
}

void row_free(row *made)
{
    MPI_Type_free(&made->type);
    free(made->memory);
}
