package real

import (
	"context"
	"errors"
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

// python returns a Python with the published mpi4py, which has an extension for each family. A variable, which `wi4go
// run` also reads, chooses one.
func python(t *testing.T) string {
	t.Helper()
	python := os.Getenv("WI4GO_MPI4PY")
	if python == "" {
		harness.Missing(t, errors.Join(harness.ErrMissing, errors.New("mpi4py: set WI4GO_MPI4PY to a python3 that has it")))
	}
	return python
}

// One extension for each family runs on the other family: the script checks its results.
func TestMPI4Py(t *testing.T) {
	python := python(t)
	for abi, runtimes := range map[string][]string{
		"openmpi": {"intelmpi-2021.18", "mpich-5.0"},
		"mpich":   {"openmpi", "openmpi-5.0"},
	} {
		for _, runtime := range runtimes {
			t.Run(abi+"_"+runtime, func(t *testing.T) {
				j := job{
					program: python, family: abi, ranks: 2, args: []string{"objects.py"}, inputs: []string{"objects.py"},
					env: []string{"MPI4PY_MPIABI=" + abi},
				}
				assert.Equal(t, "PASS 2\n", j.through(t, runtime).stdout)
			})
		}
	}
}

// Without a choice the ranks use the extension for the runtime's family, whether or not the files show that mpi4py is
// imported.
func TestMPI4PyChosen(t *testing.T) {
	python := python(t)
	for _, runtime := range []string{"openmpi", "mpich", "mpich-5.0", "openmpi-5.0"} {
		t.Run(runtime, func(t *testing.T) {
			for _, args := range [][]string{{"objects.py"}, {"-c", "import runpy; runpy.run_path('objects.py')"}} {
				assert.Equal(t, "PASS 2\n", job{program: python, ranks: 2, args: args, inputs: []string{"objects.py"}}.through(t, runtime).stdout)
			}
			hello := job{program: python, ranks: 2, args: []string{"-m", "mpi4py.bench", "helloworld"}}.through(t, runtime).stdout
			assert.Contains(t, hello, "Hello, World! I am process 1 of 2 on ")
		})
	}
}

// On the embedded MPI, which has no windows and no files, with one to four ranks. tests/projects.sh runs mpi4py's own tests on it.
func TestMPI4PyEmbedded(t *testing.T) {
	python := python(t)
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	tools := harness.Toolchain{Name: "embedded", MPIExec: filepath.Join(prefix, "bin", "wi4go")}
	for _, abi := range []string{"", "openmpi", "mpich"} {
		for ranks := 1; ranks <= 4; ranks++ {
			t.Run(fmt.Sprintf("%s_%d", abi, ranks), func(t *testing.T) {
				j := job{args: []string{"objects.py", "embedded"}, inputs: []string{"objects.py"}}
				if abi != "" {
					j.env = []string{"MPI4PY_MPIABI=" + abi}
				}
				ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
				defer cancel()
				cmd := tools.Launch(ctx, ranks, python)
				cmd.Args = slices.Insert(cmd.Args, 1, "run", "--to", "embedded")
				assert.Equal(t, fmt.Sprintf("PASS %d\n", ranks), j.run(t, cmd).stdout)
			})
		}
	}
}

// An import that no file shows, in a console script or of a name that Python computes, selects an extension too, on every
// library: the published mpi4py has none for the embedded MPI and other libraries of the standard ABI.
func TestMPI4PyUnseen(t *testing.T) {
	python := python(t)
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	dir := t.TempDir()
	text := "import importlib, os\nMPI = importlib.import_module('mpi4' + 'py.MPI')\nos.write(1, b'rank of %d\\n' % MPI.COMM_WORLD.size)\n"
	for name, content := range map[string]string{"tool.py": text, "pack/__main__.py": text, "console": "#!" + python + "\n" + text, "job.sh": "#!/bin/sh\n" + python + " tool.py\n"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o755))
	}
	wi4go := filepath.Join(prefix, "bin", "wi4go")
	commands := [][]string{{python, "tool.py"}, {python, "-m", "pack"}, {"./console"}, {"./job.sh"}, {"env", "A=1", "./console"}, {wi4go, "exec", "./console"}}
	for _, name := range []string{"embedded", "mpich-5.0-abi", "intelmpi-2021.18-abi", "openmpi", "mpich"} {
		t.Run(name, func(t *testing.T) {
			to := name
			if abi, found := strings.CutSuffix(name, "-abi"); found {
				tools, err := harness.Find(abi)
				if err != nil {
					harness.Missing(t, err)
				}
				to = filepath.Join(tools.Root(), "lib", "libmpi_abi.so.1")
			}
			for _, command := range commands {
				ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
				cmd := exec.CommandContext(ctx, wi4go, append([]string{"run", "--to", to, "-n", "2"}, command...)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), harness.YieldVariables()...)
				out, err := cmd.Output()
				cancel()
				assert.NoError(t, err, command)
				assert.Equal(t, "rank of 2\nrank of 2\n", string(out), command)
			}
		})
	}
}
