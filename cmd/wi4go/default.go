package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// defaultCommand is what the core asks (shim/core) in a program that was started
// with a front and nothing that names a library: it prints the file of the one
// to run on, for a program of the given family.
func defaultCommand() *cobra.Command {
	return &cobra.Command{
		Use: "default-library FAMILY", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := newLauncher()
			if err != nil {
				return err
			}
			rt, err := l.Runtime("", true)
			if err == nil && rt.Family.Name == args[0] {
				rt, err = l.Runtimes.DefaultFor(args[0])
			}
			if err != nil {
				return err
			}
			fmt.Fprintln(stdout, rt.Library)
			return nil
		},
	}
}

// wrongLauncherCommand is what a front asks (shim/front/world.c) in a process
// whose MPI library may not understand the launcher: it prints nothing where
// all is well, else whether that is sure before MPI is initialized, whether the
// process is the one of its job that says it (1 or 0 each), and what to say.
func wrongLauncherCommand() *cobra.Command {
	return &cobra.Command{
		Use: "wrong-launcher PID LIBRARY", Hidden: true, Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			pid, err := strconv.Atoi(args[0])
			if err != nil {
				return err
			}
			l, err := newLauncher()
			if err != nil {
				return err
			}
			rt, err := l.Runtimes.Resolve(args[1])
			if err != nil {
				return err
			}
			line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if err != nil {
				return err
			}
			command := strings.FieldsFunc(string(line), func(r rune) bool { return r == 0 })
			if w := l.Runtimes.Started(pid).Wrong(rt, command); w != nil {
				digit := map[bool]string{true: "1", false: "0"}
				fmt.Fprintf(stdout, "%s%s%s\n", digit[w.Sure], digit[w.First], w)
			}
			return nil
		},
	}
}
