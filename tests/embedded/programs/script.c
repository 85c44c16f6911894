/*
 * Runs a script in each rank: the arguments are the scripts of the ranks, separated by "/"; the last one serves further
 * ranks. A script is a list of operations with arguments after commas (see `operations`). "[" and "]" enclose the
 * operations of a thread, which the rank joins at the end. With the environment variable LEVEL=multiple, MPI_Init_thread
 * asks for MPI_THREAD_MULTIPLE.
 */
#include <mpi.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONG = 1 << 22, REQUESTS = 8, THREADS = 8 };

static MPI_Comm others[2]; /* a copy of MPI_COMM_WORLD, and halves of it */
static sem_t semaphore;
static int size;

/* The state of a thread of a script. */
struct thread {
    pthread_t id;
    char **script;  /* its operations */
    MPI_Comm comm;
    MPI_Request requests[REQUESTS];
    int count;
    char *in, *out; /* buffers of LONG bytes */
};

static void nap(int ms)
{
    struct timespec length = {ms / 1000, ms % 1000 * 1000000L};
    while (nanosleep(&length, &length))
        ;
}

/* ---- messages; a, b, c, d: the arguments ---- */

static void op_recv(struct thread *t, int a, int b, int c, int d) { MPI_Recv(t->in, LONG, MPI_CHAR, a, b, t->comm, MPI_STATUS_IGNORE); }
static void op_send(struct thread *t, int a, int b, int c, int d) { MPI_Send(t->out, c, MPI_CHAR, a, b, t->comm); }
static void op_ssend(struct thread *t, int a, int b, int c, int d) { MPI_Ssend(t->out, c, MPI_CHAR, a, b, t->comm); }
static void op_isend(struct thread *t, int a, int b, int c, int d) { MPI_Isend(t->out, c, MPI_CHAR, a, b, t->comm, &t->requests[t->count++]); }
static void op_irecv(struct thread *t, int a, int b, int c, int d) { MPI_Irecv(t->in, LONG, MPI_CHAR, a, b, t->comm, &t->requests[t->count++]); }
static void op_probe(struct thread *t, int a, int b, int c, int d) { MPI_Probe(a, b, t->comm, MPI_STATUS_IGNORE); }
static void op_mprobe(struct thread *t, int a, int b, int c, int d)
{
    MPI_Message message;
    MPI_Mprobe(a, b, t->comm, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(t->in, LONG, MPI_CHAR, &message, MPI_STATUS_IGNORE);
}
static void op_sendrecv(struct thread *t, int a, int b, int c, int d) { MPI_Sendrecv(t->out, 8, MPI_CHAR, a, b, t->in, 8, MPI_CHAR, c, d, t->comm, MPI_STATUS_IGNORE); }
static void op_precv(struct thread *t, int a, int b, int c, int d)
{
    MPI_Recv_init(t->in, LONG, MPI_CHAR, a, b, t->comm, &t->requests[t->count]);
    MPI_Start(&t->requests[t->count++]);
}
static void op_wait(struct thread *t, int a, int b, int c, int d) { MPI_Wait(&t->requests[a], MPI_STATUS_IGNORE); }
static void op_waitall(struct thread *t, int a, int b, int c, int d) { MPI_Waitall(t->count, t->requests, MPI_STATUSES_IGNORE); }
static void op_waitany(struct thread *t, int a, int b, int c, int d) { MPI_Waitany(t->count, t->requests, &a, MPI_STATUS_IGNORE); }
static void op_waitsome(struct thread *t, int a, int b, int c, int d)
{
    int indices[REQUESTS];
    MPI_Waitsome(t->count, t->requests, &a, indices, MPI_STATUSES_IGNORE);
}
static void op_poll(struct thread *t, int a, int b, int c, int d)
{
    for (int flag = 0; !flag;)
        MPI_Test(&t->requests[a], &flag, MPI_STATUS_IGNORE);
}

enum { PACKET = 2000 }; /* bytes: a message through the ring */
static void op_burst(struct thread *t, int a, int b, int c, int d) /* sends c messages, more than have room */
{
    for (int i = 0; i < c; i++)
        MPI_Send(t->out, PACKET, MPI_CHAR, a, b, t->comm);
}
static void op_gulp(struct thread *t, int a, int b, int c, int d) /* receives them */
{
    for (int i = 0; i < c; i++)
        MPI_Recv(t->in, PACKET, MPI_CHAR, a, b, t->comm, MPI_STATUS_IGNORE);
}

/* ---- collective operations ---- */

static void op_barrier(struct thread *t, int a, int b, int c, int d) { MPI_Barrier(t->comm); }
static void op_bcast(struct thread *t, int a, int b, int c, int d) { MPI_Bcast(t->in, 8, MPI_CHAR, a, t->comm); }
static void op_reduce(struct thread *t, int a, int b, int c, int d) { MPI_Reduce(t->out, t->in, 8, MPI_INT, MPI_SUM, a, t->comm); }
static void op_allreduce(struct thread *t, int a, int b, int c, int d) { MPI_Allreduce(t->out, t->in, 8, MPI_INT, MPI_SUM, t->comm); }
static void op_gather(struct thread *t, int a, int b, int c, int d) { MPI_Gather(t->out, 8, MPI_CHAR, t->in, 8, MPI_CHAR, a, t->comm); }
static void op_scatter(struct thread *t, int a, int b, int c, int d) { MPI_Scatter(t->out, 8, MPI_CHAR, t->in, 8, MPI_CHAR, a, t->comm); }
static void op_allgather(struct thread *t, int a, int b, int c, int d) { MPI_Allgather(t->out, 8, MPI_CHAR, t->in, 8, MPI_CHAR, t->comm); }
static void op_alltoall(struct thread *t, int a, int b, int c, int d) { MPI_Alltoall(t->out, 8, MPI_CHAR, t->in, 8, MPI_CHAR, t->comm); }
static void op_scan(struct thread *t, int a, int b, int c, int d) { MPI_Scan(t->out, t->in, 8, MPI_INT, MPI_SUM, t->comm); }
static void op_ibarrier(struct thread *t, int a, int b, int c, int d) { MPI_Ibarrier(t->comm, &t->requests[t->count++]); }
static void op_iallreduce(struct thread *t, int a, int b, int c, int d) { MPI_Iallreduce(t->out, t->in, 8, MPI_INT, MPI_SUM, t->comm, &t->requests[t->count++]); }
static void op_dup(struct thread *t, int a, int b, int c, int d)
{
    MPI_Comm copy;
    MPI_Comm_dup(t->comm, &copy);
    MPI_Comm_free(&copy);
}
static void op_split(struct thread *t, int a, int b, int c, int d)
{
    MPI_Comm part;
    MPI_Comm_split(t->comm, a, 0, &part);
    MPI_Comm_free(&part);
}
static void op_buffer(struct thread *t, int a, int b, int c, int d) { MPI_Buffer_attach(malloc(2 * LONG), 2 * LONG); }
static void op_bsend(struct thread *t, int a, int b, int c, int d) { MPI_Bsend(t->out, c, MPI_CHAR, a, b, t->comm); }
static void op_detach(struct thread *t, int a, int b, int c, int d)
{
    void *buffer;
    MPI_Buffer_detach(&buffer, &a);
    free(buffer);
}
static void op_copy(struct thread *t, int a, int b, int c, int d) { t->comm = others[0]; }
static void op_half(struct thread *t, int a, int b, int c, int d) { t->comm = others[1]; }

/* ---- outside MPI ---- */

static void op_sleep(struct thread *t, int a, int b, int c, int d) { nap(a); }
static void op_compute(struct thread *t, int a, int b, int c, int d)
{
    volatile double x = 1;
    for (double end = MPI_Wtime() + a / 1e3; MPI_Wtime() < end;)
        for (int i = 0; i < 100000; i++)
            x = x * 1.0000001;
}
static void op_pipe(struct thread *t, int a, int b, int c, int d) /* reads from a child, which writes after some time */
{
    int ends[2];
    char byte;
    if (pipe(ends))
        exit(1);
    pid_t child = fork();
    if (!child) {
        nap(a);
        _exit(write(ends[1], "x", 1) != 1);
    }
    if (read(ends[0], &byte, 1) != 1 || waitpid(child, NULL, 0) != child)
        exit(1);
}
static void op_lock(struct thread *t, int a, int b, int c, int d) /* waits for a file that a child has locked */
{
    int ready[2];
    char name[] = "/tmp/script-XXXXXX", byte;
    int file = mkstemp(name);
    if (file < 0 || pipe(ready))
        exit(1);
    pid_t child = fork();
    if (!child) {
        flock(open(name, O_RDWR), LOCK_EX);
        if (write(ready[1], "x", 1) != 1)
            _exit(1);
        nap(a);
        _exit(0);
    }
    if (read(ready[0], &byte, 1) != 1 || flock(file, LOCK_EX) || unlink(name) || waitpid(child, NULL, 0) != child)
        exit(1);
    close(file);
}
static void op_child(struct thread *t, int a, int b, int c, int d)
{
    char command[64];
    snprintf(command, sizeof command, "sleep %d.%03d", a / 1000, a % 1000);
    if (system(command))
        exit(1);
}
static void op_post(struct thread *t, int a, int b, int c, int d) { sem_post(&semaphore); }
static void op_pend(struct thread *t, int a, int b, int c, int d)
{
    while (sem_wait(&semaphore))
        ;
}
static void op_pendfor(struct thread *t, int a, int b, int c, int d) /* waits at most some time */
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += a % 1000 * 1000000L;
    end.tv_sec += a / 1000 + end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    sem_timedwait(&semaphore, &end);
}
static void on_alarm(int number)
{
    (void)number;
    sem_post(&semaphore);
}
static void op_alarm(struct thread *t, int a, int b, int c, int d) /* a handler posts after some time */
{
    struct itimerval timer = {.it_value = {a / 1000, a % 1000 * 1000}};
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &timer, NULL);
}
static void op_pingpong(struct thread *t, int a, int b, int c, int d) /* with op_pongping of another thread: each lets the other run */
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
    static int turn;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < a; i++) {
        while (turn % 2 != b)
            pthread_cond_wait(&change, &lock);
        turn++;
        pthread_cond_signal(&change);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- signals and stops ---- */

enum kind { RETURNS, SLEEPS, SHELL, PIPE, POSTS, COMPLETES, LEAVES }; /* of a handler */
static MPI_Request generalized;
static struct {
    enum kind kind;
    int ms;
} handlers[65];
static sigjmp_buf place; /* that a handler leaves its wait for */
static volatile sig_atomic_t can_leave;

static void on_signal(int number)
{
    char command[64];
    int ms = handlers[number].ms;
    snprintf(command, sizeof command, "sleep %d.%03d", ms / 1000, ms % 1000);
    switch (handlers[number].kind) {
    case RETURNS:
        break;
    case SLEEPS:
        nap(ms);
        break;
    case SHELL:
        if (system(command))
            _exit(1);
        break;
    case PIPE: {
        FILE *from = popen(command, "r");
        if (!from || fgetc(from) != EOF || pclose(from))
            _exit(1);
        break;
    }
    case POSTS:
        sem_post(&semaphore);
        break;
    case COMPLETES:
        MPI_Grequest_complete(generalized);
        break;
    case LEAVES:
        if (can_leave)
            siglongjmp(place, 1);
    }
}
static void op_handle(struct thread *t, int a, int b, int c, int d) /* signal a, a handler of kind b, which takes c ms */
{
    struct sigaction action = {.sa_handler = on_signal};
    handlers[a].kind = b;
    handlers[a].ms = c;
    if (sigaction(a, &action, NULL))
        exit(1);
}
static int query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}
static int release(void *state) { return MPI_SUCCESS; }
static int cancel(void *state, int complete) { return MPI_SUCCESS; }
static void op_generalized(struct thread *t, int a, int b, int c, int d)
{
    MPI_Grequest_start(query, release, cancel, NULL, &generalized);
    t->requests[t->count++] = generalized;
}
static void op_default(struct thread *t, int a, int b, int c, int d) { signal(a, SIG_DFL); }
static void op_block(struct thread *t, int a, int b, int c, int d)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, a);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}
/* Sends signals to this process from a child, after some time each. */
static void send_later(int first, int first_ms, int second, int second_ms)
{
    pid_t rank = getpid();
    if (fork())
        return;
    nap(first_ms);
    kill(rank, first);
    nap(second_ms);
    if (second)
        kill(rank, second);
    _exit(0);
}
static void op_signal(struct thread *t, int a, int b, int c, int d) { send_later(a, b, 0, 0); }
static void op_stop(struct thread *t, int a, int b, int c, int d) { send_later(SIGSTOP, a, SIGCONT, b); }
static void write_file(const char *directory, const char *name, long value)
{
    char path[4096], text[32];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int file = open(path, O_WRONLY), n = snprintf(text, sizeof text, "%ld\n", value);
    if (file < 0 || write(file, text, (size_t)n) != n)
        perror(path);
    close(file);
}
static void op_freeze(struct thread *t, int a, int b, int c, int d) /* after a ms, for b ms, in the control group FREEZER */
{
    const char *group = getenv("FREEZER");
    write_file(group, "cgroup.procs", (long)getpid());
    if (fork())
        return;
    write_file(getenv("FREEZER_PARENT"), "cgroup.procs", (long)getpid());
    nap(a);
    write_file(group, "cgroup.freeze", 1);
    nap(b);
    write_file(group, "cgroup.freeze", 0);
    _exit(0);
}
static void op_leave(struct thread *t, int a, int b, int c, int d) /* leaves MPI_Probe by a handler of signal a, after b ms */
{
    op_handle(t, a, LEAVES, 0, 0);
    if (sigsetjmp(place, 1) == 0) {
        can_leave = 1;
        send_later(a, b, 0, 0);
        MPI_Probe(0, 9999, t->comm, MPI_STATUS_IGNORE);
    }
    can_leave = 0;
}

static const struct {
    const char *name;
    void (*run)(struct thread *t, int a, int b, int c, int d);
} operations[] = {
    {"recv", op_recv}, {"send", op_send}, {"ssend", op_ssend}, {"isend", op_isend}, {"irecv", op_irecv}, {"probe", op_probe}, {"mprobe", op_mprobe},
    {"sendrecv", op_sendrecv}, {"precv", op_precv}, {"wait", op_wait}, {"waitall", op_waitall}, {"waitany", op_waitany}, {"waitsome", op_waitsome},
    {"poll", op_poll}, {"barrier", op_barrier}, {"bcast", op_bcast}, {"reduce", op_reduce}, {"allreduce", op_allreduce}, {"gather", op_gather},
    {"scatter", op_scatter}, {"allgather", op_allgather}, {"alltoall", op_alltoall}, {"scan", op_scan}, {"ibarrier", op_ibarrier},
    {"iallreduce", op_iallreduce}, {"buffer", op_buffer}, {"bsend", op_bsend}, {"detach", op_detach}, {"dup", op_dup}, {"split", op_split}, {"copy", op_copy}, {"half", op_half}, {"sleep", op_sleep},
    {"compute", op_compute}, {"pipe", op_pipe}, {"lock", op_lock}, {"child", op_child}, {"post", op_post}, {"pend", op_pend},
    {"pendfor", op_pendfor}, {"alarm", op_alarm}, {"pingpong", op_pingpong},
    {"burst", op_burst}, {"gulp", op_gulp}, {"handle", op_handle}, {"default", op_default}, {"block", op_block}, {"signal", op_signal}, {"stop", op_stop},
    {"generalized", op_generalized}, {"freeze", op_freeze}, {"leave", op_leave},
};

/* ---- the interpreter ---- */

static void run_operation(struct thread *t, const char *text)
{
    char name[32];
    int a = 0, b = 0, c = 8, d = 0;
    if (sscanf(text, "%31[a-z],%d,%d,%d,%d", name, &a, &b, &c, &d) < 1)
        exit(1);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operations[i].name, name)) {
            operations[i].run(t, a == -1 ? MPI_ANY_SOURCE : a, b == -1 ? MPI_ANY_TAG : b, c, d);
            return;
        }
    fprintf(stderr, "no operation %s\n", text);
    exit(1);
}

static void *run_script(void *argument)
{
    struct thread *t = argument, threads[THREADS];
    int n = 0;
    t->in = calloc(2, LONG);
    t->out = t->in + LONG;
    t->comm = MPI_COMM_WORLD;
    for (char **at = t->script; *at && strcmp(*at, "]") && strcmp(*at, "/"); at++) {
        if (strcmp(*at, "[")) {
            run_operation(t, *at);
            continue;
        }
        threads[n] = (struct thread){.script = at + 1};
        pthread_create(&threads[n].id, NULL, run_script, &threads[n]);
        n++;
        while (strcmp(*at, "]"))
            at++;
    }
    while (n)
        pthread_join(threads[--n].id, NULL);
    free(t->in);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided;
    const char *level = getenv("LEVEL");
    MPI_Init_thread(NULL, NULL, level && !strcmp(level, "multiple") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &others[0]);
    MPI_Comm_set_name(others[0], "copy");
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &others[1]);
    MPI_Comm_set_name(others[1], "half");
    sem_init(&semaphore, 0, 0);
    struct thread all = {.script = argv + 1};
    for (int i = 1, at = 0; i < argc && at < rank; i++)
        if (!strcmp(argv[i], "/")) {
            at++;
            all.script = argv + i + 1;
        }
    run_script(&all);
    printf("rank %d has ended\n", rank);
    MPI_Comm_free(&others[0]);
    MPI_Comm_free(&others[1]);
    MPI_Finalize();
    return 0;
}
