/*
 * Binds the MPI references of the runtime's objects to the runtime's own functions. The runtime's
 * objects are its library, the libraries that came into the process with it, and the plugins that
 * these open later. The dynamic linker has bound their references to the first definition in the
 * process: a stub of the front, or a profiling tool, which would mistake the runtime's handles
 * for the program's. After rebinding, every call that arrives at a stub is the program's,
 * whatever thread makes it. RTLD_DEEPBIND is no alternative: it would bind the objects' other
 * references as well, and AddressSanitizer refuses it. If references cannot be written, the
 * thread's flag decides instead (thunk.h).
 *
 * State: a table of the objects taken, which grows by chunks; no entry is moved. It uses no lock of
 * its own: it changes only inside dl_iterate_phdr, which holds a lock of the dynamic linker. While an
 * object is bound, this thread holds the loader's lock too, which it takes first (loader_lock.h).
 * Entries are added while the runtime loads and later when the runtime calls dlsym, once the
 * object's references are bound. Its calls of dlclose remove them, before the objects can go.
 */
#define _GNU_SOURCE
#include "front.h"
#include "loader_lock.h"
#include "thunk.h"
#include "parts.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* An object taken as the runtime's. */
struct object {
    uintptr_t base; /* its load address, or 0 if the entry is free */
    void *handle;   /* the dlopen handle that loaded it, or NULL if it is never unloaded */
};
char wi4go_unwritable[512];

enum { PER_CHUNK = 500 };
struct chunk {
    struct object objects[PER_CHUNK];
    struct chunk *next;
};
static struct chunk first_chunk;

/* The head of a for loop over all entries of the table, free ones too. */
#define EACH_OBJECT(o) \
    struct chunk *chunk_ = &first_chunk; chunk_; chunk_ = chunk_->next) \
        for (struct object *o = chunk_->objects; o < chunk_->objects + PER_CHUNK; o++

/* Returns a free entry of the table; ends the process when memory is exhausted. */
static struct object *free_object(void)
{
    struct chunk *last = &first_chunk;
    for (EACH_OBJECT(o)) {
        if (!o->base)
            return o;
        last = chunk_;
    }
    /* Use mmap: malloc may be the program's own. */
    struct chunk *more = mmap(NULL, sizeof *more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED)
        wi4go_die("out of memory for the list of libraries that the MPI library loads");
    last->next = more;
    return more->objects;
}

/* ---- an object as the dynamic linker has it ---- */

/* The parts of a loaded object that this file reads. */
struct elf {
    uintptr_t base, relro_from, relro_to; /* relro: the pages that are read-only after relocation */
    const ElfW(Dyn) *dynamic;             /* NULL: the object lacks a readable dynamic section */
    const ElfW(Sym) *symbols;
    const char *strings, *name, *soname; /* soname is "" if the object has none */
    const ElfW(Rela) *relocations[2];    /* the relocations of data, and the PLT's */
    size_t n_relocations[2];
};

/* Returns the parts of a loaded object. */
static struct elf read_elf(const struct dl_phdr_info *info)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct elf e = {.base = info->dlpi_addr, .name = info->dlpi_name, .soname = ""};
    const ElfW(Dyn) *soname = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        const uintptr_t at = e.base + h->p_vaddr;
        if (h->p_type == PT_GNU_RELRO) {
            e.relro_from = at & -page;
            e.relro_to = (at + h->p_memsz) & -page;
        } else if (h->p_type == PT_DYNAMIC) {
            e.dynamic = (const ElfW(Dyn) *)at;
        }
    }
    for (const ElfW(Dyn) *d = e.dynamic; d && d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_STRTAB: e.strings = (const char *)d->d_un.d_ptr; break;
        case DT_SYMTAB: e.symbols = (const ElfW(Sym) *)d->d_un.d_ptr; break;
        case DT_RELA: e.relocations[0] = (const ElfW(Rela) *)d->d_un.d_ptr; break;
        case DT_RELASZ: e.n_relocations[0] = d->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_JMPREL: e.relocations[1] = (const ElfW(Rela) *)d->d_un.d_ptr; break;
        case DT_PLTRELSZ: e.n_relocations[1] = d->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_SONAME: soname = d; break;
        }
    }
    if ((uintptr_t)e.strings < e.base || (uintptr_t)e.symbols < e.base) /* the vDSO's addresses are not relocated */
        e.dynamic = NULL;
    if (e.dynamic && soname)
        e.soname = e.strings + soname->d_un.d_val;
    return e;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Reports whether an object with this dynamic section and these strings needs the library
   (DT_NEEDED). */
static int needs(const ElfW(Dyn) *dynamic, const char *strings, const struct elf *library)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag != DT_NEEDED)
            continue;
        const char *name = base_name(strings + dynamic->d_un.d_val);
        if (!strcmp(name, library->soname) || !strcmp(name, base_name(library->name)))
            return 1;
    }
    return 0;
}

/* ---- references ---- */

#if defined(__x86_64__)
enum { TO_SYMBOL = R_X86_64_GLOB_DAT, TO_FUNCTION = R_X86_64_JUMP_SLOT, IN_DATA = R_X86_64_64 };
#elif defined(__aarch64__)
enum { TO_SYMBOL = R_AARCH64_GLOB_DAT, TO_FUNCTION = R_AARCH64_JUMP_SLOT, IN_DATA = R_AARCH64_ABS64 };
#endif

static void *runtime_dlsym(void *handle, const char *name);
static int runtime_dlclose(void *handle);

/* Returns the runtime's own function for a name for which a front exports a stub; else NULL. A
   leading P (PMPI_) is ignored. */
static void *own_function(const char *name)
{
    const char *const plain = name + (*name == 'P');
    unsigned low = 0, high = wi4go_family.n_functions;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        const int order = strcmp(plain, wi4go_slots[middle].name);
        if (!order)
            return wi4go_R[middle] == wi4go_missing_entries[middle] ? NULL : wi4go_R[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* Returns the address that a reference of the runtime with this name must lead to, or NULL if it
   stays unchanged. */
static void *target(const char *name)
{
    if (!strncmp(name, "MPI", 3) || !strncmp(name, "PMPI", 4))
        return own_function(name);
    if (!strcmp(name, "dlsym"))
        return (void *)runtime_dlsym;
    return !strcmp(name, "dlclose") ? (void *)runtime_dlclose : NULL;
}

static void *own_stubs; /* the stubs of own.h, if they were loaded before the runtime; else NULL */

/* Returns the runtime's own function if a reference to it was bound to a symbol of wi4go: a
   function of the front whose name is not MPI's, or a stub of own.h. Otherwise returns NULL. */
static void *bypass_wi4go(const char *name, void *bound)
{
    if (wi4go_is_own_address((uintptr_t)bound))
        return own_function(name);
    return own_stubs && bound && bound == dlsym(own_stubs, name) ? dlsym(wi4go_runtime_library, name) : NULL;
}

static uintptr_t runtime_base; /* the load address of the runtime; 0 until it is taken */

/* Called if an object's references to MPI cannot be written: pages may be sealed (mseal), or a
   filter of system calls or vm.max_map_count may make mprotect fail. Turns on the safety net,
   which replaces binding. Ends the process if calls may already be running, because the safety
   net cannot start then. */
static void note_unwritable(const char *name, int error)
{
    if (runtime_base && !wi4go_safety_net)
        wi4go_die("%s: cannot bind its MPI calls to the MPI library: mprotect: %s (vm.max_map_count may be reached): start the program with "
                  "WI4GO_SAFETY_NET=yes, which binds none",
                  name, strerror(error));
    wi4go_safety_net = 1;
    if (!*wi4go_unwritable)
        snprintf(wi4go_unwritable, sizeof wi4go_unwritable, "%s: mprotect: %s", name, strerror(error));
}

/* Tests mprotect on a page of its own. If it is refused for this page, it would also be refused
   for the pages of plugins, which come later. */
static void test_mprotect(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *const p = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED && mprotect(p, page, PROT_READ | PROT_WRITE))
        note_unwritable("a page of memory", errno);
    if (p != MAP_FAILED)
        munmap(p, page);
}

/* Rebinds the references of an object, and makes its read-only relocations writable meanwhile. */
static void bind_references(const struct elf *e)
{
    enum { CLOSED, OPEN, SEALED } pages = CLOSED;
    int error = 0;
    for (int table = 0; table < 2; table++)
        for (size_t i = 0; i < e->n_relocations[table]; i++) {
            const ElfW(Rela) *r = &e->relocations[table][i];
            const unsigned long type = ELF64_R_TYPE(r->r_info), symbol = ELF64_R_SYM(r->r_info);
            if (!symbol || r->r_addend || (type != TO_SYMBOL && type != TO_FUNCTION && type != IN_DATA))
                continue;
            const char *const name = e->strings + e->symbols[symbol].st_name;
            void **const place = (void **)(e->base + r->r_offset);
            void *to = target(name);
            if (!to)
                to = bypass_wi4go(name, *place);
            if (!to)
                continue;
            const int is_protected = (uintptr_t)place >= e->relro_from && (uintptr_t)place < e->relro_to;
            if (is_protected && pages == CLOSED) {
                pages = mprotect((void *)e->relro_from, e->relro_to - e->relro_from, PROT_READ | PROT_WRITE) ? SEALED : OPEN;
                error = errno;
            }
            if (is_protected && pages == SEALED && to != (void *)runtime_dlsym && to != (void *)runtime_dlclose)
                note_unwritable(e->name, error);
            if (!is_protected || pages == OPEN)
                __atomic_store_n(place, to, __ATOMIC_RELEASE);
        }
    if (pages == OPEN)
        mprotect((void *)e->relro_from, e->relro_to - e->relro_from, PROT_READ);
}

/* ---- taking objects ---- */

/* The state of taking an opened library. The dynamic linker lists objects in the order of
   loading, so each comes after the objects that need it. */
struct taking {
    uintptr_t root;      /* the load address of the opened library */
    uintptr_t after;     /* the load address of an object that must come earlier in the list, or 0 without such an object or once seen */
    void *handle;        /* the dlopen handle to store for each object taken */
    unsigned n;          /* the number of objects taken: the root, and the libraries that it needs */
    struct { const ElfW(Dyn) *dynamic; const char *strings; } taken[1000];
};

/* Reports whether the object at this load address has been taken. */
static int is_taken(uintptr_t base)
{
    for (EACH_OBJECT(o))
        if (__atomic_load_n(&o->base, __ATOMIC_ACQUIRE) == base)
            return 1;
    return 0;
}

/* For dl_iterate_phdr: takes the root, and each later object that a taken one needs. */
static int rebind_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct taking *t = data;
    if (t->after) {
        if (info->dlpi_addr == t->after)
            t->after = 0;
        return 0;
    }
    if (!t->n && info->dlpi_addr != t->root)
        return 0;
    const struct elf e = read_elf(info);
    int own = e.base == t->root;
    for (unsigned i = 0; i < t->n && e.dynamic && !own; i++)
        own = needs(t->taken[i].dynamic, t->taken[i].strings, &e);
    if (!own || !e.dynamic || is_taken(e.base))
        return 0;
    if (t->n == sizeof t->taken / sizeof *t->taken)
        wi4go_die("%s: the MPI library loads more than %u libraries: name another with WI4GO_TO or --to", e.name, t->n);
    t->taken[t->n].dynamic = e.dynamic;
    t->taken[t->n++].strings = e.strings;
    bind_references(&e);
    struct object *const o = free_object();
    o->handle = t->handle;
    __atomic_store_n(&o->base, e.base, __ATOMIC_RELEASE);
    return 0;
}

/* For wi4go_with_loader_lock. */
static void bind_objects(void *taking) { dl_iterate_phdr(rebind_object, taking); }

/* Takes an opened library, unless it is the program's, that is, loaded before the runtime. */
static void rebind_opened(void *opened, void *handle)
{
    struct link_map *map;
    struct taking t;
    if (dlinfo(opened, RTLD_DI_LINKMAP, &map) || is_taken(map->l_addr))
        return;
    t.root = map->l_addr;
    t.after = runtime_base;
    t.handle = handle;
    t.n = 0;
    wi4go_with_loader_lock(bind_objects, &t); /* because bypass_wi4go calls dlsym */
    if (!runtime_base)
        runtime_base = t.root;
}

void wi4go_rebind_library(void *library)
{
    char path[PATH_MAX], name[64];
    snprintf(name, sizeof name, "%s/own.so", wi4go_family.name);
    test_mprotect();
    wi4go_install_path(path, sizeof path, name); /* if they are not loaded, ld.so looks for a bare name in 60 places */
    own_stubs = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    rebind_opened(library, NULL);
}

/* ---- dlsym and dlclose of the runtime ---- */

static void *last_opened; /* the dlopen handle that runtime_dlsym has seen last: a cache */

/* Replaces dlsym in the runtime's objects. The runtime calls it for the plugins that it has
   opened, so their objects are taken here, and it gets its own functions of MPI. dlopen itself
   cannot be replaced: its search depends on the file of its caller, which would then be the
   front. */
__attribute__((optimize("O2"))) /* for the tail call below */
static void *runtime_dlsym(void *handle, const char *name)
{
    if (handle == RTLD_DEFAULT || handle == RTLD_NEXT) {
        void *const own = target(name);
        if (own)
            return own;
        return dlsym(handle, name); /* must be a tail call: the next object depends on the caller */
    }
    if (handle != __atomic_load_n(&last_opened, __ATOMIC_RELAXED)) {
        rebind_opened(handle, handle);
        __atomic_store_n(&last_opened, handle, __ATOMIC_RELAXED);
    }
    void *const found = dlsym(handle, name), *const own = wi4go_is_own_address((uintptr_t)found) ? target(name) : NULL;
    return own ? own : found;
}

/* For dl_iterate_phdr: removes the objects that were loaded by a handle from the table. */
static int remove_object(struct dl_phdr_info *info, size_t size, void *handle)
{
    (void)info, (void)size;
    for (EACH_OBJECT(o))
        if (o->base && o->handle == handle)
            __atomic_store_n(&o->base, 0, __ATOMIC_RELEASE);
    return 1; /* once is enough */
}

/* Replaces dlclose in the runtime's objects. Removes the handle's objects from the table first:
   as soon as they are gone, another thread may load an object at the same address, whose
   references must be bound. An object that stays is taken again when it is next asked for a
   symbol, which changes nothing. */
static int runtime_dlclose(void *handle)
{
    if (handle) /* NULL marks the objects that stay */
        dl_iterate_phdr(remove_object, handle);
    __atomic_store_n(&last_opened, NULL, __ATOMIC_RELAXED);
    return dlclose(handle);
}
