/* The C side of attributes.F90. Communicators are Fortran's integers. */
#include <mpi.h>
#include <stdint.h>

static intptr_t seen;

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
	(void)comm, (void)keyval, (void)extra;
	seen = *(intptr_t *)in;
	*(intptr_t *)out = 777;
	*flag = 1;
	return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void *value, void *extra) {
	(void)comm, (void)keyval, (void)extra;
	if ((intptr_t)value != 777)
		seen = *(intptr_t *)value - 1;
	return MPI_SUCCESS;
}

int c_keyval(int dup) {
	int keyval;
	if (dup)
		MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, 0);
	else
		MPI_Comm_create_keyval(copy, drop, &keyval, 0);
	return keyval;
}

void c_set(int comm, int keyval, intptr_t value) {
	MPI_Comm_set_attr(MPI_Comm_f2c(comm), keyval, (void *)value);
}

intptr_t c_pointer(int comm, int keyval) {
	intptr_t value = -1;
	int flag;
	MPI_Comm_get_attr(MPI_Comm_f2c(comm), keyval, &value, &flag);
	return flag ? value : 0;
}

intptr_t c_get(int comm, int keyval) { return *(intptr_t *)c_pointer(comm, keyval); }
int c_get_int(int comm, int keyval) { return *(int *)c_pointer(comm, keyval); }
intptr_t c_seen(void) { return seen; }
