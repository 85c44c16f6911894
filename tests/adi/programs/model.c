/* Compares the matching queues with a sequential model: two arrays, searched from the front. Posts
 * receives, adds messages, cancels, at random, with few and with many entries; `model SEED COUNT`.
 * With `model queue N` posts and matches N receives, to be counted in instructions; with `model numbered N`
 * N receives from one source whose tags are their numbers, to be counted in lines of the cache. */
#include <stddef.h>

#include "check.h"
#include "match.h"

enum { MOST = 3000 };

struct value {
    int context, source, tag;
    void *object;
};
struct list {
    struct value values[MOST];
    int count;
};

static struct list posted, messages;

static bool matches(const struct value *receive, const struct value *message)
{
    return receive->context == message->context && (receive->source == MPID_ANY_SOURCE || receive->source == message->source) &&
           (receive->tag == MPID_ANY_TAG || receive->tag == message->tag);
}

static void *take(struct list *list, int i)
{
    void *object = list->values[i].object;
    memmove(&list->values[i], &list->values[i + 1], (size_t)(--list->count - i) * sizeof list->values[0]);
    return object;
}

static void *allocate(struct adi_state *state, size_t bytes) { return rand() % 8 ? malloc(bytes) : NULL; }
static void release(struct adi_state *state, void *memory, size_t bytes) { free(memory); }

static uint64_t seed;
static int below(int n) { return (int)(random_next(&seed) % (uint64_t)n); }

/* A receive or message with few different values, so that many match. */
static struct value random_value(int spread, bool receive)
{
    struct value v = {below(2), below(spread), below(spread), NULL};
    if (receive && below(4) == 0)
        v.source = MPID_ANY_SOURCE;
    if (receive && below(4) == 0)
        v.tag = MPID_ANY_TAG;
    return v;
}

static void receive_one(struct adi_queues *q, int spread)
{
    struct value v = random_value(spread, true);
    struct adi_entry *entry = adi_find_entry(q, v.context, v.source, v.tag);
    int i = 0;
    while (i < messages.count && !matches(&v, &messages.values[i]))
        i++;
    CHECK(entry == (i < messages.count ? messages.values[i].object : NULL));
    if (entry) {
        take(&messages, i);
        adi_drop_entry(q, entry);
        free(entry);
    } else if (posted.count < MOST) {
        struct MPIR_RHANDLE *request = calloc(1, sizeof *request);
        request->device.link.context = v.context;
        request->device.link.source = v.source;
        request->device.link.tag = v.tag;
        adi_post(q, request);
        v.object = request;
        posted.values[posted.count++] = v;
    }
}

static void arrive_one(struct adi_queues *q, int spread)
{
    struct value v = random_value(spread, false);
    struct MPIR_RHANDLE *request = adi_find_posted(q, v.context, v.source, v.tag);
    int i = 0;
    while (i < posted.count && !matches(&posted.values[i], &v))
        i++;
    CHECK(request == (i < posted.count ? posted.values[i].object : NULL));
    if (request) {
        take(&posted, i);
        adi_unpost(q, request);
        free(request);
    } else if (messages.count < MOST) {
        struct adi_entry *entry = calloc(1, sizeof *entry);
        entry->message.context = v.context;
        entry->message.source = v.source;
        entry->message.tag = v.tag;
        adi_add_entry(q, entry);
        v.object = entry;
        messages.values[messages.count++] = v;
    }
}

static void cancel_one(struct adi_queues *q)
{
    if (!posted.count)
        return;
    struct MPIR_RHANDLE *request = take(&posted, below(posted.count));
    adi_unpost(q, request);
    free(request);
}

static void compare(long count)
{
    struct adi_queues q = {.allocate = allocate, .release = release};
    for (long i = 0; i < count; i++) {
        /* Phases: few values or many; receives, messages or both. */
        int spread = i / 4000 % 3 == 0 ? 2 : i / 4000 % 3 == 1 ? 12 : 300, bias = (int)(i / 1500 % 5);
        if (below(20) == 0)
            cancel_one(&q);
        else if (below(5) < bias)
            receive_one(&q, spread);
        else
            arrive_one(&q, spread);
        EQUAL(posted.count, q.posted);
        EQUAL(messages.count, q.entries);
    }
    while (posted.count)
        cancel_one(&q);
    while (messages.count) {
        struct adi_entry *entry = take(&messages, 0);
        adi_drop_entry(&q, entry);
        free(entry);
    }
    adi_free_queues(&q);
    printf("model: right\n");
}

static void *plain_allocate(struct adi_state *state, size_t bytes) { return malloc(bytes); }

/* Posts n receives, every seventh with a wildcard, and matches them from the last to the first; then the
 * same for messages and receives. */
static void queue(int n)
{
    struct adi_queues q = {.allocate = plain_allocate, .release = release};
    struct MPIR_RHANDLE *requests = calloc((size_t)n + 1, sizeof *requests);
    struct adi_entry *entries = calloc((size_t)n + 1, sizeof *entries);
    for (int i = 0; i < n; i++) {
        requests[i].device.link.source = i % 7 == 0 ? MPID_ANY_SOURCE : i % 64;
        requests[i].device.link.tag = i;
        adi_post(&q, &requests[i]);
    }
    for (int i = n; i-- > 0;) {
        CHECK(adi_find_posted(&q, 0, i % 64, i) == &requests[i]);
        adi_unpost(&q, &requests[i]);
    }
    for (int i = 0; i < n; i++) {
        entries[i].message.source = i % 64;
        entries[i].message.tag = i;
        adi_add_entry(&q, &entries[i]);
    }
    for (int i = n; i-- > 0;) {
        struct adi_entry *found = adi_find_entry(&q, 0, i % 7 == 0 ? MPID_ANY_SOURCE : i % 64, i);
        CHECK(found == &entries[i]);
        adi_drop_entry(&q, found);
    }
    adi_free_queues(&q);
    free(requests);
    free(entries);
}

/* Posts n receives whose tags are their numbers, and matches them from the last to the first. */
static void numbered(int n)
{
    struct adi_queues q = {.allocate = plain_allocate, .release = release};
    struct MPIR_RHANDLE *requests = calloc((size_t)n + 1, sizeof *requests);
    for (int i = 0; i < n; i++) {
        requests[i].device.link.tag = i;
        adi_post(&q, &requests[i]);
    }
    for (int i = n; i-- > 0;) {
        CHECK(adi_find_posted(&q, 0, 0, i) == &requests[i]);
        adi_unpost(&q, &requests[i]);
    }
    adi_free_queues(&q);
    free(requests);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "numbered")) {
        numbered(atoi(argv[2]));
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "queue")) {
        queue(atoi(argv[2]));
        return 0;
    }
    seed = argc > 1 ? (uint64_t)atol(argv[1]) * 2654435769u + 88172645463325252ull : 88172645463325252ull;
    srand((unsigned)seed);
    compare(argc > 2 ? atol(argv[2]) : 100000);
    return 0;
}
