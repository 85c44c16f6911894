/*
 * Reductions on an intercommunicator whose root has nothing to send, over a library that refuses
 * a null send buffer even there (MPI-5.0, 6.9.1), and also a send buffer equal to the receive
 * buffer. The library is given the address of an unused byte, which it does not read. The layer
 * `roots` is installed when the program gets its first intercommunicator, so that other programs
 * do not pay for it. The layer `intercomm` detects that; pthread_once makes it happen once. There
 * is no other state.
 */
#include "emulate.h"
#include <pthread.h>

/* Installs the layer. */
static void install_roots_layer(void) { wi4go_layers_install(WI4GO_AT_FIRST_INTERCOMM); }

/* Called before a call that may make an intercommunicator. */
static void expect_intercomm(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_roots_layer);
}

int intercomm_MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm)
{
    expect_intercomm();
    return BELOW(intercomm, MPI_Intercomm_create)(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
}

int intercomm_MPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
                                               const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
    expect_intercomm();
    return BELOW(intercomm, MPI_Intercomm_create_from_groups)(local_group, local_leader, remote_group, remote_leader, stringtag, info,
                                                                      errhandler, newintercomm);
}

int intercomm_MPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    expect_intercomm();
    return BELOW(intercomm, MPI_Comm_accept)(port_name, info, root, comm, newcomm);
}

int intercomm_MPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    expect_intercomm();
    return BELOW(intercomm, MPI_Comm_connect)(port_name, info, root, comm, newcomm);
}

int intercomm_MPI_Comm_join(int fd, MPI_Comm *intercomm)
{
    expect_intercomm();
    return BELOW(intercomm, MPI_Comm_join)(fd, intercomm);
}

int intercomm_MPI_Comm_get_parent(MPI_Comm *parent)
{
    const int rc = BELOW(intercomm, MPI_Comm_get_parent)(parent);
    if (rc == MPI_SUCCESS && *parent != MPI_COMM_NULL)
        expect_intercomm();
    return rc;
}

int intercomm_MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm,
                             int array_of_errcodes[])
{
    expect_intercomm();
    return BELOW(intercomm, MPI_Comm_spawn)(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
}

int intercomm_MPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[],
                                      const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[])
{
    expect_intercomm();
    return BELOW(intercomm, MPI_Comm_spawn_multiple)(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm,
                                                     intercomm, array_of_errcodes);
}

/* Returns the send buffer for the library. */
static const void *send_buffer(const void *sendbuf, int root)
{
    static const char nothing;
    return unlikely(!sendbuf) && root == MPI_ROOT ? &nothing : sendbuf;
}

int roots_MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    return BELOW(roots, MPI_Reduce)(send_buffer(sendbuf, root), recvbuf, count, datatype, op, root, comm);
}

int roots_MPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    return BELOW(roots, MPI_Reduce_c)(send_buffer(sendbuf, root), recvbuf, count, datatype, op, root, comm);
}

int roots_MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                      MPI_Request *request)
{
    return BELOW(roots, MPI_Ireduce)(send_buffer(sendbuf, root), recvbuf, count, datatype, op, root, comm, request);
}

int roots_MPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                        MPI_Request *request)
{
    return BELOW(roots, MPI_Ireduce_c)(send_buffer(sendbuf, root), recvbuf, count, datatype, op, root, comm, request);
}

int roots_MPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                          MPI_Info info, MPI_Request *request)
{
    return BELOW(roots, MPI_Reduce_init)(send_buffer(sendbuf, root), recvbuf, count, datatype, op, root, comm, info, request);
}

int roots_MPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                            MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return BELOW(roots, MPI_Reduce_init_c)(send_buffer(sendbuf, root), recvbuf, count, datatype, op, root, comm, info, request);
}
