package harness

import (
	"fmt"
	"os"
	"slices"
)

// Tier is how much of the tests runs. Each tier runs what the tiers before it run.
type Tier int

const (
	Test    Tier = iota // what every change needs: `make test`
	All                 // what CI runs: `make test-all`, and `go test` by hand
	Nightly             // what takes long: `make nightly`
)

var tiers = []string{"test", "all", "nightly"}

func (tier Tier) String() string { return tiers[tier] }

// running returns the tier that runs: WI4GO_TIER's, or All.
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

// Runs reports whether the tier is part of what runs. A test that does less without it
// gives the reason beside the call.
func (tier Tier) Runs() bool { return running() >= tier }

// From skips a test that is not in the tiers before this one, with the reason.
func (tier Tier) From(t interface {
	Helper()
	Skip(...any)
}, reason string) {
	t.Helper()
	if !tier.Runs() {
		t.Skip(fmt.Sprintf("left to WI4GO_TIER=%s: %s", tier, reason))
	}
}
