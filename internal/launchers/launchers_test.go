package launchers

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// No option is listed with two numbers of arguments, because the table would hide one.
func TestArityTable(t *testing.T) {
	for option, want := range map[string]int{"-n": 1, "--np": 1, "--mca": 2, "-genv": 2, "--oversubscribe": 0, "-ppn": 1, "--a=b": 0} {
		n, ok := Arity(option)
		assert.True(t, ok, option)
		assert.Equal(t, want, n, option)
	}
	_, ok := Arity("--nobody-knows")
	assert.False(t, ok)
	seen := map[string]int{}
	for _, l := range All {
		for n, lists := range [][]string{l.Options.None, l.Options.One, l.Options.Two} {
			for _, name := range words(lists) {
				if before, twice := seen[name]; twice && before != n {
					assert.Failf(t, "listed twice", "%s with %d and %d arguments", name, before, n)
				}
				seen[name] = n
			}
		}
	}
}

// An option that two launchers take with different numbers of arguments has an unknown number.
func TestConflictingArity(t *testing.T) {
	one, two := &Launcher{Options: Options{One: []string{"same other"}}}, &Launcher{Options: Options{None: []string{"same"}, One: []string{"other"}}}
	assert.Equal(t, map[string]int{"other": 1}, arities([]*Launcher{one, two}))
}

// The file of each launcher has everything that the code reads from it.
func TestFiles(t *testing.T) {
	for _, l := range All {
		assert.Same(t, l, Of(l.Name))
		assert.NotEmpty(t, l.Title, l.Name)
		assert.NotEmpty(t, l.Process.Mark, l.Name)
		numbers := l.Variables()
		assert.NotEmpty(t, numbers.Rank, l.Name)
		assert.NotEmpty(t, numbers.Size, l.Name)
		assert.NotEqual(t, l.NumbersOf == "", len(l.Numbers.Rank) == 0, "%s: the variables are its own, or another launcher's", l.Name)
		for _, option := range append(append([]string{}, l.Hosts.Lists...), l.Hosts.Files...) {
			n, known := Arity("-" + option)
			assert.True(t, known && n == 1, "%s: %s names hosts and takes one argument", l.Name, option)
		}
		for _, option := range l.Hosts.Parameters {
			n, known := Arity("-" + option)
			assert.True(t, known && n == 2, "%s: %s takes a name and a value", l.Name, option)
		}
	}
	assert.Nil(t, Of("nobody"))
}

func TestSessionDir(t *testing.T) {
	orte := Of("orte")
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	dir := func(line ...string) string { return orte.SessionDir(line, getenv) }
	assert.Equal(t, "/tmp", dir("-n", "2"))
	env["TMP"] = "/t"
	assert.Equal(t, "/t", dir())
	env["TMPDIR"] = "/scratch"
	assert.Equal(t, "/scratch", dir())
	env["PRTE_MCA_prte_tmpdir_base"] = "/base"
	assert.Equal(t, "/base", dir())
	assert.Equal(t, "/option", dir("--mca", "orte_tmpdir_base", "/option"))
	assert.Empty(t, Of("hydra").SessionDir([]string{"-n", "2"}, getenv))
}
