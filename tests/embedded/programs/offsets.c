/* Prints the offsets in the shared memory that the launcher uses (internal/embedded/segment.go). */
#include <stddef.h>
#include <stdio.h>

#include "embedded/adi/segment.h"

#define SEGMENT(name, field) printf(name " %zu\n", offsetof(struct adi_segment, field))
#define BLOCK(name, field) printf(name " %zu\n", offsetof(struct adi_block, field))

int main(void)
{
    SEGMENT("atMagic", magic);
    SEGMENT("atRanks", ranks);
    SEGMENT("atBlocks", blocks);
    SEGMENT("atOver", over);
    SEGMENT("atOverRank", over_rank);
    SEGMENT("atOverCode", over_code);
    BLOCK("blockAsleep", asleep);
    BLOCK("blockBell", bell);
    BLOCK("blockPid", pid);
    BLOCK("blockEnded", ended);
    printf("blockBytes %zu\n", sizeof(struct adi_block));
    return 0;
}
