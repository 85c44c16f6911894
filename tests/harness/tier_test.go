package harness

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTiers(t *testing.T) {
	for _, c := range []struct {
		set  string
		runs []bool
	}{
		{"test", []bool{true, false, false}}, {"all", []bool{true, true, false}}, {"", []bool{true, true, false}}, {"nightly", []bool{true, true, true}},
	} {
		t.Setenv("WI4GO_TIER", c.set)
		assert.Equal(t, c.runs, []bool{Test.Runs(), All.Runs(), Nightly.Runs()}, "%q", c.set)
	}
	t.Setenv("WI4GO_TIER", "some")
	assert.PanicsWithValue(t, "WI4GO_TIER=some: unknown tier: set it to one of [test all nightly]", func() { Test.Runs() })
	t.Setenv("WI4GO_TIER", "all")
	t.Run("skipped", func(t *testing.T) {
		Nightly.From(t, "it is not in this tier")
		t.Error("a test of a later tier runs")
	})
	ran := false
	t.Run("not skipped", func(t *testing.T) {
		All.From(t, "it is in this tier")
		ran = true
	})
	assert.True(t, ran)
}
