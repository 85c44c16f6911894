// Package ctypes is how printers name and declare in C what mpi.h has: types,
// constants and handles. A type has the prefix of its side: A_ of the application, R_ of
// the runtime.
//
// It must not know any printer, or what is done with an argument.
package ctypes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

var (
	functionType = regexp.MustCompile(`MPI_\w+_function(_c)?( \*)?$`)
	mpiName      = regexp.MustCompile(`\bMPI_\w+`)
)

// Of is the C type of a parameter on one side ("A" or "R"): handles and
// statuses differ between the sides, the integer types do not.
func Of(t, side string) string {
	if functionType.MatchString(t) {
		return "void *"
	}
	return mpiName.ReplaceAllStringFunc(t, func(name string) string {
		switch name {
		case "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint":
			return name
		case "MPI_T_cb_safety", "MPI_T_source_order":
			return "int"
		}
		if strings.HasPrefix(name, "MPI_T_") {
			return "void *"
		}
		return side + "_" + name
	})
}

// Declaration joins a C type and a name.
func Declaration(t, name string) string {
	if strings.Contains(t, "(*)") {
		return strings.Replace(t, "(*)", "(*"+name+")", 1)
	}
	if strings.HasSuffix(t, "*") {
		return t + name
	}
	return t + " " + name
}

// Declarations are the function's parameters in C, in the front's own types.
func Declarations(f *model.Function) []string {
	var declared []string
	for _, q := range f.Params {
		if q.Type == "..." {
			declared = append(declared, q.Type)
			continue
		}
		declared = append(declared, Declaration(Of(q.Type, "A"), q.Name))
	}
	if len(declared) == 0 {
		return []string{"void"}
	}
	return declared
}

// Sides declares each side's handles as integers of their size.
func Sides(w *output.Writer, a, r *abi.Family) {
	for _, side := range []struct {
		prefix string
		family *abi.Family
	}{{"A", a}, {"R", r}} {
		for _, kind := range model.HandleKinds {
			size := side.family.HandleBits / 8
			if t, ok := side.family.Types[model.HandleTypes[kind]]; ok {
				size = t.Size
			}
			w.Line("typedef int%d_t %s_%s;", size*8, side.prefix, model.HandleTypes[kind])
		}
		encoding := "status_" + side.family.Traits.Status
		w.Line("typedef struct %s %s_MPI_Status;\ntypedef struct %s_f08 %s_MPI_F08_status;", encoding, side.prefix, encoding, side.prefix)
		for _, of := range []string{"count", "cancelled", "set"} {
			w.Line("#define %s_encoding_%s %s_%s", side.prefix, of, encoding, of)
		}
	}
	w.Line("#define A_FILE_BITS %d", 8*a.Types["MPI_File"].Size)
}

// Address is the C expression of an address constant on one side.
func Address(prefix, name string, p abi.Pointer) string {
	if p.Symbol != "" {
		return fmt.Sprintf("%s_%s", prefix, name)
	}
	return fmt.Sprintf("((void *)(intptr_t)%d)", p.Value)
}

// Number is the C of a value on one side, which has the draft's where variable
// says so.
func Number(f *abi.Family, name string, value int64, variable string) string {
	d := model.DraftOf(f, map[string]int64{name: value})
	if d.IsIdentity() {
		return fmt.Sprint(int32(value))
	}
	return fmt.Sprintf("(%s ? %d : %d)", variable, d.To[slices.Index(d.From, value)], value)
}
