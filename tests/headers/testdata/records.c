/* Tracked requests (mappers/tracked_requests.h): N are added, shown to Fortran, found, and removed in the order in
   which they were added, as a program completes them. Every third one is first replaced by another
   request with the same handle. Prints errors. */
#include "request_handles.h"
#include <stdio.h>

void *wi4go_R[N_SLOTS];
void *const wi4go_missing_entries[N_SLOTS];
void wi4go_watch_thread(void) {}
void wi4go_die(const char *format, ...) { (void)format; abort(); }

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? (size_t)atoi(argv[1]) : 0;
    struct tracked_request **o = calloc(n + 1, sizeof *o);
    for (size_t i = 0; i < n; i++) {
        o[i] = tracked_new();
        const R_MPI_Request r = (R_MPI_Request)(0x10000 + 16 * i);
        tracked_enter(o[i], r);
        tracked_shown((A_MPI_Request)o[i]->handle, r);
    }
    for (size_t i = 0; i < n; i += 3)
        tracked_replace(o[i], (R_MPI_Request)(0x8000000 + 16 * i));
    for (size_t i = 0; i < n; i++) {
        const R_MPI_Request first = (R_MPI_Request)(0x10000 + 16 * i), now = i % 3 ? first : (R_MPI_Request)(0x8000000 + 16 * i);
        if (tracked_find(now) != o[i] || (now != first && tracked_find(first)))
            printf("record %zu is not found\n", i);
    }
    for (size_t i = 0; i < n; i++) {
        const R_MPI_Request r = o[i]->request;
        const int64_t a = o[i]->handle;
        if (tracked_of(a) != o[i])
            printf("record %zu is not found by its handle\n", i);
        o[i]->comm = R_MPI_COMM_NULL;
        tracked_end(o[i]);
        if (tracked_find(r) || tracked_of(a))
            printf("record %zu is found after its end\n", i);
    }
    free(o);
    return 0;
}
