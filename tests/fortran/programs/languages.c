/* The C side of languages.F90. Handles are Fortran's integers, statuses Fortran's arrays. */
#include <mpi.h>
#include <string.h>

static int handled;

void c_receive(MPI_Fint comm, MPI_Fint datatype, int source, int tag, int *values, int count, MPI_Fint *status) {
	MPI_Status s;
	MPI_Recv(values, count, MPI_Type_f2c(datatype), source, tag, MPI_Comm_f2c(comm), &s);
	MPI_Status_c2f(&s, status);
}

/* Reads source, tag, count and the cancelled flag. */
void c_read(MPI_Fint *status, MPI_Fint datatype, int *read) {
	MPI_Status s;
	MPI_Status_f2c(status, &s);
	read[0] = s.MPI_SOURCE;
	read[1] = s.MPI_TAG;
	MPI_Get_count(&s, MPI_Type_f2c(datatype), &read[2]);
	MPI_Test_cancelled(&s, &read[3]);
}

MPI_Fint c_send(MPI_Fint comm, MPI_Fint datatype, const int *values, int count, int target, int tag) {
	MPI_Request r;
	MPI_Isend(values, count, MPI_Type_f2c(datatype), target, tag, MPI_Comm_f2c(comm), &r);
	return MPI_Request_c2f(r);
}

void c_start(MPI_Fint *request) {
	MPI_Request r = MPI_Request_f2c(*request);
	MPI_Start(&r);
	*request = MPI_Request_c2f(r);
}

void c_wait(MPI_Fint *request, MPI_Fint *status) {
	MPI_Request r = MPI_Request_f2c(*request);
	MPI_Status s;
	MPI_Wait(&r, &s);
	*request = MPI_Request_c2f(r);
	MPI_Status_c2f(&s, status);
}

void c_receive_message(MPI_Fint *message, int *values, int count) {
	MPI_Message m = MPI_Message_f2c(*message);
	MPI_Mrecv(values, count, MPI_INT, &m, MPI_STATUS_IGNORE);
	*message = MPI_Message_c2f(m);
}

MPI_Fint c_three(MPI_Fint datatype) {
	MPI_Datatype three;
	MPI_Type_contiguous(3, MPI_Type_f2c(datatype), &three);
	MPI_Type_commit(&three);
	return MPI_Type_c2f(three);
}

static void largest(void *in, void *inout, int *n, MPI_Datatype *datatype) {
	int *a = in, *b = inout;
	for (int i = 0; i < *n && *datatype == MPI_Type_f2c(MPI_Type_c2f(*datatype)); i++)
		b[i] = a[i] > b[i] ? a[i] : b[i];
}

MPI_Fint c_operation(void) {
	MPI_Op op;
	MPI_Op_create(largest, 1, &op);
	return MPI_Op_c2f(op);
}

int c_reduce(MPI_Fint comm, MPI_Fint datatype, MPI_Fint op, int value) {
	int reduced = -1;
	MPI_Allreduce(&value, &reduced, 1, MPI_Type_f2c(datatype), MPI_Op_f2c(op), MPI_Comm_f2c(comm));
	return reduced;
}

int c_group_size(MPI_Fint group) {
	int size = -1;
	MPI_Group_size(MPI_Group_f2c(group), &size);
	return size;
}

MPI_Fint c_last(MPI_Fint comm) {
	MPI_Group all, last;
	int size, rank;
	MPI_Comm_size(MPI_Comm_f2c(comm), &size);
	rank = size - 1;
	MPI_Comm_group(MPI_Comm_f2c(comm), &all);
	MPI_Group_incl(all, 1, &rank, &last);
	MPI_Group_free(&all);
	return MPI_Group_c2f(last);
}

MPI_Fint c_duplicate(MPI_Fint comm) {
	MPI_Comm twin;
	MPI_Comm_dup(MPI_Comm_f2c(comm), &twin);
	return MPI_Comm_c2f(twin);
}

/* Returns the length of the value in the info, and sets the same value under another key. */
int c_info(MPI_Fint info) {
	char value[20] = "";
	int flag = 0;
	MPI_Info_get(MPI_Info_f2c(info), "fortran", 19, value, &flag);
	MPI_Info_set(MPI_Info_f2c(info), "c", value);
	return flag ? (int)strlen(value) : -1;
}

MPI_Fint c_new_info(void) {
	MPI_Info info;
	MPI_Info_create(&info);
	MPI_Info_set(info, "c", "made here");
	return MPI_Info_c2f(info);
}

static void on_error(MPI_Comm *comm, int *code, ...) {
	int size = 0;
	MPI_Comm_size(*comm, &size);
	handled += *code == MPI_ERR_OTHER ? size : 0;
}

MPI_Fint c_errhandler(void) {
	MPI_Errhandler handler;
	MPI_Comm_create_errhandler(on_error, &handler);
	return MPI_Errhandler_c2f(handler);
}

int c_handled(void) { return handled; }

void c_call_errhandler(MPI_Fint comm, MPI_Fint errhandler) {
	MPI_Comm_set_errhandler(MPI_Comm_f2c(comm), MPI_Errhandler_f2c(errhandler));
	MPI_Comm_call_errhandler(MPI_Comm_f2c(comm), MPI_ERR_OTHER);
}

void c_put(MPI_Fint win, int target, int value) {
	MPI_Win_fence(0, MPI_Win_f2c(win));
	MPI_Put(&value, 1, MPI_INT, target, 1, 1, MPI_INT, MPI_Win_f2c(win));
	MPI_Win_fence(0, MPI_Win_f2c(win));
}

void c_write(MPI_Fint file, int at, int value, MPI_Fint *status) {
	MPI_Status s;
	MPI_File_write_at_all(MPI_File_f2c(file), at, &value, 1, MPI_INT, &s);
	MPI_Status_c2f(&s, status);
}

#ifndef MPIABI /* the standard ABI has no such variable */
/* Reports whether it is Fortran's MPI_STATUS_IGNORE; called without an interface. */
int c_ignores_(MPI_Fint *status) { return status == MPI_F_STATUS_IGNORE; }
#endif
