package embedded

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// An object is a memory object of the job (embedded/adi/heap.h).
type object struct {
	name  string // its purpose, for example "area of MPI_COMM_WORLD"
	bytes uint64
	users int // ranks that use it, or 0 if it is kept for its next use
}

// objects returns the memory objects of the job. Ranks may change the table meanwhile, so they are for reports only.
func (s *segment) objects() (list []object) {
	if s.head().heapBytes == 0 {
		return nil
	}
	table := (*heap)(unsafe.Pointer(&s.memory[s.head().heap]))
	entries := min(max(int(atomic.LoadInt32(&table.entries)), 0), len(table.objects)) // the memory is the ranks'
	for i := range entries {
		o := &table.objects[i]
		if o.state == taken || o.state == spare {
			list = append(list, object{name(o.name[:]), o.bytes, int(atomic.LoadInt32(&o.users))})
		}
	}
	return list
}

// objectsText returns a part of a sentence about the memory that the ranks share in objects, or "" without any.
func (s *segment) objectsText() string {
	var bytes uint64
	var largest object
	list := s.objects()
	for _, o := range list {
		bytes += o.bytes
		if o.bytes > largest.bytes {
			largest = o
		}
	}
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("; memory objects of the job take %s, the largest of %d is the %s (%s, %d users)", size(int(bytes>>10)), len(list), largest.name, size(int(largest.bytes>>10)), largest.users)
}
