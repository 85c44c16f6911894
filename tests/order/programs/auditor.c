/* Another auditor, as a tool may have: it does nothing. */
#define _GNU_SOURCE
#include <link.h>

unsigned int la_version(unsigned int version) { return version; }
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag) { return (void)cookie, (void)flag, (char *)name; }
