package harness

import (
	"fmt"
	"os"
	"slices"
)

// Tier is a set of tests. Each tier includes the tiers before it.
type Tier int

const (
	Test    Tier = iota // the tests that every change needs: `make test`
	All                 // the tests that CI runs: `make test-all`, and `go test` by hand
	Nightly             // the tests that take long: `make nightly`
)

var tiers = []string{"test", "all", "nightly"}

func (tier Tier) String() string { return tiers[tier] }

// running returns the current tier: WI4GO_TIER's, or All.
func running() Tier {
	name := os.Getenv("WI4GO_TIER")
	if name == "" {
		return All
	}
	i := slices.Index(tiers, name)
	if i < 0 {
		panic(fmt.Sprintf("WI4GO_TIER=%s: unknown tier: set it to one of %v", name, tiers))
	}
	return Tier(i)
}

// Runs reports whether the current tier includes this one. A test that does less without it has the reason next to the
// call.
func (tier Tier) Runs() bool { return running() >= tier }

// Alone skips a test of the kernel's scheduling, unless `make alone` runs it, which starts nothing else: other work on
// the cores would decide the result.
func Alone(t interface {
	Helper()
	Skip(...any)
}) {
	t.Helper()
	if os.Getenv("WI4GO_ALONE") == "" {
		t.Skip("left to make alone: other work on the cores would decide it")
	}
}

// From skips a test that the tiers before this one do not run, with the reason.
func (tier Tier) From(t interface {
	Helper()
	Skip(...any)
}, reason string) {
	t.Helper()
	if !tier.Runs() {
		t.Skip(fmt.Sprintf("left to WI4GO_TIER=%s: %s", tier, reason))
	}
}
