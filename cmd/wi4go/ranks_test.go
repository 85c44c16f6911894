package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A job of too many ranks for the embedded MPI is refused with an installed library, or else the command that installs one.
func TestTooManyRanks(t *testing.T) {
	w := newWorld(t)
	const refusal = "1025 ranks are more than the embedded MPI has, 1024: use fewer, or use another MPI: "
	r := w.run(nil, "ranks", "-n", "1025", "./open_app")
	assert.Equal(t, 2, r.code, "%+v", r)
	assert.Contains(t, r.err, refusal+"`--to ")
}

// A front that has no function of the library's asks for a library that has it.
func TestInsteadCommand(t *testing.T) {
	w := newWorld(t)
	r := w.run(nil, "instead", "PMPI_Init", w.mpich)
	assert.Equal(t, "`--to openmpi`\n", r.out, "%+v", r)
	r = w.run([]string{"PIP_INDEX_URL=http://mirror.invalid/simple"}, "instead", "MPI_Abi_get_version", w.mpich)
	assert.Equal(t, "`wi4go get mpich@5` installs one\n", r.out, "%+v", r)
	r = w.run(nil, "instead", "MPIX_None_has_this", w.mpich)
	assert.Equal(t, "the library that the program was built with\n", r.out, "%+v", r)
}

func TestInstalling(t *testing.T) {
	apt, none := &managers[0], (*manager)(nil)
	for _, c := range []struct {
		machine
		name, want string
	}{
		{machine{canGet: true, manager: apt}, "mpich", "`wi4go get mpich`"},
		{machine{manager: apt, root: true}, "openmpi", "`apt-get update && apt-get install -y --no-install-recommends openmpi-bin`"},
		{machine{manager: apt, sudo: true}, "mpich", "`sudo apt-get update && sudo apt-get install -y --no-install-recommends mpich`"},
		{machine{manager: apt}, "mpich", "`apt-get update && apt-get install -y --no-install-recommends mpich` as root"},
		{machine{manager: apt, sudo: true}, "mpich@5", "`sudo apt-get update && sudo apt-get install -y --no-install-recommends python3-pip && wi4go get mpich@5`"},
		{machine{manager: apt}, "intelmpi", "`wi4go get intelmpi` once root has run `apt-get update && apt-get install -y --no-install-recommends python3-pip`"},
		{machine{manager: none, root: true}, "mpich", "`wi4go get mpich` once a python3 with pip is in PATH"},
	} {
		assert.Equal(t, c.want, c.installing(c.name), "%+v", c.machine)
	}
	for _, m := range managers {
		for _, name := range []string{"openmpi", "mpich", pip} {
			assert.NotEmpty(t, m.packages[name], "%s: %s", m.command, name)
		}
	}
}
