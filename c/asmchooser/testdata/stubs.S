/* The stubs under test. */
#include "chooser.h"
#include "functions.h"
/* Slots with odd numbers have an initial entry at the inner door. */
#define ONE(n) .if n % 2 ; INNER_FIRST(n) ; .endif ; STUB(MPI_f##n, PMPI_f##n, n) ;
FUNCTIONS(ONE)
