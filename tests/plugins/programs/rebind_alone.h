/* shim/front/rebind.c in a program that replaces the front. The runtime has one function, MPI_Get_text. */
#include "../../../shim/front/rebind.c"
#include <stdarg.h>
#include <stdlib.h>

const struct wi4go_family wi4go_family = {.name = "test", .n_functions = 1};
const struct wi4go_slot wi4go_slots[] = {{.name = "MPI_Get_text"}};
void *wi4go_R[1], *wi4go_runtime_library;
void *const wi4go_missing_entries[1];
int wi4go_safety_net;

void wi4go_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    exit(2);
}

/* This front has no own.so. */
void wi4go_install_path(char *path, size_t size, const char *name) { snprintf(path, size, "/nowhere/%s", name); }

/* The stub. */
const char *MPI_Get_text(void) { return "front"; }
