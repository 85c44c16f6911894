package shell

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"": "''", "a": "a", "--mca=b": "--mca=b", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "*": "'*'",
	} {
		assert.Equal(t, want, Quote(word))
	}
	assert.Equal(t, "env 'A=b c' ./app", Join("env", "A=b c", "./app"))
}
