//go:build !wi4go_debug

package handletable

import "sync"

// Mutex guards the state of the Go side. With the build tag wi4go_debug, which the tests set,
// it is go-deadlock's mutex: a wrong order of locks then ends the process and prints both
// stacks.
type Mutex = sync.Mutex
