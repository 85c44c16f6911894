package fake

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A test that never fails proves nothing. Here the tables are made wrong in one place for each
// role, the fronts are built from them, and the test must report every one of the places. All
// mutations are in one build, each in its own parameter, so that they are reported independently.

// A mutation is in a handwritten conversion: from must occur in the header.
type mutation struct{ role, header, from, to, red string }

// byHand are the roles that only handwritten functions convert, or whose conversion is not of an
// argument.
var byHand = []mutation{
	{"FUNCTION", "callbacks.h", "R_MPI_Grequest_start(query_fn ? (void *)grequest_query : NULL", "R_MPI_Grequest_start(query_fn", "the state of a query function"},
	{"EXTRA_STATE", "attributes.h", ".extra = extra};", ".extra = NULL};", "the rest of a copy function"},
	{"STRING_ARRAY", "spawn.h", "R_MPI_Comm_spawn(command, argv,", "R_MPI_Comm_spawn(command, NULL,", "MPI_Comm_spawn.argv ("},
	{"CONTENTS_INT", "type_contents.h", "(int)DISTRIBUTION_r2a(integers[at + i])", "integers[at + i]", "--- FAIL: TestContents"},
	{"ERROR_CODES", "spawn.h", "error_r2a(codes[i])", "codes[i]", "MPI_Comm_spawn.array_of_errcodes ("},
	{"STRING_2DARRAY", "spawn.h", "array_of_commands, array_of_argv,", "array_of_commands, NULL,", "MPI_Comm_spawn_multiple.array_of_argv ("},
	{"T_OBJECT", "tool_handles.h", "object.op = OP_a2r(*(A_MPI_Op *)obj_handle)", "object.op = *(A_MPI_Op *)obj_handle", "--- FAIL: TestToolObjects"},
	{"F_STATUS", "status_fields.h", "memcpy(to, from, sizeof(A_MPI_Status))", "memcpy(to, from, 4)", "--- FAIL: TestFortranStatuses"},
	{"VARARGS", "environment.h", "R_MPI_Pcontrol(level)", "R_MPI_Pcontrol(0)", "MPI_Pcontrol.level ("},
	{"ATTRIBUTE_VAL", "attributes.h", "R_MPI_Type_get_attr(DATATYPE_a2r(datatype), (int)KEYVAL_a2r(keyval), attribute, flag)",
		"R_MPI_Type_get_attr(DATATYPE_a2r(datatype), (int)KEYVAL_a2r(keyval), NULL, flag)", "MPI_Type_get_attr.attribute_val ("},
	{"WIN_MODEL", "attributes.h", "(int)WIN_MODEL_r2a(r)", "r", "--- FAIL: TestAttributes"},
}

// invisible are the roles that no mutation can show, with the reason.
var invisible = map[string]string{
	"ATTACH_BUFFER":        "converted by hand (mappers/buffers.h): p2p_buffer_automatic.c",
	"GPU_TYPE":             "of MPIX_GPU_query_support, which Open MPI does not have",
	"CONTENTS_COUNT":       "of large-count functions, which Open MPI does not have",
	"F08_STATUS":           "converted by the line that converts F_STATUS",
	"T_CB_SAFETY":          "of MPI_T events, which Open MPI does not have",
	"T_SOURCE_ORDER":       "of MPI_T events, which Open MPI does not have",
	"SPLIT_TYPE":           "emulated, but for shared memory: comm_split_types.c",
	"WIN_FLAVOR":           "the flavors have the same values in both families",
	"FINT":                 "of the c2f functions, which convert handles by hand",
	"T_EVENT_REGISTRATION": "of MPI_T events, which Open MPI does not have",
	"T_EVENT_INSTANCE":     "of MPI_T events, which Open MPI does not have",
}

// wrongRole returns a role with a different conversion.
func wrongRole(role, conversion, ctype string, array bool) string {
	handles := []string{"COMM", "DATATYPE", "ERRHANDLER", "GROUP", "INFO", "OP", "WIN", "REQUEST", "SESSION", "MESSAGE", "FILE", "COMM"}
	switch conversion {
	case "handle":
		for i, kind := range handles {
			if kind == role {
				return handles[i+1]
			}
		}
	case "bits":
		if role == "ASSERT" {
			return "AMODE"
		}
		return "ASSERT"
	case "error":
		return "LOGICAL"
	case "status", "string":
		return "BUFFER"
	case "address":
		if role == "ATTACH_BUFFER" { // only one family has its constant
			return "WEIGHT"
		}
		return "ADDRESS"
	case "value":
		if role == "RANK" {
			return "LOGICAL"
		}
	}
	if strings.Contains(ctype, "*") && !array && conversion == "none" {
		return "STATUS"
	}
	return "RANK"
}

const root = "../.."

func wanted(t *testing.T) {
	harness.All.From(t, "it builds separate fronts")
}

func read(t *testing.T, name string, to any) {
	b, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, to))
}

// roles is the content of mappers.json.
type roles struct {
	Roles map[string]struct {
		Convert   string            `json:"convert"`
		Constants []string          `json:"constants,omitempty"`
		ToRuntime map[string]string `json:"to_runtime,omitempty"`
		ToProgram map[string]string `json:"to_program,omitempty"`
	} `json:"roles"`
}

// A mutant is wrong input of the generator. nil stands for the right input.
type mutant struct {
	functions any
	table     any
	headers   map[string]string
}

// runMutant builds the fronts from a mutant and returns the output of the test.
func runMutant(t *testing.T, m mutant) string {
	directory := t.TempDir()
	build := filepath.Join(directory, "build")
	write := func(name string, b []byte) string {
		path := filepath.Join(directory, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, b, 0o644))
		return path
	}
	run := func(name string, arguments ...string) {
		command := exec.Command(name, arguments...)
		command.Dir = root
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	// The generator of the Fortran library refuses roles that Fortran cannot have.
	generate := []string{"run", "./cmd/wi4go-gen", "-fortran=false", "-o", filepath.Join(build, "gen")}
	for flag, value := range map[string]any{"funcs": m.functions, "mappers": m.table} {
		if value != nil {
			b, err := json.Marshal(value)
			require.NoError(t, err)
			generate = append(generate, "-"+flag, write(flag+".json", b))
		}
	}
	for name, text := range m.headers {
		write("mappers/"+name, []byte(text))
	}
	run("go", generate...)
	run("make", "-s", "-o", build+"/gen/rules.mk", "B="+build, "CC=gcc -w -I"+filepath.Join(directory, "mappers"), "CFLAGS=-O0 -g", "core", "fronts")

	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(self, "-test.v")
	command.Env = append(os.Environ(), "WI4GO_TIER=test", "WI4GO_FAKE_FRONTS="+filepath.Join(build, "lib/wi4go"))
	output, err := command.CombinedOutput()
	require.Error(t, err, "green with all mutations")
	return string(output)
}

// check requires that for each role one of its texts is reported.
func check(t *testing.T, red map[string][]string, output string) {
	for _, role := range sorted(red) {
		noticed := slices.ContainsFunc(red[role], func(text string) bool { return strings.Contains(output, text) })
		assert.True(t, noticed, "the mutation of %s is not noticed %q", role, red[role])
	}
	t.Logf("%d mutations", len(red))
	if t.Failed() {
		t.Log(output)
	}
}

// Each role once replaces another one.
func TestWrongRoles(t *testing.T) {
	wanted(t)
	var functions []map[string]any
	var table roles
	read(t, "funcs.json", &functions)
	read(t, "mappers.json", &table)
	a, r := load(t, "openmpi"), load(t, "mpich")

	needed := map[string]bool{"MPI_Init": true, "MPI_Barrier": true} // the tests themselves need these
	for _, o := range objects {
		needed[o.creator], needed[o.user] = true, true
	}
	mutated := map[string]bool{}
	red := map[string][]string{} // by role: the texts that must be reported
	mutate := func(role string, again bool) bool {
		for _, f := range functions {
			name := f["name"].(string)
			_, onA := a.Functions[name]
			_, onR := r.Functions[name]
			// The emulation of persistent collectives is generated from the roles as well, and
			// would fail.
			if f["starts"] != nil {
				continue
			}
			if needed[name] || mutated[name] && !again || !onA || !onR || f["hand"] != nil || irregular[name] != "" {
				continue
			}
			for _, p := range f["params"].([]any) {
				p := p.(map[string]any)
				place := name + "." + p["name"].(string)
				conversion, ctype := table.Roles[role].Convert, p["type"].(string)
				if p["role"] != role || conversion == "string" && (p["limit"] == nil || p["limit"] == "MPI_MAX_DATAREP_STRING") {
					continue // not truncated, or of the same length in all families
				}
				p["role"] = wrongRole(role, conversion, ctype, p["length"] != nil)
				if f["fortran"] == "direct" {
					delete(f, "fortran") // the generator refuses their bodies with roles that Fortran cannot have
				}
				for _, key := range []string{"alias", "any", "blocks", "fortran", "fortran_name", "idle", "significant", "null_allowed", "flag"} {
					delete(p, key) // the generator refuses it with another role
				}
				if strings.HasPrefix(fmt.Sprint(p["lifetime"]), "create") {
					p["lifetime"] = "create" // requests have other lifetimes
				}
				mutated[name] = true
				red[role] = []string{place + " ("}
				t.Logf("%s: %s is now %s", role, place, p["role"])
				return true
			}
		}
		return false
	}
	headers := map[string]string{}
	paths, err := filepath.Glob(root + "/mappers/*.h")
	require.NoError(t, err)
	for _, path := range paths {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		headers[filepath.Base(path)] = string(b)
	}
	for _, m := range byHand {
		require.Contains(t, headers[m.header], m.from, "the mutation of %s does not apply any more", m.role)
		headers[m.header] = strings.Replace(headers[m.header], m.from, m.to, 1)
		red[m.role] = []string{m.red}
	}
	for _, role := range sorted(table.Roles) {
		_, no := invisible[role]
		if red[role] == nil && !no {
			assert.True(t, mutate(role, false) || mutate(role, true), "no place for a mutation of the role %s: add one to byHand, or the reason to invisible", role)
		}
	}

	check(t, red, runMutant(t, mutant{functions: functions, headers: headers}))
}

// Each role of numbers without its constants, all at once: the values that differ between the
// families then arrive unchanged.
func TestWrongConstants(t *testing.T) {
	wanted(t)
	var table roles
	read(t, "mappers.json", &table)
	s := &session{a: load(t, "openmpi"), r: load(t, "mpich")}
	red := map[string][]string{}
	for _, name := range sorted(table.Roles) {
		role := table.Roles[name]
		alone := slices.ContainsFunc(byHand, func(m mutation) bool { return m.role == name })
		if role.Convert != "value" && role.Convert != "bits" || invisible[name] != "" || alone {
			continue
		}
		for _, constant := range s.named(role.Constants) {
			a, onA := s.a.value(constant)
			r, onR := s.r.value(constant)
			if onA && onR && a != r {
				red[name] = append(red[name], "("+constant+")", constant+" as ", "MPI_"+name+" of ")
			}
		}
		role.Constants = []string{"MPI_SUCCESS"}
		table.Roles[name] = role
	}
	check(t, red, runMutant(t, mutant{table: table}))
}
