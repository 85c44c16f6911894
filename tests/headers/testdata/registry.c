/* The registry of tracked requests (shim/records/records.c). One entry is added and removed N times while LIVE others
   remain. Then all places are filled, and after one entry is removed, another one can be added. Prints errors. */
#include "records.h"
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

static int64_t all[WI4GO_RECORD_PLACES];

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 0, live = argc > 2 ? atoi(argv[2]) : 0;
    int record, other;
    int64_t last = 0;
    for (int i = 0; i < live; i++)
        all[i] = wi4go_record_enter(WI4GO_RECORD_EMULATED, &other);
    const int64_t first = wi4go_record_enter(WI4GO_RECORD_TRANSLATED, &record);
    wi4go_record_leave(first);
    for (int i = 0, wrong = 0; i < n && !wrong; i++) {
        last = wi4go_record_enter(WI4GO_RECORD_TRANSLATED, &record);
        wrong = last == first || wi4go_record_find(WI4GO_RECORD_TRANSLATED, first);
        if (wrong)
            printf("the handle of one that is over is given again after %d others\n", i);
        if (wi4go_record_find(WI4GO_RECORD_TRANSLATED, last) != &record || wi4go_record_find(WI4GO_RECORD_EMULATED, last))
            printf("record %d is not found\n", i);
        wi4go_record_leave(last);
    }
    if (n && wi4go_record_place(last) > live + 4096u)
        printf("one live request has taken %u places\n", wi4go_record_place(last));
    for (int i = 0; i < live; i++)
        if (wi4go_record_find(WI4GO_RECORD_EMULATED, all[i]) != &other)
            printf("record %d is gone\n", i);
    for (int i = live; argc > 3 && i < (int)WI4GO_RECORD_PLACES - 1; i++)
        all[i] = wi4go_record_enter(WI4GO_RECORD_EMULATED, &other);
    if (argc > 3) {
        wi4go_record_leave(all[live]);
        const int64_t again = wi4go_record_enter(WI4GO_RECORD_EMULATED, &record);
        if (wi4go_record_place(again) != wi4go_record_place(all[live]) || again == all[live])
            printf("the last free place is not used\n");
    }
    return 0;
}
