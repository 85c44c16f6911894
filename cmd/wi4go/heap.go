//go:build !wi4go_static

package main

import "github.com/ebitengine/purego"

// shareHeap makes the C library use one heap for all threads.
func shareHeap() {
	const ownHeaps = -8                                                           // M_ARENA_MAX (mallopt(3))
	if mallopt, err := purego.Dlsym(purego.RTLD_DEFAULT, "mallopt"); err == nil { // other C libraries have no such heaps
		parameter := ownHeaps
		purego.SyscallN(mallopt, uintptr(parameter), 1)
	}
}
