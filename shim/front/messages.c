/* Writes the messages of the front, and ends the process. */
#include "front.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* Writes one line to stderr, cut to the buffer's size. Uses write(2), so that nothing stays in a
   buffer. */
static void print_line(const char *format, va_list arguments)
{
    char line[8192];
    int n = snprintf(line, sizeof line, "wi4go: ");
    int m = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
    n += m < (int)sizeof line - n - 1 ? m : (int)sizeof line - n - 2;
    line[n++] = '\n';
    for (char *p = line; n > 0;) {
        ssize_t written = write(2, p, (size_t)n);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            p += written;
            n -= (int)written;
        }
    }
}

void wi4go_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void wi4go_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    fflush(stdout);
    _exit(1);
}
