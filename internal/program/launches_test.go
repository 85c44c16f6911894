package program

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// launches returns the first result of Launches, with an empty environment.
func launches(argv []string, dir string, isLauncher func(string) bool) *Launch {
	found, _ := Launches(argv, dir, func(string) string { return "" }, isLauncher)
	return found
}

// TestLaunches checks which commands of a shell script count as a launcher.
func TestLaunches(t *testing.T) {
	isLauncher := func(command string) bool {
		return slices.Contains([]string{"mpirun", "mpiexec", "mpiexec.hydra"}, filepath.Base(command))
	}
	for text, want := range map[string]string{
		"mpirun -np 2 ./app\n": "mpirun",
		"#SBATCH -n 2\nset -e\ncd $DIR && exec /opt/x/bin/mpiexec -n 2 a": "/opt/x/bin/mpiexec",
		"if true; then\n  OMP_NUM_THREADS=1 time mpirun a\nfi":            "mpirun",
		"timeout -k 5 60 mpiexec.hydra a":                                 "mpiexec.hydra",
		"RUN=\"mpirun -np 4\"\n$RUN ./app":                                "mpirun",
		"${MPIRUN:-mpirun} -np 4 ./app":                                   "mpirun",
		"\"${MPIEXEC:=/usr/bin/mpiexec}\" \\\n  -n 2 ./app":               "/usr/bin/mpiexec",
		"out=$(mpirun -n 1 a)":                                            "mpirun",
		"for i in 1 2; do mpirun a; done":                                 "mpirun",
		"$MPI_HOME/bin/mpirun -np 4 ./app":                                "$MPI_HOME/bin/mpirun",
		"\"${MPI_HOME}\"/bin/mpirun -np 4 ./app":                          "$MPI_HOME/bin/mpirun",
		"MPI=/opt/x\n$MPI/bin/mpirun ./app":                               "/opt/x/bin/mpirun",
		"MPIRUN=$(which mpirun 2>/dev/null)\n$MPIRUN ./app":               "mpirun",
		"run=`command -v mpirun`\n\"$run\" ./app":                         "mpirun",
		"$(which mpirun) ./app":                                           "mpirun",
		"MPIRUN=${MPIRUN:-mpirun}\n${MPIRUN} ./app":                       "mpirun",
		"RUN=${1:-mpirun}\nLAUNCH=$RUN\n$LAUNCH ./app":                    "mpirun",
		"/usr/bin/time -v mpirun ./app":                                   "mpirun",
		"numactl --all taskset -c 0 mpirun ./app":                         "mpirun",
		"cat > job <<EOF\nmpirun ./app\nEOF\nsh job":                      "mpirun",
		"usage() {\ncat <<EOF >&2\nmpirun job.sh\nEOF\n}\nmpiexec ./app":  "mpiexec",
		"usage() {\ncat <<-'EOF'\nmpirun job.sh\n\tEOF\n}\n./app":         "",
		"if command -v mpirun > /dev/null; then ./app; fi":                "",
		"MPIRUN=$(which mpirun)\necho $MPIRUN $(command -v mpirun)":       "",
		"./app | tee log\n":                                               "",
		"# mpirun -np 2 ./app\n./app # not mpirun\n":                      "",
		"echo mpirun; which mpirun; [ -x mpirun ] && ./app":               "",
		"mpirun=no ./app mpirun":                                          "",
		"$UNKNOWN ./app":                                                  "",
		"TIME=\n$TIME mpirun ./app":                                       "mpirun",
		"RUN=\"env A=b mpirun\"\n$RUN ./app":                              "mpirun",
		"X=\"$X -v\"\n$X ./app":                                           "",
		"echo MSG; MSG=\"use mpirun here\"; ./app":                        "",
		"for run in mpirun srun; do $run ./app; done":                     "mpirun",
	} {
		script := filepath.Join(t.TempDir(), "job.sh")
		require.NoError(t, os.WriteFile(script, []byte("#!/bin/bash\n"+text), 0o755))
		expected := (*Launch)(nil)
		if want != "" {
			expected = &Launch{script, want}
		}
		assert.Equal(t, expected, launches([]string{script, "x"}, "", isLauncher), text)
		assert.Equal(t, expected, launches([]string{"env", "A=b", script}, "", isLauncher), text)
		assert.Equal(t, expected, launches([]string{"job.sh"}, filepath.Dir(script), isLauncher), text)
	}
}

// TestPythonLaunches checks which commands of a Python script count as a launcher.
func TestPythonLaunches(t *testing.T) {
	isLauncher := func(command string) bool {
		return slices.Contains([]string{"mpirun", "mpiexec", "srun"}, filepath.Base(command))
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "job.sh"), []byte("#!/bin/sh\nmpirun -np 2 ./app\n"), 0o755))
	for text, want := range map[string]string{
		"subprocess.run([\"mpirun\", \"-n\", \"2\", \"./app\"])":               "mpirun",
		"subprocess.run(\n    ['/usr/bin/mpiexec',\n     '-n', str(n), app])":  "/usr/bin/mpiexec",
		"os.system('OMP_NUM_THREADS=1 srun -n 4 ./app > log')":                 "srun",
		"os.system(f\"cd {dir}; mpirun -n {n} ./app\")":                        "mpirun",
		"p = Popen(shlex.split('mpirun -n 2 ./app'), stdout=PIPE)":             "mpirun",
		"os.execvp('mpirun', ['mpirun', '-n', '2'] + sys.argv)":                "mpirun",
		"os.spawnvp(os.P_WAIT, 'mpirun', ['mpirun', '-n', '2'])":               "mpirun",
		"check_call(args=('mpirun', './app'))":                                 "mpirun",
		"cmd = ['mpirun', '-n', '2']\ncmd += ['./app']\nsubprocess.call(cmd)":  "mpirun",
		"MPI = 'mpirun'\nif x:\n    subprocess.run([MPI, '-n', '2'])":          "mpirun",
		"subprocess.run(['env', 'A=b', 'mpirun', './app'])":                    "mpirun",
		"subprocess.run(['bash', './job.sh'])":                                 "mpirun",
		"m = shutil.which('mpirun')\nsubprocess.run([m, './app'])":             "mpirun",
		"subprocess.run([os.environ.get('RUN', 'mpirun'), './app'])":           "mpirun",
		"subprocess.run([os.getenv('RUN', default), './app'])":                 "",
		"run([str(os.path.join(os.environ['M'], 'bin', 'mpirun')), './app'])":  "mpirun",
		"subprocess.run(['ls', 'mpirun'])\nprint('mpirun')":                    "",
		"path = shutil.which('mpirun')":                                        "",
		"cmd = ['mpirun', './app']":                                            "",
		"# os.system('mpirun ./app')\n":                                        "",
		"\"\"\"Use it as\n\n    subprocess.run(['mpirun', './app'])\n\"\"\"\n": "",
		"subprocess.run(cmd)\nmpirun = 1":                                      "",
	} {
		script := filepath.Join(dir, "driver.py")
		require.NoError(t, os.WriteFile(script, []byte("#!/usr/bin/env python3\nimport os, subprocess\n"+text+"\n"), 0o755))
		for _, argv := range [][]string{{script, "x"}, {"python3", script}, {"./driver.py"}} {
			got := ""
			if start := launches(argv, dir, isLauncher); start != nil {
				got = start.Command
			}
			assert.Equal(t, want, got, text)
		}
	}
}

// TestUnreadLaunches checks the scripts whose text does not show whether they start ranks.
func TestUnreadLaunches(t *testing.T) {
	isLauncher := func(command string) bool { return filepath.Base(command) == "mpirun" }
	const unset, other = "starts the command in $RUN, whose value wi4go cannot tell", "is written for ruby, which wi4go cannot read, and contains the word mpirun"
	for _, c := range []struct{ text, run, want, found string }{
		{"#!/bin/sh\n$RUN ./app\n", "", unset, ""},
		{"#!/bin/sh\n$RUN ./app\n", "mpirun -np 2", "", "mpirun"},
		{"#!/bin/sh\n$RUN ./app\n", "nice", "", ""},
		{"#!/bin/sh\n${RUN:-env} ./app\n", "mpirun", "", "mpirun"},
		{"#!/bin/sh\nRUN=$(get launcher)\n$RUN ./app\n", "", unset, ""},
		{"#!/bin/sh\n. ./setup\nexec $RUN\n", "", unset, ""},
		{"#!/bin/sh\n$RUN ./app\nmpirun ./app\n", "", "", "mpirun"},
		{"#!/bin/sh\nRUN=nice\n$RUN ./app\n", "", "", ""},
		{"#!/bin/sh\n$RUN/app; \"$@\"; $1 x; awk '{ $RUN = 1 }'\n", "", "", ""},
		{"#!/usr/bin/ruby\nsystem(\"mpirun -np 2 ./app\")\n", "", other, ""},
		{"#!/usr/bin/env ruby\nsystem \"mpirun -np 2 ./app\"\n", "", other, ""},
		{"#!/usr/bin/ruby\n# mpirun\nputs 1\n", "", "", ""},
		{"#!/usr/bin/python3\nimport jobs\njobs.submit('mpirun', 2)\n", "", "contains the word mpirun, and wi4go cannot tell whether it starts it", ""},
		{"#!/usr/bin/perl\nsystem('mpirun', '-np', 2);\n", "", "is written for perl, which wi4go cannot read, and contains the word mpirun", ""},
		{"#!/usr/bin/make -f\nrun:\n\tmpirun -np 2 ./app\n", "", "is written for make, which wi4go cannot read, and contains the word mpirun", ""},
	} {
		script := filepath.Join(t.TempDir(), "job")
		require.NoError(t, os.WriteFile(script, []byte(c.text), 0o755))
		found, unread := Launches([]string{script}, "", func(name string) string { return map[string]string{"RUN": c.run}[name] }, isLauncher)
		if c.found != "" {
			assert.Equal(t, &Launch{script, c.found}, found, c.text)
		} else {
			assert.Nil(t, found, c.text)
		}
		if c.want != "" {
			assert.Equal(t, &UnreadLaunch{script, c.want}, unread, c.text)
		} else {
			assert.Nil(t, unread, c.text)
		}
	}
	plain := filepath.Join(t.TempDir(), "job.jl")
	require.NoError(t, os.WriteFile(plain, []byte("run(`mpirun -n 2 ./app`)\n"), 0o644))
	interpreter, err := os.ReadFile("/bin/true")
	require.NoError(t, err)
	julia := filepath.Join(filepath.Dir(plain), "julia")
	require.NoError(t, os.WriteFile(julia, interpreter, 0o755))
	_, unread := Launches([]string{julia, plain}, "", os.Getenv, isLauncher)
	assert.Equal(t, &UnreadLaunch{plain, "is written for julia, which wi4go cannot read, and contains the word mpirun"}, unread)
}

// TestNestedLaunches checks scripts that start other scripts.
func TestNestedLaunches(t *testing.T) {
	isLauncher := func(name string) bool { return name == "mpirun" }
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner.sh")
	require.NoError(t, os.WriteFile(inner, []byte("#!/bin/sh\nmpirun -np 2 ./app\n"), 0o755))
	sourced := filepath.Join(dir, "functions")
	require.NoError(t, os.WriteFile(sourced, []byte("launch() { mpirun -np \"$@\"; }\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "driver.py"), []byte("#!/usr/bin/python3\nos.system('mpirun')\n"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	for text, want := range map[string]*Launch{
		". ./functions":                        {sourced, "mpirun"},
		"source functions\nlaunch 2 a":         {sourced, "mpirun"},
		"sh -e functions":                      {sourced, "mpirun"},
		"./functions; functions":               nil,
		"cd x\n./inner.sh a b":                 {inner, "mpirun"},
		"bash -e ./inner.sh":                   {inner, "mpirun"},
		". ./inner.sh":                         {inner, "mpirun"},
		"source " + inner:                      {inner, "mpirun"},
		"bash -c 'mpirun -n 1 a'":              {filepath.Join(dir, "outer.sh"), "mpirun"},
		"cat ./inner.sh; ./app ./inner.sh":     nil,
		"./gone.sh; ./outer.sh; sh ./outer.sh": nil, // it starts itself
		"mkdir -p sub; cd sub; ../inner.sh":    {inner, "mpirun"},
		"./driver.py x":                        {filepath.Join(dir, "driver.py"), "mpirun"},
	} {
		outer := filepath.Join(dir, "outer.sh")
		require.NoError(t, os.WriteFile(outer, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
		assert.Equal(t, want, launches([]string{outer}, dir, isLauncher), text)
	}
}

// TestLaunchesOfOthers checks files that are no shell script.
func TestLaunchesOfOthers(t *testing.T) {
	all := func(string) bool { return true }
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	python := write("p.py", "#!/usr/bin/env python3\nmpirun\n", 0o755)
	assert.Nil(t, launches([]string{python}, "", all))
	plain := write("plain", "mpirun a\n", 0o644)
	assert.Nil(t, launches([]string{plain}, "", all), "not executable")
	assert.Equal(t, &Launch{plain, "mpirun"}, launches([]string{"sh", "-e", plain}, "", all))
	assert.Nil(t, launches([]string{"/bin/true", "mpirun"}, "", all))
	assert.Nil(t, launches([]string{"/nonexistent"}, "", all))
	assert.Nil(t, launches(nil, "", all))
}

// TestStartsLoginShell checks the first lines of scripts, and the options of shells.
func TestStartsLoginShell(t *testing.T) {
	dir := t.TempDir()
	for line, want := range map[string]bool{
		"#!/bin/bash -l": true, "#!/bin/bash --login": true, "#!/usr/bin/env -S bash -el": true, "#!/bin/sh": false,
		"#!/bin/bash -e": false, "#!/bin/bash --noprofile": false, "#!/usr/bin/python3 -l": false, "echo -l": false,
	} {
		script := filepath.Join(dir, "job.sh")
		require.NoError(t, os.WriteFile(script, []byte(line+"\n"), 0o755))
		assert.Equal(t, want, StartsLoginShell([]string{"./job.sh", "-l"}, dir), line)
	}
	assert.True(t, StartsLoginShell([]string{"sh", "-l", "job.sh"}, dir))
	assert.False(t, StartsLoginShell([]string{"sh", "job.sh", "-l"}, dir))
	assert.False(t, StartsLoginShell([]string{"/nonexistent", "-l"}, dir))
}
