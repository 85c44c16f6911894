package handletable

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	kind  = Handle(0x8c000000)
	first = 16
)

func object(i int) Object { return Object(0x7f0000001000 + i*64) }

func newTable(t *testing.T) *Table {
	table, err := New(t.Name(), kind, first)
	require.NoError(t, err)
	t.Cleanup(table.Close)
	return table
}

// Index returns the handle's slot.
func (h Handle) Index() uint32 { return uint32(h) & (1<<indexBits - 1) }

// Len returns the number of free slots in the magazine.
func (m *Magazine) Len() int { return int(m.c.n) }

func live(t *Table) int { return t.Usage().Live }

func TestInsertLookupRelease(t *testing.T) {
	table := newTable(t)
	h := table.Insert(object(1))
	assert.Equal(t, kind|first, h, "the kind, generation 0, the first dynamic index")
	assert.Equal(t, object(1), table.Lookup(h))
	assert.Equal(t, h, table.Find(object(1)))
	assert.Equal(t, 1, live(table))

	assert.Zero(t, table.Lookup(0))
	assert.Zero(t, table.Lookup(h+1), "a slot never used")
	assert.Zero(t, table.Lookup(h^1<<26), "another kind")
	assert.Zero(t, table.Lookup(h|1<<22), "another generation")
	assert.Zero(t, table.Lookup(h+Chunk), "the same slot of a missing chunk")
	assert.Zero(t, table.Find(object(2)))

	table.Release(h)
	assert.Zero(t, table.Lookup(h))
	assert.Zero(t, table.Find(object(1)))
	assert.Zero(t, live(table))
}

// An object has one handle, which ends with its last reference.
func TestReferences(t *testing.T) {
	table := newTable(t)
	h := table.Insert(object(1))
	for range 3 {
		assert.Equal(t, h, table.Insert(object(1)))
	}
	for range 3 {
		table.Release(h)
		assert.Equal(t, object(1), table.Lookup(h))
	}
	assert.Equal(t, 1, live(table))
	table.Release(h)
	assert.Zero(t, table.Lookup(h))
}

func TestBorrow(t *testing.T) {
	table := newTable(t)
	h, transient := table.Borrow(object(1))
	assert.True(t, transient)
	assert.Equal(t, object(1), table.Lookup(h))
	again, transient := table.Borrow(object(1))
	assert.False(t, transient)
	assert.Equal(t, h, again)
	table.Drop(h)
	assert.Zero(t, table.Lookup(h))

	// A reference taken in the meantime keeps the handle.
	h, _ = table.Borrow(object(1))
	assert.Equal(t, h, table.Insert(object(1)))
	table.Drop(h)
	assert.Equal(t, object(1), table.Lookup(h))
	table.Release(h)
	assert.Zero(t, table.Lookup(h))

	// Releasing a handle without references ends it.
	h, _ = table.Borrow(object(1))
	table.Release(h)
	assert.Zero(t, table.Lookup(h))
	assert.Zero(t, live(table))
}

// A value that is no live handle is neither released nor dropped, whatever its bits.
func TestReleaseOfOthers(t *testing.T) {
	table := newTable(t)
	require.NoError(t, table.Predefine(kind|3, object(3)))
	h := table.Insert(object(1))
	for _, other := range []Handle{0, kind, kind | 3, h + 1, h | 1<<22, h ^ 1<<26, h + Chunk, kind | Capacity - 1, ^Handle(0)} {
		table.Release(other)
		table.Drop(other)
		assert.Equal(t, object(1), table.Lookup(h), "%#x", other)
	}
	table.Drop(h)
	assert.Equal(t, object(1), table.Lookup(h), "it has a reference")
	assert.Equal(t, object(3), table.Lookup(kind|3))
	table.Release(h)
	table.Release(h)
	assert.NotEqual(t, table.Insert(object(1)), table.Insert(object(2)), "a slot released twice is returned once")
}

func TestGenerations(t *testing.T) {
	table := newTable(t)
	seen := map[Handle]bool{}
	for i := range Generations {
		h := table.Insert(object(i))
		assert.EqualValues(t, first, h.Index(), "the one slot is reused")
		assert.Equal(t, kind, h&^freeKindBits, "the kind stays")
		assert.False(t, seen[h])
		for stale := range seen {
			assert.Zero(t, table.Lookup(stale))
			table.Release(stale)
		}
		assert.Equal(t, object(i), table.Lookup(h))
		seen[h] = true
		table.Release(h)
	}
	assert.Equal(t, kind|first, table.Insert(object(0)), "after the last generation comes the first")
	assert.Equal(t, 1, table.Usage().Slots)
}

// Objects that share a bucket are found, and can be released in any order.
func TestCollisions(t *testing.T) {
	table := newTable(t)
	const n = 100
	handles := map[int]Handle{}
	for i := range n {
		handles[i] = table.Insert(Object(uint64(i+1) << 32))
	}
	for i, h := range handles { // in the random order of a map
		assert.Equal(t, h, table.Find(Object(uint64(i+1)<<32)))
		table.Release(h)
		assert.Zero(t, table.Find(Object(uint64(i+1)<<32)))
	}
	assert.Zero(t, live(table))
}

func TestPredefined(t *testing.T) {
	table := newTable(t)
	const null, world, float, twin, far = Handle(0x04000000), Handle(0x44000000), Handle(0x4c000005), kind | 5, Handle(0x4c010005)
	for i, h := range []Handle{null, world, float, twin, far} {
		require.NoError(t, table.Predefine(h, object(i)))
	}
	require.NoError(t, table.Predefine(0x4c000006, object(2)), "a second name")
	require.NoError(t, table.Predefine(0x4c000007, 0), "a name for nothing")
	for range 2 { // before and after dynamic objects
		for i, h := range []Handle{null, world, float, twin, far} {
			assert.Equal(t, object(i), table.Lookup(h), "%#x", h)
			assert.Equal(t, h, table.Find(object(i)), "%#x", h)
			assert.Equal(t, h, table.Insert(object(i)), "%#x", h)
			borrowed, transient := table.Borrow(object(i))
			assert.Equal(t, h, borrowed)
			assert.False(t, transient)
			for range 3 {
				table.Drop(h)
				table.Release(h)
			}
			assert.Equal(t, h, table.Find(object(i)), "never released")
		}
		assert.Equal(t, object(2), table.Lookup(0x4c000006))
		assert.Zero(t, table.Lookup(0x4c000007))
		assert.Zero(t, table.Lookup(0x44000005), "an index of a predefined handle, another kind")
		for i := range 40 {
			h := table.Insert(object(10 + i))
			assert.GreaterOrEqual(t, h.Index(), uint32(first))
			assert.Equal(t, object(10+i), table.Lookup(h))
		}
	}
	assert.Equal(t, 40, live(table), "predefined handles are not counted")
}

func TestPredefinedTooMany(t *testing.T) {
	table := newTable(t)
	for i := range MaxFixed + 1 {
		require.NoError(t, table.Predefine(Handle(0x44000001+i<<26), object(i)))
	}
	assert.ErrorContains(t, table.Predefine(0x10000001, object(99)), "0x10000001")
	assert.Zero(t, table.Find(object(99)))
	assert.Zero(t, table.Lookup(0x10000001))
}

// The table grows beyond the first chunk and shrinks again.
func TestGrowth(t *testing.T) {
	table := newTable(t)
	const n = 3 * Chunk
	handles := make([]Handle, n)
	for i := range n {
		handles[i] = table.Insert(object(i))
	}
	assert.EqualValues(t, n-1+first, handles[n-1].Index())
	for i, h := range handles {
		if table.Lookup(h) != object(i) || table.Find(object(i)) != h {
			t.Fatalf("handle %#x is not of object %d", h, i)
		}
	}
	assert.Equal(t, n, live(table))
	for i := n - 1; i >= 0; i-- {
		table.Release(handles[i])
	}
	assert.Zero(t, live(table))
	for i, h := range handles {
		if table.Lookup(h) != 0 {
			t.Fatalf("handle %#x of object %d is found after its release", h, i)
		}
	}
	for i := range n {
		table.Insert(object(i))
	}
	assert.Equal(t, Usage{t.Name(), n, n}, table.Usage(), "slots are reused, the first chunk's first")
}

// A full table reports that, and continues after a release.
func TestFull(t *testing.T) {
	table := newTable(t)
	var m Magazine
	var last Handle
	n := 0
	for h := table.InsertUnshared(&m, object(0)); h != 0; h = table.InsertUnshared(&m, object(n)) {
		last = max(last, h)
		n++
	}
	assert.Equal(t, Capacity-first, n)
	assert.EqualValues(t, Capacity-1, last.Index())
	assert.NotZero(t, table.Lookup(last))
	assert.Zero(t, table.Insert(object(n)))
	h, transient := table.Borrow(object(n))
	assert.Zero(t, h)
	assert.False(t, transient)
	assert.Equal(t, n, live(table))

	table.ReleaseUnshared(&m, last)
	m.Flush()
	h = table.Insert(object(n))
	assert.Equal(t, last.Index(), h.Index())
	assert.NotEqual(t, last, h)
	assert.Equal(t, object(n), table.Lookup(h))
	table.Release(h)
	assert.Zero(t, table.Lookup(h))
}

// Objects without references: an object may have many handles. Slots go through the magazine, and back to the table
// when the thread ends.
func TestMagazine(t *testing.T) {
	table := newTable(t)
	var m Magazine
	a, b := table.InsertUnshared(&m, object(1)), table.InsertUnshared(&m, object(1))
	assert.NotEqual(t, a, b)
	assert.Equal(t, MagazineSize/2-2, m.Len(), "filled half")
	assert.Zero(t, table.Find(object(1)), "not found by address")
	assert.Equal(t, 2, live(table))
	table.Replace(a, object(2))
	assert.Equal(t, object(2), table.Lookup(a))
	assert.Equal(t, object(1), table.Lookup(b))
	table.ReleaseUnshared(&m, a)
	table.Replace(a, object(3))
	assert.Zero(t, table.Lookup(a))
	table.ReleaseUnshared(&m, b)
	assert.Equal(t, MagazineSize/2, m.Len())
	assert.NotEqual(t, b, table.InsertUnshared(&m, object(1)), "the next generation")

	// Another thread than the creator releases the handles. Its magazine spills when it is full.
	var other Magazine
	for i := range 5 * MagazineSize {
		table.ReleaseUnshared(&other, table.InsertUnshared(&m, object(i)))
		assert.LessOrEqual(t, other.Len(), MagazineSize)
	}
	slots := table.Usage().Slots
	m.Flush()
	other.Flush()
	assert.Zero(t, m.Len()+other.Len())
	for i := range slots - 1 { // one handle is live
		table.Insert(object(i))
	}
	assert.Equal(t, slots, table.Usage().Slots, "no slot is lost")
	assert.Equal(t, slots, live(table))
}

func TestRegistry(t *testing.T) {
	a, err := New("a", kind, first)
	require.NoError(t, err)
	_, err = New("a", kind, first)
	assert.ErrorContains(t, err, "a table a exists already")
	_, err = New("b", kind|1, first)
	assert.ErrorContains(t, err, "kind 0x8c000001")
	_, err = New("b", kind, 0)
	assert.ErrorContains(t, err, "first dynamic index 0")
	b, err := New("b", kind, first)
	require.NoError(t, err)
	b.Insert(object(1))
	assert.Equal(t, []Usage{{"a", 0, 0}, {"b", 1, 1}}, Report())
	a.Close()
	assert.Equal(t, []Usage{{"b", 1, 1}}, Report())
	b.Close()
	assert.Empty(t, Report())
	assert.Zero(t, a.Usage().Live, "a closed table is empty")
}

// A front's table is read and not changed.
func TestAdopt(t *testing.T) {
	a := newTable(t)
	adopted, err := Adopt("theirs", unsafe.Pointer(a.c))
	require.NoError(t, err)
	_, err = Adopt("theirs", unsafe.Pointer(a.c))
	assert.ErrorContains(t, err, "a table theirs exists already")
	var handles []Handle
	for i := range 6 {
		handles = append(handles, a.Insert(object(i)))
	}
	require.NoError(t, a.Predefine(kind|1, object(50)))
	transient, fresh := a.Borrow(object(51))
	assert.True(t, fresh)
	n, some := adopted.Held(2)
	assert.Equal(t, 6, n, "neither predefined objects nor objects without a reference")
	assert.Equal(t, handles[:2], some)
	n, some = adopted.Held(10)
	assert.Equal(t, 6, n)
	assert.Equal(t, handles, some)
	a.Drop(transient)
	adopted.Close()
	assert.Equal(t, object(0), a.Lookup(handles[0]), "Close of an adopted table ends nothing")
	n, some = adopted.Held(10)
	assert.Zero(t, n)
	assert.Empty(t, some)
}

func TestLeftover(t *testing.T) {
	a, err := New("MPI_Comm", kind, first)
	require.NoError(t, err)
	t.Cleanup(a.Close)
	b, err := New("MPI_Type", kind, first)
	require.NoError(t, err)
	t.Cleanup(b.Close)
	assert.Empty(t, Leftover())
	h := b.Insert(object(1))
	assert.Equal(t, fmt.Sprintf("1 MPI_Type (0x%08x)", uint32(h)), Leftover())
	var handles []any
	for i := range 5 {
		handles = append(handles, uint32(a.Insert(object(i))))
	}
	assert.Equal(t, fmt.Sprintf("5 MPI_Comm (0x%08x, 0x%08x, 0x%08x, 0x%08x, …), 1 MPI_Type (0x%08x)", append(handles[:4], uint32(h))...), Leftover())
}

// Each goroutine runs on its own thread, all on the same tables, while others create, report and close tables.
func TestConcurrent(t *testing.T) {
	objects := newTable(t)
	requests, err := New(t.Name()+" requests", 0xec000000, first)
	require.NoError(t, err)
	t.Cleanup(requests.Close)
	handed := make(chan Handle, 256)
	var threads sync.WaitGroup
	for me := range 4 {
		threads.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var m Magazine
			defer m.Flush()
			for i := range 5000 {
				o := object(i % 100)
				h := objects.Insert(o)
				if objects.Lookup(h) != o || objects.Find(o) != h {
					t.Errorf("handle %#x is not of its object", h)
				}
				objects.Release(h)
				handed <- requests.InsertUnshared(&m, o)
				requests.ReleaseUnshared(&m, <-handed)
				if i%1000 == 0 {
					table, err := New(fmt.Sprint(t.Name(), me), kind, first)
					if err == nil {
						table.Insert(o)
						Report()
						table.Close()
					}
				}
			}
		})
	}
	threads.Wait()
	assert.Zero(t, live(objects))
	assert.Zero(t, live(requests))
}
