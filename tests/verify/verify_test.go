// Package verify runs `wi4go verify` on real MPI libraries. It succeeds if nothing is wrong, and
// otherwise names the problem: a rank that hangs or crashes, a wrong conversion in the front.
package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/verify"
	"wi4go/tests/harness"
)

// A site is one run: a directory with the reports, and the environment.
type site struct {
	t      *testing.T
	prefix string
	dir    string
	env    []string
}

func newSite(t *testing.T) *site {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	s := &site{t: t, prefix: prefix, dir: t.TempDir()}
	s.env = append(harness.Environ(), "TMPDIR="+s.dir)
	return s
}

// compile compiles a library without MPI, and returns its path.
func (s *site) compile(source, name string) string {
	s.t.Helper()
	out := filepath.Join(s.dir, name)
	text, err := exec.Command("cc", "-O1", "-shared", "-fPIC", "-w", "-o", out, source, "-ldl").CombinedOutput()
	require.NoError(s.t, err, "%s", text)
	return out
}

func (s *site) command(ctx context.Context, args ...string) *exec.Cmd {
	if !slices.Contains(args, "--budget") {
		args = append([]string{"--budget", "0"}, args...) // however slow the machine is
	}
	c := exec.CommandContext(ctx, filepath.Join(s.prefix, "bin/wi4go"), append([]string{"verify"}, args...)...)
	c.Dir, c.Env = s.dir, s.env
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 20 * time.Second
	return c
}

// run returns the report, the error output and the exit code.
func (s *site) run(args ...string) (*verify.Report, string, int) {
	s.t.Helper()
	var out, errs bytes.Buffer
	c := s.command(s.t.Context(), append(args, "--json")...)
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(s.t, err)
	}
	var r verify.Report
	if out.Len() > 0 {
		require.NoError(s.t, json.Unmarshal(out.Bytes(), &r), "%s", out.String())
	}
	return &r, errs.String(), c.ProcessState.ExitCode()
}

func test(r *verify.Report, name string) *verify.Test {
	for _, t := range r.Tests {
		if t.Name == name {
			return t
		}
	}
	return &verify.Test{}
}

// onPage requires that docs/checking.md has texts, whose commands the test runs on the libraries of the test environment.
func onPage(t *testing.T, texts ...string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/checking.md")
	require.NoError(t, err)
	for _, text := range texts {
		assert.Contains(t, string(page), text)
	}
}

// libraryOf returns the argument of --to: the launcher of a library; for mpiabi, the library of the
// standard ABI that comes with MPICH 5.
func libraryOf(t *testing.T, name string) string {
	library := name
	if name == "mpiabi" {
		library = "mpich-5.0"
	}
	tools, err := harness.Find(library)
	if err != nil {
		harness.Missing(t, err)
	}
	if name == "mpiabi" {
		return filepath.Join(tools.Root(), "lib/libmpi_abi.so.1")
	}
	return tools.MPIExec
}

// green runs a direction and requires that nothing is wrong except native errors.
func green(t *testing.T, from, to string, args ...string) *verify.Report {
	t.Helper()
	s := newSite(t)
	r, errs, code := s.run(append([]string{"--from", from, "--to", to}, args...)...)
	assert.Zero(t, code, "%s", errs)
	assert.True(t, r.Complete)
	right := 0
	for _, test := range r.Tests {
		assert.NotEqual(t, verify.Wrong, test.Verdict, "%s: %+v", test.Name, test.Through)
		if test.Verdict == verify.Right || test.Verdict == verify.Emulated {
			right++
		}
	}
	assert.GreaterOrEqual(t, right, len(r.Tests)*4/5, "%s", errs)
	for _, name := range []string{".json", ".txt"} {
		found, err := filepath.Glob(filepath.Join(s.dir, "wi4go-verify-*"+name))
		require.NoError(t, err)
		assert.Len(t, found, 1)
	}
	t.Logf("%s on %s: %d of %d right", from, r.Runtime, right, len(r.Tests))
	return r
}

// If the time is not enough, that is reported, and the same command continues.
func TestBudget(t *testing.T) {
	s := newSite(t)
	args := []string{"--from", "openmpi", "--to", libraryOf(t, "mpich"), "--quick", "--types", "MPI_INT", "--objects", "2", "MPI_Send", "MPI_Bcast"}
	r, errs, code := s.run(append(args, "--budget", "1ms")...)
	assert.Equal(t, 3, code, errs)
	assert.False(t, r.Complete)
	assert.Regexp(t, `(?m)^wi4go: verify: not run within 1ms: .*point-to-point.*, collective.*; the same command runs them$`, errs)
	out, err := s.command(t.Context(), append(args, "--budget", "1ms")...).Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "as text: %s", out)
	assert.Equal(t, 3, exit.ExitCode())
	files, err := filepath.Glob(filepath.Join(s.dir, "wi4go-verify-openmpi-*.txt"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	for _, text := range []string{string(text), string(out)} {
		assert.Regexp(t, `(?m)^not complete, left: point-to-point.*, collectives`, text)
	}
	r, errs, code = s.run(args...)
	assert.Zero(t, code, errs)
	assert.True(t, r.Complete)
	assert.Contains(t, errs, "verify continues the interrupted run")
	assert.Equal(t, verify.Right, test(r, "MPI_Send").Verdict)
	assert.Equal(t, verify.Right, test(r, "MPI_Bcast").Verdict)
}

// A run without --quick reports its duration before it begins.
func TestDuration(t *testing.T) {
	s := newSite(t)
	args := []string{"--from", "openmpi", "--to", libraryOf(t, "mpich"), "--types", "MPI_INT", "--objects", "2", "MPI_Send"}
	r, errs, code := s.run(args...)
	assert.Zero(t, code, errs)
	assert.True(t, r.Complete)
	assert.Regexp(t, `^wi4go: verify: this takes about \d+ (seconds|minutes?|hours?) \(--quick: 1 minute at most\)\n`, errs)
	assert.Equal(t, 3*4, test(r, "MPI_Send").Through.Cases, "three counts, and the pairs of two layouts: the sample is not counted")
	_, errs, code = s.run(append(args, "--quick")...)
	assert.Zero(t, code, errs)
	assert.Empty(t, errs)
}

// Between the families, each together with the native run.
func TestDirections(t *testing.T) {
	for _, c := range []struct{ from, to string }{{"openmpi", "mpich"}, {"mpich", "openmpi"}, {"mpiabi", "mpich"}, {"mpiabi", "openmpi"},
		{"openmpi", "mpiabi"}, {"mpich", "mpiabi"}} {
		t.Run(c.from+"→"+c.to, func(t *testing.T) {
			r := green(t, c.from, libraryOf(t, c.to), "--quick", "--types", "MPI_INT,MPI_DOUBLE,MPI_DOUBLE_INT", "--objects", "4")
			assert.Equal(t, verify.Right, test(r, "MPI_Send").Native)
			native := 0
			for _, test := range r.Tests {
				if !strings.HasPrefix(test.Chapter, "mpi") {
					continue
				}
				if test.Native == verify.Right {
					native++
				}
				assert.Equal(t, verify.Right, test.Verdict, "%s: %s", test.Name, test.Reason)
			}
			if c.to == "mpiabi" { // its C library lacks functions that Fortran calls, PMPI_Comm_c2f and more
				assert.Len(t, r.Notes, 2, "one of each binding")
				assert.Zero(t, native)
			} else {
				assert.Empty(t, r.Notes, "there is a native run")
				assert.Greater(t, native, 30)
			}
		})
	}
}

// ofAbsentChapters matches cases in Fortran of windows and files, which the embedded MPI does not have.
var ofAbsentChapters = regexp.MustCompile(`^MPI_(PUT|WIN_ALLOCATE|FILE_WRITE_AT_ALL):`)

// On the embedded MPI every case is right, through each front, except for those of windows and files.
func TestEmbedded(t *testing.T) {
	for _, from := range []string{"openmpi", "mpich", "mpiabi"} {
		t.Run(from, func(t *testing.T) {
			r, errs, _ := newSite(t).run("--from", from, "--to", "embedded", "--quick", "--budget", "0", "--types", "MPI_INT,MPI_DOUBLE_INT", "--objects", "4")
			require.True(t, r.Complete, "%s", errs)
			right := 0
			for _, test := range r.Tests {
				switch test.Chapter {
				case "one-sided", "files":
					continue
				}
				switch test.Verdict {
				case verify.Right, verify.Emulated:
					right++
				case verify.Missing:
					assert.Contains(t, []string{"MPI_Put_c", "MPI_File_write_at_c"}, test.Name)
				case verify.Wrong:
					assert.Regexp(t, ofAbsentChapters, test.Name, "%+v", test.Through)
				}
			}
			assert.GreaterOrEqual(t, right, 120, "%s", errs)
		})
	}
}

// The effect of the pools' variables.
func TestVariables(t *testing.T) {
	s := newSite(t)
	to := libraryOf(t, "openmpi")
	run := func(args ...string) *verify.Report {
		r, errs, code := s.run(append([]string{"--from", "mpich", "--to", to, "--no-native", "--quick", "MPI_Pack"}, args...)...)
		require.Zero(t, code, "%s", errs)
		return r
	}
	s.env = append(s.env, "DTP_NUM_OBJS=5")
	assert.Equal(t, 38*5, test(run(), "MPI_Pack").Through.Cases, "33 types and 5 structs")
	s.env = append(s.env, "DTP_RUNTIME_TYPES=MPI_SHORT MPI_LONG_INT")
	assert.Equal(t, 2*5, test(run(), "MPI_Pack").Through.Cases)
	assert.Equal(t, 3*2*5, test(run("--counts", "1,7,9"), "MPI_Pack").Through.Cases)
	list := filepath.Join(s.dir, "list")
	require.NoError(t, os.WriteFile(list, []byte("# what to try\nMPI_2INT\nMPI_SHORT # and\nMPI_BYTE\n"), 0o644))
	s.env = append(s.env, "DTP_DATATYPE_FILE="+list)
	assert.Equal(t, 5, test(run(), "MPI_Pack").Through.Cases, "MPI_SHORT is in both")
	s.env = append(s.env, "DTP_RUNTIME_TYPES=MPI_SHORT,MPI_2INT,MPI_BYTE")
	assert.Equal(t, 4*5, test(run(), "MPI_Pack").Through.Cases, "a struct of two of them, too")
}

// Structs with counts, in --types and in the file of types: each member has its count, times the count of the case.
func TestStructs(t *testing.T) {
	s := newSite(t)
	to := libraryOf(t, "mpich")
	run := func(args ...string) *verify.Report {
		r, errs, code := s.run(append([]string{"--from", "openmpi", "--to", to, "--no-native", "--quick", "--objects", "10"}, args...)...)
		require.Zero(t, code, "%s", errs)
		return r
	}
	onPage(t, "$ wi4go verify --from openmpi --to mpich --quick --types 'MPI_INT*3+MPI_DOUBLE+MPI_CHAR*16' MPI_Send MPI_Put:fence\n")
	r := run("--types", "MPI_INT*3+MPI_DOUBLE+MPI_CHAR*16", "MPI_Send", "MPI_Pack", "MPI_Type_size", "MPI_Put:fence", "MPI_Allreduce")
	for _, name := range []string{"MPI_Send", "MPI_Pack", "MPI_Type_size", "MPI_Put:fence"} {
		assert.Equal(t, verify.Right, test(r, name).Verdict, name)
		assert.Equal(t, 10, test(r, name).Through.Cases, name)
	}
	assert.Equal(t, verify.NotRun, test(r, "MPI_Allreduce").Verdict, "a struct is not a number")
	list := filepath.Join(s.dir, "list")
	require.NoError(t, os.WriteFile(list, []byte("MPI_INT*3+MPI_DOUBLE # a record\nMPI_FLOAT*2\n"), 0o644))
	s.env = append(s.env, "DTP_DATATYPE_FILE="+list)
	r = run("MPI_Send", "MPI_Allreduce")
	assert.Equal(t, 2*10, test(r, "MPI_Send").Through.Cases)
	assert.Equal(t, 1, test(r, "MPI_Allreduce").Through.Cases, "one type with a count is a number")
	assert.Equal(t, 10, test(run("--types", "MPI_INT,MPI_DOUBLE", "MPI_Send"), "MPI_Send").Through.Cases)
}

// 1,024 elements into a buffer for 2,048 and the other operations, for all pairs of layouts. CI runs a function of each chapter on one
// library, and the nightly tests run all functions on both.
func TestAllPairs(t *testing.T) {
	harness.All.From(t, "all pairs of layouts")
	onPage(t, "$ wi4go verify --from openmpi --to mpich --full --types MPI_INT --counts 1024 MPI_Send:shorter MPI_Bcast MPI_Put:fence\n")
	tests, directions := []string{"MPI_Send:shorter", "MPI_Bcast", "MPI_Put:fence"}, map[string]string{"openmpi": "mpich"}
	if harness.Nightly.Runs() {
		tests = []string{"point-to-point", "collectives", "one-sided"}
		directions["mpich"] = "openmpi"
	}
	for from, to := range directions {
		t.Run(from, func(t *testing.T) {
			args := []string{"--from", from, "--to", libraryOf(t, to), "--full", "--types", "MPI_INT", "--counts", "1024"}
			if !harness.Nightly.Runs() {
				args = append(args, "--no-native")
			}
			r, errs, code := newSite(t).run(append(args, tests...)...)
			require.Zero(t, code, "%s", errs)
			for _, one := range r.Tests {
				assert.Contains(t, []verify.Verdict{verify.Right, verify.WrongNatively}, one.Verdict, one.Name)
			}
			for _, name := range []string{"MPI_Send:shorter", "MPI_Bcast", "MPI_Put:fence"} {
				assert.Equal(t, verify.Right, test(r, name).Verdict, name)
				assert.Equal(t, 40*40, test(r, name).Through.Cases, name)
			}
		})
	}
}

// A receiver that writes past the message is found, although the elements that were sent are right.
func TestPastMessage(t *testing.T) {
	s := newSite(t)
	s.env = append(s.env, harness.Preload(s.compile("programs/past.c", "past.so")))
	r, errs, code := s.run("--from", "mpich", "--to", libraryOf(t, "openmpi"), "--no-native", "--quick", "--types", "MPI_INT", "--objects", "1", "MPI_Send", "MPI_Send:shorter")
	assert.Equal(t, 1, code, "%s", errs)
	assert.Equal(t, verify.Right, test(r, "MPI_Send").Verdict)
	found := test(r, "MPI_Send:shorter")
	if assert.Equal(t, verify.Wrong, found.Verdict) {
		assert.Contains(t, found.Through.Failures[0].Text, "element 23 of 24 (MPI_INT, at byte 92), past the 12 that were sent, was written to")
	}
}

// The layout of the page about the pools, as a library for each family: every test that has layouts runs with 41.
func TestLayouts(t *testing.T) {
	s := newSite(t)
	page, err := os.ReadFile("../../dtpools/README.md")
	require.NoError(t, err)
	source := regexp.MustCompile("(?s)```c\n(#include \"layouts.h\"\n.*?)\n```").FindSubmatch(page)
	require.NotNil(t, source)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "nested.c"), source[1], 0o644))
	library := map[string]string{}
	for _, name := range []string{"openmpi", "mpich"} {
		tools, err := harness.Find(name)
		if err != nil {
			harness.Missing(t, err)
		}
		library[name] = filepath.Join(s.dir, name+".so")
		require.NoError(t, tools.Compile(filepath.Join(s.dir, "nested.c"), library[name], "-shared", "-fPIC", "-I", filepath.Join(s.prefix, "share/wi4go/dtpools")))
	}
	args := []string{"--from", "openmpi", "--to", libraryOf(t, "mpich"), "--quick", "--types", "MPI_INT", "--layouts", library["openmpi"]}
	r, errs, code := s.run(append(args, "--layouts", library["mpich"], "MPI_Send", "MPI_Put:fence", "datatypes")...)
	require.Zero(t, code, "%s", errs)
	for _, one := range r.Tests {
		if !strings.HasPrefix(one.Name, "MPI_Type_g") && one.Verdict == verify.Right && one.Through.Cases > 1 {
			assert.Equal(t, 41, one.Through.Cases, one.Name)
			assert.Equal(t, 41, one.Natively.Cases, one.Name)
		}
	}
	assert.Equal(t, 41, test(r, "MPI_Send").Through.Cases)
	assert.Equal(t, verify.Right, test(r, "MPI_Type_get_contents").Verdict)
	r, errs, code = s.run(append(args, "--case", "MPI_Send/MPI_INT/12/40/8")...)
	require.Zero(t, code, "%s", errs)
	assert.Equal(t, []string{"no native run: --layouts names no library that is linked with MPICH (libmpi.so.12, libmpich.so.12): compile the layouts with its mpicc " +
		"-shared -fPIC, and name the result with a further --layouts"}, r.Notes)
	args[len(args)-1] = library["mpich"]
	_, errs, code = s.run(append(args, "MPI_Send")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "--layouts names no library that is linked with Open MPI (libmpi.so.40)")
	other := s.compile("programs/past.c", "libmpi.so.40") // a library without a table
	_, errs, code = s.run("--from", "openmpi", "--to", libraryOf(t, "mpich"), "--quick", "--layouts", other, "MPI_Send")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "--layouts names no library that is linked with Open MPI")
}

// The run for scripts: two types, five layouts, every chapter. It runs natively only if a result is wrong.
func TestSmoke(t *testing.T) {
	s := newSite(t)
	onPage(t, "$ wi4go verify --from openmpi --to mpich --smoke\n")
	r, errs, code := s.run("--from", "openmpi", "--to", libraryOf(t, "mpich"), "--smoke")
	require.Zero(t, code, "%s", errs)
	assert.True(t, r.Complete)
	assert.Greater(t, len(r.Chapters()), 6)
	assert.Equal(t, 2*5, test(r, "MPI_Send").Through.Cases)
	for _, one := range r.Tests {
		assert.Nil(t, one.Natively, one.Name)
	}
	s.env = append(s.env, "SPOIL="+filepath.Join(s.dir, "spoilt"), harness.Preload(s.compile("programs/spoil.c", "spoil.so")))
	r, errs, code = s.run("--from", "mpich", "--to", libraryOf(t, "openmpi"), "--smoke", "MPI_Ssend", "MPI_Send_init", "MPI_Bcast")
	assert.Equal(t, 1, code, "%s", errs)
	assert.Equal(t, verify.Wrong, test(r, "MPI_Ssend").Verdict)
	assert.Equal(t, verify.Right, test(r, "MPI_Ssend").Native)
	assert.Nil(t, test(r, "MPI_Bcast").Natively, "nothing is wrong in its chapter")
}

// Programs of a user: over three types and two counts on two libraries, natively, too. A wrong result is reported with a command that
// repeats it, and other mistakes with their cause.
func TestRules(t *testing.T) {
	s := newSite(t)
	onPage(t, "sendrecv  sendrecv.c  types=MPI_INT,MPI_DOUBLE,MPI_INT*3+MPI_CHAR*16 counts=1,64 ranks=2 limit=60s\nchanged   sendrecv.c  ",
		"$ wi4go verify --rules my.rules --to mpich\n", "\n  wi4go verify --from mpiabi --to mpich -n 2 --rules my.rules --case changed/MPI_INT/64\n")
	for _, file := range []string{"sendrecv.c", "my.rules"} {
		text, err := os.ReadFile(filepath.Join("programs", file))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, file), text, 0o644))
	}
	for _, name := range []string{"mpich", "openmpi"} {
		r, errs, code := s.run("--rules", "my.rules", "--to", libraryOf(t, name), "sendrecv")
		require.Zero(t, code, "%s", errs)
		found := test(r, "sendrecv")
		assert.Equal(t, verify.Right, found.Verdict)
		assert.Equal(t, verify.Right, found.Native)
		assert.Equal(t, 3*2, found.Through.Cases)
		assert.Equal(t, 3*2, found.Natively.Cases)
		assert.Len(t, r.Tests, 1)
	}
	to := libraryOf(t, "mpich")
	r, errs, code := s.run("--rules", "my.rules", "--to", to, "--no-native", "changed", "endless", "with spaces")
	assert.Equal(t, 1, code, errs)
	changed, endless := test(r, "changed"), test(r, "endless")
	assert.Equal(t, 1, changed.Through.Wrong)
	assert.Equal(t, "changed/MPI_INT/64", changed.Through.Failures[0].Case)
	assert.Contains(t, changed.Command, "-n 2 --rules my.rules --case changed/MPI_INT/64")
	assert.Contains(t, changed.Through.Failures[0].Text, "layout 1: element 0 of 64 (MPI_INT, at byte 0) is 1, expected 0")
	assert.Equal(t, "did not end within 2s", endless.Through.Failures[0].Text)
	// The command in the report, run as it is.
	c := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(changed.Command, "wi4go", filepath.Join(s.prefix, "bin/wi4go"), 1))
	c.Dir, c.Env = s.dir, s.env
	text, err := c.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(text), "wrong natively: changed/MPI_INT/64: ", "the program is wrong")
	assert.NotContains(t, string(text), "endless")

	r, errs, code = s.run("--rules", "my.rules", "--to", to, "--smoke", "sendrecv")
	require.Zero(t, code, "%s", errs)
	assert.Equal(t, 2*2, test(r, "sendrecv").Through.Cases, "MPI_INT and MPI_DOUBLE")
	out, err := s.command(t.Context(), "--rules", "my.rules", "--list").Output()
	require.NoError(t, err)
	assert.Regexp(t, `^sendrecv +my\nchanged +my\nendless +with spaces\nbroken +mistakes\n$`, string(out))
	for args, says := range map[string]string{
		"--rules nowhere.rules":              "--rules: nowhere.rules: no such file or directory: name a file",
		"--rules my.rules broken":            "cannot compile a program: ",
		"--rules my.rules sendrec":           `my.rules has no test or chapter "sendrec": did you mean sendrecv? it has sendrecv, `,
		"--rules my.rules --case sendrecv/1": "case sendrecv/1: write it as TEST/TYPE/COUNT",
		"--rules my.rules --full":            "--rules does not go with --quick, --full and --layouts",
		"--rules my.rules --mpicc /nowhere":  "cannot compile a program: ",
	} {
		_, errs, code := s.run(append(strings.Fields(args), "--to", to)...)
		assert.NotZero(t, code, args)
		assert.Contains(t, errs, says)
	}
}

// The programs with C++ bindings, compiled by a library's own mpicxx, on the other library, and natively there.
func TestCxx(t *testing.T) {
	harness.All.From(t, "it compiles C++")
	file, err := filepath.Abs("../dtpools/programs/cxx.rules")
	require.NoError(t, err)
	for from, to := range map[string]string{"openmpi": "mpich", "mpich": "openmpi"} {
		t.Run(from, func(t *testing.T) {
			tools, err := harness.Find(from)
			if err != nil {
				harness.Missing(t, err)
			}
			r, errs, code := newSite(t).run("--rules", file, "--from", from, "--to", libraryOf(t, to), "--mpicc", tools.MPICC)
			require.Zero(t, code, "%s", errs)
			for _, name := range []string{"fkeyvaltypex", "packsizex"} {
				assert.Equal(t, verify.Right, test(r, name).Verdict, name)
				assert.Equal(t, verify.Right, test(r, name).Native, name)
				assert.Equal(t, 3, test(r, name).Through.Cases, name)
			}
		})
	}
}

func TestBadInput(t *testing.T) {
	s := newSite(t)
	to := libraryOf(t, "openmpi")
	plain := s.env
	for _, c := range []struct{ args, env, says string }{
		{"--types MPI_INTT", "", "MPI_INTT is not a basic type of the pools: did you mean MPI_INT? use "},
		{"--case MPI_Send/MPI_INTT/1", "", "MPI_INTT is not a basic type of the pools: did you mean MPI_INT? use "},
		{"--types MPI_INTEGER", "", "MPI_INTEGER is not a basic type of the pools"},
		{"--types MPI_INT*3+MPI_DOUBEL", "", "MPI_INT*3+MPI_DOUBEL: MPI_DOUBEL is not a basic type of the pools: did you mean MPI_DOUBLE? use "},
		{"--types MPI_INT*0", "", `MPI_INT*0: "0" is not a count: write a number from 1 to`},
		{"--layouts /nowhere.so", "", "--layouts: /nowhere.so: no such file or directory: name a library"},
		{"--smoke --types MPI_INT", "", "--smoke, --quick and --full exclude each other"},
		{"--mpicc /bin/true", "", "--mpicc is the compiler for --rules: add --rules FILE"},
		{"--counts 0", "", "count 0: give a number from 1"},
		{"--counts -3", "", "count -3: give a number from 1"},
		{"--objects 0", "", "DTP_NUM_OBJS=0: set it to the number of layouts"},
		{"--case MPI_Send/MPI_INT/1/0/40", "", "a pool has the layouts 0 to 39"},
		{"--case MPI_Send/MPI_INT/1/-1/0", "", "-1 is not the number of a layout"},
		{"--case MPI_Send/MPI_INT", "", "write it as TEST/SIGNATURE/COUNT"},
		{"--case MPI_Send/MPI_INT+/1", "", "MPI_INT+: member 2 has no name: write a struct as MPI_INT*3+MPI_DOUBLE"},
		{"--case MPI_Send//1", "", "an empty type: member 1 has no name"},
		{"--case MPI_Send/MPI_INT/1 -n 1", "", "MPI_Send needs 2 ranks: -n 1 gives too few"},
		{"MPI_Bcast MPI_Send -n 1", "", "MPI_Send needs 2 ranks: -n 1 gives too few"},
		{"--types ,", "", `--types "," names no basic type`},
		{"", "DTP_DATATYPE_FILE=/nowhere/list", "cannot read /nowhere/list"},
		{"", "DTP_DATATYPE_FILE=.", ": Is a directory"},
		{"", "DTP_RUNTIME_TYPES=MPI_FOO", "MPI_FOO is not a basic type of the pools"},
		{"", "DTP_RUNTIME_TYPES=,", `DTP_RUNTIME_TYPES "," names no basic type`},
		{"", "DTP_NUM_OBJS=many", "DTP_NUM_OBJS=many"},
		{"MPI_Nothing", "", `no test, function or chapter is called "MPI_Nothing"`},
		{"--from lam", "", `unknown MPI family "lam"`},
		{"--to /nowhere", "", "/nowhere: no such file"},
		{"--report /nowhere/report.json", "", "/nowhere"},
	} {
		args := append([]string{"--from", "mpich", "--to", to, "--no-native", "--quick"}, strings.Fields(c.args)...)
		if !strings.Contains(c.args, "MPI_") || strings.Contains(c.args, "--types") {
			args = append(args, "MPI_Type_size", "-n", "1")
		}
		if s.env = plain; c.env != "" {
			s.env = append(slices.Clone(plain), c.env)
		}
		_, errs, code := s.run(args...)
		assert.Contains(t, []int{1, 2}, code, "%s %s", c.args, c.env)
		assert.Contains(t, errs, c.says)
		assert.Equal(t, 1, strings.Count(errs, "\n"), "one line: %s", errs)
	}
}

// A launcher that cannot create the files of a job is reported before the run, as wi4go run reports it.
func TestSessionDirectory(t *testing.T) {
	s := newSite(t)
	s.env = append(s.env, "TMPDIR=/dev/null")
	_, errs, code := s.run("--from", "mpich", "--to", libraryOf(t, "openmpi"), "--quick", "MPI_SEND")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "wi4go: /dev/null, in which an mpiexec of Open MPI keeps the files of a job, cannot be used: ")
	assert.Contains(t, errs, "set TMPDIR")
}

// A rank that hangs or crashes is reported with its test. Other tests still run, and so do other
// cases of the test, as long as the time is limited.
func TestTrouble(t *testing.T) {
	s := newSite(t)
	tool := s.compile("programs/trouble.c", "trouble.so")
	s.env = append(s.env, harness.Preload(tool))
	r, errs, code := s.run("--from", "mpich", "--to", libraryOf(t, "openmpi"), "--no-native", "--quick", "--types", "MPI_CHAR MPI_INT", "--objects", "5",
		"--limit", "3s", "MPI_Send", "MPI_Ssend", "MPI_Bsend", "MPI_Isend:self")
	assert.Equal(t, 1, code, "%s", errs)
	assert.Equal(t, verify.Right, test(r, "MPI_Send").Verdict)
	assert.Equal(t, verify.Right, test(r, "MPI_Isend:self").Verdict)
	assert.Equal(t, 10, test(r, "MPI_Isend:self").Through.Cases)
	hangs, dies := test(r, "MPI_Ssend"), test(r, "MPI_Bsend")
	if assert.Len(t, hangs.Through.Failures, 2) {
		assert.Equal(t, "MPI_Ssend/MPI_CHAR/12/0/1", hangs.Through.Failures[0].Case)
		assert.Contains(t, hangs.Through.Failures[0].Text, "0, 1: did not finish in time")
		assert.Equal(t, "MPI_Ssend/MPI_INT/12/0/1", hangs.Through.Failures[1].Case)
	}
	assert.Equal(t, 8, hangs.Through.Left)
	if assert.Len(t, dies.Through.Failures, 6) {
		assert.Contains(t, dies.Through.Failures[5].Text, "rank 0 died of signal 11")
	}
	assert.Equal(t, 4, dies.Through.Left)
	assert.Contains(t, dies.Command, "--case MPI_Bsend/MPI_CHAR/12/0/1")
}

// A wrong case does not affect others by the library's state after it.
func TestSpoiled(t *testing.T) {
	s := newSite(t)
	s.env = append(s.env, "SPOIL="+filepath.Join(s.dir, "spoilt"), harness.Preload(s.compile("programs/spoil.c", "spoil.so")))
	r, errs, code := s.run("--from", "mpich", "--to", libraryOf(t, "openmpi"), "--quick", "--types", "MPI_INT", "MPI_Ssend", "MPI_Send_init")
	assert.Equal(t, 1, code, "%s", errs)
	spoilt, after := test(r, "MPI_Ssend"), test(r, "MPI_Send_init")
	if assert.Len(t, spoilt.Through.Failures, 1) {
		assert.Equal(t, "MPI_Ssend/MPI_INT/12/0/1", spoilt.Through.Failures[0].Case)
		assert.Contains(t, spoilt.Through.Failures[0].Text, "rank 0: MPI_Ssend returned error 15")
	}
	assert.Equal(t, 40, spoilt.Through.Cases)
	assert.Equal(t, verify.Right, spoilt.Native)
	assert.Equal(t, verify.Right, after.Verdict)
	assert.Equal(t, 40, after.Through.Cases)
}

// Results before an interruption are kept, and the next run continues.
func TestInterrupted(t *testing.T) {
	t.Run("signal", func(t *testing.T) {
		interrupted(t, func(c *exec.Cmd) (interrupt func() error, said func() string) {
			var errs bytes.Buffer
			c.Stderr = &errs
			return func() error { return c.Process.Signal(syscall.SIGINT) }, errs.String
		})
	})
	t.Run("terminal", func(t *testing.T) {
		var drawn string
		interrupted(t, func(c *exec.Cmd) (func() error, func() string) {
			keyboard, said := harness.OnTerminal(t, c, 40)
			return func() error {
				_, err := keyboard.WriteString("\x03") // Ctrl-C
				return err
			}, func() string { drawn = said(); return drawn }
		})
		assert.Regexp(t, "through point-to-point +0%", drawn, "a bar is there before the first case ends")
		for _, line := range strings.FieldsFunc(drawn, func(c rune) bool { return c == '\r' || c == '\n' }) {
			if strings.Contains(line, "%") || strings.TrimSpace(line) == "" {
				assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "^C")), 40, "it fits into a line: %q", line)
			}
		}
	})
}

// interrupted interrupts a run, in the way that on defines for the command, and continues it.
func interrupted(t *testing.T, on func(c *exec.Cmd) (interrupt func() error, said func() string)) {
	s := newSite(t)
	s.env = append(s.env, harness.Preload(s.compile("programs/trouble.c", "trouble.so")))
	args := []string{"--from", "mpich", "--to", libraryOf(t, "openmpi"), "--no-native", "--quick", "--types", "MPI_INT", "--report", "r.json", "MPI_Pack", "MPI_Send", "MPI_Ssend"}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := s.command(ctx, args...)
	interrupt, said := on(c)
	require.NoError(t, c.Start())
	// It hangs in MPI_Ssend, and has written these cases by the time that is noticed.
	for wrote(s.dir, "group MPI_Ssend") < 2 && ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
	}
	require.NoError(t, interrupt())
	c.Wait()
	assert.Equal(t, 130, c.ProcessState.ExitCode())
	assert.Contains(t, said(), "the results so far are in r.json, and the same command continues the run")
	text, err := os.ReadFile(filepath.Join(s.dir, "r.json"))
	require.NoError(t, err)
	var r verify.Report
	require.NoError(t, json.Unmarshal(text, &r))
	assert.False(t, r.Complete)
	assert.Equal(t, 40, test(&r, "MPI_Send").Through.Cases)
	left, err := filepath.Glob(filepath.Join(s.dir, ".wi4go-verify-*"))
	require.NoError(t, err)
	assert.Empty(t, left)

	s.env = s.env[:len(s.env)-1] // nothing hangs any more
	again, goesOn, code := s.run(args...)
	assert.Zero(t, code, "%s", goesOn)
	assert.Contains(t, goesOn, "continues the interrupted run")
	for _, name := range []string{"MPI_Send", "MPI_Ssend", "MPI_Pack"} {
		assert.Equal(t, 40, test(again, name).Through.Cases, name)
	}
}

// wrote returns the number of ranks that have written a line with this beginning.
func wrote(dir, line string) (ranks int) {
	files, _ := filepath.Glob(filepath.Join(dir, ".wi4go-verify-*", "*.*")) // the pattern is valid
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil && bytes.Contains(text, []byte("\n"+line)) {
			ranks++
		}
	}
	return ranks
}

// Wrong conversions, one of each kind, in a front that is built for this: each is found by the test
// of the affected function.
func TestBrokenFronts(t *testing.T) {
	harness.All.From(t, "it compiles wrong libraries")
	s := newSite(t)
	to := libraryOf(t, "mpich")
	prefix := breakFront(t, s.prefix)
	s.prefix = prefix
	r, errs, code := s.run("--from", "openmpi", "--to", to, "--quick", "--types", "MPI_SHORT,MPI_UNSIGNED_SHORT,MPI_INT", "--objects", "4",
		"--limit", "20s", "MPI_Send", "MPI_Recv:any", "MPI_Type_size", "MPI_Type_get_name", "MPI_Type_create_resized")
	require.Equal(t, 1, code, "%s", errs)
	assert.Equal(t, verify.Right, test(r, "MPI_Type_size").Verdict)
	for name, says := range map[string]string{
		"MPI_Type_get_name":       "the name of MPI_UNSIGNED_SHORT is MPI_SHORT",
		"MPI_Send":                "status.MPI_TAG is ",
		"MPI_Recv:any":            "status.MPI_SOURCE is -",
		"MPI_Type_create_resized": "the extent is ",
	} {
		found := test(r, name)
		assert.Equal(t, verify.Wrong, found.Verdict, name)
		assert.Equal(t, verify.Right, found.Native, name)
		if assert.NotEmpty(t, found.Through.Failures, name) {
			assert.Contains(t, found.Through.Failures[0].Text, says, name)
			assert.Contains(t, found.Command, "--case "+name+"/", name)
		}
	}
}

// A broken tree is a copy of the installation in a prefix, with its sources and objects, to be
// changed and rebuilt.
type broken struct {
	t           *testing.T
	root, build string
}

func breakTree(t *testing.T, prefix string) *broken {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	b := &broken{t, root, filepath.Join(t.TempDir(), "build")}
	b.run("mkdir", "-p", b.build+"/bin", b.build+"/lib/wi4go", b.build+"/obj")
	b.run("cp", "-a", prefix+"/bin/wi4go", b.build+"/bin/")
	b.run("cp", "-a", prefix+"/lib/wi4go/libwi4go.so", prefix+"/lib/wi4go/standin.so", prefix+"/lib/wi4go/verify",
		prefix+"/lib/wi4go/mpich", prefix+"/lib/wi4go/openmpi", b.build+"/lib/wi4go/")
	b.run("cp", "-a", prefix+"/gen", b.build+"/")
	b.run("cp", "-a", prefix+"/obj/common", prefix+"/obj/openmpi", prefix+"/obj/mpich", b.build+"/obj/")
	return b
}

func (b *broken) run(command ...string) {
	b.t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = b.root
	text, err := c.CombinedOutput()
	require.NoError(b.t, err, "%s", text)
}

// change replaces one text by another in a file of the tree.
func (b *broken) change(file, from, to string) {
	b.t.Helper()
	file = filepath.Join(b.build, file)
	text, err := os.ReadFile(file)
	require.NoError(b.t, err)
	require.Contains(b.t, string(text), from, "the mutation does not apply any more")
	require.NoError(b.t, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), from, to)), 0o644))
}

// again rebuilds a library of the tree from the existing objects. Headers of the tree come first.
func (b *broken) again(library, headers string) {
	b.t.Helper()
	b.run("make", "-s", "-o", b.build+"/gen/rules.mk", "B="+b.build, "CC=gcc -w -I"+b.build+"/"+headers, "CFLAGS=-O0 -g", b.build+"/lib/wi4go/"+library)
}

// breakFront makes a copy of the installation in prefix. Its front for Open MPI programs has wrong
// conversions for MPICH.
func breakFront(t *testing.T, prefix string) string {
	t.Helper()
	b := breakTree(t, prefix)
	facts, objects, fast := "gen/openmpi/openmpi_mpich.h", "gen/openmpi/openmpi_mpich_objects.c", "gen/openmpi/openmpi_mpich_fast.S"
	// A wrong constant of a datatype.
	b.change(facts, "ompi_mpi_unsigned_short, 0, 0, 1275068932ll", "ompi_mpi_unsigned_short, 0, 0, 1275068931ll")
	// A special rank that arrives as another one.
	b.change(facts, "    case -2: return -1;\n    case -1: return -2;\n", "    case -2: return -2;\n    case -1: return -1;\n")
	b.change(fast, "xorl\t$RANK_FLIP", "xorl\t$0")
	// A wrong extent.
	b.change(objects, "R_MPI_Type_create_resized(r_oldtype, lb, extent,", "R_MPI_Type_create_resized(r_oldtype, lb, extent + 8,")
	// A field of the status that is not converted.
	b.run("cp", "-a", b.root+"/mappers", b.build+"/")
	b.change("mappers/status.h", "memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, 2 * sizeof(int));", "memcpy(&a->MPI_SOURCE, &r->MPI_SOURCE, sizeof(int));")
	b.change("mappers/fast_path_x86_64.h", "\tmovlps\t%xmm0, A_SOURCE+\\own(\\a)\n", "\tmovss\t%xmm0, A_SOURCE+\\own(\\a)\n")
	units, err := filepath.Glob(b.build + "/obj/openmpi/openmpi_mpich*.o")
	require.NoError(t, err)
	require.NotEmpty(t, units)
	b.run(append([]string{"rm"}, units...)...)
	b.again("openmpi/libmpi.so.40", "mappers")
	return b.build
}

// The same for the Fortran library: errors that only Fortran can have are found by the tests in
// Fortran, in each binding that has them.
func TestBrokenFortran(t *testing.T) {
	harness.All.From(t, "it compiles wrong libraries")
	s := newSite(t)
	to := libraryOf(t, "mpich")
	s.prefix = breakFortran(t, s.prefix)
	names := []string{"MPI_SEND", "MPI_WAITANY", "MPI_COMM_SET_NAME", "MPI_CART_CREATE", "MPI_ALLREDUCE", "MPI_OP_CREATE"}
	r, errs, code := s.run(append([]string{"--from", "openmpi", "--to", to, "--quick", "--no-native", "--limit", "20s"}, names...)...)
	require.Equal(t, 1, code, "%s", errs)
	for _, binding := range []string{":mpif.h", ":mpi_f08"} {
		for _, name := range []string{"MPI_SEND", "MPI_OP_CREATE"} {
			assert.Equal(t, verify.Right, test(r, name+binding).Verdict, name+binding)
		}
		for name, says := range map[string]string{
			"MPI_WAITANY":       "the index of mpi_waitany is 0, expected 1 to 6",
			"MPI_COMM_SET_NAME": "character 25 of the name is 0, expected 32",
			"MPI_CART_CREATE":   "the first period is 0, expected 1",
			"MPI_ALLREDUCE":     "rank ",
		} {
			found := test(r, name+binding)
			assert.Equal(t, verify.Wrong, found.Verdict, name+binding)
			if assert.NotNil(t, found.Through, name+binding) && assert.NotEmpty(t, found.Through.Failures, name+binding) {
				assert.Contains(t, found.Through.Failures[0].Text, says, name+binding)
				assert.Contains(t, found.Command, "--case "+name+binding+"/", name+binding)
			}
		}
	}
}

// A section that is treated as a contiguous array, in MPICH's family, the only one of the two with
// descriptors.
func TestBrokenSections(t *testing.T) {
	harness.All.From(t, "it compiles wrong libraries")
	s := newSite(t)
	to := libraryOf(t, "openmpi")
	b := breakTree(t, s.prefix)
	b.run("cp", "-a", b.root+"/shim/fortran", b.build+"/")
	b.change("fortran/sections.h", "return apart;", "return 0;")
	b.run("rm", b.build+"/obj/mpich/fortran/fortran.o")
	b.again("mpich/libmpifort.so.12", "fortran")
	s.prefix = b.build
	r, errs, code := s.run("--from", "mpich", "--to", to, "--quick", "MPI_SEND", "MPI_BCAST")
	require.Equal(t, 1, code, "%s", errs)
	assert.Equal(t, verify.Right, test(r, "MPI_SEND:mpif.h").Verdict)
	assert.Equal(t, verify.Right, test(r, "MPI_SEND:mpi_f08").Verdict)
	for name, says := range map[string]string{"MPI_SEND": "an element of the section received is ", "MPI_BCAST": "an element of the section is "} {
		found := test(r, name+":mpi_f08-section")
		assert.Equal(t, verify.Wrong, found.Verdict, name)
		if assert.NotNil(t, found.Through, name) && assert.NotEmpty(t, found.Through.Failures, name) {
			assert.Contains(t, found.Through.Failures[0].Text, says, name)
		}
	}
}

// Without wi4go's Fortran library the tests in C run, and the missing ones are reported.
func TestWithoutFortran(t *testing.T) {
	s := newSite(t)
	to := libraryOf(t, "mpich")
	b := breakTree(t, s.prefix)
	s.prefix = b.build
	b.run("rm", b.build+"/lib/wi4go/openmpi/libmpi_mpifh.so.40")
	args := []string{"--from", "openmpi", "--to", to, "--quick", "--no-native", "--types", "MPI_INT", "--objects", "2"}
	r, errs, code := s.run(append(args, "MPI_Send")...)
	assert.Zero(t, code, errs)
	assert.Equal(t, verify.Right, test(r, "MPI_Send").Verdict)
	assert.Empty(t, r.Notes, "Fortran was not requested")
	_, errs, code = s.run(append(args, "MPI_SEND")...)
	assert.Equal(t, 1, code)
	assert.Regexp(t, `no test, function or chapter is called "MPI_SEND" in C, and no tests in Fortran: .*verify-libmpi\.so\.40-mpif --list`, errs)

	// That tree has no mpifort, like a wheel.
	b.run("cp", "-a", newSite(t).prefix+"/lib/wi4go/mpiabi", b.build+"/lib/wi4go/")
	_, errs, code = s.run("--from", "mpiabi", "--to", to, "--quick", "--no-native", "MPI_SEND")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "in C, and no tests in Fortran: the tests for MPI standard ABI need wi4go's mpifort, which this installation "+
		"does not have")
}

// breakFortran makes a copy of the installation in prefix. Its Fortran library for Open MPI
// programs has errors in Fortran's own conversions.
func breakFortran(t *testing.T, prefix string) string {
	t.Helper()
	b := breakTree(t, prefix)
	procedures := "gen/openmpi/fortran.c"
	// An index that counts from 0.
	b.change(procedures, "!= MPI_UNDEFINED) ++*", "== MPI_UNDEFINED) ++*")
	// An inverted LOGICAL.
	b.change(procedures, "periods[i] = periods[i] != 0;", "periods[i] = periods[i] == 0;")
	// A string that ends like a C string, without blanks.
	b.run("cp", "-a", b.root+"/shim/fortran", b.build+"/")
	b.change("fortran/library.h", "memset(f + n, ' ', room - n);", "memset(f + n, 0, room - n);")
	// Address constants that are mixed up.
	b.change("fortran/openmpi.h", "{&mpi_fortran_bottom_, &mpi_fortran_in_place_,", "{&mpi_fortran_in_place_, &mpi_fortran_bottom_,")
	objects := b.build + "/obj/openmpi/fortran/"
	b.run("rm", objects+"fortran.o")
	b.run("gcc", "-w", "-std=gnu11", "-fPIC", "-I"+b.root+"/shim/front", "-I"+b.build+"/gen/openmpi", `-DFORTRAN_FAMILY="openmpi.h"`,
		"-c", "-o", objects+"hand_library.o", b.build+"/fortran/library.c")
	b.again("openmpi/libmpi_mpifh.so.40", "fortran")
	return b.build
}

// Everything that `make verify-all` runs: every installed library with programs of every family,
// and between Debian's two libraries every pair of layouts of each type.
func TestAll(t *testing.T) {
	if os.Getenv("WI4GO_VERIFY") != "all" {
		t.Skip("takes an hour: make verify-all")
	}
	for _, library := range harness.Libraries {
		tools, err := harness.Find(library)
		if err != nil {
			t.Logf("left out: %v", err)
			continue
		}
		for _, from := range []string{"openmpi", "mpich", "mpiabi"} {
			t.Run(fmt.Sprintf("%s→%s", from, library), func(t *testing.T) {
				green(t, from, tools.MPIExec, "--quick", "--identity")
			})
		}
	}
	for _, from := range []string{"openmpi", "mpich", "mpiabi"} {
		t.Run(from+"→mpiabi", func(t *testing.T) { green(t, from, libraryOf(t, "mpiabi"), "--quick", "--identity") })
	}
	for from, to := range map[string]string{"openmpi": "mpich", "mpich": "openmpi"} {
		t.Run("pool "+from+"→"+to, func(t *testing.T) {
			r := green(t, from, libraryOf(t, to), "--full", "MPI_Send")
			sent := test(r, "MPI_Send").Through
			assert.Equal(t, 38*4*40*40, sent.Cases+sent.Left)
		})
	}
}
