/* Adds two objects of each key to a table, so many that it grows several times. Each lookup must find the later object
   first. */
#include "chains.h"
#include <stdarg.h>
#include <stdio.h>

enum { KEYS = 1000 };

void wi4go_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    exit(2);
}

int main(void)
{
    static struct wi4go_chained objects[2 * KEYS];
    struct wi4go_chains table = {0};
    int wrong = 0;
    for (int i = 0; i < 2 * KEYS; i++)
        wi4go_chains_enter(&table, &objects[i], (uint64_t)(i % KEYS));
    for (int key = 0; key < KEYS; key++) {
        struct wi4go_chained *last = wi4go_chains_find(&table, (uint64_t)key);
        wrong += last != &objects[KEYS + key] || wi4go_chains_next(last) != &objects[key];
        wi4go_chains_leave(&table, last);
        wrong += wi4go_chains_find(&table, (uint64_t)key) != &objects[key];
        wi4go_chains_leave(&table, &objects[key]);
        wrong += wi4go_chains_find(&table, (uint64_t)key) != NULL;
    }
    printf("%d wrong, %zu left\n", wrong, table.n);
    free(table.first);
    return wrong != 0;
}
