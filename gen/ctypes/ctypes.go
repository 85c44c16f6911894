// Package ctypes returns the names and declarations in C that printers use for the types,
// constants and handles of mpi.h. The name of a type begins with the prefix of its side: A_ for the
// program, R_ for the runtime.
//
// It must not know any printer, or how an argument is converted.
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
	// functionType matches the type of a callback, or of a pointer to one.
	functionType = regexp.MustCompile(`MPI_\w+_function(_c)?( \*)?$`)
	// mpiName matches the name of an MPI type in a C type.
	mpiName = regexp.MustCompile(`\bMPI_\w+`)
)

// Of returns the C type t as declared for one side ("A" or "R"). Handles and statuses differ
// between the sides; the integer types do not.
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

// Declaration returns the declaration in C of a name with the given type.
func Declaration(t, name string) string {
	if strings.Contains(t, "(*)") {
		return strings.Replace(t, "(*)", "(*"+name+")", 1)
	}
	if strings.HasSuffix(t, "*") {
		return t + name
	}
	return t + " " + name
}

// Declarations returns the declarations of the function's parameters in C, with the types of the
// program's side. It returns "void" for a function without parameters.
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

// Sides writes, for each side, the types of the handles, as integers of the same size, and the
// types and accessors of statuses.
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

// Address returns the C expression for a constant that is an address. prefix is the side.
func Address(prefix, name string, p abi.Pointer) string {
	if p.Symbol != "" {
		return fmt.Sprintf("%s_%s", prefix, name)
	}
	return fmt.Sprintf("((void *)(intptr_t)%d)", p.Value)
}

// Number returns the C expression for the value of a constant or handle of family f. If the value
// differs in the draft of the standard ABI, the expression chooses by variable, a C variable that
// is true for the draft.
func Number(f *abi.Family, name string, value int64, variable string) string {
	d := model.DraftOf(f, map[string]int64{name: value})
	if d.IsIdentity() {
		return fmt.Sprint(int32(value))
	}
	return fmt.Sprintf("(%s ? %d : %d)", variable, d.To[slices.Index(d.From, value)], value)
}
