package meaning

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/gentest"
	"wi4go/gen/model"
)

// printer prints the compiled table, one line for each slot.
const printer = `#include "meaning.h"
#include <stdio.h>
int main(void)
{
    for (unsigned i = 0; i < wi4go_meaning_slots; i++) {
        const struct wi4go_meanings *m = &wi4go_meanings[i];
        printf("%s", m->name);
        for (int k = 0; k < m->n; k++)
            printf(" %d:%d%s%s", m->argument[k] & MEANING, (m->argument[k] & MEANS_LIST) != 0, m->argument[k] & MEANS_IN ? "in" : "",
                   m->argument[k] & MEANS_OUT ? "out" : "");
        printf("\n");
    }
    return 0;
}
`

// row is a function in funcs.json.
type row struct {
	Name   string
	Params []struct{ Name, Type, Role, Dir string }
}

// expected returns the meaning of a parameter by its C type if it is a handle or a status, else by its role.
func expected(typ, role string) string {
	base := strings.TrimSuffix(strings.TrimPrefix(typ, "const "), " *")
	switch {
	case base == "MPI_Comm":
		return "COMMUNICATOR"
	case base == "MPI_Datatype":
		return "DATATYPE"
	case base == "MPI_Request":
		return "REQUEST"
	case base == "MPI_Status":
		return "STATUS"
	case role == "RANK":
		return "PEER"
	case role == "TAG":
		return "TAG"
	case role == "COUNT" || role == "COUNTS":
		return "COUNT"
	case role == "LOGICAL":
		return "FLAG"
	}
	return "OTHER"
}

// The compiled table has every function of funcs.json with each of its arguments, in the order of the slots. It has no
// arguments for a library's own functions.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../../funcs.json")
	require.NoError(t, err)
	var rows []row
	require.NoError(t, json.Unmarshal(text, &rows))
	functions := map[string]row{}
	for _, r := range rows {
		functions[r.Name] = r
	}
	in := gentest.Input(t)
	for _, f := range in.Families {
		t.Run(f.Family, func(t *testing.T) {
			slots := model.NewSlots(in, f)
			lines := compiled(t, slots)
			require.Len(t, lines, len(slots.List))
			seen := 0
			for i, line := range lines {
				words := strings.Fields(line)
				assert.Equal(t, slots.List[i].Name, words[0])
				function, known := functions[words[0]]
				if known {
					seen++
				}
				require.Len(t, words[1:], len(function.Params), words[0])
				for k, p := range function.Params {
					code, rest, _ := strings.Cut(words[1+k], ":")
					meaning, err := strconv.Atoi(code)
					require.NoError(t, err)
					assert.Equal(t, expected(p.Type, p.Role), model.Meanings[meaning], "%s, %s", words[0], p.Name)
					assert.Equal(t, p.Dir, rest[1:], "%s, %s", words[0], p.Name)
					if rest[0] == '1' {
						assert.True(t, strings.HasSuffix(p.Type, "*") || strings.HasSuffix(p.Type, "]"), "%s, %s is an array", words[0], p.Name)
					}
				}
			}
			assert.Equal(t, len(functions), seen)
		})
	}
}

// Arrays of requests, statuses, datatypes and counts have their own meanings.
func TestLists(t *testing.T) {
	in := gentest.Input(t)
	text := string(table(model.NewSlots(in, in.Families[0])))
	const list = " | MEANS_LIST | "
	for _, row := range []string{
		`{"MPI_Waitall", 3, {MEANS_COUNT | MEANS_IN, MEANS_REQUEST` + list + `MEANS_IN | MEANS_OUT, MEANS_STATUS` + list + `MEANS_OUT}}`,
		`{"MPI_Wait", 2, {MEANS_REQUEST | MEANS_IN | MEANS_OUT, MEANS_STATUS | MEANS_OUT}}`,
		`{"MPI_Send", 6, {MEANS_OTHER | MEANS_IN, MEANS_COUNT | MEANS_IN, MEANS_DATATYPE | MEANS_IN, MEANS_PEER | MEANS_IN, MEANS_TAG | MEANS_IN, MEANS_COMMUNICATOR | MEANS_IN}}`,
		`{"MPI_Test", 3, {MEANS_REQUEST | MEANS_IN | MEANS_OUT, MEANS_FLAG | MEANS_OUT, MEANS_STATUS | MEANS_OUT}}`,
	} {
		assert.Contains(t, text, row)
	}
}

// compiled compiles the table, and returns the lines that printer prints.
func compiled(t *testing.T, slots *model.Slots) []string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range Files(slots) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(f.Name)), f.Text, 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "printer.c"), []byte(printer), 0o666))
	program := filepath.Join(dir, "printer")
	out, err := exec.Command("gcc", "-Wall", "-Wextra", "-Werror", "-o", program, filepath.Join(dir, "printer.c"), filepath.Join(dir, "meaning.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(program).Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
