package doctor

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPrint checks where the report is broken into lines, and what is colored.
func TestPrint(t *testing.T) {
	r := Report{Status: 2, Verdict: verdicts[2], Facts: []Fact{{Subject: "machine", Fact: "x86-64, glibc 2.36, 2 cores"}},
		Findings: []Finding{{"no-launcher", Error, "found no mpiexec for /usr/lib/x86_64-linux-gnu/libmpi.so.40", "install it"}}}
	text := func(style Style) string {
		var out strings.Builder
		r.Print(&out, style)
		return out.String()
	}
	assert.Equal(t, `machine  x86-64, glibc 2.36, 2 cores
error    found no mpiexec for /usr/lib/x86_64-linux-gnu/libmpi.so.40: install it (no-launcher)
verdict  will not work
`, text(Style{}))
	assert.Equal(t, `machine  x86-64, glibc 2.36, 2
         cores
error    found no mpiexec for
         /usr/lib/x86_64-linux-gnu/libmpi.so.40:
         install it
         (no-launcher)
verdict  will not work
`, text(Style{Width: 30}))
	assert.Equal(t, text(Style{}), text(Style{Width: 12}), "too narrow for columns")
	colored := text(Style{Color: true})
	assert.Contains(t, colored, "\x1b[31merror\x1b[0m    found")
	assert.Contains(t, colored, "\x1b[31mverdict\x1b[0m  will not work\n")
	assert.Contains(t, colored, "machine  x86", "facts have no color")
	assert.Equal(t, text(Style{}), strings.NewReplacer(red, "", plain, "").Replace(colored))
}
