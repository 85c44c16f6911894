/* A library with two functions: the program calls one, and the other is never called. */
int FUNCTION(void *);
int library_works(void);
int library_asks(void *room);
int library_works(void) { return 7; }
int library_asks(void *room) { return FUNCTION(room); }
