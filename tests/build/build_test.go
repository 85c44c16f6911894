// Package build tests the Makefile: the files that make rebuilds after a change, and those that it leaves alone.
package build

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const root = "../.."

// A tree is a copy of the sources and of the built files.
type tree struct {
	*testing.T
	dir string
}

func copyTree(t *testing.T) *tree {
	t.Helper()
	harness.All.From(t, "it builds in copies of the tree")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(prefix, "gen", "rules.mk")); err != nil {
		harness.Missing(t, fmt.Errorf("%s/gen/rules.mk: %w; run make first", prefix, harness.ErrMissing))
	}
	tr := copySources(t, t.TempDir())
	require.NoError(t, os.MkdirAll(tr.at("build"), 0o755))
	for _, part := range []string{"bin", "gen", "lib", "obj", "share"} {
		out, err := exec.Command("cp", "-a", filepath.Join(prefix, part), tr.at("build")).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	tr.make()
	return tr
}

// copySources copies the sources, except the tests, to a directory.
func copySources(t *testing.T, dir string) *tree {
	t.Helper()
	tr := &tree{t, dir}
	listed, err := exec.Command("git", "-C", root, "ls-files", "-co", "--exclude-standard").Output()
	require.NoError(t, err)
	for _, name := range strings.Fields(string(listed)) {
		if strings.HasPrefix(name, "tests/") && !strings.HasSuffix(name, ".mk") {
			continue
		}
		require.NoError(t, os.MkdirAll(tr.at(filepath.Dir(name)), 0o755))
		if out, err := exec.Command("cp", "-a", filepath.Join(root, name), tr.at(name)).CombinedOutput(); err != nil {
			require.NoFileExists(t, filepath.Join(root, name), string(out)) // removed, and not committed yet
		}
	}
	return tr
}

func (tr *tree) at(name string) string { return filepath.Join(tr.dir, name) }

func (tr *tree) try(args ...string) (string, error) {
	tr.Helper()
	cmd := exec.Command("make", args...)
	cmd.Dir = tr.dir
	cmd.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (tr *tree) make(args ...string) string {
	tr.Helper()
	out, err := tr.try(args...)
	require.NoError(tr, err, out)
	return out
}

// changed returns the files below build with this ending that are newer than a time.
func (tr *tree) changed(ending string, since time.Time) (names []string) {
	tr.Helper()
	counts := tr.at("build/.total") // of files to make, which make writes in the background, maybe after its end
	require.NoError(tr, filepath.WalkDir(tr.at("build"), func(path string, e fs.DirEntry, err error) error {
		if strings.HasPrefix(path, counts) {
			return nil
		}
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ending) {
			return err
		}
		info, err := e.Info()
		if err == nil && info.ModTime().After(since) {
			names = append(names, path)
		}
		return err
	}))
	return names
}

// After a change, make builds the files that depend on it, and no others.
func TestDependencies(t *testing.T) {
	tr := copyTree(t)
	_, err := tr.try("-q")
	assert.NoError(t, err, "there is nothing to do")
	for _, c := range []struct {
		file string
		most int // the greatest number of objects that may be new
	}{
		{"mappers/fast_path_x86_64.h", 12}, {"mappers/callbacks.h", 7}, {"gen/describe.go", 0}, {"funcs.json", 0}, {"abi/mpich.json", 2},
		{"shim/front/slots.c", 8}, {"shim/front/load.c", 8}, {"shim/front/rebind.c", 8}, {"shim/front/fortran_direct.c", 8}, {"shim/emulate/info.c", 8},
		{"internal/family/family.go", 2}, {"verify/p2p.c", 4}, {"shim/audit/audit.c", 1}, {"dri/kernel.c", 1},
	} {
		since := time.Now()
		require.NoError(t, os.Chtimes(tr.at(c.file), since.Add(time.Second), since.Add(time.Second)))
		tr.make()
		objects := tr.changed(".o", since)
		assert.LessOrEqual(t, len(objects), c.most, "%s: %s", c.file, objects)
		if filepath.Ext(c.file) == ".c" {
			assert.NotEmpty(t, objects, c.file)
		}
		require.NoError(t, os.Chtimes(tr.at(c.file), since.Add(-time.Hour), since.Add(-time.Hour)))
		_, err := tr.try("-q")
		assert.NoError(t, err, "%s: there is nothing left to do", c.file)
	}
}

// A change of a file that is compiled into wi4go builds it again.
func TestEmbeddedFiles(t *testing.T) {
	tr := copyTree(t)
	list := exec.Command("go", "list", "-deps", "-f", `{{if .Module}}{{if .Module.Main}}{{range .EmbedFiles}}{{$.ImportPath}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`, "./cmd/wi4go")
	list.Dir = tr.dir
	out, err := list.Output()
	require.NoError(t, err)
	files := strings.Fields(string(out))
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimPrefix(file, "wi4go/")
		_, err := tr.try("-q", "-W", name, "build/bin/wi4go")
		assert.Error(t, err, "%s: there is nothing to do", name)
	}
}

// A mistake in a table stops make. Earlier generated and built files remain.
func TestMistake(t *testing.T) {
	tr := copyTree(t)
	text, err := os.ReadFile(tr.at("funcs.json"))
	require.NoError(t, err)
	before := tr.changed("", time.Time{})
	require.NoError(t, os.WriteFile(tr.at("funcs.json"), []byte(strings.Replace(string(text), `"name"`, `"nane"`, 1)), 0o644))
	out, err := tr.try()
	assert.Error(t, err)
	assert.Contains(t, out, "wi4go-gen: ")
	assert.Equal(t, before, tr.changed("", time.Time{}))
	require.NoError(t, os.WriteFile(tr.at("funcs.json"), text, 0o644))
	since := time.Now()
	tr.make()
	assert.Empty(t, tr.changed(".o", since))
}

// A build in another directory, with another umask and another number of jobs, has the same bytes: files of each kind, of
// each compiler and linker, with debugging information.
func TestSameBytes(t *testing.T) {
	harness.All.From(t, "it builds twice")
	above := t.TempDir()
	goals := []string{"core", "command", "auditor", "pages", "documents", "modulefiles", "suppressions", "build/embedded/libadi.a", "build/obj/common/slots.o"}
	var sums []string
	for dir, with := range map[string]string{"a": "umask 022; make -s -j1", "another/place": "umask 077; make -s -j4"} {
		require.NoError(t, os.MkdirAll(filepath.Join(above, dir), 0o755))
		tr := copySources(t, filepath.Join(above, dir))
		script := with + " " + strings.Join(goals, " ") + " && find build -type f ! -path 'build/.total*' ! -name '*.d' ! -path build/commit | LC_ALL=C sort | xargs sha256sum"
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir, cmd.Env = tr.dir, append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=", "GIT_DIR=/nonexistent")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		assert.Greater(t, strings.Count(string(out), "\n"), 100)
		sums = append(sums, string(out))
	}
	assert.Equal(t, sums[0], sums[1])
}

// No built file contains the directory in which it was built, so a build elsewhere has the same bytes.
func TestNoDirectory(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	here, err := filepath.Abs(root)
	require.NoError(t, err)
	files := 0
	for _, part := range []string{"bin", "lib", "share"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(prefix, part), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			files++
			content, err := os.ReadFile(path)
			assert.False(t, bytes.Contains(content, []byte(here)), "%s contains %s", path, here)
			return err
		}))
	}
	assert.Greater(t, files, 100)
}

// The lines of a build have numbers, and their total is known soon. -s prints nothing, and nor does a build with nothing to do.
func TestProgress(t *testing.T) {
	tr := copyTree(t)
	assert.Equal(t, "make: Nothing to be done for 'all'.\n", tr.make())
	for _, args := range [][]string{{"-j1"}, {"-j4"}, {"-j4", "CFLAGS=-O1 -g"}, {"-j2", "tree"}} {
		sources, err := filepath.Glob(tr.at("embedded/coll/*.c"))
		require.NoError(t, err)
		for _, source := range sources {
			require.NoError(t, os.Chtimes(source, time.Now(), time.Now()))
		}
		lines := strings.Split(strings.TrimSpace(tr.make(args...)), "\n")
		assert.Greater(t, len(lines), len(sources))
		numbered := map[string]bool{}
		for _, line := range lines { // jobs that start together print in any order
			m := regexp.MustCompile(`^ *\[(\d+)/(\d+|\?)\] [A-Z]+ +build/`).FindStringSubmatch(line)
			if assert.NotNil(t, m, "%q: %s", args, line) {
				numbered[m[1]] = true
			}
		}
		for i := range lines {
			assert.True(t, numbered[fmt.Sprint(i+1)], "%q: line %d", args, i+1)
		}
		assert.Contains(t, strings.Join(lines, "\n"), fmt.Sprintf("[%d/%[1]d]", len(lines)), "%q", args)
	}
	require.NoError(t, os.Chtimes(tr.at("dri/rules.c"), time.Now(), time.Now()))
	assert.Empty(t, tr.make("-s"))
}

// Parts of the Makefile are short, and one line is printed for each file that is made.
func TestParts(t *testing.T) {
	listed, err := exec.Command("git", "-C", root, "ls-files", "-co", "--exclude-standard", "Makefile", "*.mk").Output()
	require.NoError(t, err)
	for _, name := range strings.Fields(string(listed)) {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		assert.LessOrEqual(t, strings.Count(string(text), "\n"), 120, name)
		assert.NotContains(t, string(text), "$$$$", name)
	}
	tr := copyTree(t)
	require.NoError(t, os.Chtimes(tr.at("dri/rules.c"), time.Now(), time.Now()))
	assert.Regexp(t, `^ +\[1/[2?]\] CC       build/obj/dri/rules\.o\n +\[2/[2?]\] LINK     build/lib/wi4go/mpi/lib/libdri\.so\n$`, tr.make())
	require.NoError(t, os.Chtimes(tr.at("dri/rules.c"), time.Now(), time.Now()))
	assert.Contains(t, tr.make("V=1"), "-c -o build/obj/dri/rules.o dri/rules.c")
}
