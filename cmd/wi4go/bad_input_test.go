package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

// Mistyped and unusual input: each mistake gives one line, in plain words, that names the wrong
// part and the cure.
func TestOddInput(t *testing.T) {
	w := newWorld(t)
	fakempi.Script(t, w.at("dos"), "#!/bin/sh\r\necho\r\n")
	fakempi.Script(t, w.at("bare"), "#!\necho\n")
	require.NoError(t, os.Mkdir(w.at("folder"), 0o755))
	const empty = "the name of the program is empty"
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, empty, []string{"run", ""}},
		{1, empty, []string{"run", "--", ""}},
		{126, empty, []string{"exec", "--to", "mpich", ""}},
		{1, empty, []string{"inspect", ""}},
		{1, "folder is a directory: name a program", []string{"inspect", "folder"}},
		{1, `./dos: its interpreter "/bin/sh\r" ends with a carriage return, because the file has Windows line ends: run dos2unix on the file`, []string{"run", "--to", "mpich", "./dos"}},
		{1, `"/bin/sh\r" ends with a carriage return`, []string{"exec", "--to", "mpich", "./dos"}},
		{1, "./bare: no interpreter after #! in its first line: name one, as in #!/bin/sh", []string{"run", "--to", "mpich", "./bare"}},
		{2, "--from needs a value, but -n is an option", []string{"run", "--from", "-n", "2", "./open_app"}},
		{2, "--to needs a value, but --dry-run is an option", []string{"exec", "--to", "--dry-run", "./open_app"}},
		{2, "unknown option --too: did you mean --to?", []string{"run", "--too", "mpich", "./open_app"}},
		{2, "unknown option -to: did you mean --to?", []string{"run", "-to", "mpich", "./open_app"}},
		{2, "unknown option --form=mpich: did you mean --from?", []string{"run", "--form=mpich", "./open_app"}},
		{2, "unknown option --dryrun: did you mean --dry-run?", []string{"run", "-n", "2", "--dryrun", "./open_app"}},
		{2, "unknown option --verbos: did you mean --verbose?", []string{"run", "--verbos", "./open_app"}},
		{2, "--get takes no value", []string{"run", "--get=x", "./open_app"}},
		{1, `unknown MPI "mpihc": did you mean mpich? `, []string{"run", "--to", "mpihc", "./open_app"}},
		{1, `unknown MPI "openmpi5": did you mean openmpi@5? `, []string{"run", "--to", "openmpi5", "./open_app"}},
		{1, `"abc" is not a version`, []string{"run", "--to", "mpich@abc", "./open_app"}},
		{2, "cannot run ./open_app in /none: no such directory", []string{"run", "--to", "mpich", "-wdir", "/none", "./open_app"}},
		{1, "hostfile: cannot read the hosts: nowhere: no such file", []string{"run", "--to", "openmpi", "--hostfile", "nowhere", "./open_app"}},
		{2, "unknown option --to: put options after the command: wi4go run --to …", []string{"--to", "mpich", "./open_app"}},
		{2, "unknown option -n: put options after the command: wi4go run -n …", []string{"-n", "2", "./open_app"}},
		{2, `unknown command "RUN": did you mean run?`, []string{"RUN", "--to", "mpich", "./open_app"}},
		{2, `unknown command "./open_app": to run it: wi4go run ./open_app`, []string{"./open_app", "x"}},
		{2, `unknown command "": ` + "`wi4go help` lists the commands", []string{""}},
		{2, `unknown command "frobnicate": ` + "`wi4go help` lists the commands", []string{"help", "frobnicate"}},
		{2, `wi4go completion bash takes no arguments: leave out "x"`, []string{"completion", "bash", "x"}},
		{2, "man needs one directory: wi4go man DIRECTORY", []string{"man"}},
		{2, "--hosts needs the names of hosts: --hosts node1,node2", []string{"doctor", "--hosts", ""}},
		{2, "--hosts needs the names of hosts", []string{"doctor", "--to", "mpich", "--hosts", ","}},
		{2, "--index-url nowhere is not a package index: give its http", []string{"get", "--index-url", "nowhere", "mpich"}},
		{2, "--index-url ht tp://x is not a package index: give its http", []string{"get", "--list", "--index-url", "ht tp://x"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			r := w.run(nil, c.args...)
			assert.Equal(t, c.code, r.code)
			assert.Empty(t, r.out)
			assert.Contains(t, r.err, c.says)
			assert.True(t, strings.HasPrefix(r.err, "wi4go: "), r.err)
			assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
		})
	}
	// An option that only resembles one of wi4go's goes to the launcher unchanged.
	for _, option := range []string{"-tp", "-verbose", "-V", "-host=a"} {
		assert.Zero(t, w.run(nil, "run", "--dry-run", "--to", "mpich", option, "./open_app").code, option)
	}
	r := w.run([]string{"WI4GO_IDENTITY=yes"}, "exec", "--to", "openmpi", "./open_app")
	assert.Equal(t, "wi4go: WI4GO_IDENTITY=yes: unknown value: set it to always, or unset it\n", r.err)
	assert.Equal(t, 1, r.code)
}

// A program that the user may execute but not read.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	w := newWorld(t)
	require.NoError(t, os.Chmod(w.openApp, 0o711))
	for dir := w.dir; strings.HasPrefix(dir, os.TempDir()) && dir != os.TempDir(); dir = dir[:strings.LastIndexByte(dir, '/')] {
		require.NoError(t, os.Chmod(dir, 0o755))
	}
	for _, command := range []string{"run", "exec", "inspect"} {
		c := exec.Command("setpriv", "--reuid", "65534", "--clear-groups", w.wi4go, command, "--to", w.mpich, w.openApp)
		c.Env = []string{"PATH=" + w.at("mpich/bin") + ":/usr/bin:/bin", "HOME=/nonexistent"}
		text, err := c.CombinedOutput()
		assert.Error(t, err)
		assert.Equal(t, "wi4go: cannot read "+w.openApp+", to find the MPI that it was built for: permission denied: chmod +r it\n", string(text))
	}
}

// A full disk is a failure.
func TestFullDisk(t *testing.T) {
	w := newWorld(t)
	for _, args := range []string{"version", "--version", "help", "run --help", "list", "list --json", "inspect ./open_app", "env --to mpich ./open_app",
		"run --dry-run --to mpich ./open_app", "exec --dry-run --to mpich ./open_app", "doctor", "completion bash"} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		require.NoError(t, err)
		var says strings.Builder
		c := exec.Command(w.wi4go, strings.Fields(args)...)
		c.Dir, c.Stdout, c.Stderr = w.dir, full, &says
		c.Env = []string{"HOME=" + w.dir, "PATH=" + w.at("open/bin") + ":" + w.at("mpich/bin") + ":/usr/bin:/bin"}
		assert.Error(t, c.Run(), args)
		assert.Equal(t, "wi4go: cannot write the output: no space left on device\n", says.String(), args)
		full.Close()
	}
}

// A mistake in the configuration that would have no effect is reported.
func TestOddSettings(t *testing.T) {
	w := newWorld(t)
	file := w.at(".config/wi4go/config.toml")
	for text, says := range map[string]string{
		"to =\n":                ":1: invalid setting: write it as in to = \"RUNTIME\"",
		"\x00":                  ":1: invalid setting: write it",
		"[runtime\n":            ":1: invalid table: write its name as in [runtime.mpich]",
		"search = ['sw/mpi']\n": `: search: sw/mpi is not an absolute path`,
		"hide = ['/opt/[']\n":   `: hide: /opt/[ is not a valid pattern: write it as in hide = ["/opt/old*"]`,
		"index = 'nowhere'\n":   `: index: nowhere is not a package index: give its http`,
		"[runtime.mpich]\nenvironment = { 'A=B' = 'x' }\n": `: runtime.mpich.environment: "A=B" is not the name of a variable`,
		"[runtime.mpich]\nenvironment = { '' = 'x' }\n":    `: runtime.mpich.environment: "" is not the name of a variable`,
	} {
		fakempi.Script(t, file, text)
		r := w.run(nil, "list")
		assert.Equal(t, 1, r.code, text)
		assert.Contains(t, r.err, "wi4go: "+file+says, text)
		assert.NotContains(t, r.err, " toml: ")
		assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
	}
}

// An unreadable file or an unwritable place is named in plain words, without the name of a system
// call or of a package.
func TestPlainWords(t *testing.T) {
	w := newWorld(t)
	fakempi.Script(t, w.at("file"), "")
	require.NoError(t, os.MkdirAll(w.at("settled/wi4go/config.toml"), 0o755))
	for _, c := range []struct {
		env  string
		says string
		args []string
	}{
		{"", "file/wi4go.1: not a directory", []string{"man", "file"}},
		{"XDG_DATA_HOME=" + w.at("file"), "get mpich: " + w.at("file") + ": not a directory", []string{"get", "mpich"}},
	} {
		r := w.run([]string{c.env}, c.args...)
		assert.Equal(t, 1, r.code, c.args)
		assert.Equal(t, "wi4go: "+c.says+"\n", r.err)
	}
	r := w.run([]string{"XDG_CONFIG_HOME=" + w.at("settled")}, "doctor")
	assert.Contains(t, r.out, "error    cannot read the configuration: "+w.at("settled/wi4go/config.toml")+": is a directory (configuration)\n")
}
