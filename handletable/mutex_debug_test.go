//go:build wi4go_debug

package handletable

import (
	"io"
	"testing"

	"github.com/sasha-s/go-deadlock"
	"github.com/stretchr/testify/assert"
)

// The debug build reports two locks that are taken in both orders.
func TestMutexWatchesOrder(t *testing.T) {
	saved := deadlock.Opts
	defer func() { deadlock.Opts = saved }()
	reports := 0
	deadlock.Opts.OnPotentialDeadlock = func() { reports++ }
	deadlock.Opts.LogBuf = io.Discard
	var a, b Mutex
	for _, order := range [][2]*Mutex{{&a, &b}, {&b, &a}} {
		order[0].Lock()
		order[1].Lock()
		order[1].Unlock()
		order[0].Unlock()
	}
	assert.Equal(t, 1, reports)
}
