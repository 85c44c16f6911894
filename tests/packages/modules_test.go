package packages

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// lmod returns the command of Lmod. Its Debian package conflicts with environment modules, so it is unpacked.
func lmod(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(top(t), "build/tools/lmod")
	pattern := filepath.Join(dir, "usr/share/lmod/[0-9]*/libexec/lmod")
	found, err := filepath.Glob(pattern)
	require.NoError(t, err)
	if len(found) == 0 {
		need(t, "apt-get", "dpkg-deb")
		require.NoError(t, os.MkdirAll(dir, 0o755))
		must(t, dir, nil, "sh", "-ec", "apt-get download -q lmod && dpkg-deb -x lmod_*.deb . && rm lmod_*.deb")
		found, err = filepath.Glob(pattern)
		require.NoError(t, err)
	}
	require.Len(t, found, 1)
	return found[0]
}

// The results of a project's own build with wi4go-mpi loaded: CMake's FindMPI, autoconf by MPICC, Meson's dependency,
// pkg-config. $SOURCES is the repository, $TO the runtime.
const builds = `
module_load wi4go
command -v wi4go
test -z "${MPICC:-}"
module_load wi4go-mpi
test "$(command -v "$MPICC")" = "$(command -v mpicc)"
cmake -S "$SOURCES/tests/interface/cmake" -B cmake >log 2>&1 || { cat log; exit 1; }
cmake --build cmake >log 2>&1 || { cat log; exit 1; }
grep -q "$MPI_HOME/include" cmake/CMakeCache.txt
mkdir -p auto meson
cp "$SOURCES/tests/demo/hello.c" meson/
cat >auto/configure.ac <<'EOF'
AC_INIT([hello], [1])
AC_CHECK_PROGS([MPICC], [mpcc cc])
CC=$MPICC
AC_PROG_CC
AC_CHECK_FUNC([MPI_Init], [], [AC_MSG_ERROR([no MPI])])
AC_CONFIG_FILES([which])
AC_OUTPUT
EOF
echo @CC@ >auto/which.in
(cd auto && autoconf && ./configure >../log 2>&1) || { cat log; exit 1; }
test "$(cat auto/which)" = "$MPICC"
cat >meson/meson.build <<'EOF'
project('hello', 'c')
executable('hello', 'hello.c', dependencies: dependency('mpi', language: 'c'), install_rpath: get_option('libdir'))
EOF
meson setup meson/build meson >log 2>&1 || { cat log; exit 1; }
meson compile -C meson/build >log 2>&1 || { cat log; exit 1; }
mpiexec --to "$TO" -n 2 meson/build/hello
eval "gcc -o byname '$SOURCES/tests/demo/hello.c' $(pkg-config --cflags --libs mpi)"
mpiexec --to "$TO" -n 2 ./byname
module_unload wi4go-mpi
test -z "${MPICC:-}${MPI_HOME:-}"
echo unloaded
`

// The module files, in Tcl by environment modules and in Lua by Lmod, lead to the tree that contains them, wherever
// that is unpacked, also below a directory with a space in its name.
func TestModules(t *testing.T) {
	heavy(t)
	need(t, "cmake", "autoconf", "pkg-config")
	meson := environment(t, "meson", "ninja")
	for name, start := range map[string]string{
		"Tcl": ". /usr/share/modules/init/sh\nmodule use \"$MODULES\"\nmodule_load() { module load $1; }\nmodule_unload() { module unload $1; }\n",
		"Lua": "export MODULEPATH=\"$MODULES\"\nmodule_load() { eval \"$($LMOD bash load $1)\"; }\nmodule_unload() { eval \"$($LMOD bash unload $1)\"; }\n",
	} {
		for _, place := range []string{"tree", "a tree"} {
			t.Run(name+"/"+place, func(t *testing.T) {
				if _, err := os.Stat("/usr/share/modules/init/sh"); err != nil && name == "Tcl" {
					harness.Missing(t, fmt.Errorf("environment-modules: %w; install it", harness.ErrMissing))
				}
				tree := filepath.Join(t.TempDir(), place)
				require.NoError(t, os.Rename(unpacked(t), tree))
				env := []string{"MODULES=" + filepath.Join(tree, "share/wi4go/modulefiles"), "SOURCES=" + top(t), "TO=" + found(t, "mpich").MPIExec,
					"PATH=" + filepath.Join(meson, "bin") + ":" + os.Getenv("PATH")}
				if name == "Lua" {
					env = append(env, "LMOD="+lmod(t))
				}
				out := must(t, t.TempDir(), env, "bash", "-ec", start+builds)
				assert.Contains(t, out, filepath.Join(tree, "bin/wi4go"))
				assert.Contains(t, out, "built for    the standard ABI")
				assert.Contains(t, out, "unloaded")
			})
		}
	}
}

// Both languages set the same variables.
func TestModulesAgree(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"wi4go", "wi4go-mpi"} {
		settings := func(file, pattern string) string {
			return must(t, filepath.Join(top(t), "packaging/modules"), nil, "sed", "-nE", pattern, file)
		}
		tcl := settings(name+".tcl", `s/^(setenv|prepend-path) (\w+).*/\2/p`)
		lua := settings(name+".lua", `s/^(setenv|prepend_path)\("(\w+)".*/\2/p`)
		assert.Equal(t, tcl, lua, name)
		assert.NotEmpty(t, tcl)
	}
}
