package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFortranTable(t *testing.T) {
	counted := func(n float64) side { return side{Counts: &counts{All: n}} }
	timed := func(ns float64) side { return side{Time: &summary{Min: ns, Median: ns}} }
	assert.Equal(t, counted(18), added(counted(100), counted(118)))
	assert.Equal(t, side{}, added(counted(100), side{}), "without Fortran")
	openMPI := &counts{All: 51}
	for _, c := range []struct {
		r    fortranResult
		want []string // what its line ends with
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

// Rows are chosen by the name of their binding.
func TestChosenInFortran(t *testing.T) {
	rows, err := chosen("mpif_send*,f08_waitall,comm_rank_world")
	require.NoError(t, err)
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	assert.Equal(t, []string{"comm_rank_world", "mpif_send", "mpif_send_dynamic", "mpif_sendrecv", "mpif_sendrecv_dynamic", "f08_waitall"}, names)
}
