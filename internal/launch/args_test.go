package launch

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// finder knows a few programs. Those with "app" in their name are MPI programs.
var finder = Finder{
	Executable: func(name, dir string) error {
		if slices.Contains([]string{"./app", "./app2", "node", "ssh", "env", "/bin/app"}, name) ||
			dir == "/dir" && name == "./there" {
			return nil
		}
		return errors.New(name + ": no such file")
	},
	IsMPI: func(argv []string, _ string) bool { return strings.Contains(argv[0], "app") },
}

func TestParseRun(t *testing.T) {
	for line, want := range map[string]struct {
		options  Options
		segments [][2]string // options | program
	}{
		"./app":          {Options{}, [][2]string{{"", "./app"}}},
		"-n 4 ./app x y": {Options{}, [][2]string{{"-n 4", "./app x y"}}},
		"-n 4 --hostfile h --mca a b --bind-to core ./app x y": {Options{},
			[][2]string{{"-n 4 --hostfile h --mca a b --bind-to core", "./app x y"}}},
		"--to mpich --from=openmpi --dry-run --verbose -n 4 --identity --get ./app": {Options{"openmpi", "mpich", true, true, true, false, true},
			[][2]string{{"-n 4", "./app"}}},
		// wi4go's options anywhere before the program; --verbose after that is the launcher's.
		"-n 4 --to mpich --verbose ./app --to x --verbose": {Options{To: "mpich"},
			[][2]string{{"-n 4 --verbose", "./app --to x --verbose"}}},
		// Values that are also programs in PATH.
		"--map-by node -launcher ssh ./app":   {Options{}, [][2]string{{"--map-by node -launcher ssh", "./app"}}},
		"-genv ssh node -env a ssh env ./app": {Options{}, [][2]string{{"-genv ssh node -env a ssh", "env ./app"}}},
		"-genv A=b -n 2 ./app":                {Options{}, [][2]string{{"-genv A=b -n 2", "./app"}}},
		"-x ssh --oversubscribe ./app":        {Options{}, [][2]string{{"-x ssh --oversubscribe", "./app"}}},
		// Unknown options.
		"--new value ./app":                  {Options{}, [][2]string{{"--new value", "./app"}}},
		"--new a b --newer ./app x":          {Options{}, [][2]string{{"--new a b --newer", "./app x"}}},
		"--new=node ./app":                   {Options{}, [][2]string{{"--new=node", "./app"}}},
		"--new ./app ./app2":                 {Options{}, [][2]string{{"--new", "./app ./app2"}}},
		"--new node x":                       {Options{}, [][2]string{{"--new", "node x"}}},
		"--new node -- ./app":                {Options{}, [][2]string{{"--new node", "./app"}}},
		"-n 2 -- only-there -- x":            {Options{}, [][2]string{{"-n 2", "only-there -- x"}}},
		"-- ./app -n 3":                      {Options{}, [][2]string{{"", "./app -n 3"}}},
		"--to mpich -- --verbose -n 2 ./app": {Options{To: "mpich"}, [][2]string{{"--verbose -n 2", "./app"}}},
		// Several programs.
		"-n 1 ./app x : -n 2 --bind-to core ./app2 y : node z": {Options{},
			[][2]string{{"-n 1", "./app x"}, {"-n 2 --bind-to core", "./app2 y"}, {"", "node z"}}},
		"-n 1 -- ./app : --to mpich -n 1 ./app2": {Options{To: "mpich"}, [][2]string{{"-n 1", "./app"}, {"-n 1", "./app2"}}},
		"-wdir /dir ./there":                     {Options{}, [][2]string{{"-wdir /dir", "./there"}}},
		"-n 1 ./app --help":                      {Options{}, [][2]string{{"-n 1", "./app --help"}}},
	} {
		t.Run(line, func(t *testing.T) {
			options, segments, err := ParseRun(strings.Fields(line), finder)
			require.NoError(t, err)
			assert.Equal(t, want.options, options)
			var got [][2]string
			for _, s := range segments {
				got = append(got, [2]string{strings.Join(s.Options, " "), strings.Join(s.Program, " ")})
			}
			assert.Equal(t, want.segments, got)
		})
	}

	options, _, err := ParseRun([]string{"--help"}, finder)
	require.NoError(t, err)
	assert.True(t, options.Help)
}

func TestParseRunErrors(t *testing.T) {
	for line, says := range map[string]string{
		"":                  "no program given",
		"-n 4":              "no program given",
		"-n":                "no program given",
		"--new ./missing x": "./missing: no such file; x: no such file): put `--` before the program",
		// If no option can take it as its value, it is the missing program.
		"-n 4 missing ./app":        "missing: no such file",
		"--new -n 4 missing ./app":  "missing: no such file",
		"--oversubscribe ./missing": "./missing: no such file",
		"./app : -n 2":              "no program given",
		"./app :":                   "no program given",
		"-n 4 --":                   "no program after `--`",
		"--to":                      "--to needs a value",
		"--from= ./app":             "--from needs a value",
		"--new node ./app":          "node may be the program, or a value of --new",
		"-configfile f":             "-configfile names the programs in a file",
		"--app f":                   "put `wi4go exec` before each program in the file",
	} {
		t.Run(line, func(t *testing.T) {
			_, _, err := ParseRun(strings.Fields(line), finder)
			require.Error(t, err)
			assert.Contains(t, strings.ReplaceAll(err.Error(), "\n", "; "), says)
		})
	}
}

func TestParseExec(t *testing.T) {
	options, argv, err := ParseExec(strings.Fields("--to mpich --verbose ./app --to x"))
	require.NoError(t, err)
	assert.Equal(t, Options{To: "mpich", Verbose: true}, options)
	assert.Equal(t, []string{"./app", "--to", "x"}, argv)
	_, argv, err = ParseExec(strings.Fields("--from openmpi -- -odd-name x"))
	require.NoError(t, err)
	assert.Equal(t, []string{"-odd-name", "x"}, argv)
	_, argv, err = ParseExec(nil)
	require.NoError(t, err)
	assert.Empty(t, argv)
	_, _, err = ParseExec([]string{"-n", "4", "./app"})
	assert.ErrorContains(t, err, "unknown option -n")
}
