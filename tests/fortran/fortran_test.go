// Package fortran runs Fortran programs, in each of the three bindings, natively and through wi4go:
// on libraries of both families, and on some that have no Fortran.
package fortran

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/elfobj"
	"wi4go/internal/ldso"
	"wi4go/tests/harness"
)

// runTimeout ends a run that hangs. The longest run takes seconds.
const runTimeout = 3 * time.Minute

func TestMain(m *testing.M) { harness.Main(m) }

// bindings are the Fortran bindings by their names in programs/check.h. `use mpi` has mpif.h's
// procedures.
var bindings = func() []string {
	if !harness.All.Runs() {
		return []string{"MPIF", "F08"}
	}
	return []string{"MPIF", "MOD", "F08"}
}()

// runtimes are the libraries that do the work. All except Debian's have no Fortran.
var runtimes = []string{"openmpi", "openmpi-5.0", "mpich-5.0", "intelmpi-2021.18"}

var passed = regexp.MustCompile(`(?m)^[1-9]\d* checks passed$`)

// Programs built with MPICH 4.0 run over their own Fortran library, if wi4go's does not replace it.
func TestMPICHOwn(t *testing.T) {
	mpich := find(t, "mpich")
	for _, binding := range bindings {
		t.Run(binding, func(t *testing.T) {
			t.Parallel()
			procedures, attributes := compile(t, mpich, binding, "procedures"), compile(t, mpich, binding, "attributes")
			run(t, mpich, nil, procedures)
			run(t, mpich, nil, attributes)
			identity := mpich
			identity.MPIExec = wi4go(t)
			run(t, identity, []string{"run", "--to", mpich.MPIExec, "--identity"}, procedures)
			translated := compile(t, mpich, binding, "attributes", "-DTRANSLATED")
			on := runtimes[:1]
			if binding == "F08" {
				on = []string{"openmpi", "mpich-5.0"}
			}
			for _, to := range on {
				t.Run(to, func(t *testing.T) {
					t.Parallel()
					tools := find(t, to)
					over(t, tools, procedures)
					if tools.Family() == mpich.Family() {
						over(t, tools, attributes)
					} else {
						over(t, tools, translated)
					}
				})
			}
		})
	}
}

// Programs built with MPICH run over wi4go's Fortran library, which replaces a Fortran library of
// either name, even if the machine has none.
func TestMPICH(t *testing.T) {
	mpich := find(t, "mpich")
	for _, binding := range bindings {
		t.Run(binding, func(t *testing.T) {
			t.Parallel()
			through(t, find(t, "openmpi"), compile(t, mpich, binding, "procedures")) // libmpichfort.so.12
			without := func(name string, flags ...string) string {
				program := compile(t, mpich, binding, name, append(flags, "-DTRANSLATED")...)
				upstream(t, program)
				return program
			}
			programs := []string{without("procedures"), without("attributes"), without("frequent")}
			further := "classic" // MPICH 4.0 itself may crash when it calls Fortran's error handler of a file
			if binding == "F08" {
				run(t, mpich, nil, compile(t, mpich, binding, "sections"))
				programs = append(programs, without("sections"))
				further = "modern" // MPICH 4.0 itself counts indices from 0
			}
			staying, spawning := without(further), without(further, "-DSPAWN")
			on := append([]string{"mpich"}, runtimes...)
			if binding == "MOD" { // it has mpif.h's procedures
				on = []string{"openmpi", "mpich-5.0"}
			}
			for _, to := range on {
				t.Run(to, func(t *testing.T) {
					t.Parallel()
					tools := find(t, to)
					for _, program := range programs {
						through(t, tools, program)
					}
					if to == "mpich" { // Debian's cannot spawn processes
						through(t, tools, staying)
					} else {
						through(t, tools, spawning)
					}
				})
			}
		})
	}
}

// Programs of both families have the same results natively and through wi4go in areas that other
// programs leave out, and when C and Fortran are mixed.
func TestFurther(t *testing.T) {
	for _, from := range harness.Names {
		for _, binding := range bindings {
			t.Run(from+"/"+binding, func(t *testing.T) {
				t.Parallel()
				tools := find(t, from)
				languages, further := compile(t, tools, binding, "languages"), compile(t, tools, binding, "further")
				spawning, all := compile(t, tools, binding, "further", "-DSPAWN"), compile(t, tools, binding, "further", "-DSPAWN", "-DPORTS")
				run(t, tools, nil, languages)
				if from == "mpich" { // Debian's has no dynamic processes
					run(t, tools, nil, further)
				} else {
					run(t, tools, nil, all)
				}
				for to, program := range map[string]string{
					"mpich": further, "mpich-5.0": spawning, "intelmpi-2021.18": all,
					"openmpi": all, "openmpi-5.0": further, // it finds no slots for spawned processes
				} {
					if to != from {
						t.Run(to, func(t *testing.T) {
							t.Parallel()
							through(t, find(t, to), languages)
							through(t, find(t, to), program)
						})
					}
				}
			})
		}
	}
}

// Programs of both families run on a library of the standard ABI, whose Fortran integers of dynamic
// handles are large.
func TestOnStandardABI(t *testing.T) {
	for _, from := range harness.Names {
		for _, binding := range bindings {
			t.Run(from+"/"+binding, func(t *testing.T) {
				t.Parallel()
				programs := []string{}
				for _, name := range []string{"procedures", "frequent", "languages", "further"} {
					programs = append(programs, compile(t, find(t, from), binding, name))
				}
				for to, programs := range map[string][]string{
					"mpich-5.0":        programs,
					"intelmpi-2021.18": programs[:3], // it crashes natively in a file's view of a distributed array
				} {
					t.Run(to, func(t *testing.T) {
						t.Parallel()
						on := find(t, to)
						library := filepath.Join(on.Root(), "lib", "libmpi_abi.so.1")
						on.MPIExec = wi4go(t)
						for _, program := range programs {
							run(t, on, []string{"run", "--to", library}, program)
						}
					})
				}
			})
		}
	}
}

// upstream makes the program need libmpifort.so.12, the name of the Fortran library in MPICH's own
// releases. Debian uses another name, and the machine has no file with this one.
func upstream(t *testing.T, program string) {
	t.Helper()
	const debian, others = "libmpichfort.so.12\x00", "libmpifort.so.12\x00\x00\x00"
	text, err := os.ReadFile(program)
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(text, []byte(debian)))
	require.NoError(t, os.WriteFile(program, bytes.ReplaceAll(text, []byte(debian), []byte(others)), 0o777))
}

// over runs the program with the front in place of its C library and with its own Fortran library.
func over(t *testing.T, on harness.Toolchain, program string) {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	needing := filepath.Join(t.TempDir(), "hello")
	require.NoError(t, on.Compile("../demo/hello.c", needing))
	library, err := harness.Library(needing)
	require.NoError(t, err)
	front := harness.Through{Front: filepath.Join(prefix, "lib/wi4go/mpich/preload/libmpich.so.12"), Library: library}
	run(t, on, nil, append(front.Env(), program)...)
}

// Programs built with Open MPI run over wi4go's Fortran library, without any file of Open MPI.
func TestOpenMPI(t *testing.T) {
	openmpi := find(t, "openmpi")
	for _, binding := range bindings {
		t.Run(binding, func(t *testing.T) {
			t.Parallel()
			procedures, frequent := compile(t, openmpi, binding, "procedures"), compile(t, openmpi, binding, "frequent")
			run(t, openmpi, nil, procedures)
			run(t, openmpi, nil, frequent)
			run(t, openmpi, nil, compile(t, openmpi, binding, "attributes"))
			attributes := compile(t, openmpi, binding, "attributes", "-DTRANSLATED")
			further, options := "classic", []string{"-DTRANSLATED"}
			if binding == "F08" {
				further, options = "modern", append(options, five(t)...)
			}
			run(t, openmpi, nil, compile(t, openmpi, binding, further, "-DSPAWN"))
			staying, spawning := compile(t, openmpi, binding, further, options...), compile(t, openmpi, binding, further, append(options, "-DSPAWN")...)
			if binding == "F08" { // its own library is too old
				through(t, openmpi, staying)
			}
			for _, to := range []string{"mpich", "mpich-5.0", "intelmpi-2021.18", "openmpi-5.0"} {
				t.Run(to, func(t *testing.T) {
					t.Parallel()
					tools := find(t, to)
					through(t, tools, procedures)
					through(t, tools, frequent)
					through(t, tools, attributes)
					// Debian's MPICH cannot spawn processes, and Open MPI 5 finds no slots for them.
					if to == "mpich" || to == "openmpi-5.0" {
						through(t, tools, staying)
					} else {
						through(t, tools, spawning)
					}
				})
			}
		})
	}
}

// A program linked with all libraries that the wrapper lists also has Open MPI 4's core, which must
// not precede another Open MPI's.
func TestWithCore(t *testing.T) {
	program := compile(t, find(t, "openmpi"), "MPIF", "procedures", "-Wl,--no-as-needed", "-lopen-pal")
	for _, to := range []string{"openmpi-5.0", "mpich"} {
		through(t, find(t, to), program)
	}
}

// Code compiled for a shared library does not copy the address constants of mpi_f08, but imports them.
func TestPositionIndependent(t *testing.T) {
	for _, from := range harness.Names {
		through(t, find(t, harness.Other(from)), compile(t, find(t, from), "F08", "procedures", "-fPIC"))
	}
}

// A program of Open MPI 5 that uses only a session: nothing is converted by a library that is not
// initialized.
func TestSessions(t *testing.T) {
	program := compile(t, find(t, "openmpi"), "F08", "sessions", five(t)...)
	for _, to := range []string{"openmpi", "openmpi-5.0", "mpich", "mpich-5.0", "intelmpi-2021.18"} {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			through(t, find(t, to), program)
		})
	}
}

// five returns the options for procedures of Open MPI 5, which are linked from wi4go's Fortran library.
func five(t *testing.T) []string {
	return []string{"-DFIVE", filepath.Join(prefix(t), "lib/wi4go/openmpi/libmpi_mpifh.so.40"), "-Wl,--allow-shlib-undefined"}
}

// If nothing is preloaded (for programs that a script starts without naming MPI), LD_LIBRARY_PATH
// leads to path/. It has wi4go's Fortran library under the names of all Fortran libraries of the
// family, including those that the machine lacks.
func TestPath(t *testing.T) {
	libraries := map[string]string{} // of the runtimes
	for _, name := range harness.Names {
		needing := filepath.Join(t.TempDir(), "hello")
		require.NoError(t, find(t, name).Compile("../demo/hello.c", needing))
		library, err := harness.Library(needing)
		require.NoError(t, err)
		libraries[name] = library
	}
	for _, from := range harness.Names {
		for _, binding := range bindings {
			tools, to := find(t, from), harness.Other(from)
			programs := map[string]string{from: compile(t, tools, binding, "procedures")}
			if from == "mpich" {
				programs["upstream"] = compile(t, tools, binding, "procedures")
				upstream(t, programs["upstream"])
			}
			for name, program := range programs {
				t.Run(name+"/"+binding, func(t *testing.T) {
					path := filepath.Join(prefix(t), "lib/wi4go", from, "path")
					run(t, find(t, to), nil, "env", "LD_LIBRARY_PATH="+path, "WI4GO_TO="+libraries[to], program)
				})
			}
		}
	}
}

// A C program does not load wi4go's Fortran library.
func TestOnlyFortran(t *testing.T) {
	openmpi, mpich := find(t, "openmpi"), find(t, "mpich")
	program := filepath.Join(t.TempDir(), "hello")
	text, err := exec.Command(openmpi.MPICC, "-o", program, "../demo/hello.c").CombinedOutput()
	require.NoError(t, err, "%s", text)
	t.Setenv("LD_DEBUG", "files")
	text, err = exec.Command(wi4go(t), "run", "--to", mpich.MPIExec, "-n", "1", program).CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(text), "libmpi.so.40")
	assert.NotContains(t, string(text), "libmpi_mpifh")
}

// exceptions are the symbols of Open MPI's Fortran libraries that wi4go's lacks.
var exceptions = map[string]*regexp.Regexp{
	"names for Open MPI's other Fortran libraries, which no program has": regexp.MustCompile(`^ompix?_\w+_f$`),
	"spellings that no compiler makes, of the same":                      regexp.MustCompile(`^P?MPIX?_\w+_f(08)?$`),
	"data and names of its own":                                          regexp.MustCompile(`^(ompi_intercept_extra_state_t_class|mpiext_pcollreq_mpifh_dummy)$`),
	"common blocks, which the front has":                                 regexp.MustCompile(`^mpi_fortran_\w+_$`),
}

// notYet matches symbols that only Open MPI 5 and 6 have.
var notYet = regexp.MustCompile(`^p?mpix_comm_(ack_failed|agree|failure_ack|failure_get_acked|get_failed|iagree|ishrink|is_revoked|revoke|shrink)_(f08_)?$`) // from a proposal that no other library implements completely

// wi4go's Fortran libraries have all symbols of the Fortran libraries of Open MPI 4.1 to 6.0, of
// MPICH 4.0 and of Intel MPI.
func TestSymbols(t *testing.T) {
	ours := layer(t, "openmpi/libmpi_mpifh.so.40")
	program := compile(t, find(t, "openmpi"), "F08", "attributes")
	tree, err := ldso.FromEnviron().Load(program)
	require.NoError(t, err)
	for _, name := range []string{"libmpi_mpifh.so.40", "libmpi_usempif08.so.40"} {
		library := tree.Find(name)
		require.NotNil(t, library, name)
		assert.Empty(t, missing(ours, exports(library.Object), exceptions), name)
	}
	for _, release := range []string{"5.0.7", "6.0.0"} {
		assert.Empty(t, missing(ours, openMPI(t, ours, release), exceptions), "Open MPI %s", release)
	}
	tree, err = ldso.FromEnviron().Load(compile(t, find(t, "mpich"), "F08", "attributes"))
	require.NoError(t, err)
	library := tree.Find("libmpichfort.so.12")
	require.NotNil(t, library)
	assert.Empty(t, missing(layer(t, "mpich/libmpifort.so.12"), exports(library.Object), exceptionsMPICH), "libmpichfort.so.12")
	intel, err := elfobj.Read(filepath.Join(find(t, "intelmpi-2021.18").Root(), "lib/libmpifort.so.12"))
	require.NoError(t, err)
	assert.Empty(t, missing(layer(t, "mpich/libmpifort.so.12"), exports(intel), exceptionsMPICH, exceptionsIntel), "libmpifort.so.12")
}

func layer(t *testing.T, name string) *elfobj.Object {
	t.Helper()
	ours, err := elfobj.Read(filepath.Join(prefix(t), "lib/wi4go", name))
	require.NoError(t, err)
	return ours
}

func exports(o *elfobj.Object) []string { return slices.Sorted(o.Exports()) }

// openMPI returns the names in the file of a release, including those that it omits.
func openMPI(t *testing.T, ours *elfobj.Object, release string) (names []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/openmpi-" + release + ".txt")
	require.NoError(t, err)
	ofModules := regexp.MustCompile(`_(f08(_c|ts)?|fts)_$`) // in one spelling
	alone := regexp.MustCompile(`_fn_|^mpi_fortran_`)       // without a profiling name
	for _, name := range strings.Fields(regexp.MustCompile(`(?m)^#.*`).ReplaceAllString(string(text), "")) {
		if notYet.MatchString(name) {
			assert.False(t, ours.Defines(name), "%s exists, although it is an exception", name)
			continue
		}
		names = append(names, name)
		base, isProcedure := strings.CutSuffix(name, "_")
		if !isProcedure || !strings.HasPrefix(name, "mpi_") || alone.MatchString(name) {
			continue
		}
		names = append(names, "p"+name)
		if !ofModules.MatchString(name) {
			names = append(names, base, base+"__", strings.ToUpper(base), "p"+base, "p"+base+"__", strings.ToUpper("p"+base))
		}
	}
	assert.Greater(t, len(names), 4000)
	return names
}

// exceptionsMPICH are the symbols of MPICH's Fortran library that wi4go's lacks.
var exceptionsMPICH = map[string]*regexp.Regexp{
	"internals, which no program calls":                            regexp.MustCompile(`^mpirinit[cf]_+$|^MPIR_F_|^MPI_F_(ARGVS?_NULL|ERRCODES_IGNORE)$|^__mpi_c_interface_`),
	"C's, of which the front has what programs use":                regexp.MustCompile(`^MPIR_(C|F08)_|^P?MPI_Status_(c2f08|f082c)$`),
	"constants, which compilers put into programs":                 regexp.MustCompile(`^__mpi_f08_compile_constants_`),
	"extensions without a number of the standard, refused by name": regexp.MustCompile(`(?i)^p?mpixr?_`),
	"conversions of data for large counts, refused by name":        regexp.MustCompile(`^mpi_register_datarep_c_|^pmpir_register_datarep_c_|_conversion_fn_null_c$`),
}

// exceptionsIntel are the missing symbols of Intel MPI's.
var exceptionsIntel = map[string]*regexp.Regexp{
	"the run-time library of Intel's compiler": regexp.MustCompile(`^__I_MPI_`),
	"the linker's": regexp.MustCompile(`^(__bss_start|_edata|_end|_fini|_init)$`),
	"C's conversions, which have no Fortran in the standard": regexp.MustCompile(`(?i)^p?mpi_\w+_toint_*$`),
	"modules of Intel's compiler, which hold no data":        regexp.MustCompile(`^p?mpi\w*\._$`),
	"internals, which no program calls":                      regexp.MustCompile(`^mpi_c_interface_|_f08_proxy$`),
	"mpi_f08 of Intel's compiler, refused by name":           regexp.MustCompile(`^p?mpi_f08_\w+_mp_`),
	"what asks for the standard ABI":                         regexp.MustCompile(`(?i)^p?mpi_abi_`),
	"no library here has them in C":                          regexp.MustCompile(`(?i)^p?mpir?_session_(attach|detach|i?flush)_buffer`),
}

// missing returns the names that wi4go's library does not define and that are not excepted.
func missing(ours *elfobj.Object, names []string, excepted ...map[string]*regexp.Regexp) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		for _, exceptions := range excepted {
			for _, names := range exceptions {
				if names.MatchString(name) {
					return true
				}
			}
		}
		return ours.Defines(name)
	})
}

// Programs that wi4go's Fortran library does not support are refused by name, with the reason:
// choice buffers of mpi_f08 that are descriptors of an unknown compiler, and modules of compilers
// other than gfortran.
func TestRefused(t *testing.T) {
	mpich, openmpi := find(t, "mpich"), find(t, "openmpi")
	for name, reason := range map[string]string{
		"mpi_send_f08ts_":                   "nothing in it needs libgfortran.so.5",
		"mpi_f08_types_mp_ompi_comm_op_eq_": "wi4go's Fortran library for Open MPI programs does not have it",
	} {
		dir := t.TempDir()
		source, library, program := filepath.Join(dir, "program.c"), filepath.Join(dir, "libmpi_usempif08.so.40"), filepath.Join(dir, "program")
		require.NoError(t, os.WriteFile(source, fmt.Appendf(nil, "#ifdef LIBRARY\nvoid %[1]s(void) { }\n#else\nvoid %[1]s(void); int main(void) { %[1]s(); }\n#endif\n", name), 0o666))
		for _, args := range [][]string{{"-shared", "-fPIC", "-DLIBRARY", "-Wl,-soname,libmpi_usempif08.so.40", "-o", library, source}, {"-o", program, source, library, "-Wl,-rpath," + dir}} {
			text, err := exec.Command(openmpi.MPICC, args...).CombinedOutput()
			require.NoError(t, err, "%s", text)
		}
		text, err := exec.Command(wi4go(t), "run", "--to", mpich.MPIExec, "-n", "1", program).CombinedOutput()
		assert.Error(t, err)
		assert.Contains(t, string(text), "calls Fortran MPI ("+name+" …)")
		assert.Contains(t, string(text), reason)
	}
}

// doctor and inspect report the same as run.
func TestDoctor(t *testing.T) {
	mpich, openmpi := find(t, "mpich"), find(t, "openmpi")
	for _, c := range []struct {
		from, to harness.Toolchain
		library  string
	}{{mpich, openmpi, "libmpichfort.so.12"}, {openmpi, mpich, "libmpi_usempif08.so.40"}} {
		program := compile(t, c.from, "F08", "attributes")
		text, err := exec.Command(wi4go(t), "doctor", "--to", c.to.MPIExec, program).Output()
		assert.NotContains(t, string(text), "(fortran)", err)
		assert.Contains(t, string(text), "translated onto", err)
		text, err = exec.Command(wi4go(t), "inspect", program, "--to", c.to.MPIExec).CombinedOutput()
		assert.NoError(t, err, string(text))
		assert.Contains(t, string(text), c.library)
	}
}

func find(t *testing.T, library string) harness.Toolchain {
	t.Helper()
	tools, err := harness.Find(library)
	if err != nil {
		harness.Missing(t, err)
	}
	return tools
}

func prefix(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	return prefix
}

func wi4go(t *testing.T) string {
	t.Helper()
	command := filepath.Join(prefix(t), "bin", "wi4go")
	if _, err := os.Stat(command); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", command, harness.ErrMissing))
	}
	return command
}

// compile compiles the program with the mpif90 next to the library's mpicc, and returns its path.
func compile(t *testing.T, tools harness.Toolchain, binding, name string, flags ...string) string {
	t.Helper()
	mpif90 := filepath.Join(filepath.Dir(tools.MPICC), strings.Replace(filepath.Base(tools.MPICC), "mpicc", "mpif90", 1))
	for _, needed := range []string{mpif90, "gfortran"} {
		if _, err := exec.LookPath(needed); err != nil {
			harness.Missing(t, fmt.Errorf("%s: Fortran: %w (%v)", tools.Name, harness.ErrMissing, err))
		}
	}
	sources, err := filepath.Abs("programs")
	require.NoError(t, err)
	dir := t.TempDir() // for the modules, too
	options := []string{"-cpp", "-D" + binding, "-D" + strings.ToUpper(tools.Family()), "-I" + sources, "-O1", "-g", "-w",
		"-ffree-line-length-none", "-fallow-argument-mismatch"}
	if c := filepath.Join(sources, name+".c"); exists(c) {
		flags = append(slices.Clone(flags), c)
	}
	program, source := filepath.Join(dir, name), filepath.Join(sources, name+".F90")
	require.NoError(t, harness.CacheFortran(mpif90, source, program, options, flags))
	return program
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// through runs the program on another library, as a user does, with the library's own arguments.
func through(t *testing.T, on harness.Toolchain, program string, arguments ...string) {
	t.Helper()
	to := on.MPIExec
	on.MPIExec = wi4go(t)
	run(t, on, []string{"run", "--to", to}, append([]string{program}, arguments...)...)
}

// lostMemory is MPICH 5.0.2's error if its UCX does not find the memory of a spawned process. It
// happens sometimes, natively as well (tests/conformance/native-failures.txt).
const lostMemory = "ucx_spawn.c 277 MPIDI_UCX_insert_upid"

// run starts two ranks of the program, which must pass. (Open MPI 4.1.4 creates no window for one rank.)
func run(t *testing.T, tools harness.Toolchain, options []string, program ...string) {
	t.Helper()
	stdout, stderr, err := outcome(t, tools, options, program...)
	for again := 0; again < 3 && strings.Contains(stderr, lostMemory); again++ {
		stdout, stderr, err = outcome(t, tools, options, program...)
	}
	require.NoError(t, err, "%s %s\n%s%s", tools.Name, strings.Join(program, " "), stdout, stderr)
	assert.Len(t, passed.FindAllString(stdout, -1), 1, "%s%s", stdout, stderr)
	assert.NotContains(t, stderr, "has different size in shared object", "the dynamic linker on a data symbol")
}

// outcome returns the output of two ranks of the program, and whether they end successfully.
func outcome(t *testing.T, tools harness.Toolchain, options []string, program ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	cmd := tools.Launch(ctx, 2, program...)
	cmd.Args = append(append(cmd.Args[:1:1], options...), cmd.Args[1:]...)
	cmd.Dir = t.TempDir()
	// Under load, MPICH 5.0's UCX does not find the shared memory of a spawned process through
	// /proc, natively as well.
	cmd.Env = append(cmd.Environ(), "UCX_POSIX_USE_PROC_LINK=n", "I_MPI_SPAWN=1") // Intel MPI requires it
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}
