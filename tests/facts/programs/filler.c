/* A library with BYTES bytes of static thread-local storage. */
static __thread char storage[BYTES] __attribute__((tls_model("initial-exec"), aligned(8)));
char *filler(void);
char *filler(void) { return storage; }
