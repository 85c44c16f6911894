package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/hosts"
	"wi4go/internal/launch"
	"wi4go/internal/runtimes"
)

// hostLimit bounds the time for all hosts of a job to answer.
const hostLimit = 20 * time.Second

// checkHosts checks that the hosts in the launcher's options exist and have everything the job needs. If
// it cannot ask a host, it only prints a warning, because the launcher may have other ways to reach the
// host; with strictness "1" it returns an error.
func checkHosts(l launch.Launcher, segments []launch.Segment, jobs []*launch.Job, command []string) error {
	strict := strictness(l)
	names, agent := l.Peers(segments, jobs[0].Runtime)
	if strict == "0" || len(names) == 0 {
		return nil
	}
	q := hosts.Question{Command: l.Tree.Command(), Version: version, Library: jobs[0].Runtime.Library,
		Identity: runtimes.Identify(jobs[0].Runtime.Object()), Needed: slices.Contains(command, l.Tree.Command())}
	for i, j := range jobs {
		q.Needed = q.Needed || !j.Native() && j.Way != launch.Static
		if name := segments[i].Program[0]; strings.Contains(name, "/") {
			if path, err := filepath.Abs(filepath.Join(dirOf(name, segments[i].Dir), name)); err == nil {
				q.Programs = append(q.Programs, path)
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), hostLimit)
	defer cancel()
	var wrong, unreached []error
	for _, err := range hosts.AskAll(ctx, agent, names, q) {
		switch id, _, _ := fault.Of(errOrEmpty(err), ""); {
		case err == nil:
		case id == "host-unreached" && strict != "1":
			unreached = append(unreached, err)
		default:
			wrong = append(wrong, err)
		}
	}
	if err := first(wrong); err != nil {
		return err
	}
	if err := first(unreached); err != nil {
		fmt.Fprintf(os.Stderr, "wi4go: warning: %s\n", oneLine(err))
	}
	return nil
}

// errNothing replaces nil for fault.Of.
var errNothing = errors.New("")

// errOrEmpty returns err, or errNothing if err is nil.
func errOrEmpty(err error) error {
	if err == nil {
		return errNothing
	}
	return err
}

// dirOf returns the directory that a program's name is relative to.
func dirOf(name, dir string) string {
	if filepath.IsAbs(name) {
		return ""
	}
	return dir
}

// first returns the first of several errors, with the number of the others, or nil if there are
// none.
func first(errs []error) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return fmt.Errorf("%w (%d more hosts have problems: `wi4go doctor --hosts` lists them)", errs[0], len(errs)-1)
}

// hostAnswerCommand returns the command that runs on another host to answer hosts.Ask.
func hostAnswerCommand() *cobra.Command {
	return &cobra.Command{
		Use: hosts.AnswerCommand + " LIBRARY IDENTITY PROGRAM …", Hidden: true, Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := newLauncher()
			if err != nil {
				return err
			}
			var a hosts.Answer
			for _, f := range family.All {
				if _, err := l.Tree.Front(f.Name, f.Sonames[0]); err != nil && a.Broken == "" {
					a.Broken = fault.Text(err)
				}
			}
			for _, path := range args[2:] {
				if _, err := os.Stat(path); err != nil {
					a.Lacking = append(a.Lacking, path)
				}
			}
			if library, identity := args[0], args[1]; library != "" {
				if rt, err := l.Runtimes.Resolve(library); err == nil {
					a.Identity = runtimes.Identify(rt.Object())
				} else if _, err := os.Stat(library); err != nil {
					a.Absent = true
					if same, err := l.Runtimes.Resolve(identity); identity != "" && err == nil {
						a.Elsewhere = same.Library
					}
				}
			}
			return a.Print()
		},
	}
}
