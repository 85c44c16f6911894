/*
 * The MPI libraries that the auditor recognizes by their file names, and the families by the symbols of programs.
 *
 * Gives: enum part, struct library, families, library_of_name, library_of_file, family_of_symbol.
 */
#ifndef WI4GO_AUDIT_NAMES_H
#define WI4GO_AUDIT_NAMES_H

/* The part of an MPI installation that a library is. */
enum part { PART_NONE, PART_C, PART_FORTRAN, PART_CXX, PART_OLD };

/* A family as the auditor uses it, written by the generator. */
struct audit_family {
    const char *name;
    const char *front;   /* the soname of its front */
    const char *fortran; /* the Fortran library that replaces the family's, or "" */
    const char *mark;    /* a symbol that each of its C libraries defines */
    int nested_refused;  /* 1: its launcher refuses to start inside a rank */
    /* Each of these lists ends with NULL: */
    const char *parts[6];  /* prefixes of the names of the launcher's own libraries */
    const char *inside[6]; /* variables that processes below the launcher have */
    const char *sizes[6];  /* variables with the number of ranks */
    const char *ranks[6];  /* variables with the rank */
};

/* The meaning of a library's file name. */
struct library {
    int family; /* an index into families, or -1 if unknown or ambiguous */
    enum part part;
};

extern const struct audit_family *const families __attribute__((visibility("hidden")));
extern const int n_families __attribute__((visibility("hidden")));

/* Returns the library that the last element of a path names: libmpi.so.40.30.4,
   libmpi-0a1b2c3d.so.12, libmpi.so. */
__attribute__((visibility("hidden"))) struct library library_of_name(const char *path);

/* Returns the same for a file; follows its symbolic links if its own name does not decide. */
__attribute__((visibility("hidden"))) struct library library_of_file(const char *path);

/* Returns the family among those that share a name without a version (libmpi.so) whose C library alone has a
   symbol, as an index into families; or -1. */
__attribute__((visibility("hidden"))) int family_of_symbol(const char *name);
#endif
