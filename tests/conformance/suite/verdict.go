package suite

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Verdict is the result of a program's run.
type Verdict string

const (
	Pass        Verdict = "pass"
	Fail        Verdict = "FAIL"
	Crash       Verdict = "CRASH"
	TimeOut     Verdict = "TIME-OUT"
	Broken      Verdict = "BROKEN"      // cannot be compiled or started
	Unsupported Verdict = "unsupported" // the runtime lacks a function, and wi4go names it
	Excused     Verdict = "excused"     // it fails natively as listed in native-failures.txt, and through wi4go only at the same conditions
	Unlisted    Verdict = "UNLISTED"    // it fails natively, and native-failures.txt does not list it
	NotRun      Verdict = "-"
)

// Good reports whether the case needs no attention.
func (r Result) Good() bool {
	return r.Through == Pass || r.Through == Unsupported || r.Through == Excused
}

// ran is the output and the status of a run.
type ran struct {
	stdout, stderr string
	err            error
	timedOut       bool
}

// silent reports whether the run failed without output.
func (r ran) silent() bool {
	return r.err != nil && !r.timedOut && r.stdout == "" && r.stderr == ""
}

// start runs a program with the runtime's launcher, natively or through wi4go, in its own directory.
func (s *Suite) start(ctx context.Context, on *side, program string, ranks int, through bool) ran {
	dir, err := os.MkdirTemp("", "wi4go-conformance-")
	if err != nil {
		return ran{err: err}
	}
	defer os.RemoveAll(dir)
	if program, err = filepath.Abs(program); err != nil {
		return ran{err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()

	var command []string
	if on.tools.Family() == "openmpi" {
		// The slots include the processes to be spawned.
		command = append(command, "-H", "localhost:16", "--bind-to", "none")
	}
	cmd := on.tools.Launch(ctx, ranks, append(command, program)...)
	if through {
		wi4go, err := filepath.Abs(filepath.Join(s.Prefix, "bin", "wi4go"))
		if err != nil {
			return ran{err: err}
		}
		to := on.tools.MPIExec
		if on.tools.Family() == "mpiabi" { // this library comes without a launcher
			to = on.library
		}
		cmd.Path, cmd.Args = wi4go, append([]string{wi4go, "run", "--to", to}, cmd.Args[1:]...)
	}
	cmd.Dir = dir
	// The chunk limit for libraries without large counts: large_chunk_*.c.
	cmd.Env = append(cmd.Env, "TMPDIR="+dir, "WI4GO_TEST_CHUNK=64")
	if through {
		cmd.Env = append(cmd.Env, s.Variables...)
	}
	if through && s.Preload != "" {
		preload := s.Preload
		for _, v := range cmd.Env {
			if before, is := strings.CutPrefix(v, "LD_PRELOAD="); is { // the yield library
				preload = before + ":" + s.Preload
			}
		}
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+preload)
	}
	if strings.HasPrefix(on.tools.Name, "intelmpi") {
		// Intel MPI lets programs spawn only with this variable.
		cmd.Env = append(cmd.Env, "I_MPI_SPAWN=on")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		end(dir)
	}
	return ran{stdout.String(), stderr.String(), err, ctx.Err() != nil}
}

// end ends the remaining processes of a run: those with its directory as TMPDIR. They are in no process group of the
// launcher.
func end(dir string) {
	mark := []byte("TMPDIR=" + dir)
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environments {
		content, err := os.ReadFile(name)
		if err != nil || !slices.ContainsFunc(bytes.Split(content, []byte{0}), func(v []byte) bool { return bytes.Equal(v, mark) }) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

var (
	// The launchers' messages about a process that crashed.
	fault = regexp.MustCompile(`exited on signal (4|6|7|8|11)\b|\(signal (4|6|7|8|11)\)|Caught signal (4|6|7|8|11)\b|\*\*\* Process received signal`)
	// A failed condition of check.h on some rank.
	failed = regexp.MustCompile(`(?m)^.*?([\w.-]+\.(?:c|cc|h):\d+): rank (-?\d+): (.*)$`)
	// wi4go's message about a function that the runtime lacks.
	lacking = regexp.MustCompile(`(?m)^.*wi4go: (MPI_\w+): not in the MPI library that this program runs on`)
	// The dynamic linker's message about a data symbol.
	resized = regexp.MustCompile(`has different size in shared object`)
	// The dynamic linker's message about a front that it could not load.
	ignored = regexp.MustCompile(`from LD_PRELOAD cannot be preloaded`)
)

// verdict judges a run of a program. exports are the symbols of the runtime's library, or nil for a native run. The
// text is the reason if the run did not pass.
func (r ran) verdict(program string, exports map[string]bool) (Verdict, string) {
	failures := failed.FindAllStringSubmatch(r.stderr, -1)
	passed := slices.Contains(strings.Split(strings.ReplaceAll(r.stdout, "\r", ""), "\n"), "PASS "+program)
	var exit *exec.ExitError
	switch {
	case r.timedOut:
		return TimeOut, r.text("did not finish in time")
	case r.err != nil && !errors.As(r.err, &exit):
		return Broken, r.text(r.err.Error())
	case ignored.MatchString(r.stderr):
		return Broken, r.text("the front was not loaded")
	case fault.MatchString(r.stderr) || fault.MatchString(r.stdout):
		return Crash, r.text("ended by a signal")
	case resized.MatchString(r.stderr):
		return Fail, r.text("a data symbol has another size")
	case r.err == nil && passed && len(failures) == 0:
		return Pass, ""
	}

	var functions []string
	for _, m := range lacking.FindAllStringSubmatch(r.stderr, -1) {
		if exports[m[1]] {
			return Fail, r.text("wi4go misses " + m[1] + ", which the library has")
		}
		if !slices.Contains(functions, m[1]) {
			functions = append(functions, m[1])
		}
	}
	slices.Sort(functions)
	// On each rank, the first failed condition must be a call of a function that the library lacks. Later failures may
	// be its consequences.
	first := map[string]bool{}
	for _, m := range failures {
		if !first[m[2]] && !slices.ContainsFunc(functions, func(f string) bool { return regexp.MustCompile(`\b` + f + `\b`).MatchString(m[3]) }) {
			functions = nil
		}
		first[m[2]] = true
	}
	if exit != nil && len(functions) > 0 {
		return Unsupported, "the library lacks " + strings.Join(functions, " ")
	}
	if exit != nil {
		return Fail, r.text(exit.Error())
	}
	return Fail, r.text("did not print PASS " + program)
}

// places returns the conditions that failed on any rank.
func (r ran) places() map[string]bool {
	places := map[string]bool{}
	for _, m := range failed.FindAllStringSubmatch(r.stderr, -1) {
		places[m[1]] = true
	}
	return places
}

// text returns the reason followed by the run's output.
func (r ran) text(reason string) string {
	text := reason
	for _, output := range []string{r.stdout, r.stderr} {
		if output = strings.TrimSpace(output); output != "" {
			text += "\n" + output
		}
	}
	return text
}

// exports returns the functions and data that a library defines.
func exports(library string) (map[string]bool, error) {
	file, err := elf.Open(library)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", library, err)
	}
	names := map[string]bool{}
	for _, symbol := range symbols {
		if symbol.Section != elf.SHN_UNDEF {
			names[symbol.Name] = true
		}
	}
	return names, nil
}
