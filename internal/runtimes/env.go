package runtimes

import (
	"os"
	"path/filepath"
	"strings"

	"wi4go/internal/fault"
)

// A Var is a variable of an environment.
type Var struct{ Name, Value string }

// Env is what the runtime's processes need in their environment to find the
// runtime's own files where its maker's scripts were not sourced; getenv is the
// environment as it is, in which the user's own word stands.
func (r *Runtime) Env(getenv func(string) string) []Var {
	switch r.Vendor {
	case OpenMPI.Name:
		return r.openMPIEnv()
	case IntelMPI.Name:
		return r.intelEnv(getenv)
	}
	return nil
}

// openMPIEnv serves builds that are meant to be moved, as those of the wheels:
// their launchers are wrappers that tell the prefix by OPAL_PREFIX. Behind
// another launcher (srun) nobody would.
func (r *Runtime) openMPIEnv() []Var {
	for _, wrapper := range []string{"orterun_wrapper", "ompirun_wrapper"} {
		if _, err := os.Stat(filepath.Join(r.Prefix, "bin", wrapper)); err == nil {
			return []Var{{"OPAL_PREFIX", r.Prefix}}
		}
	}
	return nil
}

// CheckEnv refuses an environment in which the runtime's processes would end
// without a word: OPAL_PREFIX of another Open MPI, as its launcher hands it to
// what it starts.
func (r *Runtime) CheckEnv(getenv func(string) string) error {
	prefix := getenv("OPAL_PREFIX")
	if r.Vendor != OpenMPI.Name || prefix == "" || r.openMPIEnv() != nil {
		return nil
	}
	if root := realPath(prefix); root != "" && strings.HasPrefix(realPath(r.Library), root+"/") {
		return nil
	}
	for _, name := range []string{r.Soname, "libmpi.so"} {
		if realPath(filepath.Join(prefix, "lib", name)) == realPath(r.Library) {
			return nil
		}
	}
	return fault.New("openmpi-prefix", "unset OPAL_PREFIX; if a launcher has set it, start with that of the library (`wi4go run --to`)",
		"OPAL_PREFIX=%s is the place of another Open MPI than %s, whose processes would look for their parts there", prefix, r.Library)
}

// intelEnv says where Intel MPI's tuning files are, and its own libfabric and
// that one's providers: without, it would take the system's, or none. A libfabric
// that LD_LIBRARY_PATH leads to is the word of the user, or of Intel's own script,
// where I_MPI_ROOT is of this Intel MPI.
func (r *Runtime) intelEnv(getenv func(string) string) []Var {
	var vars []Var
	root := getenv("I_MPI_ROOT")
	other := root != "" && realPath(root) != realPath(r.Prefix)
	if root == "" || other {
		vars = append(vars, Var{"I_MPI_ROOT", r.Prefix})
	} else if leadsTo(getenv("LD_LIBRARY_PATH"), libfabric) {
		return nil
	}
	switch strings.ToLower(getenv("I_MPI_OFI_LIBRARY_INTERNAL")) {
	case "0", "no", "off", "disable":
		return vars
	}
	if getenv("I_MPI_OFI_LIBRARY") != "" {
		return vars
	}
	for _, dir := range []string{"lib", "opt/mpi/libfabric/lib", "libfabric/lib"} {
		dir = filepath.Join(r.Prefix, dir)
		library := filepath.Join(dir, libfabric)
		if _, err := os.Stat(library); err != nil {
			continue
		}
		vars = append(vars, Var{"I_MPI_OFI_LIBRARY", library})
		if getenv("FI_PROVIDER_PATH") == "" || other { // the other root's providers would not fit
			if prov := filepath.Join(dir, "prov"); realPath(prov) != "" {
				dir = prov
			}
			vars = append(vars, Var{"FI_PROVIDER_PATH", dir})
		}
		break
	}
	return vars
}

const libfabric = "libfabric.so.1"

// leadsTo tells whether a directory of the search path has the library.
func leadsTo(path, library string) bool {
	for _, dir := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(dir, library)); err == nil && dir != "" {
			return true
		}
	}
	return false
}
