// Package projects tests how tests/projects.sh judges other people's test programs (suite.py), and its lists.
package projects

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// known is what known.json has about one suite; reasons by pattern.
type known struct {
	LeftOut        map[string]string            `json:"left_out"`
	FailsNatively  map[string]map[string]string `json:"fails_natively"`
	VariesNatively map[string]map[string]string `json:"varies_natively"`
	CompiledIn     map[string][]string          `json:"compiled_in"`
}

// suite runs suite.py and returns its output and whether it succeeded.
func suite(t *testing.T, name string, arguments ...string) (string, bool) {
	t.Helper()
	command := exec.Command("python3", append([]string{"suite.py"}, arguments...)...)
	command.Env = append(os.Environ(), "SUITE="+name)
	text, err := command.CombinedOutput()
	return string(text), err == nil
}

// Each way to judge a program, and a launcher that takes the number of ranks and options as MPI's do.
func TestVerdicts(t *testing.T) {
	build := t.TempDir()
	programs := map[string]struct{ script, options, verdict string }{
		"ends":      {"exit 0", "resultTest=status", "pass"},
		"breaks":    {"exit 3", "resultTest=status", "exit 3"},
		"silent":    {"exit 0", "", "errors"},
		"speaks":    {"echo ' No Errors'", "", "pass"},
		"must_fail": {"exit 0", "resultTest=TestErrFatal", "no failure"},
		"must_exit": {"exit 3", "resultTest=TestStatus", "pass"},
		"prints":    {"echo TEST PASSED; exit 9", "passes=TEST.PASSED", "pass"},
		"lacks":     {"echo TEST; exit 0", "passes=TEST.PASSED", "no TEST.PASSED, exit 0"},
		"confesses": {"echo PASSED; echo NOT COMPLIANT", "passes=PASSED fails=NOT.COMPLIANT", "prints NOT.COMPLIANT"},
		"reads":     {`[ "$1,$2,$MODE" = a,-b,fast ]`, "arg=a arg=-b env=MODE=fast resultTest=status", "pass"},
	}
	var list strings.Builder
	for name, p := range programs {
		list.WriteString(name + " 2 " + p.options + "\n")
		require.NoError(t, os.WriteFile(filepath.Join(build, name), []byte("#!/bin/sh\n"+p.script+"\n"), 0o755))
	}
	list.WriteString("# a comment\nnot_built 2\nlarge 64\n")
	require.NoError(t, os.WriteFile(filepath.Join(build, "testlist"), []byte(list.String()), 0o644))
	launcher := filepath.Join(build, "launcher")
	require.NoError(t, os.WriteFile(launcher, []byte("#!/bin/sh\n[ \"$1 $2\" = '-n 2' ] || exit 99\nshift 2\nexec \"$@\"\n"), 0o755))
	file := filepath.Join(t.TempDir(), "verdicts")
	text, ok := suite(t, "prk", "run", build, file, launcher)
	require.True(t, ok, text)
	verdicts := map[string]*string{}
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &verdicts))
	assert.Len(t, verdicts, len(programs)+2)
	for line, verdict := range verdicts {
		name, _, _ := strings.Cut(line, " ")
		if p, ok := programs[name]; ok && assert.NotNil(t, verdict, line) {
			assert.Equal(t, p.verdict, *verdict, line)
		} else if !ok {
			assert.Nil(t, verdict, line)
		}
	}
}

// No process of a program that does not end remains, not even one in a session of its own.
func TestProcesses(t *testing.T) {
	build := t.TempDir()
	rank := filepath.Join(build, "rank")
	write(t, filepath.Join(build, "hangs"), "#!/bin/sh\nsetsid sh -c 'echo $$ >"+rank+"; exec sleep 1000' &\nsleep 1000\n")
	write(t, filepath.Join(build, "testlist"), "hangs 2\n")
	launcher := write(t, filepath.Join(build, "launcher"), "#!/bin/sh\nshift 2\nexec \"$@\"\n")
	t.Setenv("SUITE_LIMIT", "3")
	file := filepath.Join(build, "verdicts")
	text, ok := suite(t, "prk", "run", build, file, launcher)
	require.True(t, ok, text)
	verdicts, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(verdicts), "no end")
	process, err := os.ReadFile(rank)
	require.NoError(t, err)
	assert.NoDirExists(t, filepath.Join("/proc", strings.TrimSpace(string(process))))
}

// write writes an executable file and returns its path.
func write(t *testing.T, path, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	return path
}

// The directories that are built: those with programs, without the ones that known.json leaves out.
func TestDirectories(t *testing.T) {
	directory := t.TempDir()
	for name, text := range map[string]string{
		"testlist":          "coll\n#basic\nrma\nf77\n",
		"coll/testlist":     "good 4\nmany 10\n",
		"rma/testlist":      "put 2\n",
		"f77/testlist":      "coll\nio\n",
		"f77/coll/testlist": "fgood 4\n",
		"f77/io/testlist":   "write 4\n",
	} {
		write(t, filepath.Join(directory, name), text)
	}
	text, ok := suite(t, "embedded", "directories", directory)
	assert.True(t, ok, text)
	assert.Equal(t, "coll\nf77/coll\n", text)
}

// The reason why make does not build a program, from the compilers' and the linker's messages; a reason in known.json comes
// first in the ledger.
func TestUnbuilt(t *testing.T) {
	directory := t.TempDir()
	reasons := map[string]struct{ message, reason string }{
		"undeclared": {"a.c:7:5: error: 'MPI_INTEGER16' undeclared (first use in this function)", "lacks MPI_INTEGER16"},
		"type":       {"a.c:3:1: error: unknown type name 'MPI_Session'; did you mean 'MPI_Status'?", "lacks MPI_Session"},
		"linked":     {"a.c:(.text+0x1): undefined reference to `MPI_Psend_init'", "lacks MPI_Psend_init"},
		"fortran":    {"a.f:9: undefined reference to `mpi_info_create_env_'", "lacks MPI_INFO_CREATE_ENV"},
		"member":     {"a.cxx:5:8: error: 'Distgraphcomm' is not a member of 'MPI'", "lacks MPI::Distgraphcomm"},
		"module":     {"Error: Symbol 'mpi_barrier_init' referenced at (1) not found in module 'mpi_f08'", "lacks MPI_BARRIER_INIT"},
		"implicit":   {"Error: Function 'mpi_aint_add' at (1) has no IMPLICIT type", "lacks MPI_AINT_ADD"},
		"arguments":  {"Error: There is no specific subroutine for the generic 'mpi_bcast' at (1)", "has other arguments of MPI_BCAST"},
		"other":      {"a.f:1: Fatal Error: Cannot open module file 'x.mod'", "Cannot open module file 'x.mod'"},
	}
	var list, rules strings.Builder
	for name, r := range reasons {
		list.WriteString(name + " 2\n")
		rules.WriteString(name + ":\n\t@cat " + name + ".message; exit 1\n")
		write(t, filepath.Join(directory, "coll", name+".message"), r.message+"\n")
	}
	rules.WriteString("built:\n\ttouch built\n")
	write(t, filepath.Join(directory, "testlist"), "coll\n")
	write(t, filepath.Join(directory, "coll/testlist"), list.String()+"built 2\nruleless 2\n")
	write(t, filepath.Join(directory, "coll/Makefile"), rules.String())
	file := filepath.Join(directory, "ours.unbuilt")
	text, ok := suite(t, "embedded", "unbuilt", directory, file)
	require.True(t, ok, text)
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	found := map[string]*string{}
	require.NoError(t, json.Unmarshal(content, &found))
	assert.Nil(t, found["coll/built"])
	for name, r := range reasons {
		if assert.NotNil(t, found["coll/"+name], name) {
			assert.Equal(t, r.reason, *found["coll/"+name], name)
		}
	}
	require.NotNil(t, found["coll/ruleless"])
	assert.Equal(t, "No rule to make target 'ruleless'", *found["coll/ruleless"])

	write(t, filepath.Join(directory, "testlist"), "coll\ncxx\n")
	write(t, filepath.Join(directory, "cxx/testlist"), "coll\n")
	write(t, filepath.Join(directory, "cxx/coll/testlist"), "bcastx 2\n")
	native := write(t, filepath.Join(directory, "native"), `{}`)
	write(t, filepath.Join(directory, "ours"), `{}`)
	command := exec.Command("python3", "ledger.py", directory, native, "mpiabi="+filepath.Join(directory, "ours"))
	command.Env = append(os.Environ(), "SUITE=embedded")
	table, err := command.CombinedOutput()
	require.NoError(t, err, string(table))
	assert.Contains(t, string(table), "lacks MPI_Psend_init:\n    coll/linked 2\n")
	assert.Contains(t, string(table), "C++ bindings, which MPI-3.0 removed:\n    cxx/coll/bcastx 2\n")
}

// Each column of the ledger, and its exit code.
func TestLedger(t *testing.T) {
	directory := t.TempDir()
	for name, text := range map[string]string{
		"testlist":          "coll\nrma\nf77\n",
		"coll/testlist":     "good 4\nmany 10\nworse 2\nboth 2\nwindow 1\noplxor 4\nnonblocking2 4\nlarge 16\nexpected 5 xfail=1\n",
		"rma/testlist":      "put 2\n",
		"f77/testlist":      "coll\n",
		"f77/coll/testlist": "fgood 4\n",
	} {
		write(t, filepath.Join(directory, name), text)
	}
	native := write(t, filepath.Join(directory, "native"), `{"coll/good 4": "pass", "coll/many 10": null, "coll/worse 2": "pass", "coll/both 2": "exit 1",
		"coll/window 1": "pass", "coll/nonblocking2 4": "pass", "f77/coll/fgood 4": "pass"}`)
	ledger := func(many string) (string, bool) {
		ours := write(t, filepath.Join(directory, "ours"), `{"coll/good 4": "pass", "coll/many 10": "`+many+`", "coll/worse 2": "`+many+`", "coll/both 2": "no end",
			"coll/window 1": "needs MPI_Win_create", "coll/nonblocking2 4": "pass", "coll/large 16": null, "coll/expected 5 xfail=1": "exit 2", "f77/coll/fgood 4": "pass"}`)
		command := exec.Command("python3", "ledger.py", directory, native, "mpich="+ours)
		command.Env = append(os.Environ(), "SUITE=embedded")
		text, err := command.CombinedOutput()
		return string(text), err == nil
	}
	text, ok := ledger("exit 3")
	assert.False(t, ok, text)
	assert.Contains(t, text, "| coll | 10 | 2 | 0 | 1 | 4 | 3 | 2 | 2 |")
	assert.Contains(t, text, "exit 3:\n    coll/many 10, coll/worse 2\n")
	for _, part := range []string{"needs MPI_Win_create:\n    coll/window 1\n", "windows:\n    rma/put 2\n", "no end; natively exit 1:\n    coll/both 2\n"} {
		assert.Contains(t, text, part)
	}
	text, ok = ledger("pass")
	assert.True(t, ok, text)
	assert.Contains(t, text, "| all | 11 | 3 | 0 | 1 | 4 | 5 | 2 | 0 |")
}

// The documents have the tables and the totals of the ledger, which has no program that is worse.
func TestTotals(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	ledger, page := read("testdata/embedded-ledger.txt"), read("../../docs/embedded-ledger.md")
	tables := regexp.MustCompile(`(?m)^## Programs built with \w+\n\n(?:\|.*\n)+`)
	assert.Equal(t, tables.FindAllString(ledger, -1), tables.FindAllString(page, -1))
	totals := regexp.MustCompile(`(?m)^\| all \|(?: \d+ \|){5} (\d+) \| (\d+) \| 0 \|$`).FindAllStringSubmatch(ledger, -1)
	require.Len(t, totals, 3)
	sentence := "MPICH " + totals[0][1] + " pass, with Open MPI " + totals[1][1] + ", for the standard ABI " + totals[2][1]
	for _, name := range []string{"embedded.md", "testing.md"} {
		text := read("../../docs/" + name)
		assert.Contains(t, strings.NewReplacer("\n", " ", "programs ", "").Replace(text), sentence, name)
	}
}

// A program that need not pass runs, and counts as passed if it passes.
func TestNotRequired(t *testing.T) {
	directory := t.TempDir()
	write(t, filepath.Join(directory, "testlist"), "coll\n")
	write(t, filepath.Join(directory, "coll/testlist"), "oplxor 4\noplxor 3\n")
	write(t, filepath.Join(directory, "coll/oplxor"), "#!/bin/sh\nexit 0\n")
	launcher := write(t, filepath.Join(directory, "launcher"), "#!/bin/sh\n[ $2 = 4 ] && echo No Errors\n")
	ours := filepath.Join(directory, "ours")
	text, ok := suite(t, "embedded", "run", directory, ours, launcher)
	require.True(t, ok, text)
	native := write(t, filepath.Join(directory, "native"), `{"coll/oplxor 4": "pass", "coll/oplxor 3": "pass"}`)
	command := exec.Command("python3", "ledger.py", directory, native, "mpich="+ours)
	command.Env = append(os.Environ(), "SUITE=embedded")
	table, err := command.CombinedOutput()
	assert.NoError(t, err, string(table))
	assert.Contains(t, string(table), "| coll | 2 | 1 | 0 | 0 | 1 | 1 | 0 | 0 |")
	assert.Contains(t, string(table), "which the standard does not have:\n    coll/oplxor 3\n")
}

// A verdict is worse only if the program passes natively; failures are listed with their reasons.
func TestTable(t *testing.T) {
	directory := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(directory, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	native := write("native", `{"api/shrink 4": "pass", "api/getack 4": "no end", "api/other 4": "exit 1", "api/alone 4": null}`)
	text, ok := suite(t, "ulfm", "table", "mpich-5.0", "openmpi-5.0", native, write("equal", `{"api/shrink 4": "pass", "api/getack 4": "exit 1", "api/other 4": "pass", "api/alone 4": "exit 7"}`))
	assert.True(t, ok, text)
	for _, part := range []string{"natively 1 of 3 passed, through wi4go 2 of 4 passed, 0 worse than natively", "fails natively: api/getack 4: no end: now and then does not end\n",
		"fails natively: api/other 4: exit 1: not listed\n", "fails, and does not compile natively: api/alone 4: exit 7: not listed\n"} {
		assert.Contains(t, text, part)
	}
	text, ok = suite(t, "ulfm", "table", "mpich-5.0", "openmpi-5.0", native, write("worse", `{"api/shrink 4": "exit 2"}`))
	assert.False(t, ok, text)
	assert.Contains(t, text, "worse than natively: api/shrink 4: exit 2")
	text, ok = suite(t, "ulfm", "table", "mpich-5.0", "openmpi-5.0", native, write("unbuilt", `{"api/shrink 4": null}`))
	assert.False(t, ok, text)
	assert.Contains(t, text, "nothing ran")
}

// A program whose native verdict varies from run to run runs up to ten times through wi4go, until it passes. If it never
// passes, it is worse only if half of ten native runs pass. Any other program runs once.
func TestVarying(t *testing.T) {
	directory := t.TempDir()
	programs := []struct {
		name         string
		passes, runs int // the run through wi4go that passes, and the number of runs
		native       int // native runs, of which the first PASSED pass
		nativePassed int
		worse        bool
	}{
		{"revshrinkkill", 3, 3, 0, 0, false},
		{"revshrink", 99, 10, 10, 5, true},
		{"err_insulation", 99, 10, 10, 4, false},
		{"err_any", 2, 1, 0, 0, true},
	}
	var lines []string
	for _, p := range programs {
		for build, condition := range map[string]string{"through": fmt.Sprintf("-eq %d", p.passes), "natively": fmt.Sprintf("-le %d", p.nativePassed)} {
			write(t, filepath.Join(directory, build, "api", p.name), `#!/bin/sh
runs=$(($(cat `+p.name+`.runs) + 1))
echo $runs >`+p.name+`.runs
[ $runs `+condition+` ] && echo TEST PASSED
`)
			write(t, filepath.Join(directory, build, "api", p.name+".runs"), "0\n")
		}
		lines = append(lines, "api/"+p.name+" 4 passes=PASSED")
	}
	through, natively := filepath.Join(directory, "through"), filepath.Join(directory, "natively")
	write(t, filepath.Join(through, "testlist"), strings.Join(lines, "\n")+"\n")
	launcher := write(t, filepath.Join(directory, "launcher"), "#!/bin/sh\nshift 2\nexec \"$@\"\n")
	native := write(t, filepath.Join(directory, "native"), `{"`+strings.Join(lines, `": "pass", "`)+`": "pass"}`)
	ours := filepath.Join(directory, "ours")
	text, ok := suite(t, "ulfm", "run", through, ours, launcher)
	require.True(t, ok, text)
	text, ok = suite(t, "ulfm", "varying", "openmpi-5.0", native, natively, launcher, "--", ours, through, launcher)
	require.True(t, ok, text)
	text, ok = suite(t, "ulfm", "table", "mpich-5.0", "openmpi-5.0", native, ours)
	assert.False(t, ok, text)
	for _, p := range programs {
		for build, wanted := range map[string]int{through: p.runs, natively: p.native} {
			runs, err := os.ReadFile(filepath.Join(build, "api", p.name+".runs"))
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprintln(wanted), string(runs), "%s, %s", p.name, build)
		}
		if p.worse {
			assert.Contains(t, text, "worse than natively: api/"+p.name+" 4")
		} else {
			assert.NotContains(t, text, "worse than natively: api/"+p.name+" 4")
		}
	}
	assert.Contains(t, text, "fails natively: api/err_insulation 4 passes=PASSED: passes in 4 of 10 runs: now and then does not end")
}

// Each pattern in known.json selects a program of its suite's list, and has a reason. The lists of mpich, embedded and mpi-abi are in
// their sources.
func TestKnown(t *testing.T) {
	text, err := os.ReadFile("known.json")
	require.NoError(t, err)
	suites := map[string]known{}
	require.NoError(t, json.Unmarshal(text, &suites))
	lists, err := filepath.Glob("*.testlist")
	require.NoError(t, err)
	for _, path := range lists {
		name := strings.TrimSuffix(path, ".testlist")
		require.Contains(t, suites, name)
		list, err := os.ReadFile(path)
		require.NoError(t, err)
		all := map[string]string{}
		for pattern, why := range suites[name].LeftOut {
			all[pattern+"*"] = why
		}
		for _, of := range []map[string]map[string]string{suites[name].FailsNatively, suites[name].VariesNatively} {
			for library := range of {
				for pattern, why := range of[library] {
					all[pattern] = why
				}
			}
		}
		for pattern, why := range all {
			assert.NotEmpty(t, why, pattern)
			selects := regexp.MustCompile("(?m)^" + glob(pattern) + "$")
			assert.Regexp(t, selects, string(list), "known.json: %s has no program %s", name, pattern)
		}
	}
	assert.Len(t, suites, len(lists)+3)
}

// glob returns the regular expression of a pattern with * and [sets].
func glob(pattern string) string {
	return strings.NewReplacer(".", `\.`, "*", ".*", "(", `\(`, ")", `\)`).Replace(pattern)
}
