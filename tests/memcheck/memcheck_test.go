// Package memcheck runs programs under valgrind, natively and through wi4go. A user who looks for errors of a program
// must not find wi4go's among them.
package memcheck

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
)

const (
	runTimeout = 3 * time.Minute // ends a run that hangs; the longest takes a quarter of a minute
	ranks      = 2
)

// programs are conformance programs: one with messages and statuses, one with dynamic objects and callbacks.
var programs = []string{"p2p_status", "coll_userop"}

// finding is an error in memcheck's report.
type finding struct {
	Kind   string  `xml:"kind"`
	What   string  `xml:"what"`
	XWhat  string  `xml:"xwhat>text"`
	Frames []frame `xml:"stack>frame"`
}

type frame struct {
	Object   string `xml:"obj"`
	Function string `xml:"fn"`
}

// place returns the error's kind and its location in the libraries: the frames from the innermost one out to the
// program or to a file in the directory wi4go.
func (f finding) place(program, wi4go string) string {
	place := []string{f.Kind}
	for _, frame := range f.Frames {
		if frame.Object == program || strings.HasPrefix(frame.Object, wi4go) {
			break
		}
		place = append(place, filepath.Base(frame.Object)+":"+frame.Function)
	}
	return strings.Join(place, " < ")
}

func (f finding) isLeak() bool { return strings.HasPrefix(f.Kind, "Leak_") }

// isOurs reports whether a file in the directory wi4go has caused the error, or has called the C library for it.
func (f finding) isOurs(wi4go string) bool {
	i := slices.IndexFunc(f.Frames, func(frame frame) bool { return !system.MatchString(filepath.Base(frame.Object)) })
	return i < 0 || strings.HasPrefix(f.Frames[i].Object, wi4go)
}

// system matches the C library, the dynamic linker, and valgrind's replacements of them.
var system = regexp.MustCompile(`^(ld-linux.*|libc|vgpreload_.*)\.so`)

// inLinker reports whether the dynamic linker has caused the error while it opens a library: it reads paths a word at a
// time (natively as well, but before valgrind checks).
func (f finding) inLinker() bool {
	return len(f.Frames) > 0 && strings.HasPrefix(filepath.Base(f.Frames[0].Object), "ld-linux") &&
		slices.ContainsFunc(f.Frames, func(frame frame) bool { return strings.HasPrefix(frame.Function, "dlopen") })
}

func (f finding) String() string {
	text := &strings.Builder{}
	fmt.Fprintln(text, f.Kind, f.What, f.XWhat)
	for _, frame := range f.Frames {
		fmt.Fprintln(text, "   ", frame.Object, frame.Function)
	}
	return text.String()
}

// The errors through wi4go are those that the library has natively, at the same places in its own functions. None is in
// the front or in the core, and leaks there are in the list of suppressions.
func TestErrors(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		harness.Missing(t, fmt.Errorf("valgrind: %w; install it", harness.ErrMissing))
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	suppressions := "--suppressions=" + filepath.Join(prefix, "share", "wi4go", "valgrind.supp")
	for _, name := range programs {
		native := map[string]map[string]bool{} // library → places
		for _, d := range harness.Across(append(slices.Clone(harness.Names), harness.Interface), harness.Names, false) {
			t.Run(name+"/"+d.String(), func(t *testing.T) {
				from, err := harness.FindIn(prefix, d.From)
				if err != nil {
					harness.Missing(t, err)
				}
				to, err := harness.Find(d.To)
				if err != nil {
					harness.Missing(t, err)
				}
				if native[d.To] == nil {
					places := map[string]bool{}
					program := compile(t, to, name)
					for _, f := range memcheck(t, to, to.MPIExec, valgrind, suppressions, program) {
						places[f.place(program, prefix)] = true
					}
					native[d.To] = places
				}
				program := compile(t, from, name)
				for _, f := range memcheck(t, to, filepath.Join(prefix, "bin", "wi4go"), "run", "--to", to.MPIExec, valgrind, suppressions, program) {
					if f.isLeak() {
						require.False(t, f.isOurs(prefix), "lost in wi4go: %s", f)
					} else {
						require.True(t, f.inLinker() || native[d.To][f.place(program, prefix)], "an error that does not occur natively: %s", f)
					}
				}
			})
		}
	}
}

func compile(t *testing.T, tools harness.Toolchain, name string) string {
	t.Helper()
	dir := filepath.Join("..", "conformance")
	out := filepath.Join(t.TempDir(), name)
	require.NoError(t, tools.Compile(suite.Source(dir, name), out, "-I"+dir, "-lm"))
	return out
}

// memcheck runs a program on some ranks and returns the findings of all of them. The last three words are valgrind, an
// option for it and the program; the others are for the launcher. The run itself must succeed.
func memcheck(t *testing.T, tools harness.Toolchain, launcher string, words ...string) []finding {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	reports := t.TempDir()
	tools.MPIExec = launcher
	own, words := words[:len(words)-3], words[len(words)-3:]
	report := "--xml-file=" + filepath.Join(reports, "%p.xml")
	cmd := tools.Launch(ctx, ranks, words[0], words[1], "--xml=yes", report, "--num-callers=30", words[2])
	cmd.Args = slices.Concat(cmd.Args[:1], own, cmd.Args[1:])
	cmd.Dir = reports
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), "%s\n%s%s", strings.Join(cmd.Args, " "), &stdout, &stderr)
	require.Contains(t, stdout.String(), "PASS ", "%s", &stderr)
	files, err := filepath.Glob(filepath.Join(reports, "*.xml"))
	require.NoError(t, err)
	require.Len(t, files, ranks)
	var all []finding
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var report struct {
			Tool   string    `xml:"tool"`
			Errors []finding `xml:"error"`
			State  []string  `xml:"status>state"`
		}
		require.NoError(t, xml.Unmarshal(text, &report), "%s", text)
		require.Equal(t, "memcheck", report.Tool)
		require.Contains(t, report.State, "FINISHED")
		all = append(all, report.Errors...)
	}
	return all
}
