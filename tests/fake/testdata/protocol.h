/*
 * What the test, the application (application.c) and the fake runtime
 * (runtime.c) share: one mapped file. The test fills in a call and what the
 * runtime is to answer, the application makes the call, the runtime writes down
 * what reached it. layout in Go: session_test.go. Everything is a 64-bit word
 * or raw bytes.
 */
#include <stdint.h>

enum { ARGS = 16, ROOM = 16384, RECORDS = 512, SCRIPTS = 32 };

typedef int64_t word;

struct argument {
    word take;             /* bytes to write down from where the argument points, 0: none */
    word give;             /* bytes to leave there, 0: none */
    uint8_t bytes[ROOM];
};

/* A call of a function in the program that the runtime makes while it is in a call. */
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
    /* the application's call */
    word function, words[ARGS], returned;
    double returned_double;
    /* what the application's own callback saw, and what it does */
    word seen, seen_words[ARGS], callback_takes[ARGS], callback_gives[ARGS], callback_returns;
    word inner_function, inner_words[ARGS], inner_returned; /* it calls MPI: the function's number + 1 */
    uint8_t seen_bytes[ARGS][64], given_bytes[ARGS][64];
    /* the runtime */
    word n_records;
    struct record records[RECORDS];
    struct script scripts[SCRIPTS];
    /* what the application's pointers point to */
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
