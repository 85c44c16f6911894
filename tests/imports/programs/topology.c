/* Prints the front's texts for a topology under SYS_CPU. */
#define _GNU_SOURCE
#include "affinity.h"
int main(void)
{
    static char applied[AFFINITY_LENGTH], current[AFFINITY_LENGTH], exists[AFFINITY_LENGTH];
    for (int format = 0; format < 2; format++) {
        affinity_strings(format, applied, current, exists);
        printf("rank 0, format %d: right; %s; %s\n", format, current, exists);
    }
    return affinity_strings(2, applied, current, exists);
}
