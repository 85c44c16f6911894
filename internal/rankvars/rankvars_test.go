package rankvars

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/family"
)

// The environment that launchers give to rank 3 of 4, the second of two on its host.
const (
	byOpenMPI = "OMPI_UNIVERSE_SIZE=4 OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=1 " +
		"OMPI_COMM_WORLD_LOCAL_SIZE=2 OMPI_COMM_WORLD_NODE_RANK=1 PMIX_RANK=3 PMIX_NAMESPACE=12345"
	byHydra = "PMI_FD=9 PMI_RANK=3 PMI_SIZE=4 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2"
	byCray  = "PMI_CONTROL_PORT=1 PMI_RANK=3 PMI_SIZE=4 PMI_LOCAL_RANK=1 PMI_LOCAL_SIZE=2"
	bySrun  = "SLURM_STEP_ID=0 SLURM_PROCID=3 SLURM_NTASKS=9 SLURM_STEP_NUM_TASKS=4 SLURM_LOCALID=1 SLURM_NODEID=1 SLURM_STEP_TASKS_PER_NODE=2(x2)"
	byPMI2  = bySrun + " SLURM_MPI_TYPE=pmi2 PMI_FD=11 PMI_RANK=3 PMI_SIZE=4"
	byPMIx  = bySrun + " SLURM_MPI_TYPE=pmix PMIX_RANK=3 PMIX_NAMESPACE=slurm.pmix.4.0"
)

// The environment that the launcher of the embedded MPI gives to rank 1 of 2, without the variables of other launchers.
const byOneHost = "ADI_RANK=1 ADI_RANKS=2 ADI_FD=3"

// The variables of this rank that programs of the families read.
const (
	openmpi = "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=2 OMPI_COMM_WORLD_NODE_RANK=1"
	mpich   = "PMI_RANK=3 MV2_COMM_WORLD_RANK=3 MVP_COMM_WORLD_RANK=3 PMI_SIZE=4 MV2_COMM_WORLD_SIZE=4 MVP_COMM_WORLD_SIZE=4 " +
		"MPI_LOCALRANKID=1 PMI_LOCAL_RANK=1 MV2_COMM_WORLD_LOCAL_RANK=1 MVP_COMM_WORLD_LOCAL_RANK=1 " +
		"MPI_LOCALNRANKS=2 PMI_LOCAL_SIZE=2 MV2_COMM_WORLD_LOCAL_SIZE=2 MVP_COMM_WORLD_LOCAL_SIZE=2"
)

// environ returns an environment from variables separated by spaces. If a variable occurs twice,
// the last value is used.
func environ(variables string) (list []string) {
	for v := range strings.FieldsSeq(variables) {
		name, _, _ := strings.Cut(v, "=")
		list = append(without(list, []string{name}), v)
	}
	return list
}

// marked adds the list that marks variables as wi4go's.
func marked(variables string) string {
	if variables == "" {
		return ""
	}
	var names []string
	for v := range strings.FieldsSeq(variables) {
		name, _, _ := strings.Cut(v, "=")
		names = append(names, name)
	}
	return variables + " " + Variable + "=" + strings.Join(names, ",")
}

func missing(env string, program *family.Family) string {
	var words []string
	for _, v := range Missing(lookupIn(environ(env)), program) {
		words = append(words, v.Name+"="+v.Value)
	}
	return strings.Join(words, " ")
}

func TestMissing(t *testing.T) {
	for name, c := range map[string]struct {
		env            string
		openmpi, mpich string // the variables that programs of these families lack
	}{
		"no launcher":           {"HOME=/", "", ""},
		"Open MPI":              {byOpenMPI, "", mpich},
		"Hydra":                 {byHydra, openmpi, ""},
		"Hydra by a port":       {byHydra + " PMI_FD= PMI_PORT=a:1", openmpi, ""},
		"Cray":                  {byCray, openmpi, ""},
		"another that has PMI":  {"PMI_RANK=3 PMI_SIZE=4", "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4", ""},
		"MVAPICH's mpirun_rsh":  {"MV2_COMM_WORLD_RANK=3 MV2_COMM_WORLD_SIZE=4 MV2_COMM_WORLD_LOCAL_RANK=1 MV2_COMM_WORLD_LOCAL_SIZE=2", openmpi, ""},
		"srun with pmi2":        {byPMI2, openmpi, ""},
		"srun with pmix":        {byPMIx, "", mpich},
		"srun with a namespace": {byPMIx + " SLURM_MPI_TYPE=", "", mpich},
		// Only Slurm's own library could find the rank in this environment.
		"srun without a plugin": {bySrun, "", ""},
		"srun with none":        {bySrun + " SLURM_MPI_TYPE=none", "", ""},
		"srun for Intel MPI":    {bySrun + " I_MPI_PMI_LIBRARY=/usr/lib/libpmi2.so", openmpi, ""},
		"a batch script":        {"SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0 SLURM_TASKS_PER_NODE=4", "", ""},
		"an interactive step":   {bySrun + " SLURM_STEP_ID=4294967290 SLURM_MPI_TYPE=pmix", "", ""},
		// A value that the launcher does not give stays unset.
		"Hydra of old": {"PMI_FD=9 PMI_RANK=3 PMI_SIZE=4", "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4", ""},
		"no numbers":   {byHydra + " MPI_LOCALRANKID=x MPI_LOCALNRANKS=-1", "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4", ""},
		"no node":      {byPMI2 + " SLURM_NODEID=2", strings.Replace(openmpi, " OMPI_COMM_WORLD_LOCAL_SIZE=2", "", 1), ""},
		"spawned":      {byHydra + " PMI_SPAWNED=1", strings.TrimSuffix(openmpi, " OMPI_COMM_WORLD_NODE_RANK=1"), ""},
		// A launcher inside a step numbers its own processes.
		"old Hydra in a step":    {byPMI2 + " PMI_RANK=1", "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4", ""},
		"Open MPI in a step":     {bySrun + " SLURM_PROCID=0 SLURM_MPI_TYPE=none " + byOpenMPI, "", mpich},
		"prun in a step":         {byPMIx + " PMIX_RANK=2", "", ""},
		"both, none is for us":   {byOpenMPI + " " + byHydra, "", ""},
		"the user has set some":  {byHydra + " OMPI_COMM_WORLD_LOCAL_RANK=0", strings.Replace(openmpi, " OMPI_COMM_WORLD_LOCAL_RANK=1", "", 1), ""},
		"the user wants none":    {byHydra + " WI4GO_RANK_VARIABLES=0", "", ""},
		"set by wi4go":           {byHydra + " " + marked(openmpi), openmpi, ""},
		"set for a parent":       {byHydra + " PMI_RANK=2 " + marked(openmpi), strings.Replace(openmpi, "RANK=3", "RANK=2", 1), ""},
		"ours beside Open MPI's": {byOpenMPI + " " + marked(mpich), "", mpich},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, marked(c.openmpi), missing(c.env, family.OpenMPI), "Open MPI's")
			assert.Equal(t, marked(c.mpich), missing(c.env, family.MPICH), "MPICH's")
			any := marked(strings.TrimSpace(c.openmpi + " " + c.mpich)) // by precedence of the launchers
			assert.Equal(t, any, missing(c.env, nil), "not known")
			assert.Equal(t, any, missing(c.env, family.StandardABI), "the standard's")
		})
	}
}

// A process of the embedded MPI has the variables of every family, whatever its program is and whatever has started
// the launcher.
func TestMissingOnOneHost(t *testing.T) {
	all := strings.NewReplacer("=3", "=1", "=4", "=2").Replace(openmpi + " " + mpich)
	require.Equal(t, strings.Fields(marked(all)), Numbers(lookupIn(nil), "1", "2"))
	for _, env := range []string{
		byOneHost, byOneHost + " " + marked(all), byOneHost + " " + byPMIx, bySrun + " " + byOneHost + " " + marked(all),
		byOneHost + " " + strings.Replace(marked(all), "PMI_RANK=1", "PMI_RANK=0", 1), // of a parent
	} {
		for _, program := range []*family.Family{nil, family.OpenMPI, family.MPICH, family.StandardABI} {
			assert.Equal(t, marked(all), missing(env, program), env)
			assert.ElementsMatch(t, environ(env+" "+marked(all)), Environ(environ(env), program), env)
		}
	}
	assert.Empty(t, missing(byOneHost+" WI4GO_RANK_VARIABLES=0", nil))
	assert.Empty(t, missing("ADI_RANK=x ADI_RANKS=2", nil))
	// A launcher inside the job numbers its own processes.
	assert.Equal(t, marked(openmpi), missing(byOneHost+" "+byHydra+" "+marked(openmpi), family.OpenMPI))
	assert.Empty(t, WithoutJob(environ(byOneHost+" "+marked(all)), family.MPICH.Launcher))
}

func TestTasksOn(t *testing.T) {
	for _, c := range []struct{ tasks, nodes string }{
		{"2", "2"}, {"2(x3)", "222"}, {"2(x2),1", "221"}, {"3,1(x2),4", "3114"}, {"16(x2)", "16 16"},
		{"", ""}, {"2(x2", ""}, {"2(x2)(x2)", ""}, {"(x2)", ""}, {"2,,1", "2"}, {"a", ""}, {"-1", ""},
	} {
		nodes := strings.Split(c.nodes, "")
		if strings.Contains(c.nodes, " ") {
			nodes = strings.Fields(c.nodes)
		}
		for i, want := range append(nodes, "") {
			assert.Equal(t, want, tasksOn(fmt.Sprint(i), c.tasks), "%s, node %d", c.tasks, i)
		}
		assert.Empty(t, tasksOn("", c.tasks))
		assert.Empty(t, tasksOn("-1", c.tasks))
	}
}

// Variables that wi4go has set do not count as a launcher's, until a launcher sets the same names.
func TestFromLauncher(t *testing.T) {
	ours := lookupIn(environ(byHydra + " " + marked(openmpi)))
	assert.Empty(t, FromLauncher(ours)("OMPI_COMM_WORLD_SIZE"))
	assert.Equal(t, "4", FromLauncher(ours)("PMI_SIZE"))
	assert.Equal(t, "4", FromLauncher(lookupIn(environ(byHydra+" "+marked(openmpi)+" "+byOpenMPI)))("OMPI_COMM_WORLD_SIZE"))
	assert.Equal(t, "4", FromLauncher(lookupIn(environ(byHydra+" OMPI_COMM_WORLD_SIZE=4")))("OMPI_COMM_WORLD_SIZE"), "the user's")
	assert.Equal(t, "9", FromLauncher(lookupIn(environ("PMI_FD=9 WI4GO_RANK_VARIABLES=PMI_FD")))("PMI_FD"), "wi4go never sets it")
	assert.Equal(t, "/", FromLauncher(lookupIn(environ("HOME=/ WI4GO_RANK_VARIABLES=HOME")))("HOME"))
}

// The environment for another program has no variables of the previous one.
func TestEnviron(t *testing.T) {
	first := Environ(environ("HOME=/ "+byHydra), family.OpenMPI)
	assert.ElementsMatch(t, environ("HOME=/ "+byHydra+" "+marked(openmpi)), first)
	assert.ElementsMatch(t, first, Environ(first, family.OpenMPI))
	assert.ElementsMatch(t, environ("HOME=/ "+byHydra), Environ(first, family.MPICH))
	assert.ElementsMatch(t, first, Environ(first, nil))
	never := environ(byHydra + " WI4GO_RANK_VARIABLES=0")
	assert.Equal(t, never, Environ(never, family.OpenMPI))
}

// A launcher that is started inside a job begins its own job.
func TestFresh(t *testing.T) {
	within := Environ(environ("HOME=/ SLURM_JOB_ID=1 "+byHydra), family.OpenMPI)
	require.Contains(t, within, "OMPI_COMM_WORLD_RANK=3")
	assert.ElementsMatch(t, environ("HOME=/ SLURM_JOB_ID=1 "+byHydra), WithoutJob(within, family.MPICH.Launcher))
	assert.ElementsMatch(t, environ("HOME=/ SLURM_JOB_ID=1"), WithoutJob(within, family.OpenMPI.Launcher))
	assert.ElementsMatch(t, environ("PMIX_RANK=3 PMIX_NAMESPACE=12345"), WithoutJob(environ(byOpenMPI), family.StandardABI.Launcher))
	assert.Equal(t, environ("WI4GO_RANK_VARIABLES=0"), WithoutJob(environ("WI4GO_RANK_VARIABLES=0"), family.MPICH.Launcher))
}
