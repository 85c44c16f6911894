/* What misuse.c and newer.c have in common: a call, and what it comes to. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wnonnull"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "classes.h"

static int first, number;

#define CALL(prefix, text, call, name) \
    do { \
        if (++number >= first) { \
            printf("%d " prefix "%s: ", number, text); \
            fflush(stdout); \
            printf("%s\n", name(call)); \
        } \
    } while (0)
#define TRY(call) CALL("", #call, call, class_name)
/* With a handle that is of another kind, or has been made null by the call before. */
#define NONE(call) CALL("none ", #call, call, class_name)
/* With a handle of what was freed. */
#define FREED(call) CALL("freed ", #call, call, class_name)
#define TOOL(call) CALL("", #call, call, tool_name)

/* What the handle variable v holds when bits are those of another kind's. */
#define OF_BITS(Type, other) (__extension__({ Type v_; memset(&v_, 0, sizeof v_); memcpy(&v_, &(other), sizeof v_ < sizeof(other) ? sizeof v_ : sizeof(other)); v_; }))
