package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"wi4go/internal/container"
	"wi4go/internal/elfobj"
	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/ldso"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
	"wi4go/internal/shell"
)

// containerHelp returns the part about containers in the help of `wi4go env`.
func containerHelp() string {
	return optionsText("\n\nOptions for a program in a container that runs on an MPI of this host:\n", []option{
		{"--container KIND", "print the options for apptainer exec, podman run or docker run: bind mounts and environment; with cdi, print a file of " +
			"the Container Device Interface, for the option --device of engines that support it"},
		{"--rootfs DIR", "the directory that has the container's files (from apptainer build --sandbox, podman mount or docker export): wi4go finds " +
			"the program there, mounts only files that are missing there, and checks its glibc"},
		{"--eval", "print text for the shell's eval: exports for apptainer, quoted options for podman and docker"},
	})
}

// containerExample is the part about containers in its examples.
const containerExample = `
  mpiexec -n 4 apptainer exec $(wi4go env --container apptainer --to mpich ./app) image.sif ./app
  mpiexec -pmi-port -n 4 podman run --rm $(wi4go env --container podman --to mpich --from openmpi) image app
  wi4go env --container cdi --to mpich --from openmpi > /etc/cdi/wi4go.json; podman run --device wi4go/mpi=openmpi-on-mpich …
  eval "$(wi4go env --container apptainer --eval --to mpich ./app)"; mpiexec -n 4 apptainer exec image.sif ./app`

// inContainer holds the options of `wi4go env` for containers.
type inContainer struct {
	kind, rootfs string // values of --container and --rootfs, "" for none
	eval         bool   // print for the shell's eval
}

// containerOptions parses the options for containers among the options before the program, and
// returns the rest of args. It returns an error for a missing value and for options that
// contradict each other.
func containerOptions(args []string) (c inContainer, rest []string, err error) {
	for len(args) > 0 && args[0] != "--" && strings.HasPrefix(args[0], "-") {
		name, value, joined := strings.Cut(args[0], "=")
		n := 1
		switch name {
		case "--container", "--rootfs", "--from", "--to":
			if !joined && len(args) > 1 {
				value, n = args[1], 2
			}
			if value == "" {
				return c, nil, fmt.Errorf("%s needs a value: see `wi4go help env`", name)
			}
		}
		switch name {
		case "--container":
			c.kind = value
		case "--rootfs":
			c.rootfs = value
		case "--eval":
			c.eval = true
		default:
			rest = append(rest, args[:n]...)
		}
		args = args[n:]
	}
	if c.kind == "" && (c.rootfs != "" || c.eval) {
		return c, nil, errors.New("--rootfs and --eval need --container: add --container apptainer, podman, docker or cdi")
	}
	if c.kind == string(container.CDI) && c.eval {
		return c, nil, errors.New("--eval prints shell commands, but --container cdi prints a file: leave out one of them")
	}
	return c, append(rest, args...), nil
}

// runContainer prints how the program in args runs inside a container on a runtime of this
// host.
func runContainer(cmd *cobra.Command, c inContainer, args []string) error {
	kind, err := container.KindOf(c.kind)
	if err != nil {
		return exitError{exitUsage, fmt.Errorf("--container: %w", err)}
	}
	options, argv, err := launch.ParseExec(args)
	if err != nil {
		return exitError{exitUsage, err}
	}
	if options.Help {
		return cmd.Help()
	}
	if options.To == "" && os.Getenv("WI4GO_TO") == "" {
		return exitError{exitUsage, errors.New("env --container needs an MPI library of this host: name it with --to (`wi4go list` shows them)")}
	}
	auto := options.From == "" || options.From == "auto"
	if len(argv) == 0 && auto {
		return exitError{exitUsage, errors.New("env --container needs a program: name it, or give its family with --from openmpi or --from mpich")}
	}
	l, err := newLauncher()
	if err != nil {
		return err
	}
	rt, err := runtimeFor(&l, options, false)
	if err != nil {
		return err
	}
	var image *container.Image
	if c.rootfs != "" {
		if image, err = container.OpenImage(c.rootfs); err != nil {
			return err
		}
		l.Libs = image.Search
	}
	// The container does not inherit this host's LD_PRELOAD and LD_LIBRARY_PATH.
	l.Contained = true
	getenv := l.Getenv
	l.Getenv = func(name string) string {
		if name == "LD_PRELOAD" || name == "LD_LIBRARY_PATH" {
			return ""
		}
		return getenv(name)
	}
	j, err := containedJob(l, image, argv, options.From, rt)
	if err != nil {
		return err
	}
	plan, err := container.New(request(l, image, j))
	if err != nil {
		return err
	}
	setting := container.Setting{
		Launcher: rt.StartedBy(), Environ: os.Environ(), UID: os.Getuid(), GID: os.Getgid(), TempDir: os.TempDir(),
	}
	var text string
	if kind == container.CDI {
		text, err = deviceText(plan, j, setting)
	} else {
		text, err = planText(plan, kind, c.eval, setting)
	}
	if err != nil {
		return err
	}
	if options.Verbose {
		describe(os.Stderr, "wi4go: ", j)
	}
	for _, line := range plan.Warnings {
		fmt.Fprintf(os.Stderr, "wi4go: warning: %s\n", line)
	}
	for _, line := range append(plan.Notes, launchNote(kind, rt)...) {
		fmt.Fprintf(os.Stderr, "wi4go: note: %s\n", line)
	}
	fmt.Fprint(stdout, text)
	return nil
}

// containedJob decides how a program gets onto the runtime. The program may be in the image, on
// this host, or not exist yet. containedJob returns an error if it cannot determine what the
// program was built for.
func containedJob(l launch.Launcher, image *container.Image, argv []string, from string, rt *runtimes.Runtime) (*launch.Job, error) {
	if len(argv) == 0 {
		return l.Job([]string{""}, "", from, rt) // --from alone decides
	}
	auto := from == "" || from == "auto"
	name, inImage := argv[0], error(nil)
	if image != nil {
		var path string
		if path, inImage = image.LookPath(name); inImage == nil {
			p, err := program.Read(path, image.Search)
			switch {
			case err == nil && (auto || p.Family.Name == from):
				return l.JobOf(p, rt)
			case auto && errors.Is(err, elfobj.ErrNotELF):
				return nil, fmt.Errorf("%s is a script, and wi4go does not follow scripts inside a container: %w", path, program.ErrUnknownFamily)
			case auto:
				return nil, err
			}
			return l.Job([]string{""}, "", from, rt)
		}
	}
	if path, err := program.LookPath(name, ""); err == nil {
		// The container also shows directories of this host.
		if image != nil {
			l.Libs = ldso.FromEnviron()
		}
		j, err := l.Job(append([]string{path}, argv[1:]...), "", from, rt)
		if err == nil || auto {
			return j, err
		}
		return l.Job([]string{""}, "", from, rt)
	} else if auto && image == nil {
		return nil, fault.New("program-unknown", "name the directory that has the container's files with --rootfs, or give the program's "+
			"family with --from", "%w; if it is in the container, wi4go needs the container's files to read it", err)
	}
	if image != nil {
		return nil, inImage
	}
	return l.Job([]string{""}, "", from, rt)
}

// request returns the request for the plan of a job.
func request(l launch.Launcher, image *container.Image, j *launch.Job) container.Request {
	r := container.Request{
		Library: j.Runtime.Library, Alone: j.Runtime.Traits().IsOwn, Names: j.Links(), Image: image, Host: ldso.FromEnviron(),
	}
	if j.Runtime.Launcher != "" {
		for _, name := range j.Runtime.StartedBy().SingletonDaemons {
			if file := filepath.Join(filepath.Dir(j.Runtime.Launcher), name); isRegular(file) {
				r.Helpers = append(r.Helpers, file)
			}
		}
	}
	for _, v := range j.Env {
		r.Env = append(r.Env, container.Var(v))
	}
	if j.Native() {
		if len(j.Env) == 0 { // on this host the program finds the library by itself, but not in the container
			r.Env = []container.Var{{Name: "LD_PRELOAD", Value: j.Runtime.Library}}
		}
		if j.Program != nil {
			for _, name := range append(j.Program.Fortran, j.Program.Cxx...) {
				if file := filepath.Join(filepath.Dir(j.Runtime.Library), name); isRegular(file) {
					r.Companions = append(r.Companions, file)
				}
			}
		}
	} else {
		r.OwnDir = l.Tree.Fronts()
	}
	if j.Program != nil {
		r.Program = j.Program.Tree
	}
	return r
}

// isRegular reports whether path is a regular file.
func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// launchNote returns the conditions under which the launcher reaches ranks in a container that
// is not its own child process.
func launchNote(kind container.Kind, rt *runtimes.Runtime) []string {
	switch {
	case kind == container.Apptainer || rt.Vendor == runtimes.OpenMPI.Name:
		return nil
	case rt.Vendor == runtimes.MPICH.Name:
		return []string{fmt.Sprintf("%s passes no open files into a container: start the job with `mpiexec -pmi-port`, which reaches the "+
			"ranks by address", kind)}
	}
	return []string{fmt.Sprintf("%s passes no open files into a container, but the launcher of %s reaches its ranks through one: each rank "+
		"may run as rank 0 of 1; use apptainer", kind, rt.Title())}
}

// deviceText returns the CDI file that describes the plan, and adds a note about the settings
// that such a file cannot contain.
func deviceText(plan *container.Plan, j *launch.Job, s container.Setting) (string, error) {
	name := j.Runtime.Vendor
	if !j.Native() {
		name = j.From.Name + "-on-" + name
	}
	text, err := plan.Device(name, s)
	plan.Notes = append(plan.Notes, fmt.Sprintf("save this file in /etc/cdi, then start: podman run --device %s=%s --ipc=host --pid=host "+
		"--network=host --env=… (a CDI file cannot set these options, nor the launcher's variables)",
		container.CDIKind, name))
	return string(text), err
}

// planText returns the words of the plan, one per line, for a command substitution. With eval
// it returns text for the shell's eval. It returns an error if a command substitution would
// split a word.
func planText(plan *container.Plan, kind container.Kind, eval bool, s container.Setting) (string, error) {
	if eval && kind == container.Apptainer {
		vars, err := plan.Exports(s)
		text := ""
		for _, v := range vars {
			text += fmt.Sprintf("export %s=%s\n", v.Name, shell.Quote(v.Value))
		}
		return text, err
	}
	words, err := plan.Words(kind, s)
	if err != nil {
		return "", err
	}
	if eval {
		return shell.Join(words...) + "\n", nil
	}
	for _, word := range words {
		if strings.ContainsAny(word, " \t\n?[\\'\"") || strings.Contains(strings.TrimSuffix(word, "*"), "*") {
			return "", fmt.Errorf("a command substitution would split %q: use --eval (`wi4go help env` shows how)", word)
		}
	}
	return strings.Join(words, "\n") + "\n", nil
}
