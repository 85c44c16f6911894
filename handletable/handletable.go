// Package handletable gives 64-bit objects 32-bit handles, in MPICH's bit
// layout: six kind bits, four generation bits, 22 index bits. A look-up neither
// locks nor allocates; chunks never move; a released slot is used again with the
// next generation, so that a stale handle is not found.
//
// The tables are C (handletable.h, which a front includes), because no Go runs
// on the path of a message and a forked child must be able to grow them. This
// package is that same C seen from Go: it keeps a registry of tables, by name, those
// of a front (Adopt) and those that tests make (New), and reports what is in them. The
// core asks it when a program ends what handles it has left (WI4GO_HANDLES=report).
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
	Chunk        = C.HT_CHUNK // slots that it grows by; look-ups in the first so many are the fastest
	MaxFixed     = C.HT_FIXED // predefined handles that are not found by their index
	indexBits    = C.HT_INDEX_BITS
	freeKindBits = 1<<(indexBits+C.HT_GENERATION_BITS) - 1
)

// Handle stands for an object; 0 stands for none.
type Handle uint32

// Object is the address behind a handle; 0 is none.
type Object uintptr

// Table is one table, of the objects of one kind.
type Table struct {
	name  string
	c     *C.struct_handletable
	made  bool  // made here, and not by a front
	mutex Mutex // of closing and counting; the table's own lock is in C
}

var registry = struct {
	mutex  Mutex // taken before any table's
	tables map[string]*Table
}{tables: map[string]*Table{}}

// New makes a table and registers it under its name. The bits of kind are the
// upper six of every dynamic handle; indices below firstDynamic are left to
// predefined handles.
func New(name string, kind Handle, firstDynamic uint32) (*Table, error) {
	switch {
	case kind&freeKindBits != 0 || kind == 0:
		return nil, fmt.Errorf("handletable: %s: kind %#x: only the upper six bits make a kind", name, uint32(kind))
	case firstDynamic == 0 || firstDynamic >= Chunk:
		return nil, fmt.Errorf("handletable: %s: first dynamic index %d: choose one from 1 to %d", name, firstDynamic, Chunk-1)
	}
	registry.mutex.Lock()
	defer registry.mutex.Unlock()
	if registry.tables[name] != nil {
		return nil, fmt.Errorf("handletable: there is a table %s already: close it or choose another name", name)
	}
	c := (*C.struct_handletable)(C.calloc(1, C.sizeof_struct_handletable))
	if c == nil {
		return nil, errors.New("handletable: out of memory for a table")
	}
	C.ht_init(c, C.uint32_t(kind), C.uint32_t(firstDynamic))
	t := &Table{name: name, c: c, made: true}
	registry.tables[name] = t
	return t, nil
}

// Adopt registers a front's table, a struct handletable, under its name. It is the
// front's all the same: Close forgets it.
func Adopt(name string, table unsafe.Pointer) (*Table, error) {
	registry.mutex.Lock()
	defer registry.mutex.Unlock()
	if registry.tables[name] != nil {
		return nil, fmt.Errorf("handletable: there is a table %s already: close it or choose another name", name)
	}
	t := &Table{name: name, c: (*C.struct_handletable)(table)}
	registry.tables[name] = t
	return t, nil
}

// Close ends the table and takes it out of the registry. Nothing else may use
// the table then, but a Report may be under way.
func (t *Table) Close() {
	registry.mutex.Lock()
	delete(registry.tables, t.name)
	registry.mutex.Unlock()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.made {
		C.discard(t.c)
	}
	t.c = nil
}

// Usage is how full a table is.
type Usage struct {
	Name  string
	Live  int // dynamic handles in use
	Slots int // dynamic slots ever used
}

// Usage counts; it looks at every slot.
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

// Held are the handles that have a reference: how many, and the first of them, as
// many as max.
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

// Leftover says which tables have handles that were not freed, and gives a few of
// each; "" where none has.
func Leftover() string {
	const few = 4
	var text []string
	for _, u := range Report() {
		registry.mutex.Lock()
		t := registry.tables[u.Name]
		registry.mutex.Unlock()
		if t == nil {
			continue // closed meanwhile
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
