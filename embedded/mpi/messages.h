/*
 * Messages between processes in any context of a communicator. context is CONTEXT_POINT or another of its contexts. dest
 * and source are ranks of the remote group, never MPI_PROC_NULL. The device part of a request is a send (receive) that has
 * been started.
 *
 * Gives: em_isend, em_irecv, em_send, em_recv, em_bsend, em_message_init, em_send_kind, em_receive_kind.
 * Needs: base/objects.h, base/datatype.h.
 */
#ifndef WI4GO_EMBEDDED_MESSAGES_H
#define WI4GO_EMBEDDED_MESSAGES_H

#include "../base/datatype.h"

extern const struct request_kind em_send_kind, em_receive_kind;
/* Functions of both kinds. */
bool em_message_complete(struct request *request);
void em_message_abandon(struct request *request);

int em_isend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, int context, int mode, MPIR_SHANDLE *send);
int em_irecv(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, int context, MPIR_RHANDLE *receive);
/* The blocking forms. */
int em_send(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, int context, const char *function);
int em_recv(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, int context, MPI_Status *status, const char *function);

/* A buffered send (bsend.c): copies the data into the attached buffer. */
int em_bsend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm);
/* Makes an inactive persistent request. */
int em_message_init(const struct request_kind *kind, void *buf, int64_t count, struct type *type, int peer, int tag, struct comm *comm, int mode, MPI_Request *handle);

#endif
