/* The program of paper.c for a heterogeneous job: all messages with a datatype go through its functions. */
#define ADI_HETEROGENEOUS
#include "paper.c"
