package plan

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/model"
)

// Each action of a plan has a text.
func TestText(t *testing.T) {
	in := input(t)
	seen := map[string]bool{}
	for _, a := range in.Families {
		for _, r := range in.Families {
			pair := Pair{in, a, r}
			for _, slot := range model.NewSlots(in, a).List {
				if slot.Function == nil || a == r {
					continue
				}
				made, err := pair.Of(slot.Function)
				require.NoError(t, err, slot.Name)
				for _, q := range made.Arguments {
					kind := fmt.Sprintf("%T", q.Action)
					seen[kind] = true
					assert.NotEmpty(t, q.Action.text(), kind)
				}
			}
		}
	}
	assert.Greater(t, len(seen), 15)
}
