/* The memory of a device for a program in Fortran. */
#include "device.h"

void device_start(const char *forbidden) { device_begin(*forbidden ? forbidden : NULL); }
void *device_memory(int ints) { return device_new((size_t)ints * sizeof(int)); }
void *device_host(void *p) { return HOST(p); }
