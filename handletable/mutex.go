//go:build !wi4go_debug

package handletable

import "sync"

// Mutex guards what the Go side keeps. With the build tag wi4go_debug, which the
// tests set, it is go-deadlock's: a wrong order of locks ends the process with
// both stacks.
type Mutex = sync.Mutex
