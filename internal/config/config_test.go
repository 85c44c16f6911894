package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

func TestRead(t *testing.T) {
	user, site := write(t, "# mine\nto = \"mpich@5\"\n"), write(t, "to = '/opt/mpi'\n")
	missing, empty := filepath.Join(t.TempDir(), "none"), write(t, "")
	for _, c := range []struct {
		files    []string
		expected Value
	}{
		{[]string{user, site}, Value{"mpich@5", user}},
		{[]string{missing, site}, Value{"/opt/mpi", site}},
		{[]string{empty, site}, Value{"/opt/mpi", site}},
		{[]string{missing}, Value{}},
		{nil, Value{}},
	} {
		config, err := Read(c.files)
		require.NoError(t, err)
		assert.Equal(t, c.expected, config.To, c.files)
	}
}

func TestMistakes(t *testing.T) {
	for text, expected := range map[string]string{
		"\nto = mpich\n":          ":2: ",
		"to = \"a\"\n\nuse = 1\n": `:3: unknown setting "use"`,
		"[a]\nb = 1\n":            `:1: unknown setting "a`,
		"to = 7\n":                ":1: ",
		"to = \"a\"\nto = \"b\"":  ":2: ",
	} {
		file := write(t, text)
		_, err := Read([]string{file})
		assert.ErrorContains(t, err, file+expected, text)
	}
	_, err := Read([]string{t.TempDir()})
	assert.ErrorContains(t, err, "cannot read the configuration")
}

func TestFiles(t *testing.T) {
	env := map[string]string{"HOME": "/home/a"}
	getenv := func(name string) string { return env[name] }
	assert.Equal(t, []string{"/home/a/.config/wi4go/config.toml", "/etc/wi4go/config.toml"}, Files(getenv))
	env["XDG_CONFIG_HOME"] = "/c"
	assert.Equal(t, []string{"/c/wi4go/config.toml", "/etc/wi4go/config.toml"}, Files(getenv))
	env["XDG_CONFIG_HOME"] = "not/absolute" // the XDG base directory specification requires that it is ignored
	assert.Equal(t, "/home/a/.config/wi4go/config.toml", Files(getenv)[0])
	clear(env)
	assert.Equal(t, []string{"/etc/wi4go/config.toml"}, Files(getenv))
}

// Each setting of the user overrides the site's.
func TestMerged(t *testing.T) {
	user := write(t, "search = []\nstrict = false\n[runtime.mpich]\nenvironment = { A = '1' }\n")
	site := write(t, "to = 'mpich'\nindex = 'https://site'\nsearch = ['/a']\nhide = ['/b']\nstrict = true\n"+
		"[runtime.mpich]\nenvironment = { A = '2', B = '3' }\noptions = ['-x']\n[runtime.openmpi]\noptions = ['--y']\n")
	c, err := Read([]string{user, site})
	require.NoError(t, err)
	assert.Equal(t, Value{"https://site", site}, c.Index)
	assert.Empty(t, c.Search)
	assert.Equal(t, []string{"/b"}, c.Hide)
	assert.Equal(t, "0", c.Strictness())
	assert.Equal(t, [][2]string{{"WI4GO_STRICT", "0"}, {"A", "1"}, {"B", "3"}}, c.Variables("mpich"))
	assert.Equal(t, []string{"-x"}, c.Runtimes["mpich"].Options)
	assert.Equal(t, [][2]string{{"WI4GO_STRICT", "0"}}, c.Variables("openmpi"))
	assert.Contains(t, c.Lines, Value{`runtime.mpich.environment.B = "3"`, site})
	assert.NotContains(t, c.Lines, Value{`search = ["/a"]`, site})
	assert.Equal(t, user, c.FileOf("strict"))
	assert.Equal(t, site, c.FileOf("runtime.openmpi"))
}
