/*
 * Shared memory of the test, the program (application.c) and the fake runtime (runtime.c): one mapped file. The test
 * writes a call and the runtime's answer, the program makes the call, and the runtime records the arguments that reach
 * it. session_test.go has the layout in Go. Everything is a 64-bit word or raw bytes.
 */
#include <stdint.h>

enum { ARGS = 16, ROOM = 16384, RECORDS = 512, SCRIPTS = 32 };

typedef int64_t word;

struct argument {
    word take;             /* the number of bytes to record at the argument's address, or 0 */
    word give;             /* the number of bytes to store there, or 0 */
    uint8_t bytes[ROOM];
};

/* A call of a function in the program that the runtime makes inside a call. */
struct callback {
    word function;         /* 0: none */
    word words[ARGS];
    word returned;
};

struct script {
    word function;         /* the function's number + 1, 0: unused */
    word conditional, first; /* conditional: the script is only for calls with this int as first argument */
    word returns;
    double returns_double;
    struct callback callback;
    struct argument arguments[ARGS];
};

struct record {
    word function;
    word words[ARGS];
    word bad;              /* bit i: argument i pointed to no memory */
    uint8_t bytes[ARGS][ROOM];
};

struct shared {
    /* the program's call */
    word function, words[ARGS], returned;
    double returned_double;
    /* the arguments of the program's own callback, and its results */
    word seen, seen_words[ARGS], callback_takes[ARGS], callback_gives[ARGS], callback_returns;
    word inner_function, inner_words[ARGS], inner_returned; /* the callback calls MPI: the function's number + 1 */
    uint8_t seen_bytes[ARGS][64], given_bytes[ARGS][64];
    /* of the runtime */
    word n_records;
    struct record records[RECORDS];
    struct script scripts[SCRIPTS];
    /* the memory for the program's pointers */
    uint8_t arena[ARGS][ROOM];
};

struct function {
    const char *name;
    void *address;
    char returns_double;
};

struct symbol {
    const char *name;
    void *address;
};
