package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program is copied from build/test-programs until one of its headers changes. A test may change its copy.
func TestCompiledOnce(t *testing.T) {
	sources, err := os.MkdirTemp(".", "sources-") // programs from temporary directories are not kept
	require.NoError(t, err)
	defer os.RemoveAll(sources)
	header, source := filepath.Join(sources, "code.h"), filepath.Join(sources, "exits.c")
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o644)) }
	write(source, "#include \"code.h\"\nint main(void) { return CODE; }\n")
	out := filepath.Join(t.TempDir(), "exits")
	gcc := Toolchain{Name: "gcc", MPICC: "gcc", MPIExec: "gcc"}
	code := func(more ...string) int {
		require.NoError(t, gcc.Compile(source, out, more...))
		cmd := exec.Command(out)
		_ = cmd.Run() // its exit code is the result
		return cmd.ProcessState.ExitCode()
	}

	write(header, "#define CODE 3\n")
	store, err := compilation{"gcc", []string{"-O2", "-g", "-Wall", "-Wextra", "-Wno-stringop-overflow"}, out, source, nil, append(os.Environ(), "I_MPI_ROOT="+gcc.Root()), nil}.store()
	require.NoError(t, err)
	defer os.RemoveAll(store)
	assert.Equal(t, 3, code())
	require.FileExists(t, filepath.Join(store, "program"))
	require.NoError(t, os.WriteFile(out, []byte("#!/bin/sh\nexit 9\n"), 0o755))
	assert.Equal(t, 3, code())

	write(filepath.Join(store, "program"), "#!/bin/sh\nexit 5\n")
	assert.Equal(t, 5, code(), "it is copied from there")
	write(header, "#define CODE 44\n")
	assert.Equal(t, 44, code(), "the header has changed")
	assert.Equal(t, 44, code("-I"+t.TempDir()), "with a temporary directory it is compiled again")

	write(header, "#define CODE none\n")
	err = gcc.Compile(source, out)
	require.ErrorContains(t, err, "none")
	assert.NotContains(t, err.Error(), "-MF")
}

// Tests of several processes may store the same program at the same time.
func TestReplaceAtOnce(t *testing.T) {
	directory := t.TempDir()
	store := filepath.Join(directory, "store")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 200 {
				made, err := os.MkdirTemp(directory, fmt.Sprintf("made-%d-", i))
				if assert.NoError(t, err) && assert.NoError(t, os.WriteFile(filepath.Join(made, "program"), nil, 0o644)) {
					replace(made, store)
					assert.NoError(t, os.RemoveAll(made))
				}
			}
		})
	}
	all.Wait()
	replace(filepath.Join(directory, "none"), store)
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	for _, e := range entries {
		assert.NotContains(t, e.Name(), "-old")
	}
}
