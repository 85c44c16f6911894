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

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"":                             nil,
		" gcc  -m64\t-g ":              {"gcc", "-m64", "-g"},
		`gcc -DX='a b' "-DY=\"c\" \d"`: {"gcc", "-DX=a b", `-DY="c" \d`},
		`a\ b '' ""`:                   {"a b", "", ""},
	} {
		got, err := Split(line)
		assert.NoError(t, err)
		assert.Equal(t, want, got, line)
	}
	for _, line := range []string{`gcc "-g`, `gcc '`, `gcc \`} {
		_, err := Split(line)
		assert.EqualError(t, err, "a quote is not closed, or a backslash is the last character", line)
	}
}
