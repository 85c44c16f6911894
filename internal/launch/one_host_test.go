package launch

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/config"
	"wi4go/internal/fakempi"
	"wi4go/internal/fault"
)

// A job of the embedded MPI has one host: options that name this host are removed, those that name another are refused.
func TestOneHost(t *testing.T) {
	w := newWorld(t)
	embedded := w.resolve(fakempi.Embedded(t, w.at("ours")))
	name, err := os.Hostname()
	require.NoError(t, err)
	file := w.at("hosts")
	translated := func(options ...string) ([]string, error) {
		segments := []Segment{{Options: options, Program: []string{w.openApp}}}
		_, _, err := w.Translate(segments, embedded)
		return segments[0].Options, err
	}
	require.NoError(t, os.WriteFile(file, []byte(name+" slots=2\nlocalhost\n"), 0o644))
	for _, options := range [][]string{{"-host", name + ":2"}, {"--hostfile", file}, {"-hosts", "localhost," + name}, {"-H", "localhost"}, {"-f", file}, {"--host=" + name}} {
		kept, err := translated(append(append([]string{"-n", "2"}, options...), "-l")...)
		require.NoError(t, err, "%q", options)
		assert.Equal(t, []string{"-n", "2", "-l"}, kept, "%q", options)
	}
	require.NoError(t, os.WriteFile(file, []byte(name+"\nnode7:4\n"), 0o644))
	for _, options := range [][]string{{"-host", "node7,node8"}, {"--hostfile", file}, {"-hosts", "node7"}} {
		_, err := translated(options...)
		require.Error(t, err, "%q", options)
		id, description, cure := fault.Of(err, "")
		assert.Equal(t, "one-host", id)
		assert.Contains(t, description, "the embedded MPI runs all ranks on this host, and the options name node7")
		assert.Equal(t, "use an MPI for several hosts: `--to openmpi`", cure, "a library of the program's family is installed")
	}
	alone := *w
	alone.Runtimes.Path = nil
	_, _, err = alone.Translate([]Segment{{Options: []string{"-host", "node7"}, Program: []string{w.openApp}}}, embedded)
	assert.ErrorContains(t, err, ": install an MPI for several hosts, for example with `wi4go get mpich`")
	_, _, err = w.Translate([]Segment{{Options: []string{"-host", "node7"}, Program: []string{w.openApp}}}, w.mpich)
	assert.NoError(t, err, "other libraries have several hosts")
}

// An allocation of several hosts is a warning with the embedded MPI alone, by its launcher alone.
func TestAllocationOfSeveralHosts(t *testing.T) {
	w := newWorld(t)
	embedded := w.resolve(fakempi.Embedded(t, w.at("ours")))
	file := w.at("nodes")
	require.NoError(t, os.WriteFile(file, []byte("localhost\nnode7\n"), 0o644))
	for variable, value := range map[string]string{"SLURM_JOB_NUM_NODES": "2", "FLUX_JOB_NNODES": "3", "PBS_NODEFILE": file, "PE_HOSTFILE": file} {
		w.env[variable] = value
		warnings := w.job(w.openApp, "", embedded).Warnings
		require.Len(t, warnings, 1, variable)
		assert.ErrorContains(t, warnings[0], "the embedded MPI runs all ranks on this host, and the job has ")
		assert.ErrorContains(t, warnings[0], "("+variable+"): use an MPI for several hosts: `--to openmpi`")
		assert.Empty(t, w.job(w.openApp, "", w.mpich).Warnings)
		w.env["ADI_RANKS"] = "2"
		assert.Empty(t, w.job(w.openApp, "", embedded).Warnings, "its launcher has warned")
		clear(w.env)
	}
	w.env["SLURM_JOB_NUM_NODES"] = "1"
	assert.Empty(t, w.job(w.openApp, "", embedded).Warnings)
}

// The embedded MPI is the last resort if nothing names it.
func TestLastResort(t *testing.T) {
	w := newWorld(t)
	embedded := w.resolve(fakempi.Embedded(t, w.at("ours")))
	assert.True(t, w.LastResort(embedded, ""))
	assert.True(t, w.LastResort(embedded, "mpiabi"), "the name of its family")
	assert.False(t, w.LastResort(w.mpich, ""))
	assert.False(t, w.LastResort(embedded, "embedded"))
	assert.False(t, w.LastResort(embedded, embedded.Library))
	w.env["WI4GO_TO"] = "embedded"
	assert.False(t, w.LastResort(embedded, ""))
	clear(w.env)
	w.config.To = config.Value{Text: "embedded", File: "the file"}
	assert.False(t, w.LastResort(embedded, ""))
}
