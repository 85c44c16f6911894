package embedded

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// A report names the largest memory object of the job. Entries without a range of their own do not count, and neither does a job
// without a heap.
func TestObjects(t *testing.T) {
	memory := make([]uint64, (4096+unsafe.Sizeof(heap{}))/8)
	s := &segment{unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), len(memory)*8)}
	assert.Empty(t, s.objectsText())
	s.head().heap, s.head().heapBytes = 4096, 1<<40
	assert.Empty(t, s.objectsText())
	table := (*heap)(unsafe.Pointer(&s.memory[4096]))
	table.entries = 4
	table.objects[0].bytes = 1 << 40 // a free range
	for i, name := range []string{"area of MPI_COMM_WORLD", "area of halo", "area of a communicator"} {
		o := &table.objects[i+1]
		o.state, o.bytes, o.users = taken, uint64(300<<10*(1+i%2)), int32(i+1)
		copy(o.name[:], name)
	}
	table.objects[3].state, table.objects[3].users = spare, 0
	assert.Equal(t, []object{{"area of MPI_COMM_WORLD", 300 << 10, 1}, {"area of halo", 600 << 10, 2}, {"area of a communicator", 300 << 10, 0}}, s.objects())
	assert.Equal(t, "; memory objects of the job take 1 MB, the largest of 3 is the area of halo (600 KB, 2 users)", s.objectsText())
	table.entries = 1 << 30
	assert.Len(t, s.objects(), 3)
}
