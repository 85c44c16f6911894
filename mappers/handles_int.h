/*
 * Program handles that are 32-bit integers (MPICH's), on a runtime whose handles are pointers.
 * There is a table for each kind, in MPICH's own bit layout (handletable.h). Predefined handles
 * are in the same tables, so one look-up serves both.
 *
 * MPI_File is a pointer in this family and stays the runtime's own. The table of requests is
 * here; requests_int.h converts their handles.
 *
 * Ownership: a handle counts the references that the program owns, and ends with the last one
 * (ht_release). A handle that was made for a callback has none and ends with the callback.
 * Locking: each table has its own lock, which look-ups do not take.
 *
 * Gives: the interface of handles.h, table_COMM and the like.
 * Needs: pair.h, layout.h, predefined.h, handletable.h.
 */
#ifndef WI4GO_HANDLES_INT_H
#define WI4GO_HANDLES_INT_H
#include "pair.h"
#include "layout.h"
#include "predefined.h"
#include "handletable.h"

/* The tables, in the order that the assembly expects (layout.h). */
#define tables PAIR(tables)
SHARED struct tables {
    struct handletable COMM, DATATYPE, ERRHANDLER, GROUP, INFO, MESSAGE, OP, REQUEST, SESSION, WIN;
} tables;
/* Checks that the table of a kind lies at the offset that layout.h defines. */
#define CHECK_TABLE(KIND) _Static_assert(offsetof(struct tables, KIND) == TABLE_##KIND, "layout.h")
CHECK_TABLE(COMM); CHECK_TABLE(DATATYPE); CHECK_TABLE(ERRHANDLER); CHECK_TABLE(GROUP); CHECK_TABLE(INFO);
CHECK_TABLE(MESSAGE); CHECK_TABLE(OP); CHECK_TABLE(REQUEST); CHECK_TABLE(SESSION); CHECK_TABLE(WIN);
#define table_COMM tables.COMM
#define table_DATATYPE tables.DATATYPE
#define table_ERRHANDLER tables.ERRHANDLER
#define table_GROUP tables.GROUP
#define table_INFO tables.INFO
#define table_MESSAGE tables.MESSAGE
#define table_OP tables.OP
#define table_REQUEST tables.REQUEST
#define table_SESSION tables.SESSION
#define table_WIN tables.WIN

/* Returns the address of the tables, in a form that the compiler cannot trace. It then keeps the
   address in one register for all look-ups of a function. */
static inline const char *tables_address(void)
{
    const char *address = (const char *)&tables;
    __asm__("" : "+r"(address));
    return address;
}

/* Ends the process because a table is full. */
#define table_full PAIR(table_full)
void table_full(const char *kind) HIDDEN __attribute__((cold, noinline, noreturn));
#if DEFINES_SHARED
void table_full(const char *kind)
{
    wi4go_die("more than %u live handles of kind %s: the program must free them", 1u << HT_INDEX_BITS, kind);
}
#endif

/* Defines the interface of handles.h for a kind, and two functions for generated code that looks
   up each handle only once: KIND_hit_in reports whether the first chunk of the table contains the
   handle, and KIND_at_in then returns the runtime's. t is the address of the tables. */
#define HANDLE(KIND, Type, null) \
    static inline int KIND##_hit_in(const char *t, A_##Type a) { return ht_hit(t + offsetof(struct tables, KIND), (uint32_t)a); } \
    static inline R_##Type KIND##_at_in(const char *t, A_##Type a) { return (R_##Type)(intptr_t)ht_at(t + offsetof(struct tables, KIND), (uint32_t)a); } \
    static inline R_##Type KIND##_a2r(A_##Type a) \
    { \
        void *r = ht_lookup(&table_##KIND, (uint32_t)a); \
        return (R_##Type)(likely(r != NULL) ? (intptr_t)r : bad_handle(KIND_##KIND)); \
    } \
    static inline A_##Type KIND##_r2a(R_##Type r) \
    { \
        uint32_t a = r ? ht_insert(&table_##KIND, (void *)(intptr_t)r) : (uint32_t)A_##null; \
        if (unlikely(!a)) \
            table_full(#KIND); \
        return (A_##Type)a; \
    } \
    static inline A_##Type KIND##_r2a_callback(R_##Type r, int *transient) \
    { \
        *transient = 0; \
        uint32_t known = ht_known(&table_##KIND, (void *)(intptr_t)r); \
        if (likely(known)) \
            return (A_##Type)known; \
        uint32_t a = r ? ht_borrow(&table_##KIND, (void *)(intptr_t)r, transient) : (uint32_t)A_##null; \
        if (unlikely(!a)) \
            table_full(#KIND); \
        return (A_##Type)a; \
    } \
    static inline A_##Type KIND##_r2a_borrow(R_##Type r) { int transient; return KIND##_r2a_callback(r, &transient); } \
    static inline void KIND##_drop(A_##Type a) { ht_drop(&table_##KIND, (uint32_t)a); } \
    static inline void KIND##_release(A_##Type a) { ht_release(&table_##KIND, (uint32_t)a); } \
    static inline A_##Type KIND##_after(A_##Type a, R_##Type r) \
    { \
        if (r != R_##null) \
            return a; \
        ht_release(&table_##KIND, (uint32_t)a); \
        return A_##null; \
    }

HANDLE(COMM, MPI_Comm, MPI_COMM_NULL)
HANDLE(DATATYPE, MPI_Datatype, MPI_DATATYPE_NULL)
HANDLE(ERRHANDLER, MPI_Errhandler, MPI_ERRHANDLER_NULL)
HANDLE(GROUP, MPI_Group, MPI_GROUP_NULL)
HANDLE(INFO, MPI_Info, MPI_INFO_NULL)
HANDLE(OP, MPI_Op, MPI_OP_NULL)
HANDLE(SESSION, MPI_Session, MPI_SESSION_NULL)
HANDLE(WIN, MPI_Win, MPI_WIN_NULL)
HANDLE(MESSAGE, MPI_Message, MPI_MESSAGE_NULL)

/* ---- files ---- */

static inline R_MPI_File FILE_a2r(A_MPI_File a) { return unlikely(a == A_MPI_FILE_NULL) ? R_MPI_FILE_NULL : (R_MPI_File)a; }
#define FILE_hit_in(t, a) 1
#define FILE_at_in(t, a) FILE_a2r(a)
static inline A_MPI_File FILE_r2a(R_MPI_File r) { return unlikely(r == R_MPI_FILE_NULL) ? A_MPI_FILE_NULL : (A_MPI_File)r; }
#define FILE_r2a_borrow FILE_r2a
static inline A_MPI_File FILE_r2a_callback(R_MPI_File r, int *transient) { *transient = 0; return FILE_r2a(r); }
static inline void FILE_drop(A_MPI_File a) { (void)a; }
static inline A_MPI_File FILE_after(A_MPI_File a, R_MPI_File r) { return r == R_MPI_FILE_NULL ? A_MPI_FILE_NULL : a; }

/* ---- set-up ---- */

#if DEFINES_SHARED
/* Initializes the tables. Dynamic handles have the form of MPICH's "direct" handles. The first
   dynamic index of each kind is above the indices of its predefined handles, which in datatypes
   contain the size. */
static void handles_prepare(void)
{
    ht_init(&table_COMM, 0x84000000, 16);
    ht_init(&table_GROUP, 0x88000000, 16);
    ht_init(&table_DATATYPE, 0x8c000000, 0x4000);
    ht_init(&table_ERRHANDLER, 0x94000000, 16);
    ht_init(&table_OP, 0x98000000, 64);
    ht_init(&table_INFO, 0x9c000000, 16);
    ht_init(&table_WIN, 0xa0000000, 16);
    ht_init(&table_REQUEST, 0x6c000000, 16);
    ht_init(&table_MESSAGE, 0xac000000, 16);
    ht_init(&table_SESSION, 0xb8000000, 16);
    wi4go_table_register("MPI_Comm", &table_COMM);
    wi4go_table_register("MPI_Group", &table_GROUP);
    wi4go_table_register("MPI_Datatype", &table_DATATYPE);
    wi4go_table_register("MPI_Errhandler", &table_ERRHANDLER);
    wi4go_table_register("MPI_Op", &table_OP);
    wi4go_table_register("MPI_Info", &table_INFO);
    wi4go_table_register("MPI_Win", &table_WIN);
    wi4go_table_register("MPI_Request", &table_REQUEST);
    wi4go_table_register("MPI_Message", &table_MESSAGE);
    wi4go_table_register("MPI_Session", &table_SESSION);
}

static struct handletable *const table_of[N_KINDS] = {
    [KIND_COMM] = &table_COMM, [KIND_DATATYPE] = &table_DATATYPE, [KIND_ERRHANDLER] = &table_ERRHANDLER, [KIND_GROUP] = &table_GROUP,
    [KIND_INFO] = &table_INFO, [KIND_MESSAGE] = &table_MESSAGE, [KIND_OP] = &table_OP, [KIND_REQUEST] = &table_REQUEST,
    [KIND_SESSION] = &table_SESSION, [KIND_WIN] = &table_WIN,
};

/* Enters a predefined handle (handles.h). Files have no table. */
static int handle_predefine(unsigned i, int64_t r, int real)
{
    int kind = predefined[i].kind;
    if (kind == KIND_FILE)
        return 0;
    if (real)
        reverse_add(kind, r, predefined[i].value);
    return ht_predefine(table_of[kind], (uint32_t)predefined[i].value, (void *)(intptr_t)r);
}
#endif
#endif
