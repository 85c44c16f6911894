/* The variables of the library: the state of a rank, and what each thread does for the program. */
#include "request.h"

struct em_state em_first_state;

_Thread_local const char *em_waits_as;
