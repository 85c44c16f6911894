package embedded

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	j, err := Parse([]string{"-np", "2", "-genv", "A", "1", "-l", "-timeout", "1.5", "--bind=core", "./app", "-n", "7", ":", "-n", "3", "-env", "B", "2", "-wdir", "/tmp", "other"}, []string{"C=3"})
	require.NoError(t, err)
	assert.Equal(t, 5, j.Ranks())
	assert.Equal(t, []Program{{Ranks: 2, Argv: []string{"./app", "-n", "7"}}, {Ranks: 3, Argv: []string{"other"}, Dir: "/tmp", Environ: []string{"B=2"}}}, j.Programs)
	assert.Equal(t, []string{"C=3", "A=1"}, j.Environ)
	assert.Equal(t, 1500*time.Millisecond, j.Limit)
	assert.True(t, j.Labels)
	assert.Equal(t, "core", j.Bind)
}

// A variable may be one word, as for Hydra.
func TestParsePairs(t *testing.T) {
	j, err := Parse([]string{"-genv", "A=1", "--genv=B=2=3", "-env", "C=", "./app"}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"A=1", "B=2=3"}, j.Environ)
	assert.Equal(t, []Program{{Ranks: 1, Argv: []string{"./app"}, Environ: []string{"C="}}}, j.Programs)
}

// An option that asks for a text ends the command line.
func TestParseInquiries(t *testing.T) {
	for line, asked := range map[string]Inquiry{
		"--version": Version, "-version": Version, "-V": Version, "-info": Version, "-n 2 --version ./app": Version,
		"--help": Help, "-help": Help, "-h": Help, "-h --version": Help,
		"./app --version": "", "./app : -n 2 -h": Help,
	} {
		j, err := Parse(strings.Fields(line), nil)
		require.NoError(t, err, line)
		assert.Equal(t, asked, j.Asked, line)
	}
}

func TestParseRefuses(t *testing.T) {
	for message, words := range map[string][]string{
		"no program given":                      {},
		"no program given: name":                {"-n", "2"},
		"-n 0: give the number of ranks":        {"-n", "0", "a"},
		"-n x: give the number of ranks":        {"-n", "x", "a"},
		"give a name and a value, as in -genv":  {"--genv=A", "a"},
		"-n needs 1 values":                     {"-n"},
		"has no option --mca":                   {"--mca", "btl", "self", "a"},
		"-bind socket: give core or none":       {"-bind", "socket", "a"},
		"-timeout -1: give a number of seconds": {"-timeout", "-1", "a"},
		"-hang-report x: give keep or end":      {"-hang-report", "x", "a"},
		"1025 ranks are more than":              {"-n", "1025", "a"},
	} {
		_, err := Parse(words, nil)
		assert.ErrorContains(t, err, message)
	}
}
