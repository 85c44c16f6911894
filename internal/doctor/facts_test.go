package doctor

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/launch"
)

// detailsIn returns the details of the first fact about a subject in the JSON of a report.
func detailsIn(t *testing.T, r Report, subject string) map[string]any {
	t.Helper()
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var got struct {
		Facts []struct {
			Subject string
			Details map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(text, &got))
	for _, f := range got.Facts {
		if f.Subject == subject {
			return f.Details
		}
	}
	require.Fail(t, "no fact", subject)
	return nil
}

// Each fact in JSON has its parts as values of their own.
func TestDetails(t *testing.T) {
	w := newWorld(t)
	q := w.onMPICH()
	q.Trial = true
	r := w.examine(q)
	for _, f := range r.Facts {
		assert.IsType(t, detailsOf[f.Subject], f.Details, f.Subject)
	}
	assert.Equal(t, map[string]any{"way": "translated", "from": "openmpi", "library": w.mpich}, detailsIn(t, r, "run"))
	runtime := detailsIn(t, r, "runtime")
	assert.Equal(t, w.mpich, runtime["library"])
	assert.Equal(t, "mpich", runtime["family"])
	assert.NotEmpty(t, runtime["launcher"])
	program := detailsIn(t, r, "program")
	assert.Equal(t, w.openApp, program["path"])
	assert.Equal(t, "openmpi", program["family"])
	assert.Equal(t, []any{}, program["opened"], "an empty list is no null")
	machine := detailsIn(t, r, "machine")
	assert.Equal(t, float64(w.shm), machine["shm_bytes"])
	assert.Positive(t, machine["cores"])
	trial := detailsIn(t, r, "trial")
	assert.Equal(t, 2.0, trial["ranks"])
	assert.Equal(t, []any{}, trial["hosts"])

	w.env["WI4GO_TO"] = "mpich"
	q.To = ""
	r = w.examine(q)
	assert.Equal(t, map[string]any{"name": "WI4GO_TO", "value": "mpich", "origin": "environment"}, detailsIn(t, r, "setting"))
	assert.Equal(t, settingDetails{"to", "mpich", "/etc/f", `to = "mpich" in /etc/f`}, settingIn("/etc/f", `to = "mpich"`))
	assert.Equal(t, `["a", "b"]`, settingIn("/etc/f", `search = ["a", "b"]`).Value)
}

// Every way of running a program has a name.
func TestWays(t *testing.T) {
	for way := launch.Undecided; way <= launch.Translated; way++ {
		assert.NotEmpty(t, ways[way])
	}
}

// The manual lists the subjects and the keys of their details.
func TestDetailsInManual(t *testing.T) {
	text, err := os.ReadFile("../../docs/checking.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| subject | keys of `details` |\n|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	documented := map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		keys, _, _ := strings.Cut(regexp.MustCompile(` \([^)]*\)`).ReplaceAllString(cells[2], ""), ",")
		documented[strings.Trim(cells[1], " `")] = strings.Fields(strings.ReplaceAll(keys, "`", ""))
	}
	written := map[string][]string{}
	for subject, details := range detailsOf {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(details)) {
			if key := field.Tag.Get("json"); key != "" {
				written[subject] = append(written[subject], key)
			}
		}
	}
	assert.Equal(t, written, documented)
}
