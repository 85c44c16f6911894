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

// files remembers what a search has read: PATH, links, packages and patterns lead to
// the same places over and over.
type files struct {
	lock      sync.Mutex // of reals: libraries are examined several at a time
	reals     map[string]string
	launchers map[string]*launchers.Launcher
	contents  map[string]content
	dirs      map[string][]*Runtime
}

func newFiles() *files {
	return &files{
		reals: map[string]string{}, launchers: map[string]*launchers.Launcher{}, contents: map[string]content{}, dirs: map[string][]*Runtime{},
	}
}

// memory is that of a search; one that is put together without it remembers nothing.
func (s Search) memory() *files {
	if s.files == nil {
		return newFiles()
	}
	return s.files
}

// real follows links; "" where there is no such file.
func (f *files) real(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.follow(path, 0)
}

// follow is real for an absolute path to which so many links have led.
func (f *files) follow(path string, links int) string {
	const most = 40 // as the kernel has it
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
		here := filepath.Join(dir, base)
		to, err := os.Readlink(here)
		switch {
		case errors.Is(err, syscall.EINVAL): // there, and no link
			real = here
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

// launcher is LauncherOf.
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

// content is by what a file is told from others.
type content struct {
	buildID string // the linker's mark of what is in it, "" where there is none
	size    int64  // negative where it cannot be read
	sum     string // of all of it; "" as long as nobody has asked
}

// maxCompared is the size up to which files are compared as a whole.
const maxCompared = 256 << 20

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

// sum is the content with a sum of all of it.
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

// sameContent says whether two files hold the same library: one is a copy of the
// other.
func (f *files) sameContent(a, b string) bool {
	x, y := f.content(a), f.content(b)
	if x.buildID != "" || y.buildID != "" {
		return x.buildID == y.buildID
	}
	return x.size >= 0 && x.size == y.size && x.size <= maxCompared && f.sum(a) != "" && f.sum(a) == f.sum(b)
}
