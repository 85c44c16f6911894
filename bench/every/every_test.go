package every

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/model"
)

// input returns the tables of the generator.
func input(t *testing.T) *model.Input {
	t.Helper()
	var texts [2][]byte
	for i, name := range []string{"funcs.json", "mappers.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		require.NoError(t, err)
		texts[i] = text
	}
	in, err := model.Load(texts[0], texts[1])
	require.NoError(t, err)
	return in
}

// Every function that a front exports has a row, or a reason for which it has none.
func TestEveryFunction(t *testing.T) {
	in := input(t)
	for _, family := range in.Families {
		rows, err := Rows(in, family)
		require.NoError(t, err)
		found := map[string]int{}
		names := map[string]bool{}
		for _, r := range rows {
			assert.False(t, names[r.Name], "%s: %s has two rows", family.Family, r.Name)
			names[r.Name] = true
			if !r.starts {
				found[r.Function.Name]++
			}
		}
		for _, slot := range model.NewSlots(in, family).List {
			if slot.Function != nil && slot.Exported {
				assert.Equal(t, 1, found[slot.Name], "%s: %s", family.Family, slot.Name)
			}
		}
		assert.Greater(t, len(rows), 700, family.Family)
	}
}

// Every entry of rows.json applies to a function, and names parameters of functions that it applies to.
func TestEntries(t *testing.T) {
	in := input(t)
	table, err := load()
	require.NoError(t, err)
	for _, e := range append(table.Functions, table.Starts...) {
		for pattern := range strings.FieldsSeq(e.Match) {
			parameters := map[string]bool{}
			one := preparation{Match: pattern}
			for i := range in.Functions {
				if f := &in.Functions[i]; one.matches(f) {
					parameters[""] = true
					for _, q := range f.Params {
						parameters[q.Name] = true
					}
				}
			}
			assert.NotEmpty(t, parameters, "%s matches no function", pattern)
		}
		for name := range e.Arguments {
			assert.True(t, e.hasParameter(in, name), "%s: no function has the parameter %s", e.Match, name)
		}
	}
}

// hasParameter reports whether a function that the entry applies to has a parameter.
func (e *preparation) hasParameter(in *model.Input, name string) bool {
	for i := range in.Functions {
		f := &in.Functions[i]
		for _, q := range f.Params {
			if q.Name == name && e.matches(f) {
				return true
			}
		}
	}
	return false
}

// Every argument of a row that is timed has a value.
func TestArguments(t *testing.T) {
	in := input(t)
	table, err := load()
	require.NoError(t, err)
	for _, family := range in.Families {
		rows, err := Rows(in, family)
		require.NoError(t, err)
		for _, r := range rows {
			for _, q := range r.Function.Params {
				if r.Untimed == "" && q.Dir == "in" && q.Role != "VARARGS" {
					assert.NotEmpty(t, table.expression(&r, &q), "%s: %s", r.Name, q.Name)
				}
			}
		}
	}
}

// The rows of every family are C.
func TestPrint(t *testing.T) {
	in := input(t)
	for _, family := range in.Families {
		header, err := filepath.Abs(filepath.Join("..", "..", "build", "gen", family.Family, "mpi.h"))
		require.NoError(t, err)
		if _, err := os.Stat(header); err != nil {
			t.Skip("run make first")
		}
		rows, err := Rows(in, family)
		require.NoError(t, err)
		text, err := Print(rows)
		require.NoError(t, err)
		assert.Contains(t, text, "code = call(buf, count, datatype, dest, tag, comm, request); if (code == MPI_SUCCESS) code = MPI_Wait(request, MPI_STATUS_IGNORE)")
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.h"), []byte(text), 0o644))
		out, err := exec.Command("gcc", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-I"+dir, "-I"+filepath.Dir(header),
			fmt.Sprintf("-DMPI_H=%q", header), filepath.Join("..", "calls", "every.c")).CombinedOutput()
		assert.NoError(t, err, "%s: %s", family.Family, out)
	}
}
