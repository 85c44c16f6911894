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

// A stamp tells a file, or what is in a directory, from what may take its place.
type stamp struct {
	Path  string `json:"path"`
	Size  int64  `json:"size"`
	Time  int64  `json:"time"` // of the last change, ns
	Inode uint64 `json:"inode"`
}

// stampOf is that of a path; all but the path is 0 where there is nothing.
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

func (s stamp) holds() bool { return stampOf(s.Path) == s }

const memoVersion = 2 // of the fields of a memo

// A memo is what was found for a name.
type memo struct {
	Library stamp   `json:"library"`
	Found   string  `json:"found"`  // Runtime.Found
	Places  []stamp `json:"places"` // where something that comes before it may turn up
}

func (m memo) holds() bool {
	for _, place := range m.Places {
		if !place.holds() {
			return false
		}
	}
	return m.Library.Size > 0 && m.Library.holds()
}

// remembered finds what find has found for a name before, as long as the library is
// the same file, and no place has changed where another could have come before it:
// each rank of a job looks for itself (wi4go exec), and a site may have many MPIs.
func (s Search) remembered(name string, find func() (*Runtime, error)) (*Runtime, error) {
	if s.Remember == "" {
		return find()
	}
	file := s.memoFile(name)
	var m memo
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &m) == nil && m.holds() {
		if r, err := s.ofLibrary(m.Library.Path); err == nil && r.check() == nil {
			r.Found = m.Found
			return r, nil
		}
	}
	m = memo{Places: s.stamps()} // before the search, so that what comes meanwhile is not missed
	r, err := find()
	if err == nil {
		m.Library, m.Found = stampOf(r.Library), r.Found
		m.write(file)
	}
	return r, err
}

// write writes it; where that cannot be done, nothing is remembered.
func (m memo) write(file string) {
	text, err := json.Marshal(m)
	if err != nil || os.MkdirAll(filepath.Dir(file), 0o755) != nil {
		return
	}
	aside := fmt.Sprintf("%s.%d", file, os.Getpid()) // all ranks may be here at once
	if os.WriteFile(aside, text, 0o644) != nil || os.Rename(aside, file) != nil {
		_ = os.Remove(aside)
	}
}

// memoFile is the file for a name, as this search understands it.
func (s Search) memoFile(name string) string {
	asked := fmt.Sprintf("%q", []any{memoVersion, name, s.Prefixes, s.Path, s.Libs.LibraryPath, s.Globs, s.Links, s.Exclude, s.Hide, s.Order})
	sum := sha256.Sum256([]byte(asked))
	return filepath.Join(s.Remember, hex.EncodeToString(sum[:12])+".json")
}

// stamps are those of the directories in which the search begins.
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
