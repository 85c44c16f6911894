/*
 * The layout of a datatype is the tree of loops over blocks of its data, without lower and upper bounds. A
 * layout never changes; the datatypes and layouts that use it share it by references. The
 * constructors reduce it: adjacent blocks become one, equal blocks at equal distances a loop,
 * nested loops one loop if they can, and a struct whose parts are blocks of bytes has a list of
 * these (runs). So MPI_Type_commit has nothing left to do.
 *
 * The data is a stream of basic elements. Its length has several measures: bytes of this host,
 * bytes of two representations, and basic elements. A function that begins at any byte finds its
 * place by division, or by binary search in sums.
 *
 * Gives: struct layout, em_layout_loop and the other constructors; em_pack_native, em_pack_converted,
 * em_measure; struct basic, em_basics.
 * Needs: types.h.
 */
#ifndef WI4GO_EMBEDDED_LAYOUT_H
#define WI4GO_EMBEDDED_LAYOUT_H

#include "types.h"

/* XDR: the device's representation, which keeps every value: as external32, but with long and
 * wchar_t at their sizes here. EXTERNAL32: MPI-5.0, 14.5.2. */
enum measure { NATIVE, XDR, EXTERNAL32, ELEMENTS, MEASURES };

/* BASIC: one element, or none. LOOP: instances of child. BLOCKS: blocks of instances of child.
 * PARTS: layouts of different kinds. */
enum layout_kind { BASIC, LOOP, BLOCKS, PARTS };

struct layout {
    atomic_int references; /* ignored for BASIC */
    enum layout_kind kind;
    bool dense;            /* natively, the data is the bytes from low on, in this order */
    int element;           /* BASIC: the number of the predefined datatype */
    int64_t size[MEASURES];
    int64_t low, high;     /* the data is between these bytes; 0 if there is none */
    int64_t count;         /* instances of a LOOP, or blocks of BLOCKS and PARTS */
    int64_t at;            /* LOOP: displacement of the first instance */
    int64_t stride;        /* LOOP, BLOCKS: distance of the instances, in bytes */
    struct layout *child;  /* LOOP, BLOCKS */
    int64_t length;        /* BLOCKS: instances of every block, if before is NULL */
    int64_t *displacement; /* BLOCKS, PARTS: of each block, in bytes; these arrays are owned */
    int64_t *before;       /* BLOCKS: count + 1 sums: instances in the blocks before each */
    struct layout **part;  /* PARTS */
    int64_t *sums[MEASURES]; /* PARTS: count + 1 sums of the sizes of the parts before each */
    int64_t runs;          /* PARTS: number of blocks of bytes, or 0 if a part is not dense */
    int64_t *run_at, *run_before; /* their displacements; runs + 1 sums of their bytes */
};

/* A basic datatype. */
struct basic {
    uint8_t size, align;
    uint8_t components;   /* 2 for a complex datatype, 0 if there is no such datatype */
    uint8_t width[ELEMENTS]; /* bytes of a component in each representation */
    uint8_t form;         /* FORM_… */
    uint8_t arithmetic;   /* enum arithmetic (op_kernels.h) */
    const char *name;
};
enum { FORM_SIGNED, FORM_UNSIGNED, FORM_EXTENDED /* x87's 80 bits in memory, IEEE quadruple in the representations */ };
extern const struct basic em_basics[TYPES_MAX];

/* Results of the constructors: MPI_SUCCESS and a new reference in *result, MPI_ERR_NO_MEM, or
 * MPI_ERR_VALUE_TOO_LARGE if a size or a displacement exceeds 64 bits. Arguments keep their references. */
int em_layout_loop(int64_t at, int64_t count, int64_t stride, struct layout *child, struct layout **result);
/* n blocks, block i of length[i] (NULL arrays: `length`) children at displacement[i] * unit. */
int em_layout_blocks(int64_t n, struct counts lengths, int64_t length, struct counts displacements, int64_t unit, int64_t stride, struct layout *child, struct layout **result);
/* Takes the references of the n parts, also if it fails. */
int em_layout_parts(int64_t n, const int64_t *displacement, struct layout **part, struct layout **result);
static inline struct layout *em_layout_retain(struct layout *layout)
{
    if (layout->kind != BASIC)
        atomic_fetch_add_explicit(&layout->references, 1, memory_order_relaxed);
    return layout;
}
void em_layout_release(struct layout *layout);

/* One copy between memory and stream: the stream's first `skip` bytes are passed over, then at
 * most `left` are copied. */
struct cursor {
    bool pack;  /* else unpack */
    uint8_t to; /* the representation */
    char *stream;
    int64_t skip, left;
};
/* Copy count instances of the layout at distances of extent bytes. */
void em_pack_native(struct cursor *cursor, int64_t count, int64_t extent, const struct layout *layout, void *memory);
void em_pack_converted(struct cursor *cursor, int64_t count, int64_t extent, const struct layout *layout, void *memory);

/* Adds to total the measures of the complete basic elements in the first `amount` (in the measure
 * `by`) of the layout's stream. Returns the rest of amount: a part of an element. */
int64_t em_measure(const struct layout *layout, enum measure by, int64_t amount, int64_t total[MEASURES]);

/* Returns memory plus n bytes; memory may be NULL if displacements are addresses. */
static inline char *em_plus(const void *memory, int64_t n) { return (char *)((uintptr_t)memory + (uintptr_t)n); }

/* Returns the block of which the byte (or instance) `at` is a part, by sums of those before each block. */
static inline int64_t em_block_at(const int64_t *before, int64_t count, int64_t at)
{
    int64_t low = 0, high = count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(before[middle] <= at ? &low : &high) = middle;
    }
    return low;
}

/* Arithmetic that notes an overflow. */
static inline int64_t em_times(int64_t a, int64_t b, bool *overflow)
{
    int64_t result;
    *overflow |= __builtin_mul_overflow(a, b, &result);
    return result;
}
static inline int64_t em_sum(int64_t a, int64_t b, bool *overflow)
{
    int64_t result;
    *overflow |= __builtin_add_overflow(a, b, &result);
    return result;
}

/* ---- between the files of types/ ---- */

extern const struct MPID_Type_ops em_type_ops;
/* Returns a datatype that has all of another one except name, attributes and handle, or NULL. */
struct type *em_type_equal(struct type *type);
/* Fills the fields that follow from layout, lb and extent. */
void em_type_fill(struct type *type, int64_t lb, int64_t extent);
void em_contents_release(struct contents *contents);
/* Returns contents with arrays of these lengths, for the caller to fill, or NULL. */
struct contents *em_contents_new(int combiner, int64_t integers, int64_t addresses, int64_t counts, int64_t types);
int em_type_no_memory(void);
int em_ops_init(void);
void em_f90_end(void);

#endif
