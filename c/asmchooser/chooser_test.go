// Package asmchooser contains the assembly of every exported MPI function (chooser.h and one file for each
// architecture) and the pools of trampolines for callbacks. It knows nothing of MPI: the users of its macros give names
// and slot numbers.
//
// Its Go code is a test: a C program calls the stubs of a fake front, on this machine and for arm64 under qemu.
package asmchooser

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// target is a machine that stubs are tested for.
type target struct {
	name  string
	cc    string
	run   []string // the command that starts its programs
	flags []string
	// The type and the bits of the ELF property that marks its branches as protected; 0: it has none.
	property, bits uint32
}

func targets() []target {
	native := "x86-64"
	if runtime.GOARCH == "arm64" {
		native = "arm64"
	}
	all := []target{{name: native, cc: "gcc"}}
	if native == "arm64" {
		return all
	}
	qemu := []string{"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-cpu", "max"}
	return append(all,
		target{name: "x86-64-cet", cc: "gcc", flags: []string{"-fcf-protection=full"},
			property: 0xc0000002, bits: 3}, // GNU_PROPERTY_X86_FEATURE_1_AND: IBT, SHSTK
		target{name: "arm64", cc: "aarch64-linux-gnu-gcc", run: qemu},
		target{name: "arm64-bti", cc: "aarch64-linux-gnu-gcc", run: qemu,
			flags:    []string{"-mbranch-protection=standard"},
			property: 0xc0000000, bits: 1}) // GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI
}

func TestChooser(t *testing.T) {
	for _, target := range targets() {
		t.Run(target.name, func(t *testing.T) {
			library, program := target.build(t)
			command := append(target.run, program)
			out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
			require.NoError(t, err, string(out))
			assert.Contains(t, string(out), "chooser ok")
			target.look(t, library)
		})
	}
}

// All calls go through thunks.
func TestThunk(t *testing.T) {
	for _, target := range targets() {
		t.Run(target.name, func(t *testing.T) {
			dir, flags := target.library(t)
			program := filepath.Join(dir, "thunk")
			build := append(slices.Clone(flags), "-o", program, "testdata/thunk.c", filepath.Join(dir, "libfake.so"), "-lpthread", "-Wl,-rpath,"+dir)
			if len(target.run) == 0 { // a C++ compiler for another machine may be missing
				object := filepath.Join(dir, "throw.o")
				need(t, "g++")
				cxx := target
				cxx.cc = "g++"
				cxx.compile(t, append(slices.Clone(flags), "-c", "-o", object, "testdata/throw.cc")...)
				build = append(build, "-DCXX", object, "-lstdc++")
			}
			target.compile(t, build...)
			command := append(target.run, program)
			out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
			require.NoError(t, err, string(out))
			assert.Contains(t, string(out), "thunk ok")
		})
	}
}

// need skips the test if a command is not installed, or fails it if everything must be installed (WI4GO_CI=1).
func need(t *testing.T, command string) {
	t.Helper()
	if _, err := exec.LookPath(command); err == nil {
		return
	}
	if os.Getenv("WI4GO_CI") == "1" {
		t.Fatalf("%s is not installed, and WI4GO_CI=1 requires that every test runs", command)
	}
	t.Skipf("%s is not installed", command)
}

// build compiles the fake front, a shared library, and the program linked with it. It returns the paths of both.
func (g target) build(t *testing.T) (library, program string) {
	t.Helper()
	dir, flags := g.library(t)
	library, program = filepath.Join(dir, "libfake.so"), filepath.Join(dir, "harness")
	g.compile(t, append(flags, "-o", program, "testdata/harness.c", library, "-Wl,-rpath,"+dir)...)
	return library, program
}

// library compiles the fake front, libfake.so, and returns its directory and the flags for C.
func (g target) library(t *testing.T) (dir string, flags []string) {
	t.Helper()
	need(t, g.cc)
	if len(g.run) > 0 {
		need(t, g.run[0])
	}
	dir = t.TempDir()
	front := filepath.Join("..", "..", "shim", "front")
	flags = g.with("-O2", "-g", "-Wall", "-Wextra", "-Wno-cast-function-type", "-fexceptions", "-I.", "-Itestdata", "-I"+front)
	link := []string{"-shared", "-fPIC", "-o", filepath.Join(dir, "libfake.so"), "testdata/stubs.S", "testdata/fake.c", "trampoline.S",
		filepath.Join(front, "trampolines.c"), filepath.Join(front, "thunk.c"), "-Wl,-z,noexecstack,-z,now,-z,relro,-z,defs,-soname,libfake.so"}
	if g.property != 0 {
		// The C library's start files have no landing pads.
		link = append(link, "-nostartfiles")
	}
	g.compile(t, append(flags, link...)...)
	return dir, flags
}

// with returns flags, followed by the target's own.
func (g target) with(flags ...string) []string { return append(flags, g.flags...) }

func (g target) compile(t *testing.T, args ...string) {
	t.Helper()
	out, err := exec.Command(g.cc, args...).CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", g.cc, strings.Join(args, " "), out)
	assert.Empty(t, string(out), "warnings")
}

// look checks the linked stubs: their symbols, and the property for protected branches.
func (g target) look(t *testing.T, library string) {
	t.Helper()
	f, err := elf.Open(library)
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	require.NoError(t, err)
	bindings := map[string]elf.SymBind{"MPI_f": elf.STB_WEAK, "PMPI_f": elf.STB_GLOBAL}
	stubs := 0
	for _, s := range symbols {
		binding, ok := bindings[strings.TrimRight(s.Name, "0123456789")]
		if !ok {
			assert.NotContains(t, s.Name, "wi4go_", "an internal symbol is exported")
			continue
		}
		stubs++
		assert.Equal(t, binding, elf.ST_BIND(s.Info), s.Name)
		assert.Equal(t, elf.STT_FUNC, elf.ST_TYPE(s.Info), s.Name)
		assert.NotZero(t, s.Size, s.Name)
		assert.LessOrEqual(t, s.Size, uint64(16), s.Name)
	}
	assert.Equal(t, 1400, stubs)
	for _, segment := range f.Progs {
		assert.False(t, segment.Flags&elf.PF_W != 0 && segment.Flags&elf.PF_X != 0, "a writable and executable segment: %v", segment.Type)
	}
	if g.property != 0 {
		note := f.Section(".note.gnu.property")
		require.NotNil(t, note, "the library has no note about branch protection")
		data, err := note.Data()
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(data), 28)
		assert.EqualValues(t, g.property, f.ByteOrder.Uint32(data[16:]))
		assert.EqualValues(t, g.bits, f.ByteOrder.Uint32(data[24:])&g.bits)
	}
}
