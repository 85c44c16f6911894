// Command times runs `go test` with the arguments after --. It prints failures, and then a table of the packages:
// seconds, CPU seconds including all child processes, and the numbers of tests that passed, failed and were skipped,
// with the reasons. The file of -o gets the same for each test. The table is a report: only a failing test makes the
// exit code 1.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	// If this variable names a file, `go test -exec` of another times has started this one.
	if file := os.Getenv("WI4GO_TEST_CPU"); file != "" {
		os.Exit(measured(file, os.Args[1:]))
	}
	out := flag.String("o", "test-times", "the file of the times")
	flag.Parse()
	code, err := tested(*out, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		os.Exit(1)
	}
	os.Exit(code)
}

// tested runs go test, and returns its exit code.
func tested(out string, arguments []string) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 1, err
	}
	cpu, err := os.CreateTemp("", "wi4go-test-cpu-")
	if err != nil {
		return 1, err
	}
	defer os.Remove(cpu.Name())
	defer cpu.Close()
	compiler := os.Getenv("GO")
	if compiler == "" {
		compiler = "go"
	}
	words := append([]string{"test", "-json", "-exec", fmt.Sprintf("env WI4GO_TEST_CPU=%s '%s'", cpu.Name(), self)}, arguments...)
	cmd := exec.Command(compiler, words...)
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
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return 1, err
	}
	return cmd.ProcessState.ExitCode(), os.WriteFile(out, []byte(r.record()), 0o644)
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
