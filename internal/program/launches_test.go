package program

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLaunches checks which commands of a shell script count as a launcher.
func TestLaunches(t *testing.T) {
	isLauncher := func(name string) bool { return slices.Contains([]string{"mpirun", "mpiexec", "mpiexec.hydra"}, name) }
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
		"./app | tee log\n":                                               "",
		"# mpirun -np 2 ./app\n./app # not mpirun\n":                      "",
		"echo mpirun; which mpirun; [ -x mpirun ] && ./app":               "",
		"mpirun=no ./app mpirun":                                          "",
		"$UNKNOWN ./app":                                                  "",
	} {
		script := filepath.Join(t.TempDir(), "job.sh")
		require.NoError(t, os.WriteFile(script, []byte("#!/bin/bash\n"+text), 0o755))
		expected := (*Launch)(nil)
		if want != "" {
			expected = &Launch{script, want}
		}
		assert.Equal(t, expected, Launches([]string{script, "x"}, "", isLauncher), text)
		assert.Equal(t, expected, Launches([]string{"env", "A=b", script}, "", isLauncher), text)
		assert.Equal(t, expected, Launches([]string{"job.sh"}, filepath.Dir(script), isLauncher), text)
	}
}

// TestNestedLaunches checks scripts that start other scripts.
func TestNestedLaunches(t *testing.T) {
	isLauncher := func(name string) bool { return name == "mpirun" }
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner.sh")
	require.NoError(t, os.WriteFile(inner, []byte("#!/bin/sh\nmpirun -np 2 ./app\n"), 0o755))
	for text, want := range map[string]*Launch{
		"cd x\n./inner.sh a b":                 {inner, "mpirun"},
		"bash -e ./inner.sh":                   {inner, "mpirun"},
		". ./inner.sh":                         {inner, "mpirun"},
		"source " + inner:                      {inner, "mpirun"},
		"bash -c 'mpirun -n 1 a'":              {filepath.Join(dir, "outer.sh"), "mpirun"},
		"cat ./inner.sh; ./app ./inner.sh":     nil,
		"./gone.sh; ./outer.sh; sh ./outer.sh": nil, // it starts itself
	} {
		outer := filepath.Join(dir, "outer.sh")
		require.NoError(t, os.WriteFile(outer, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
		assert.Equal(t, want, Launches([]string{outer}, dir, isLauncher), text)
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
	assert.Nil(t, Launches([]string{python}, "", all))
	plain := write("plain", "mpirun a\n", 0o644)
	assert.Nil(t, Launches([]string{plain}, "", all), "not executable")
	assert.Equal(t, &Launch{plain, "mpirun"}, Launches([]string{"sh", "-e", plain}, "", all))
	assert.Nil(t, Launches([]string{"/bin/true", "mpirun"}, "", all))
	assert.Nil(t, Launches([]string{"/nonexistent"}, "", all))
	assert.Nil(t, Launches(nil, "", all))
}
