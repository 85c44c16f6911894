/* Prints the offsets in the shared memory that the launcher uses (internal/embedded/segment.go). */
#include <stddef.h>
#include <stdio.h>

#include "embedded/adi/segment.h"

#define SEGMENT(name, field) printf(name " %zu\n", offsetof(struct adi_segment, field))
#define WAIT(name, field) printf(name " %zu\n", offsetof(struct MPID_Blocked, field))
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
    SEGMENT("atCall", call);
    BLOCK("blockWaits", blocked);
    printf("waitBytes %zu\n", sizeof ((struct adi_block *)0)->blocked[0]);
    printf("waitAnswer %zu\n", offsetof(struct adi_block, blocked[0].answer) - offsetof(struct adi_block, blocked[0]));
    printf("waitWords %zu\n", offsetof(struct adi_block, blocked[0].words) - offsetof(struct adi_block, blocked[0]));
    WAIT("whyRequests", requests);
    WAIT("whyPeers", peers);
    WAIT("whyPeer", peer);
    WAIT("whyComm", comm);
    WAIT("whyThread", thread);
    WAIT("whyNearTotal", near_total);
    WAIT("whyNears", nears);
    WAIT("whyThreads", threads);
    WAIT("whyNear", near);
    printf("othersCall %d\nothersComplete %d\n", MPID_OTHERS_CALL, MPID_OTHERS_COMPLETE);
    WAIT("whyFull", full);
    WAIT("whyFullKB", full_kb);
    printf("whyBytes %zu\n", sizeof(struct MPID_Blocked));
    printf("blockBytes %zu\n", sizeof(struct adi_block));
    return 0;
}
