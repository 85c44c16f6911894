package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/doctor"
	"wi4go/internal/fakempi"
)

func TestDoctor(t *testing.T) {
	w := newWorld(t)
	fakempi.Front(t, w.at("ours"), "mpich")
	fakempi.Front(t, w.at("ours"), "mpiabi")
	env := []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "PATH=" + w.at("mpich/bin") + ":/usr/bin:/bin"}
	// The findings about this machine itself, which may be a container.
	examine := func(code int, args ...string) doctor.Report {
		t.Helper()
		r := w.run(env, append([]string{"doctor", "--json"}, args...)...)
		var report doctor.Report
		require.NoError(t, json.Unmarshal([]byte(r.out), &report), r.err)
		assert.Empty(t, r.err)
		assert.Equal(t, report.Status, r.code)
		assert.GreaterOrEqual(t, report.Status, code)
		return report
	}
	ids := func(r doctor.Report) (ids []string) {
		for _, f := range r.Findings {
			ids = append(ids, f.ID)
		}
		return ids
	}
	env = append(env, "WI4GO_TO="+w.mpich)
	machine := ids(examine(0, "./open_app"))
	env = append(env, "WI4GO_TOO=1")
	assert.ElementsMatch(t, append(machine, "variable-unknown"), ids(examine(1, "./open_app")))
	env = env[:len(env)-1]

	// Arguments after the program are the program's, not doctor's.
	assert.ElementsMatch(t, machine, ids(examine(0, "./open_app", "--to", "nowhere")))
	assert.ElementsMatch(t, append(machine, "program-unreadable"), ids(examine(2, "./missing")))
	assert.ElementsMatch(t, append(machine, "refused"), ids(examine(2, "--from", "mpich", "./open_app")))

	// The fake libraries cannot run a program, and the trial detects that.
	fakempi.Program(t, w.at("ours/lib/wi4go/probe/openmpi"), w.open)
	r := w.run(env, "doctor", "--to", "mpich", "./open_app")
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.out, "not both of the two ranks finished; its output: launcher preload <>: start it by hand")
	assert.Contains(t, r.out, "\nverdict  will not work\n")
	require.NoError(t, os.RemoveAll(w.at("ours/lib/wi4go/probe")))
	assert.Contains(t, w.run(env, "doctor", "--to", "mpich").out, "wi4go/probe/openmpi is missing")

	r = w.run(env, "doctor", "--frobnicate")
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.err, "wi4go: unknown option --frobnicate")
}
