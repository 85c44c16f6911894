package embedded

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// twoRanks returns the output of two ranks to a file, and the text that is in it.
func twoRanks(t *testing.T, labels bool) (zero, one *source, text func() string) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	o := newOutput(file, labels)
	return &source{to: o, label: "[0] "}, &source{to: o, label: "[1] "}, func() string {
		content, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		return string(content)
	}
}

// full is a buffer of stdio, which ends in the middle of a line.
func full(text string) []byte {
	buffer := make([]byte, fullWrite)
	copy(buffer, text)
	for i := len(text); i < len(buffer); i++ {
		buffer[i] = 'x'
	}
	return buffer
}

func TestWholeLines(t *testing.T) {
	zero, one, text := twoRanks(t, false)
	zero.take([]byte("a\nb"))
	one.take([]byte("c\n"))
	zero.take([]byte("B\n"))
	assert.Equal(t, "a\nc\nbB\n", text())
	zero.take(full("long"))
	one.take([]byte("d"))
	one.take([]byte("D\n"))
	zero.take([]byte("end\n"))
	assert.Equal(t, "a\nc\nbB\ndD\n"+string(full("long"))+"end\n", text())
}

// A prompt is written after some time; then its rank has the output for itself. A full buffer of stdio is no prompt.
func TestPrompts(t *testing.T) {
	zero, one, text := twoRanks(t, false)
	zero.take([]byte("name? "))
	assert.NotNil(t, zero.timer)
	zero.writePrompt()
	assert.Equal(t, "name? ", text())
	assert.Same(t, zero, zero.to.owner)
	one.take([]byte("held"))
	one.writePrompt()
	assert.Equal(t, "name? ", text())
	zero.take([]byte("x\n"))
	assert.Nil(t, zero.to.owner)
	one.writePrompt()
	assert.Equal(t, "name? x\nheld", text())
	_, other, _ := twoRanks(t, false)
	other.take(full("text"))
	assert.Nil(t, other.timer)
}

// A long line is not kept in memory.
func TestLongLine(t *testing.T) {
	zero, _, text := twoRanks(t, true)
	for range 3 * mostHeld / fullWrite {
		zero.take(full(""))
		assert.LessOrEqual(t, cap(zero.held), 2*mostHeld)
	}
	assert.GreaterOrEqual(t, len(text()), 2*mostHeld)
	assert.Same(t, zero, zero.to.owner)
	zero.take([]byte("\n"))
	assert.Nil(t, zero.to.owner)
	assert.Equal(t, 1+3*mostHeld+len("[0] "), len(text()))
}

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []string // alternate between the ranks
		want  string
	}{
		{"lines", []string{"a\nb\n", "c\n"}, "[0] a\n[0] b\n[1] c\n"},
		{"parts of a line", []string{"a", "b", "A\n", "B\n"}, "[0] aA\n[1] bB\n"},
		{"empty lines", []string{"\n\n", "\n"}, "[0] \n[0] \n[1] \n"},
		{"a progress bar", []string{"1%\r", "", "2%\r", "", "3%\n"}, "[0] 1%\r[0] 2%\r[0] 3%\n"},
		{"a progress bar and a line", []string{"1%\r", "a\n", "2%\n"}, "[0] 1%\r\n[1] a\n[0] 2%\n"},
		{"lines of Windows", []string{"a\r\nb\r\n", "c\r\n"}, "[0] a\r\n[0] b\r\n[1] c\r\n"},
		{"torn by the pipe", []string{"a\r", "", "\nb\r", "", "\n"}, "[0] a\r\n[0] b\r\n"},
	} {
		zero, one, text := twoRanks(t, true)
		for i, part := range c.parts {
			if part != "" {
				[]*source{zero, one}[i%2].take([]byte(part))
			}
		}
		assert.Equal(t, c.want, text(), c.name)
	}
}

// The rest of a line that was interrupted has a label of its own.
func TestInterrupted(t *testing.T) {
	zero, one, text := twoRanks(t, true)
	zero.take([]byte("name? "))
	zero.writePrompt()
	zero.free = true // the time is over
	zero.disown()
	one.take([]byte("line\n"))
	zero.take([]byte("x\n"))
	assert.Equal(t, "[0] name? \n[1] line\n[0] x\n", text())
}
