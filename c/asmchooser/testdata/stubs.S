/* The stubs under test. */
#include "chooser.h"
#include "functions.h"
/* The number of parameters of slot n, which selects its thunk. */
#define COUNT(n) \
	.set .Lparameters, 1 ; \
	.if n == WIDE || n == VARIADIC || n == DOUBLE ; .set .Lparameters, CALL_ANY ; .endif ; \
	.if n == ABSENT ; .set .Lparameters, 12 ; .endif ; \
	.if n == THIRTEEN ; .set .Lparameters, 13 ; .endif ; \
	.if n == CALLING ; .set .Lparameters, 2 ; .endif ; \
	.if n >= TAKING && n <= TAKING + 13 ; .set .Lparameters, n - TAKING ; .endif
/* Slots with odd numbers have an initial entry at the inner door. */
#define ONE(n) .if n % 2 ; INNER_FIRST(n) ; .endif ; COUNT(n) ; STUB(MPI_f##n, PMPI_f##n, n, .Lparameters) ;
FUNCTIONS(ONE)
