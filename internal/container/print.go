package container

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"wi4go/internal/launchers"
	"wi4go/internal/spelling"
)

// A Kind is a program that starts containers.
type Kind string

// The kinds that are programs.
const (
	Apptainer Kind = "apptainer"
	Podman    Kind = "podman"
	Docker    Kind = "docker"
)

// Kinds lists all kinds, in the order of messages.
var Kinds = []Kind{Apptainer, Podman, Docker, CDI}

// KindOf returns the kind called name, or an error if there is none.
func KindOf(name string) (Kind, error) {
	if kind := Kind(name); slices.Contains(Kinds, kind) {
		return kind, nil
	}
	var names []string
	for _, kind := range Kinds {
		names = append(names, string(kind))
	}
	last := len(names) - 1
	return "", fmt.Errorf("unknown container program %q: %sthe programs are %s and %s", name, spelling.Suggestion(name, names),
		strings.Join(names[:last], ", "), names[last])
}

// A Setting describes this machine and user.
type Setting struct {
	Launcher *launchers.Launcher // launcher of the ranks
	Environ  []string            // environment of this process
	UID      int                 // the user's number
	GID      int                 // the group's number
	TempDir  string              // parent of the launcher's session directory
}

// Words returns the options for the exec or run command of a kind. It returns an error if a
// path cannot be written in an option.
//
// Apptainer shares the host's network, processes, /dev, /tmp and home, and passes the
// environment on. Podman and docker need an option for each: the ranks find each other by
// shared memory (--ipc), by process number (--pid, for copies from process to process) and by
// address (--network), and their launcher by the variables it sets and its session directory.
func (p *Plan) Words(kind Kind, s Setting) ([]string, error) {
	if err := p.checkPaths(); err != nil {
		return nil, err
	}
	mounts := p.withTemp(kind, s)
	var words []string
	if kind == Apptainer {
		for _, m := range mounts {
			words = append(words, "--bind="+m.String())
		}
		for _, v := range p.Env {
			words = append(words, "--env="+v.Name+"="+v.Value)
		}
		return words, nil
	}
	words = append(words, "--ipc=host", "--pid=host", "--network=host")
	switch {
	case kind == Docker:
		words = append(words, fmt.Sprintf("--user=%d:%d", s.UID, s.GID), "--ulimit=memlock=-1:-1")
	case s.UID != 0:
		words = append(words, "--userns=keep-id", "--ulimit=host")
	default:
		words = append(words, "--ulimit=host")
	}
	for _, device := range devices {
		if _, err := os.Stat(device); err == nil {
			words = append(words, "--device="+device)
		}
	}
	for _, m := range mounts {
		words = append(words, "--volume="+m.String())
	}
	for _, name := range inherited(kind, s) {
		words = append(words, "--env="+name)
	}
	for _, v := range p.Env {
		words = append(words, "--env="+v.Name+"="+v.Value)
	}
	return words, nil
}

// Exports returns environment variables that have the same effect on apptainer as Words. The
// other kinds read no such variables. It returns an error if a path cannot be written in an
// option.
func (p *Plan) Exports(s Setting) ([]Var, error) {
	if err := p.checkPaths(); err != nil {
		return nil, err
	}
	var binds []string
	for _, old := range s.Environ {
		if value, ok := strings.CutPrefix(old, "APPTAINER_BIND="); ok && value != "" {
			binds = append(binds, value)
		}
	}
	for _, m := range p.withTemp(Apptainer, s) {
		binds = append(binds, m.String())
	}
	vars := []Var{{"APPTAINER_BIND", strings.Join(binds, ",")}}
	for _, v := range p.Env {
		vars = append(vars, Var{"APPTAINERENV_" + v.Name, v.Value})
	}
	return vars, nil
}

// String returns the mount in the syntax of all kinds.
func (m Mount) String() string {
	if m.Writable {
		return m.From + ":" + m.To
	}
	return m.From + ":" + m.To + ":ro"
}

// withTemp returns the mounts, with the directories in which launcher and ranks meet in front.
// Apptainer shows /tmp by itself.
func (p *Plan) withTemp(kind Kind, s Setting) []Mount {
	var shared []Mount
	for _, dir := range outermost([]string{"/tmp", s.TempDir}) {
		if kind != Apptainer || dir != "/tmp" {
			shared = append(shared, Mount{From: dir, To: dir, Writable: true})
		}
	}
	return append(shared, p.Mounts...) // mounts below /tmp must follow /tmp
}

// checkPaths returns an error for a path that no kind can write in its options.
func (p *Plan) checkPaths() error {
	for _, m := range p.Mounts {
		if strings.ContainsAny(m.From, ":,\n") {
			return fmt.Errorf("%q contains a colon or a comma, which no container program accepts in a bind mount: use an MPI library in "+
				"another directory", m.From)
		}
	}
	return nil
}

// devices are the device files of fabrics. Apptainer shows them by itself.
var devices = []string{"/dev/infiniband", "/dev/hfi1_0", "/dev/cxi0", "/dev/efa", "/dev/knem", "/dev/xpmem", "/dev/gdrdrv"}

// prefixes begin the names of the variables by which launchers, batch systems, runtimes and
// users configure the ranks.
var prefixes = []string{"OMPI_", "OPAL_", "PMIX_", "PRTE_", "PMI_", "MPI_LOCAL", "MPIR_", "MPICH_", "HYDRA_", "I_MPI_",
	"UCX_", "FI_", "PSM", "HWLOC_", "SLURM_", "OMP_", "WI4GO_"}

// inherited returns the names of the launcher's variables to pass on. Podman accepts a name
// that ends with a star. Docker needs each name in full, so the result has the names that are
// set now and the names that the launcher is known to set.
func inherited(kind Kind, s Setting) []string {
	var names []string
	if kind == Podman {
		for _, prefix := range prefixes {
			names = append(names, prefix+"*")
		}
		return append(names, "TMPDIR")
	}
	for _, v := range s.Environ {
		name, _, _ := strings.Cut(v, "=")
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			names = append(names, name)
		}
	}
	names = append(names, "TMPDIR")
	names = append(names, s.Launcher.Known()...)
	slices.Sort(names)
	return slices.Compact(names)
}
