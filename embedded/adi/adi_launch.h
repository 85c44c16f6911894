/*
 * A small launcher for jobs of the abstract device, for tests, benchmarks and programs without an
 * MPI. Ranks are processes that inherit the segment's descriptor (ADI_FD, ADI_RANK), or threads
 * of this process in a build with ADI_RANK_THREADS.
 *
 * Gives: adi_job, adi_job_init, adi_run, adi_main, adi_segment_create, adi_segment_fill, adi_segment_map, adi_segment_is_first,
 * adi_segment_over, adi_segment_tell, adi_thread_create.
 * Needs: adi_types.h.
 */
#ifndef WI4GO_ADI_LAUNCH_H
#define WI4GO_ADI_LAUNCH_H

#include <pthread.h>

#include "adi_types.h"

struct adi_job {
    int ranks;             /* ADI_RANKS */
    size_t segment_bytes;  /* ADI_SEGMENT: size of the segment, or 0 for the size of the usual boxes */
    bool unlinked_file;    /* ADI_SEGMENT_FILE=1: an unlinked file in TMPDIR instead of a memfd */
    bool fence;            /* ADI_FENCE=1: fences, even if membarrier works */
    int cores;             /* ADI_CORES: cores that the ranks may use together, or 0 for the number that this process may use */
    double timeout;        /* ADI_TIMEOUT: seconds after which the job ends with code 124, or 0 */
};
/* Fills a job with defaults, then with the variables above. */
void adi_job_init(struct adi_job *job, int ranks);

/* Creates the segment of a job, which is all zeros except its head. Less memory than requested is
 * enough as long as the smallest boxes fit. Returns its descriptor, or -1 with errno. */
int adi_segment_create(const struct adi_job *job);
/* Creates the segment in a file of a launcher that has left it empty, unless another rank has done
 * so. Returns 0, or -1 with errno. */
int adi_segment_fill(int fd, const struct adi_job *job);
/* Maps a segment. Returns NULL with errno if it cannot. */
void *adi_segment_map(int fd);
/* Reports whether no other rank has called this function with the segment's descriptor: one rank prints an error that
 * all of them have. */
bool adi_segment_is_first(int fd);

/* Why a job is over. */
enum { ADI_OVER_ABORT = 1, ADI_OVER_SIGNAL, ADI_OVER_UNFINISHED };
/* Ends the job because of a rank, unless it is over already: all waits return. code: the exit code, or
 * for ADI_OVER_SIGNAL the signal that has ended the rank. */
void adi_segment_over(void *segment, int rank, int why, int code);
/* Returns whether the job is over. Writes the rank that has ended it and the job's exit code. */
int adi_segment_is_over(const void *segment, int *rank, int *code);
/* Returns whether the caller prints a message about the end of the job: no rank has printed the same, and at most three others
 * were printed. message: without the caller's rank. */
bool adi_segment_tell(void *segment, const char *message);

/* Runs argv[0] with argv as every rank of a job and returns the job's exit code: the first one
 * that is not 0, 128 + N if signal N ended a rank, 124 after the time limit. If a rank ends by a
 * signal, the device informs the others. */
int adi_run(const struct adi_job *job, char *const argv[]);

/* The main function of a program that starts itself: in a rank it calls rank_main; otherwise it
 * runs the job, with processes or, with ADI_RANK_THREADS, with threads. ranks: if ADI_RANKS is not
 * set. In a thread rank, rank_main's result is the rank's exit code. */
int adi_main(int argc, char **argv, int ranks, int (*rank_main)(int argc, char **argv));

/* Starts a thread that belongs to the caller's rank. */
int adi_thread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg);
#ifdef ADI_RANK_THREADS
#define pthread_create adi_thread_create
#endif

#endif
