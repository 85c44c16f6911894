package launch

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A made-up vendor, defined by data: its only library has the standard ABI, and it has its own launcher.
const vendorData = `{"name":"madeup","title":"Made-up MPI","called":["mu"],"introduction":"MaMPI Version:      {release}","sign":"MaMPI Version:","launcher":"madeup"},
    `

// The launcher, defined by one file.
const launcherData = `{
 "title": "the launcher of Made-up MPI",
 "order": 0,
 "manager": "PMI",
 "marks": ["MADEUP LAUNCHER"],
 "commands": ["muexec"],
 "process": {"mark": "MADEUP_RANKS", "daemons": ["hydra_pmi_proxy"]},
 "numbers_of": "hydra",
 "options": {"one": ["n whisper"], "two": ["give"]},
 "carry": {"option": "--give", "by_program": true},
 "hosts": {"option": "--on", "lists": ["on"]},
 "root": {"variables": ["MADEUP_ROOT"], "option": "--as-root"}
}`

// The launcher itself knows only its own options, and calls a real launcher.
const launcherScript = `#!/bin/sh
# MADEUP LAUNCHER
n=1
while [ $# -gt 0 ]; do
	case $1 in
	-n) n=$2; shift 2 ;;
	--give) export "$2=$3"; shift 3 ;;
	--whisper) echo "the launcher whispers $2"; shift 2 ;;
	-*) echo "unknown option $1" >&2; exit 9 ;;
	*) break ;;
	esac
done
preload=$LD_PRELOAD
unset LD_PRELOAD
MADEUP_RANKS=$n exec "$(cat "${0%/*}/../real")" -n "$n" env ${preload:+"LD_PRELOAD=$preload"} "$@"
`

// madeUp makes an installation of wi4go that knows the vendor by the data alone, with its library and launcher in the
// tree. It returns the tree and the library's path.
func madeUp(t *testing.T, real harness.Toolchain) (tree, library string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	tree = t.TempDir()
	run := func(name string, arguments ...string) {
		t.Helper()
		c := exec.Command(name, arguments...)
		c.Dir = root
		output, err := c.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	write := func(path, text string, mode os.FileMode) string {
		t.Helper()
		path = filepath.Join(tree, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	family, err := os.ReadFile(filepath.Join(root, "abi/mpiabi.json"))
	require.NoError(t, err)
	const vendors = `"vendors": [` + "\n    "
	require.Contains(t, string(family), vendors)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(root, "abi/mpiabi.json"):                write("data/mpiabi.json", strings.Replace(string(family), vendors, vendors+vendorData, 1), 0o644),
		filepath.Join(root, "internal/launchers/madeup.json"): write("data/madeup.json", launcherData, 0o644),
	}})
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(tree, "lib"), 0o755))
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	run("cp", "-a", filepath.Join(prefix, "lib/wi4go"), filepath.Join(tree, "lib"))
	run("go", "build", "-overlay", write("data/overlay.json", string(overlay), 0o644), "-o", filepath.Join(tree, "bin/wi4go"), "./cmd/wi4go")

	const place = "lib/wi4go/runtimes/madeup"
	write(place+"/bin/muexec", launcherScript, 0o755)
	write(place+"/real", real.MPIExec, 0o644)
	run("cp", "-a", filepath.Join(real.Root(), "lib"), filepath.Join(tree, place))
	others, err := filepath.Glob(filepath.Join(tree, place, "lib/libmpi.so*"))
	require.NoError(t, err)
	for _, other := range others {
		require.NoError(t, os.Remove(other))
	}
	library = filepath.Join(tree, place, "lib/libmpi_abi.so.1")
	content, err := os.ReadFile(library)
	require.NoError(t, err)
	require.Contains(t, string(content), "MPICH Version:")
	content = bytes.ReplaceAll(content, []byte("MPICH Version:"), []byte("MaMPI Version:"))
	require.NoError(t, os.WriteFile(library, content, 0o755))
	return tree, library
}

// A vendor that has only the standard ABI, with its own launcher, is added by data and one file. list, doctor, run and
// exec then support it.
func TestVendorOfOneFile(t *testing.T) {
	w := newWorld(t)
	real, err := harness.Find("mpich-5.0")
	if err != nil {
		harness.Missing(t, err)
	}
	tree, library := madeUp(t, real)
	w.wi4go = filepath.Join(tree, "bin/wi4go")
	launcher := filepath.Join(filepath.Dir(filepath.Dir(library)), "bin/muexec")
	data := []string{"XDG_DATA_HOME=" + t.TempDir(), "XDG_CACHE_HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir(), "MADEUP_ROOT=1"}
	program := w.compile("openmpi", "ring.c")

	t.Run("list", func(t *testing.T) {
		r := w.run(data, w.wi4go, "list", "--json")
		var list []struct{ Name, Vendor, Product, Version, Family, Library, Launcher string }
		require.NoError(t, json.Unmarshal([]byte(r.stdout), &list), "%s", r)
		for _, l := range list {
			if l.Library == library {
				assert.Equal(t, []string{"madeup", "madeup", "mpiabi", launcher}, []string{l.Name, l.Vendor, l.Family, l.Launcher})
				assert.Equal(t, "Made-up MPI "+l.Version, l.Product)
				return
			}
		}
		t.Errorf("the library is not in the list: %s", r)
	})
	t.Run("doctor", func(t *testing.T) {
		r := w.run(data, w.wi4go, "doctor", "--to", "madeup", program)
		assert.Less(t, r.code, 2, "%s", r)
		assert.NotContains(t, r.stdout, "\nerror ")
		assert.NotContains(t, r.stdout, "refuses to run as root")
		assert.Regexp(t, `2 ranks of a program for Open MPI passed messages on Made-up MPI`, r.stdout)
		r = w.run(append(data, "MADEUP_ROOT="), w.wi4go, "doctor", "--to", "mu", program)
		if os.Geteuid() == 0 {
			assert.Contains(t, r.stdout, "the mpiexec of Made-up MPI refuses to run as root")
			assert.Contains(t, r.stdout, "set MADEUP_ROOT=1, or give mpiexec --as-root")
		}
	})
	t.Run("run", func(t *testing.T) {
		r := w.run(data, w.wi4go, "run", "--to", "madeup", "--whisper", program, "-n", "2", program)
		assert.Equal(t, 0, r.code, "%s", r)
		assert.Contains(t, r.stdout, "the launcher whispers "+program, "an option with a value that is a program")
		require.Len(t, r.lines(), 2, "%s", r)
		assert.Contains(t, r.stdout, "MaMPI Version:")
		dry := w.run(data, w.wi4go, "run", "--to", "madeup", "--dry-run", "-H", "a,b", "-n", "2", program)
		assert.Contains(t, dry.stdout, launcher+" --give LD_PRELOAD ", "%s", dry)
		assert.Contains(t, dry.stdout, " --on a,b ", "another launcher's option is spelled as this one's")
	})
	t.Run("exec", func(t *testing.T) {
		r := w.run(data, launcher, "-n", "2", w.wi4go, "exec", program)
		assert.Equal(t, 0, r.code, "%s", r)
		assert.Contains(t, r.stdout, "MaMPI Version:", "the library of the launcher that started the ranks")
		assert.Empty(t, r.ours())
	})
	t.Run("in ranks of another launcher", func(t *testing.T) {
		r := w.run(data, w.tools["openmpi"].MPIExec, "-n", "2", w.wi4go, "exec", "--to", "madeup", program)
		assert.Contains(t, r.stderr, "an mpiexec of Open MPI started 2 processes", "%s", r)
		assert.Contains(t, r.stderr, "wi4go run --to "+library)
	})
}
