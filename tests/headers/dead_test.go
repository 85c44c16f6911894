package headers

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/fortran"
	"wi4go/gen/gentest"
)

var (
	word        = regexp.MustCompile(`\w+`)
	defined     = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)|^[a-z][\w \t*]*?\b(\w+)\([^;{}]*\)\s*\{`)
	pasted      = regexp.MustCompile(`(\w*)##(\w+)(?:##(\w+))?`)
	includeOnce = regexp.MustCompile(`(?m)^#ifndef (\w+)\n#define (\w+)$`)
)

// Every macro and function in the C of fronts is used: its name occurs elsewhere in the C, handwritten or generated, or
// is composed there.
func TestNothingDead(t *testing.T) {
	texts, _ := generated(t)
	var ours []header
	for _, pattern := range []string{"*.h", "*.c", "*.S"} {
		for _, folder := range folders {
			if files := find(t, pattern, folder); len(files) > 0 {
				ours = append(ours, files...)
			}
		}
	}
	uses := map[string]int{}
	var begins, ends []string // of composed names
	note := func(text string) {
		for _, w := range word.FindAllString(text, -1) {
			uses[w]++
		}
		for _, m := range pasted.FindAllStringSubmatch(text, -1) {
			begins = append(begins, m[1])
			ends = append(ends, m[2], m[3])
		}
	}
	for _, h := range ours {
		note(includeOnce.ReplaceAllString(h.text, ""))
	}
	for _, text := range texts {
		note(text)
	}
	mpifort, err := fortran.Interface(gentest.Input(t))
	require.NoError(t, err)
	for _, f := range mpifort {
		note(string(f.Text))
	}
	isPart := func(parts []string, has func(string) bool) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(part, "_") && has(part) })
	}
	n := 0
	for _, h := range ours {
		for _, m := range defined.FindAllStringSubmatch(includeOnce.ReplaceAllString(h.text, ""), -1) {
			name := m[1] + m[2]
			n++
			if uses[name] > 1 || exportedByName[name] ||
				isPart(begins, func(part string) bool { return strings.HasPrefix(name, part) }) ||
				isPart(ends, func(part string) bool { return strings.HasSuffix(name, part) }) {
				continue
			}
			assert.Fail(t, "dead", "%s: nothing uses %s: remove it", h.path, name)
		}
	}
	assert.Greater(t, n, 1000, "the number of checked names")
}

// exportedByName are functions that others call only by their names.
var exportedByName = map[string]bool{
	"mpi_op_create_c_": true, // MPICH's module of mpi_f08
}
