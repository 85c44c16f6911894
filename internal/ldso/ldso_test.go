package ldso

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/elfobj"
	"wi4go/internal/fakempi"
)

// Each library exists in several directories. The test checks the order in which they are searched.
func TestSearchOrder(t *testing.T) {
	dir := t.TempDir()
	lib := func(in string) string {
		return fakempi.Shared(t, "int x(void) { return 1; }", filepath.Join(dir, in, "libx.so.1"), "libx.so.1")
	}
	lib("env")
	lib("path")
	lib("cache")
	lib("default")
	fakempi.ForMachine(t, lib("other"), filepath.Join(dir, "other", "libx.so.1"), 3)
	program := func(name string, flags ...string) string {
		return fakempi.Compile(t, "int x(void); int main() { return x(); }", filepath.Join(dir, name),
			append([]string{filepath.Join(dir, "env/libx.so.1")}, flags...)...)
	}
	rpath := program("rpath", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/path")
	runpath := program("runpath", "-Wl,--enable-new-dtags,-rpath,${ORIGIN}/path")
	plain := program("plain")

	all := Search{
		LibraryPath: []string{filepath.Join(dir, "env")},
		Cache:       map[string][]string{"libx.so.1": {filepath.Join(dir, "cache/libx.so.1")}},
		Dirs:        []string{filepath.Join(dir, "default")},
	}
	noEnv := Search{Cache: all.Cache, Dirs: all.Dirs}
	for name, c := range map[string]struct {
		program  string
		search   Search
		dir, how string
	}{
		"RPATH comes first":              {rpath, all, "path", ByRPath},
		"the environment before RUNPATH": {runpath, all, "env", ByEnv},
		"RUNPATH before the cache":       {runpath, noEnv, "path", ByRunPath},
		"then the cache":                 {plain, noEnv, "cache", ByCache},
		"then the system's directories":  {plain, Search{Dirs: all.Dirs}, "default", ByDefault},
		"another machine's is passed over": {plain, Search{LibraryPath: []string{filepath.Join(dir, "other")}, Dirs: all.Dirs},
			"default", ByDefault},
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := c.search.Load(c.program)
			require.NoError(t, err)
			n := tree.Find("libx.so.1")
			require.NotNil(t, n)
			assert.Equal(t, filepath.Join(dir, c.dir, "libx.so.1"), n.Path)
			assert.Equal(t, c.how, n.FoundBy)
		})
	}

	tree, err := Search{}.Load(plain)
	require.NoError(t, err)
	require.NotEmpty(t, tree.Missing)
	assert.Equal(t, "libx.so.1", tree.Missing[0].Name)
	assert.Nil(t, tree.Find("libx.so.1"))
}

// DT_RPATH of the program also applies to its libraries. DT_RUNPATH applies only to its own object.
func TestInheritedRPath(t *testing.T) {
	dir := t.TempDir()
	deep := fakempi.Shared(t, "int deep(void) { return 1; }", filepath.Join(dir, "l/libdeep.so"), "libdeep.so")
	mid := fakempi.Shared(t, "int deep(void); int mid(void) { return deep(); }",
		filepath.Join(dir, "l/libmid.so"), "libmid.so", deep)
	for flag, found := range map[string]bool{"--disable-new-dtags": true, "--enable-new-dtags": false} {
		program := fakempi.Compile(t, "int mid(void); int main() { return mid(); }", filepath.Join(dir, "p"+flag),
			mid, "-Wl,-rpath-link,"+filepath.Join(dir, "l"), "-Wl,"+flag+",-rpath,"+filepath.Join(dir, "l"))
		tree, err := Search{}.Load(program)
		require.NoError(t, err)
		assert.NotNil(t, tree.Find("libmid.so"), flag)
		assert.Equal(t, found, tree.Find("libdeep.so") != nil, flag)
	}
}

func TestParseCache(t *testing.T) {
	strings := "libmpi.so.40\x00/lib/libmpi.so.40\x00/v3/libmpi.so.40\x00"
	file := make([]byte, cacheHeader+2*cacheEntry)
	copy(file, cacheMagic)
	binary.NativeEndian.PutUint32(file[len(cacheMagic):], 2)
	base := uint32(len(file))
	entry := func(i int, key, value uint32, hwcap uint64) {
		e := file[cacheHeader+i*cacheEntry:]
		binary.NativeEndian.PutUint32(e[4:], base+key)
		binary.NativeEndian.PutUint32(e[8:], base+value)
		binary.NativeEndian.PutUint64(e[16:], hwcap)
	}
	entry(0, 0, 31, 1<<62) // a variant for some processors
	entry(1, 0, 13, 0)
	file = append(file, strings...)

	want := map[string][]string{"libmpi.so.40": {"/lib/libmpi.so.40"}}
	assert.Equal(t, want, parseCache(file))
	assert.Equal(t, want, parseCache(append([]byte("ld.so-1.7.0 old format in front "), file...)))
	assert.Nil(t, parseCache([]byte("something else")))
	assert.NotPanics(t, func() { parseCache(file[:cacheHeader+10]) })
}

// The real cache of this machine contains libc, which every test program needs.
func TestRealCache(t *testing.T) {
	if Cache() == nil {
		t.Skip("this machine has no " + cacheFile)
	}
	assert.NotEmpty(t, Cache()["libc.so.6"])
}

// A preloaded library precedes all other rules for its soname. A library that a program opens later
// is first looked up among those already loaded, and in the program's DT_RPATH.
func TestPreloadAndOpen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	lib := func(out, soname, source string, flags ...string) string {
		return fakempi.Shared(t, source, at(out), soname, flags...)
	}
	x := lib("x/libx.so.1", "libx.so.1", "int x(void) { return 1; }")
	front := lib("front/libx.so.1", "libx.so.1", "int x(void) { return 2; }")
	y := lib("x/liby.so.1", "liby.so.1", "int y(void) { return 1; }")
	late := lib("late/liblate.so", "liblate.so", "int x(void), y(void); int late(void) { return x() + y(); }", x, y)
	program := fakempi.Compile(t, "int x(void); int main() { return x(); }", at("program"), x,
		"-Wl,--disable-new-dtags,-rpath,"+at("x"))

	plain, err := Search{}.Load(program)
	require.NoError(t, err)
	assert.Equal(t, x, plain.Find("libx.so.1").Path)
	s := Search{Preload: []string{at("missing.so"), front}, Dirs: SystemDirs(elfobj.HostMachine())}
	tree, err := s.Load(program)
	require.NoError(t, err)
	assert.Equal(t, front, tree.Find("libx.so.1").Path)
	assert.Equal(t, ByPreload, tree.Find("libx.so.1").FoundBy)
	assert.Empty(t, tree.Missing)

	// Two files with one soname are both preloaded. One file is loaded once.
	both, err := Search{Preload: []string{front, x, front}}.Load(program)
	require.NoError(t, err)
	assert.Equal(t, []string{program, front, x}, []string{both.Nodes[0].Path, both.Nodes[1].Path, both.Nodes[2].Path})

	opened, err := s.Open(tree, late)
	require.NoError(t, err)
	require.Len(t, opened.Nodes, 2)
	assert.Equal(t, late, opened.Nodes[0].Path)
	assert.Equal(t, y, opened.Nodes[1].Path)
	assert.Equal(t, ByRPath, opened.Nodes[1].FoundBy)
	opened, err = s.Open(tree, front)
	require.NoError(t, err)
	assert.Empty(t, opened.Nodes)
	_, err = s.Open(tree, at("missing.so"))
	require.Error(t, err)
}

// A requested path is first compared with the sonames of loaded libraries. A file that has two
// names is loaded once.
func TestPathsAndLinks(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	shared := func(out, soname, source string, flags ...string) string {
		return fakempi.Shared(t, source, at(out), soname, flags...)
	}
	real := shared("lib/libx.so.1", "$ORIGIN/lib/libx.so.1", "int x(void) { return 1; }")
	program := fakempi.Compile(t, "int x(void); int main() { return x(); }", at("program"), real)
	tree, err := Search{}.Load(program)
	require.NoError(t, err)
	assert.Equal(t, ByPath, tree.Find(real).FoundBy)
	assert.Contains(t, tree.Needs(func(name string) bool { return strings.Contains(name, "/") }), real)
	other := shared("other.so", real, "int x(void) { return 2; }")
	tree, err = Search{Preload: []string{other}}.Load(program)
	require.NoError(t, err)
	assert.Equal(t, other, tree.Find(real).Path)

	y := shared("links/liby.so.1", "liby.so.1", "int y(void) { return 1; }")
	require.NoError(t, os.Symlink("liby.so.1", at("links/liby.so.2")))
	second := shared("second.so", "liby.so.2", "")
	both := fakempi.Compile(t, "int main() { return 0; }", at("both"), "-Wl,--no-as-needed", y, second)
	tree, err = Search{LibraryPath: []string{at("links")}}.Load(both)
	require.NoError(t, err)
	files := 0
	for _, n := range tree.Nodes {
		if n.Soname == "liby.so.1" {
			files++
		}
	}
	assert.Equal(t, 1, files)
}

func TestMissingNamesUnfitFiles(t *testing.T) {
	dir := t.TempDir()
	x := fakempi.Shared(t, "int x(void) { return 1; }", filepath.Join(dir, "x/libx.so.1"), "libx.so.1")
	program := fakempi.Compile(t, "int x(void); int main() { return x(); }", filepath.Join(dir, "program"), x)
	other := fakempi.ForMachine(t, x, filepath.Join(dir, "other/libx.so.1"), 3)
	tree, err := Search{LibraryPath: []string{filepath.Dir(other)}, Dirs: SystemDirs(elfobj.HostMachine())}.Load(program)
	require.NoError(t, err)
	require.Len(t, tree.Missing, 1)
	assert.Equal(t, []string{other}, tree.Missing[0].Rejected)
}

// A search with a root finds nothing outside of it: neither by the system's directories, nor by
// $ORIGIN, nor by links to the top.
func TestRoot(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	lib := func(path string) string {
		return fakempi.Shared(t, "int x(void) { return 1; }", at(path), filepath.Base(path))
	}
	linked := lib("opt/real/libx.so.1")
	require.NoError(t, os.MkdirAll(at("opt/app/lib"), 0o755))
	require.NoError(t, os.Symlink("/opt/real/libx.so.1", at("opt/app/lib/libx.so.1")))
	lib("usr/lib64/liby.so.1")
	require.NoError(t, os.Symlink("usr/lib64", at("lib64")))
	fakempi.Compile(t, "int main() { return 0; }", at("opt/app/bin/app"), "-Wl,--no-as-needed", linked, at("usr/lib64/liby.so.1"),
		"-Wl,--enable-new-dtags,-rpath,$ORIGIN/../lib", "-nostartfiles", "-Wl,-e,main")

	tree, err := FromRoot(root).Load("/opt/app/bin/app")
	require.NoError(t, err)
	assert.Equal(t, linked, tree.Find("libx.so.1").Path)
	assert.Equal(t, ByRunPath, tree.Find("libx.so.1").FoundBy)
	assert.Equal(t, at("usr/lib64/liby.so.1"), tree.Find("liby.so.1").Path)
	require.NotEmpty(t, tree.Missing)
	assert.Equal(t, "libc.so.6", tree.Missing[0].Name, "which is on this machine, not in the root")

	class := tree.Nodes[0].Class
	assert.NotNil(t, FromRoot(root).Find("liby.so.1", elfobj.HostMachine(), class))
	assert.Nil(t, FromRoot(root).Find("libc.so.6", elfobj.HostMachine(), class))
	require.NoError(t, os.Symlink("loop", at("loop")))
	_, err = FromRoot(root).Load("/loop/app")
	assert.Error(t, err)
}
