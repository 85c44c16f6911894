/*
 * Starting processes (MPI-5.0, 11.8.2). Commands, counts, infos and argument vectors are
 * significant at the root only.
 *
 * Gives: MPI_Comm_spawn, MPI_Comm_spawn_multiple.
 * Needs: pair.h, errors.h, handles.h, comm_sizes.h.
 */
#ifndef WI4GO_SPAWN_H
#define WI4GO_SPAWN_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "comm_sizes.h"
#include <dlfcn.h>
#include <string.h>

/* Converts the error codes that the call has written: one for each new process, or, after a
   failure, one for each process that the root requested. codes may be NULL. */
static void convert_codes(int *codes, int asked, R_MPI_Comm intercomm)
{
    int n = asked;
    if (codes == NULL)
        return;
    if (intercomm != R_MPI_COMM_NULL && R_MPI_Comm_remote_size(intercomm, &n))
        n = asked;
    for (int i = 0; i < n; i++)
        codes[i] = error_r2a(codes[i]);
}

/* Returns a copy of the info with the variables by which new processes load the front, for the
   caller to free, or MPI_INFO_NULL if the runtime needs none. Open MPI 5 does not pass on the
   variables that its launcher's option -x gave to this process (4.1 and Hydra do), and without
   the front the new processes would be a world of another library. Open MPI 5 reads variables,
   one a line, from a key of the info that other libraries ignore. MPI_Info_set limits a value to
   fewer characters than a preload may have, so this calls the library's internal setter, which
   has no limit. */
static R_MPI_Info info_with_front(R_MPI_Info info)
{
    static const char *const names[] = {"LD_PRELOAD", "WI4GO_TO", "WI4GO_FROM", "WI4GO_FROM_VERSION", "WI4GO_FROM_DRAFT"};
    enum { N = sizeof names / sizeof *names };
    static const char key[] = R_SPAWN_KEY;
    int (*set)(R_MPI_Info, const char *, const char *) = NULL;
    char given[R_MPI_MAX_INFO_VAL + 1] = "";
    int there = 0;
    R_MPI_Info with = R_MPI_INFO_NULL;
    if (!*key || (info == R_MPI_INFO_NULL ? R_MPI_Info_create(&with) : R_MPI_Info_dup(info, &with)))
        return with;
    R_MPI_Info_get(with, key, R_MPI_MAX_INFO_VAL, given, &there);

    size_t size = sizeof given;
    for (int i = 0; i < N; i++)
        size += getenv(names[i]) ? sizeof "\n=" + strlen(names[i]) + strlen(getenv(names[i])) : 0;
    char *value = wi4go_scratch_alloc(size), *end = stpcpy(value, given);
    for (int i = 0; i < N; i++)
        if (getenv(names[i]))
            end = stpcpy(stpcpy(stpcpy(stpcpy(end, end > value ? "\n" : ""), names[i]), "="), getenv(names[i]));
    *(void **)&set = dlsym(wi4go_runtime_library, R_SPAWN_SETTER);
    if (!set && end - value >= R_MPI_MAX_INFO_VAL)
        wi4go_print("MPI_Comm_spawn: LD_PRELOAD and WI4GO_TO are longer than the %d characters that %s takes, so the new "
                    "processes may start without wi4go: install wi4go or the library under a shorter path",
                    R_MPI_MAX_INFO_VAL, wi4go_runtime_path);
    else if (end > value)
        (set ? set : R_MPI_Info_set)(with, key, value);
    wi4go_scratch_free(value, size);
    return with;
}

static int A_MPI_Comm_spawn(const char *command, char **argv, int maxprocs, A_MPI_Info info, int root, A_MPI_Comm comm,
                            A_MPI_Comm *intercomm, int *array_of_errcodes)
{
    R_MPI_Comm r_comm = COMM_a2r(comm), r_intercomm = R_MPI_COMM_NULL;
    int at_root = is_collective_root(r_comm, root);
    R_MPI_Info r_info = at_root ? INFO_a2r(info) : R_MPI_INFO_NULL, with = at_root ? info_with_front(r_info) : R_MPI_INFO_NULL;
    int rc = R_MPI_Comm_spawn(command, argv, maxprocs, with != R_MPI_INFO_NULL ? with : r_info, (int)RANK_a2r(root), r_comm,
                                     intercomm ? &r_intercomm : NULL, array_of_errcodes);
    if (with != R_MPI_INFO_NULL)
        R_MPI_Info_free(&with);
    convert_codes(array_of_errcodes, at_root ? maxprocs : 0, rc ? R_MPI_COMM_NULL : r_intercomm);
    if (unlikely(rc))
        return error_r2a(rc);
    *intercomm = COMM_r2a(r_intercomm);
    return 0;
}

static int A_MPI_Comm_spawn_multiple(int count, char **array_of_commands, char ***array_of_argv, const int *array_of_maxprocs,
                                     const A_MPI_Info *array_of_info, int root, A_MPI_Comm comm, A_MPI_Comm *intercomm, int *array_of_errcodes)
{
    R_MPI_Comm r_comm = COMM_a2r(comm), r_intercomm = R_MPI_COMM_NULL;
    int at_root = is_collective_root(r_comm, root), asked = 0;
    size_t n = at_root && count > 0 ? (size_t)count : 0;
    R_MPI_Info *r_info = wi4go_scratch_alloc(2 * n * sizeof *r_info), *with = r_info + n;
    for (size_t i = 0; i < n; i++) {
        r_info[i] = array_of_info ? INFO_a2r(array_of_info[i]) : R_MPI_INFO_NULL;
        with[i] = info_with_front(r_info[i]);
        if (with[i] != R_MPI_INFO_NULL)
            r_info[i] = with[i];
        asked += array_of_maxprocs ? array_of_maxprocs[i] : 0;
    }
    int rc = R_MPI_Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info ? r_info : NULL, (int)RANK_a2r(root), r_comm,
                                              intercomm ? &r_intercomm : NULL, array_of_errcodes);
    convert_codes(array_of_errcodes, asked, rc ? R_MPI_COMM_NULL : r_intercomm);
    for (size_t i = 0; i < n; i++)
        if (with[i] != R_MPI_INFO_NULL)
            R_MPI_Info_free(&with[i]);
    wi4go_scratch_free(r_info, 2 * n * sizeof *r_info);
    if (unlikely(rc))
        return error_r2a(rc);
    *intercomm = COMM_r2a(r_intercomm);
    return 0;
}
#endif
