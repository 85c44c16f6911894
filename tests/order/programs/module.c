/* An extension module of Python, compiled without its headers. Its import calls the library next to it. */
int say_rank(void);
void *PyModule_Create2(void *definition, int version);

static struct {
    long references;
    void *type, *init, *index, *copy;
    const char *name, *doc;
    long size;
    void *rest[6];
} definition = {.references = 1, .name = "_made", .size = -1};

void *PyInit__made(void)
{
    return say_rank() ? 0 : PyModule_Create2(&definition, 1013);
}
