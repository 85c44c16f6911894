static void body_mpi_allgather(void *sendbuf, const int *sendcount, const MPI_Fint *sendtype, void *recvbuf, const int *recvcount, const MPI_Fint *recvtype, const MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Datatype c_sendtype = INNER(MPI_Type_f2c)(*sendtype);
    MPI_Datatype c_recvtype = INNER(MPI_Type_f2c)(*recvtype);
    MPI_Comm c_comm = INNER(MPI_Comm_f2c)(*comm);
    const int rc = CALL(MPI_Allgather)(IN_PLACE(sendbuf), *sendcount, c_sendtype, IN_PLACE(recvbuf), *recvcount, c_recvtype, c_comm);
    RESULT(rc);
}
void mpi_allgather_(void *sendbuf, const int *sendcount, const MPI_Fint *sendtype, void *recvbuf, const int *recvcount, const MPI_Fint *recvtype, const MPI_Fint *comm, MPI_Fint *ierror)
{
    ((__typeof__(body_mpi_allgather) *)wi4go_fortran_entries[AT_MPI_Allgather])(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}
static __attribute__((used)) void absent_mpi_allgather_f08_(void *sendbuf, const int *sendcount, const MPI_Fint *sendtype, void *recvbuf, const int *recvcount, const MPI_Fint *recvtype, const MPI_Fint *comm, MPI_Fint *ierror)
{
    ((__typeof__(body_mpi_allgather) *)wi4go_fortran_entries[AT_MPI_Allgather])(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, GIVEN_IERROR(ierror));
}
JUMPS(mpi_allgather_f08_, AT_MPI_Allgather, 16, void *sendbuf, const int *sendcount, const MPI_Fint *sendtype, void *recvbuf, const int *recvcount, const MPI_Fint *recvtype, const MPI_Fint *comm, MPI_Fint *ierror)
NAMES_DIRECT(mpi_allgather, MPI_ALLGATHER)
void mpi_alltoallw_(void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Fint *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Fint *recvtypes, const MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Comm c_comm = INNER(MPI_Comm_f2c)(*comm);
    const int n_sendtypes = (IN_PLACE(sendbuf) == MPI_IN_PLACE ? 0 : peers(c_comm));
    ARRAY(MPI_Datatype, c_sendtypes, n_sendtypes)
    for (int i = 0; i < n_sendtypes; i++) c_sendtypes[i] = INNER(MPI_Type_f2c)(sendtypes[i]);
    const int n_recvtypes = peers(c_comm);
    ARRAY(MPI_Datatype, c_recvtypes, n_recvtypes)
    for (int i = 0; i < n_recvtypes; i++) c_recvtypes[i] = INNER(MPI_Type_f2c)(recvtypes[i]);
    const int rc = CALL(MPI_Alltoallw)(IN_PLACE(sendbuf), sendcounts, sdispls, c_sendtypes, IN_PLACE(recvbuf), recvcounts, rdispls, c_recvtypes, c_comm);
    RESULT(rc);
}
NAMES(mpi_alltoallw, MPI_ALLTOALLW)
void mpi_cart_create_(const MPI_Fint *comm_old, const int *ndims, const int *dims, const int *periods, const int *reorder, MPI_Fint *comm_cart, MPI_Fint *ierror)
{
    MPI_Comm c_comm_old = INNER(MPI_Comm_f2c)(*comm_old);
    MPI_Comm c_comm_cart = MPI_COMM_NULL;
    const int rc = CALL(MPI_Cart_create)(c_comm_old, *ndims, dims, periods, *reorder, &c_comm_cart);
    if (likely(rc == MPI_SUCCESS)) {
        *comm_cart = INNER(MPI_Comm_c2f)(c_comm_cart);
    }
    RESULT(rc);
}
NAMES(mpi_cart_create, MPI_CART_CREATE)
void mpi_comm_get_name_(const MPI_Fint *comm, char *comm_name, int *resultlen, MPI_Fint *ierror, int length_comm_name)
{
    MPI_Comm c_comm = INNER(MPI_Comm_f2c)(*comm);
    ARRAY(char, c_comm_name, MPI_MAX_OBJECT_NAME)
    *c_comm_name = 0;
    const int rc = CALL(MPI_Comm_get_name)(c_comm, c_comm_name, resultlen);
    if (likely(rc == MPI_SUCCESS)) {
        string_out(comm_name, length_comm_name, c_comm_name);
    }
    RESULT(rc);
}
NAMES(mpi_comm_get_name, MPI_COMM_GET_NAME)
void mpi_dist_graph_create_adjacent_(const MPI_Fint *comm_old, const int *indegree, const int *sources, int *sourceweights, const int *outdegree, const int *destinations, int *destweights, const MPI_Fint *info, const int *reorder, MPI_Fint *comm_dist_graph, MPI_Fint *ierror)
{
    MPI_Comm c_comm_old = INNER(MPI_Comm_f2c)(*comm_old);
    MPI_Info c_info = Info_f2c(*info);
    MPI_Comm c_comm_dist_graph = MPI_COMM_NULL;
    const int rc = CALL(MPI_Dist_graph_create_adjacent)(c_comm_old, *indegree, sources, WEIGHTS(sourceweights), *outdegree, destinations, WEIGHTS(destweights), c_info, *reorder, &c_comm_dist_graph);
    if (likely(rc == MPI_SUCCESS)) {
        *comm_dist_graph = INNER(MPI_Comm_c2f)(c_comm_dist_graph);
    }
    RESULT(rc);
}
NAMES(mpi_dist_graph_create_adjacent, MPI_DIST_GRAPH_CREATE_ADJACENT)
void mpi_file_open_(const MPI_Fint *comm, const char *filename, const int *amode, const MPI_Fint *info, MPI_Fint *fh, MPI_Fint *ierror, int length_filename)
{
    MPI_Comm c_comm = INNER(MPI_Comm_f2c)(*comm);
    MPI_Info c_info = Info_f2c(*info);
    ARRAY(char, c_filename, STRING_SIZE(length_filename))
    string_in(c_filename, filename, length_filename);
    MPI_File c_fh = MPI_FILE_NULL;
    const int rc = CALL(MPI_File_open)(c_comm, c_filename, *amode, c_info, &c_fh);
    if (likely(rc == MPI_SUCCESS)) {
        *fh = INNER(MPI_File_c2f)(c_fh);
    }
    RESULT(rc);
}
NAMES(mpi_file_open, MPI_FILE_OPEN)
void mpi_info_get_(const MPI_Fint *info, const char *key, const int *valuelen, char *value, MPI_Fint *flag, MPI_Fint *ierror, int length_key, int length_value)
{
    MPI_Info c_info = Info_f2c(*info);
    ARRAY(char, c_key, STRING_SIZE(length_key))
    info_in(c_key, key, length_key);
    ARRAY(char, c_value, STRING_SIZE(*valuelen))
    *c_value = 0;
    const int rc = CALL(MPI_Info_get)(c_info, c_key, *valuelen, c_value, flag);
    if (likely(rc == MPI_SUCCESS)) {
        if (*flag) string_out(value, length_value, c_value);
        *flag = *flag != 0;
    }
    RESULT(rc);
}
NAMES(mpi_info_get, MPI_INFO_GET)
static void body_mpi_recv(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Datatype c_datatype = INNER(MPI_Type_f2c)(*datatype);
    MPI_Comm c_comm = INNER(MPI_Comm_f2c)(*comm);
    MPI_Status c_status;
    STATUSES(&c_status, status, !NO_STATUS(status));
    const int rc = CALL(MPI_Recv)(BOTTOM(buf), *count, c_datatype, *source, *tag, c_comm, NO_STATUS(status) ? MPI_STATUS_IGNORE : &c_status);
    STATUSES(status, &c_status, !NO_STATUS(status));
    RESULT(rc);
}
void mpi_recv_(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    ((__typeof__(body_mpi_recv) *)wi4go_fortran_entries[AT_MPI_Recv])(buf, count, datatype, source, tag, comm, status, ierror);
}
static __attribute__((used)) void absent_mpi_recv_f08_(void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    ((__typeof__(body_mpi_recv) *)wi4go_fortran_entries[AT_MPI_Recv])(buf, count, datatype, source, tag, comm, status, GIVEN_IERROR(ierror));
}
JUMPS(mpi_recv_f08_, AT_MPI_Recv, 16, void *buf, const int *count, const MPI_Fint *datatype, const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
NAMES_DIRECT(mpi_recv, MPI_RECV)
static void body_mpi_send(void *buf, const int *count, const MPI_Fint *datatype, const int *dest, const int *tag, const MPI_Fint *comm, MPI_Fint *ierror)
{
    MPI_Datatype c_datatype = INNER(MPI_Type_f2c)(*datatype);
    MPI_Comm c_comm = INNER(MPI_Comm_f2c)(*comm);
    const int rc = CALL(MPI_Send)(BOTTOM(buf), *count, c_datatype, *dest, *tag, c_comm);
    RESULT(rc);
}
void mpi_send_(void *buf, const int *count, const MPI_Fint *datatype, const int *dest, const int *tag, const MPI_Fint *comm, MPI_Fint *ierror)
{
    ((__typeof__(body_mpi_send) *)wi4go_fortran_entries[AT_MPI_Send])(buf, count, datatype, dest, tag, comm, ierror);
}
static __attribute__((used)) void absent_mpi_send_f08_(void *buf, const int *count, const MPI_Fint *datatype, const int *dest, const int *tag, const MPI_Fint *comm, MPI_Fint *ierror)
{
    ((__typeof__(body_mpi_send) *)wi4go_fortran_entries[AT_MPI_Send])(buf, count, datatype, dest, tag, comm, GIVEN_IERROR(ierror));
}
JUMPS(mpi_send_f08_, AT_MPI_Send, 8, void *buf, const int *count, const MPI_Fint *datatype, const int *dest, const int *tag, const MPI_Fint *comm, MPI_Fint *ierror)
NAMES_DIRECT(mpi_send, MPI_SEND)
void mpi_testsome_(const int *incount, MPI_Fint *array_of_requests, int *outcount, int *array_of_indices, MPI_Fint *array_of_statuses, MPI_Fint *ierror)
{
    const int n_array_of_requests = *incount;
    ARRAY(MPI_Request, c_array_of_requests, n_array_of_requests)
    for (int i = 0; i < n_array_of_requests; i++) c_array_of_requests[i] = INNER(MPI_Request_f2c)(array_of_requests[i]);
    const int n_array_of_statuses = NO_STATUSES(array_of_statuses) ? 0 : *incount;
    ARRAY(MPI_Status, c_array_of_statuses, n_array_of_statuses)
    STATUSES(c_array_of_statuses, array_of_statuses, n_array_of_statuses);
    const int rc = CALL(MPI_Testsome)(*incount, c_array_of_requests, outcount, array_of_indices, NO_STATUSES(array_of_statuses) ? MPI_STATUSES_IGNORE : c_array_of_statuses);
    for (int i = 0; i < n_array_of_requests; i++) array_of_requests[i] = INNER(MPI_Request_c2f)(c_array_of_requests[i]);
    if (rc == MPI_SUCCESS || is_in_status(rc))
        for (int i = 0; i < *outcount; i++) array_of_indices[i]++;
    STATUSES(array_of_statuses, c_array_of_statuses, n_array_of_statuses);
    RESULT(rc);
}
NAMES(mpi_testsome, MPI_TESTSOME)
void mpi_type_hvector_(const int *count, const int *blocklength, const MPI_Fint *stride, const MPI_Fint *oldtype, MPI_Fint *newtype, MPI_Fint *ierror)
{
    MPI_Datatype c_oldtype = INNER(MPI_Type_f2c)(*oldtype);
    MPI_Datatype c_newtype = MPI_DATATYPE_NULL;
    const int rc = CALL(MPI_Type_hvector)(*count, *blocklength, *stride, c_oldtype, &c_newtype);
    if (likely(rc == MPI_SUCCESS)) {
        *newtype = INNER(MPI_Type_c2f)(c_newtype);
    }
    RESULT(rc);
}
NAMES(mpi_type_hvector, MPI_TYPE_HVECTOR)
void mpi_type_struct_(const int *count, const int *array_of_blocklengths, const MPI_Fint *array_of_displacements, const MPI_Fint *array_of_types, MPI_Fint *newtype, MPI_Fint *ierror)
{
    ARRAY(MPI_Aint, c_array_of_displacements, *count)
    for (int i = 0; i < *count; i++) c_array_of_displacements[i] = array_of_displacements[i];
    const int n_array_of_types = *count;
    ARRAY(MPI_Datatype, c_array_of_types, n_array_of_types)
    for (int i = 0; i < n_array_of_types; i++) c_array_of_types[i] = INNER(MPI_Type_f2c)(array_of_types[i]);
    MPI_Datatype c_newtype = MPI_DATATYPE_NULL;
    const int rc = CALL(MPI_Type_struct)(*count, array_of_blocklengths, c_array_of_displacements, c_array_of_types, &c_newtype);
    if (likely(rc == MPI_SUCCESS)) {
        *newtype = INNER(MPI_Type_c2f)(c_newtype);
    }
    RESULT(rc);
}
NAMES(mpi_type_struct, MPI_TYPE_STRUCT)
static void body_mpi_waitall(const int *count, MPI_Fint *array_of_requests, MPI_Fint *array_of_statuses, MPI_Fint *ierror)
{
    const int n_array_of_requests = *count;
    ARRAY(MPI_Request, c_array_of_requests, n_array_of_requests)
    for (int i = 0; i < n_array_of_requests; i++) c_array_of_requests[i] = INNER(MPI_Request_f2c)(array_of_requests[i]);
    const int n_array_of_statuses = NO_STATUSES(array_of_statuses) ? 0 : *count;
    ARRAY(MPI_Status, c_array_of_statuses, n_array_of_statuses)
    STATUSES(c_array_of_statuses, array_of_statuses, n_array_of_statuses);
    const int rc = CALL(MPI_Waitall)(*count, c_array_of_requests, NO_STATUSES(array_of_statuses) ? MPI_STATUSES_IGNORE : c_array_of_statuses);
    for (int i = 0; i < n_array_of_requests; i++) array_of_requests[i] = INNER(MPI_Request_c2f)(c_array_of_requests[i]);
    STATUSES(array_of_statuses, c_array_of_statuses, n_array_of_statuses);
    RESULT(rc);
}
void mpi_waitall_(const int *count, MPI_Fint *array_of_requests, MPI_Fint *array_of_statuses, MPI_Fint *ierror)
{
    ((__typeof__(body_mpi_waitall) *)wi4go_fortran_entries[AT_MPI_Waitall])(count, array_of_requests, array_of_statuses, ierror);
}
void mpi_waitall_f08_(const int *count, MPI_Fint *array_of_requests, MPI_Fint *array_of_statuses, MPI_Fint *ierror)
{
    ((__typeof__(body_mpi_waitall) *)wi4go_fortran_entries[AT_MPI_Waitall])(count, array_of_requests, array_of_statuses, GIVEN_IERROR(ierror));
}
NAMES_DIRECT(mpi_waitall, MPI_WAITALL)
void mpi_waitany_(const int *count, MPI_Fint *array_of_requests, int *indx, MPI_Fint *status, MPI_Fint *ierror)
{
    const int n_array_of_requests = *count;
    ARRAY(MPI_Request, c_array_of_requests, n_array_of_requests)
    for (int i = 0; i < n_array_of_requests; i++) c_array_of_requests[i] = INNER(MPI_Request_f2c)(array_of_requests[i]);
    MPI_Status c_status;
    STATUSES(&c_status, status, !NO_STATUS(status));
    const int rc = CALL(MPI_Waitany)(*count, c_array_of_requests, indx, NO_STATUS(status) ? MPI_STATUS_IGNORE : &c_status);
    for (int i = 0; i < n_array_of_requests; i++) array_of_requests[i] = INNER(MPI_Request_c2f)(c_array_of_requests[i]);
    STATUSES(status, &c_status, !NO_STATUS(status));
    if (likely(rc == MPI_SUCCESS)) {
        if (*indx != MPI_UNDEFINED) ++*indx;
    }
    RESULT(rc);
}
NAMES(mpi_waitany, MPI_WAITANY)
