/* The example in the presentation of DRI-1.0, as far as its names are known: columns of floats, one block each. */
#include <dri1.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Count sizes[] = {512, 1024}, bytes;
    DRI_Globaldata data;
    DRI_Distribution whole_rows, wrong;
    int size, rank, error = DRI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    error |= DRI_Globaldata_create(2, sizes, &data);
    error |= DRI_Distribution_create(data, DRI_GROUPDIMS_ALLNOPREFERENCE, DRI_PARTITION_WB, DRI_LAYOUT_PACKED_01, &whole_rows);
    error |= DRI_dist_bytes(whole_rows.dist, whole_rows.layout, &bytes);
    error |= DRI_Distribution_create(data, DRI_GROUPDIMS_ALLNOPREFERENCE, "WX", DRI_LAYOUT_PACKED_01, &wrong) != DRI_ERR_DIMS;
    error |= bytes != 512 * 1024 * (int)sizeof(float) / size;
    error |= DRI_Distribution_destroy(&whole_rows);
    error |= DRI_Globaldata_destroy(&data);
    error |= DRI_Finalize();
    if (rank == 0)
        printf("dri1: %s\n", error ? "wrong" : "right");
    return error;
}
