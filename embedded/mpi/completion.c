/*
 * Completion of requests (MPI-5.0, 3.7.3, 3.7.5) and persistent starts (3.9). A function of several
 * requests checks all handles before it completes any.
 */
#include "functions.h"
#include "../base/errors.h"
#include "../base/request.h"
#include "../base/status.h"

#include <stdlib.h>

static int no_request(const char *name, int i) { return em_error(MPI_ERR_REQUEST, "%s[%d] is not a valid request", name, i); }

/* Completes a request whose operation has ended, and replaces its handle. */
static int complete_handle(MPI_Request *handle, MPI_Status *status)
{
    struct request *request = (struct request *)*handle;
    bool persistent = request->persistent;
    int err = em_take(request, status);
    if (!persistent)
        *handle = MPI_REQUEST_NULL;
    return err;
}

/* Reports whether a request is active, so that completion functions look at it. */
static inline bool is_active(const struct request *request) { return request && request->active; }

/* Writes the empty status of a null or inactive request (MPI-5.0, 3.7.3), unless the program ignores it. */
static void give_empty(MPI_Status *status)
{
    if (status)
        em_status_empty(status);
}

/* Completes an active request if it is complete, after progress. */
static bool test_request(struct request *request)
{
    if (em_complete(request))
        return true;
    em_progress();
    if (em_complete(request))
        return true;
    em_found_nothing();
    return false;
}

/* A null or inactive request completes at once with an empty status. Afterwards a request that is not persistent is
 * freed, and the handle is MPI_REQUEST_NULL. */
int em_Wait(MPI_Request *handle, MPI_Status *status)
{
    struct request *request = em_request_of(*handle);
    if (unlikely(!is_active(request))) {
        if (!request && *handle != MPI_REQUEST_NULL)
            return em_error(MPI_ERR_REQUEST, "request is not a valid request");
        give_empty(status);
        return MPI_SUCCESS;
    }
    int err = em_wait(request, "MPI_Wait");
    return unlikely(err) ? err : complete_handle(handle, status);
}

/* Makes progress also for a null or inactive request, because a program may poll with one. */
int em_Test(MPI_Request *handle, int *flag, MPI_Status *status)
{
    struct request *request = em_request_of(*handle);
    *flag = 1;
    if (unlikely(!is_active(request))) {
        if (!request && *handle != MPI_REQUEST_NULL)
            return em_error(MPI_ERR_REQUEST, "request is not a valid request");
        give_empty(status);
        em_progress();
        return MPI_SUCCESS;
    }
    *flag = test_request(request);
    return *flag ? complete_handle(handle, status) : MPI_SUCCESS;
}

/* Writes the status of a complete request but neither frees nor deactivates it, so the call may be repeated. */
int em_Request_get_status(MPI_Request handle, int *flag, MPI_Status *status)
{
    struct request *request = em_request_of(handle);
    if (!request && handle != MPI_REQUEST_NULL)
        return em_error(MPI_ERR_REQUEST, "request is not a valid request");
    *flag = !is_active(request) || test_request(request);
    if (!is_active(request)) {
        give_empty(status);
        return MPI_SUCCESS;
    }
    if (!*flag)
        return MPI_SUCCESS;
    MPI_Status own;
    if (!status)
        status = &own;
    em_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    return request->kind->peek ? request->kind->peek(request, status) : request->kind->finish(request, status);
}

/* An active operation still completes; its kind's abandon frees the request then. The handle is null at once. */
int em_Request_free(MPI_Request *handle)
{
    struct request *request = em_request_of(*handle);
    if (!request)
        return em_error(MPI_ERR_REQUEST, "request is not a valid request");
    *handle = MPI_REQUEST_NULL;
    if (request->active)
        request->kind->abandon(request);
    else
        em_request_free(request);
    return MPI_SUCCESS;
}

/* Only marks the request: the program must still complete it, and its status shows whether the cancel succeeded. */
int em_Cancel(MPI_Request *handle)
{
    struct request *request = em_request_of(*handle);
    if (!is_active(request))
        return em_error(MPI_ERR_REQUEST, "request is not an active request");
    if (!request->kind->cancel)
        return em_error(MPI_ERR_REQUEST, "a request of a collective operation cannot be cancelled");
    return request->kind->cancel(request);
}

/* If the start fails, the request stays inactive, and the error goes to its communicator's handler. */
int em_Start(MPI_Request *handle)
{
    struct request *request = em_request_of(*handle);
    if (!request || !request->persistent)
        return em_error(MPI_ERR_REQUEST, "request is not a persistent request");
    if (request->active)
        return em_error(MPI_ERR_REQUEST, "request is active already");
    request->active = true;
    int err = request->kind->start(request);
    if (err) {
        request->active = false;
        em_error_of(request->comm);
    }
    return err;
}

/* Starts the requests in order. The ones before a failing request stay started. */
int em_Startall(int count, MPI_Request *requests)
{
    for (int i = 0; i < count; i++) {
        int err = em_Start(&requests[i]);
        if (err)
            return err;
    }
    return MPI_SUCCESS;
}

/* ---- several requests ---- */

/* Returns whether each handle is valid, and counts the active requests. */
static int check_handles(int count, MPI_Request *handles, int *active)
{
    *active = 0;
    for (int i = 0; i < count; i++) {
        struct request *request = em_request_of(handles[i]);
        if (unlikely(!request && handles[i] != MPI_REQUEST_NULL))
            return no_request("array_of_requests", i);
        *active += is_active(request);
    }
    return MPI_SUCCESS;
}

/* Makes progress before some of many requests are completed, which takes as long as to look at all of them: else each look would find
 * only the few messages that have room in a ring. */
static void progress_for(int count)
{
    enum { EACH = 16 }; /* to look at so many requests takes longer than a poll */
    for (int i = 0; i <= count / EACH; i++)
        em_progress();
}

/* The status of a request in an array, or NULL. */
static inline MPI_Status *status_of_index(MPI_Status *statuses, int i) { return statuses ? &statuses[i] : NULL; }

/* Completes all requests, which are complete. Returns MPI_ERR_IN_STATUS if one has failed. */
static int complete_all(int count, MPI_Request *handles, MPI_Status *statuses)
{
    bool failed = false;
    for (int i = 0; i < count; i++) {
        MPI_Status *status = status_of_index(statuses, i);
        int err = MPI_SUCCESS;
        if (is_active(em_request_of(handles[i])))
            err = complete_handle(&handles[i], status);
        else
            give_empty(status);
        failed |= err != MPI_SUCCESS;
        if (status) /* also MPI_SUCCESS: every library stores it, and programs read it */
            status->MPI_ERROR = err;
    }
    return likely(!failed) ? MPI_SUCCESS : MPI_ERR_IN_STATUS;
}

/* Waits until all requests are complete before it completes the first one, so an error of the wait changes no handle. */
int em_Waitall(int count, MPI_Request *handles, MPI_Status *statuses)
{
    int active, err = check_handles(count, handles, &active);
    for (int i = 0; i < count && !err && active; i++) {
        struct request *request = em_request_of(handles[i]);
        if (is_active(request) && !em_complete(request))
            err = em_wait_first(count - i, &handles[i], "MPI_Waitall");
    }
    return unlikely(err) ? err : complete_all(count, handles, statuses);
}

/* Completes either all requests or none: as long as one is not complete, no handle and no status changes. */
int em_Testall(int count, MPI_Request *handles, int *flag, MPI_Status *statuses)
{
    int active, err = check_handles(count, handles, &active);
    if (unlikely(err))
        return err;
    progress_for(count);
    *flag = 1;
    for (int i = 0; i < count && *flag; i++) {
        struct request *request = em_request_of(handles[i]);
        *flag = !is_active(request) || em_complete(request);
    }
    if (*flag)
        return complete_all(count, handles, statuses);
    em_found_nothing();
    return MPI_SUCCESS;
}

/* Returns the index of a complete request, or -1. This is the one place that decides which of
 * several complete requests MPI_Waitany and MPI_Testany report. */
static int find_complete(int count, MPI_Request *handles)
{
    for (int i = 0; i < count; i++) {
        struct request *request = em_request_of(handles[i]);
        if (is_active(request) && em_complete(request))
            return i;
    }
    return -1;
}

/* Waits until one of the requests is complete. */
static int wait_for_one(int count, MPI_Request *handles, const char *function)
{
    struct request *few[16] = {NULL}, **requests = count <= 16 ? few : malloc((size_t)count * sizeof *requests);
    if (!requests)
        return em_error(MPI_ERR_NO_MEM, "no memory for %d requests", count);
    for (int i = 0; i < count; i++) {
        struct request *request = em_request_of(handles[i]);
        requests[i] = is_active(request) ? request : NULL;
    }
    int i = em_wait_any(count, requests, function);
    if (requests != few)
        free(requests);
    return i < 0 ? -i : MPI_SUCCESS;
}

/* Completes one request. Without an active one, writes MPI_UNDEFINED and an empty status. */
int em_Waitany(int count, MPI_Request *handles, int *indx, MPI_Status *status)
{
    int active, err = check_handles(count, handles, &active);
    if (unlikely(err))
        return err;
    *indx = MPI_UNDEFINED;
    if (!active) {
        give_empty(status);
        return MPI_SUCCESS;
    }
    int i = find_complete(count, handles);
    if (i < 0 && (err = wait_for_one(count, handles, "MPI_Waitany")))
        return err;
    if (i < 0)
        i = find_complete(count, handles);
    *indx = i;
    return complete_handle(&handles[i], status);
}

/* Completes one request if one is complete. Without an active one, *flag is true and *indx MPI_UNDEFINED. */
int em_Testany(int count, MPI_Request *handles, int *indx, int *flag, MPI_Status *status)
{
    int active, err = check_handles(count, handles, &active);
    if (unlikely(err))
        return err;
    *indx = MPI_UNDEFINED;
    *flag = !active;
    if (!active) {
        give_empty(status);
        return MPI_SUCCESS;
    }
    progress_for(count);
    int i = find_complete(count, handles);
    if (i < 0) {
        em_found_nothing();
        return MPI_SUCCESS;
    }
    *indx = i;
    *flag = 1;
    return complete_handle(&handles[i], status);
}

/* Completes each request that is complete, and packs the results. */
static int complete_each(int count, MPI_Request *handles, int *outcount, int *indices, MPI_Status *statuses)
{
    int n = 0;
    bool failed = false;
    for (int i = 0; i < count; i++) {
        struct request *request = em_request_of(handles[i]);
        if (!is_active(request) || !em_complete(request))
            continue;
        MPI_Status *status = status_of_index(statuses, n);
        int err = complete_handle(&handles[i], status);
        failed |= err != MPI_SUCCESS;
        if (status)
            status->MPI_ERROR = err;
        indices[n++] = i;
    }
    *outcount = n;
    return likely(!failed) ? MPI_SUCCESS : MPI_ERR_IN_STATUS;
}

/* Waits for the first complete request, then completes all that are complete. Without an active one, writes
 * MPI_UNDEFINED. */
int em_Waitsome(int count, MPI_Request *handles, int *outcount, int *indices, MPI_Status *statuses)
{
    int active, err = check_handles(count, handles, &active);
    if (unlikely(err))
        return err;
    *outcount = MPI_UNDEFINED;
    if (!active)
        return MPI_SUCCESS;
    progress_for(count);
    if (find_complete(count, handles) < 0 && (err = wait_for_one(count, handles, "MPI_Waitsome")))
        return err;
    return complete_each(count, handles, outcount, indices, statuses);
}

/* Completes all requests that are complete, perhaps none. Without an active one, writes MPI_UNDEFINED. */
int em_Testsome(int count, MPI_Request *handles, int *outcount, int *indices, MPI_Status *statuses)
{
    int active, err = check_handles(count, handles, &active);
    if (unlikely(err))
        return err;
    *outcount = MPI_UNDEFINED;
    if (!active)
        return MPI_SUCCESS;
    progress_for(count);
    err = complete_each(count, handles, outcount, indices, statuses);
    if (!*outcount)
        em_found_nothing();
    return err;
}
