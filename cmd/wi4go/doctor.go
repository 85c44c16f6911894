package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"wi4go/internal/doctor"
	"wi4go/internal/hosts"
	"wi4go/internal/runtimes"
)

// doctorCommand returns the command that predicts whether a run will work.
func doctorCommand() *cobra.Command {
	var q doctor.Question
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [--from FAMILY] [--to RUNTIME] [--hosts HOST,…] [--json] [PROGRAM [ARGUMENTS]]",
		Short: "Check before a run whether it will work",
		Long: `Check before a run whether it will work. The output has one line for each
problem, with its cause and its cure.

Without a program and a runtime, doctor examines this machine: the installation
of wi4go, the MPI libraries, the limits and the environment. With --to it also
starts two test ranks, which pass a message. With --hosts it checks, through the
launcher's remote shell, that each host has the same files at the same paths,
and passes messages between the first host and each other host.

The exit code is 0 if the run will work, 1 if it will work with warnings, and 2
if it will not work. --json prints an object: status (the exit code), verdict,
facts (subject, fact, and details with keys of their own for each subject) and
findings (id, severity: error, warning or note, finding, cure). These fields and
the ids are stable.`,
		Example: `  wi4go doctor
  wi4go doctor --to mpich ./app
  wi4go doctor --to mpich --hosts node1,node2 ./app`,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Hosts = slices.DeleteFunc(q.Hosts, func(name string) bool { return strings.TrimSpace(name) == "" })
			if cmd.Flags().Changed("hosts") && len(q.Hosts) == 0 {
				return exitError{exitUsage, errors.New("--hosts needs the names of hosts: --hosts node1,node2")}
			}
			q.Argv, q.Trial = args, q.To != ""
			return runDoctor(q, asJSON)
		},
	}
	cmd.Flags().SetInterspersed(false)
	familyFlag(cmd, &q.From, "the `FAMILY` of the program (default: read from its file)")
	cmd.Flags().StringVar(&q.To, "to", "", "the `RUNTIME`, as for wi4go run; doctor starts two ranks on it")
	cmd.Flags().StringSliceVar(&q.Hosts, "hosts", nil, "the `hosts` that the ranks will run on")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// runDoctor examines this machine and prints the report. The exit code of its error is the
// report's status.
func runDoctor(q doctor.Question, asJSON bool) error {
	l, err := newLauncher()
	if err != nil {
		return err
	}
	report := doctor.Examine(doctor.Sources{
		Launcher: l,
		Version:  version,
		Environ:  os.Environ(),
		Root:     "/",
		UID:      os.Geteuid(),
		Limit:    doctor.Limit,
		Space:    doctor.Space,
		ReadPeer: func() error { return doctor.ReadPeer(l.Tree.Command()) },
		Entry: func(rt *runtimes.Runtime) runtimes.Entry {
			return runtimes.Entry{Runtime: rt, Version: runtimes.QueryVersion(l.Tree.Command(), rt), Files: rt.ReadFiles(l.Libs)}
		},
		Survey: l.Runtimes.Survey,
		CheckLauncher: func(rt *runtimes.Runtime, command []string) error {
			if w := l.Runtimes.Started(os.Getpid()).CheckLauncher(rt, command); w != nil && w.Sure {
				return w
			}
			return nil
		},
		AskHosts: func(agent, names []string, q hosts.Question) []error {
			ctx, cancel := context.WithTimeout(context.Background(), hostLimit)
			defer cancel()
			return hosts.AskAll(ctx, agent, names, q)
		},
		Run: doctor.Run,
	}, q)
	if asJSON {
		err = printJSON(report)
	} else {
		report.Print(stdout, terminalStyle())
	}
	if err != nil {
		return err
	}
	if report.Status != 0 {
		return exitError{report.Status, nil}
	}
	return nil
}

// peerCommand returns the command that doctor.ReadPeer starts as a child.
func peerCommand() *cobra.Command {
	return &cobra.Command{
		Use: doctor.PeerCommand + " PID ADDRESS", Hidden: true, Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			pid, err := strconv.Atoi(args[0])
			if err != nil {
				return err
			}
			address, err := strconv.ParseUint(args[1], 0, 64)
			if err != nil {
				return err
			}
			if code := doctor.AnswerPeer(pid, address); code != 0 {
				return exitError{code, nil}
			}
			return nil
		},
	}
}
