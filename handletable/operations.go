package handletable

// What fronts do with tables, in C. The tests of the C do it from here.

/*
#include "handletable.h"

// Addresses as integers: they are none of Go's business.
static uint32_t insert(struct handletable *t, uintptr_t o) { return ht_insert(t, (void *)o); }
static uint32_t find(struct handletable *t, uintptr_t o) { return ht_find(t, (void *)o); }
static uint32_t borrow(struct handletable *t, uintptr_t o, int *transient) { return ht_borrow(t, (void *)o, transient); }
static int predefine(struct handletable *t, uint32_t h, uintptr_t o) { return ht_predefine(t, h, (void *)o); }
static uintptr_t lookup(const struct handletable *t, uint32_t h) { return (uintptr_t)ht_lookup(t, h); }
static uint32_t insert_unshared(struct handletable *t, struct ht_magazine *m, uintptr_t o) { return ht_insert_unshared(t, m, (void *)o); }
static void replace(struct handletable *t, uint32_t h, uintptr_t o) { ht_replace(t, h, (void *)o); }
*/
import "C"

import "fmt"

// Limits of a table.
const (
	Capacity     = C.HT_CHUNK * C.HT_CHUNKS  // slots that it can have
	MagazineSize = C.HT_MAGAZINE             // free slots that one magazine holds
	Generations  = 1 << C.HT_GENERATION_BITS // uses of one slot until its first handle comes again
)

// Predefine enters a handle that is never released. Several handles may name
// one object; Find gives the first back.
func (t *Table) Predefine(h Handle, o Object) error {
	if C.predefine(t.c, C.uint32_t(h), C.uintptr_t(o)) != 0 {
		return fmt.Errorf("handletable: %s: predefined handle %#x: %d others already have no index of their own, raise HT_FIXED", t.name, uint32(h), MaxFixed)
	}
	return nil
}

// Insert returns a handle for one more reference to the object: the one that it
// has, or a new one; 0 when the table is full.
func (t *Table) Insert(o Object) Handle { return Handle(C.insert(t.c, C.uintptr_t(o))) }

// Find returns the object's handle without taking a reference, 0 when it has none.
func (t *Table) Find(o Object) Handle { return Handle(C.find(t.c, C.uintptr_t(o))) }

// Borrow is Find, but an object without a handle gets one that has no
// references; it is transient then, to be ended by Drop.
func (t *Table) Borrow(o Object) (h Handle, transient bool) {
	var fresh C.int
	h = Handle(C.borrow(t.c, C.uintptr_t(o), &fresh))
	return h, fresh != 0
}

// Drop ends a handle that still has no references.
func (t *Table) Drop(h Handle) { C.ht_drop(t.c, C.uint32_t(h)) }

// Release gives one reference back; with the last one the handle ends.
func (t *Table) Release(h Handle) { C.ht_release(t.c, C.uint32_t(h)) }

// Lookup returns the object behind a handle, 0 for one that is not of this
// table or has ended.
func (t *Table) Lookup(h Handle) Object { return Object(C.lookup(t.c, C.uint32_t(h))) }

// Replace puts another object behind a live handle that was made by InsertUnshared.
func (t *Table) Replace(h Handle, o Object) { C.replace(t.c, C.uint32_t(h), C.uintptr_t(o)) }

// Magazine is one thread's reserve of free slots of one table. Its zero value is
// ready; it must not be copied, and not be used by two threads at once.
type Magazine struct{ c C.struct_ht_magazine }

// InsertUnshared returns a handle of its own for the object, which may have
// others and is not found by its address; 0 when the table is full.
func (t *Table) InsertUnshared(m *Magazine, o Object) Handle {
	return Handle(C.insert_unshared(t.c, &m.c, C.uintptr_t(o)))
}

// ReleaseUnshared ends such a handle; its slot goes to the magazine.
func (t *Table) ReleaseUnshared(m *Magazine, h Handle) {
	C.ht_release_unshared(t.c, &m.c, C.uint32_t(h))
}

// Flush gives the slots back to their table, as the end of a thread does.
func (m *Magazine) Flush() { C.ht_flush(&m.c) }
