package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/program"
	"wi4go/internal/ranks"
	"wi4go/internal/shell"
)

// shellCommand returns the command that starts a shell, or a script, in which mpirun, mpiexec and
// the compiler wrappers are wi4go's.
func shellCommand() *cobra.Command {
	var to string
	var identity, dryRun bool
	cmd := &cobra.Command{
		Use:   "shell [OPTIONS] [-- COMMAND [ARGUMENTS]]",
		Short: "Start a shell or a script with wi4go's own mpirun and mpicc",
		Long: `Start a shell in which mpirun, mpiexec, mpicc, mpicxx and mpifort are wi4go's.
mpirun and mpiexec start programs of every family on the runtime, and pkg-config
finds wi4go's MPI. With a command, for example a job script, that command runs
instead of the shell.

Commands that a script calls by their path, such as /usr/bin/mpirun, or by
another name, such as mpiexec.hydra, are not replaced; wi4go warns of them. Nor
is mpirun after a command that puts another MPI first in PATH ("module load").`,
		Example: `  wi4go shell --to mpich                    an interactive shell ($SHELL)
  wi4go shell --to mpich -- ./job.sh x y    a script that calls mpirun itself`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			return runShell(launch.Options{To: to, Identity: identity, DryRun: dryRun}, args)
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringVar(&to, "to", "", "the `RUNTIME`, as for run")
	cmd.Flags().BoolVar(&identity, "identity", false, "use the front also for programs of the runtime's own family")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print the command and the environment, and run nothing")
	return cmd
}

// runShell becomes the command, or the user's shell if there is none. It returns an error if the
// runtime lacks a launcher, or if this installation has no commands of an MPI.
func runShell(options launch.Options, argv []string) error {
	if len(argv) == 0 {
		argv = []string{cmp.Or(os.Getenv("SHELL"), "/bin/sh")}
	}
	l, err := newLauncher()
	if err != nil {
		return err
	}
	rt, err := runtimeFor(&l, options, false)
	if err != nil {
		return err
	}
	if _, err := l.Mpiexec(rt); err != nil {
		return err
	}
	dir := l.Tree.Commands()
	if _, err := os.Stat(dir); err != nil {
		return fault.New("installation-incomplete", "reinstall wi4go", "this installation of wi4go has no mpirun: %w", err)
	}
	vars := []launch.Var{
		{Name: "PATH", Value: withFirst(dir, os.Getenv("PATH"))},
		{Name: "PKG_CONFIG_PATH", Value: withFirst(filepath.Join(filepath.Dir(dir), "lib/pkgconfig"), os.Getenv("PKG_CONFIG_PATH"))},
		{Name: "WI4GO_TO", Value: rt.Library},
	}
	if options.Identity {
		vars = append(vars, launch.Var{Name: "WI4GO_IDENTITY", Value: "always"})
	}
	if options.DryRun {
		fmt.Fprintln(stdout, shell.Join(append(envPrefix(vars), argv...)...))
		return nil
	}
	// The command is searched in the new PATH, as in a shell that has it.
	for _, v := range vars {
		if err := os.Setenv(v.Name, v.Value); err != nil {
			return err
		}
	}
	path, err := program.LookPath(argv[0], "")
	if err != nil {
		return exitError{ranks.StartCode(err), err}
	}
	if real, _ := filepath.EvalSymlinks(path); real != l.Tree.Command() {
		if err := warn(l, launch.CheckScript(argv, "", rt, os.Getenv)); err != nil {
			return err
		}
	}
	return become(path, argv, os.Environ())
}

// withFirst returns a list of directories like PATH, or an empty list, with dir as its first element.
func withFirst(dir, list string) string {
	if list == "" {
		return dir
	}
	dirs := slices.DeleteFunc(strings.Split(list, ":"), func(d string) bool { return d == dir })
	return strings.Join(slices.Insert(dirs, 0, dir), ":")
}
