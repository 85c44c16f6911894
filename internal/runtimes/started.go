package runtimes

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launchers"
	"wi4go/internal/ldso"
	"wi4go/internal/rankvars"
	"wi4go/internal/shell"
)

// A Start describes the launcher that started this process, as the environment shows it.
type Start struct {
	Title    string            // the launcher's name for messages
	Protocol launchers.Manager // the protocol for the rank; "" if it is neither PMI nor PMIx
	// Rank and Size are this process's rank and the number of ranks according to the launcher. Size
	// is 0 if the launcher does not give it.
	Rank, Size int

	launcher *launchers.Launcher
	isChild  bool                // this process is a child of an MPI process and not a rank itself
	getenv   func(string) string // looks up the environment without the variables that wi4go has set
}

// Family returns the family whose libraries understand the launcher. It returns nil if there is
// none, or if the launcher belongs to one vendor alone.
func (s *Start) Family() *family.Family {
	if s == nil {
		return nil
	}
	for _, f := range family.All {
		if s.launcher.IsCommand() && s.launcher.Name == f.Launcher || !s.launcher.IsCommand() && s.Protocol == launchers.Of(f.Launcher).Manager {
			return f
		}
	}
	return nil
}

// matches reports whether programs of launcher l would also run under the launcher that was used.
func (s *Start) matches(l *launchers.Launcher) bool {
	if s.launcher.IsCommand() {
		return l == s.launcher
	}
	return l != nil && l.IsCommand() && l.Manager != "" && l.Manager == s.Protocol
}

// Started returns the launcher that started process pid, which must have this process's
// environment. It returns nil if no launcher shows. If one launcher was started by another (mpiexec
// inside a job of srun), the variables of both are set, and the nearest ancestor counts.
func (s Search) Started(pid int) *Start {
	_, parent := status(pid)
	return s.started(os.Getenv, ancestors(parent))
}

// started does the work of Started. above are the ancestors, the nearest first.
func (s Search) started(getenv func(string) string, above []ancestor) *Start {
	getenv = rankvars.FromLauncher(getenv)
	var launcher *launchers.Launcher
	between := above
	for _, l := range launchers.All {
		if getenv(l.Process.Mark) == "" {
			continue
		}
		n := daemonAmong(between, l)
		if launcher != nil && n < 0 {
			continue
		}
		if n >= 0 {
			between = between[:n]
		}
		launcher = l
	}
	if launcher == nil {
		return nil
	}
	start := &Start{Title: launcher.Title, Protocol: launcher.Manager, launcher: launcher, getenv: getenv}
	if launcher.Step != nil && !start.completeStep() {
		return nil
	}
	var err error
	if start.Size, err = strconv.Atoi(rankvars.Number(getenv, launcher.Variables().Size)); err != nil {
		start.Size = 0
	}
	if start.Rank, err = strconv.Atoi(rankvars.Number(getenv, launcher.Variables().Rank)); err != nil {
		start.Size = 0
	}
	start.isChild = start.Size > 1 && slices.ContainsFunc(between, s.isMPIProcess)
	return start
}

// completeStep completes s for srun. It returns false in a batch script and in the shell of an
// allocation, because srun did not start them as steps.
func (s *Start) completeStep() bool {
	if !rankvars.IsStep(s.getenv) {
		return false
	}
	if plugin := s.getenv(s.launcher.Step.Plugin); plugin != "" {
		s.Title += " --mpi=" + plugin
	}
	s.Protocol = rankvars.StepManager(s.getenv)
	return true
}

// A WrongLauncher is the error for processes whose library does not understand the launcher that
// started them.
type WrongLauncher struct {
	error      // the problem, and the correct command
	Sure  bool // the problem is certain; otherwise it exists if MPI_COMM_WORLD has one process
	First bool // this process, rank 0, reports the error for its job
}

// CheckLauncher returns the error to report if the library rt does not understand the launcher.
// Unless it is Sure, it only applies if MPI_COMM_WORLD turns out to have one process. CheckLauncher
// returns nil if the user requested only one process, or if this process is not a rank. command is
// the program's command line, as `wi4go exec` takes it.
func (s *Start) CheckLauncher(rt *Runtime, command []string) *WrongLauncher {
	if s == nil || s.Size < 2 || s.isChild || rt.StartedBy().Joins {
		return nil
	}
	right := []string{"wi4go", "run", "--to", rt.Library, "-n", strconv.Itoa(s.Size)}
	step := s.launcher.Step
	if step != nil {
		plugin := "pmi2"
		if rt.StartedBy().Manager == launchers.PMIx {
			plugin = "pmix"
		}
		right = []string{"srun", "--mpi=" + plugin, "-n", strconv.Itoa(s.Size), "wi4go", "exec", "--to", rt.Library}
	}
	cure := "start them with: " + shell.Join(append(right, command...)...)
	if step != nil && rt.Vendor == IntelMPI.Name && s.getenv(step.Library) == "" {
		cure += fmt.Sprintf(" (older Intel MPI also needs %s=%s)", step.Library, slurmPMI())
	}
	return &WrongLauncher{
		error: fault.New("wrong-launcher", cure, "%s started %d processes, but %s does not support this launcher, so each process runs as "+
			"rank 0 of 1 or stops in MPI_Init", s.Title, s.Size, rt),
		Sure:  !s.matches(rt.StartedBy()) && !rt.supports(s),
		First: s.Rank == 0,
	}
}

// supports reports whether a library may understand a launcher although it does not fit the library's
// own launcher.
func (r *Runtime) supports(s *Start) bool {
	manager := map[launchers.Manager]string{launchers.PMI: "pmi", launchers.PMIx: "pmix"}[s.Protocol]
	if manager == "" { // srun itself serves programs that are linked with Slurm's library
		step := s.launcher.Step
		return step != nil && s.getenv(step.Library) != "" || slices.ContainsFunc(r.object.Needed, func(name string) bool { return strings.HasPrefix(name, "libpmi.") })
	}
	return slices.ContainsFunc(r.ReadFiles(ldso.FromEnviron()).ProcessManagers, func(m string) bool {
		return strings.TrimRight(m, "12") == manager
	})
}

// slurmPMI returns the path of Slurm's PMI library if it is in a usual place, else a description of
// it.
func slurmPMI() string {
	for _, dir := range []string{"/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib64/slurm", "/opt/slurm/lib*", "/usr/local/lib"} {
		if files, _ := filepath.Glob(filepath.Join(dir, "libpmi2.so*")); len(files) > 0 {
			return files[0]
		}
	}
	return "the path of Slurm's libpmi2.so"
}

// Default returns the runtime for a process if none is named: the runtime whose launcher started
// the process, else a runtime that understands this launcher, else the first of List.
func (s Search) Default() (*Runtime, error) {
	above := ancestors(os.Getppid())
	start := s.started(os.Getenv, above)
	if start == nil {
		return s.Resolve("")
	}
	for _, a := range above {
		if start.matches(LauncherOf(a.file)) || a.isDaemon() {
			if found := Usable(s.ofLauncher(a.file, start.matches)); len(found) > 0 {
				return found[0], nil
			}
		}
	}
	if f := start.Family(); f != nil {
		if rt, err := s.ofFamily(f); err == nil {
			return rt, nil
		}
	}
	for r := range s.all() {
		if start.matches(r.StartedBy()) && r.check() == nil {
			return r, nil
		}
	}
	return s.Resolve("")
}

// An ancestor is a process above this one in the process tree.
type ancestor struct {
	pid  int
	name string // name of its command; the kernel truncates it to 15 characters
	file string // path of its program; "" if it cannot be read
}

// is reports whether an ancestor runs a program with this name. The name of the program's file may
// differ from the name by which it was called, so it compares both.
func (a ancestor) is(name string) bool {
	return filepath.Base(a.file) == name || a.name == name[:min(len(name), 15)]
}

// DefaultFor returns the default runtime for a program of a family, given by the family's name. It
// is a runtime of another family, because within its family a program needs no front; or the
// embedded MPI, which is in its family without having the soname that programs load.
func (s Search) DefaultFor(program string) (*Runtime, error) {
	preferred, err := s.Default()
	serves := func(r *Runtime) bool { return r.Family.Name != program || r.Traits().IsOwn }
	if err == nil && serves(preferred) {
		return preferred, nil
	}
	for _, r := range Usable(s.List()) {
		if serves(r) {
			return r, nil
		}
	}
	other := MPICH
	if program == other.Family() {
		other = OpenMPI
	}
	return nil, fmt.Errorf("no MPI library found to run this %s program: set WI4GO_TO to the file of one, start the program with `wi4go run "+
		"--to`, or install one, for example with %s", program, s.installing(other.Name))
}

// isDaemon reports whether an ancestor is a process that a launcher puts between itself and the
// ranks.
func (a ancestor) isDaemon() bool {
	return slices.ContainsFunc(launchers.All, func(l *launchers.Launcher) bool { return daemonAmong([]ancestor{a}, l) == 0 })
}

// daemonAmong returns the index of the first ancestor that is a daemon of the launcher, or -1.
func daemonAmong(above []ancestor, l *launchers.Launcher) int {
	return slices.IndexFunc(above, func(a ancestor) bool { return slices.ContainsFunc(l.Process.Daemons, a.is) })
}

// isMPIProcess reports whether an ancestor has loaded an MPI library, other than wi4go's fronts and
// libraries that its LD_PRELOAD puts into every process.
func (s Search) isMPIProcess(a ancestor) bool {
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", a.pid))
	if err != nil {
		return false
	}
	defer maps.Close()
	// Ignore the error: without the file, assume that nothing is preloaded.
	environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", a.pid))
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		_, file, found := strings.Cut(lines.Text(), "/")
		if !found {
			continue
		}
		file = "/" + strings.TrimSuffix(file, " (deleted)")
		f, part := family.OfLibrary(file)
		if f != nil && part == family.C && !s.isOwn(file) && !preloads(string(environ), file) {
			return true
		}
	}
	return false
}

// preloads reports whether LD_PRELOAD in a process's environment names a file, or a stand-in that
// loads it. environ is the content of /proc/PID/environ.
func preloads(environ, file string) bool {
	for variable := range strings.SplitSeq(environ, "\x00") {
		if list, found := strings.CutPrefix(variable, "LD_PRELOAD="); found {
			return slices.ContainsFunc(ldso.SplitPreload(list),
				func(item string) bool {
					if realPath(item) == file {
						return true
					}
					o, err := elfobj.Read(item)
					return err == nil && len(o.Needed) == 1 && realPath(o.Needed[0]) == file
				})
		}
	}
	return false
}

// ancestors returns process pid and the processes above it, the nearest first.
func ancestors(pid int) []ancestor {
	var above []ancestor
	for n := 0; pid > 1 && n < 12; n++ {
		a := ancestor{pid: pid}
		a.file, _ = os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)) // hidden for processes of another user
		a.name, pid = status(pid)
		above = append(above, a)
	}
	return above
}

// status returns a process's name and its parent from /proc/PID/stat (proc(5)): the second field,
// in parentheses, and the fourth. parent is 0 if the file cannot be read.
func status(pid int) (name string, parent int) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0
	}
	text := string(data)
	begin, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if begin < 0 || end < begin {
		return "", 0
	}
	name = text[begin+1 : end]
	if fields := strings.Fields(text[end+1:]); len(fields) > 1 {
		if parent, err = strconv.Atoi(fields[1]); err != nil {
			parent = 0
		}
	}
	return name, parent
}
