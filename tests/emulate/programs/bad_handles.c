/* Handles of emulated objects that were freed, are null, or are of another kind. Natively some libraries dereference
   them. */
#include "../../conformance/check.h"
#include <mpi.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Request r, stale, plain, array[2];
    MPI_Session s, ended;
    MPI_Comm comm;
    MPI_Group group;
    MPI_Info info;
    int value = 0, sum = 0, flag, index, n;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));

    MUST(MPI_Psend_init(&value, 1, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &r));
    stale = r;
    CHECK_CLASS(MPI_Pready(0, r), MPI_ERR_REQUEST); /* inactive */
    MUST(MPI_Request_free(&r));
    CHECK(r == MPI_REQUEST_NULL);
    r = stale;
    CHECK_CLASS(MPI_Start(&r), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Test(&r, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Request_free(&r), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Cancel(&r), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Pready(0, r), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Parrived(r, 0, &flag), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Grequest_complete(r), MPI_ERR_REQUEST);
    array[0] = MPI_REQUEST_NULL;
    array[1] = stale;
    CHECK_CLASS(MPI_Waitall(2, array, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Testall(2, array, &flag, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Waitany(2, array, &index, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Waitsome(2, array, &n, &index, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Startall(2, array), MPI_ERR_REQUEST);

    MUST(MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &plain));
    CHECK_CLASS(MPI_Pready(0, plain), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Parrived(plain, 0, &flag), MPI_ERR_REQUEST);
    MUST(MPI_Send(&sum, 1, MPI_INT, 0, 1, MPI_COMM_SELF));
    MUST(MPI_Wait(&plain, MPI_STATUS_IGNORE));
    CHECK_CLASS(MPI_Pready(0, MPI_REQUEST_NULL), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL, MPI_INFO_NULL, &r), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Psend_init(&value, -1, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &r), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Psend_init(&value, 1, -1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &r), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Precv_init(&value, 1, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_SELF, MPI_INFO_NULL, &r), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Isendrecv(&value, 1, MPI_INT, size + 9, 1, &sum, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &r), MPI_ERR_RANK);
    MUST(MPI_Psend_init(&value, 2, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF, MPI_INFO_NULL, &r));
    MUST(MPI_Start(&r));
    CHECK_CLASS(MPI_Start(&r), MPI_ERR_REQUEST); /* active */
    CHECK_CLASS(MPI_Pready(2, r), MPI_ERR_ARG);
    MUST(MPI_Pready(1, r));
    CHECK_CLASS(MPI_Pready(1, r), MPI_ERR_ARG);
    MUST(MPI_Pready(0, r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    MUST(MPI_Request_free(&r));

    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
    CHECK_CLASS(MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm), MPI_ERR_GROUP);
    ended = s;
    MUST(MPI_Session_finalize(&s));
    CHECK_CLASS(MPI_Session_finalize(&ended), MPI_ERR_SESSION);
    CHECK_CLASS(MPI_Session_get_num_psets(ended, MPI_INFO_NULL, &n), MPI_ERR_SESSION);
    CHECK_CLASS(MPI_Session_get_info(MPI_SESSION_NULL, &info), MPI_ERR_SESSION);
    CHECK_CLASS(MPI_Group_from_session_pset(ended, "mpi://WORLD", &group), MPI_ERR_SESSION);
    return check_done("bad_handles");
}
