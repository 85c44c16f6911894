package packages

import (
	"debug/elf"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The archive for arm64, made by a cross compiler: it has the same files as this machine's, the command starts under
// emulation, and a program of Open MPI's family runs by its front on a small library of MPICH's family.
func TestArm64(t *testing.T) {
	heavy(t)
	const compiler, emulator, sysroot = "aarch64-linux-gnu-gcc", "qemu-aarch64", "/usr/aarch64-linux-gnu"
	need(t, compiler, emulator)
	makes(t, "dist", "ARCH=aarch64")
	path := filepath.Join(top(t), "build/dist")
	all, err := filepath.Glob(filepath.Join(path, "wi4go-*-linux-aarch64.tar.gz"))
	require.NoError(t, err)
	require.Len(t, all, 1)
	checkArchive(t, all[0], elf.EM_AARCH64)

	dir := t.TempDir()
	must(t, dir, nil, "tar", "xzf", all[0], "--strip-components=1")
	out := must(t, dir, nil, emulator, "-L", sysroot, "bin/wi4go", "--version")
	assert.Contains(t, out, "wi4go")
	front, source := filepath.Join(dir, "lib/wi4go/openmpi/libmpi.so.40"), filepath.Join(top(t), "tests/arm64/programs")
	library, program := filepath.Join(dir, "libmpi.so.12"), filepath.Join(dir, "program")
	must(t, dir, nil, compiler, "-shared", "-fPIC", "-o", library, filepath.Join(source, "runtime.c"))
	must(t, dir, nil, compiler, "-o", program, filepath.Join(source, "program.c"), front)
	out = must(t, dir, nil, emulator, "-L", sysroot, "-U", "LD_PRELOAD", "-E", "LD_LIBRARY_PATH="+filepath.Dir(front), "-E", "WI4GO_TO="+library, program)
	assert.Equal(t, "arm64 ok\n", out)
}
