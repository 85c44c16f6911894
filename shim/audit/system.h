/*
 * Replaces a C library for the auditor: system calls, and a few functions on strings.
 *
 * Gives: system_call, end_process, length, equal, starts_with, ends_with, basename_of, concat,
 * print_parts.
 */
#ifndef WI4GO_AUDIT_SYSTEM_H
#define WI4GO_AUDIT_SYSTEM_H

#include <stddef.h>
#include <sys/syscall.h>

/* Returns the result of a system call, or a negative error number. */
static inline long system_call(long number, long a, long b, long c, long d)
{
#if defined(__x86_64__)
    long result;
    register long fourth __asm__("r10") = d;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
#else
#error "no system calls for this processor"
#endif
}

static inline __attribute__((noreturn)) void end_process(int status)
{
    for (;;)
        system_call(SYS_exit_group, status, 0, 0, 0);
}

static inline size_t length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static inline int equal(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static inline int starts_with(const char *s, const char *with)
{
    while (*with && *s == *with)
        s++, with++;
    return !*with;
}

static inline int ends_with(const char *s, const char *with)
{
    const size_t n = length(s), m = length(with);
    return n >= m && equal(s + n - m, with);
}

static inline const char *basename_of(const char *path)
{
    const char *base = path;
    for (; *path; path++)
        if (*path == '/')
            base = path + 1;
    return base;
}

/* Writes the parts of a text, a list that ends with NULL, into a buffer of size bytes. Returns 0,
   or -1 if they do not fit; then the buffer holds the part that fits. */
static inline int concat(char *buffer, size_t size, const char *const *parts)
{
    size_t n = 0;
    for (; *parts; parts++)
        for (const char *p = *parts; *p; p++) {
            if (n + 1 >= size) {
                buffer[n] = 0;
                return -1;
            }
            buffer[n++] = *p;
        }
    buffer[n] = 0;
    return 0;
}

/* Writes one line to stderr. */
static inline void print_parts(const char *const *parts)
{
    char line[2 * 4096];
    concat(line, sizeof line - 1, parts);
    size_t n = length(line);
    line[n++] = '\n';
    system_call(SYS_write, 2, (long)line, (long)n, 0);
}
#endif
