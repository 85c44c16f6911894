/* Status_set_elements counts basic elements, also of a derived type (MPI-3.1, 12.3). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int count = -1;
    MPI_Status status;
    MPI_Datatype three;
    MUST(MPI_Type_contiguous(3, MPI_INT, &three));
    MUST(MPI_Type_commit(&three));
    memset(&status, 0, sizeof status);
    MUST(MPI_Status_set_elements(&status, three, 7));
    MUST(MPI_Get_elements(&status, three, &count));
    CHECK_INT(count, 7);
    MUST(MPI_Get_count(&status, three, &count));
    CHECK_INT(count, MPI_UNDEFINED);
    MUST(MPI_Status_set_elements(&status, three, 6));
    MUST(MPI_Get_count(&status, three, &count));
    CHECK_INT(count, 2);
    MUST(MPI_Type_free(&three));
    return check_done("p2p_status_derived");
}
