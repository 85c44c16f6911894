// Package hosts queries the other hosts of a job, through the remote shell of its launcher.
// Each host must have this version of wi4go, the MPI library and the programs, each at the same
// path as on this host.
//
// It must not know what starts ranks, nor what makes a library fit.
package hosts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"wi4go/internal/fault"
	"wi4go/internal/shell"
)

// AnswerCommand is the hidden wi4go command that runs on a host to answer a query.
const AnswerCommand = "host-answer"

// A Question lists the requirements of a job.
type Question struct {
	Command  string   // path of wi4go
	Version  string   // version of wi4go
	Needed   bool     // reports whether the job needs wi4go on the host: in the ranks, or to start them
	Library  string   // path of the MPI library, "" if it does not matter
	Identity string   // vendor and version of the library, as "mpich@4.0.2"; "" if its file does not contain them
	Programs []string // paths of the programs
}

// An Answer describes one host.
type Answer struct {
	Identity  string   `json:"identity"`  // vendor and version of the library at the path
	Absent    bool     `json:"absent"`    // reports whether there is no library at the path
	Elsewhere string   `json:"elsewhere"` // if absent, the path of a library of the same vendor and version
	Lacking   []string `json:"lacking"`   // missing programs
	Broken    string   `json:"broken"`    // defect of the wi4go installation, "" for none
}

// mark begins the lines of an answer, because a login shell may print lines of its own.
const mark = "wi4go-host "

// script returns the command that a host executes. It is written for sh, and quoted so that any
// login shell passes it on unchanged.
func (q Question) script() string {
	command := shell.Quote(q.Command)
	answer := shell.Join(append([]string{q.Command, AnswerCommand, q.Library, q.Identity}, q.Programs...)...)
	text := "if test -x " + command + "; then echo \"" + mark + "version $(" + command + " --version 2>&1)\"; " + answer +
		"; else echo \"" + mark + "absent $(command -v wi4go)\""
	if q.Library != "" {
		text += "; test -e " + shell.Quote(q.Library) + " || echo \"" + mark + "nolibrary\""
	}
	return "sh -c " + quote(text+"; fi")
}

// quote returns text between single quotes.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Ask sends a question to a host. It returns nil if the host has everything, and otherwise an
// error with one of the names host-unreachable (a launcher that uses this remote shell cannot reach the host
// either), host-unreached, host-installation, host-library, host-program.
func Ask(ctx context.Context, agent []string, host string, q Question) error {
	command := exec.CommandContext(ctx, agent[0], slices.Concat(agent[1:], []string{host, q.script()})...)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	command.WaitDelay = time.Second
	err := command.Run()
	if ctx.Err() != nil {
		err = errors.New("no answer in time")
	}
	fields := map[string]string{}
	for line := range strings.Lines(out.String()) {
		if text, marked := strings.CutPrefix(strings.TrimSpace(line), mark); marked {
			kind, rest, _ := strings.Cut(text, " ")
			fields[kind] = strings.TrimSpace(rest)
		}
	}
	version, answered := fields["version"]
	otherPath, absent := fields["absent"]
	// Without an answer, report the last line of the remote shell.
	if !answered && !absent {
		reason := lastLine(errs.String())
		if reason == "" && err != nil {
			reason = fault.Text(err)
		}
		if !resolves(ctx, host) {
			return fault.New("host-unreachable", "correct the name in the options or in the file of hosts, or add it to DNS or /etc/hosts",
				"there is no host %s: its name does not resolve, and `%s` does not reach it (%s)", host, shell.Join(agent...), reason)
		}
		if code := command.ProcessState.ExitCode(); filepath.Base(agent[0]) == "ssh" && code == sshFailed {
			return fault.New("host-unreachable", "make `"+shell.Join(append(slices.Clone(agent), host)...)+" true` work without a password",
				"`%s` does not reach host %s (%s)", shell.Join(agent...), host, reason)
		}
		return fault.New("host-unreached", "make `"+shell.Join(append(slices.Clone(agent), host)...)+" true` work without a password",
			"cannot check host %s (%s)", host, reason)
	}
	if absent {
		return q.unreachable(host, otherPath, fields)
	}
	version, _, _ = strings.Cut(version, " (") // the commit does not matter
	if version != "wi4go "+q.Version {
		if !q.Needed {
			return nil
		}
		return fault.New("host-installation", "install the same version on all hosts", "host %s has another version of wi4go at %s: %s; this "+
			"host has wi4go %s",
			host, q.Command, orElse(version, "an unknown version"), q.Version)
	}
	var a Answer
	if json.Unmarshal([]byte(fields["answer"]), &a) != nil {
		return fault.New("host-installation", "reinstall it there", "wi4go on host %s does not answer (%s)", host, orElse(lastLine(errs.String()), "no output"))
	}
	return q.judge(host, a)
}

// sshFailed is the exit code of ssh if ssh itself has failed, and not the command on the host (ssh(1)).
const sshFailed = 255

// resolves reports whether a host's name has an address. A remote shell may know names that have none, so
// it counts only together with the failure of the remote shell.
func resolves(ctx context.Context, host string) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second) // the remote shell may have used the time of ctx
	defer cancel()
	addresses, _ := net.DefaultResolver.LookupHost(ctx, host)
	return len(addresses) > 0
}

// unreachable returns the verdict on a host that has no wi4go at its path. at is another path of
// wi4go there, or "".
func (q Question) unreachable(host, at string, fields map[string]string) error {
	if _, lacks := fields["nolibrary"]; lacks && !q.Needed {
		return q.judge(host, Answer{Absent: true})
	}
	if !q.Needed {
		return nil
	}
	hint := ""
	if filepath.IsAbs(at) {
		hint = ", but there is one at " + at
	}
	return fault.New("host-installation", "install it at the same path on all hosts", "host %s has no wi4go at %s%s", host, q.Command, hint)
}

// judge returns the error for the first defect in a host's answer, or nil.
func (q Question) judge(host string, a Answer) error {
	const cure = "install the same library at the same path on all hosts, or use --to with a library that is on all of them"
	switch {
	case a.Broken != "" && q.Needed:
		return fault.New("host-installation", "reinstall it there", "on host %s %s", host, a.Broken)
	case a.Absent && a.Elsewhere != "":
		return fault.New("host-library", cure, "host %s has no MPI library at %s, but has %s at %s", host, q.Library, q.Identity, a.Elsewhere)
	case a.Absent:
		return fault.New("host-library", cure, "host %s has no MPI library at %s", host, q.Library)
	case a.Identity != q.Identity:
		return fault.New("host-library", cure, "on host %s the MPI library %s is %s, but on this host it is %s",
			host, q.Library, orElse(a.Identity, "another"), orElse(q.Identity, "another"))
	case len(a.Lacking) > 0:
		return fault.New("host-program", "copy it there to the same path", "host %s has no %s", host, strings.Join(a.Lacking, ", no "))
	}
	return nil
}

// orElse returns text, or otherwise if text is empty.
func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// lastLine returns the last line of a text.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// AskAll sends a question to several hosts, up to 32 at a time, and returns the errors in the
// order of hosts.
func AskAll(ctx context.Context, agent, hosts []string, q Question) []error {
	answers := make([]error, len(hosts))
	slots := make(chan struct{}, 32)
	var all sync.WaitGroup
	for i, host := range hosts {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			answers[i] = Ask(ctx, agent, host, q)
		})
	}
	all.Wait()
	return answers
}

// Print writes the answer to stdout, in the form that Ask reads.
func (a Answer) Print() error {
	text, err := json.Marshal(a)
	if err == nil {
		_, err = fmt.Printf("%sanswer %s\n", mark, text)
	}
	return err
}
