package fake

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// atWork are the functions for which a front does something over its own family, too, with the reason.
var atWork = map[string]string{
	"MPI_Init":                   "a world that comes of a wrong launcher is looked for",
	"MPI_Init_thread":            "the same",
	"MPI_Session_init":           "the same",
	"MPI_Get_library_version":    "names the program's own library first",
	"MPI_Add_error_class":        "keeps what the program has added, for queries after MPI_Finalize",
	"MPI_Add_error_code":         "the same",
	"MPI_Add_error_string":       "the same",
	"MPI_Remove_error_class":     "the same",
	"MPI_Remove_error_code":      "the same",
	"MPI_Remove_error_string":    "the same",
	"MPI_Finalize":               "reads the clock, so that it can go on",
	"MPI_Session_finalize":       "the same",
	"MPI_Comm_spawn":             "hands the front on",
	"MPI_Comm_spawn_multiple":    "the same",
	"MPI_Op_create":              "a C++ callback may come in between: tests/cxx",
	"MPI_Errhandler_create":      "the same",
	"MPI_Comm_create_errhandler": "the same",
	"MPI_Win_create_errhandler":  "the same",
	"MPI_File_create_errhandler": "the same",
}

// Over its own family a front passes on every argument of every function and every output of the runtime unchanged:
// handles, pointers and arbitrary bits alike.
func TestIdentity(t *testing.T) {
	for _, family := range []string{"openmpi", "mpich"} {
		t.Run(family, func(t *testing.T) {
			s := start(t, fronts(t), family, family)
			covered := 0
			for _, name := range s.functions {
				if atWork[name] != "" || returnsDouble(name) {
					continue
				}
				covered++
				s.function = s.number[name]
				for i := range s.words {
					s.words[i] = 0x0123456700000000 + int64(covered)<<8 + int64(i) + 1
				}
				returned := int64(0x5eed0000 + covered)
				s.scripts[0] = script{function: s.function + 1, returns: returned}
				if err := s.step(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if assert.EqualValues(t, 1, s.nRecords, name) {
					assert.Equal(t, s.function, s.records[0].function, name)
					assert.Equal(t, s.words, s.records[0].words, name)
				}
				assert.Equal(t, returned, s.returned, name)
			}
			assert.Greater(t, covered, 400)
		})
	}
}

// The version that a program gets over a library of its own family: if it is known, the version of the library that the
// program was built with. Otherwise, the library's own text, byte for byte, as natively.
func TestVersionWithinFamily(t *testing.T) {
	const own = "Some MPI 4.0.2\tof the family\n"
	for built, want := range map[string]string{"": own, "mpich@3.4.3": "MPICH Version:      3.4.3\nwi4go on:           Some MPI 4.0.2 of the family"} {
		x := newTester(t, "mpich", "mpich", "WI4GO_FROM_VERSION="+built)
		x.function = x.number["MPI_Get_library_version"]
		s := &x.scripts[0]
		*s = script{function: x.function + 1}
		s.arguments[0].give = int64(copy(s.arguments[0].bytes[:], own+"\x00"))
		s.arguments[1].give = int64(copy(s.arguments[1].bytes[:], encode(int64(len(own)), 4)))
		x.words[0], x.words[1] = x.a.address["arena"], x.store(0, nil)
		require.NoError(t, x.step())
		text, _, _ := strings.Cut(string(x.arena[0][:]), "\x00")
		assert.Equal(t, want, text)
		assert.Equal(t, len(want), int(le(x.arena[maxArgs-1][:4])))
	}
}
