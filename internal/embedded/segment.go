package embedded

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

//go:generate go run ./layout ../.. shared.go

// A segment is the memory that the ranks share, as the launcher sees it. shared.go has the types of its parts.
type segment struct{ memory []byte }

// create returns a descriptor of shared memory without a name. The first rank lays it out. Before Linux 3.17, and in a sandbox that
// denies memfd_create, it is a file without a name.
func create() (fd int, err error) {
	fd, err = unix.MemfdCreate("wi4go", unix.MFD_ALLOW_SEALING|unix.MFD_CLOEXEC)
	for _, dir := range []string{"/dev/shm", os.TempDir()} {
		if err == nil {
			return fd, nil
		}
		var fileErr error
		if fd, fileErr = createFile(dir); fileErr == nil {
			return fd, nil
		}
	}
	return -1, fmt.Errorf("no shared memory for the ranks (memfd_create: %w): allow this call, or make /dev/shm or TMPDIR writable", err)
}

// createFile returns a descriptor of a new file in a directory, whose name is removed.
func createFile(dir string) (fd int, err error) {
	file, err := os.CreateTemp(dir, "wi4go-")
	if err != nil {
		return -1, err
	}
	defer file.Close()
	if err := os.Remove(file.Name()); err != nil {
		return -1, err
	}
	return unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
}

// open maps the memory without the heap if a rank has laid it out, else it returns nil.
func open(fd int) *segment {
	var first head
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&first)), unsafe.Sizeof(first))
	if n, err := unix.Pread(fd, bytes, 0); err != nil || n != len(bytes) || first.magic != magic {
		return nil
	}
	memory, err := unix.Mmap(fd, 0, int(first.bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	return &segment{memory}
}

// head returns the head of the memory.
func (s *segment) head() *head { return (*head)(unsafe.Pointer(&s.memory[0])) }

// ranks returns the number of ranks.
func (s *segment) ranks() int { return int(s.head().ranks) }

// block returns the block of a rank.
func (s *segment) block(rank int) *block {
	return (*block)(unsafe.Pointer(&s.memory[s.head().blocks+uint64(rank)*uint64(unsafe.Sizeof(block{}))]))
}

// pid returns the number of the process that has called MPI_Init as a rank, in its own container, or 0.
func (s *segment) pid(rank int) int { return int(atomic.LoadInt32(&s.block(rank).pid)) }

// started reports whether a rank has called MPI_Init, and ended whether it has called MPI_Finalize.
func (s *segment) started(rank int) bool { return s.pid(rank) != 0 }
func (s *segment) ended(rank int) bool   { return atomic.LoadInt32(&s.block(rank).ended) != 0 }

// over reports whether a rank has aborted the job, or the launcher has declared one dead.
func (s *segment) over() bool { return atomic.LoadUint32(&s.head().over) != 0 }

// declareDead informs all ranks that one has ended without MPI_Finalize: their waits return. why is killed, with the
// signal as the code, or unfinished, with the exit code.
func (s *segment) declareDead(rank int, why uint32, code int) {
	if !atomic.CompareAndSwapInt32(&s.head().overRank, 0, int32(rank+1)) {
		return // a rank has aborted the job, or another one died before
	}
	atomic.StoreInt32(&s.head().overCode, int32(code))
	atomic.StoreUint32(&s.head().over, why)
	for other := range s.ranks() {
		s.wake(other)
	}
}

// call begins a roll call: every thread that waits in MPI looks for work once more, and answers if there is none.
// It returns the number of the call.
func (s *segment) call() uint32 {
	number := atomic.AddUint32(&s.head().call, 1)
	for rank := range s.ranks() {
		s.wake(rank)
	}
	return number
}

// wake wakes a rank that sleeps.
func (s *segment) wake(rank int) {
	block := s.block(rank)
	if atomic.SwapUint32(&block.asleep, 0) == 0 {
		return
	}
	bell := &block.bell
	atomic.AddUint32(bell, 1)
	const wake, all = 1, 0x7fffffff
	unix.Syscall(unix.SYS_FUTEX, uintptr(unsafe.Pointer(bell)), wake, all) // ignore errors: no rank may sleep
}
