/* A thread detaches the buffer while another thread packs a large message into it: the detach returns when the message
   has been delivered. If the detach comes first on a slow machine, the send is refused and nothing is tested. */
#include "../../conformance/check.h"
#include <pthread.h>
#include <unistd.h>

enum { ITEMS = 8000000 };
static MPI_Datatype every_second;
static int *items, packing, sent;

static void *send(void *unused)
{
    (void)unused;
    __atomic_store_n(&packing, 1, __ATOMIC_RELEASE);
    sent = MPI_Bsend(items, 1, every_second, 0, 1, MPI_COMM_SELF);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, arrived = 0, *got = malloc(ITEMS * sizeof *got), size_back;
    void *buffer, *room;
    pthread_t thread;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_ranks();
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_INT(provided, MPI_THREAD_MULTIPLE);
    items = malloc(2 * ITEMS * sizeof *items);
    room = malloc(ITEMS * sizeof *items + MPI_BSEND_OVERHEAD);
    for (int i = 0; i < 2 * ITEMS; i++)
        items[i] = i;
    MUST(MPI_Type_vector(ITEMS, 1, 2, MPI_INT, &every_second));
    MUST(MPI_Type_commit(&every_second));
    MUST(MPI_Buffer_attach(room, (int)(ITEMS * sizeof *items) + MPI_BSEND_OVERHEAD));
    MUST(MPI_Buffer_flush());
    MUST(MPI_Irecv(got, ITEMS, MPI_INT, 0, 1, MPI_COMM_SELF, &request));
    pthread_create(&thread, NULL, send, NULL);
    while (!__atomic_load_n(&packing, __ATOMIC_ACQUIRE))
        ;
    usleep(2000);
    MUST(MPI_Buffer_detach(&buffer, &size_back));
    for (int i = 0; i < 1000 && !arrived; i++)
        MUST(MPI_Test(&request, &arrived, MPI_STATUS_IGNORE));
    CHECK_INT(buffer == room, 1);
    pthread_join(thread, NULL);
    if (sent == MPI_SUCCESS) {
        CHECK_INT(arrived, 1);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(got[ITEMS - 1], 2 * ITEMS - 2);
    } else {
        MUST(MPI_Cancel(&request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MUST(MPI_Type_free(&every_second));
    return check_done("detach");
}
