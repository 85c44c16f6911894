package wrap

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLines(t *testing.T) {
	assert.Equal(t, []string{"one two", "three"}, Lines("one two three", 8))
	assert.Equal(t, []string{"a", "/long/path", "b"}, Lines("a /long/path b", 4), "a word stays whole")
	assert.Equal(t, []string{"é é", "é"}, Lines("é é é", 3), "columns, not bytes")
	assert.Equal(t, []string{""}, Lines("", 10))
}
