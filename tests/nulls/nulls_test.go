// Package nulls passes every function of funcs.json a null pointer for each of its pointers in turn, natively and
// through wi4go, and compares the results. Through wi4go the result is never worse than with the library, or with a
// library of the program's family.
package nulls

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/tests/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

const runTimeout = 10 * time.Minute

// whens returns the times at which the calls are made. Before and after MPI, all functions share the front's own
// checks.
func whens() []string {
	if !harness.All.Runs() {
		return []string{"up"}
	}
	return []string{"up", "before", "after"}
}

// libraries are the runtimes. Libraries of a program's family have the names of its compilers.
var libraries = []string{"openmpi", "openmpi-5.0", "mpich-3.4", "mpich", "mpich-5.0", "mpich-5.0-abi", harness.Embedded}

// on returns the libraries that programs run on. Before and after MPI the results depend little on them.
func on(when string) []string {
	if when == "up" && harness.All.Runs() { // the two below belong to both families that implement objects themselves
		return []string{"openmpi", "openmpi-5.0", "mpich-3.4", "mpich", "mpich-5.0-abi", harness.Embedded}
	}
	return []string{"openmpi", "mpich-5.0-abi"}
}

// said is the results of calls, by function and argument.
type said map[string]string

func (s said) died(call string) bool { return s[call] == "died" }

// makers compile the program, once for each compiler.
type makers struct {
	dir, prefix string
	tools       map[string]harness.Toolchain
	in          *model.Input
}

func (m *makers) program(t *testing.T, name string) string {
	t.Helper()
	in := filepath.Join(m.dir, name)
	program := filepath.Join(in, "nulls")
	if _, ok := m.tools[name]; ok {
		return program
	}
	tools, err := harness.FindIn(m.prefix, name)
	if err != nil {
		harness.Missing(t, err)
	}
	m.tools[name] = tools
	family, err := abi.Load(tools.Family())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(in, 0o755))
	writeCalls(t, functions(t, m.in, family), family, filepath.Join(in, "calls.h"))
	header, err := filepath.Abs(filepath.Join("..", "..", "build", "gen", tools.Family(), "mpi.h"))
	require.NoError(t, err)
	// The newest mpi.h of the family, with any library.
	require.NoError(t, tools.Compile(filepath.Join("programs", "nulls.c"), program, "-I"+filepath.Dir(header), "-I"+in, fmt.Sprintf("-DMPI_H=%q", header), "-w", "-O0", "-g0", "-ldl"))
	return program
}

// run makes all calls on a library. After a call that has ended the program, it starts again with the next one.
func run(t *testing.T, through harness.Through, library, program, when string) said {
	t.Helper()
	all := said{}
	for first, before := 0, -1; first != before; {
		ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
		attempts := "1"
		if library == "openmpi" { // 4.1 once failed to open a file natively on a busy machine; the reason is not known
			attempts = "3"
		}
		argv := append(through.Env(), program, when, fmt.Sprint(first), attempts)
		if library == harness.Embedded {
			argv = append(argv, "each")
		}
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Env = append(harness.Environ(), "OMPI_MCA_ess_singleton_isolated=1")
		cmd.Dir = t.TempDir()
		cmd.WaitDelay = time.Second
		text, err := cmd.Output()
		cancel()
		before = first
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		for _, line := range lines {
			var n int
			var function, null, result string
			if k, _ := fmt.Sscan(line, &n, &function, &null); k == 3 && strings.HasSuffix(null, ":") {
				_, result, _ = strings.Cut(line, ": ")
				all[function+" "+strings.TrimSuffix(null, ":")] = cmp.Or(result, "died")
				first = n + 1
			}
		}
		if lines[len(lines)-1] == "done" {
			return all
		}
		require.Greater(t, first, before, "%s: %v", lines[len(lines)-1], err)
	}
	return all
}

// The result of no null pointer is worse than with the library, or with a library of the program's family that has the
// function, or, if none has it, with the library of the standard ABI.
func TestNulls(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	m := &makers{t.TempDir(), prefix, map[string]harness.Toolchain{}, inputs(t)}
	programs := append(append(slices.Clone(harness.Names), harness.Interface), libraries...)
	for _, name := range programs {
		m.program(t, name)
	}
	for _, when := range whens() {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			native := m.natively(t, when)
			if when == "up" {
				t.Run(harness.Embedded, func(t *testing.T) { embedded(t, native) })
			}
			for _, from := range programs[:3] {
				for _, to := range on(when) {
					t.Run(from+"_on_"+to, func(t *testing.T) {
						t.Parallel()
						m.compare(t, native, from, to, when)
					})
				}
			}
		})
	}
}

// natively makes all calls with each library's own program.
func (m *makers) natively(t *testing.T, when string) map[string]said {
	t.Helper()
	var mutex sync.Mutex
	all := map[string]said{}
	t.Run("natively", func(t *testing.T) {
		for _, library := range libraries {
			t.Run(library, func(t *testing.T) {
				t.Parallel()
				calls := run(t, harness.Through{}, library, m.program(t, library), when)
				mutex.Lock()
				defer mutex.Unlock()
				all[library] = calls
			})
		}
	})
	for _, library := range libraries {
		if all[library] == nil { // -run leaves it out
			all[library] = run(t, harness.Through{}, library, m.program(t, library), when)
		}
	}
	return all
}

// embedded checks the results of the embedded MPI without a front: no call ends the process, and it refuses the null
// pointers that all other libraries refuse, except for the buffer of MPI_Exscan that rank 0 does not use.
func embedded(t *testing.T, native map[string]said) {
	for call, got := range native[harness.Embedded] {
		if strings.HasSuffix(call, " -") || strings.Contains(call, "xscan") {
			continue
		}
		others, refused := 0, 0
		for library, calls := range native {
			result := calls[call]
			if library == harness.Embedded || result == "" || result == "absent" {
				continue
			}
			others++
			if result != "ok" && result != "died" {
				refused++
			}
		}
		if got == "died" || got == "ok" && others > 0 && refused == others {
			t.Errorf("%s: %s, refused by %d of %d other libraries", call, got, refused, others)
		}
	}
}

// compare makes all calls through wi4go and reports those whose results are worse.
func (m *makers) compare(t *testing.T, native map[string]said, from, to, when string) {
	t.Helper()
	program := m.program(t, from)
	through, err := harness.NewThrough(m.prefix, program, m.tools[from].Family(), m.program(t, to))
	require.NoError(t, err)
	ours := run(t, through, to, program, when)
	require.NotEmpty(t, ours)
	for call, got := range ours {
		// On Open MPI 5, a process without a launcher has no sessions. After MPI_Finalize, Open MPI 4.1 ends the
		// process in any call.
		name, _, _ := strings.Cut(call, " ")
		limited := when != "up" || m.in.Function(name).Has("SESSION", "in") != nil
		if (limited || unsteady[name]) && got == "died" && ours.died(name+" -") {
			continue
		}
		if wrong := m.worse(native, from, to, call, got); wrong != "" {
			t.Errorf("%s: %s, %s", call, got, wrong)
		}
	}
}

// unsteady are functions that end the process in some runs and not in others, natively as well, whatever the arguments
// are: MPICH 5.0 converts an array of the standard ABI that has not been written.
var unsteady = map[string]bool{"MPI_T_event_get_info": true}

// otherwise are calls whose error class differs from the native one, with the reason.
var otherwise = map[string]string{
	"MPI_Status_(c2f08|f082c|f082f|f2f08|c2f|f2c) ": "the class is the library's own for a status that is ignored, which differs between the families",
	"_(init|init_c) (send|recv)?(counts|displs) ":   "Open MPI has another class for each function",
	"MPI_Session_get_(pset_)?info ":                 "Open MPI 5 has MPI_ERR_INFO, all others MPI_ERR_ARG",
	"MPI_Type_get_contents(_c)? array_of_datatypes": "the datatype is a named one, which is refused first or last",
	"_from_groups? stringtag ":                      "Open MPI 5 has MPI_ERR_TAG, all others MPI_ERR_ARG",
	"MPI_Info_get_string value ":                    "Open MPI 5 has MPI_ERR_INFO_VALUE, all others MPI_ERR_ARG",
	"MPI_Pready_list array_of_partitions ":          "Open MPI 5 does not look at it where the peer is MPI_PROC_NULL",
	"[vr]_c (send|recv)?(counts|displs) ":           "Open MPI has another class for each function",
	"MPI_Session_create_errhandler .*_fn ":          "MPICH 5.0 does not look at it before MPI_Init, when wi4go makes the handler",
}

// unset is the call with MPI_F_STATUS_IGNORE in C programs, natively: the library knows it then. The front has an
// object for it even without Fortran.
const unset = "MPI_Status_f2c f_status"

// worse returns the reason why the result of a call is worse than natively, or "".
func (m *makers) worse(native map[string]said, from, to, call, got string) string {
	name, null, _ := strings.Cut(call, " ")
	f := m.in.Function(name)
	q := parameter(f, null)
	if !isOurs(f) || q == nil || isStatus(f, q) {
		return ""
	}
	var as []string
	own := false // a library of the program's family has the function
	add := func(library, call string) {
		if result := native[library][call]; result != "" && result != "absent" {
			as = append(as, result)
		}
	}
	// The results of the library itself, of other releases of both families, or of the function that is called in its
	// place.
	for _, library := range libraries {
		family := m.tools[library].Family()
		if library != to && family != m.tools[from].Family() && family != m.tools[to].Family() {
			continue
		}
		before := len(as)
		add(library, call)
		if len(as) == before && f.Small != "" {
			add(library, f.Small+" "+null)
			add(library, m.in.Function(f.Small).Wide+" "+null)
			add(library, f.Exchange.Call+" "+null)
		}
		own = own || family == m.tools[from].Family() && len(as) > before
	}
	refused := got != "died" && got != "ok"
	if len(as) == 0 {
		add("mpich-5.0-abi", call)
	}
	switch {
	case len(as) == 0, slices.Contains(as, got), slices.Contains(as, "died"), call == unset && got == "died":
		return ""
	case refused && !own && !slices.Contains(as, "ok"): // the family lacks the class
		return ""
	case got == "ok" && f.Starts != "" && q.IsChoice(): // the start of the operation refuses it
		return ""
	case refused && q.IsChoice() && slices.Contains(as, "ok"): // wi4go is stricter
		return ""
	case refused:
		for pattern := range otherwise {
			if regexp.MustCompile(pattern).MatchString(call + " ") {
				return ""
			}
		}
	}
	return "natively " + strings.Join(as, ", ")
}

// isStatus reports whether an argument is a status: a null pointer for it is MPI_STATUS_IGNORE in two families, and
// otherwise checked by the library.
func isStatus(f *model.Function, q *model.Param) bool {
	return q.Role == "STATUS" && q.Dir == "out" && f.Chapter != "language-bindings"
}

func parameter(f *model.Function, name string) *model.Param {
	for i := range f.Params {
		if f.Params[i].Name == name {
			return &f.Params[i]
		}
	}
	return nil
}
