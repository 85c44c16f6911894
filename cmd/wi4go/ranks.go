package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"wi4go/internal/embedded"
	"wi4go/internal/rankvars"
)

// ranksCommand returns the launcher of the embedded MPI. `wi4go run` and bin/mpiexec call it like
// another MPI's mpiexec; its command line is a launcher's.
func ranksCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "ranks [OPTIONS] PROGRAM [ARGUMENTS] [: …]",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return runRanks(args, rankvars.WithoutJob(os.Environ(), ""), embedded.ReceiveSignals())
		},
	}
}

// runRanks runs a job of the embedded MPI. environ is the whole environment of its ranks, unless args
// have more. The ranks get the signals.
func runRanks(args, environ []string, signals *embedded.Signals) error {
	job, err := embedded.Parse(args, environ)
	if errors.Is(err, embedded.ErrTooMany) {
		if l, wrong := newLauncher(); wrong == nil {
			err = fmt.Errorf("%w, or use another MPI: %s", err, l.InsteadOf(nil))
		}
	}
	if err != nil {
		return exitError{embedded.CodeUsage, err}
	}
	switch job.Asked {
	case embedded.Version:
		fmt.Fprintln(stdout, "wi4go embedded MPI "+version+", for one host")
		return nil
	case embedded.Help:
		fmt.Fprint(stdout, embedded.HelpText)
		return nil
	}
	code, err := job.Run(signals, os.Stdin, os.Stdout, os.Stderr)
	if code != 0 || err != nil {
		return exitError{code, err}
	}
	return nil
}
