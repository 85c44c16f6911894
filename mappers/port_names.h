/*
 * Names of ports (MPI-5.0, 11.9). A runtime's name may be longer than the MPI_MAX_PORT_NAME of
 * the program's mpi.h. MPICH's contains the addresses of all its devices, and the limit of other
 * families is 256. The program gets a short name with a hash instead of such a long one. The
 * long name is published under the short one, so that any process of the job finds it.
 *
 * Gives: MPI_Open_port, MPI_Comm_connect and their kind.
 * Needs: pair.h, errors.h, handles.h, spawn.h, cut_string.h.
 */
#ifndef WI4GO_PORT_NAMES_H
#define WI4GO_PORT_NAMES_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "spawn.h"
#include "cut_string.h"
#include <string.h>

static const char hash_prefix[] = "wi4go-port:"; /* the beginning of a short name; the hash in hexadecimal follows */

/* Reports whether a name of the program may be a short name with a hash. */
static int is_hashed_port(const char *port_name)
{
    return A_MPI_MAX_PORT_NAME < R_MPI_MAX_PORT_NAME && port_name && !strncmp(port_name, hash_prefix, sizeof hash_prefix - 1);
}

/* Returns the runtime's name for the program's. A name that was looked up is in room, which has
   R_MPI_MAX_PORT_NAME characters. */
static const char *port_a2r(const char *port_name, char *room)
{
    return is_hashed_port(port_name) && !R_MPI_Lookup_name(port_name, R_MPI_INFO_NULL, room) ? room : port_name;
}

/* Writes the program's name for the runtime's to port_name, which has room for
   A_MPI_MAX_PORT_NAME characters, or is NULL. */
static void port_r2a(const char *name, char *port_name)
{
    if (!port_name)
        return;
    if (strlen(name) < A_MPI_MAX_PORT_NAME) {
        strcpy(port_name, name);
        return;
    }
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    port_name = stpcpy(port_name, hash_prefix);
    for (int digit = 15; digit >= 0; digit--)
        *port_name++ = "0123456789abcdef"[hash >> 4 * digit & 15];
    *port_name = 0;
}

static int A_MPI_Open_port(A_MPI_Info info, char *port_name)
{
    char name[R_MPI_MAX_PORT_NAME + 1] = "";
    int rc = R_MPI_Open_port(INFO_a2r(info), port_name ? name : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    port_r2a(name, port_name);
    if (is_hashed_port(port_name) && (rc = R_MPI_Publish_name(port_name, R_MPI_INFO_NULL, name))) {
        R_MPI_Close_port(name);
        return error_r2a(rc);
    }
    return 0;
}

static int A_MPI_Close_port(const char *port_name)
{
    char room[R_MPI_MAX_PORT_NAME + 1];
    const char *name = port_a2r(port_name, room);
    if (name != port_name)
        R_MPI_Unpublish_name(port_name, R_MPI_INFO_NULL, name);
    int rc = R_MPI_Close_port(name);
    return unlikely(rc) ? error_r2a(rc) : 0;
}

static int A_MPI_Publish_name(const char *service_name, A_MPI_Info info, const char *port_name)
{
    char room[R_MPI_MAX_PORT_NAME + 1];
    int rc = R_MPI_Publish_name(service_name, INFO_a2r(info), port_a2r(port_name, room));
    return unlikely(rc) ? error_r2a(rc) : 0;
}

static int A_MPI_Unpublish_name(const char *service_name, A_MPI_Info info, const char *port_name)
{
    char room[R_MPI_MAX_PORT_NAME + 1];
    int rc = R_MPI_Unpublish_name(service_name, INFO_a2r(info), port_a2r(port_name, room));
    return unlikely(rc) ? error_r2a(rc) : 0;
}

static int A_MPI_Lookup_name(const char *service_name, A_MPI_Info info, char *port_name)
{
    char name[R_MPI_MAX_PORT_NAME + 1] = "";
    int rc = R_MPI_Lookup_name(service_name, INFO_a2r(info), port_name ? name : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    port_r2a(name, port_name);
    return 0;
}

/* Defines MPI_Comm_accept or MPI_Comm_connect. The name of the port and the info are significant
   at the root only. */
#define ACCEPT_OR_CONNECT(function)                                                                                                   \
    static int A_##function(const char *port_name, A_MPI_Info info, int root, A_MPI_Comm comm, A_MPI_Comm *newcomm)        \
    {                                                                                                                     \
        char room[R_MPI_MAX_PORT_NAME + 1];                                                                               \
        R_MPI_Comm r_comm = COMM_a2r(comm), r_newcomm = NO_HANDLE(R_MPI_Comm);                                            \
        int at_root = is_collective_root(r_comm, root);                                                                              \
        int rc = R_##function(at_root ? port_a2r(port_name, room) : port_name, at_root ? INFO_a2r(info) : R_MPI_INFO_NULL, \
                                     (int)RANK_a2r(root), r_comm, newcomm ? &r_newcomm : NULL);                          \
        if (unlikely(rc)) {                                                                                               \
            if (newcomm && r_newcomm == R_MPI_COMM_NULL)                                                                  \
                *newcomm = COMM_r2a(r_newcomm);                                                                           \
            return error_r2a(rc);                                                                                         \
        }                                                                                                                 \
        *newcomm = COMM_r2a(r_newcomm);                                                                                   \
        return 0;                                                                                                         \
    }
ACCEPT_OR_CONNECT(MPI_Comm_accept)
ACCEPT_OR_CONNECT(MPI_Comm_connect)
#undef ACCEPT_OR_CONNECT
#endif
