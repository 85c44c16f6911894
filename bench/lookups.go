package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"

	"wi4go/bench/lookups"
)

// printLookUps writes the number of file-system calls that wi4go's commands make, and the time
// they take, on this machine and on a made-up site with many libraries. It returns an error if
// strace is missing or a command fails.
func (o options) printLookUps(out io.Writer) error {
	if _, err := exec.LookPath("strace"); err != nil {
		return err
	}
	prefix, err := filepath.Abs(o.prefix)
	if err != nil {
		return err
	}
	few, err := os.MkdirTemp("", "lookups")
	if err != nil {
		return err
	}
	defer os.RemoveAll(few)
	many := filepath.Join(few, "many")
	if err := lookups.Site(many, lookups.Many); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nlook-ups: calls that name a file, ms; ! is over the goal\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "command\tcalls\tgoal\tms\tgoal\t")
	for _, row := range []struct {
		name, home string
		limit      lookups.Limit
		args       []string
	}{
		{"list", few, lookups.List, []string{"list"}},
		{fmt.Sprintf("list, %d more", lookups.Many), many, lookups.ListMany, []string{"list"}},
		{"run --dry-run", few, lookups.DryRun, []string{"run", "--dry-run", "--to", "mpich", "-n", "2", "true"}},
		{fmt.Sprintf("exec --to mpich@4.0.7, %d more", lookups.Many), many, lookups.Exec, []string{"exec", "--to", "mpich@4.0.7", "true"}},
	} {
		command := append([]string{filepath.Join(prefix, "bin", "wi4go")}, row.args...)
		took, err := lookups.Time(row.home, command...)
		if err != nil {
			return err
		}
		calls, err := lookups.Calls(row.home, command...)
		if err != nil {
			return err
		}
		over := func(is bool) string { return map[bool]string{true: "!"}[is] }
		fmt.Fprintf(w, "%s\t%s%d\t%d\t", row.name, over(calls > row.limit.Calls), calls, row.limit.Calls)
		fmt.Fprintf(w, "%s%d\t", over(row.limit.Time > 0 && took > row.limit.Time), took.Milliseconds())
		if row.limit.Time > 0 {
			fmt.Fprintf(w, "%d", row.limit.Time.Milliseconds())
		}
		fmt.Fprintln(w, "\t")
	}
	return w.Flush()
}
