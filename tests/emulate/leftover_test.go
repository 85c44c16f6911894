package emulate

import (
	"bytes"
	"context"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// leftover runs programs/leftover.c, compiled by one family, on the library of another through the
// fronts of an installation, and returns wi4go's messages.
func leftover(t *testing.T, prefix, from, to string, args ...string) string {
	t.Helper()
	find := func(name string) harness.Toolchain {
		tools, err := harness.Find(name)
		if err != nil {
			harness.Missing(t, err)
		}
		return tools
	}
	program, theirs := filepath.Join(t.TempDir(), "leftover"), filepath.Join(t.TempDir(), "theirs")
	source := filepath.Join("programs", "leftover.c")
	require.NoError(t, find(from).Compile(source, program))
	require.NoError(t, find(to).Compile(source, theirs))
	through, err := harness.NewThrough(prefix, program, from, theirs)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := find(to).Launch(ctx, 2, append(append(through.Env(), "WI4GO_HANDLES=report", program), args...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Run(), said.String())
	return said.String()
}

// At the end wi4go reports the handles that are left, in each of its tables.
func TestLeftover(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	const one = `wi4go: rank 0: not freed at MPI_Finalize: 1 MPI_Comm \(0x84[0-9a-f]{6}\), 1 MPI_Datatype \(0x8c[0-9a-f]{6}\)\n`
	const two = `wi4go: rank 1: not freed at MPI_Finalize: 2 MPI_Comm \(0x84[0-9a-f]{6}, 0x84[0-9a-f]{6}\), 1 MPI_Datatype \(0x8c[0-9a-f]{6}\)\n`
	for _, to := range []string{"openmpi", "mpich-5.0-abi"} {
		said := leftover(t, prefix, "mpich", to)
		assert.Regexp(t, one, said)
		assert.Regexp(t, two, said)
		said = leftover(t, prefix, "mpich", to, "free")
		assert.NotContains(t, said, "not freed")
		for _, rank := range []string{"0", "1"} {
			assert.Contains(t, said, "wi4go: rank "+rank+": every handle is freed at MPI_Finalize\n")
		}
	}
	said := leftover(t, prefix, "openmpi", "mpich")
	assert.Contains(t, said, "wi4go: WI4GO_HANDLES has no effect on ")
	assert.NotContains(t, said, "not freed")
}

// The debug build of the core reports the same, with go-deadlock's locks.
func TestDebugCore(t *testing.T) {
	harness.All.From(t, "it builds a separate core")
	if testing.Short() {
		t.Skip("builds the core")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	tree := t.TempDir()
	build := exec.Command("make", "-C", filepath.Join("..", ".."), "core", "B="+tree, "TAGS=wi4go_debug")
	build.Env = append(os.Environ(), "MAKEFLAGS=", "MFLAGS=") // set by a make that runs the tests
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	core, err := elf.Open(filepath.Join(tree, "lib", "wi4go", "libwi4go.so"))
	require.NoError(t, err)
	defer core.Close()
	text, err := core.Section(".gopclntab").Data()
	if err != nil {
		text, err = core.Section(".data.rel.ro.gopclntab").Data()
	}
	require.NoError(t, err)
	assert.True(t, bytes.Contains(text, []byte("go-deadlock.(*Mutex).Lock")), "the locks are go-deadlock's")
	out, err = exec.Command("cp", "-a", filepath.Join(prefix, "lib", "wi4go", "mpich"), filepath.Join(tree, "lib", "wi4go")).CombinedOutput()
	require.NoError(t, err, string(out))
	said := leftover(t, tree, "mpich", "openmpi")
	assert.Contains(t, said, "wi4go: rank 0: not freed at MPI_Finalize: 1 MPI_Comm")
	assert.NotContains(t, said, "POTENTIAL DEADLOCK")
}
