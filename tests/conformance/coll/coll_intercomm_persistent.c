/* Every persistent collective between two groups. */
#include "intercomm.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (size > 1 && HAVE_PERSISTENT_COLLECTIVES)
        between_groups(PERSISTENT, PERSISTENT);
    return check_done("coll_intercomm_persistent");
}
