/* Sends N messages of 8 bytes to the rank itself and receives them, to be counted in instructions. */
#include "check.h"

int main(int argc, char **argv)
{
    int err = UNTOUCHED;
    long n = argc > 1 ? atol(argv[1]) : 0, got;
    MPID_Init(&argc, &argv, NULL, &err);
    for (long i = 0; i < n; i++) {
        MPID_SendContig(NULL, &i, sizeof i, 0, 1, 0, 0, MPID_MSGFORM_OK, &err);
        MPID_RecvContig(NULL, &got, sizeof got, 0, 1, 0, NULL, &err);
        EQUAL(i, got);
    }
    EQUAL(UNTOUCHED, err);
    MPID_End();
    return 0;
}
