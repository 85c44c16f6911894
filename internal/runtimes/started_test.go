package runtimes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/launchers"
)

// The environment that launchers give to rank 1 of 2.
const (
	byOpenMPI = "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 PMIX_RANK=1 PMIX_NAMESPACE=12345"
	byHydra   = "PMI_RANK=1 PMI_SIZE=2 PMI_FD=9 MPI_LOCALNRANKS=2 MPI_LOCALRANKID=1"
	bySrun    = "SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_STEP_NUM_TASKS=2"
	byPMI2    = bySrun + " SLURM_MPI_TYPE=pmi2 PMI_RANK=1 PMI_SIZE=2 PMI_FD=11"
	byPMIx    = bySrun + " SLURM_MPI_TYPE=pmix PMIX_RANK=1 PMIX_NAMESPACE=slurm.pmix.4.0"
)

func environ(variables string) func(string) string {
	return func(name string) string {
		value := ""
		for v := range strings.FieldsSeq(variables) {
			if n, text, _ := strings.Cut(v, "="); n == name {
				value = text
			}
		}
		return value
	}
}

func TestStarted(t *testing.T) {
	for name, c := range map[string]struct {
		env, above string
		by         string
		speaks     launchers.Manager
		rank, size int
	}{
		"nothing":                          {"HOME=/", "bash", "", "", 0, 0},
		"Open MPI":                         {byOpenMPI, "orterun bash", "an mpiexec of Open MPI", launchers.PMIx, 1, 2},
		"Hydra":                            {byHydra, "hydra_pmi_proxy", "an mpiexec of MPICH's family", launchers.PMI, 1, 2},
		"its processes are not to be seen": {byHydra, "", "an mpiexec of MPICH's family", launchers.PMI, 1, 2},
		"srun, no plugin":                  {bySrun, "slurmstepd", "srun", "", 1, 2},
		"srun, pmi2":                       {byPMI2, "slurmstepd", "srun --mpi=pmi2", launchers.PMI, 1, 2},
		"srun, pmix":                       {byPMIx, "slurmstepd", "srun --mpi=pmix", launchers.PMIx, 1, 2},
		"srun, pmix_v4":                    {byPMIx + " SLURM_MPI_TYPE=pmix_v4", "slurmstepd", "srun --mpi=pmix_v4", launchers.PMIx, 1, 2},
		"another that speaks PMI":          {"PMI_RANK=1 PMI_SIZE=2 PALS_RANKID=1", "palsd", "a launcher that speaks PMI", launchers.PMI, 1, 2},
		// A batch script and the shell of an allocation are no tasks.
		"sbatch":           {"SLURM_NTASKS=4 SLURM_PROCID=0", "slurmstepd", "", "", 0, 0},
		"interactive step": {"SLURM_NTASKS=4 SLURM_PROCID=0 SLURM_STEP_ID=4294967290 SLURM_STEP_NUM_TASKS=4", "bash slurmstepd", "", "", 0, 0},
		// One launcher inside another's job: the innermost decides.
		"mpiexec of Open MPI in a task of srun": {byPMI2 + " " + byOpenMPI + " OMPI_COMM_WORLD_SIZE=4",
			"sh orted slurmstepd", "an mpiexec of Open MPI", launchers.PMIx, 1, 4},
		"Hydra in a task of srun":   {byPMIx + " " + byHydra, "hydra_pmi_proxy mpiexec slurmstepd", "an mpiexec of MPICH's family", launchers.PMI, 1, 2},
		"Hydra in one of Open MPI":  {byOpenMPI + " " + byHydra + " PMI_SIZE=3", "hydra_pmi_proxy mpiexec bash orterun", "an mpiexec of MPICH's family", launchers.PMI, 1, 3},
		"Open MPI in one of Hydra":  {byHydra + " " + byOpenMPI, "orterun bash hydra_pmi_proxy", "an mpiexec of Open MPI", launchers.PMIx, 1, 2},
		"srun from one of Open MPI": {byOpenMPI + " " + byPMI2, "slurmstepd", "srun --mpi=pmi2", launchers.PMI, 1, 2},
		// Variables that wi4go sets for a program are not a launcher's.
		"Hydra, and an Open MPI program": {byHydra + " OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 WI4GO_RANK_VARIABLES=OMPI_COMM_WORLD_RANK,OMPI_COMM_WORLD_SIZE",
			"", "an mpiexec of MPICH's family", launchers.PMI, 1, 2},
		"Open MPI in it": {byHydra + " OMPI_UNIVERSE_SIZE=2 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 WI4GO_RANK_VARIABLES=OMPI_COMM_WORLD_RANK,OMPI_COMM_WORLD_SIZE",
			"orterun sh hydra_pmi_proxy", "an mpiexec of Open MPI", launchers.PMIx, 1, 2},
		"pmix, and an MPICH program": {byPMIx + " PMI_RANK=1 PMI_SIZE=2 MPI_LOCALNRANKS=2 WI4GO_RANK_VARIABLES=PMI_RANK,PMI_SIZE,MPI_LOCALNRANKS",
			"slurmstepd", "srun --mpi=pmix", launchers.PMIx, 1, 2},
		"no number": {byHydra + " PMI_RANK=x", "hydra_pmi_proxy", "an mpiexec of MPICH's family", launchers.PMI, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var above []ancestor
			for program := range strings.FieldsSeq(c.above) {
				above = append(above, ancestor{name: program[:min(15, len(program))]})
			}
			s := Search{}.started(environ(c.env), above)
			if c.by == "" {
				assert.Nil(t, s)
				return
			}
			require.NotNil(t, s)
			assert.Equal(t, []any{c.by, c.speaks, c.rank, c.size}, []any{s.Title, s.Protocol, s.Rank, s.Size})
		})
	}
}

func TestWrongLauncher(t *testing.T) {
	dir := t.TempDir()
	open, mpich := fakempi.OpenMPI(t, filepath.Join(dir, "open")), fakempi.MPICH(t, filepath.Join(dir, "mpich"), "libmpi.so.12", "")
	open4 := fakempi.OpenMPI(t, filepath.Join(dir, "open4"))
	fakempi.Script(t, filepath.Join(dir, "open4/lib/openmpi/mca_pmix_s2.so"), "")
	pmix := fakempi.MPICH(t, filepath.Join(dir, "pmix"), "libmpi.so.12", "", "-Wl,--no-as-needed",
		fakempi.Shared(t, "", filepath.Join(dir, "libpmix.so.2"), "libpmix.so.2"))
	abi := fakempi.MPICH(t, filepath.Join(dir, "abi"), "libmpi_abi.so.1", "")
	intel := fakempi.IntelMPI(t, filepath.Join(dir, "intel"), "2021.15")
	const one, sure, unsure = "PMI_SIZE=1 OMPI_COMM_WORLD_SIZE=1 SLURM_STEP_NUM_TASKS=1", true, false
	for name, c := range map[string]struct {
		env  string
		lib  string
		says string // the launcher's command, or "" if there is none
		sure bool
	}{
		"none":                          {"", mpich, "", false},
		"its own":                       {byHydra, mpich, "wi4go run --to <lib> -n 2 ./a 'b c'", unsure},
		"Open MPI's":                    {byOpenMPI, mpich, "wi4go run --to <lib> -n 2 ./a 'b c'", sure},
		"Hydra":                         {byHydra, open, "wi4go run --to <lib> -n 2 ./a 'b c'", sure},
		"one process of Open MPI":       {byOpenMPI + " " + one, mpich, "", false},
		"one process of Hydra":          {byHydra + " " + one, open, "", false},
		"one process of srun":           {byPMIx + " " + one, mpich, "", false},
		"srun without a plugin":         {bySrun, mpich, "srun --mpi=pmi2 -n 2 wi4go exec --to <lib> ./a 'b c'", sure},
		"pmix for MPICH":                {byPMIx, mpich, "srun --mpi=pmi2 -n 2 wi4go exec --to <lib> ./a 'b c'", sure},
		"pmix for the standard ABI":     {byPMIx, abi, "srun --mpi=pmi2 -n 2 wi4go exec --to <lib> ./a 'b c'", sure},
		"pmi2 for Open MPI":             {byPMI2, open, "srun --mpi=pmix -n 2 wi4go exec --to <lib> ./a 'b c'", sure},
		"pmi2 for an Open MPI with PMI": {byPMI2, open4, "srun --mpi=pmix -n 2 wi4go exec --to <lib> ./a 'b c'", unsure},
		"pmix for an MPICH with PMIx":   {byPMIx, pmix, "srun --mpi=pmi2 -n 2 wi4go exec --to <lib> ./a 'b c'", unsure},
		"pmix for Intel MPI": {byPMIx, intel, "srun --mpi=pmi2 -n 2 wi4go exec --to <lib> ./a 'b c' (older Intel MPI also needs " +
			"I_MPI_PMI_LIBRARY=", sure},
	} {
		t.Run(name, func(t *testing.T) {
			rt, err := Search{}.ofLibrary(c.lib)
			require.NoError(t, err)
			first := strings.NewReplacer("_RANK=1", "_RANK=0", "PROCID=1", "PROCID=0").Replace(c.env)
			for _, env := range []string{first, c.env} {
				w := Search{}.started(environ(env), nil).CheckLauncher(rt, []string{"./a", "b c"})
				if c.says == "" {
					require.Nil(t, w)
					return
				}
				require.NotNil(t, w)
				assert.Contains(t, w.Error(), " started 2 processes, but "+rt.String())
				assert.Contains(t, w.Error(), "MPI_Init: start them with: "+strings.ReplaceAll(c.says, "<lib>", c.lib))
				assert.Equal(t, c.sure, w.Sure)
				assert.Equal(t, env == first, w.First)
			}
		})
	}
}

// Without a name, a library that understands the launcher is chosen, if there is one.
func TestDefault(t *testing.T) {
	dir := t.TempDir()
	open, mpich := fakempi.OpenMPI(t, filepath.Join(dir, "open")), fakempi.MPICH(t, filepath.Join(dir, "mpich"), "libmpi.so.12", "")
	both := Search{Path: []string{filepath.Join(dir, "open/bin"), filepath.Join(dir, "mpich/bin")}}
	one := Search{Path: []string{filepath.Join(dir, "mpich/bin")}}
	for _, c := range []struct {
		env       string
		both, one string
	}{
		{"", open, mpich}, {bySrun, open, mpich}, {byPMI2, mpich, mpich}, {byPMIx, open, mpich},
		{byHydra, mpich, mpich}, {byOpenMPI, open, mpich},
	} {
		t.Run(c.env, func(t *testing.T) {
			for v := range strings.FieldsSeq(strings.Join([]string{byOpenMPI, byHydra, byPMI2, byPMIx}, " ")) {
				name, _, _ := strings.Cut(v, "=")
				t.Setenv(name, environ(c.env)(name))
			}
			rt, err := both.Default()
			require.NoError(t, err)
			assert.Equal(t, c.both, rt.Library)
			rt, err = one.Default()
			require.NoError(t, err)
			assert.Equal(t, c.one, rt.Library)
		})
	}
}

// A program that an MPI process starts inherits its environment, but is no rank.
func TestStartedInsideAnMPIProcess(t *testing.T) {
	dir := t.TempDir()
	mpich := fakempi.MPICH(t, filepath.Join(dir, "mpich"), "libmpich.so.12", "")
	front := fakempi.Front(t, filepath.Join(dir, "ours"), "openmpi")
	waits := func(preload string, flags ...string) ancestor {
		program := fakempi.Compile(t, "#include <unistd.h>\nint PMPI_Init(int *, char ***) __attribute__((weak));\n"+
			"int main(int c, char **v) { if (PMPI_Init) PMPI_Init(&c, &v); write(1, \"up\", 2); pause(); }", filepath.Join(t.TempDir(), "waits"), flags...)
		cmd := exec.Command(program)
		cmd.Env = []string{"LD_PRELOAD=" + preload}
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		_, err = out.Read(make([]byte, 2))
		require.NoError(t, err)
		return ancestor{pid: cmd.Process.Pid, name: "waits"}
	}
	rank := waits("", "-Wl,--no-as-needed", mpich, "-Wl,-rpath,"+filepath.Dir(mpich))
	byFront, plain := waits(front), waits("")
	above := func(pids ...ancestor) *Start {
		return Search{}.started(environ(byHydra), append(pids, ancestor{name: "hydra_pmi_proxy"}, rank))
	}
	rt, err := Search{}.Resolve(mpich)
	require.NoError(t, err)
	wrong := func(s *Start) bool { return s.CheckLauncher(rt, nil) != nil }
	assert.True(t, wrong(above()), "processes above the launcher do not count")
	assert.True(t, wrong(above(plain)))
	assert.True(t, wrong(above(byFront)), "our front is in every process that inherits it")
	assert.False(t, wrong(above(plain, rank)))
	assert.True(t, wrong(above(waits(mpich))), "nor do libraries in LD_PRELOAD")
}

func TestAncestors(t *testing.T) {
	above := ancestors(os.Getpid())
	self, err := os.Executable()
	require.NoError(t, err)
	assert.Equal(t, self, above[0].file)
	assert.True(t, above[0].is(filepath.Base(self)))
	assert.Equal(t, os.Getppid(), above[1].pid)
	name, parent := status(-1)
	assert.Empty(t, name)
	assert.Zero(t, parent)

	odd := exec.Command(fakempi.Script(t, filepath.Join(t.TempDir(), "a) (b"), "#!/bin/sh\nsleep 1000"))
	require.NoError(t, odd.Start())
	defer func() { odd.Process.Kill(); odd.Wait() }()
	assert.Eventually(t, func() bool {
		name, parent = status(odd.Process.Pid)
		return name == "a) (b" && parent == os.Getpid()
	}, time.Minute, 10*time.Millisecond, strconv.Itoa(parent)+name)
}
