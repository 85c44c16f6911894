/* The objects of handles, and the handles of objects. A predefined object has a number as its handle. No locks. */
#include "handles.h"

struct comm *em_comm_predefined(uintptr_t number)
{
    if (number == NUMBER(MPI_COMM_WORLD))
        return em->world;
    return number == NUMBER(MPI_COMM_SELF) ? em->self : NULL;
}

MPI_Comm em_comm_handle(struct comm *comm)
{
    if (!comm)
        return MPI_COMM_NULL;
    return comm == em->world ? MPI_COMM_WORLD : comm == em->self ? MPI_COMM_SELF : (MPI_Comm)comm;
}

struct group *em_group_of(MPI_Group handle)
{
    struct group *group = (struct group *)handle;
    if (handle == MPI_GROUP_EMPTY)
        return em->empty;
    return NUMBER(handle) >= PREDEFINED && group->head.cookie == COOKIE(GROUP) ? group : NULL;
}

MPI_Group em_group_handle(struct group *group) { return group == em->empty ? MPI_GROUP_EMPTY : (MPI_Group)group; }

struct errhandler *em_errhandler_of(MPI_Errhandler handle)
{
    struct errhandler *errhandler = (struct errhandler *)handle;
    if (handle == MPI_ERRORS_ARE_FATAL)
        return em->fatal;
    if (handle == MPI_ERRORS_ABORT)
        return em->abort;
    if (handle == MPI_ERRORS_RETURN)
        return em->return_;
    return NUMBER(handle) >= PREDEFINED && errhandler->head.cookie == COOKIE(ERRHANDLER) ? errhandler : NULL;
}

MPI_Errhandler em_errhandler_handle(struct errhandler *errhandler)
{
    if (errhandler->action)
        return (MPI_Errhandler)(intptr_t)errhandler->action;
    return (MPI_Errhandler)errhandler;
}
