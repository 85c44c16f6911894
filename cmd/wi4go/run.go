package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"wi4go/internal/config"
	"wi4go/internal/embedded"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/program"
	"wi4go/internal/ranks"
	"wi4go/internal/rankvars"
	"wi4go/internal/runtimes"
	"wi4go/internal/shell"
)

// runCommand returns the command that starts a program by the mpiexec of a runtime.
func runCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "run [OPTIONS OF WI4GO] [OPTIONS OF MPIEXEC] PROGRAM [ARGUMENTS] [: …]",
		Short: "Run a program with the mpiexec of another MPI library",
		Long: `Run a program with the mpiexec of another MPI library.

Options that are not wi4go's own go to that mpiexec; common options of another
library's mpiexec are translated. The program is the first executable argument
that is neither an option nor the value of an option; if this is ambiguous, put
-- before the program. ` + "`wi4go doctor --to RUNTIME PROGRAM`" + ` checks beforehand
whether it will work.
` + ownOptions(firstOfList, option{"--get", "install the runtime first if it is missing, as `wi4go get` does (without --get, wi4go asks on a terminal)"}),
		Example: `  wi4go run --to mpich -n 4 ./app x y
  wi4go run --to /opt/openmpi -n 4 --hostfile h --mca btl self,tcp --bind-to core ./app
  wi4go run --to mpich -n 1 ./master : -n 3 ./worker`,
		DisableFlagParsing: true,
		RunE:               runRun,
	}
}

// runRun becomes the runtime's launcher, or prints the command with --dry-run.
func runRun(cmd *cobra.Command, args []string) error {
	l, err := newLauncher()
	if err != nil {
		return err
	}
	options, segments, err := launch.ParseRun(args, l.Finder())
	if err != nil {
		return exitError{exitUsage, err}
	}
	if options.Help {
		return cmd.Help()
	}
	if err := launch.CheckHostFiles(segments); err != nil && !options.DryRun {
		return err
	}
	for _, s := range segments {
		go l.ReadAhead(s)
	}
	options.To = l.LibraryInside(options.To, segments[0])
	rt, err := runtimeFor(&l, options, false)
	err = l.NoRuntime(err, segments[0].Program, segments[0].Dir, options.From)
	if name := missingRuntime(l, options, err); name != "" {
		rt, err = installRuntime(name, &l, options, err)
	}
	if err != nil {
		return err
	}
	vars, warnings, err := l.Translate(segments, rt)
	if err != nil {
		return exitError{exitUsage, err}
	}
	isLauncher := l.Runtimes.LaunchedHere(rt)
	var signals *embedded.Signals
	if isLauncher && !options.DryRun {
		signals = embedded.ReceiveSignals()
	}
	var jobs []*launch.Job
	for _, s := range segments {
		j, err := l.Job(s.Program, s.Dir, options.From, rt)
		if err != nil {
			return err
		}
		if options.Verbose {
			j.Env = append(j.Env, l.Reported()...)
		}
		jobs = append(jobs, j)
	}
	jobs[0].Warnings = append(warnings, jobs[0].Warnings...)
	command, err := l.Command(segments, jobs)
	if err != nil {
		return err
	}
	if options.DryRun {
		for _, j := range jobs {
			describe(stdout, "# ", j)
			for _, v := range j.Env {
				fmt.Fprintf(stdout, "# each rank: %s\n", v)
			}
		}
		fmt.Fprintln(stdout, shell.Join(append(envPrefix(vars), command...)...))
		return nil
	}
	if err := checkLibraries(l, segments, jobs, os.Environ()); err != nil {
		return err
	}
	if err := checkHosts(l, segments, jobs, command); err != nil {
		return err
	}
	if err := checkDirectories(l, segments, jobs, rt, command, vars); err != nil {
		return err
	}
	for _, j := range jobs {
		if options.Verbose {
			describe(os.Stderr, "wi4go: ", j)
		}
		if err := prepare(l, j); err != nil {
			return err
		}
	}
	if options.Verbose {
		fmt.Fprintf(os.Stderr, "wi4go: %s\n", shell.Join(command...))
	}
	start, err := l.Mpiexec(rt)
	if err != nil {
		return err
	}
	// This process becomes the launcher, so that its exit code, signals and terminal pass
	// through.
	environ := rankvars.WithoutJob(launch.Environ(os.Environ(), vars), rt.StartedBy().Name)
	if isLauncher {
		return runRanks(command[1:], environ, signals)
	}
	return become(start, command, environ)
}

// missingRuntime returns the name of a runtime that `wi4go get` could install, if err means that the
// requested runtime is missing. It returns "" if get would not help.
func missingRuntime(l launch.Launcher, options launch.Options, err error) string {
	if err == nil || options.DryRun {
		return ""
	}
	name := options.To
	if name == "" {
		name = l.Getenv("WI4GO_TO")
	}
	if settings, wrong := l.Config(); name == "" && wrong == nil {
		name = settings.To.Text
	}
	return runtimes.InstallableName(name, err)
}

// installRuntime installs the missing runtime if --get was given or the user confirms, and returns it.
// Otherwise it returns missing, the error for the missing runtime, or an error that nothing was
// done.
func installRuntime(name string, l *launch.Launcher, options launch.Options, missing error) (*runtimes.Runtime, error) {
	if !options.Get {
		settings, wrong := l.Config()
		if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stderr.Fd())) || wrong != nil || !thisMachine(settings.Index.Text).canGet {
			return nil, missing
		}
		fmt.Fprintf(os.Stderr, "wi4go: %s\nwi4go: install it now (wi4go get %s)? [y/N] ", oneLine(missing), name)
		answer, _ := bufio.NewReader(os.Stdin).ReadString('\n') // the end of the input means no
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
			return nil, exitError{exitFailure, errors.New("nothing was installed, and the program was not run")}
		}
	}
	if err := runGet([]string{name}, getOptions{out: os.Stderr}); err != nil {
		return nil, err
	}
	return runtimeFor(l, options, false)
}

// runtimeFor returns the runtime that the options choose. It checks --from first, so that the
// first error concerns the user's own input. It copies --identity to l.
func runtimeFor(l *launch.Launcher, options launch.Options, started bool) (*runtimes.Runtime, error) {
	if options.From != "" && options.From != "auto" {
		if _, err := family.Of(options.From); err != nil {
			return nil, exitError{exitUsage, fmt.Errorf("--from: %w, auto", err)}
		}
	}
	l.Identity = l.Identity || options.Identity
	if _, err := l.Config(); err != nil {
		return nil, err
	}
	rt, err := l.Runtime(options.To, started)
	switch {
	case err == nil && options.Get && l.LastResort(rt, options.To):
		return nil, l.Runtimes.NoneFor(nil)
	case err != nil, started && reported(*l):
		return rt, err
	}
	if rt.Ambiguous() != nil {
		fmt.Fprintf(os.Stderr, "wi4go: warning: %s\n", rt.Ambiguous())
	}
	noteEmbedded(*l, rt, options.To)
	return rt, nil
}

// noteEmbedded reports that a program runs on the embedded MPI because there is no other. to is the
// value of --to.
func noteEmbedded(l launch.Launcher, rt *runtimes.Runtime, to string) {
	if l.LastResort(rt, to) {
		fmt.Fprintf(os.Stderr, "wi4go: note: %s\n", l.Runtimes.OnlyEmbedded(nil))
	}
}

// reported reports whether `wi4go run` or another rank prints the warnings of this process.
func reported(l launch.Launcher) bool {
	start := l.Runtimes.Started(os.Getpid())
	return os.Getenv("WI4GO_FROM") != "" || start != nil && start.Rank > 0
}

// describe writes how the program of a job runs and which functions the runtime lacks, whether
// wi4go serves them or not. Each line begins with prefix.
func describe(out io.Writer, prefix string, j *launch.Job) {
	fmt.Fprintf(out, "%s%s\n", prefix, j.Describe())
	if j.Native() {
		return
	}
	s := j.Service()
	if len(s.Emulated) > 0 {
		fmt.Fprintf(out, "%swi4go emulates %s, which the runtime lacks\n", prefix, functions(s.Emulated))
	}
	if len(s.Missing) > 0 {
		fmt.Fprintf(out, "%sthe runtime lacks %s\n", prefix, functions(s.Missing))
	}
}

// functions returns the names of a few functions, or the number of many.
func functions(names []string) string {
	const few = 6
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%d functions (`wi4go inspect --to` lists them)", len(names))
}

// execCommand returns the command that becomes one process of a program.
func execCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "exec [OPTIONS] [--] PROGRAM [ARGUMENTS]",
		Short: "Run one process of a program, under srun or any mpiexec",
		Long: `Become the program, in an environment in which it runs on another MPI library.
Put it after srun or any mpiexec; without a launcher the program is a single
process.
` + ownOptions(ofTheLauncher),
		Example: `  srun -n 4 wi4go exec --to /opt/mpich ./app x y
  mpiexec -n 4 wi4go exec ./app`,
		DisableFlagParsing: true,
		RunE:               runExec,
	}
}

// runExec becomes the program, or prints the command with --dry-run.
func runExec(cmd *cobra.Command, args []string) error {
	options, argv, err := launch.ParseExec(args)
	if err != nil {
		return exitError{exitUsage, err}
	}
	if options.Help {
		return cmd.Help()
	}
	if len(argv) == 0 {
		return exitError{exitUsage, errors.New("exec needs a program: wi4go exec [OPTIONS] PROGRAM [ARGUMENTS]")}
	}
	path, err := program.LookPath(argv[0], "")
	if err != nil {
		return exitError{ranks.StartCode(err), err}
	}
	l, err := newLauncher()
	if err != nil {
		return err
	}
	options.To = l.LibraryInside(options.To, launch.Segment{Program: argv})
	rt, err := runtimeFor(&l, options, true)
	if err != nil {
		return l.NoRuntime(err, argv, "", options.From)
	}
	j, err := l.Job(argv, "", options.From, rt)
	if err != nil {
		return err
	}
	if options.DryRun {
		describe(stdout, "# ", j)
		fmt.Fprintln(stdout, shell.Join(append(envPrefix(withRank(j)), argv...)...))
		return nil
	}
	if err := checkLibraries(l, []launch.Segment{{Program: argv}}, []*launch.Job{j}, os.Environ()); err != nil {
		return err
	}
	if err := checkLauncher(l, j, options, argv); err != nil {
		return err
	}
	if options.Verbose {
		describe(os.Stderr, "wi4go: ", j)
		j.Env = append(j.Env, l.Reported()...)
	}
	if reported(l) {
		j.Warnings, j.Notes = nil, nil
	}
	if err := prepare(l, j); err != nil {
		return err
	}
	environ := launch.Environ(os.Environ(), j.Env)
	if !j.Native() {
		environ = rankvars.Environ(environ, j.From)
	}
	return become(path, argv, environ)
}

// withRank returns the variables of a job. If this process is a rank, they include the
// variables that pass the program its rank before MPI_Init.
func withRank(j *launch.Job) []launch.Var {
	if j.Native() {
		return j.Env
	}
	vars := slices.Clone(j.Env)
	for _, v := range rankvars.Missing(os.Getenv, j.From) {
		vars = append(vars, launch.Var(v))
	}
	return vars
}

// prepare creates the files that a job needs and prints its warnings, and its notes about functions. With strictness "1" it
// returns the first warning as an error.
func prepare(l launch.Launcher, j *launch.Job) error {
	for _, note := range j.Notes {
		if id, _, _ := fault.Of(note, ""); id == "runtime-lacks" && strictness(l) != "0" {
			fmt.Fprintf(os.Stderr, "wi4go: note: %s\n", oneLine(note))
		}
	}
	if err := warn(l, j.Warnings...); err != nil {
		return err
	}
	return l.Prepare(j)
}

// warn prints warnings. With strictness "1" it returns the first of them as an error. Elements that
// are nil do not count.
func warn(l launch.Launcher, warnings ...error) error {
	for _, w := range warnings {
		switch {
		case w == nil, strictness(l) == "0":
		case strictness(l) != "":
			return w
		default:
			fmt.Fprintf(os.Stderr, "wi4go: warning: %s\n", oneLine(w))
		}
	}
	return nil
}

// checkLauncher reports a launcher that the library does not support, which is the cause if all
// ranks are 0. It does nothing if a front replaces the library, because the front reports this
// itself once MPI is initialized.
func checkLauncher(l launch.Launcher, j *launch.Job, options launch.Options, argv []string) error {
	strict := strictness(l)
	if !j.Native() || strict == "0" {
		return nil
	}
	command := argv
	if options.From != "" {
		command = append([]string{"--from", options.From}, argv...)
	}
	w := l.Runtimes.Started(os.Getpid()).CheckLauncher(j.Runtime, command)
	switch {
	case w == nil || !w.Sure:
		return nil
	case strict != "" && w.First:
		return w
	case strict != "":
		time.Sleep(2 * time.Second) // a launcher ends the job when its first process ends: rank 0 must report first
		os.Exit(exitFailure)
	case w.First:
		fmt.Fprintf(os.Stderr, "wi4go: warning: %s\n", w)
	}
	return nil
}

// strictness returns "1" if a launcher that leaves each rank alone in its world is an error,
// "0" if it is intended, and otherwise "". The environment variable overrides the
// configuration.
func strictness(l launch.Launcher) string {
	settings, err := l.Config()
	if strict := os.Getenv(config.StrictVariable); strict != "" || err != nil {
		return strict
	}
	return settings.Strictness()
}

// envCommand returns the command that prints the environment of a program.
func envCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "env [OPTIONS] [PROGRAM]",
		Short: "Print the environment for a program, for a shell to read",
		Long: `Print the environment in which a program runs on another MPI library, as shell
commands. Without a program, --from gives the family.
` + ownOptions(ofTheLauncher) + containerHelp(),
		Example:            `  (eval "$(wi4go env --to mpich ./app)"; ./app)` + containerExample,
		DisableFlagParsing: true,
		RunE:               runEnv,
	}
}

// runEnv prints the environment of a program as shell commands.
func runEnv(cmd *cobra.Command, args []string) error {
	contained, args, err := containerOptions(args)
	if err != nil {
		return exitError{exitUsage, err}
	}
	if contained.kind != "" {
		return runContainer(cmd, contained, args)
	}
	options, argv, err := launch.ParseExec(args)
	if err != nil {
		return exitError{exitUsage, err}
	}
	if options.Help {
		return cmd.Help()
	}
	if len(argv) == 0 && (options.From == "" || options.From == "auto") {
		return exitError{exitUsage, errors.New("env needs a program: name it, or give its family with --from openmpi or --from mpich")}
	}
	l, err := newLauncher()
	if err != nil {
		return err
	}
	options.To = l.LibraryInside(options.To, launch.Segment{Program: argv})
	rt, err := runtimeFor(&l, options, true)
	if err != nil {
		return err
	}
	if len(argv) == 0 {
		argv = []string{""} // --from alone decides
	}
	j, err := l.Job(argv, "", options.From, rt)
	if err != nil {
		return err
	}
	if options.Verbose {
		describe(os.Stderr, "wi4go: ", j)
	}
	if !options.DryRun {
		if err := prepare(l, j); err != nil {
			return err
		}
	}
	for _, v := range withRank(j) {
		fmt.Fprintf(stdout, "export %s=%s\n", v.Name, shell.Quote(v.Value))
	}
	return nil
}

// become replaces this process by a program. It returns only if that fails.
func become(path string, argv, environ []string) error {
	err := ranks.Become(path, argv, environ)
	return exitError{ranks.StartCode(err), err}
}

// envPrefix returns the words of an env command that sets vars, or nil if there are none.
func envPrefix(vars []launch.Var) []string {
	if len(vars) == 0 {
		return nil
	}
	words := []string{"env"}
	for _, v := range vars {
		words = append(words, v.String())
	}
	return words
}
