package fetch

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"wi4go/internal/fakempi"
)

// large returns the files of a wheel that is not downloaded for its metadata.
func large() map[string]string {
	return map[string]string{"@.data/data/bin/mpiexec!": "#!/bin/sh\n", "@.data/data/lib/libmpi.so.12": big(3 * smallWheel)}
}

// If an index offers no metadata next to a wheel, the metadata is read from the wheel on the server. A
// missing dependency, a dependency without a hash and invalid metadata are refused before the download.
func TestRemoteMetadata(t *testing.T) {
	want := Want{Name: "intelmpi", Package: "impi-rt"}
	for name, c := range map[string]struct {
		put  func(w *world)
		says string
	}{
		"a missing dependency": {func(w *world) { w.put("impi-rt", "2021.19.0", "Requires-Dist: some-fabric>=7\n", large()) },
			"has no package some-fabric"},
		"a dependency of a dependency": {func(w *world) {
			w.put("impi-rt", "2021.19.0", "Requires-Dist: some-fabric>=2\n", large())
			w.put("some-fabric", "2.1", "Requires-Dist: other==1\n", large())
		}, "has no package other"},
		"a dependency without a hash": {func(w *world) {
			w.put("impi-rt", "2021.19.0", "Requires-Dist: some-fabric>=2\n", large())
			w.sums[w.put("some-fabric", "2.1", "", large())] = ""
		}, "publishes no sha256 for some_fabric-2.1"},
		"another package": {func(w *world) {
			w.put("other", "2021.19.0", "", large())
			w.wheels["impi_rt-2021.19.0"+tag] = w.wheels["other-2021.19.0"+tag]
		}, `impi_rt-2021.19.0-py3-none-any.whl is damaged: it contains the package "other"`},
		"no name of a package": {func(w *world) { w.put("impi-rt", "2021.19.0", "Requires-Dist: !\n", large()) },
			`it requires "!", which is not the name of a package`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.put(w)
			_, err := w.Get(context.Background(), w.index(), want, fine)
			assert.ErrorContains(t, err, c.says)
			w.clean(nil) // a download would have left the wheel
		})
	}

	// A server without parts of files, or with wrong ones, sends the wheel.
	for name, serve := range map[string]func(http.ResponseWriter, *http.Request, []byte) bool{
		"the usual": nil,
		"no parts": func(out http.ResponseWriter, _ *http.Request, b []byte) bool {
			out.Header().Set("Content-Length", fmt.Sprint(len(b)))
			_, _ = out.Write(b)
			return true
		},
		"wrong parts": func(out http.ResponseWriter, r *http.Request, b []byte) bool {
			if r.Header.Get("Range") != "" {
				out.WriteHeader(http.StatusPartialContent)
			}
			return r.Header.Get("Range") != ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.serve = serve
			w.put("impi-rt", "2021.18.1", "Requires-Dist: some-fabric>=2\n", large())
			w.put("some-fabric", "2.1", "", map[string]string{"@.data/data/lib/2.1": ""})
			f, err := w.Get(context.Background(), w.index(), want, fine)
			require.NoError(t, err)
			assert.FileExists(t, filepath.Join(f.Prefix, "lib/2.1"))
			assert.FileExists(t, filepath.Join(f.Prefix, "bin/mpiexec"))
			w.clean(nil, "intelmpi-2021.18.1")
		})
	}
}

// Too little space, and a file system from which programs cannot run, are found before the download.
func TestUnfitDisk(t *testing.T) {
	for name, c := range map[string]struct{ data, cache, says string }{
		"little space for the runtime":    {"size=1m", "size=16m", "/data/wi4go has 1 MB free, and the packages need 4 MB: free some, or set XDG_DATA_HOME to"},
		"little space for the download":   {"size=64m", "size=1m", "and the packages need 4 MB: free some, or set XDG_CACHE_HOME to"},
		"no programs in the runtimes":     {"size=64m,noexec", "size=16m", "its file system is mounted with noexec: set XDG_DATA_HOME"},
		"enough space, in different ones": {"size=64m", "size=16m", ""},
	} {
		for _, source := range []string{"index", "pip"} {
			if source == "pip" && !strings.HasPrefix(name, "little space for the runtime") {
				continue // the source makes no difference, and pip takes seconds
			}
			t.Run(name+", "+source, func(t *testing.T) {
				w := newWorld(t)
				data := filepath.Dir(filepath.Dir(w.Runtimes))
				for dir, options := range map[string]string{data: c.data, w.Cache: c.cache} {
					require.NoError(t, os.MkdirAll(dir, 0o755))
					mount(t, dir, options)
				}
				w.put("impi-rt", "2021.18.1", "", large())
				_, err := w.Get(context.Background(), w.source(source), Want{Name: "intelmpi", Package: "impi-rt"}, fine)
				if c.says == "" {
					require.NoError(t, err)
					return
				}
				assert.ErrorContains(t, err, c.says)
				w.clean(nil) // a download would have left the wheel
			})
		}
	}
}

// A server returns the size of a wheel only with the wheel.
func TestLateSize(t *testing.T) {
	w := newWorld(t)
	require.NoError(t, os.MkdirAll(w.Cache, 0o755))
	mount(t, w.Cache, "size=1m")
	w.put("impi-rt", "2021.18.1", "", large())
	w.serve = func(out http.ResponseWriter, r *http.Request, b []byte) bool {
		if r.Method == http.MethodHead {
			http.Error(out, "", http.StatusNotImplemented)
			return true
		}
		out.Header().Set("Content-Length", fmt.Sprint(len(b)))
		_, _ = out.Write(b)
		return true
	}
	_, err := w.Get(context.Background(), w.index(), Want{Name: "intelmpi", Package: "impi-rt"}, fine)
	assert.ErrorContains(t, err, "and the packages need 4 MB: free some, or set XDG_CACHE_HOME to")
	w.clean(nil)
}

// mount mounts a file system in memory on dir until the test ends. The test is skipped if this user cannot.
func mount(t *testing.T, dir, options string) {
	t.Helper()
	flags := uintptr(0)
	options, noexec := strings.CutSuffix(options, ",noexec")
	if noexec {
		flags = unix.MS_NOEXEC
	}
	if err := unix.Mount("none", dir, "tmpfs", flags, options); err != nil {
		t.Skip("nothing can be mounted here: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}

// source returns the index, or pip with the index.
func (w *world) source(kind string) Source {
	if kind == "index" {
		return w.index()
	}
	python, wheel := FindPip(context.Background())
	if python == "" {
		fakempi.Need(w, "python3 with pip")
	}
	for _, v := range []string{"PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX", "PIP_INDEX_URL"} {
		w.Setenv(v, "")
		require.NoError(w, os.Unsetenv(v))
	}
	w.Setenv("PIP_CONFIG_FILE", "/dev/null")
	w.Setenv("PIP_NO_CACHE_DIR", "1")
	return &Pip{Python: python, Wheel: wheel, IndexURL: w.server.URL + "/simple", Client: w.server.Client()}
}

// If no package runs on this machine, the reason is named.
func TestNoPackageFits(t *testing.T) {
	for files, says := range map[string]string{
		"impi_rt-1-py3-none-manylinux_2_40_x86_64.whl impi_rt-2-py3-none-manylinux_2_38_x86_64.manylinux_2_39_x86_64.whl": "its packages need glibc 2.38 or newer, and this machine has 2.36",
		"impi_rt-1-py3-none-manylinux_2_28_aarch64.whl impi_rt-1-py3-none-win_amd64.whl":                                  "its packages are for aarch64, and this machine is x86_64",
		"impi_rt-1-py3-none-win_amd64.whl impi_rt-1.tar.gz":                                                               "it has no package for Linux with glibc",
	} {
		w := newWorld(t)
		for file := range strings.FieldsSeq(files) {
			w.wheels[file] = nil
		}
		_, err := w.Get(context.Background(), w.index(), Want{Name: "intelmpi", Package: "impi-rt"}, fine)
		assert.ErrorContains(t, err, "the package index has no impi-rt for this machine: "+says)
		x := w.index()
		x.Machine.Glibc = [2]int{}
		_, err = w.Get(context.Background(), x, Want{Name: "intelmpi", Package: "impi-rt"}, fine)
		assert.ErrorContains(t, err, "wi4go installs packages for glibc, which this machine does not have")
	}
}
