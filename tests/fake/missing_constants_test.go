package fake

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

// noArguments are the constants that no function of the standard has as an argument, with the reason.
var noArguments = map[string]string{
	"MPI_MAX_*":                   "sizes of strings: TestStrings",
	"MPI_VERSION":                 "of mpi.h",
	"MPI_SUBVERSION":              "the same",
	"MPI_ABI_VERSION":             "the same",
	"MPI_ABI_SUBVERSION":          "the same",
	"MPI_F_*":                     "places in Fortran's statuses: TestFortranStatuses",
	"MPI_BSEND_OVERHEAD":          "a size",
	"MPI_ERR_LASTCODE":            "no class, but the end of them",
	"MPI_ATTR_PREDEFINED_KEY_MAX": "no keyval, but the end of them",
	"MPI_WIN_FLAVOR_*":            "behind a keyval: TestAttributes",
	"MPI_WIN_SEPARATE":            "the same",
	"MPI_WIN_UNIFIED":             "the same",
	"MPIX_CUDA_AWARE_SUPPORT":     "for the preprocessor",
	"MPIX_ROCM_AWARE_SUPPORT":     "the same",
	"MPIX_GPU_SUPPORT_*":          "of an extension, whose function asks by whichever name the library has: TestGPUQueries",
	"MPIX_ASYNC_*":                "of an extension that is not translated",
}

// selects reports whether a row of names, some of which end in *, includes the name.
func selects(row []string, name string) bool {
	return slices.ContainsFunc(row, func(pattern string) bool {
		prefix, open := strings.CutSuffix(pattern, "*")
		return name == pattern || open && strings.HasPrefix(name, prefix)
	})
}

// Every constant of every family is tested as an argument, or is in noArguments.
func TestEveryConstantHasARole(t *testing.T) {
	rows := [][]string{sorted(noArguments)}
	for _, row := range constants {
		rows = append(rows, row)
	}
	for _, name := range abi.Names() {
		family, err := abi.Load(name)
		require.NoError(t, err)
		for constant := range family.Constants {
			assert.True(t, slices.ContainsFunc(rows, func(row []string) bool { return selects(row, constant) }),
				"%s of %s: give it a row in constants (kinds_test.go) or in noArguments", constant, name)
		}
	}
}

// toRuntime is the treatment of constants that the runtime's family lacks: the error class with
// which the call is refused, or the runtime's constant that it gets; "itself": the front answers.
var toRuntime = map[string]string{
	"MPIX_TYPECLASS_LOGICAL":    "MPI_ERR_ARG",
	"MPI*_T_PVAR_CLASS_INVALID": "MPI_T_ERR_INVALID_NAME",
	"MPI_FT":                    "MPI_KEYVAL_INVALID",
	"MPIX_FT":                   "MPI_KEYVAL_INVALID",
	"IMPI_*":                    "MPI_KEYVAL_INVALID",
	"MPI_ERR_*":                 "itself",
	"MPIX_ERR_*":                "itself",
}

// toProgram is the value that the program gets for a constant that its family lacks.
var toProgram = map[string]string{
	"MPI_COMBINER_*_INTEGER":    "MPI_COMBINER_NAMED",
	"MPI*_T_BIND_INVALID":       "MPI_T_BIND_NO_OBJECT",
	"MPI*_T_SCOPE_INVALID":      "MPI_T_SCOPE_READONLY",
	"MPI*_T_VERBOSITY_INVALID":  "MPI_T_VERBOSITY_MPIDEV_ALL",
	"MPI*_T_PVAR_CLASS_INVALID": "MPI_T_PVAR_CLASS_GENERIC",
	"MPI_ERR_*":                 "MPI_ERR_OTHER",
	"MPIX_ERR_*":                "MPI_ERR_OTHER",
}

// passedOn are the arguments that may be any integer, with the reason.
var passedOn = map[string]string{
	"MPI_Comm_call_errhandler.errorcode":    "for the program's error handler, which is to get the same",
	"MPI_Win_call_errhandler.errorcode":     "the same",
	"MPI_File_call_errhandler.errorcode":    "the same",
	"MPI_Session_call_errhandler.errorcode": "the same",
	"MPI_Add_error_string.errorcode":        "of a code that the program has added, as the next four",
	"MPI_Remove_error_code.errorcode":       "the same",
	"MPI_Remove_error_string.errorcode":     "the same",
	"MPI_Remove_error_class.errorclass":     "the same",
	"MPI_Add_error_code.errorcode":          "the same",
	"MPI_Add_error_class.errorclass":        "the same",
	"MPI_Comm_create_keyval.comm_keyval":    "a keyval that the runtime has made: TestNumbers",
	"MPI_Type_create_keyval.type_keyval":    "the same",
	"MPI_Win_create_keyval.win_keyval":      "the same",
	"MPI_Keyval_create.keyval":              "the same",
}

// row returns a table's entry for a constant. A key may have a * anywhere.
func row(table map[string]string, constant string) string {
	for pattern, other := range table {
		begin, end, open := strings.Cut(pattern, "*")
		if constant == pattern || open && strings.HasPrefix(constant, begin) && strings.HasSuffix(constant, end) {
			return other
		}
	}
	return ""
}

// lacking returns the names in a row that one side has a value for and the other lacks.
func lacking(names []string, one, other *side) (list []string) {
	shared := map[int64]bool{}
	for _, name := range names {
		v, here := one.value(name)
		if _, there := other.value(name); here && there {
			shared[v] = true
		}
	}
	for _, name := range names {
		if v, here := one.value(name); here && !shared[v] {
			list = append(list, name)
		}
	}
	return list
}

// reached returns the last record of the function in the runtime, or nil.
func (t *tester) reached(f *function) *record {
	if successor, ok := successors[f.Name]; ok {
		return t.last(successor)
	}
	return t.last(f.Name)
}

// A constant that the other family lacks never arrives as a number, which may be another
// constant's: it is translated to its meaning, or the call is refused.
func TestLackedConstants(t *testing.T) {
	var checked atomic.Int64 // of all pairs
	t.Cleanup(func() { assert.Positive(t, checked.Load()) })
	forEachPair(t, func(t *testing.T, x *tester) {
		for _, f := range x.regular(t) {
			for i := range f.Params {
				p := &f.Params[i]
				names := x.named(constants[kindOf(f, p)])
				if handleKinds[p.Kind] != "" || bits[p.Kind] || passedOn[f.Name+"."+p.Name] != "" || p.elements() != 1 {
					continue
				}
				if p.Dir != "out" {
					for _, name := range lacking(names, x.a, x.r) {
						checked.Add(1)
						assert.NoError(t, x.lackedIn(f, i, name), "%s of %s.%s", name, f.Name, p.Name)
					}
				}
				if p.Dir == "out" && p.pointer() {
					for _, name := range lacking(names, x.r, x.a) {
						checked.Add(1)
						assert.NoError(t, x.lackedOut(f, i, name), "%s of %s.%s", name, f.Name, p.Name)
					}
				}
			}
		}
	})
}

// lackedIn calls a function with a constant that the runtime's family lacks.
func (t *tester) lackedIn(f *function, i int, name string) error {
	a, _ := t.a.value(name)
	becomes := row(toRuntime, name)
	arguments := t.arguments(f)
	arguments[i] = sample{label: name, a: encode(a, 4)}
	if f.Params[i].pointer() { // a variable: the call checks the value that arrives
		r, ok := t.r.value(becomes)
		if !ok {
			return fmt.Errorf("add its treatment to toRuntime")
		}
		arguments[i] = sample{label: name, size: 4, a: encode(a, 4), r: encode(r, 4)}
		return t.call(f, arguments, 0)
	}
	_ = t.call(f, arguments, 0) // reports that nothing has arrived
	got := t.reached(f)
	switch r, constant := t.r.value(becomes); {
	case becomes == "":
		return fmt.Errorf("add its treatment to toRuntime")
	case becomes == "itself" && f.Name == "MPI_Add_error_code":
		r, _ = t.r.value("MPI_ERR_OTHER")
		if got == nil || int64(int32(got.words[i])) != r {
			return fmt.Errorf("it is not MPI_ERR_OTHER for the runtime")
		}
	case becomes == "itself":
		if got != nil || t.returned != 0 {
			return fmt.Errorf("the front does not answer: %d", t.returned)
		}
		if f.Name == "MPI_Error_class" && int64(int32(le(t.arena[1][:4]))) != a {
			return fmt.Errorf("its class is %d", int32(le(t.arena[1][:4])))
		}
	case !selects([]string{"MPI_ERR_*", "MPI_T_ERR_*"}, becomes) && constant:
		if got != nil && int64(int32(got.words[i])) != r || got == nil && (t.returned != 0 || !strings.HasSuffix(strings.ToLower(f.Name), "attr_get") && f.Name != "MPI_Comm_get_attr") {
			return fmt.Errorf("it is not %s for the runtime, and the call returns %d", becomes, t.returned)
		}
	default:
		if class, _ := t.a.value(becomes); got != nil || t.returned != class {
			return fmt.Errorf("the call is not refused with %s: it returns %d", becomes, t.returned)
		}
	}
	return nil
}

// lackedOut calls a function that returns a constant that the program's family lacks.
func (t *tester) lackedOut(f *function, i int, name string) error {
	r, _ := t.r.value(name)
	want, known := t.a.value(row(toProgram, name))
	if !known {
		return fmt.Errorf("add its value to toProgram")
	}
	var got int64
	arguments := t.arguments(f)
	arguments[i] = receive(r, &got)
	if err := t.call(f, arguments, 0); err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("it comes back as %d, not as %s", got, row(toProgram, name))
	}
	return nil
}
