/* A library that needs thread-local storage in the static block, as jemalloc does. */
static __thread char block[3000] __attribute__((tls_model("initial-exec")));
char *block_of_thread(void) { return block; }
