package embedded

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A segment is the memory that the ranks share, as the launcher sees it.
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

// open maps the memory if a rank has laid it out, else it returns nil.
func open(fd int) *segment {
	var stat unix.Stat_t
	if unix.Fstat(fd, &stat) != nil || stat.Size == 0 {
		return nil
	}
	memory, err := unix.Mmap(fd, 0, int(stat.Size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	s := &segment{memory}
	if *(*uint64)(unsafe.Pointer(&memory[atMagic])) != magic {
		unix.Munmap(memory)
		return nil
	}
	return s
}

// word returns a word of 32 bits in the memory.
func (s *segment) word(at int) *uint32 { return (*uint32)(unsafe.Pointer(&s.memory[at])) }

// block returns the offset of a rank's block.
func (s *segment) block(rank int) int {
	return int(*(*uint64)(unsafe.Pointer(&s.memory[atBlocks]))) + rank*blockBytes
}

// pid returns the number of the process that has called MPI_Init as a rank, in its own container, or 0.
func (s *segment) pid(rank int) int {
	return int(atomic.LoadUint32(s.word(s.block(rank) + blockPid)))
}

// started reports whether a rank has called MPI_Init, and ended whether it has called MPI_Finalize.
func (s *segment) started(rank int) bool { return s.pid(rank) != 0 }
func (s *segment) ended(rank int) bool {
	return atomic.LoadUint32(s.word(s.block(rank)+blockEnded)) != 0
}

// over reports whether a rank has aborted the job, or the launcher has declared one dead.
func (s *segment) over() bool { return atomic.LoadUint32(s.word(atOver)) != 0 }

// The reasons for which a job is over.
const (
	killed     = 2 // a signal has ended a rank
	unfinished = 3 // a rank has ended without MPI_Finalize
)

// declareDead informs all ranks that one has ended without MPI_Finalize: their waits return. code is
// the signal or the exit code.
func (s *segment) declareDead(rank int, why uint32, code int) {
	if !atomic.CompareAndSwapUint32(s.word(atOverRank), 0, uint32(rank+1)) {
		return // a rank has aborted the job, or another one died before
	}
	atomic.StoreUint32(s.word(atOverCode), uint32(code))
	atomic.StoreUint32(s.word(atOver), why)
	for other := range int(*s.word(atRanks)) {
		s.wake(other)
	}
}

// call begins a roll call: every thread that waits in MPI looks for work once more, and answers if there is none.
// It returns the number of the call.
func (s *segment) call() uint32 {
	number := atomic.AddUint32(s.word(atCall), 1)
	for rank := range int(*s.word(atRanks)) {
		s.wake(rank)
	}
	return number
}

// wake wakes a rank that sleeps.
func (s *segment) wake(rank int) {
	block := s.block(rank)
	if atomic.SwapUint32(s.word(block+blockAsleep), 0) == 0 {
		return
	}
	bell := s.word(block + blockBell)
	atomic.AddUint32(bell, 1)
	const wake, all = 1, 0x7fffffff
	unix.Syscall(unix.SYS_FUTEX, uintptr(unsafe.Pointer(bell)), wake, all) // ignore errors: no rank may sleep
}
