/* Linked with a program if its compiler is not Intel MPI's; never loaded. */
void impi_malloc(void) {}
void impi_calloc(void) {}
void impi_realloc(void) {}
void impi_free(void) {}
