/*
 * The MPI libraries that the auditor knows by their file names.
 *
 * Gives: enum part, struct library, families, library_of_name, library_of_file.
 */
#ifndef WI4GO_AUDIT_NAMES_H
#define WI4GO_AUDIT_NAMES_H

enum part { PART_NONE, PART_C, PART_FORTRAN, PART_CXX, PART_OLD };

struct audit_family {
    const char *name;
    const char *front;   /* the soname of its front */
    const char *fortran; /* of the Fortran library that takes the place of the family's; "": there is none */
    const char *mark;    /* a symbol of each of its C libraries */
    int nested_refused;  /* its launcher refuses to start inside a rank */
    /* NULL at the end of each: */
    const char *parts[6];  /* beginnings of the names of the launcher's own libraries */
    const char *inside[6]; /* variables of processes below the launcher */
    const char *sizes[6];  /* variables with the number of ranks */
    const char *ranks[6];  /* variables with the rank */
};

struct library {
    int family; /* an index into families; -1: unknown, or several have this name */
    enum part part;
};

extern const struct audit_family *const families __attribute__((visibility("hidden")));
extern const int n_families __attribute__((visibility("hidden")));

/* Returns the library that the last part of a path names: libmpi.so.40.30.4,
   libmpi-0a1b2c3d.so.12, libmpi.so. */
__attribute__((visibility("hidden"))) struct library library_of_name(const char *path);

/* Returns the same for a file, whose symbolic links decide if its name does not. */
__attribute__((visibility("hidden"))) struct library library_of_file(const char *path);
#endif
