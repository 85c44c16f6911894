/*
 * Calls a function with the loader's lock held; see loader_lock.h. The C library has no function that
 * takes the lock. But dlsym holds it while it calls the resolver of an indirect function: so each front
 * exports an indirect function that is never called, and its resolver calls the function.
 *
 * State: the call of each thread.
 */
#define _GNU_SOURCE
#include "loader_lock.h"
#include "front.h"
#include <dlfcn.h>

/* The call of this thread. function is NULL once it has begun. */
static __thread struct {
    void (*function)(void *argument);
    void *argument;
    int is_done;
} call __attribute__((tls_model("initial-exec")));

static void make_call(void)
{
    void (*const function)(void *argument) = call.function;
    call.function = NULL;
    if (function) {
        function(call.argument);
        call.is_done = 1;
    }
}

static void (*resolve(void))(void)
{
    make_call();
    return make_call; /* any function */
}
void wi4go_under_loader_lock(void) __attribute__((ifunc("resolve"), visibility("default")));

/* The object with the symbol is this front, or the program. If that does not export the symbol, as a program that was linked
   with libmpi_abi.a without a wrapper, the lock is not taken. */
void wi4go_with_loader_lock(void (*function)(void *argument), void *argument)
{
    Dl_info info;
    void *object = dladdr((void *)wi4go_with_loader_lock, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!object)
        object = dlopen(NULL, RTLD_LAZY);
    call.function = function;
    call.argument = argument;
    call.is_done = 0;
    const int failed = !dlsym(object, "wi4go_under_loader_lock");
    if (failed && !call.function && !call.is_done) /* the dynamic linker has left the function on an error */
        wi4go_die("%s", dlerror());
    dlclose(object);
    make_call();
}
