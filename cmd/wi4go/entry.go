package main

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"wi4go/internal/doctor"
)

// neededToStart is the limit on address space, in bytes, below which the Go runtime may not start.
// It reserves up to 1.5 GB, of which it uses little, and without it ends with a dump of registers.
const neededToStart = 1792 << 20

// lowAddressSpace is the message of entry, which cannot format numbers.
var lowAddressSpace = "wi4go: the limit on address space (ulimit -v) is below 1792 MB, which is too low for wi4go: raise it to 2048 MB " +
	"or more, or remove it (`ulimit -v unlimited`, or in a batch system the job's option for virtual memory)\n"

// entry is the entry point of the executable file (-E in the Makefile). It starts the Go runtime, or
// ends the process with lowAddressSpace if the limit is below neededToStart. It is in assembly,
// because no Go can run before the Go runtime has started.
func entry()

// saveAddressSpace makes this process take less address space if that is limited: each thread
// takes 8 MB for its stack, and 64 MB for a heap of its own if the C library gives it one. It
// returns an error if the limit is too low for any command but doctor, which reports it.
func saveAddressSpace(command string) error {
	limit, err := doctor.Limit(unix.RLIMIT_AS)
	if err != nil || limit == doctor.Unlimited {
		return nil
	}
	runtime.GOMAXPROCS(2)
	shareHeap()
	if limit < doctor.NeededAddressSpace && command != "doctor" {
		return fmt.Errorf("the limit on address space (ulimit -v) is %d MB, but wi4go needs %d MB: raise it, or remove it (`ulimit -v "+
			"unlimited`, or in a batch system the job's option for virtual memory)", limit>>20, doctor.NeededAddressSpace>>20)
	}
	return nil
}
