package runtimes

import (
	"runtime"
	"sync"

	"wi4go/internal/elfobj"
	"wi4go/internal/fault"
)

// An Entry is a runtime with what it says of itself and what its files tell.
type Entry struct {
	*Runtime
	Version
	Files
}

// Usable says whether programs can be run on it.
func (e Entry) Usable() bool { return e.check() == nil && e.Problem == "" }

// Survey lists what List does, and asks each library, some at a time.
func (s Search) Survey() []Entry {
	list := s.List()
	entries := make([]Entry, len(list))
	versions := make([]Version, len(list))
	slots := make(chan struct{}, max(2, runtime.NumCPU()))
	var all sync.WaitGroup
	for i, r := range list {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			versions[i] = Ask(s.Self, r)
			if err := r.check(); err != nil && versions[i].Problem == "" {
				versions[i].Problem = fault.Text(err)
			}
			entries[i] = Entry{Runtime: r, Version: versions[i], Files: r.ReadFiles(s.Libs)}
		})
	}
	all.Wait()
	name(list, versions)
	return entries
}

// name gives each runtime what Resolve finds it by: its vendor where it is the
// only one of that vendor, else the vendor with the version where no other has
// that, else its path. Where versions are not known, the vendor alone means the
// first.
func name(list []*Runtime, versions []Version) {
	count := map[string]int{}
	versioned := func(i int) string { return list[i].names() + "@" + versions[i].Number }
	named := func(r *Runtime) bool { return r.object.Machine == elfobj.HostMachine() }
	asked := false
	for i, r := range list {
		asked = asked || versions[i] != Version{}
		if named(r) {
			count[r.names()]++
			count[versioned(i)]++
		}
	}
	firsts := map[string]bool{}
	for i, r := range list {
		switch r.Name = r.Library; {
		case !named(r):
			continue
		case count[r.names()] == 1, !asked && !firsts[r.names()]:
			r.Name = r.names()
		case versions[i].Number != "" && count[versioned(i)] == 1:
			r.Name = versioned(i)
		}
		firsts[r.names()] = true
	}
}
