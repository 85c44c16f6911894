package runtimes

import (
	"os"
	"path/filepath"
	"strings"

	"wi4go/internal/fault"
)

// A Var is a variable of an environment.
type Var struct{ Name, Value string }

// Env returns the variables that the runtime's processes need to find the runtime's own files, in
// case the vendor's scripts were not sourced. getenv looks up the present environment, in which the
// user's own settings have priority.
func (r *Runtime) Env(getenv func(string) string) []Var {
	switch r.Vendor {
	case OpenMPI.Name:
		return r.openMPIEnv()
	case IntelMPI.Name:
		return r.intelEnv(getenv)
	}
	return nil
}

// openMPIEnv returns OPAL_PREFIX for relocatable builds such as the wheels'. Their launchers are
// wrappers that set it to the prefix; with another launcher (srun) nothing would set it.
func (r *Runtime) openMPIEnv() []Var {
	for _, wrapper := range []string{"orterun_wrapper", "ompirun_wrapper"} {
		if _, err := os.Stat(filepath.Join(r.Prefix, "bin", wrapper)); err == nil {
			return []Var{{"OPAL_PREFIX", r.Prefix}}
		}
	}
	return nil
}

// CheckEnv returns an error if OPAL_PREFIX names another Open MPI, in which case the runtime's
// processes would end without a message. Open MPI's launcher passes its OPAL_PREFIX to everything
// that it starts.
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
	return fault.New("openmpi-prefix", "unset OPAL_PREFIX; if a launcher has set it, start the program with the library's own launcher "+
		"(`wi4go run --to`)",
		"OPAL_PREFIX=%s is the directory of another Open MPI than %s, which would load its parts from there", prefix, r.Library)
}

// intelEnv returns the variables that locate Intel MPI's tuning files, its own libfabric, and
// libfabric's providers. Without them it would use the system's libfabric, or none. If
// LD_LIBRARY_PATH leads to a libfabric, and I_MPI_ROOT is this Intel MPI's, then the user or
// Intel's own script has set that path, and intelEnv returns none.
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
		if getenv("FI_PROVIDER_PATH") == "" || other { // the providers of another root would not fit
			if prov := filepath.Join(dir, "prov"); realPath(prov) != "" {
				dir = prov
			}
			vars = append(vars, Var{"FI_PROVIDER_PATH", dir})
		}
		break
	}
	return vars
}

// libfabric is the soname of libfabric.
const libfabric = "libfabric.so.1"

// leadsTo reports whether a directory of the search path contains the library.
func leadsTo(path, library string) bool {
	for _, dir := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(dir, library)); err == nil && dir != "" {
			return true
		}
	}
	return false
}
