package runtimes

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A stamp identifies the state of a file or a directory, so that a replacement or change is
// noticed.
type stamp struct {
	Path  string `json:"path"`
	Size  int64  `json:"size"`
	Time  int64  `json:"time"` // time of the last change, in ns
	Inode uint64 `json:"inode"`
}

// stampOf returns the stamp of a path. If nothing is there, all fields but Path are 0.
func stampOf(path string) stamp {
	s := stamp{Path: path}
	if info, err := os.Stat(path); err == nil {
		s.Size, s.Time = info.Size(), info.ModTime().UnixNano()
		if status, ok := info.Sys().(*syscall.Stat_t); ok {
			s.Inode = status.Ino
		}
	}
	return s
}

// isCurrent reports whether the path still has this stamp.
func (s stamp) isCurrent() bool { return stampOf(s.Path) == s }

const memoVersion = 2 // version of memo's fields; increase it when they change

// A memo is the stored result of a search for a name.
type memo struct {
	Library stamp   `json:"library"`
	Found   string  `json:"found"`  // the value of Runtime.Found
	Places  []stamp `json:"places"` // directories in which a runtime that takes precedence may appear
}

// isCurrent reports whether the memo is still valid.
func (m memo) isCurrent() bool {
	for _, place := range m.Places {
		if !place.isCurrent() {
			return false
		}
	}
	return m.Library.Size > 0 && m.Library.isCurrent()
}

// cached returns the stored result for a name if it is still valid, and otherwise calls find
// and stores its result. The result is valid while the library is the same file and no directory
// has changed that could contain a better match. The memo saves time because each rank of a job
// searches for itself (wi4go exec), and a site may have many MPIs.
func (s Search) cached(name string, find func() (*Runtime, error)) (*Runtime, error) {
	if s.CacheDir == "" {
		return find()
	}
	file := s.memoFile(name)
	var m memo
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &m) == nil && m.isCurrent() {
		if r, err := s.ofLibrary(m.Library.Path); err == nil && r.check() == nil {
			r.Found = m.Found
			return r, nil
		}
	}
	m = memo{Places: s.stamps()} // before the search, so that later changes are not missed
	r, err := find()
	if err == nil && !r.Traits().IsOwn { // a runtime found later must replace it, wherever it is
		m.Library, m.Found = stampOf(r.Library), r.Found
		m.write(file)
	}
	return r, err
}

// write stores the memo in a file. If that fails, nothing is stored.
func (m memo) write(file string) {
	text, err := json.Marshal(m)
	if err != nil || os.MkdirAll(filepath.Dir(file), 0o755) != nil {
		return
	}
	temporary := fmt.Sprintf("%s.%d", file, os.Getpid()) // write and rename, because all ranks may do this at once
	if os.WriteFile(temporary, text, 0o644) != nil || os.Rename(temporary, file) != nil {
		_ = os.Remove(temporary)
	}
}

// memoFile returns the file for the memo of a name. Its name depends on the parameters of the
// search.
func (s Search) memoFile(name string) string {
	parameters := fmt.Sprintf("%q", []any{memoVersion, name, s.Prefixes, s.Path, s.Libs.LibraryPath, s.Globs, s.Links, s.Exclude, s.Hide, s.Order})
	sum := sha256.Sum256([]byte(parameters))
	return filepath.Join(s.CacheDir, hex.EncodeToString(sum[:12])+".json")
}

// stamps returns the stamps of the directories in which the search begins.
func (s Search) stamps() []stamp {
	var stamps []stamp
	seen := map[string]bool{"": true}
	add := func(path string) {
		if !seen[path] {
			seen[path] = true
			stamps = append(stamps, stampOf(path))
		}
	}
	for _, dir := range slices.Concat(s.Path, s.Libs.LibraryPath, s.Libs.Dirs) {
		add(dir)
	}
	for _, p := range s.Prefixes {
		add(p.Dir)
		add(filepath.Join(p.Dir, "lib"))
	}
	for _, g := range s.Globs {
		dir := g.Dir
		for strings.ContainsAny(dir, "*?[") {
			dir = filepath.Dir(dir)
		}
		add(dir)
	}
	add(s.Links)
	return stamps
}
