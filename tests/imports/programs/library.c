/* A library of which the program calls one function, and nobody the other. */
int FUNCTION(void *);
int library_works(void);
int library_asks(void *room);
int library_works(void) { return 7; }
int library_asks(void *room) { return FUNCTION(room); }
