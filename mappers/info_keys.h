/*
 * Keys of infos (MPI-5.0, 10). MPI_Info_get_nthkey cuts a key that is longer than the program's
 * MPI_MAX_INFO_KEY. The functions here find the whole key again for a cut one.
 *
 * Gives: MPI_Info_get and its kind.
 * Needs: pair.h, errors.h, handles.h.
 */
#ifndef WI4GO_INFO_KEYS_H
#define WI4GO_INFO_KEYS_H
#include "pair.h"
#include "errors.h"
#include "handles.h"

/* Returns the runtime's key for the program's. Only a key of the greatest length can have been
   cut; if the info lacks the key, the result is the first key that begins so. whole has room
   for R_MPI_MAX_INFO_KEY characters, and the result may be there. */
static const char *info_key(R_MPI_Info info, const char *key, char *whole)
{
    const size_t room = A_MPI_MAX_INFO_KEY < R_MPI_MAX_INFO_KEY ? A_MPI_MAX_INFO_KEY - 1 : 0;
    int n = 0, found = 0;
    if (!room || likely(!key || strnlen(key, room + 1) != room) || R_MPI_Info_get_valuelen(info, key, &n, &found) || found ||
        R_MPI_Info_get_nkeys(info, &n))
        return key;
    for (int i = 0; i < n; i++)
        if (!R_MPI_Info_get_nthkey(info, i, whole) && !strncmp(whole, key, room))
            return whole;
    return key;
}

/* The body of a function that calls the runtime's with an info and a key. */
#define BY_KEY(call, ...) \
    char whole[R_MPI_MAX_INFO_KEY + 1]; \
    R_MPI_Info r_info = INFO_a2r(info); \
    int rc = call(r_info, info_key(r_info, key, whole), ##__VA_ARGS__); \
    return unlikely(rc) ? error_r2a(rc) : 0;

static int A_MPI_Info_delete(A_MPI_Info info, const char *key) { BY_KEY(R_MPI_Info_delete) }
static int A_MPI_Info_get(A_MPI_Info info, const char *key, int valuelen, char *value, int *flag) { BY_KEY(R_MPI_Info_get, valuelen, value, flag) }
static int A_MPI_Info_get_string(A_MPI_Info info, const char *key, int *buflen, char *value, int *flag) { BY_KEY(R_MPI_Info_get_string, buflen, value, flag) }
static int A_MPI_Info_get_valuelen(A_MPI_Info info, const char *key, int *valuelen, int *flag) { BY_KEY(R_MPI_Info_get_valuelen, valuelen, flag) }
#endif
