/* The stubs under test. */
#include "chooser.h"
#include "functions.h"
/* Slots of odd numbers have a first value at the inner door. */
#define ONE(n) .if n % 2 ; INNER_FIRST(n) ; .endif ; STUB(MPI_f##n, PMPI_f##n, n) ;
FUNCTIONS(ONE)
