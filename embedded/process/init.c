/*
 * The start and the end of MPI in a rank (MPI-5.0, 11.2), and the state. The launcher passes rank
 * and segment in the variables of the device (ADI_RANK, ADI_FD). Ranks of another launcher find each
 * other (join.c). A program without a launcher is a job of one rank.
 */
#include "join.h"
#include "functions.h"
#include "../base/attributes.h"
#include "../base/errors.h"
#include "../base/release.h"
#include "../base/request.h"
#include "../coll/coll.h"
#include "../mpi/comm.h"
#include "../types/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- predefined objects ---- */

static struct comm *predefined_comm(struct group *group, int reserved, const char *name)
{
    struct comm *comm = group ? em_comm_new(group, NULL, (struct ids){NO_CONTEXT, NO_AREA}) : NULL;
    if (!comm)
        return NULL;
    comm->context = reserved * CONTEXTS;
    comm->head.predefined = true;
    snprintf(comm->name, sizeof comm->name, "%s", name);
    return comm;
}

/* Returns the group of the ranks first to first + size - 1 of the job. */
static struct group *ranks_from(int first, int size)
{
    struct group *group = em_group_new(size);
    if (!group)
        return NULL;
    for (int i = 0; i < size; i++)
        group->grank[i] = first + i;
    em_group_find_self(group);
    return group;
}

/* Creates the predefined datatypes, operations, groups and communicators. Returns an error code. */
static int make_predefined(void)
{
    int err = em_types_init();
    if (err)
        return err;
    em->empty = ranks_from(0, 0);
    if (!em->empty)
        return MPI_ERR_NO_MEM;
    em->empty->head.predefined = true;
    struct group *all = ranks_from(0, MPID_MyWorldSize), *own = ranks_from(MPID_MyWorldRank, 1);
    em->world = predefined_comm(all, 0, "MPI_COMM_WORLD");
    em->self = predefined_comm(own, 1, "MPI_COMM_SELF");
    em_group_release(all);
    em_group_release(own);
    if (!em->world || !em->self)
        return MPI_ERR_NO_MEM;
    em->world->ids.area = em_area_of_all(em->world->size);
    return MPI_SUCCESS;
}

static int make_handlers(void)
{
    em->fatal = em_errhandler_predefined(MPI_ERRORS_ARE_FATAL);
    em->abort = em_errhandler_predefined(MPI_ERRORS_ABORT);
    em->return_ = em->file_errhandler = em_errhandler_predefined(MPI_ERRORS_RETURN);
    return em->fatal && em->abort && em->return_ ? MPI_SUCCESS : em_error(MPI_ERR_NO_MEM, "no memory for error handlers");
}

/* ---- MPI_Init ---- */

/* Returns the function of MPI that the program has called, for the name of a function that waits. */
static const char *caller_of(const char *function)
{
    if (em_waits_as)
        return em_waits_as;
    static const char *const names[][2] = {
        {"MPID_Recv", "MPI_Recv"}, {"MPID_Send", "MPI_Send"}, {"MPID_Ssend", "MPI_Ssend"}, {"MPID_Rsend", "MPI_Rsend"},
        {"MPID_End", "MPI_Finalize"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(function, names[i][0]))
            return names[i][1];
    return function;
}

/* Returns the error of a rank that cannot use the memory that its environment names. */
static int no_memory_of_job(const struct MPID_Config *config, int err)
{
    static const char cure[] = "start it by its own `wi4go run`, without ADI_RANK and ADI_FD";
    if (err == MPIR_ERR_ARG)
        return em_error(MPI_ERR_OTHER, "descriptor %d (ADI_FD) is not the memory of a job: rank %d has started this program, or a script has closed the descriptor; %s", config->fd, config->rank, cure);
    if (err == MPIR_ERR_OTHER)
        return em_error(MPI_ERR_OTHER, "rank %d of the job has called MPI_Init already, in another program; %s", config->rank, cure);
    if (err == MPIR_ERR_CANCELLED) { /* another rank prints the error, and its launcher ends this one */
        sleep(2);
        _exit(MPI_ERR_NO_MEM);
    }
    return em_error(MPI_ERR_NO_MEM, "the memory of the job cannot be used (%s); raise the limits of memory (ulimit -v) and of the size of files (ulimit -f), or start fewer ranks", strerror(errno));
}

/* Runs in the child after a fork: it is no rank of the job. */
static void leave_to_parent(void)
{
    int running = RUNNING;
    if (atomic_compare_exchange_strong(&em->phase, &running, FORKED))
        MPID_Leave();
}

int em_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    struct MPID_Config config;
    int err = MPID_SUCCESS;
    if (atomic_load(&em->phase) != NOT_STARTED)
        return em_error(MPI_ERR_OTHER, "MPI is initialized already, or finalized");
#ifdef ADI_RANK_THREADS
    if (!(MPID_Above = calloc(1, sizeof(struct em_state))))
        return MPI_ERR_NO_MEM;
#endif
    MPID_Config_init(&config);
    em_follow_launcher();
    if ((err = em_join(&config)))
        return err;
    em->thread_level = required <= MPI_THREAD_SINGLE ? MPI_THREAD_SINGLE : required <= MPI_THREAD_FUNNELED ? MPI_THREAD_FUNNELED
        : required <= MPI_THREAD_SERIALIZED ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
    em->threads = em->thread_level == MPI_THREAD_MULTIPLE || config.threads;
    config.threads = em->threads;
    config.caller_of = caller_of;
    config.contexts = CONTEXTS;
    em->converts = config.msgrep == MPID_MSGFORM_XDR;
    config.request_free = em_request_abandoned;
    em->schedules.progress = em_schedules_progress;
    em->main_thread = pthread_self();
    MPID_Init(argc, argv, &config, &err);
    if (err != MPID_SUCCESS)
        return no_memory_of_job(&config, err);
    if ((err = make_handlers()) || (err = make_predefined()))
        return em_error(err, "no memory for predefined objects");
    if ((err = em_area_open(em->world)))
        return err;
    em_attributes_begin();
    atomic_store(&em->phase, RUNNING);
    pthread_atfork(NULL, NULL, leave_to_parent); /* ignore errors: then a forked child crashes if it calls MPI */
    *provided = em->thread_level;
    return MPI_SUCCESS;
}

int em_Init(int *argc, char ***argv)
{
    int provided;
    return em_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

/* ---- MPI_Finalize ---- */

/* The tag of the messages of MPI_Finalize. No collective operation has it: a rank that has failed calls MPI_Finalize while
 * others are in one, and neither may take the other's messages. */
enum { FINALIZE_TAG = 0x40000000 };

/* Waits for all ranks: a rank that has ended answers no request. */
int em_Finalize(void)
{
    int err = em_attributes_delete(COMM, em->self, &em->self->attributes); /* first (MPI-5.0, 11.2.4) */
    if (err)
        return err;
    em->world->next_tag = FINALIZE_TAG;
    MPI_Request all;
    err = em_Ibarrier(em->world, &all);
    if (!err)
        err = em_finish((struct request *)all, NULL, "MPI_Finalize");
    if (err)
        return err;
    atomic_store(&em->phase, FINALIZED);
    em_attributes_delete(COMM, em->world, &em->world->attributes);
    em->world->head.predefined = em->self->head.predefined = false;
    em_comm_release(em->world);
    em_comm_release(em->self);
    em->world = em->self = NULL;
    em_types_end();
    MPID_End();
    em_schedules_end();
    em_watch_end();
    return MPI_SUCCESS;
}

int em_Initialized(int *flag)
{
    *flag = atomic_load(&em->phase) != NOT_STARTED;
    return MPI_SUCCESS;
}

int em_Finalized(int *flag)
{
    *flag = atomic_load(&em->phase) == FINALIZED;
    return MPI_SUCCESS;
}

int em_Query_thread(int *provided)
{
    *provided = em->thread_level;
    return MPI_SUCCESS;
}

int em_Is_thread_main(int *flag)
{
    *flag = pthread_equal(pthread_self(), em->main_thread) != 0;
    return MPI_SUCCESS;
}

int em_Abort(struct comm *comm, int errorcode)
{
    MPID_Abort(NULL, errorcode, "MPI_Abort", NULL);
}
