package packages

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// The umask changes neither the bytes of a package nor the modes of the files in it. The tree has only a part of each kind
// of files.
func TestUmask(t *testing.T) {
	heavy(t)
	need(t, "python3", "tar", "gzip")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	scripts := []string{"dist.sh", "wheel.py", "native.sh"}
	packed := map[string]map[string]string{}
	for _, umask := range []string{"022", "077"} {
		dir := t.TempDir()
		const pack = `umask $1; build=$2 dir=$3; shift 3
mkdir -p "$dir/tree/lib/wi4go/mpi"
cp -r "$build/bin" "$build/share" "$dir/tree/"
cp "$build/lib/wi4go/standin.so" "$dir/tree/lib/wi4go/"
cp -r "$build/lib/wi4go/mpi/include" "$build/lib/wi4go/mpi/bin" "$dir/tree/lib/wi4go/mpi/"
for script; do "packaging/$script" "$dir/tree" 1.0 x86_64 "$dir/dist"; done`
		must(t, top(t), []string{"SOURCE_DATE_EPOCH=1700000000"}, append([]string{"sh", "-ec", pack, "sh", umask, prefix, dir}, scripts...)...)
		packages, err := filepath.Glob(filepath.Join(dir, "dist/*"))
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(packages), len(scripts))
		packed[umask] = map[string]string{}
		for _, path := range packages {
			packed[umask][filepath.Base(path)] = must(t, "/", nil, "sh", "-c", `sha256sum <"$1"`, "sh", path)
		}
	}
	assert.Equal(t, packed["022"], packed["077"])
}
