package rankvars

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/gentest"
	gen "wi4go/gen/launchers"
	"wi4go/internal/launchers"
)

// An environment has the variables of a process, separated by spaces, and the answer to Find.
type environment struct{ title, variables, want string }

// environments returns the environments of testdata/environments.txt.
func environments(t *testing.T) (list []environment) {
	text, err := os.ReadFile("testdata/environments.txt")
	require.NoError(t, err)
	defined := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if name, variables, found := strings.Cut(line, " = "); found {
			defined[name] = os.Expand(variables, func(name string) string { return defined[name] })
			continue
		}
		title, rest, found := strings.Cut(line, ": ")
		variables, want, wanted := strings.Cut(rest, " -> ")
		require.True(t, found && wanted, "a line is wrong: %s", line)
		variables = os.Expand(variables, func(name string) string {
			require.NotEmpty(t, defined[name], line)
			return defined[name]
		})
		list = append(list, environment{title, strings.Join(environ(variables), " "), want})
	}
	return list
}

// answer returns the start that Find returns, as testdata/start.c prints it.
func answer(variables string) string {
	s := Find(lookupIn(strings.Fields(variables)))
	var words []string
	for _, l := range []*launchers.Launcher{s.By, s.Like} {
		if l == nil {
			words = append(words, "-")
		} else {
			words = append(words, l.Name)
		}
	}
	for _, number := range s.Numbers {
		if number == "" {
			number = "-"
		}
		words = append(words, number)
	}
	return strings.Join(words, " ")
}

// several returns the rank and the size of a process with an answer of Find if it is one of several ranks of another
// launcher than wi4go's own, else "single".
func several(answer string) string {
	words := strings.Fields(answer)
	rank, rankErr := strconv.Atoi(words[2])
	size, sizeErr := strconv.Atoi(words[3])
	if words[0] == "-" || words[0] == oneHost.Name || rankErr != nil || sizeErr != nil || size < 2 || rank >= size {
		return "single"
	}
	return fmt.Sprintf("%d of %d", rank, size)
}

// inC returns the answers of the rules in C to environments.
func inC(t *testing.T, environments []string) []string {
	t.Helper()
	directory := t.TempDir()
	table := gen.File(gentest.Input(t))
	require.NoError(t, os.Mkdir(filepath.Join(directory, "launchers"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(directory, table.Name), table.Text, 0o644))
	program := filepath.Join(directory, "start")
	out, err := exec.Command("gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I../..", "-I"+directory,
		"-o", program, "testdata/start.c", "../../c/launchers/launchers.c", "../../embedded/process/launched.c").CombinedOutput()
	require.NoError(t, err, "%s", out)
	command := exec.Command(program)
	command.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
	command.Stdin = strings.NewReader(strings.Join(environments, "\n") + "\n")
	answers, err := command.CombinedOutput()
	require.NoError(t, err, "%s", answers)
	lines := strings.Split(strings.TrimSpace(string(answers)), "\n")
	require.Len(t, lines, len(environments))
	return lines
}

// The rules in Go and in C find the launcher, rank and size that the table of environments lists. The embedded MPI joins
// a job of several ranks, and takes all other processes for jobs of one.
func TestStart(t *testing.T) {
	var list []string
	for _, e := range environments(t) {
		list = append(list, e.variables)
	}
	answers := inC(t, list)
	seen := map[string]int{}
	for i, e := range environments(t) {
		assert.Equal(t, e.want, answer(e.variables), "%s, in Go", e.title)
		found, joins, _ := strings.Cut(answers[i], ", ")
		assert.Equal(t, e.want, found, "%s, in C", e.title)
		joins, elsewhere := strings.CutSuffix(joins, " on several hosts")
		assert.Equal(t, several(e.want), joins, "%s, in the embedded MPI", e.title)
		words := strings.Fields(e.want)
		if joins != "single" {
			local := words[5]
			if local == "-" && words[0] == srun.Name {
				local = lookupIn(strings.Fields(e.variables))(srun.Step.Tasks)
			}
			assert.Equal(t, local != "-" && local != words[3], elsewhere, e.title)
		}
		seen[words[0]]++
	}
	for _, l := range append(slices.Clone(setters), oneHost, srun) {
		assert.GreaterOrEqual(t, seen[l.Name], 3, l.Name)
	}
	assert.GreaterOrEqual(t, seen["-"], 10, "processes without a launcher")
}

// The rules in Go and in C give equal answers to random mixtures of the variables.
func TestStartOfMixtures(t *testing.T) {
	random := rand.New(rand.NewPCG(50, 7))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	var names []string
	for _, l := range launchers.All {
		names = slices.Concat(names, l.Numbers.Names(), l.Process.Signs)
	}
	lists := map[string][]string{
		srun.Step.Number:  {"0", "7", "4294967279", "4294967290", "x", "12345678901"},
		srun.Step.Plugin:  {"pmi2", "pmix", "pmix_v4", "none", "cray_shasta"},
		srun.Step.Tasks:   {"2", "2(x3)", "1,2(x2)", "2(x0),1", "2(x2", ",", "12345678901", "1(x2)3"},
		srun.Step.Node:    {"0", "1", "2"},
		srun.Step.Library: {"/usr/lib/libpmi2.so"},
		"PMIX_NAMESPACE":  {"slurm.pmix.1.0", "prterun-a-1@1"},
		"PMIX_RANK":       {"0", "1", "2"},
		"PMI_SPAWNED":     {"0", "1"},
		Variable:          {"0", "PMI_RANK,PMI_SIZE", "OMPI_COMM_WORLD_RANK", strings.Join(names, ","), "HOME,,PMI_FD"},
	}
	var list []string
	for range 3000 {
		var variables []string
		share := 2 + random.IntN(40)
		for _, name := range names {
			if random.IntN(share) == 0 || slices.Contains(srun.Numbers.Names(), name) && random.IntN(3) > 0 {
				variables = append(variables, name+"="+pick("0", "1", "1", "2", "2", "", "x", "-1", "12345678901", "07"))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(lists)) {
			if random.IntN(2) == 0 {
				variables = append(variables, name+"="+pick(lists[name]...))
			}
		}
		list = append(list, strings.Join(environ(strings.Join(variables, " ")), " "))
	}
	by := map[string]int{}
	for i, found := range inC(t, list) {
		found, joins, _ := strings.Cut(found, ", ")
		require.Equal(t, answer(list[i]), found, list[i])
		require.Equal(t, several(found), strings.TrimSuffix(joins, " on several hosts"), list[i])
		launcher, _, _ := strings.Cut(found, " ")
		by[launcher]++
	}
	for _, name := range []string{"orte", "hydra", "srun", "onehost", "-"} {
		assert.Greater(t, by[name], 30, name)
	}
}
