/*
 * Starts and ends a rank. Only the thread that calls MPID_Init or MPID_End changes the variables of
 * the library (state.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "birth.h"
#include "internal.h"

_Static_assert(sizeof(struct adi_line) == ADI_LINE, "a line is a cache line");
_Static_assert(sizeof(struct adi_feedback) == ADI_LINE, "the feedback is a cache line");

/* Returns memory that is zero, which takes no pages before it is written, or NULL. */
static void *zeros(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* ---- settings ---- */

static void free_handle(union MPIR_HANDLE *request) { free(request); }

/* Returns the number in a variable of the environment, or usual. */
static int64_t number(const char *name, int64_t usual)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return usual;
    int64_t value = strtoll(text, &end, 0);
    return *end ? usual : value;
}

void MPID_Config_init(struct MPID_Config *config)
{
    const char *msgrep = getenv("ADI_MSGREP"), *preload = getenv("LD_PRELOAD");
    bool watched = preload && strstr(preload, "/vgpreload_"); /* valgrind does not see what another process writes */
    *config = (struct MPID_Config){
        .rank = (int)number("ADI_RANK", -1),
        .fd = (int)number("ADI_FD", -1),
        .launcher = (int)number("ADI_LAUNCHER", 0),
        .threads = number("ADI_THREADS", 0),
        .check = number("ADI_CHECK", 0),
        .fence = number("ADI_FENCE", 0),
        .no_futex = !number("ADI_FUTEX", 1),
        .spin_us = (int)number("ADI_SPIN_US", -1),
        .short_max = number("ADI_SHORT", ADI_SHORT_MAX),
        .lines_max = number("ADI_LINES", ADI_LINES_MAX),
        .eager_max = number("ADI_EAGER", 4096),
        .first_max = number("ADI_FIRST", 16384),
        .chunk = number("ADI_CHUNK", 32768),
        .sender_past_min = number("ADI_SENDER_PAST", 1024),
        .receiver_past_min = number("ADI_RECEIVER_PAST", 3 << 20),
        .direct_min = number("ADI_DIRECT", watched ? INT64_MAX : 256 << 10),
        .huge_uses = number("ADI_HUGE", 16),
        .unexpected_max = number("ADI_UNEXPECTED", 0),
        .msgrep = msgrep && !strcmp(msgrep, "xdr") ? MPID_MSGFORM_XDR : MPID_MSGFORM_OK,
        .tracefile = getenv("ADI_TRACE"),
        .allocate = malloc,
        .release = free,
        .request_free = free_handle,
    };
    adi_birth(config);
}

/* Brings settings that make no sense into their range. */
static void limit_settings(struct MPID_Config *config)
{
    if (config->short_max > ADI_SHORT_MAX)
        config->short_max = ADI_SHORT_MAX;
    if (config->short_max < 0)
        config->short_max = 0;
    if (config->eager_max < config->short_max)
        config->eager_max = config->short_max;
    if (config->chunk < 1)
        config->chunk = 1;
}

/* ---- the state ---- */

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
    if (!(segment = zeros(bytes)))
        return NULL;
    head.cores = 1;
    *segment = head;
    *owned = bytes;
    return segment;
}

/* Fills the sender's side of the pair from this rank to another one. `out` is all zeros. */
static void connect_out(struct adi_state *st, int to)
{
    struct adi_out *out = &st->out[to];
    struct adi_segment *segment = st->segment;
    out->rank = to;
    out->block = adi_block_of(segment, to);
    out->pending_end = &out->pending;
    out->pushing_end = &out->pushing;
    out->answers_end = &out->answers;
    MPID_THREAD_DS_LOCK_INIT(out);
    out->device = to == st->rank ? &adi_self_device : &adi_shm_device;
    if (to == st->rank)
        return;
    out->buffers = &st->histories[to].sent;
    struct adi_feedback *box = adi_box_of(segment, st->rank, to);
    out->feedback = box;
    out->lines = (struct adi_line *)(box + 1);
    out->line_bits = segment->line_bits;
    out->mask = (1u << segment->line_bits) - 1;
    out->eager = (struct adi_bytes){.base = adi_eager_of(segment, st->rank, to), .size = segment->eager_bytes};
    out->chunk = (struct adi_bytes){.base = adi_chunk_of(segment, st->rank, to), .size = segment->chunk_bytes};
    out->direct.pieces = adi_pieces_of(segment, st->rank, to);
    out->limit = out->mask + 1;
    out->quickest = INT64_MAX; /* quickest_before is 0: near, until some answers have been counted */
}

/* Fills the receiver's side of the pair from another rank to this one. `in` is all zeros. */
static void connect_in(struct adi_state *st, int from)
{
    struct adi_in *in = &st->in[from];
    struct adi_segment *segment = st->segment;
    in->rank = from;
    MPID_THREAD_DS_LOCK_INIT(in);
    if (from == st->rank)
        return;
    in->buffers = &st->histories[from].received;
    in->pace = st->histories[from].pace;
    struct adi_feedback *box = adi_box_of(segment, from, st->rank);
    in->feedback = box;
    in->lines = (struct adi_line *)(box + 1);
    in->line_bits = segment->line_bits;
    in->mask = (1u << segment->line_bits) - 1;
    in->eager = (struct adi_bytes){.base = adi_eager_of(segment, from, st->rank), .size = segment->eager_bytes};
    in->chunk = (struct adi_bytes){.base = adi_chunk_of(segment, from, st->rank), .size = segment->chunk_bytes};
    in->direct.pieces = adi_pieces_of(segment, from, st->rank);
}

static const int64_t usual_unexpected = 4 << 20; /* see room.c */

static size_t bytes_of_histories(int size) { return (size_t)size * sizeof(struct adi_history); }
static size_t bytes_of_state(int size) { return sizeof(struct adi_state) + (size_t)size * (sizeof(struct adi_out) + sizeof(struct adi_in) + sizeof(struct adi_in *)); }

/* Returns the state of a rank with its tables in one block, or NULL. fd: the segment's descriptor, which the state owns, or -1. */
static struct adi_state *make_state(const struct MPID_Config *config, struct adi_segment *segment, int fd)
{
    int size = (int)segment->ranks;
    struct adi_history *histories = zeros(bytes_of_histories(size));
    char *memory = histories ? config->allocate(bytes_of_state(size)) : NULL;
    if (!memory) {
        if (histories)
            munmap(histories, bytes_of_histories(size));
        return NULL;
    }
    memset(memory, 0, bytes_of_state(size));
    struct adi_state *st = (struct adi_state *)memory;
    st->out = (struct adi_out *)(memory + sizeof *st);
    st->in = (struct adi_in *)(st->out + size);
    st->active = (struct adi_in **)(st->in + size);
    st->histories = histories;
    st->config = *config;
    st->segment = segment;
    adi_memory_begin(&st->own_memory, segment, fd);
    st->memory = config->memory ? config->memory : &st->own_memory;
    st->rank = config->rank < 0 ? 0 : config->rank;
    st->size = size;
    st->packet = INT64_MAX;
    atomic_init(&st->huge_page, -1);
    st->threads = config->threads && ADI_LOCKS;
    st->block = adi_block_of(segment, st->rank);
    st->queues.allocate = adi_allocate;
    st->queues.release = adi_release;
    st->queues.state = st;
    st->queues.limit = st->queues.usual_limit = config->unexpected_max > 0 ? config->unexpected_max : usual_unexpected;
    MPID_THREAD_DS_LOCK_INIT(&st->queues);
    MPID_THREAD_DS_LOCK_INIT(&st->greet);
    atomic_init(&st->space, (long long)bytes_of_state(size));
    for (int rank = 0; rank < size; rank++) {
        connect_out(st, rank);
        connect_in(st, rank);
    }
    return st;
}

/* Returns the largest message of ADI_LINES: at most a quarter of a ring. 0: none. */
static int64_t largest_of_lines(const struct adi_state *st)
{
    int64_t ring = ADI_SHORT_MAX + ADI_MORE * ((1ll << st->segment->line_bits) / 4 - 1), most = st->config.lines_max;
    most = most < st->config.eager_max ? most : st->config.eager_max;
    most = most < ring ? most : ring;
    most = most < ADI_LINES_MAX ? most : ADI_LINES_MAX;
    return most > ADI_SHORT_MAX && st->config.short_max == ADI_SHORT_MAX ? most : 0;
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
    limit_settings(&config);
    MPID_MyWorldRank = config.rank < 0 ? 0 : config.rank;
    struct adi_segment *segment = find_segment(&config, &owned, &fd);
    if (!segment) {
        *err = errno == EBADF ? MPIR_ERR_ARG : errno == ECANCELED ? MPIR_ERR_CANCELLED : MPIR_ERR_EXHAUSTED;
        return;
    }
    bool valid = config.rank < (int)segment->ranks, taken = valid && config.fd >= 0 && atomic_load(&adi_block_of(segment, config.rank)->pid);
    struct adi_state *st = valid && !taken ? make_state(&config, segment, fd) : NULL;
    if (!st) {
        *err = taken ? MPIR_ERR_OTHER : valid ? MPIR_ERR_EXHAUSTED : MPIR_ERR_ARG;
        if (fd >= 0)
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
    st->lines_max = largest_of_lines(st);
    adi_set_fast_short(st);
    if (config.tracefile)
        MPID_Set_tracefile(config.tracefile);
    adi_show_token(st);
    atomic_store_explicit(&st->block->pid, getpid(), memory_order_release); /* the launcher and other ranks read it */
}

/* Reports whether this rank owes something to a rank that has not ended. */
static bool owes(struct adi_state *st)
{
    bool abandoned = atomic_load_explicit(&st->abandoned, memory_order_relaxed) > 0;
    for (int rank = 0; rank < st->size; rank++)
        if (rank != st->rank && (st->out[rank].busy || (abandoned && st->out[rank].known)) &&
            !atomic_load_explicit(&st->out[rank].block->ended, memory_order_acquire))
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
        adi_wake(st->out[rank].block);
    adi_end_debug(st);
    adi_free_state(st);
    adi_self = NULL;
}

void adi_free_state(struct adi_state *st)
{
    struct adi_queues *q = &st->queues;
    for (struct adi_entry *entry = q->first_entry, *next; entry; entry = next) {
        next = entry->after;
        if (entry->data != entry->small)
            adi_release(st, entry->data, (size_t)entry->stored);
        adi_release(st, entry, sizeof *entry);
    }
    for (struct adi_entry *entry = q->free_entries, *next; entry; entry = next) {
        next = entry->after;
        adi_release(st, entry, sizeof *entry);
    }
    adi_free_queues(q);
    adi_memory_end(&st->own_memory);
    if (st->segment_bytes)
        munmap(st->segment, st->segment_bytes);
    munmap(st->histories, bytes_of_histories(st->size));
    st->config.release(st);
}

/* ---- the environment ---- */

void MPID_Wtime(double *seconds) { *seconds = 1e-9 * (double)adi_now(); }

void MPID_Wtick(double *seconds)
{
    struct timespec tick;
    clock_getres(CLOCK_MONOTONIC, &tick);
    *seconds = (double)tick.tv_sec + 1e-9 * (double)tick.tv_nsec;
}

void MPID_Node_name(char *name, int len)
{
    struct utsname names;
    if (len > 0)
        snprintf(name, (size_t)len, "%s", uname(&names) ? "localhost" : names.nodename);
}

void MPID_Version_name(char *name) { snprintf(name, MPID_MAX_VERSION_NAME, "ADI 2, devices self and shm"); }
