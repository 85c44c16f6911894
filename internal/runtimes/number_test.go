package runtimes

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The first constant with a version counts, also at the end of the text and after numbers that are no versions.
func TestFindNumber(t *testing.T) {
	for text, number := range map[string]string{
		"\x00a.b\x001.2.3.4\x004.0.2\x005.0.0\x00": "4.0.2",
		"\x00x 3.1\x003.4.3\x00":                   "3.4.3",
		"4.0.2\x00":                                "", // no zero before it
		"\x004.0.2":                                "",
		"\x00.\x00":                                "",
		"":                                         "",
		"\x004.1b2\x00":                            "4.1b2",
	} {
		m := findNumber(mpichNumber, []byte(text))
		found := ""
		if m != nil {
			found = string(m[1])
		}
		assert.Equal(t, number, found, "%q", text)
	}
}
