/* Every blocking and nonblocking collective between two groups. */
#include "intercomm.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (size > 1) /* two groups need two processes */
        between_groups(BLOCKING, NONBLOCKING);
    return check_done("coll_intercomm_all");
}
