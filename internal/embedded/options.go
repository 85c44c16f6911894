// Package embedded is the launcher of the embedded MPI (embedded/): it runs the ranks of a job on
// this host, passes their input and output, and ends the job when a rank has failed.
//
// It must not know how the ranks find their libraries, or what they do. It starts no process itself: package
// ranks does.
package embedded

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wi4go/internal/launchers"
)

// A Job has the programs and the options of a command line.
type Job struct {
	Programs []Program
	Limit    time.Duration // time after which the job ends with exit code 124, or 0 for no limit
	Labels   bool          // each line of output begins with the rank
	Bind     string        // "none", or "core": each rank runs on one core
	KeepHang bool          // a job that hangs stays, for a debugger
	Asked    Inquiry       // the text to print instead of a start, or ""
	Environ  []string      // the environment of all ranks
}

// An Inquiry names a text of the launcher.
type Inquiry string

// The texts.
const (
	Version Inquiry = "version"
	Help    Inquiry = "help"
)

// HelpText is the answer to Help.
const HelpText = `Usage: mpiexec [OPTIONS] PROGRAM [ARGUMENTS] [: [OPTIONS] PROGRAM [ARGUMENTS]] …

Starts the ranks of a job of wi4go's embedded MPI on this host. Options:

  -n N, -np N             ranks of the program; 1 without it
  -wdir DIR               working directory of the program's ranks
  -env NAME VALUE         variable of the program's ranks
  -genv NAME VALUE        variable of all ranks; also -x NAME=VALUE
  -l, -tag-output         begin each line of output with the rank
  -bind core|none         run each rank on one core, or on all (none, the default)
  -timeout SECONDS        end the job after this time, with exit code 124
  -hang-report end|keep   end a job that hangs (the default), or keep it for a debugger
  -version, -V, -info     print the version
  -help, -h               print this text
`

// inquiries are the options that print a text.
var inquiries = map[string]Inquiry{"version": Version, "V": Version, "info": Version, "help": Help, "h": Help}

// A Program is the part of a job that runs one program.
type Program struct {
	Ranks   int
	Argv    []string
	Dir     string   // the working directory, or "" for the launcher's
	Environ []string // variables of this program, NAME=VALUE, in addition to the job's
}

// mostRanks is the largest job of the device (embedded/adi).
const mostRanks = 1024

// The exit codes of the launcher itself.
const (
	CodeUsage = 2
	CodeLimit = 124 // the time limit, or a job in which no rank can proceed
)

// ErrTooMany is the end of the error for a job of too many ranks. Another library may run it.
var ErrTooMany = errors.New("use fewer")

// Parse reads the words of a command line: options and a program, and further ones after ":". An option
// that asks for a text ends the command line.
func Parse(words, environ []string) (*Job, error) {
	j := &Job{Bind: "none", Environ: environ}
	for len(words) > 0 {
		p := Program{Ranks: 1}
		rest, err := j.options(&p, words)
		if err != nil {
			return nil, err
		}
		if j.Asked != "" {
			return j, nil
		}
		end := len(rest)
		for i, word := range rest {
			if word == ":" {
				end = i
				break
			}
		}
		p.Argv = rest[:end]
		if len(p.Argv) == 0 {
			return nil, fmt.Errorf("no program given: name it after the options, as in `-n 4 ./app`")
		}
		j.Programs = append(j.Programs, p)
		words = rest[min(end+1, len(rest)):]
	}
	switch n := j.Ranks(); {
	case len(j.Programs) == 0:
		return nil, fmt.Errorf("no program given: name it after the options, as in `-n 4 ./app`")
	case n > mostRanks:
		return nil, fmt.Errorf("%d ranks are more than the embedded MPI has, %d: %w", n, mostRanks, ErrTooMany)
	}
	return j, nil
}

// Ranks returns the number of ranks of all programs.
func (j *Job) Ranks() (n int) {
	for _, p := range j.Programs {
		n += p.Ranks
	}
	return n
}

// options reads the options before a program, and returns the words after them.
func (j *Job) options(p *Program, words []string) (rest []string, err error) {
	for len(words) > 0 && launchers.IsOption(words[0]) {
		name, value, joined := strings.Cut(strings.TrimLeft(words[0], "-"), "=")
		option := words[0]
		if j.Asked = inquiries[name]; j.Asked != "" {
			return nil, nil
		}
		words = words[1:]
		values := words[:0]
		if joined {
			values = []string{value}
		}
		if n := arguments(name); n < 0 {
			return nil, fmt.Errorf("the launcher of the embedded MPI has no option %s: its options are -n, -wdir, -env, -genv, -x, -l, -bind, -timeout, -hang-report", option)
		} else if !joined {
			if n == 2 && len(words) > 0 && strings.Contains(words[0], "=") { // NAME=VALUE instead of two words
				n = 1
			}
			if len(words) < n {
				return nil, fmt.Errorf("%s needs %d values", option, n)
			}
			values, words = words[:n], words[n:]
		}
		if err := j.set(p, name, option, values); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// arguments returns the number of values of an option, or -1 for an unknown one.
func arguments(name string) int {
	switch name {
	case "l", "tag-output":
		return 0
	case "n", "np", "wdir", "x", "bind", "timeout", "hang-report":
		return 1
	case "env", "genv":
		return 2
	}
	return -1
}

// set applies an option.
func (j *Job) set(p *Program, name, option string, values []string) error {
	switch name {
	case "l", "tag-output":
		j.Labels = true
	case "n", "np":
		n, err := strconv.Atoi(values[0])
		if err != nil || n < 1 {
			return fmt.Errorf("%s %s: give the number of ranks, at least 1", option, values[0])
		}
		p.Ranks = n
	case "wdir":
		p.Dir = values[0]
	case "x":
		if !strings.Contains(values[0], "=") { // the variable of the launcher, which ranks have already
			return nil
		}
		j.Environ = append(j.Environ, values[0])
	case "genv", "env":
		variable := strings.Join(values, "=")
		if !strings.Contains(variable, "=") {
			return fmt.Errorf("%s: give a name and a value, as in -%s NAME VALUE", option, name)
		}
		if name == "env" {
			p.Environ = append(p.Environ, variable)
			break
		}
		j.Environ = append(j.Environ, variable)
	case "bind":
		if values[0] != "none" && values[0] != "core" {
			return fmt.Errorf("%s %s: give core or none", option, values[0])
		}
		j.Bind = values[0]
	case "timeout":
		seconds, err := strconv.ParseFloat(values[0], 64)
		if err != nil || seconds <= 0 {
			return fmt.Errorf("%s %s: give a number of seconds", option, values[0])
		}
		j.Limit = time.Duration(seconds * float64(time.Second))
	case "hang-report":
		if values[0] != "keep" && values[0] != "end" {
			return fmt.Errorf("%s %s: give keep or end", option, values[0])
		}
		j.KeepHang = values[0] == "keep"
	}
	return nil
}

// path returns the path of a program: a name without a slash is searched in PATH.
func (p *Program) path() (string, error) {
	name := p.Argv[0]
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) && p.Dir != "" {
			name = filepath.Join(p.Dir, name)
		}
		return name, nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is not in PATH: write ./%s for a program in this directory: %w", name, name, err)
	}
	return path, nil
}
