package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// defaultCommand returns the command that the core (shim/core) starts in a program that was
// started with a front but without a choice of library. It prints the file of the library to
// run on, for a program of the given family, and in a second line a note for its user.
func defaultCommand() *cobra.Command {
	return &cobra.Command{
		Use: "default-library FAMILY", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := newLauncher()
			if err != nil {
				return err
			}
			rt, err := l.Runtime("", true)
			note := err == nil && l.LastResort(rt, "")
			if err == nil && rt.Family.Name == args[0] && !rt.Traits().IsOwn {
				rt, err = l.Runtimes.DefaultFor(args[0])
				note = err == nil && rt.Traits().IsOwn
			}
			if err != nil {
				return err
			}
			fmt.Fprintln(stdout, rt.Library)
			if note && !reported(l) {
				fmt.Fprintf(stdout, "wi4go: note: %s\n", l.Runtimes.OnlyEmbedded(nil))
			}
			return nil
		},
	}
}

// wrongLauncherCommand returns the command that a front starts (shim/front/launcher_check.c) in a
// process whose MPI library may not support its launcher. The command prints nothing if the
// launcher fits. Otherwise it prints two digits, 1 or 0, and a message. The first digit is 1 if
// the mismatch is certain before MPI is initialized, and 0 if it depends on MPI_COMM_WORLD
// having one process. The second is 1 in the process that reports it for its job (rank 0).
func wrongLauncherCommand() *cobra.Command {
	return &cobra.Command{
		Use: "wrong-launcher PID LIBRARY", Hidden: true, Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			pid, err := strconv.Atoi(args[0])
			if err != nil {
				return err
			}
			l, rt, err := launcherOn(args[1])
			if err != nil {
				return err
			}
			line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if err != nil {
				return err
			}
			command := strings.FieldsFunc(string(line), func(r rune) bool { return r == 0 })
			if w := l.Runtimes.Started(pid).CheckLauncher(rt, command); w != nil {
				digit := map[bool]string{true: "1", false: "0"}
				fmt.Fprintf(stdout, "%s%s%s\n", digit[w.Sure], digit[w.First], w)
			}
			return nil
		},
	}
}
