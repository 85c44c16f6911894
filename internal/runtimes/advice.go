package runtimes

import (
	"wi4go/internal/family"
	"wi4go/internal/shell"
)

// Option returns the option that chooses the runtime, in quotes, for messages.
func (r *Runtime) Option() string { return "`--to " + shell.Quote(r.Name) + "`" }

// installing returns the command that installs a library on this machine, in quotes, for messages.
// name is the name of the library for `wi4go get`.
func (s Search) installing(name string) string {
	if s.Installing != nil {
		return s.Installing(name)
	}
	return "`wi4go get " + name + "`"
}

// Installs returns the command that installs a library for programs of a family, or of any family if
// f is nil.
func (s Search) Installs(f *family.Family) string { return s.installing(installable(f).Name) }

// installable returns the vendor whose library serves programs of a family without a translation. If
// the family is nil, or `wi4go get` has no such library, it is MPICH.
func installable(f *family.Family) *Vendor {
	for _, v := range Vendors {
		if v.family == f && v.Package != "" {
			return v
		}
	}
	return MPICH
}

// InstallsMPICH returns the command that installs the library with the most functions of all. If
// newest is true, it is the newest release, and else the release that is easiest to install.
func (s Search) InstallsMPICH(newest bool) string {
	if newest {
		return s.installing(MPICH.Name + "@" + newestMPICH)
	}
	return s.installing(MPICH.Name)
}

// newestMPICH is the start of the version of the first MPICH that has every function of MPI-5.0.
const newestMPICH = "5"

// Others returns the usable runtimes of List, without the embedded MPI and without not, which may be nil.
func (s Search) Others(not *Runtime) (others []*Runtime) {
	for _, r := range Usable(s.List()) {
		if !r.Traits().IsOwn && (not == nil || s.fileCache().real(r.Library) != s.fileCache().real(not.Library)) {
			others = append(others, r)
		}
	}
	return others
}

// Loads reports whether the library can be loaded on this machine.
func (s Search) Loads(r *Runtime) bool { return QueryVersion(s.Self, r).Problem == "" }
