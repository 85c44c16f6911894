/* Shared by misuse.c and newer.c: a call and its result. */
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
/* With a handle of another kind, or a handle that the previous call has set to null. */
#define NONE(call) CALL("none ", #call, call, class_name)
/* With the handle of a freed object. */
#define FREED(call) CALL("freed ", #call, call, class_name)
#define TOOL(call) CALL("", #call, call, tool_name)

/* A handle variable with the bits of another kind's handle. */
#define OF_BITS(Type, other) (__extension__({ Type v_; memset(&v_, 0, sizeof v_); memcpy(&v_, &(other), sizeof v_ < sizeof(other) ? sizeof v_ : sizeof(other)); v_; }))
