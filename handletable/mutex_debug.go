//go:build wi4go_debug

package handletable

import "github.com/sasha-s/go-deadlock"

// Mutex guards the state of the Go side. In this build it is go-deadlock's mutex.
type Mutex = deadlock.Mutex
