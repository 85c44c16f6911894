//go:build wi4go_debug

package handletable

import "github.com/sasha-s/go-deadlock"

// Mutex guards what the Go side keeps: go-deadlock's in this build.
type Mutex = deadlock.Mutex
