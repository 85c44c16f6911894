// Command times runs `go test` with the flags after --, on packages, of which the longest start first. It prints
// failures, and then a table of the packages: seconds, CPU seconds including all child processes, and the numbers of
// tests that passed, failed and were skipped, with the reasons. The file of -o gets the same for each test. Finally it
// prints the packages that took more CPU time than their budget, which follows from tests/times/record.txt; -strict
// makes them a failure. With -update, it writes that record and the table of docs/testing.md from the file of -o
// instead.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

func main() {
	// If this variable names a file, `go test -exec` of another times has started this one.
	if file := os.Getenv("WI4GO_TEST_CPU"); file != "" {
		os.Exit(measured(file, os.Args[1:]))
	}
	out := flag.String("o", "test-times", "the file of the times")
	strict := flag.Bool("strict", false, "fail if a package exceeds its budget")
	patterns := flag.String("packages", "./...", "the packages, separated by spaces")
	keep := flag.Bool("update", false, "write the record from the file of the times")
	flag.Parse()
	if *keep {
		if err := update(record, *out, "docs/testing.md"); err != nil {
			fmt.Fprintln(os.Stderr, "times:", err)
			os.Exit(1)
		}
		return
	}
	code, err := tested(*out, *strict, strings.Fields(*patterns), flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		os.Exit(1)
	}
	os.Exit(code)
}

// record has the recorded CPU seconds of all packages.
const record = "tests/times/record.txt"

// compiler is the Go command.
func compiler() string { return cmp.Or(os.Getenv("GO"), "go") }

// list returns the import paths of packages.
func list(patterns ...string) ([]string, error) {
	cmd := exec.Command(compiler(), append([]string{"list"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.Fields(string(out)), err
}

// tested runs go test on packages with the flags, and returns its exit code, or 1 if a package exceeds its budget in a strict run.
func tested(out string, strict bool, patterns, flags []string) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 1, err
	}
	recorded, err := readBudget(record)
	if err != nil {
		return 1, err
	}
	packages, err := list(patterns...)
	if err != nil {
		return 1, err
	}
	recorded.order(packages)
	cpu, err := os.CreateTemp("", "wi4go-test-cpu-")
	if err != nil {
		return 1, err
	}
	defer os.Remove(cpu.Name())
	defer cpu.Close()
	words := slices.Concat([]string{"test", "-json", "-exec", fmt.Sprintf("env WI4GO_TEST_CPU=%s '%s'", cpu.Name(), self)}, flags, packages)
	cmd := exec.Command(compiler(), words...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	r := newReport(os.Stdout)
	if err := r.read(events); err != nil {
		return 1, err
	}
	if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
		return 1, err
	}
	seconds, err := os.ReadFile(cpu.Name())
	if err != nil {
		return 1, err
	}
	r.addCPU(string(seconds))
	r.table()
	exceeded := recorded.exceeded(r.packages)
	for _, line := range exceeded {
		fmt.Println(red(line))
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return 1, err
	}
	code := cmd.ProcessState.ExitCode()
	if strict && len(exceeded) > 0 {
		code = max(code, 1)
	}
	return code, os.WriteFile(out, []byte(r.record()), 0o644)
}

// red returns a line in red for a terminal and for the log of CI.
func red(line string) string {
	if _, err := unix.IoctlGetTermios(1, unix.TCGETS); err != nil && os.Getenv("WI4GO_CI") == "" {
		return line
	}
	return "\x1b[31m" + line + "\x1b[0m"
}

// measured runs a test program, appends its package's directory and its CPU seconds to a
// file, and returns its exit code.
func measured(file string, program []string) int {
	if err := os.Unsetenv("WI4GO_TEST_CPU"); err != nil {
		panic(err) // the name is a valid pattern
	}
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT) // go test sends the last one to a program that does not end
	err := cmd.Start()
	if err == nil {
		go func() {
			for s := range signals {
				_ = cmd.Process.Signal(s) // it may have ended
			}
		}()
		err = cmd.Wait()
	}
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		fmt.Fprintln(os.Stderr, "times:", err)
		return 1
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	directory, err := os.Getwd()
	if err == nil {
		err = appendLine(file, directory+"\t"+strconv.FormatFloat(used.Seconds(), 'f', 1, 64))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		return 1
	}
	return max(cmd.ProcessState.ExitCode(), -cmd.ProcessState.ExitCode()) // -1: a signal has ended it
}

func appendLine(file, line string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.TrimSpace(line) + "\n")
	return errors.Join(err, f.Close())
}
