//go:build wi4go_static

package main

// shareHeap does nothing, because a static command (`make static-musl`) has no C library and no heap of it.
func shareHeap() {}
