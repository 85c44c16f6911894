package runtimes

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"wi4go/internal/elfobj"
	"wi4go/internal/launchers"
)

// files caches everything that a search has read, because PATH, links, packages and patterns lead
// to the same places again and again.
type files struct {
	lock sync.Mutex // protects reals, because several libraries are examined at a time
	// Results by path: of real, launcher, content, and inDir.
	reals     map[string]string
	launchers map[string]*launchers.Launcher
	contents  map[string]content
	dirs      map[string][]*Runtime
}

// newFiles returns an empty cache.
func newFiles() *files {
	return &files{
		reals: map[string]string{}, launchers: map[string]*launchers.Launcher{}, contents: map[string]content{}, dirs: map[string][]*Runtime{},
	}
}

// fileCache returns the cache of a search, or an empty cache for a search built without one.
func (s Search) fileCache() *files {
	if s.files == nil {
		return newFiles()
	}
	return s.files
}

// real returns path with all links resolved, or "" if there is no such file.
func (f *files) real(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.follow(path, 0)
}

// follow does the work of real for an absolute path. links is the number of links followed so far.
func (f *files) follow(path string, links int) string {
	const most = 40 // the kernel's limit
	if real, known := f.reals[path]; known {
		return real
	}
	cut := strings.LastIndexByte(path, '/')
	if cut < 0 {
		return "/"
	}
	dir, base := f.follow(path[:cut], links), path[cut+1:]
	real := ""
	switch {
	case dir == "":
	case base == "" || base == ".":
		real = dir
	case base == "..":
		real = filepath.Dir(dir)
	default:
		current := filepath.Join(dir, base)
		to, err := os.Readlink(current)
		switch {
		case errors.Is(err, syscall.EINVAL): // exists and is not a link
			real = current
		case err != nil || links == most:
		case filepath.IsAbs(to):
			real = f.follow(to, links+1)
		default:
			real = f.follow(dir+"/"+to, links+1)
		}
	}
	f.reals[path] = real
	return real
}

// launcher implements LauncherOf, with the cache.
func (f *files) launcher(path string) *launchers.Launcher {
	path = f.real(path)
	if path == "" || filepath.Base(path) == "wi4go" {
		return nil
	}
	if known, ok := f.launchers[path]; ok {
		return known
	}
	f.launchers[path] = nil
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 || info.Size() > 32<<20 {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	for _, l := range launchers.All {
		if slices.ContainsFunc(l.Marks, func(mark string) bool { return bytes.Contains(data, []byte(mark)) }) {
			f.launchers[path] = l
			return l
		}
	}
	return nil
}

// content identifies the content of a file.
type content struct {
	buildID string // the build ID that the linker stores; "" if there is none
	size    int64  // in bytes; negative if the file cannot be read
	sum     string // checksum of the whole file; "" until it is needed
}

// maxCompared is the largest size in bytes of files that are compared by checksum.
const maxCompared = 256 << 20

// content returns the content of a file, without its checksum if that has not been needed yet.
func (f *files) content(path string) content {
	c, known := f.contents[path]
	if !known {
		c = content{buildID: string(elfobj.Section(path, ".note.gnu.build-id")), size: -1}
		if info, err := os.Stat(path); err == nil {
			c.size = info.Size()
		}
		f.contents[path] = c
	}
	return c
}

// sum returns the checksum of a whole file, or "" if it cannot be read.
func (f *files) sum(path string) string {
	c := f.content(path)
	if c.sum == "" {
		if data, err := os.ReadFile(path); err == nil {
			sum := sha256.Sum256(data)
			c.sum = string(sum[:])
		}
		f.contents[path] = c
	}
	return c.sum
}

// sameContent reports whether two files hold the same library, because one is a copy of the other.
func (f *files) sameContent(a, b string) bool {
	x, y := f.content(a), f.content(b)
	if x.buildID != "" || y.buildID != "" {
		return x.buildID == y.buildID
	}
	return x.size >= 0 && x.size == y.size && x.size <= maxCompared && f.sum(a) != "" && f.sum(a) == f.sum(b)
}
