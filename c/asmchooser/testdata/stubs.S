/* The stubs under test. */
#include "chooser.h"
#include "functions.h"
#define ONE(n) STUB(MPI_f##n, PMPI_f##n, n) ;
FUNCTIONS(ONE)
