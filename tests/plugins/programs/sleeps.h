/* Reports whether a thread of this process sleeps, given its kernel id. */
#include <stdio.h>

static int sleeps(int id)
{
    char name[64], state = 0;
    snprintf(name, sizeof name, "/proc/self/task/%d/stat", id);
    FILE *file = fopen(name, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 0;
    fclose(file);
    return state == 'S';
}
