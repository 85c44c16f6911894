package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

func TestFortranTable(t *testing.T) {
	counted := func(n float64) side { return side{Counts: &counts{All: n}} }
	timed := func(ns float64) side { return side{Time: &summary{Min: ns, Median: ns}} }
	assert.Equal(t, counted(18), added(counted(100), counted(118)))
	assert.Equal(t, side{}, added(counted(100), side{}), "without Fortran")
	openMPI := &counts{All: 51}
	for _, c := range []struct {
		r    fortranResult
		want []string // the end of the row's line
		over bool
	}{
		{fortranResult{Row: "mpif_send", Native: counted(37), Through: counted(18), OpenMPI: openMPI}, []string{"+37.0", "+18.0", "20", "+51.0"}, false},
		{fortranResult{Row: "mpif_over", Native: counted(37), Through: counted(21), OpenMPI: openMPI}, []string{"+37.0", "+21.0!", "20", "+51.0"}, true},
		{fortranResult{Row: "mpif_dear", Native: counted(37), Through: counted(51), OpenMPI: openMPI}, []string{"+37.0", "+51.0!", "20", "+51.0!"}, true},
		{fortranResult{Row: "mpif_alone", Through: counted(20.4)}, []string{"-", "+20.4", "20", "-"}, false},
		{fortranResult{Row: "mpif_slow", Through: timed(3.1), Outside: timed(2.5).Time}, []string{"+3.1", "+2.5!", "2", "-", "-", "20", "-"}, true},
		{fortranResult{Row: "mpif_its_own", Through: timed(2.5), Outside: timed(1.9).Time}, []string{"+2.5", "+1.9", "2", "-", "-", "20", "-"}, false},
	} {
		c.r.Goal = goal{2, 20}
		c.r.judge()
		assert.Equal(t, c.over, c.r.Over, c.r.Row)
		var out bytes.Buffer
		printFortran(&out, "openmpi→mpich", []fortranResult{c.r})
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		fields := strings.Fields(lines[len(lines)-1])
		assert.Equal(t, c.want, fields[len(fields)-len(c.want):], c.r.Row)
	}
}

// Rows are selected by the name of their binding.
func TestChosenInFortran(t *testing.T) {
	rows, err := chosen("mpif_send*,f08_waitall,comm_rank_world")
	require.NoError(t, err)
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	assert.Equal(t, []string{"comm_rank_world", "mpif_send", "mpif_send_dynamic", "mpif_sendrecv", "mpif_sendrecv_dynamic", "f08_waitall"}, names)
}

// A repeated run uses copies of the program and of the libraries next to the front.
func TestPlacedAnew(t *testing.T) {
	dir := t.TempDir()
	tree := map[string]string{
		"bench/calls": "program", "lib/wi4go/mpiabi/libmpi_abi.so.1": "front", "lib/wi4go/mpiabi/path/libmpi_abi.so": "link",
		"lib/wi4go/libwi4go.so": "core", "lib/wi4go/mpi/lib/libwi4go_fortran.so.1": "layer",
	}
	for name, text := range tree {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	front := filepath.Join(dir, "lib/wi4go/mpiabi/libmpi_abi.so.1")
	v := variant{program: filepath.Join(dir, "bench/calls"), through: harness.Through{
		Front: front, AlsoPreload: filepath.Join(filepath.Dir(front), fortranLibraries[standard]), Library: "/usr/lib/libmpi.so"}}
	anew, err := v.copyTo(filepath.Join(dir, "anew"))
	require.NoError(t, err)
	for file, want := range map[string]string{anew.program: "calls: program", anew.through.Front: "mpiabi/libmpi_abi.so.1: front",
		anew.through.AlsoPreload: "mpi/lib/libwi4go_fortran.so.1: layer", filepath.Join(dir, "anew/libwi4go.so"): "libwi4go.so: core"} {
		place, err := filepath.Rel(filepath.Join(dir, "anew"), file)
		require.NoError(t, err)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, place+": "+string(text))
	}
	assert.Equal(t, v.through.Library, anew.through.Library)

	v.through = harness.Through{}
	anew, err = v.copyTo(filepath.Join(dir, "natively"))
	require.NoError(t, err)
	assert.Equal(t, variant{program: filepath.Join(dir, "natively/calls")}, anew)
	v.program = filepath.Join(dir, "absent")
	_, err = v.copyTo(filepath.Join(dir, "never"))
	assert.ErrorContains(t, err, "absent")
}
