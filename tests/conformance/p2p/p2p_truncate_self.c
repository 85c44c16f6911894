/* Messages from the rank to itself that are longer than the receive (MPI-3.1, 3.2.4, 3.7.5). */
#include "truncate.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    truncate_all(rank, rank);
    return check_done("p2p_truncate_self");
}
