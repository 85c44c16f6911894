/*
 * The message path in the steady state: after a warm-up, a million messages of each class cause no allocation and no
 * lock by the front or the core, and none of their threads wakes. The program replaces malloc and the lock functions
 * and checks their callers.
 */
#include "fact.h"
#include <dirent.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct { uintptr_t from, to; } ours[8];
static int n_ours;
static volatile int counting;
static long allocations, locks, system_calls;

static inline int by_us(void *caller)
{
    if (!counting)
        return 0;
    for (int i = 0; i < n_ours; i++)
        if ((uintptr_t)caller >= ours[i].from && (uintptr_t)caller < ours[i].to)
            return 1;
    return 0;
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), __libc_free(void *);
void *malloc(size_t n) { allocations += by_us(__builtin_return_address(0)); return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { allocations += by_us(__builtin_return_address(0)); return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { allocations += by_us(__builtin_return_address(0)); return __libc_realloc(p, n); }
void free(void *p) { allocations += by_us(__builtin_return_address(0)); __libc_free(p); }

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*real)(pthread_mutex_t *);
    if (!real)
        real = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    locks += by_us(__builtin_return_address(0));
    return real(mutex);
}

long syscall(long number, ...)
{
    static long (*real)(long, ...);
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (!real)
        real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    system_calls += by_us(__builtin_return_address(0));
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int find_ours(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!strstr(info->dlpi_name, "/wi4go/"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) && n_ours < 8) {
            ours[n_ours].from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            ours[n_ours].to = ours[n_ours].from + info->dlpi_phdr[i].p_memsz;
            n_ours++;
        }
    return 0;
}

/* The threads of this process, and their numbers of context switches. */
static int threads[64], n_threads;

static void list_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *e; tasks && (e = readdir(tasks));)
        if (atoi(e->d_name) && atoi(e->d_name) != getpid() && n_threads < 64)
            threads[n_threads++] = atoi(e->d_name);
    closedir(tasks);
}

static long switches(void)
{
    long sum = 0, n;
    for (int i = 0; i < n_threads; i++) {
        char path[64], line[256];
        snprintf(path, sizeof path, "/proc/self/task/%d/status", threads[i]);
        FILE *f = fopen(path, "r");
        while (f && fgets(line, sizeof line, f))
            if (sscanf(line, "voluntary_ctxt_switches: %ld", &n) == 1)
                sum += n;
        if (f)
            fclose(f);
    }
    return sum;
}

static void add(void *in, void *out, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

static void subtract(void *in, void *out, int *n, MPI_Datatype *type) { (void)in, (void)out, (void)n, (void)type; }

static MPI_Comm comm;
static MPI_Datatype pair;
static MPI_Op op;
static int a[4], b[4];
static MPI_Request r[2], persistent[2];
static MPI_Status s[2];

static void sendrecv(void) { MUST(MPI_Sendrecv(a, 1, pair, 0, 1, b, 1, pair, 0, 1, comm, s)); }
static void waits(void)
{
    MUST(MPI_Irecv(b, 1, MPI_INT, MPI_ANY_SOURCE, 2, comm, &r[0]));
    MUST(MPI_Isend(a, 1, MPI_INT, 0, 2, comm, &r[1]));
    MUST(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
    MUST(MPI_Wait(&r[0], s));
}
static void waitall(void)
{
    MUST(MPI_Irecv(b, 1, pair, 0, MPI_ANY_TAG, comm, &r[0]));
    MUST(MPI_Isend(a, 1, pair, 0, 2, comm, &r[1]));
    MUST(MPI_Waitall(2, r, s));
}
static void testall(void)
{
    int flag = 0;
    MUST(MPI_Irecv(b, 1, MPI_INT, 0, 2, comm, &r[0]));
    MUST(MPI_Issend(a, 1, MPI_INT, 0, 2, comm, &r[1]));
    while (!flag)
        MUST(MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE));
}
static void starts(void)
{
    int index = -1;
    MUST(MPI_Startall(2, persistent));
    MUST(MPI_Waitany(2, persistent, &index, s));
    MUST(MPI_Waitall(2, persistent, s));
}
static void probe(void)
{
    int flag = 0, n = -1;
    MPI_Message message;
    MUST(MPI_Isend(a, 2, MPI_INT, 0, 4, comm, &r[0]));
    while (!flag)
        MUST(MPI_Iprobe(MPI_ANY_SOURCE, 4, comm, &flag, s));
    MUST(MPI_Get_count(s, MPI_INT, &n));
    CHECK(n == 2);
    MUST(MPI_Mprobe(0, 4, comm, &message, s));
    MUST(MPI_Mrecv(b, 2, MPI_INT, &message, s));
    MUST(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
}
static void reduce(void)
{
    MUST(MPI_Allreduce(a, b, 4, MPI_INT, MPI_SUM, comm));
    MUST(MPI_Reduce_local(a, b, 4, MPI_INT, op));
}
static void life(void)
{
    MPI_Datatype type;
    MUST(MPI_Type_contiguous(3, MPI_INT, &type));
    MUST(MPI_Type_commit(&type));
    MUST(MPI_Type_free(&type));
}

static const struct { const char *name; void (*run)(void); } classes[] = {
    {"Sendrecv", sendrecv}, {"Isend, Irecv, Wait", waits}, {"Waitall", waitall}, {"Issend, Testall", testall},
    {"Startall, Waitany", starts}, {"Iprobe, Mprobe, Mrecv", probe}, {"Allreduce, Reduce_local", reduce},
    {"Type_contiguous, commit, free", life},
};

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000000;
    MPI_Op first;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    CHECK(fact_threads() == 1);
    MUST(MPI_Get_library_version(text, &length)); /* starts the core, and nothing of the library */
    list_threads();
    dl_iterate_phdr(find_ours, NULL);
    CHECK(n_ours >= 2 && n_threads > 0);
    MUST(MPI_Init(NULL, NULL));
    counting = 1; /* checks that the counters work: the first operation allocates memory under a lock */
    MUST(MPI_Op_create(subtract, 1, &first));
    counting = 0;
    CHECK(allocations > 0 && locks > 0);
    MUST(MPI_Op_free(&first));
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    MUST(MPI_Op_create(add, 1, &op));
    MUST(MPI_Send_init(a, 1, pair, 0, 3, comm, &persistent[0]));
    MUST(MPI_Recv_init(b, 1, pair, 0, 3, comm, &persistent[1]));
    for (unsigned k = 0; k < sizeof classes / sizeof *classes; k++) {
        for (int i = 0; i < 1000; i++)
            classes[k].run();
        allocations = locks = system_calls = 0;
        long before = switches();
        counting = 1;
        for (long i = 0; i < n; i++)
            classes[k].run();
        counting = 0;
        long woken = switches() - before;
        printf("%s: %ld allocations, %ld locks, %ld system calls; threads of the core woke %ld times\n", classes[k].name,
               allocations, locks, system_calls, woken);
        CHECK(allocations == 0 && locks == 0 && system_calls == 0);
        /* Idle Go threads wake up from time to time, whatever the program does. */
        CHECK(woken <= 100);
    }
    MUST(MPI_Request_free(&persistent[0]));
    MUST(MPI_Request_free(&persistent[1]));
    MUST(MPI_Op_free(&op));
    MUST(MPI_Type_free(&pair));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Finalize());
    return fact_done();
}
