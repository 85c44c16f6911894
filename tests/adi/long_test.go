package adi

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// long is how often a row repeats in TestLongRows.
var long = map[string]int{"A10": 10_000_000, "A11": 1_000_000, "A21": 1_000_000}

// needsNoLimit skips a test that takes ten minutes or more, unless go test has no time limit.
func needsNoLimit(t *testing.T) {
	harness.Nightly.From(t, "it takes ten minutes or more")
	if _, limited := t.Deadline(); limited {
		t.Skip("left to make long-adi, which has no time limit")
	}
}

// 10 million sleeps, and a million of freed requests and of cancelled ones.
func TestLongRows(t *testing.T) {
	needsNoLimit(t)
	for row, count := range long {
		rightWithin(t, 12*time.Hour, plain, []string{fmt.Sprintf("ADI_COUNT=%d", count)}, "rows", row)
	}
}

// slow are the settings with which a message takes much longer.
var slow = []string{"all long", "parts", "small", "naps"}

var reported = regexp.MustCompile(`(?m)^(\d+) messages, `)

// 100 million messages over the other settings, and a tenth of each one's share over these, on 1 to 8 ranks. The program
// compares the memory of its twenty parts.
func TestLongTraffic(t *testing.T) {
	needsNoLimit(t)
	const messages, most = 100_000_000, 8
	total := 0
	for name, env := range settings {
		for n := 1; n <= most; n++ {
			count := messages/(len(settings)-len(slow))/most/n + 1000
			if slices.Contains(slow, name) {
				count /= 10
			}
			if name == "small" && n > 6 {
				continue // the smallest rings of 7 ranks do not fit into 100 KB
			}
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				env := append(slices.Clone(env), fmt.Sprintf("ADI_RANKS=%d", n), fmt.Sprintf("ADI_COUNT=%d", count))
				got := rightWithin(t, 12*time.Hour, plain, env, "traffic", strconv.Itoa(100+n), "20")
				lines := reported.FindAllStringSubmatch(got.stdout, -1)
				require.Len(t, lines, 20)
				sent, err := strconv.Atoi(lines[19][1])
				require.NoError(t, err)
				total += sent
			})
		}
	}
	t.Logf("%d messages", total)
}
