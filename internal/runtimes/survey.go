package runtimes

import (
	"runtime"
	"sync"

	"wi4go/internal/elfobj"
	"wi4go/internal/fault"
)

// An Entry is a runtime with the version that its library reports and the facts in its files.
type Entry struct {
	*Runtime
	Version
	Files
}

// Usable reports whether programs can run on it.
func (e Entry) Usable() bool { return e.check() == nil && e.Problem == "" }

// Survey returns the runtimes of List with their versions. It queries several libraries at a time.
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
			versions[i] = QueryVersion(s.Self, r)
			if err := r.check(); err != nil && versions[i].Problem == "" {
				versions[i].Problem = fault.Text(err)
			}
			entries[i] = Entry{Runtime: r, Version: versions[i], Files: r.ReadFiles(s.Libs)}
		})
	}
	all.Wait()
	assignNames(list, versions)
	return entries
}

// assignNames gives each runtime the name by which Resolve finds it. This is the vendor if the list has
// one runtime of it, else vendor@version if the version is unique, else the path. If versions are
// unknown, the first runtime of a vendor gets the vendor's name.
func assignNames(list []*Runtime, versions []Version) {
	count := map[string]int{}
	versioned := func(i int) string { return list[i].requestName() + "@" + versions[i].Number }
	named := func(r *Runtime) bool { return r.object.Machine == elfobj.HostMachine() }
	queried := false
	for i, r := range list {
		queried = queried || versions[i] != Version{}
		if named(r) {
			count[r.requestName()]++
			count[versioned(i)]++
		}
	}
	firsts := map[string]bool{}
	for i, r := range list {
		switch r.Name = r.Library; {
		case !named(r):
			continue
		case count[r.requestName()] == 1, !queried && !firsts[r.requestName()]:
			r.Name = r.requestName()
		case versions[i].Number != "" && count[versioned(i)] == 1:
			r.Name = versioned(i)
		}
		firsts[r.requestName()] = true
	}
}
