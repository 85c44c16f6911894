/* The registry of tracked requests (shim/tracked/registry.c). One entry is added and removed N
   times while LIVE others remain. Then all places are filled, and after one entry is removed,
   another one can be added. Prints errors. */
#include "registry.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void wi4go_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    exit(1);
}

static int64_t all[WI4GO_TRACKED_PLACES];

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 0, live = argc > 2 ? atoi(argv[2]) : 0;
    int record, other;
    int64_t last = 0;
    for (int i = 0; i < live; i++)
        all[i] = wi4go_tracked_enter(WI4GO_TRACKED_EMULATED, &other);
    const int64_t first = wi4go_tracked_enter(WI4GO_TRACKED_TRANSLATED, &record);
    wi4go_tracked_leave(first);
    for (int i = 0, wrong = 0; i < n && !wrong; i++) {
        last = wi4go_tracked_enter(WI4GO_TRACKED_TRANSLATED, &record);
        wrong = last == first || wi4go_tracked_find(WI4GO_TRACKED_TRANSLATED, first);
        if (wrong)
            printf("the handle of one that is over is given again after %d others\n", i);
        if (wi4go_tracked_find(WI4GO_TRACKED_TRANSLATED, last) != &record || wi4go_tracked_find(WI4GO_TRACKED_EMULATED, last))
            printf("record %d is not found\n", i);
        wi4go_tracked_leave(last);
    }
    if (n && wi4go_tracked_place(last) > live + 4096u)
        printf("one live request has taken %u places\n", wi4go_tracked_place(last));
    for (int i = 0; i < live; i++)
        if (wi4go_tracked_find(WI4GO_TRACKED_EMULATED, all[i]) != &other)
            printf("record %d is gone\n", i);
    for (int i = live; argc > 3 && i < (int)WI4GO_TRACKED_PLACES - 1; i++)
        all[i] = wi4go_tracked_enter(WI4GO_TRACKED_EMULATED, &other);
    if (argc > 3) {
        wi4go_tracked_leave(all[live]);
        const int64_t again = wi4go_tracked_enter(WI4GO_TRACKED_EMULATED, &record);
        if (wi4go_tracked_place(again) != wi4go_tracked_place(all[live]) || again == all[live])
            printf("the last free place is not used\n");
    }
    return 0;
}
