/*
 * The launcher of adi_launch.h. Its state is on the stack of adi_run. In a build with
 * ADI_RANK_THREADS each thread also keeps the rank and the segment that it was born with.
 */
#define _GNU_SOURCE
#include "adi_launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "birth.h"
#include "segment.h"
#include "state.h"

#undef pthread_create

void adi_job_init(struct adi_job *job, int ranks)
{
    const char *text;
    *job = (struct adi_job){.ranks = ranks};
    if ((text = getenv("ADI_RANKS")))
        job->ranks = atoi(text);
    if ((text = getenv("ADI_SEGMENT")))
        job->segment_bytes = strtoull(text, NULL, 0);
    if ((text = getenv("ADI_SEGMENT_FILE")))
        job->unlinked_file = atoi(text);
    if ((text = getenv("ADI_CORES")))
        job->cores = atoi(text);
    if ((text = getenv("ADI_FENCE")))
        job->fence = atoi(text);
    if ((text = getenv("ADI_TIMEOUT")))
        job->timeout = atof(text);
}

/* Creates and maps the segment of a job. Returns NULL after a message. */
static struct adi_segment *make_segment(const struct adi_job *job, int *fd)
{
    *fd = adi_segment_create(job);
    struct adi_segment *segment = *fd < 0 ? NULL : adi_segment_map(*fd);
    if (!segment)
        fprintf(stderr, "adi: cannot create the shared memory of %d ranks: %s; use 1 to %d ranks, or allow more memory\n", job->ranks, strerror(errno), ADI_MAX_RANKS);
    return segment;
}

/* ---- ranks as processes ---- */

/* Starts a rank. Returns its process, or -1 after a message. */
static pid_t start_rank(int rank, int fd, char *const argv[])
{
    char rank_text[16], fd_text[16], launcher_text[16];
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        fprintf(stderr, "adi: cannot start rank %d: %s; start fewer ranks\n", rank, strerror(errno));
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing outlives the launcher */
    if (getppid() != parent)
        _exit(1);
    snprintf(rank_text, sizeof rank_text, "%d", rank);
    snprintf(fd_text, sizeof fd_text, "%d", fd);
    setenv("ADI_RANK", rank_text, 1);
    setenv("ADI_FD", fd_text, 1);
    snprintf(launcher_text, sizeof launcher_text, "%d", (int)parent);
    setenv("ADI_LAUNCHER", launcher_text, 1);
    execvp(argv[0], argv);
    fprintf(stderr, "adi: cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

static void kill_all(const pid_t *pids, int n, int signal)
{
    for (int rank = 0; rank < n; rank++)
        if (pids[rank] > 0)
            kill(pids[rank], signal);
}

/* Waits for one more process. Returns 0 after the time limit. */
static pid_t wait_until(int64_t end, int *status)
{
    for (int64_t pause = 100000; end; pause = pause < 5000000 ? pause * 2 : pause) {
        pid_t pid = waitpid(-1, status, WNOHANG);
        if (pid)
            return pid;
        if (adi_now() >= end)
            return 0;
        struct timespec length = {.tv_nsec = (long)pause};
        nanosleep(&length, NULL);
    }
    return waitpid(-1, status, 0);
}

/* Waits for all ranks and returns the job's exit code. */
static int wait_for_ranks(struct adi_segment *segment, const struct adi_job *job, pid_t *pids)
{
    static const int64_t grace_ns = 2000000000; /* for the other ranks, after one has ended the job */
    bool ending = false;
    int code = 0, left = 0, status;
    int64_t end = job->timeout > 0 ? adi_now() + (int64_t)(job->timeout * 1e9) : 0;
    for (int rank = 0; rank < job->ranks; rank++)
        left += pids[rank] > 0;
    while (left > 0) {
        pid_t pid = wait_until(end, &status);
        if (pid < 0)
            break;
        if (pid == 0) {
            if (!ending)
                fprintf(stderr, "adi: the job has run for %g seconds; raise ADI_TIMEOUT\n", job->timeout);
            kill_all(pids, job->ranks, SIGKILL);
            code = ending ? code : 124;
            end = 0;
            continue;
        }
        for (int rank = 0; rank < job->ranks; rank++) {
            if (pids[rank] != pid)
                continue;
            pids[rank] = 0;
            left--;
            if (WIFSIGNALED(status))
                adi_segment_over(segment, rank, ADI_OVER_SIGNAL, WTERMSIG(status));
            if (atomic_load(&segment->over) && !ending) { /* the others see it in their next wait, if there is one */
                ending = true;
                end = adi_now() + grace_ns;
            }
            int its = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
            code = code ? code : its;
        }
    }
    return code;
}

int adi_run(const struct adi_job *job, char *const argv[])
{
    int fd, code = 0;
    struct adi_segment *segment = make_segment(job, &fd);
    pid_t *pids = calloc((size_t)job->ranks, sizeof *pids);
    if (!segment || !pids)
        return 1;
    for (int rank = 0; rank < job->ranks && !code; rank++)
        if ((pids[rank] = start_rank(rank, fd, argv)) < 0)
            code = 1;
    if (code)
        kill_all(pids, job->ranks, SIGKILL);
    close(fd);
    int result = wait_for_ranks(segment, job, pids);
    munmap(segment, segment->bytes);
    free(pids);
    return code ? code : result;
}

/* ---- ranks as threads ---- */

#ifdef ADI_RANK_THREADS

ADI_OF_RANK void *MPID_Above;

/* The rank of the thread, the segment and its heap, or -1 and NULL. */
static _Thread_local int birth_rank = -1;
static _Thread_local void *birth_segment;
static _Thread_local struct adi_memory *birth_memory;

void adi_set_birth(int rank, void *segment, struct adi_memory *memory)
{
    birth_memory = memory;
    birth_rank = rank;
    birth_segment = segment;
}

void adi_birth(struct MPID_Config *config)
{
    config->segment = birth_segment;
    config->memory = birth_memory;
    if (birth_segment)
        config->rank = birth_rank;
}

struct thread_rank {
    pthread_t thread;
    int rank, argc, code;
    char **argv;
    struct adi_segment *segment;
    struct adi_memory *memory;
    int (*rank_main)(int argc, char **argv);
};

static void *thread_rank_main(void *argument)
{
    struct thread_rank *r = argument;
    adi_set_birth(r->rank, r->segment, r->memory);
    r->code = r->rank_main(r->argc, r->argv);
    return NULL;
}

/* Runs the ranks of a job as threads of this process. Returns the exit code of the first rank that has failed, or 0; 1 if memory is lacking.
 * A job that exceeds its time limit ends the process. */
static int run_threads(const struct adi_job *job, int argc, char **argv, int (*rank_main)(int argc, char **argv))
{
    int fd, code = 0;
    struct adi_segment *segment = make_segment(job, &fd);
    struct thread_rank *ranks = calloc((size_t)job->ranks, sizeof *ranks);
    struct adi_memory memory;
    if (!segment || !ranks)
        return 1;
    adi_memory_begin(&memory, segment, fd);
    for (int rank = 0; rank < job->ranks; rank++) {
        ranks[rank] = (struct thread_rank){.rank = rank, .argc = argc, .argv = argv, .segment = segment, .memory = &memory, .rank_main = rank_main};
        if (pthread_create(&ranks[rank].thread, NULL, thread_rank_main, &ranks[rank])) {
            fprintf(stderr, "adi: cannot start the thread of rank %d; start fewer ranks\n", rank);
            exit(1); /* the others would wait for it */
        }
    }
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += job->timeout > 0 ? (time_t)job->timeout + 1 : 1000000000;
    for (int rank = 0; rank < job->ranks; rank++) {
        if (pthread_timedjoin_np(ranks[rank].thread, NULL, &end)) {
            fprintf(stderr, "adi: the job has run for %g seconds; raise ADI_TIMEOUT\n", job->timeout);
            _exit(124);
        }
        code = code ? code : ranks[rank].code;
    }
    adi_memory_end(&memory);
    munmap(segment, segment->bytes);
    free(ranks);
    return code;
}

/* A thread of a rank inherits its rank's variables. */
struct inherited {
    struct adi_state *self;
    void *above;
    int rank, size;
    void *segment;
    struct adi_memory *memory;
    void *(*start)(void *);
    void *argument;
};

static void *inherit(void *argument)
{
    struct inherited mine = *(struct inherited *)argument;
    free(argument);
    adi_self = mine.self;
    MPID_Above = mine.above;
    MPID_MyWorldRank = mine.rank;
    MPID_MyWorldSize = mine.size;
    adi_set_birth(mine.rank, mine.segment, mine.memory);
    return mine.start(mine.argument);
}

int adi_thread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
    struct inherited *mine = malloc(sizeof *mine);
    if (!mine)
        return EAGAIN;
    *mine = (struct inherited){adi_self, MPID_Above, MPID_MyWorldRank, MPID_MyWorldSize, birth_segment, birth_memory, start, arg};
    int error = pthread_create(thread, attr, inherit, mine);
    if (error)
        free(mine);
    return error;
}

#else

int adi_thread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg) { return pthread_create(thread, attr, start, arg); }

#endif

int adi_main(int argc, char **argv, int ranks, int (*rank_main)(int argc, char **argv))
{
    struct adi_job job;
    adi_job_init(&job, ranks);
#ifdef ADI_RANK_THREADS
    return run_threads(&job, argc, argv, rank_main);
#else
    if (getenv("ADI_RANK"))
        return rank_main(argc, argv);
    char program[4096], **arguments = calloc((size_t)argc + 1, sizeof *arguments);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (!arguments || n < 0) {
        fprintf(stderr, "adi: cannot find this program: %s\n", strerror(errno));
        return 1;
    }
    program[n] = '\0';
    arguments[0] = program;
    for (int i = 1; i < argc; i++)
        arguments[i] = argv[i];
    int code = adi_run(&job, arguments);
    free(arguments);
    return code;
#endif
}
