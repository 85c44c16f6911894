/* Fetch_and_op, Compare_and_swap, Get_accumulate and Accumulate with every operation and type that they accept, by
   value (MPI-3.1, 11.3.4). */
#include "check.h"

#include <stdbool.h>
#include <stdint.h>

typedef union {
    signed char c;
    unsigned char uc;
    short s;
    unsigned short us;
    int i;
    unsigned u;
    long l;
    unsigned long ul;
    long long ll;
    unsigned long long ull;
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    MPI_Aint aint;
    MPI_Offset offset;
    MPI_Count count;
    bool b;
    float f;
    double d;
    long double ld;
} value;

enum kind { INTEGER, LOGICAL, FLOAT };

/* A type, and the conversion of a small number to a value of this type and back. */
#define ROW(type, kind, field) \
    {type, #type, kind, sizeof(((value *)0)->field), put_##field, get_##field}
#define ACCESS(field)                                                          \
    static void put_##field(value *v, int n) { v->field = n; }                 \
    static int get_##field(const value *v) { return (int)v->field; }
ACCESS(c) ACCESS(uc) ACCESS(s) ACCESS(us) ACCESS(i) ACCESS(u) ACCESS(l) ACCESS(ul) ACCESS(ll) ACCESS(ull) ACCESS(i8)
ACCESS(u8) ACCESS(i16) ACCESS(u16) ACCESS(i32) ACCESS(u32) ACCESS(i64) ACCESS(u64) ACCESS(aint) ACCESS(offset)
ACCESS(count) ACCESS(b) ACCESS(f) ACCESS(d) ACCESS(ld)

typedef struct {
    MPI_Datatype type;
    const char *name;
    enum kind kind;
    size_t bytes;
    void (*put)(value *, int);
    int (*get)(const value *);
} row;

/* An operation: its result for 6 (in the window) and 3, and the kinds of types that it supports. */
static const struct {
    const char *name;
    int on_integers, on_floats, result;
} operations[] = {
    {"SUM", 1, 1, 9},     {"PROD", 1, 1, 18}, {"MAX", 1, 1, 6},  {"MIN", 1, 1, 3},     {"LAND", 1, 0, 1},    {"LOR", 1, 0, 1},
    {"LXOR", 1, 0, 0},    {"BAND", 1, 0, 2},  {"BOR", 1, 0, 7},  {"BXOR", 1, 0, 5},    {"REPLACE", 1, 1, 3}, {"NO_OP", 1, 1, 6},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const row *r;
static const char *operation;
static const int target = 0; /* this rank: between processes Open MPI 4.1.4 crashes after so many operations */
static value *memory;
static MPI_Win win;

static void holds(const value *v, int want, int line)
{
    if (r->get(v) != want)
        check_fail(__FILE__, line, "%s %s: %d, not %d", r->name, operation, r->get(v), want);
}
#define HOLDS(v, want) holds(v, want, __LINE__)

/* Sets the value in the window to 6. */
static void reset(void)
{
    value six;
    memset(&six, 0, sizeof six);
    r->put(&six, r->kind == LOGICAL ? 1 : 6);
    MUST(MPI_Put(&six, 1, r->type, target, 0, 1, r->type, win));
    MUST(MPI_Win_flush(target, win));
}

static void now(int want, int line)
{
    value seen;
    memset(&seen, 0, sizeof seen);
    MUST(MPI_Win_flush(target, win));
    MUST(MPI_Get(&seen, 1, r->type, target, 0, 1, r->type, win));
    MUST(MPI_Win_flush(target, win));
    holds(&seen, want, line);
}
#define NOW(want) now(want, __LINE__)

static void one(MPI_Op op, int before, int want)
{
    value three, old;
    MPI_Request request;
    memset(&three, 0, sizeof three);
    r->put(&three, r->kind == LOGICAL ? 0 : 3);

    reset();
    memset(&old, 0, sizeof old);
    MUST(MPI_Fetch_and_op(op == MPI_NO_OP ? NULL : &three, &old, r->type, target, 0, op, win));
    MUST(MPI_Win_flush(target, win));
    HOLDS(&old, before);
    NOW(want);

    reset();
    memset(&old, 0, sizeof old);
    MUST(MPI_Get_accumulate(&three, 1, r->type, &old, 1, r->type, target, 0, 1, r->type, op, win));
    MUST(MPI_Win_flush(target, win));
    HOLDS(&old, before);
    NOW(want);

    reset();
    memset(&old, 0, sizeof old);
    MUST(MPI_Rget_accumulate(&three, 1, r->type, &old, 1, r->type, target, 0, 1, r->type, op, win, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    HOLDS(&old, before);
    NOW(want);

    if (op == MPI_NO_OP)
        return;
    reset();
    MUST(MPI_Accumulate(&three, 1, r->type, target, 0, 1, r->type, op, win));
    NOW(want);
    reset();
    MUST(MPI_Raccumulate(&three, 1, r->type, target, 0, 1, r->type, op, win, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    NOW(want);
}

static void swap(void)
{
    value three, six, old;
    const int has = r->kind == LOGICAL ? 1 : 6, other = r->kind == LOGICAL ? 0 : 3;
    operation = "swap";
    memset(&three, 0, sizeof three);
    memset(&six, 0, sizeof six);
    r->put(&three, other);
    r->put(&six, has);
    reset();
    memset(&old, 0, sizeof old);
    MUST(MPI_Compare_and_swap(&six, &three, &old, r->type, target, 0, win)); /* differs from the current value */
    MUST(MPI_Win_flush(target, win));
    HOLDS(&old, has);
    NOW(has);
    MUST(MPI_Compare_and_swap(&three, &six, &old, r->type, target, 0, win));
    MUST(MPI_Win_flush(target, win));
    HOLDS(&old, has);
    NOW(other);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const row rows[] = {
        ROW(MPI_SIGNED_CHAR, INTEGER, c), ROW(MPI_UNSIGNED_CHAR, INTEGER, uc), ROW(MPI_SHORT, INTEGER, s),
        ROW(MPI_UNSIGNED_SHORT, INTEGER, us), ROW(MPI_INT, INTEGER, i), ROW(MPI_UNSIGNED, INTEGER, u),
        ROW(MPI_LONG, INTEGER, l), ROW(MPI_UNSIGNED_LONG, INTEGER, ul), ROW(MPI_LONG_LONG, INTEGER, ll),
        ROW(MPI_UNSIGNED_LONG_LONG, INTEGER, ull), ROW(MPI_INT8_T, INTEGER, i8), ROW(MPI_UINT8_T, INTEGER, u8),
        ROW(MPI_INT16_T, INTEGER, i16), ROW(MPI_UINT16_T, INTEGER, u16), ROW(MPI_INT32_T, INTEGER, i32),
        ROW(MPI_UINT32_T, INTEGER, u32), ROW(MPI_INT64_T, INTEGER, i64), ROW(MPI_UINT64_T, INTEGER, u64),
        ROW(MPI_AINT, INTEGER, aint), ROW(MPI_OFFSET, INTEGER, offset), ROW(MPI_COUNT, INTEGER, count),
        ROW(MPI_C_BOOL, LOGICAL, b), ROW(MPI_FLOAT, FLOAT, f), ROW(MPI_DOUBLE, FLOAT, d), ROW(MPI_LONG_DOUBLE, FLOAT, ld),
    };
    const MPI_Op ops[OPERATIONS] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,    MPI_LOR,
                                    MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_REPLACE, MPI_NO_OP};
    MUST(MPI_Win_allocate(16 * sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win));
    MUST(MPI_Win_lock_all(0, win));
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        r = &rows[k];
        int bytes = 0;
        MUST(MPI_Type_size(r->type, &bytes));
        CHECK_INT(bytes, r->bytes);
        for (int o = 0; o < OPERATIONS; o++) {
            operation = operations[o].name;
            if (r->kind == LOGICAL) { /* true in the window, and false */
                if (ops[o] == MPI_LAND || ops[o] == MPI_LOR || ops[o] == MPI_LXOR)
                    one(ops[o], 1, ops[o] != MPI_LAND);
                else if (ops[o] == MPI_REPLACE || ops[o] == MPI_NO_OP)
                    one(ops[o], 1, ops[o] == MPI_NO_OP);
            } else if (r->kind == FLOAT ? operations[o].on_floats : operations[o].on_integers) {
                one(ops[o], 6, operations[o].result);
            }
        }
        if (r->kind != FLOAT)
            swap();
    }
    MUST(MPI_Win_unlock_all(win));
    MUST(MPI_Win_free(&win));
    return check_done("rma_atomics");
}
