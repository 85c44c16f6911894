/*
 * The objects in the process, as load.c prepares them around the loading of the runtime: the
 * program's and its libraries', the front, and the runtime's. Everything here runs once, in the
 * thread that loads. linked.c replaces this file in programs that need no dynamic linker.
 */
#define _GNU_SOURCE
#include "front.h"
#include "parts.h"
#include "thunk.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the program's own family ---- */

/* Reports whether a name is in a list that ends with NULL. */
static int is_listed(const char *const *sonames, const char *name)
{
    for (; *sonames; sonames++)
        if (!strcmp(*sonames, name))
            return 1;
    return 0;
}

/* The libraries that the objects in the process need. */
struct needs {
    int own;                  /* 1: some object needs a library of this family */
    const char *foreign, *by; /* the first needed library of another family, and the object that needs it */
};

/* For dl_iterate_phdr: records the MPI libraries that an object needs (DT_NEEDED) in struct
   needs. */
static int note_needed(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct needs *needs = data;
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if (!dynamic)
        return 0;
    const char *strings = NULL;
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            strings = (const char *)d->d_un.d_ptr;
    if (!strings || (uintptr_t)strings < info->dlpi_addr)
        return 0;
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++) {
        if (d->d_tag != DT_NEEDED)
            continue;
        const char *name = strings + d->d_un.d_val;
        if (is_listed(wi4go_family.sonames, name))
            needs->own = 1;
        else if (!needs->foreign && is_listed(wi4go_family.foreign_sonames, name)) {
            needs->foreign = name;
            needs->by = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "the program";
        }
    }
    return 0;
}

/* Ends the process if its objects need the library of another family and none needs this
   family's. */
static void refuse_other_family(void)
{
    struct needs needs = {0, NULL, NULL};
    dl_iterate_phdr(note_needed, &needs);
    if (needs.foreign && !needs.own)
        wi4go_die("%s needs %s, but the front for %s programs is preloaded: "
                  "start it with `wi4go run` (which picks the front), or without LD_PRELOAD",
                  needs.by, needs.foreign, wi4go_family.name);
}

/* ---- the front and the runtime ---- */

/* Puts the front's symbols into the global scope, before the runtime's; a late dlopen of the
   front has not put them there. Open MPI's symbols must be global for its components, and
   libraries that the program opens later would bind to them if the front's did not come first.
   Also, a library of the front's own family binds its references to predefined handles to the
   front's. */
static void make_global(void)
{
    Dl_info info;
    if (!dladdr((void *)wi4go_die, &info) || !dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL))
        wi4go_die("cannot make the symbols of the front global: %s", dlerror());
}

/* Opens the stubs of functions that the program's own library has beyond MPI. They come last in
   the global scope. Not needed over the front's own family, whose runtime has these functions. */
static void open_own_stubs(void)
{
    char path[PATH_MAX], name[64];
    snprintf(name, sizeof name, "%s/own.so", wi4go_family.name);
    wi4go_install_path(path, sizeof path, name);
    dlopen(path, RTLD_LAZY | RTLD_GLOBAL); /* if it is missing, the dynamic linker's error names the function */
}

/* Takes the runtime's objects. If their references cannot be bound, or the user has set
   WI4GO_SAFETY_NET=yes, routes every slot through its thunk. */
static void rebind_runtime(void)
{
    const char *const asked = getenv("WI4GO_SAFETY_NET");
    if (asked && *asked && strcmp(asked, "yes") && strcmp(asked, "say"))
        wi4go_die("WI4GO_SAFETY_NET=%s: unknown value: set it to `yes` for thunks around all calls, or to `say` for a message when they are needed", asked);
    wi4go_safety_net = asked && !strcmp(asked, "yes");
    wi4go_rebind_library(wi4go_runtime_library);
    if (!wi4go_safety_net)
        return;
    for (unsigned i = 0; i < wi4go_family.n_functions; i++)
        wi4go_route(i, wi4go_thunk(i));
    if (asked && *asked)
        wi4go_print("safety net: every MPI call goes through a thunk, because the MPI library's own calls may come back to wi4go (%s)",
                    *wi4go_unwritable ? wi4go_unwritable : "WI4GO_SAFETY_NET=yes");
}

void wi4go_objects_prepare(int in_program)
{
    refuse_other_family();
    if (!in_program)
        make_global();
}

void wi4go_objects_bind(int in_program)
{
    rebind_runtime();
    if (!in_program)
        open_own_stubs();
}
