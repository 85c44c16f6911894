// Package fakempi creates, for tests, fake MPI installations that consist of a library of a few
// functions and a launcher of a few lines, and programs linked to them. With these, discovery
// and launching are tested without any MPI.
//
// It must not be imported outside of tests, and knows nothing of the packages that it tests,
// except the sonames in abi.
package fakempi

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

// Need skips the test if command is not installed. It fails the test instead if WI4GO_CI=1,
// which means that every requirement should be installed.
func Need(t testing.TB, command string) {
	t.Helper()
	if _, err := exec.LookPath(command); err == nil {
		return
	}
	if os.Getenv("WI4GO_CI") == "1" {
		t.Fatalf("%s is not installed, and WI4GO_CI=1 requires that every test runs", command)
	}
	t.Skipf("%s is not installed", command)
}

// Compile compiles C source to out and returns out. flags (libraries) follow the source on the
// command line.
func Compile(t testing.TB, source, out string, flags ...string) string {
	t.Helper()
	Need(t, "gcc")
	require.NoError(t, os.MkdirAll(filepath.Dir(out), 0o755))
	file := filepath.Join(t.TempDir(), "source.c")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
	output, err := exec.Command("gcc", append([]string{"-w", "-o", out, file}, flags...)...).CombinedOutput()
	require.NoError(t, err, string(output))
	return out
}

// Shared compiles a shared library with a soname and returns its path.
func Shared(t testing.TB, source, out, soname string, flags ...string) string {
	t.Helper()
	return Compile(t, source, out, append([]string{"-shared", "-fPIC", "-Wl,-soname," + soname}, flags...)...)
}

// Script writes an executable file and returns its path.
func Script(t testing.TB, path, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	return path
}

// library returns the source of a fake MPI. MPI_Init prints name and, if WI4GO_TO is set, the
// runtime in it; MPI_Finalize takes FAKEMPI_LINGER milliseconds. The source contains prefix, so
// that no two libraries have the same content.
func library(prefix, name, version, extra string) string {
	return fmt.Sprintf(`
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int PMPI_Init(int *c, char ***v) {
	const char *to = getenv("WI4GO_TO");
	printf("served by %%s%%s%%s\n", %q, to ? " for " : "", to ? to : "");
	return 0;
}
int MPI_Init(int *c, char ***v) { return PMPI_Init(c, v); }
int MPI_Finalize(void) {
	const char *linger = getenv("FAKEMPI_LINGER");
	fflush(stdout);
	return linger ? usleep(1000 * atoi(linger)) : 0;
}
const char fakempi_version[] = %q;
int PMPI_Get_library_version(char *text, int *n) { strcpy(text, fakempi_version); *n = strlen(text); return 0; }
int PMPI_Get_version(int *v, int *s) { *v = 3; *s = 1; return 0; }
int PMPI_T_init_thread(int want, int *got) {
#ifdef FAKEMPI_T_DIES
	abort();
#endif
	*got = want < 2 ? want : 2;
	return 0;
}
const char fakempi_prefix[] = %q;
%s
`, name, version, prefix, extra)
}

// OpenMPI makes a fake Open MPI under prefix and returns its library. flags are the linker's.
func OpenMPI(t testing.TB, prefix string, flags ...string) string {
	t.Helper()
	Script(t, filepath.Join(prefix, "bin/mpiexec"), openMPILauncher)
	return Shared(t, library(prefix, "Open MPI", "Open MPI v4.1.4, package: fake", "long ompi_mpi_comm_world[64];"),
		filepath.Join(prefix, "lib/libmpi.so.40"), "libmpi.so.40", flags...)
}

// MPICH makes a fake MPICH under prefix and returns its library. extra is more C code, flags
// are the linker's.
func MPICH(t testing.TB, prefix, soname, extra string, flags ...string) string {
	t.Helper()
	Script(t, filepath.Join(prefix, "bin/mpiexec"), hydra)
	return Shared(t, library(prefix, "MPICH", "MPICH Version:\t4.0.2\nMPICH Release date:\tnever", extra),
		filepath.Join(prefix, "lib", soname), soname, flags...)
}

// Embedded makes a fake embedded MPI in the installation of wi4go under prefix, which does not
// have the functions in lacking, and returns its library. It defines each of them, to refuse calls.
func Embedded(t testing.TB, prefix string, lacking ...string) string {
	t.Helper()
	prefix = filepath.Join(prefix, "lib/wi4go/runtimes/embedded")
	Script(t, filepath.Join(prefix, "bin/mpiexec"), strings.Replace(hydra, "HYDRA", "The launcher of wi4go's embedded MPI", 1))
	extra := "int MPI_Abi_get_version(int *a, int *b) { return 0; }\n"
	for _, name := range lacking {
		extra += "int " + name + "(void) { return 52; }\n"
	}
	extra += fmt.Sprintf("const char lacking[] __attribute__((section(\".wi4go.lacking\"), used)) = %q;", strings.Join(lacking, "\n"))
	return Shared(t, library(prefix, "embedded", "wi4go embedded MPI 1.0", extra), filepath.Join(prefix, "lib/libwi4go-embedded.so.1"), "libwi4go-embedded.so.1")
}

// IntelMPI makes a fake Intel MPI under prefix, in the layout of its packages, and returns its
// library.
func IntelMPI(t testing.TB, prefix, version string) string {
	t.Helper()
	Script(t, filepath.Join(prefix, "bin/mpiexec.hydra"), hydra)
	return Shared(t, intel(prefix, version, ""),
		filepath.Join(prefix, "lib/libmpi.so.12"), "libmpi.so.12")
}

// IntelABI adds to a fake Intel MPI its library of the standard ABI, and a program as linked by
// Intel's wrapper. It returns the paths of both.
func IntelABI(t testing.TB, prefix, version string) (library, program string) {
	t.Helper()
	lib := filepath.Join(prefix, "lib")
	library = Shared(t, intel(prefix, version, "int MPI_Comm_set_errhandler(void) { return 0; }"), filepath.Join(lib, "libmpi_abi.so.1"), "libmpi_abi.so.1")
	program = Compile(t, "int MPI_Init(void *, void *), MPI_Comm_set_errhandler(void); int main() { return MPI_Init(0, 0) + MPI_Comm_set_errhandler(); }",
		filepath.Join(prefix, "app"), library, "-Wl,--enable-new-dtags,-rpath,"+lib+"/release,-rpath,"+lib)
	return library, program
}

// intel returns the source of a fake Intel MPI; extra is more C code.
func intel(prefix, version, extra string) string {
	return library(prefix, "Intel MPI", "Intel(R) MPI Library "+version+" for Linux* OS\n", extra)
}

// MVAPICH makes a fake MVAPICH under prefix and returns its library.
func MVAPICH(t testing.TB, prefix, version string) string {
	t.Helper()
	Script(t, filepath.Join(prefix, "bin/mpiexec"), hydra)
	return Shared(t, library(prefix, "MVAPICH", "MVAPICH2 Version      :\t"+version+"\nMVAPICH2 Release date :\tnever\n", ""),
		filepath.Join(prefix, "lib/libmpi.so.12"), "libmpi.so.12")
}

// CrayMPICH makes a fake Cray MPICH under root (/opt/cray/pe in the original) and returns its
// library. It has a prefix for each compiler and no launcher.
func CrayMPICH(t testing.TB, root, version string) string {
	t.Helper()
	prefix := filepath.Join(root, "mpich/"+version+"/ofi/gnu/9.1")
	return Shared(t, library(prefix, "Cray MPICH", "MPI VERSION    : CRAY MPICH version "+version+" (ANL base 3.4a2)\n", ""),
		filepath.Join(prefix, "lib/libmpi_gnu_91.so.12"), "libmpi_gnu_91.so.12")
}

// Version is the version in the libraries of a fake installation of wi4go.
const Version = "1.2.3"

// versionMark is C code that stores Version in a library, as wi4go's own libraries do.
const versionMark = `const char wi4go_version[] __attribute__((section(".wi4go"), used)) = "` + Version + `";`

// auditor is the source of a fake auditor, which redirects nothing.
const auditor = `
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
unsigned la_version(unsigned version) {
	const char *mode = getenv("WI4GO_AUDIT");
	if (mode && !strcmp(mode, "probe")) {
		write(1, "2", 1);
		_exit(0);
	}
	return version;
}
`

// Front makes a fake front of a family under a fake installation of wi4go, with its stand-ins,
// and returns its path. It has one function more than the fake libraries, MPI_Send_c. extra is
// more C code. A family that has a Fortran library of wi4go's, such as Open MPI's, gets one
// with a single function.
func Front(t testing.TB, prefix, family string, extra ...string) string {
	t.Helper()
	installed := filepath.Join(prefix, "lib/wi4go")
	Shared(t, versionMark, filepath.Join(installed, "libwi4go.so"), "libwi4go.so")
	Shared(t, auditor+versionMark, filepath.Join(installed, "audit.so"), "audit.so")
	standIn(t, filepath.Join(installed, "standin.so"), strings.Repeat("S", room), strings.Repeat("N", room))
	head, err := abi.Head(family)
	require.NoError(t, err)
	sonames := head.Sonames["c"]
	for i, soname := range sonames {
		if i > 0 {
			standIn(t, filepath.Join(installed, family, soname), soname, "$ORIGIN/"+sonames[0])
		}
		standIn(t, filepath.Join(installed, family, "preload", soname), soname, "$ORIGIN/../"+sonames[0])
		link(t, installed, family, soname, sonames[0])
	}
	for _, part := range head.Sonames["parts"] {
		standIn(t, filepath.Join(installed, family, "preload", part), part, "$ORIGIN/../"+sonames[0])
		link(t, installed, family, part, sonames[0])
	}
	if len(head.Fortran.Sources) > 0 {
		fortran := head.Sonames["fortran"][0]
		Shared(t, "int mpi_barrier_(void) { return 0; }", filepath.Join(installed, family, fortran), fortran)
		standIn(t, filepath.Join(installed, family, "preload", fortran), fortran, "$ORIGIN/../"+fortran)
		for _, soname := range head.Sonames["fortran"] {
			link(t, installed, family, soname, fortran)
		}
	}
	Shared(t, "void ompi_proc_all(void) {}", filepath.Join(installed, family, "own.so"), "wi4go_own_"+family+".so")
	for _, soname := range head.Sonames["cxx"] {
		standIn(t, filepath.Join(installed, family, "cxx", soname, soname), soname, "$ORIGIN/../../"+sonames[0])
	}
	return Shared(t, library(prefix, "front "+family, "", "long ompi_mpi_comm_world[64]; int MPI_Send_c(void) { return 0; }"+
		versionMark+strings.Join(extra, "")),
		filepath.Join(installed, family, sonames[0]), sonames[0])
}

// link puts name into the directory for LD_LIBRARY_PATH, as a link to the fake installation's
// library of a family.
func link(t testing.TB, installed, family, name, library string) {
	t.Helper()
	path := filepath.Join(installed, family, "path", name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.RemoveAll(path))
	require.NoError(t, os.Symlink("../"+library, path))
}

// blank caches the content of a library without symbols that has room for its soname (S) and
// for the path of the one library that it needs (N).
var blank struct {
	sync.Mutex
	content []byte
}

// room is the number of bytes for each of the two names.
const room = 4096

// standIn writes a copy of the blank library with a soname and a needed library to out.
func standIn(t testing.TB, out, soname, needed string) {
	t.Helper()
	content := readBlank(t)
	for mark, name := range map[string]string{"S": soname, "N": needed} {
		content = bytes.Replace(content, bytes.Repeat([]byte(mark), room), append([]byte(name), make([]byte, room-len(name))...), 1)
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(out), 0o755))
	require.NoError(t, os.WriteFile(out, content, 0o755))
}

// readBlank returns the content of the blank library, which it compiles on the first call.
func readBlank(t testing.TB) []byte {
	t.Helper()
	blank.Lock()
	defer blank.Unlock()
	if blank.content == nil {
		dir := t.TempDir()
		other := Shared(t, "", filepath.Join(dir, "other.so"), strings.Repeat("N", room))
		file := Shared(t, versionMark, filepath.Join(dir, "blank.so"), strings.Repeat("S", room), "-nostdlib", "-Wl,--no-as-needed", other)
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		blank.content = content
	}
	return blank.content
}

// Program makes an MPI program that is linked to library, and returns its path. The program's
// first argument is its exit code; its second is a signal with which it kills itself.
func Program(t testing.TB, out, library string, flags ...string) string {
	t.Helper()
	body := ""
	if strings.Contains(library, "libmpi.so.40") {
		body = "extern long ompi_mpi_comm_world[64]; void *keep(void) { return ompi_mpi_comm_world; }"
	}
	return Compile(t, body+`
#include <signal.h>
#include <stdlib.h>
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	MPI_Finalize();
	if (argc > 2) raise(atoi(argv[2]));
	return argc > 1 ? atoi(argv[1]) : 0;
}`, out, append([]string{library, "-Wl,--enable-new-dtags,-rpath," + filepath.Dir(library)}, flags...)...)
}

// ForMachine writes a copy of an ELF file for another machine to to, and returns to. machine is
// the e_machine of the copy (183 is arm64, 62 x86-64).
func ForMachine(t testing.TB, from, to string, machine byte) string {
	t.Helper()
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	data[18], data[19] = machine, 0
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	require.NoError(t, os.WriteFile(to, data, 0o755))
	return to
}

// The launchers run one process per program, one after the other, and print their own
// LD_PRELOAD. wi4go recognizes a launcher by the first comment.
const openMPILauncher = `#!/bin/sh
# orterun
echo "launcher preload <$LD_PRELOAD>"
export_list=
while [ $# -gt 0 ]; do
	case $1 in
	-x) export_list="$export_list $2"; shift 2 ;;
	-n|--hostfile|--bind-to) shift 2 ;;
	--mca) shift 3 ;;
	-*) shift ;;
	*) break ;;
	esac
done
exec env $export_list "$@"
`

const hydra = `#!/bin/sh
# HYDRA
echo "launcher preload <$LD_PRELOAD>"
export_list=
while [ $# -gt 0 ]; do
	case $1 in
	-genv) export_list="$export_list $2=$3"; shift 3 ;;
	-n|-f|-bind-to) shift 2 ;;
	-*) shift ;;
	*) break ;;
	esac
done
exec env $export_list "$@"
`
