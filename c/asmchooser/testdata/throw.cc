/* Exceptions that pass through a thunk. */
#include "thunk_test.h"
#include <cstring>
#include <stdexcept>

static long throws(void *)
{
    look_for_caller();
    throw std::runtime_error("out");
}

void catches(int deeper)
{
    bool caught = false;
    expected_caller = (void *)catches;
    const unsigned before = unwound;
    try {
        PMPI_f9(throws, NULL);
    } catch (const std::runtime_error &e) {
        caught = !strcmp(e.what(), "out");
    }
    CHECK(caught && unwound == before + 1);
    CHECK(flag() != 0); /* the abandoned call's flag is still set */
    deeper ? deeper_is_free() : next_is_free();
}
