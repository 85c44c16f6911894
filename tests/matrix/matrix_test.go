// Package matrix runs a few of the conformance programs, one or two of each chapter of MPI, compiled for several
// versions of each MPI library, on several versions of each. `make matrix` runs all programs on all libraries.
package matrix

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
)

// The libraries that CI has.
var libraries = []string{"openmpi", "openmpi-5.0", "mpich-3.4", "mpich-5.0", "intelmpi-2021.18"}

var programs = []string{
	"p2p_completion", "p2p_persistent", "p2p_status_wait", // p2p, statuses
	"coll_blocking", "coll_nonblocking", "coll_userop", "coll_persistent",
	"type_constructors", "type_names", "attr_comm", "attr_predefined", // numbers that the runtime allocates
	"comm_split_types", "error_every_class", // constants that only one family has
	"error_return", "greq_basic", // callbacks
	"topo_cart", "rma_lock", "io_view", "large_fits",
}

func TestMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of MPI programs")
	}
	harness.All.From(t, "TestConformance runs the same programs on Debian's two libraries")
	top := filepath.Join("..", "..")
	s := suite.Suite{
		Programs: filepath.Join(top, "tests", "conformance"), Prefix: filepath.Join(top, "build"),
		Cache: filepath.Join(top, "build", "conformance"), Only: programs,
		Directions: harness.Across(libraries, libraries, true), Ranks: []int{2}, Jobs: harness.Jobs(), Timeout: 2 * time.Minute,
	}
	if dir := os.Getenv("WI4GO_PREFIX"); dir != "" {
		s.Prefix = dir
	}
	s.Directions = slices.DeleteFunc(s.Directions, func(d harness.Direction) bool { return d.From == d.To })
	if err := s.Open(); err != nil {
		harness.Missing(t, err)
	}
	passed := map[harness.Direction]int{}
	s.Run(t.Context(), func(r suite.Result) {
		assert.True(t, r.Good(), "%s %s %d: natively %s, through wi4go %s: %s", r.Program, r.Direction, r.Ranks, r.Native, r.Through, r.Detail)
		if r.Through == suite.Pass {
			passed[r.Direction]++
		}
	})
	// A run in which nearly all programs are excused shows nothing.
	for _, d := range s.Directions {
		assert.Greater(t, passed[d], len(programs)*3/4, "passed by %s", d)
	}
}
