/* A program for rules (my.rules): rank 0 sends each layout of a pool to rank 1, which receives it as the next one. Its exit code is 0 if
 * all elements are right. CHANGED changes a byte that was received, and ENDLESS waits forever. */
#include "dtpools.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    DTP_signature_t *signature;
    DTP_t pool;
    char text[256] = "";
    int rank, wrong = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (DTP_signature_parse(SIGNATURE, &signature, text, sizeof text) != DTP_SUCCESS ||
        DTP_pool_create_signature(signature, COUNT, &pool) != DTP_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 2);
#ifdef TYPE
    if (DTP_type_of(SIGNATURE) != TYPE)
        MPI_Abort(MPI_COMM_WORLD, 3);
#else
    if (signature->n < 2) /* only a struct has no TYPE */
        MPI_Abort(MPI_COMM_WORLD, 3);
#endif
    int n = DTP_pool_elements(pool);
    for (int i = 0; i < pool->DTP_num_objs && !wrong; i++) {
        int at = rank == 0 ? i : (i + 1) % pool->DTP_num_objs;
        DTP_obj_create(pool, at, 0, 1, rank == 0 ? n : 0);
        DTP_obj_t *o = &pool->DTP_obj_array[at];
        if (rank == 0)
            MPI_Send(o->DTP_obj_buf, o->DTP_obj_count, o->DTP_obj_type, 1, 7, MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Recv(o->DTP_obj_buf, o->DTP_obj_count, o->DTP_obj_type, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef CHANGED
            *(char *)o->DTP_obj_buf ^= CHANGED;
#endif
            wrong = DTP_obj_buf_check_report(pool, at, 0, 1, n, text, sizeof text);
            if (wrong)
                printf("layout %d: %s\n", at, text);
        }
        DTP_obj_free(pool, at);
    }
    DTP_pool_free(pool);
    free(signature);
#ifdef ENDLESS
    for (;;)
        pause();
#endif
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
