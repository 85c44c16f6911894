/*
 * Recognizes MPI libraries by their file names, with the automaton that the generator makes from
 * the patterns in abi/ (gen/audit).
 */
#include "names.h"
#include "system.h"
#include <fcntl.h>
#include <limits.h>

/* A name without a version, as linkers look for it (libmpi.so). */
struct audit_link_name {
    const char *name;
    int family; /* an index into families, or -1 if several families have this name */
};
#include "audit/patterns.h"

const struct audit_family *const families = audit_families;
const int n_families = sizeof audit_families / sizeof *audit_families;

/* Copies a file name without the hash that auditwheel inserts into the names of bundled
   libraries: libmpi-0a1b2c3d.so.12 becomes libmpi.so.12. Returns 0, or -1 if the name is too long
   for the buffer. */
static int without_hash(const char *name, char *buffer, size_t size)
{
    size_t n = length(name), so = 0;
    if (n >= size)
        return -1;
    while (so < n && !starts_with(name + so, ".so"))
        so++;
    size_t digits = 0;
    while (digits < so && ((name[so - digits - 1] >= '0' && name[so - digits - 1] <= '9') || (name[so - digits - 1] >= 'a' && name[so - digits - 1] <= 'f')))
        digits++;
    size_t hash = so < n && digits >= 4 && digits < so && name[so - digits - 1] == '-' ? digits + 1 : 0;
    size_t to = 0;
    for (size_t from = 0; from <= n; from++)
        if (from < so - hash || from >= so)
            buffer[to++] = name[from];
    return 0;
}

/* Returns the library that the automaton recognizes by its name. */
static struct library by_pattern(const char *name)
{
    unsigned state = 1;
    for (const char *p = name;; p++) {
        state = audit_next[state][audit_classes[(unsigned char)*p]];
        if (!*p)
            break;
    }
    const unsigned accepted = audit_accepts[state];
    if (!accepted)
        return (struct library){-1, PART_NONE};
    return (struct library){(int)(accepted - 1) / 4, PART_C + (accepted - 1) % 4};
}

int family_of_symbol(const char *name)
{
    unsigned state = 1;
    for (const char *p = name;; p++) {
        state = audit_symbol_next[state][audit_symbol_classes[(unsigned char)*p]];
        if (!*p || !state)
            break;
    }
    return (int)audit_symbol_accepts[state] - 1;
}

struct library library_of_name(const char *path)
{
    char name[256];
    if (without_hash(basename_of(path), name, sizeof name))
        return (struct library){-1, PART_NONE};
    struct library found = by_pattern(name);
    for (size_t i = 0; found.part == PART_NONE && i < sizeof audit_link_names / sizeof *audit_link_names; i++)
        if (equal(name, audit_link_names[i].name))
            found = (struct library){audit_link_names[i].family, PART_C};
    return found;
}

/* Replaces the path of a symbolic link by its target. Returns 1, or 0 if the path is no symbolic
   link. */
static int follow(char *path, size_t size)
{
    char target[PATH_MAX], directory[PATH_MAX];
    const long n = system_call(SYS_readlinkat, AT_FDCWD, (long)path, (long)target, sizeof target - 1);
    if (n <= 0)
        return 0;
    target[n] = 0;
    const char *const all[] = {path, NULL};
    concat(directory, sizeof directory, all);
    directory[basename_of(directory) - directory] = 0;
    const char *const parts[] = {*target == '/' ? "" : directory, target, NULL};
    return !concat(path, size, parts);
}

struct library library_of_file(const char *path)
{
    char file[PATH_MAX];
    const char *const all[] = {path, NULL};
    struct library found = library_of_name(path);
    if (basename_of(path) == path || concat(file, sizeof file, all))
        return found;
    for (int links = 0; links < 8 && found.family < 0 && follow(file, sizeof file); links++) {
        const struct library target = library_of_name(file);
        if (target.part != PART_NONE)
            found = target;
    }
    return found;
}
