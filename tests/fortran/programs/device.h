/*
 * Memory of a device, for tests: the MPI library may read and write it, and no code of the program or of wi4go may. Its
 * pages allow no access. A handler of the fault finds the library whose code made it: for the MPI library it opens the
 * pages for one instruction, as a library that supports GPU memory would copy the data in its own way. For all other
 * code it ends the process.
 *
 * The same memory is mapped a second time, and open: HOST(p) is the address in that mapping, by which the program
 * prepares and checks its data. System calls of the MPI library get that address too, by the functions below, which
 * replace the C library's: the program must be linked with -rdynamic. Both mappings are at the same addresses in every
 * process.
 *
 * State: the pages are closed, except for one instruction. Other threads may then read and write them unnoticed.
 */
#ifndef DEVICE_H
#define DEVICE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#define DEVICE ((char *)0x100000000000)
#define OPEN_DEVICE ((char *)0x110000000000)
enum { DEVICE_BYTES = 1 << 22, DEVICE_IOVECS = 64, TRAP_FLAG = 1 << 8 };

static size_t device_used;
static const char *device_forbidden; /* the directory with wi4go's libraries; NULL: the program runs without wi4go */
static long device_touched;          /* the instructions of the MPI library that have used the memory */
static struct sigaction device_before; /* the handler of other faults */

static int in_device(const void *p) { return (const char *)p >= DEVICE && (const char *)p < DEVICE + DEVICE_BYTES; }

/* Returns the open address for an address in the device's memory; other addresses are unchanged. */
#define HOST(p) ((__typeof__(p))device_open(p))
static inline void *device_open(const void *p)
{
    return in_device(p) ? OPEN_DEVICE + ((const char *)p - DEVICE) : (void *)p;
}

/* Ends the process with the name of the function that has used the memory. */
static void device_refuse(const char *library, const void *pc)
{
    char text[512];
    Dl_info info;
    const char *name = dladdr(pc, &info) && info.dli_sname ? info.dli_sname : "?";
    const long at = dladdr(pc, &info) ? (long)((const char *)pc - (const char *)info.dli_fbase) : 0;
    int n = snprintf(text, sizeof text, "DEVICE: %s of %s (+0x%lx) has used the memory of the device\n", name, library, at);
    if (write(2, text, (size_t)n) != n)
        abort();
    _exit(9);
}

/* Reports whether a library is the C library or a part of it, which works for its caller. */
static int device_is_libc(const char *library)
{
    const char *file = strrchr(library, '/');
    file = file ? file + 1 : library;
    return !strncmp(file, "libc.so", 7) || !strncmp(file, "ld-linux", 8) || !strncmp(file, "libpthread", 10);
}

/* Finds the code that has used the memory, by the stack, and refuses all but the MPI library's. */
static void device_judge(const void *pc)
{
    void *stack[32];
    Dl_info info;
    const int n = backtrace(stack, 32);
    int i = 0;
    while (i < n && stack[i] != pc)
        i++;
    for (; i < n; i++) {
        const char *address = (const char *)stack[i] - (stack[i] != pc); /* a return address is after its call */
        if (!dladdr(address, &info) || device_is_libc(info.dli_fname))
            continue;
        if (device_forbidden && !strncmp(info.dli_fname, device_forbidden, strlen(device_forbidden)))
            device_refuse(info.dli_fname, address);
        Dl_info own;
        if (dladdr((void *)device_judge, &own) && own.dli_fbase == info.dli_fbase)
            device_refuse(info.dli_fname, address);
        return;
    }
    device_refuse("an unknown library", pc);
}

static void device_fault(int signal, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    if (!in_device(info->si_addr)) {
        sigaction(signal, &device_before, NULL); /* the instruction is executed again, and faults again */
        return;
    }
    const int error = errno;
    device_judge((const void *)u->uc_mcontext.gregs[REG_RIP]);
    device_touched++;
    mprotect(DEVICE, DEVICE_BYTES, PROT_READ | PROT_WRITE);
    u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    errno = error;
}

/* Called after that one instruction. */
static void device_closes(int signal, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    (void)signal, (void)info;
    const int error = errno;
    mprotect(DEVICE, DEVICE_BYTES, PROT_NONE);
    u->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    errno = error;
}

/* Makes the memory; called after MPI_Init, whose library may set handlers of its own. */
static void device_begin(const char *forbidden)
{
    void *stack[1];
    const int fd = memfd_create("device", 0);
    device_forbidden = forbidden ? strdup(forbidden) : NULL; /* a string of Fortran may last as long as its call */
    if (fd < 0 || ftruncate(fd, DEVICE_BYTES) ||
        mmap(DEVICE, DEVICE_BYTES, PROT_NONE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0) != DEVICE ||
        mmap(OPEN_DEVICE, DEVICE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0) != OPEN_DEVICE) {
        perror("the memory of the device");
        exit(2);
    }
    close(fd);
    backtrace(stack, 1); /* the first call loads a library, which a handler must not do */
    sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = device_fault, .sa_flags = SA_SIGINFO | SA_NODEFER}, &device_before);
    sigaction(SIGTRAP, &(struct sigaction){.sa_sigaction = device_closes, .sa_flags = SA_SIGINFO}, NULL);
}

/* Returns memory of the device. It is not freed. */
static void *device_new(size_t bytes)
{
    char *p = DEVICE + device_used;
    device_used += (bytes + 4095) / 4096 * 4096;
    if (device_used > DEVICE_BYTES) {
        fprintf(stderr, "the memory of the device is used up\n");
        exit(2);
    }
    return p;
}

/* ---- system calls that may get the device's memory ---- */

ssize_t read(int fd, void *p, size_t n) { return syscall(SYS_read, fd, device_open(p), n); }
ssize_t write(int fd, const void *p, size_t n) { return syscall(SYS_write, fd, device_open(p), n); }
#define AT_OFFSET(name, Pointer, number) \
    ssize_t name(int fd, Pointer p, size_t n, off_t at); \
    ssize_t name(int fd, Pointer p, size_t n, off_t at) { return syscall(number, fd, device_open(p), n, at); }
AT_OFFSET(pread, void *, SYS_pread64)
AT_OFFSET(pread64, void *, SYS_pread64)
AT_OFFSET(pwrite, const void *, SYS_pwrite64)
AT_OFFSET(pwrite64, const void *, SYS_pwrite64)

/* Returns the array with open places in it, or the array itself if it is too long. */
static const struct iovec *device_open_all(struct iovec *opened, const struct iovec *v, unsigned long n)
{
    if (n > DEVICE_IOVECS)
        return v;
    for (unsigned long i = 0; i < n; i++)
        opened[i] = (struct iovec){device_open(v[i].iov_base), v[i].iov_len};
    return opened;
}
#define BY_VECTOR(name, number) \
    ssize_t name(int fd, const struct iovec *v, int n) \
    { \
        struct iovec opened[DEVICE_IOVECS]; \
        return syscall(number, fd, device_open_all(opened, v, (unsigned long)n), n); \
    }
BY_VECTOR(readv, SYS_readv)
BY_VECTOR(writev, SYS_writev)
#define BY_VECTOR_AT(name, number) \
    ssize_t name(int fd, const struct iovec *v, int n, off_t at) \
    { \
        struct iovec opened[DEVICE_IOVECS]; \
        return syscall(number, fd, device_open_all(opened, v, (unsigned long)n), n, at, 0); \
    }
BY_VECTOR_AT(preadv, SYS_preadv)
BY_VECTOR_AT(preadv64, SYS_preadv)
BY_VECTOR_AT(pwritev, SYS_pwritev)
BY_VECTOR_AT(pwritev64, SYS_pwritev)
#define BETWEEN_PROCESSES(name, number) \
    ssize_t name(pid_t pid, const struct iovec *here, unsigned long n, const struct iovec *there, unsigned long m, unsigned long flags) \
    { \
        struct iovec opened[2][DEVICE_IOVECS]; \
        return syscall(number, pid, device_open_all(opened[0], here, n), n, device_open_all(opened[1], there, m), m, flags); \
    }
BETWEEN_PROCESSES(process_vm_readv, SYS_process_vm_readv)
BETWEEN_PROCESSES(process_vm_writev, SYS_process_vm_writev)
#define IN_BACKGROUND(name) \
    int name(struct aiocb *c) \
    { \
        c->aio_buf = device_open((const void *)c->aio_buf); \
        return ((int (*)(struct aiocb *))dlsym(RTLD_NEXT, #name))(c); \
    }
IN_BACKGROUND(aio_read)
IN_BACKGROUND(aio_write)
#endif
