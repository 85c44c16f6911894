package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/launchers"
)

// TestHostFileFormats checks that a file of hosts in another launcher's format becomes a list.
func TestHostFileFormats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts")
	for _, c := range []struct{ text, hydra, orte string }{
		{"a slots=2 # one\nb slots=4 max_slots=8\n\nc\n", "-hosts a:2,b:4,c", "-f FILE"},
		{"a:2\nb:4\n", "-f FILE", "-H a:2,b:4"},
		{"a\nb\n", "-f FILE", "-f FILE"},
	} {
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o644))
		for name, want := range map[string]string{"hydra": c.hydra, "orte": c.orte} {
			words := withHosts(launchers.Of(name), []string{"-n", "2", "-f", file})
			for i := range words {
				if words[i] == file {
					words[i] = "FILE"
				}
			}
			assert.Equal(t, "-n 2 "+want, strings.Join(words, " "), "%s %q", name, c.text)
		}
	}
	assert.Equal(t, []string{"-f"}, withHosts(launchers.Of("hydra"), []string{"-f"}))
}

// TestNameWithoutDirectory checks that a program which is only in the current directory is refused
// with its path if the launcher searches PATH alone.
func TestNameWithoutDirectory(t *testing.T) {
	w := newWorld(t)
	_, _, err := w.Translate([]Segment{{Program: []string{"app_of_nowhere"}}}, w.mpich)
	assert.EqualError(t, err, "app_of_nowhere is not in PATH, and an mpiexec of MPICH's family searches nowhere else: name it ./app_of_nowhere")
	_, _, err = w.Translate([]Segment{{Program: []string{"app_of_nowhere"}}}, w.open)
	assert.NoError(t, err)
	_, warnings, err := w.Translate([]Segment{{Options: []string{"--mca", "a", "b"}, Program: []string{"sh"}}}, w.mpich)
	require.NoError(t, err)
	require.Len(t, warnings, 1)
	assert.EqualError(t, warnings[0], "--mca a b was dropped: it is a setting of another MPI than MPICH, which has variables of its own")
}

// TestWithoutRemoteShell checks the variable for launchers that require a remote shell.
func TestWithoutRemoteShell(t *testing.T) {
	w := newWorld(t)
	none := func(string) string { return "" }
	t.Setenv("PATH", t.TempDir())
	vars := withoutAgent(none)
	require.Len(t, vars, 1)
	assert.Equal(t, "OMPI_MCA_plm_rsh_agent", vars[0].Name)
	assert.FileExists(t, vars[0].Value)
	assert.Contains(t, AnyCores(none), vars[0])
	chosen := func(name string) string { return map[string]string{"OMPI_MCA_orte_rsh_agent": "/my/ssh"}[name] }
	assert.Empty(t, withoutAgent(chosen), "the user's own")
	vars, _, err := w.Translate([]Segment{{Options: []string{"-H", "a"}, Program: []string{"./x"}}}, w.open)
	require.NoError(t, err)
	assert.Empty(t, vars, "another host needs one")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rsh"), nil, 0o755))
	t.Setenv("PATH", dir)
	assert.Empty(t, withoutAgent(none))
}
