package fake

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

// The layout of protocol.h.
const (
	maxArgs = 16
	room    = 16384
	guard   = 0xA5 // fills the program's memory around its arguments
)

type argumentScript struct {
	take, give int64
	bytes      [room]byte
}

type callbackScript struct {
	function int64
	words    [maxArgs]int64
	returned int64
}

type script struct {
	function      int64
	conditional   int64
	first         int64
	returns       int64
	returnsDouble float64
	callback      callbackScript
	arguments     [maxArgs]argumentScript
}

type record struct {
	function int64
	words    [maxArgs]int64
	bad      int64
	bytes    [maxArgs][room]byte
}

type shared struct {
	function       int64
	words          [maxArgs]int64
	returned       int64
	returnedDouble float64

	seen                                    int64
	seenWords, callbackTakes, callbackGives [maxArgs]int64
	callbackReturns, innerFunction          int64
	innerWords                              [maxArgs]int64
	innerReturned                           int64
	seenBytes, givenBytes                   [maxArgs][64]byte

	nRecords int64
	records  [512]record
	scripts  [32]script
	arena    [maxArgs][room]byte
}

// A side is one family with the values of its constants: from abi/*.json, and the addresses of its symbols in the
// running process.
type side struct {
	*abi.Family
	address, content map[string]int64 // by symbol: its address, and the word stored there
	otherWords       bool             // a status's count and flag are not in MPICH's places
}

// A session is a program over a fake runtime, both running.
type session struct {
	*shared
	a, r      *side
	functions []string // all functions of both families, by their numbers in the protocol
	number    map[string]int64
	command   *exec.Cmd
	in, out   int
	steps     atomic.Int64
	stderr    *strings.Builder
	dead      bool
}

var errDead = errors.New("the application is dead")

// load returns a family, or a version of it without later functions: "openmpi@5.0". With "+" it has the
// functions that the standard will have, by the standard's names only.
func load(t testing.TB, name string) *side {
	name, future := strings.CutSuffix(name, "+")
	name, version, _ := strings.Cut(name, "@")
	f, err := abi.Load(name)
	require.NoError(t, err)
	maps.DeleteFunc(f.Functions, func(_ string, in []string) bool {
		return version != "" && len(in) > 0 && !slices.Contains(in, version)
	})
	for _, extension := range sorted(futureNames) {
		if future {
			delete(f.Functions, extension)
			f.Functions[futureNames[extension]] = nil
		}
	}
	return &side{Family: f, address: map[string]int64{}, content: map[string]int64{}}
}

// symbols returns the data symbols and functions whose addresses are constants.
func (s *side) symbols() []string {
	set := map[string]bool{}
	for _, h := range s.Handles {
		set[h.Symbol] = true
	}
	for _, p := range s.Pointers {
		set[p.Symbol] = true
	}
	for _, c := range s.Callbacks {
		set[c.Symbol] = true
	}
	delete(set, "")
	return sorted(set)
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// value returns the value of a name of mpi.h on this side.
func (s *side) value(name string) (int64, bool) {
	if h, ok := s.Handles[name]; ok {
		if h.Symbol != "" {
			return s.address[h.Symbol], true
		}
		return int64(int32(*h.Value)), true
	}
	if p, ok := s.Pointers[name]; ok {
		if p.Symbol != "" {
			return s.content[p.Symbol], true
		}
		return p.Value, true
	}
	if c, ok := s.Callbacks[name]; ok {
		if c.Symbol != "" {
			return s.address[c.Symbol], true
		}
		return *c.Value, true
	}
	v, ok := s.Constants[name]
	return v, ok
}

func compile(t testing.TB, arguments ...string) {
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "gcc"
	}
	output, err := exec.Command(compiler, append([]string{"-std=gnu11", "-O0", "-Wall", "-Itestdata"}, arguments...)...).CombinedOutput()
	require.NoError(t, err, string(output))
}

// buildRuntime compiles the fake runtime of a family.
func buildRuntime(t testing.TB, directory string, s *side, functions []string) string {
	w := &strings.Builder{}
	for number, name := range functions {
		if _, ok := s.Functions[name]; !ok {
			continue
		}
		macro := "FUNCTION"
		switch {
		case returnsDouble(name):
			macro = "DOUBLE_FUNCTION"
		case s.Family.Family == "mpiabi" && name == "MPI_Status_set_elements_x":
			macro = "SETS_COUNT"
		case s.Family.Family == "mpiabi" && name == "MPI_Status_set_cancelled":
			macro = "SETS_CANCELLED"
		case s.Family.Family == "mpiabi" && name == "MPI_Get_elements_x":
			macro = "GETS_COUNT"
		case s.Family.Family == "mpiabi" && name == "MPI_Test_cancelled":
			macro = "GETS_CANCELLED"
		}
		fmt.Fprintf(w, "%s(%d, P%s)\nALIAS(%s)\n", macro, number, name, name)
	}
	callbacks := map[string]bool{}
	for _, c := range s.Callbacks {
		callbacks[c.Symbol] = true
	}
	objects := map[string]bool{}
	for _, d := range s.DataSymbols {
		if d.PointsTo == "" && !isPointer(s, d.Name) {
			fmt.Fprintf(w, "_Alignas(16) char %s[%d];\n", d.Name, d.Size)
			objects[d.Name] = true
		}
	}
	for _, d := range s.DataSymbols {
		switch {
		case objects[d.Name]:
		case objects[d.PointsTo]:
			fmt.Fprintf(w, "void *%s = %s;\n", d.Name, d.PointsTo)
		default:
			fmt.Fprintf(w, "char fake_%s[8]; void *%s = fake_%s;\n", d.Name, d.Name, d.Name)
		}
	}
	delete(callbacks, "")
	for _, name := range sorted(callbacks) {
		fmt.Fprintf(w, "word %s(word a) { return a; }\n", name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(directory, "symbols.h"), []byte(w.String()), 0o644))
	library := filepath.Join(directory, s.Sonames["c"][0])
	compile(t, "-I"+directory, "-shared", "-fPIC", "-Wl,-soname,"+s.Sonames["c"][0], "-o", library, "testdata/runtime.c")
	return library
}

func isPointer(s *side, symbol string) bool {
	for _, p := range s.Pointers {
		if p.Symbol == symbol {
			return true
		}
	}
	return false
}

// buildApplication compiles the program of family a for a runtime of family r.
func buildApplication(t testing.TB, directory, front string, a, r *side, functions []string) string {
	w := &strings.Builder{}
	table := &strings.Builder{}
	for number, name := range functions {
		if _, ok := a.Functions[name]; !ok {
			continue
		}
		if name == "MPI_Init" {
			fmt.Fprintf(w, "enum { FIRST = %d };\n", number)
		}
		double := 0
		if returnsDouble(name) {
			double = 1
		}
		fmt.Fprintf(w, "extern char %s[];\n", name)
		fmt.Fprintf(table, "    [%d] = {\"%s\", %s, %d},\n", number, name, name, double)
	}
	for _, name := range a.symbols() {
		fmt.Fprintf(w, "extern char %s[];\n", name)
	}
	fmt.Fprintf(w, "static const struct function functions[] = {\n%s};\nstatic const struct symbol symbols[] = {\n", table)
	for _, name := range a.symbols() {
		fmt.Fprintf(w, "    {\"%s\", %s},\n", name, name)
	}
	fmt.Fprintf(w, "    {0, 0},\n};\nstatic const char *const runtime_symbols[] = {\n")
	for _, name := range r.symbols() {
		fmt.Fprintf(w, "    \"%s\",\n", name)
	}
	fmt.Fprintf(w, "    0,\n};\n")
	require.NoError(t, os.WriteFile(filepath.Join(directory, "symbols.h"), []byte(w.String()), 0o644))
	program := filepath.Join(directory, "application")
	compile(t, "-I"+directory, "-fno-pie", "-no-pie", "-o", program, "testdata/application.c", front, "-ldl",
		"-Wl,--disable-new-dtags,-rpath,"+filepath.Dir(front))
	return program
}

// A built has the two programs of a pair, once they are compiled.
type built struct {
	once             sync.Once
	program, runtime string
}

var (
	builds sync.Map // a *built by pair
	scrap  string   // their directory
)

func TestMain(m *testing.M) {
	var err error
	scrap, err = os.MkdirTemp("", "wi4go-fake-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(scrap)
	os.Exit(status)
}

func buildOnce(t testing.TB, library, pair string, s *session) *built {
	found, _ := builds.LoadOrStore(pair, &built{})
	b := found.(*built)
	b.once.Do(func() {
		directory := filepath.Join(scrap, pair)
		for _, name := range []string{"a", "r"} {
			require.NoError(t, os.MkdirAll(filepath.Join(directory, name), 0o755))
		}
		b.runtime = buildRuntime(t, filepath.Join(directory, "r"), s.r, s.functions)
		b.program = buildApplication(t, filepath.Join(directory, "a"), filepath.Join(library, s.a.Family.Family, s.a.Sonames["c"][0]), s.a, s.r, s.functions)
	})
	return b
}

// start builds and starts the program of family from over a fake runtime of family to, through the front below library
// (lib/wi4go).
func start(t testing.TB, library, from, to string, environment ...string) *session {
	s := &session{a: load(t, from), r: load(t, to), number: map[string]int64{}, stderr: &strings.Builder{}}
	all := map[string]bool{}
	for name := range s.a.Functions {
		all[name] = true
	}
	for name := range s.r.Functions {
		all[name] = true
	}
	s.functions = sorted(all)
	for i, name := range s.functions {
		s.number[name] = int64(i)
	}
	b := buildOnce(t, library, from+"_"+to, s)

	file, err := os.Create(filepath.Join(t.TempDir(), "shared"))
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, file.Truncate(int64(unsafe.Sizeof(shared{}))))
	memory, err := syscall.Mmap(int(file.Fd()), 0, int(unsafe.Sizeof(shared{})), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	require.NoError(t, err)
	s.shared = (*shared)(unsafe.Pointer(&memory[0]))

	s.command = exec.Command(b.program)
	s.command.Env = append(os.Environ(), "FAKE_SHARED="+file.Name(), "WI4GO_TO="+b.runtime, "LD_PRELOAD=", "LD_LIBRARY_PATH=")
	s.command.Env = append(s.command.Env, environment...)
	s.command.Stderr = s.stderr
	var toChild, fromChild [2]int // raw descriptors, because there are many calls below
	require.NoError(t, syscall.Pipe2(toChild[:], syscall.O_CLOEXEC))
	require.NoError(t, syscall.Pipe2(fromChild[:], syscall.O_CLOEXEC))
	childIn, childOut := os.NewFile(uintptr(toChild[0]), "in"), os.NewFile(uintptr(fromChild[1]), "out")
	s.command.Stdin, s.command.Stdout = childIn, childOut
	s.in, s.out = toChild[1], fromChild[0]
	require.NoError(t, s.command.Start())
	childIn.Close()
	childOut.Close()
	stop := make(chan bool)
	go s.watch(stop)
	t.Cleanup(func() {
		close(stop)
		syscall.Close(s.in)
		if !s.dead {
			_ = s.command.Wait()
		}
		syscall.Close(s.out)
		_ = syscall.Munmap(memory)
	})
	for {
		line, err := s.line()
		require.NoError(t, err, "the program does not start: %s", s.stderr)
		if line == "ready\n" {
			return s
		}
		var which, name string
		var address, content int64
		_, err = fmt.Sscan(line, &which, &name, &address, &content)
		require.NoError(t, err, line)
		owner := s.a
		if which == "r" {
			owner = s.r
		}
		owner.address[name], owner.content[name] = address, content
	}
}

// line reads a line that the program prints at its start.
func (s *session) line() (string, error) {
	var line []byte
	for c := []byte{0}; c[0] != '\n'; line = append(line, c[0]) {
		if n, err := syscall.Read(s.out, c); err != nil || n != 1 {
			return "", fmt.Errorf("it has ended: %v", err)
		}
	}
	return string(line), nil
}

// watch ends a program that hangs in a call.
func (s *session) watch(stop chan bool) {
	before := int64(-1)
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Minute):
		}
		now := s.steps.Load()
		if now == before {
			_ = s.command.Process.Kill()
		}
		before = now
	}
}

// step makes the call in the shared memory.
func (s *session) step() error {
	if s.dead {
		return errDead
	}
	s.nRecords = 0
	s.seen = 0
	one := []byte{1}
	n, err := syscall.Write(s.in, one)
	if err == nil {
		n, err = syscall.Read(s.out, one)
	}
	s.steps.Add(1)
	if err != nil || n != 1 {
		s.dead = true
		_ = s.command.Wait()
		return fmt.Errorf("the program crashed in the call: %s: %s", s.command.ProcessState, s.stderr)
	}
	return nil
}

func returnsDouble(name string) bool { return name == "MPI_Wtime" || name == "MPI_Wtick" }
