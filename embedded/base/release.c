/*
 * The end of objects that hold memory or other objects. Other objects end in the files of their functions.
 * No state; references are atomic, so there are no locks.
 */
#include "release.h"
#include "errors.h"
#include "ids.h"
#include "pool.h"

#include <stdlib.h>

void em_info_release(struct info *info)
{
    if (!info || !em_drop(&info->head))
        return;
    for (int i = 0; i < info->entries; i++) {
        free(info->entry[i].key);
        free(info->entry[i].value);
    }
    free(info->entry);
    em_delete(INFO, info);
}

void em_group_release(struct group *group)
{
    if (!group || !em_drop(&group->head))
        return;
    free(group->grank);
    em_delete(GROUP, group);
}

void em_comm_release(struct comm *comm)
{
    if (!comm || !em_drop(&comm->head))
        return;
    if (comm->area.memory)
        MPID_Memory_unmap(comm->ids.area, comm->area.number);
    MPID_CommFree(&comm->device);
    em_ids_drop(&comm->ids);
    em_reserve_drop(comm);
    em_comm_release(comm->within);
    free(comm->topology);
    em_errhandler_release(comm->errhandler);
    em_info_release(comm->info);
    em_group_release(comm->remote);
    em_group_release(comm->local);
    em_delete(COMM, comm);
}
