/*
 * The program of one family, linked only with the front. It prints the addresses of its symbols and the fake runtime's,
 * then makes one call for each byte that it reads. The generated symbols.h has its tables of functions and of data
 * symbols, which are copy relocations as in a real program.
 */
#define _GNU_SOURCE
#include "protocol.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "symbols.h"

static struct shared *shared;

typedef word any(word, word, word, word, word, word, word, word, word, word, word, word, word, word, word, word);

static word call(void *function, const word *w)
{
    return ((any *)function)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15]);
}

/* The only callback of this program, for every type. */
static word callback(word a0, word a1, word a2, word a3, word a4, word a5)
{
    word words[ARGS] = {a0, a1, a2, a3, a4, a5};
    shared->seen++;
    memcpy(shared->seen_words, words, sizeof words);
    for (int i = 0; i < 6; i++)
        memcpy(shared->seen_bytes[i], (void *)words[i], (size_t)shared->callback_takes[i]);
    if (shared->inner_function)
        shared->inner_returned = call(functions[shared->inner_function - 1].address, shared->inner_words);
    for (int i = 0; i < 6; i++)
        memcpy((void *)words[i], shared->given_bytes[i], (size_t)shared->callback_gives[i]);
    return shared->callback_returns;
}

static void say(const char *side, const char *name, void *address)
{
    printf("%s %s %lld %lld\n", side, name, (long long)(word)address, address ? *(long long *)address : 0);
}

int main(void)
{
    int fd = open(getenv("FAKE_SHARED"), O_RDWR);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared == MAP_FAILED)
        return 2;
    void *runtime = dlopen(getenv("WI4GO_TO"), RTLD_NOW);
    if (!runtime) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    call(functions[FIRST].address, shared->words);
    for (const struct symbol *s = symbols; s->name; s++)
        say("a", s->name, s->address);
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].name)
            say("a", functions[i].name, functions[i].address);
    for (const char *const *s = runtime_symbols; *s; s++)
        say("r", *s, dlsym(runtime, *s));
    say("a", "arena", shared->arena);
    printf("a device %lld 0\n", (long long)(word)mmap(NULL, sizeof shared->arena, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    say("a", "callback", (void *)callback);
    printf("ready\n");
    fflush(stdout);
    char c;
    while (read(0, &c, 1) == 1) {
        const struct function *f = &functions[shared->function];
        if (f->returns_double)
            shared->returned_double = ((double (*)(void))f->address)();
        else
            shared->returned = call(f->address, shared->words);
        if (write(1, &c, 1) != 1)
            return 3;
    }
    return 0;
}
