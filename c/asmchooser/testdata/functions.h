/* FUNCTIONS(X) is X(0) X(1) … X(699): as many slots as a front has. */
#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n) TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4) \
	TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
#define FUNCTIONS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) TEN(X, 1) TEN(X, 2) TEN(X, 3) \
	TEN(X, 4) TEN(X, 5) TEN(X, 6) TEN(X, 7) TEN(X, 8) TEN(X, 9) \
	HUNDRED(X, 1) HUNDRED(X, 2) HUNDRED(X, 3) HUNDRED(X, 4) HUNDRED(X, 5) HUNDRED(X, 6)

/* The slots whose functions are of another kind than the rest. */
#define WIDE 3      /* takes arguments in every register and on the stack */
#define VARIADIC 4
#define ABSENT 5    /* the runtime has no such function */
#define PROFILED 6  /* the program defines an MPI_f6 itself */
#define THIRTEEN 7  /* takes as many integers as the MPI function with the most arguments */
#define DOUBLE 8    /* takes a long and a double, and returns a double */
#define CALLING 9   /* calls the function that is its first argument with the second argument */
#define TAKING 20   /* slots TAKING to TAKING + 13 have a thunk for 0 to 13 parameters, and the function of THIRTEEN */
