// Package handletable maps 32-bit handles to 64-bit objects, in MPICH's bit layout: six kind
// bits, four generation bits, 22 index bits. A look-up takes no lock and allocates nothing.
// Chunks never move. A released slot is reused with the next generation, so that a stale handle
// is not found.
//
// The tables are in C (handletable.h, which a front includes) because no Go runs on a message's
// path and a forked child must be able to grow them. This package makes the same C code
// available to Go. It keeps a registry of tables by name, both a front's tables (Adopt) and
// tables that tests create (New), and reports their contents. When a program ends, the core
// calls it to report the handles that were not freed (WI4GO_HANDLES=report).
//
// It must not know MPI: an object is an address, a kind is a number.
package handletable

/*
#cgo CFLAGS: -O2 -DHT_IN_GO
#include <stdlib.h>
#include <sys/mman.h>
#include "handletable.h"

static void discard(struct handletable *t)
{
    for (unsigned i = 1; i < HT_CHUNKS; i++)
        if (t->chunk[i])
            munmap(t->chunk[i], sizeof *t->chunk[i]);
    free(t);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// Limits of a table.
const (
	Chunk        = C.HT_CHUNK // slots per chunk; look-ups in the first chunk are the fastest
	MaxFixed     = C.HT_FIXED // maximum of predefined handles that are not found by their index
	indexBits    = C.HT_INDEX_BITS
	freeKindBits = 1<<(indexBits+C.HT_GENERATION_BITS) - 1
)

// Handle identifies an object; 0 is no handle.
type Handle uint32

// Object is the address that a handle maps to; 0 is no object.
type Object uintptr

// Table is the table of the objects of one kind.
type Table struct {
	name    string
	c       *C.struct_handletable
	created bool  // created by New, so Close frees it; false for a front's table
	mutex   Mutex // guards c against Close while slots are counted; the table's own lock is in C
}

// registry holds all tables by name.

// registry holds all tables by name.
var registry = struct {
	mutex  Mutex // locked before any Table's mutex
	tables map[string]*Table
}{tables: map[string]*Table{}}

// New creates a table and registers it under its name. kind holds the upper six bits of every
// dynamic handle. Indices below firstDynamic are reserved for predefined handles. New returns
// an error for a kind or index out of range, for a name in use, and if memory is exhausted.
func New(name string, kind Handle, firstDynamic uint32) (*Table, error) {
	switch {
	case kind&freeKindBits != 0 || kind == 0:
		return nil, fmt.Errorf("handletable: %s: kind %#x: use only the upper six bits", name, uint32(kind))
	case firstDynamic == 0 || firstDynamic >= Chunk:
		return nil, fmt.Errorf("handletable: %s: first dynamic index %d: choose one from 1 to %d", name, firstDynamic, Chunk-1)
	}
	registry.mutex.Lock()
	defer registry.mutex.Unlock()
	if registry.tables[name] != nil {
		return nil, fmt.Errorf("handletable: a table %s exists already: close it or choose another name", name)
	}
	c := (*C.struct_handletable)(C.calloc(1, C.sizeof_struct_handletable))
	if c == nil {
		return nil, errors.New("handletable: out of memory for a table")
	}
	C.ht_init(c, C.uint32_t(kind), C.uint32_t(firstDynamic))
	t := &Table{name: name, c: c, created: true}
	registry.tables[name] = t
	return t, nil
}

// Adopt registers a front's table, a struct handletable, under its name. The front still owns
// the table: Close only removes it from the registry. Adopt returns an error if the name is in
// use.
func Adopt(name string, table unsafe.Pointer) (*Table, error) {
	registry.mutex.Lock()
	defer registry.mutex.Unlock()
	if registry.tables[name] != nil {
		return nil, fmt.Errorf("handletable: a table %s exists already: close it or choose another name", name)
	}
	t := &Table{name: name, c: (*C.struct_handletable)(table)}
	registry.tables[name] = t
	return t, nil
}

// Close removes the table from the registry and frees it if New created it. The caller must not
// use the table afterwards; a concurrent Report is safe.
func (t *Table) Close() {
	registry.mutex.Lock()
	delete(registry.tables, t.name)
	registry.mutex.Unlock()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.created {
		C.discard(t.c)
	}
	t.c = nil
}

// Usage is the fill level of a table.
type Usage struct {
	Name  string
	Live  int // dynamic handles in use
	Slots int // dynamic slots ever used
}

// Usage returns the fill level of the table. It visits every slot.
func (t *Table) Usage() Usage {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	u := Usage{Name: t.name}
	if t.c != nil {
		u.Live = int(C.ht_live(t.c))
		u.Slots = int(t.c.unused - t.c.first_dynamic)
	}
	return u
}

// Report returns the usage of all registered tables, sorted by name.
func Report() []Usage {
	registry.mutex.Lock()
	defer registry.mutex.Unlock()
	all := make([]Usage, 0, len(registry.tables))
	for _, t := range registry.tables {
		all = append(all, t.Usage())
	}
	slices.SortFunc(all, func(a, b Usage) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Held returns the number of handles that have a reference, and the first max of them.
func (t *Table) Held(max int) (n int, first []Handle) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.c == nil {
		return 0, nil
	}
	first = make([]Handle, max)
	n = int(C.ht_list(t.c, (*C.uint32_t)(unsafe.SliceData(first)), C.uint32_t(max)))
	return n, first[:min(n, max)]
}

// Leftover returns a text that lists the tables with handles that were not freed, with a few
// handles of each, or "" if there are none.
func Leftover() string {
	const few = 4
	var text []string
	for _, u := range Report() {
		registry.mutex.Lock()
		t := registry.tables[u.Name]
		registry.mutex.Unlock()
		if t == nil {
			continue // closed in the meantime
		}
		n, first := t.Held(few)
		if n == 0 {
			continue
		}
		var handles []string
		for _, h := range first {
			handles = append(handles, fmt.Sprintf("0x%08x", uint32(h)))
		}
		if n > len(first) {
			handles = append(handles, "…")
		}
		text = append(text, fmt.Sprintf("%d %s (%s)", n, u.Name, strings.Join(handles, ", ")))
	}
	return strings.Join(text, ", ")
}
