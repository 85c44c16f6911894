/* Messages from another rank that are longer than the receive (MPI-3.1, 3.2.4, 3.7.5). */
#include "truncate.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (size > 1)
        truncate_all((rank + 1) % size, (rank + size - 1) % size);
    return check_done("p2p_truncate");
}
