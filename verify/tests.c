/* The table of tests, which the generator makes of tests.rules. */
#include "verify.h"

const test tests[] = {
#include "tests.h"
};
const int num_tests = sizeof tests / sizeof *tests;
