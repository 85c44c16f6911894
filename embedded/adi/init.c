/*
 * Starts and ends a rank. Only the thread that calls MPID_Init or MPID_End changes the variables of
 * the library (state.c).
 */
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adi_launch.h"
#include "birth.h"
#include "copy.h"
#include "debug.h"
#include "progress.h"
#include "turns.h"
#include "wake.h"

/* Returns the job's segment, or for a job without a launcher one for a single rank; NULL if memory
 * is lacking. owned: its size if MPID_End must unmap it. fd: its descriptor, which the caller owns, or -1. */
static struct adi_segment *find_segment(const struct MPID_Config *config, uint64_t *owned, int *fd)
{
    *owned = 0;
    *fd = -1;
    if (config->segment)
        return config->segment;
    struct adi_segment head, *segment;
    if (config->fd >= 0) {
        struct adi_job job;
        struct stat stat;
        if (fstat(config->fd, &stat) || !S_ISREG(stat.st_mode) || stat.st_nlink) { /* a file of the program's, in a child of a rank */
            errno = EBADF;
            return NULL;
        }
        adi_job_init(&job, 0);
        segment = job.ranks && adi_segment_fill(config->fd, &job) ? NULL : adi_segment_map(config->fd);
        if (!segment && !adi_segment_is_first(config->fd))
            errno = ECANCELED;
        if (segment)
            *fd = adi_memory_keep(config->fd);
        else
            close(config->fd);
        *owned = segment ? segment->bytes : 0;
        return segment;
    }
    uint64_t bytes = adi_segment_layout(&head, 1, 0);
    if (!(segment = adi_zeros(bytes)))
        return NULL;
    head.cores = 1;
    *segment = head;
    *owned = bytes;
    return segment;
}

/* All devices. A rank is reached by the first one that can. */
static const struct adi_device *const all_devices[] = {&adi_self_device, &adi_shm_device};

/* Gives each rank of the job its device, and starts those that reach one. Returns false if memory is lacking. */
static bool connect_ranks(struct adi_state *st)
{
    for (unsigned i = 0; i < sizeof all_devices / sizeof *all_devices; i++) {
        const struct adi_device *device = all_devices[i];
        int reached = 0;
        for (int rank = 0; rank < st->size; rank++)
            if (!st->peers[rank].device && device->reaches(st, rank)) {
                st->peers[rank].device = device;
                reached++;
            }
        if (!reached)
            continue;
        if (device->start && !device->start(st))
            return false;
        st->devices[st->device_count++] = device;
    }
    adi_start_progress(st);
    return true;
}

/* Lets the devices leave, unmaps memory objects, and frees the state. */
static void end_state(struct adi_state *st)
{
    for (int i = 0; i < st->device_count; i++)
        if (st->devices[i]->leave)
            st->devices[i]->leave(st);
    adi_memory_end(&st->own_memory);
    adi_free_state(st);
}

/* Returns the state of a rank, which is connected with all others, or NULL if memory is lacking. fd: the segment's descriptor, which
 * this function takes over, or -1. */
static struct adi_state *begin_state(const struct MPID_Config *config, struct adi_segment *segment, int fd)
{
    struct adi_state *st = adi_make_state(config, segment);
    if (!st) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    adi_memory_begin(&st->own_memory, segment, fd);
    st->memory = config->memory ? config->memory : &st->own_memory;
    if (!connect_ranks(st)) {
        end_state(st);
        return NULL;
    }
    return st;
}

void MPID_Init(int *argc, char ***argv, void *settings, int *err)
{
    struct MPID_Config config;
    uint64_t owned;
    int fd;
    if (adi_self) {
        *err = MPIR_ERR_OTHER;
        return;
    }
    if (settings)
        config = *(struct MPID_Config *)settings;
    else
        MPID_Config_init(&config);
    adi_limit_settings(&config);
    MPID_MyWorldRank = config.rank < 0 ? 0 : config.rank;
    struct adi_segment *segment = find_segment(&config, &owned, &fd);
    if (!segment) {
        *err = errno == EBADF ? MPIR_ERR_ARG : errno == ECANCELED ? MPIR_ERR_CANCELLED : MPIR_ERR_EXHAUSTED;
        return;
    }
    bool valid = config.rank < (int)segment->ranks, taken = valid && config.fd >= 0 && atomic_load(&adi_block_of(segment, config.rank)->pid);
    struct adi_state *st = valid && !taken ? begin_state(&config, segment, fd) : NULL;
    if (!st) {
        *err = taken ? MPIR_ERR_OTHER : valid ? MPIR_ERR_EXHAUSTED : MPIR_ERR_ARG;
        if (fd >= 0 && (taken || !valid))
            close(fd);
        if (owned)
            munmap(segment, owned);
        return;
    }
    st->segment_bytes = owned;
    adi_self = st;
    MPID_MyWorldRank = st->rank;
    MPID_MyWorldSize = st->size;
    adi_copy_init(st);
    adi_wait_init(st);
    adi_set_fast_short(st);
    if (config.tracefile)
        MPID_Set_tracefile(config.tracefile);
    atomic_store_explicit(&st->block->pid, getpid(), memory_order_release); /* the launcher and other ranks read it */
}

/* Reports whether this rank owes something to a rank that has not ended. */
static bool owes(const struct adi_state *st)
{
    for (int i = 0; i < st->device_count; i++)
        if (st->devices[i]->owes && st->devices[i]->owes(st))
            return true;
    return false;
}

static bool owes_nothing(void *st) { return !owes(st); }

void MPID_End(void)
{
    struct adi_state *st = adi_self;
    struct adi_pause pause = {.ready = owes_nothing, .argument = st}; /* the end of another rank is no event */
    struct MPID_Blocked why = adi_why(st, NULL, "MPID_End", MPID_ANY_SOURCE, -1, MPID_ANY_TAG, -1);
    while (owes(st)) {
        pause.ticket = atomic_load_explicit(&st->events, memory_order_acquire);
        if (adi_poll(st, true))
            pause.idle = 0;
        else if (adi_pause(st, &pause, &why) == MPIR_ERR_PEER)
            adi_job_is_over(st, &why);
    }
    adi_unpause(st, &pause);
    adi_leave_core(st);
    atomic_store_explicit(&st->block->ended, 1, memory_order_seq_cst);
    for (int rank = 0; rank < st->size; rank++) /* a rank in MPID_End may wait for this one */
        adi_wake(adi_block_of(st->segment, rank));
    adi_end_debug(st);
    end_state(st);
    adi_self = NULL;
}
