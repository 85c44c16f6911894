// Package header prints the headers for compiling programs: the mpi.h of each family, and the
// header of BigMPI's names with the source of its library.
//
// It must not know the output of the other printers.
package header

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// enums maps the enumeration types of mpi.h (MPI-5.0, 15.3.8) to the prefix of the names of their
// constants.
var enums = map[string]string{"MPI_T_cb_safety": "MPI_T_CB_REQUIRE_", "MPI_T_source_order": "MPI_T_SOURCE_"}

// prototypes lists the types of callback functions (MPI-5.0, appendix A.1.3). In each, %s is the
// place of the name, and the names of the types with this prototype follow the equals sign.
var prototypes = []string{
	"void %s(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype)=MPI_User_function",
	"void %s(void *invec, void *inoutvec, MPI_Count *len, MPI_Datatype *datatype)=MPI_User_function_c",
	"int %s(MPI_Comm comm, int keyval, void *extra_state, void *value_in, void *value_out, int *flag)=MPI_Comm_copy_attr_function MPI_Copy_function",
	"int %s(MPI_Comm comm, int keyval, void *value, void *extra_state)=MPI_Comm_delete_attr_function MPI_Delete_function",
	"int %s(MPI_Datatype datatype, int keyval, void *extra_state, void *value_in, void *value_out, int *flag)=MPI_Type_copy_attr_function",
	"int %s(MPI_Datatype datatype, int keyval, void *value, void *extra_state)=MPI_Type_delete_attr_function",
	"int %s(MPI_Win win, int keyval, void *extra_state, void *value_in, void *value_out, int *flag)=MPI_Win_copy_attr_function",
	"int %s(MPI_Win win, int keyval, void *value, void *extra_state)=MPI_Win_delete_attr_function",
	"void %s(MPI_Comm *comm, int *code, ...)=MPI_Comm_errhandler_function MPI_Comm_errhandler_fn MPI_Handler_function",
	"void %s(MPI_File *file, int *code, ...)=MPI_File_errhandler_function MPI_File_errhandler_fn",
	"void %s(MPI_Win *win, int *code, ...)=MPI_Win_errhandler_function MPI_Win_errhandler_fn",
	"void %s(MPI_Session *session, int *code, ...)=MPI_Session_errhandler_function MPI_Session_errhandler_fn",
	"int %s(void *extra_state, MPI_Status *status)=MPI_Grequest_query_function",
	"int %s(void *extra_state)=MPI_Grequest_free_function",
	"int %s(void *extra_state, int complete)=MPI_Grequest_cancel_function",
	"int %s(MPI_Datatype datatype, MPI_Aint *extent, void *extra_state)=MPI_Datarep_extent_function",
	"int %s(void *userbuf, MPI_Datatype datatype, int count, void *filebuf, MPI_Offset position, void *extra_state)=MPI_Datarep_conversion_function",
	"int %s(void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf, MPI_Offset position, void *extra_state)=MPI_Datarep_conversion_function_c",
	"void %s(MPI_T_event_instance event, MPI_T_event_registration registration, MPI_T_cb_safety safety, void *user_data)=MPI_T_event_cb_function",
	"void %s(MPI_T_event_registration registration, MPI_T_cb_safety safety, void *user_data)=MPI_T_event_free_cb_function",
	"void %s(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety safety, void *user_data)=MPI_T_event_dropped_cb_function",
}

// pointerTypes maps the constants that are addresses to their types.
var pointerTypes = map[string]string{
	"MPI_BOTTOM": "void *", "MPI_IN_PLACE": "void *", "MPI_BUFFER_AUTOMATIC": "void *",
	"MPI_ARGV_NULL": "char **", "MPI_ARGVS_NULL": "char ***",
	"MPI_ERRCODES_IGNORE": "int *", "MPI_UNWEIGHTED": "int *", "MPI_WEIGHTS_EMPTY": "int *",
	"MPI_STATUS_IGNORE": "MPI_Status *", "MPI_STATUSES_IGNORE": "MPI_Status *",
	"MPI_F_STATUS_IGNORE": "MPI_Fint *", "MPI_F_STATUSES_IGNORE": "MPI_Fint *",
	"MPI_F08_STATUS_IGNORE": "MPI_F08_status *", "MPI_F08_STATUSES_IGNORE": "MPI_F08_status *",
	"MPI_T_ENUM_NULL": "MPI_T_enum ", "MPI_T_CVAR_HANDLE_NULL": "MPI_T_cvar_handle ", "MPI_T_PVAR_HANDLE_NULL": "MPI_T_pvar_handle ", "MPI_T_EVENT_REGISTRATION_NULL": "MPI_T_event_registration ",
	"MPI_T_PVAR_ALL_HANDLES": "MPI_T_pvar_handle ", "MPI_T_PVAR_SESSION_NULL": "MPI_T_pvar_session ",
}

// MPI returns the family's mpi.h. A program that is compiled with it runs on any library of the
// family and on the family's front. The header declares the functions of funcs.json that the front
// exports. MPI returns an error if abi/ contains a name without a declaration.
func MPI(s *model.Slots, in *model.Input) ([]byte, error) {
	f := s.Front
	w := &output.Writer{}
	w.WriteString(output.Banner("mpi.h of the ABI family " + f.Family + "."))
	w.Line("#ifndef %s", f.Guard)
	for _, other := range in.Families {
		if other != f {
			w.Line("#ifdef %s\n#error \"another MPI's mpi.h is included before this one: compile with one MPI's mpicc alone\"\n#endif", other.Guard)
		}
	}
	w.Line("#define %s\n", f.Guard)
	w.Line("#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n")
	types, err := headerTypes(w, f)
	if err != nil {
		return nil, err
	}
	headerConstants(w, f)
	callbacks := headerPrototypes(w, types)
	if err := headerAddresses(w, f, callbacks); err != nil {
		return nil, err
	}
	w.Line("\n/* The functions. */")
	for _, slot := range s.List {
		if slot.Function == nil || !slot.Exported {
			continue
		}
		w.Line("%s;", slot.Function.Prototype(slot.Name))
		if slot.PMPI {
			w.Line("%s;", slot.Function.Prototype("P"+slot.Name))
		}
	}
	for _, prefix := range []string{"MPI", "PMPI"} {
		if f.Functions["MPI_Aint_add"] == nil {
			w.Line("#define %s_Aint_add(base, disp) ((MPI_Aint)((char *)(base) + (disp)))", prefix)
			w.Line("#define %s_Aint_diff(a, b) ((MPI_Aint)((char *)(a) - (char *)(b)))", prefix)
		}
	}
	w.Line("\n#ifdef __cplusplus\n}\n#endif\n#endif")
	return w.Bytes(), nil
}

// headerTypes writes the types, and returns the set of their names.
func headerTypes(w *output.Writer, f *abi.Family) (map[string]bool, error) {
	known := map[string]bool{}
	w.Line("/* The types. */")
	var structs []string
	for _, name := range slices.Sorted(maps.Keys(f.Types)) {
		t := f.Types[name]
		known[name] = true
		switch {
		case t.Fields != nil:
			structs = append(structs, name)
		case enums[name] != "":
			var values []string
			for _, c := range byValue(f.Constants) {
				if strings.HasPrefix(c, enums[name]) {
					values = append(values, fmt.Sprintf("    %s = %d", c, f.Constants[c]))
				}
			}
			w.Line("typedef enum %s {\n%s\n} %s;", name, strings.Join(values, ",\n"), name)
		case f.Declared[name] == "":
			return nil, fmt.Errorf("abi/%s.json: type %s: describe it in \"declared\"", f.Family, name)
		default:
			if f.Declared[name] == "long long" {
				w.Line("#ifdef __GNUC__\n__extension__\n#endif")
			}
			w.Line("typedef %s;", model.Declare(f.Declared[name], name))
		}
	}
	for _, name := range structs {
		headerStruct(w, f, name, f.Types[name])
	}
	// The standard's ABI leaves the status of mpi_f08 to the library. Its layout follows from the
	// size of Fortran's status in INTEGERs (MPI-5.0, 19.3.5).
	if !known["MPI_F08_status"] {
		headerStruct(w, f, "MPI_F08_status", f.Types["MPI_Status"])
		known["MPI_F08_status"] = true
	}
	return known, nil
}

// headerStruct writes a struct. A field without a declared type gets its type from the space up to
// the next field: int for 4 bytes, size_t for 8 bytes, and otherwise an array of int.
func headerStruct(w *output.Writer, f *abi.Family, name string, t abi.Type) {
	fields := slices.Sorted(maps.Keys(t.Fields))
	sort.Slice(fields, func(i, j int) bool { return t.Fields[fields[i]] < t.Fields[fields[j]] })
	declared := "struct"
	if f.Declared[name] != "" {
		declared = f.Declared[name]
	}
	w.Line("typedef %s {", declared)
	for i, field := range fields {
		end := t.Size
		if i+1 < len(fields) {
			end = t.Fields[fields[i+1]]
		}
		switch size := end - t.Fields[field]; {
		case f.Declared[name+"."+field] != "":
			w.Line("    %s;", model.Declare(f.Declared[name+"."+field], field))
		case size == 4:
			w.Line("    int %s;", field)
		case size == 8:
			w.Line("    size_t %s;", field)
		default:
			w.Line("    int %s[%d];", field, size/4)
		}
	}
	w.Line("} %s;", name)
}

// headerConstants writes the integers, the strings and the handles.
func headerConstants(w *output.Writer, f *abi.Family) {
	w.Line("\n/* The constants. */")
	for _, name := range slices.Sorted(maps.Keys(f.Constants)) {
		isEnum := false
		for _, prefix := range enums {
			isEnum = isEnum || strings.HasPrefix(name, prefix)
		}
		switch v := f.Constants[name]; {
		case isEnum:
		case v < 0:
			w.Line("#define %s (%d)", name, v)
		default:
			w.Line("#define %s %d", name, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Strings)) {
		w.Line("#define %s %q", name, f.Strings[name])
	}
	w.Line("\n/* The predefined handles. */")
	declared := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(f.Handles)) {
		h := f.Handles[name]
		kind := model.HandleTypes[h.Kind]
		if h.Kind == "STREAM" {
			kind = "MPIX_Stream"
		}
		if h.Symbol == "" {
			w.Line("#define %s ((%s)%s)", name, kind, h.Hex)
			continue
		}
		if !declared[h.Symbol] {
			w.Line("extern struct wi4go_object %s;", h.Symbol)
			declared[h.Symbol] = true
		}
		w.Line("#define %s ((%s)(void *)&%s)", name, kind, h.Symbol)
	}
}

// typeWord matches the name of a type in a prototype.
var typeWord = regexp.MustCompile(`\bMPI_\w+`)

// headerPrototypes writes the types of callbacks, and returns the set of their names. It leaves
// out a prototype with a type that the family does not have.
func headerPrototypes(w *output.Writer, types map[string]bool) map[string]bool {
	w.Line("\n/* The callbacks' types. */")
	callbacks := map[string]bool{}
	for _, p := range prototypes {
		text, names, _ := strings.Cut(p, "=")
		if slices.ContainsFunc(typeWord.FindAllString(text, -1), func(t string) bool { return !types[t] }) {
			continue
		}
		for _, name := range strings.Fields(names) {
			w.Line("typedef %s;", fmt.Sprintf(text, "("+name+")"))
			callbacks[name] = true
		}
	}
	return callbacks
}

// headerAddresses writes the constants that are addresses of data or functions. It returns an error
// for a constant without a known type.
func headerAddresses(w *output.Writer, f *abi.Family, callbacks map[string]bool) error {
	w.Line("\n/* The addresses. */")
	for _, name := range slices.Sorted(maps.Keys(f.Pointers)) {
		p, of := f.Pointers[name], pointerTypes[name]
		switch {
		case of == "":
			return fmt.Errorf("abi/%s.json: pointer %s: add its type to gen/header/header.go", f.Family, name)
		case p.Symbol != "":
			w.Line("extern %sconst %s;", of, p.Symbol)
		default:
			w.Line("#define %s ((%s)%d)", name, strings.TrimSpace(of), p.Value)
		}
	}
	declared := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(f.Callbacks)) {
		c, of := f.Callbacks[name], model.CallbackTypes[name]
		if !callbacks[of] {
			return fmt.Errorf("abi/%s.json: callback %s: add its type %s to gen/header/header.go", f.Family, name, of)
		}
		if c.Symbol == "" {
			w.Line("#define %s ((%s *)%d)", name, of, *c.Value)
			continue
		}
		if !declared[c.Symbol] {
			w.Line("extern %s %s;", of, c.Symbol)
			declared[c.Symbol] = true
		}
		w.Line("#define %s ((%s *)%s)", name, of, c.Symbol)
	}
	return nil
}

// byValue returns the names of constants, sorted by value.
func byValue(constants map[string]int64) []string {
	names := slices.Sorted(maps.Keys(constants))
	sort.SliceStable(names, func(i, j int) bool { return constants[names[i]] < constants[names[j]] })
	return names
}
