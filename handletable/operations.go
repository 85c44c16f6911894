package handletable

// The operations of fronts on tables. They are in C; the tests of the C code call them from
// here.

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
	Capacity     = C.HT_CHUNK * C.HT_CHUNKS  // maximum of slots
	MagazineSize = C.HT_MAGAZINE             // free slots that one magazine holds
	Generations  = 1 << C.HT_GENERATION_BITS // uses of one slot before its first handle value recurs
)

// Predefine enters a handle that is never released. Several handles may map to one object; Find
// then returns the first. Predefine returns an error if more than MaxFixed handles have no
// index of their own.
func (t *Table) Predefine(h Handle, o Object) error {
	if C.predefine(t.c, C.uint32_t(h), C.uintptr_t(o)) != 0 {
		return fmt.Errorf("handletable: %s: predefined handle %#x: %d other predefined handles already have no fixed index: raise "+
			"HT_FIXED", t.name, uint32(h), MaxFixed)
	}
	return nil
}

// Insert adds a reference to the object and returns its handle, a new one if it has none, or 0
// if the table is full.
func (t *Table) Insert(o Object) Handle { return Handle(C.insert(t.c, C.uintptr_t(o))) }

// Find returns the object's handle without taking a reference, or 0 if it has none.
func (t *Table) Find(o Object) Handle { return Handle(C.find(t.c, C.uintptr_t(o))) }

// Borrow returns the object's handle without taking a reference. If the object has no handle,
// Borrow creates one without references and returns true for transient; the caller must end it
// by Drop.
func (t *Table) Borrow(o Object) (h Handle, transient bool) {
	var fresh C.int
	h = Handle(C.borrow(t.c, C.uintptr_t(o), &fresh))
	return h, fresh != 0
}

// Drop ends the handle if it still has no references.
func (t *Table) Drop(h Handle) { C.ht_drop(t.c, C.uint32_t(h)) }

// Release gives one reference back. The last one ends the handle.
func (t *Table) Release(h Handle) { C.ht_release(t.c, C.uint32_t(h)) }

// Lookup returns the object of a handle, or 0 if the handle is not in this table or has ended.
func (t *Table) Lookup(h Handle) Object { return Object(C.lookup(t.c, C.uint32_t(h))) }

// Replace maps a live handle made by InsertUnshared to another object.
func (t *Table) Replace(h Handle, o Object) { C.replace(t.c, C.uint32_t(h), C.uintptr_t(o)) }

// Magazine is one thread's reserve of free slots of one table. The zero value is ready to use.
// A Magazine must not be copied, nor used by two threads at once.
type Magazine struct{ c C.struct_ht_magazine }

// InsertUnshared returns a new handle for the object, or 0 if the table is full. The object may
// have other handles; Find does not return this one.
func (t *Table) InsertUnshared(m *Magazine, o Object) Handle {
	return Handle(C.insert_unshared(t.c, &m.c, C.uintptr_t(o)))
}

// ReleaseUnshared ends a handle made by InsertUnshared and puts its slot into the magazine.
func (t *Table) ReleaseUnshared(m *Magazine, h Handle) {
	C.ht_release_unshared(t.c, &m.c, C.uint32_t(h))
}

// Flush returns the magazine's slots to their table, as the end of a thread does.
func (m *Magazine) Flush() { C.ht_flush(&m.c) }
