/*
 * Initialization, queries about the library itself (MPI-5.0, 9.1), MPI_Pcontrol, whose
 * arguments can be of any kind, and arithmetic on addresses.
 *
 * Gives: MPI_Init and its kind, MPI_Get_version, MPI_Get_library_version,
 * MPI_Pcontrol, MPI_Aint_add, MPI_Aint_diff.
 * Needs: pair.h, errors.h, handles.h, cut_string.h, pair_setup.h.
 */
#ifndef WI4GO_ENVIRONMENT_H
#define WI4GO_ENVIRONMENT_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "cut_string.h"
#include "pair_setup.h"

/* ---- initialization, and the check that the runtime understands the launcher ---- */

/* Completes the set-up after the runtime's initialization. If the launcher started several
   processes, and the runtime did not understand it and starts a world of one, this may end MPI and
   the process (launcher_check.c). */
static void finish_init(void)
{
    int size = 0;
    after_init();
    if (unlikely(wi4go_must_check_world()) && !R_MPI_Comm_size(R_MPI_COMM_WORLD, &size) && size == 1 && wi4go_report_world_of_one()) {
        R_MPI_Finalize();
        wi4go_exit_wrong_launcher();
    }
}

static int A_MPI_Init(int *argc, char ***argv)
{
    wi4go_check_launcher();
    int rc = R_MPI_Init(argc, argv);
    if (unlikely(rc))
        return error_r2a(rc);
    finish_init();
    return 0;
}

static int A_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    wi4go_check_launcher();
    int rc = R_MPI_Init_thread(argc, argv, (int)THREAD_LEVEL_a2r(required), provided);
    if (unlikely(rc))
        return error_r2a(rc);
    if (provided)
        *provided = (int)THREAD_LEVEL_r2a(*provided);
    finish_init();
    return 0;
}

/* Returns the number of processes in the world of a session, or 0 if the runtime does not
   report it. The world is the process set mpi://WORLD (MPI-5.0, 11.3.2). */
static int session_world(R_MPI_Session session)
{
    R_MPI_Info info;
    char size[16] = "";
    int given = 0;
    if (R_MPI_Session_get_pset_info(session, "mpi://WORLD", &info))
        return 0;
    R_MPI_Info_get(info, "mpi_size", sizeof size - 1, size, &given);
    R_MPI_Info_free(&info);
    return given ? atoi(size) : 0;
}

static int A_MPI_Session_init(A_MPI_Info info, A_MPI_Errhandler errhandler, A_MPI_Session *session)
{
    R_MPI_Session r_session;
    wi4go_check_launcher();
    int rc = R_MPI_Session_init(INFO_a2r(info), ERRHANDLER_a2r(errhandler), session ? &r_session : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    after_init();
    if (!session)
        return 0;
    if (unlikely(wi4go_must_check_world()) && session_world(r_session) == 1 && wi4go_report_world_of_one()) {
        R_MPI_Session_finalize(&r_session);
        wi4go_exit_wrong_launcher();
    }
    *session = SESSION_r2a(r_session);
    return 0;
}

/* Writes the MPI version of the library that the program was built with (WI4GO_FROM_VERSION,
   see version_text_prefix), because the front emulates the functions of it that the runtime lacks.
   If that library is not known, it is the lower version of the runtime's and the family's. The
   standard ABI has one version. */
static int level_of_program(int *version, int *subversion)
{
    int rc = R_MPI_Get_version(version, subversion);
    if (unlikely(rc))
        return error_r2a(rc);
    if (A_STANDARD || *version > A_LEVEL_VERSION || (*version == A_LEVEL_VERSION && *subversion > A_LEVEL_SUBVERSION)) {
        *version = A_LEVEL_VERSION;
        *subversion = A_LEVEL_SUBVERSION;
    }
    const char *built = A_STANDARD ? NULL : getenv("WI4GO_FROM_VERSION");
    for (const struct wi4go_level *l = wi4go_levels; built && l->library; l++)
        if (!strncmp(built, l->library, strlen(l->library))) {
            *version = l->version;
            *subversion = l->subversion;
            break;
        }
    return 0;
}

/* Keeps the answer, because it does not change: version and subversion in one word, 0 before the
   first call. */
static int A_MPI_Get_version(int *version, int *subversion)
{
    static int answer;
    int kept = __atomic_load_n(&answer, __ATOMIC_RELAXED);
    if (unlikely(!kept || !version || !subversion)) {
        if (!version || !subversion)
            return error_r2a(R_MPI_Get_version(version, subversion));
        const int rc = level_of_program(version, subversion);
        if (rc)
            return rc;
        kept = *version << 16 | *subversion;
        __atomic_store_n(&answer, kept, __ATOMIC_RELAXED);
    }
    *version = kept >> 16;
    *subversion = kept & 0xffff;
    return 0;
}

/* Writes the beginning of a library version text, in at most 255 characters, and returns its
   length. It is the version text of the library that the program was built with: the one in
   WI4GO_FROM_VERSION (vendor@number; the launcher sets it, because it can find the library that
   the program would have loaded), otherwise the family's newest. If the variable does not name a
   library and the runtime is of the program's family, the runtime counts as the program's own
   library, and the beginning is empty. */
static size_t version_text_prefix(char *text)
{
    const char *built = getenv("WI4GO_FROM_VERSION");
    const size_t most = 128;
    text[0] = 0;
    for (const struct wi4go_vendor *v = wi4go_vendors; built && v->name; v++) {
        size_t n = strlen(v->name);
        if (!strncmp(built, v->name, n) && strlen(built + n) < most)
            stpcpy(stpcpy(stpcpy(text, v->before), built + n), v->after);
    }
    if (SAME_FAMILY && !*text)
        return 0;
    return (size_t)(stpcpy(text + strlen(text), *text ? A_JOINT : A_INTRODUCTION A_JOINT) - text);
}

/* Writes a text that begins as the program's own library would, because programs check that,
   and then names the runtime. With WI4GO_LIBRARY_VERSION=runtime it is the runtime's own
   text. */
static int A_MPI_Get_library_version(char *version, int *resultlen)
{
    char text[R_MPI_MAX_LIBRARY_VERSION_STRING + 1] = "", whole[R_MPI_MAX_LIBRARY_VERSION_STRING + A_MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    int rc = R_MPI_Get_library_version(version ? text : NULL, resultlen ? &length : NULL);
    if (unlikely(rc))
        return error_r2a(rc);
    const char *setting = getenv("WI4GO_LIBRARY_VERSION");
    size_t n = 0;
    if (!setting || strcmp(setting, "runtime"))
        n = version_text_prefix(whole);
    int introduced = n > 0;
    for (const char *p = text; *p && n < sizeof whole - 1; p++)
        whole[n++] = *p == '\t' && introduced ? ' ' : *p;
    while (introduced && n && whole[n - 1] == '\n')
        n--;
    whole[n] = 0;
    *resultlen = (int)n;
    cut_string(version, A_MPI_MAX_LIBRARY_VERSION_STRING, whole, resultlen);
    return 0;
}

/* Passes the level on. The arguments after it are for a profiler (MPI-5.0, 15.2.4). */
static int A_MPI_Pcontrol(const int level, ...)
{
    int rc = R_MPI_Pcontrol(level);
    return likely(!rc) ? 0 : error_r2a(rc);
}

/* ---- arithmetic on addresses, MPI-5.0, 4.1.5: macros in some mpi.h, and then not in the library ---- */

static MPI_Aint A_MPI_Aint_add(MPI_Aint base, MPI_Aint disp) { return base + disp; }
static MPI_Aint A_MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return addr1 - addr2; }
#endif
