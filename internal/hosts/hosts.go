// Package hosts asks the other hosts of a job, by the remote shell of its launcher,
// whether they have what it needs: this version of wi4go, the MPI library and the
// programs, each at the path that it has here.
//
// It must not know what starts ranks, nor what makes a library fit.
package hosts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"wi4go/internal/fault"
	"wi4go/internal/shell"
)

// AnswerCommand is the hidden command of wi4go that a host answers with.
const AnswerCommand = "host-answer"

// A Question is what a job needs.
type Question struct {
	Command  string   // wi4go's path
	Version  string   // and its version
	Needed   bool     // wi4go is in the ranks, or starts them
	Library  string   // the MPI library's path; "" where it does not matter
	Identity string   // its vendor and version, as "mpich@4.0.2"; "" where its file does not say
	Programs []string // their paths
}

// An Answer is what a host has.
type Answer struct {
	Identity  string   `json:"identity"`  // of the library at the path
	Absent    bool     `json:"absent"`    // there is none
	Elsewhere string   `json:"elsewhere"` // then, one of the same vendor and version
	Lacking   []string `json:"lacking"`   // programs that are not there
	Broken    string   `json:"broken"`    // what is wrong with the installation of wi4go
}

// mark begins the lines that are meant for us: a login may say things of its own.
const mark = "wi4go-host "

// script is what a host is told to do: it is for sh, and quoted for any login shell.
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

// quote puts a text between single quotes.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Ask puts a question to a host. The error has one of the names host-unreached,
// host-installation, host-library, host-program; nil says that the host has it all.
func Ask(ctx context.Context, agent []string, host string, q Question) error {
	command := exec.CommandContext(ctx, agent[0], slices.Concat(agent[1:], []string{host, q.script()})...)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	command.WaitDelay = time.Second
	err := command.Run()
	if ctx.Err() != nil {
		err = errors.New("it took too long")
	}
	said := map[string]string{}
	for line := range strings.Lines(out.String()) {
		if text, ours := strings.CutPrefix(strings.TrimSpace(line), mark); ours {
			kind, rest, _ := strings.Cut(text, " ")
			said[kind] = strings.TrimSpace(rest)
		}
	}
	version, there := said["version"]
	at, absent := said["absent"]
	if !there && !absent {
		why := lastLine(errs.String())
		if why == "" && err != nil {
			why = fault.Text(err)
		}
		return fault.New("host-unreached", "see that `"+shell.Join(append(slices.Clone(agent), host)...)+" true` works, without a password",
			"host %s cannot be asked what it has (%s)", host, why)
	}
	if absent {
		return q.without(host, at, said)
	}
	if version != "wi4go "+q.Version {
		if !q.Needed {
			return nil
		}
		return fault.New("host-installation", "install one version on all hosts", "host %s has another version of wi4go at %s: %s, and this host has wi4go %s",
			host, q.Command, or(version, "one that does not say which"), q.Version)
	}
	var a Answer
	if json.Unmarshal([]byte(said["answer"]), &a) != nil {
		return fault.New("host-installation", "install it anew there", "the wi4go of host %s does not answer (%s)", host, or(lastLine(errs.String()), "it says nothing"))
	}
	return q.judge(host, a)
}

// without judges a host on which wi4go is not at its path.
func (q Question) without(host, at string, said map[string]string) error {
	if _, lacks := said["nolibrary"]; lacks && !q.Needed {
		return q.judge(host, Answer{Absent: true})
	}
	if !q.Needed {
		return nil
	}
	but := ""
	if filepath.IsAbs(at) {
		but = ", but one at " + at
	}
	return fault.New("host-installation", "install it at the same path on all hosts", "host %s has no wi4go at %s%s", host, q.Command, but)
}

func (q Question) judge(host string, a Answer) error {
	const cure = "install the same one at the same path on all hosts, or name with --to one that is"
	switch {
	case a.Broken != "" && q.Needed:
		return fault.New("host-installation", "install it anew there", "on host %s %s", host, a.Broken)
	case a.Absent && a.Elsewhere != "":
		return fault.New("host-library", cure, "host %s has no MPI library at %s, but %s at %s", host, q.Library, q.Identity, a.Elsewhere)
	case a.Absent:
		return fault.New("host-library", cure, "host %s has no MPI library at %s", host, q.Library)
	case a.Identity != q.Identity:
		return fault.New("host-library", cure, "on host %s the MPI library %s is %s, on this one %s",
			host, q.Library, or(a.Identity, "another"), or(q.Identity, "another"))
	case len(a.Lacking) > 0:
		return fault.New("host-program", "copy it there, to the same path", "host %s has no %s", host, strings.Join(a.Lacking, ", no "))
	}
	return nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// AskAll puts a question to some hosts, many at a time, and gives the errors in their
// order.
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

// Print writes an answer, for who asks.
func (a Answer) Print() error {
	text, err := json.Marshal(a)
	if err == nil {
		_, err = fmt.Printf("%sanswer %s\n", mark, text)
	}
	return err
}
