package container

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/family"
	"wi4go/internal/launchers"
)

var planned = &Plan{
	Mounts: []Mount{{From: "/opt/mpi", To: "/opt/mpi"}, {From: "/usr/lib/libx.so.1.2", To: privateLib + "/libx.so.1"}},
	Env:    []Var{{"LD_PRELOAD", "/a:/b"}},
}

func words(t *testing.T, kind Kind, s Setting) []string {
	t.Helper()
	w, err := planned.Words(kind, s)
	require.NoError(t, err)
	return w
}

func TestApptainerWords(t *testing.T) {
	s := Setting{Launcher: launchers.Of(family.MPICH.Launcher), TempDir: "/tmp/x", UID: 1000}
	assert.Equal(t, []string{
		"--bind=/opt/mpi:/opt/mpi:ro", "--bind=/usr/lib/libx.so.1.2:/opt/wi4go-host/lib/libx.so.1:ro", "--env=LD_PRELOAD=/a:/b",
	}, words(t, Apptainer, s))
	s.TempDir = "/scratch/u"
	assert.Contains(t, words(t, Apptainer, s), "--bind=/scratch/u:/scratch/u")

	vars, err := planned.Exports(Setting{TempDir: "/tmp", Environ: []string{"APPTAINER_BIND=/data"}})
	require.NoError(t, err)
	assert.Equal(t, []Var{
		{"APPTAINER_BIND", "/data,/opt/mpi:/opt/mpi:ro,/usr/lib/libx.so.1.2:/opt/wi4go-host/lib/libx.so.1:ro"},
		{"APPTAINERENV_LD_PRELOAD", "/a:/b"},
	}, vars)
}

func TestPodmanWords(t *testing.T) {
	w := words(t, Podman, Setting{Launcher: launchers.Of(family.OpenMPI.Launcher), TempDir: "/scratch/u", UID: 1000})
	assert.Subset(t, w, []string{"--ipc=host", "--pid=host", "--network=host", "--userns=keep-id", "--volume=/tmp:/tmp",
		"--volume=/scratch/u:/scratch/u", "--volume=/opt/mpi:/opt/mpi:ro", "--env=OMPI_*", "--env=PMIX_*", "--env=TMPDIR",
		"--env=LD_PRELOAD=/a:/b"})
	assert.NotContains(t, words(t, Podman, Setting{Launcher: launchers.Of(family.OpenMPI.Launcher), TempDir: "/tmp"}), "--userns=keep-id", "which only users have")
}

func TestDockerWords(t *testing.T) {
	s := Setting{Launcher: launchers.Of(family.MPICH.Launcher), TempDir: "/tmp", UID: 7, GID: 8, Environ: []string{"UCX_TLS=tcp", "HOME=/home/u", "WI4GO_STRICT=1"}}
	w := words(t, Docker, s)
	assert.Subset(t, w, []string{"--ipc=host", "--user=7:8", "--env=PMI_RANK", "--env=PMI_PORT", "--env=UCX_TLS", "--env=WI4GO_STRICT"})
	assert.NotContains(t, w, "--env=HOME")
	assert.NotContains(t, w, "--env=PMIX_RANK")
	s.Launcher = launchers.Of(family.OpenMPI.Launcher)
	assert.Subset(t, words(t, Docker, s), []string{"--env=PMIX_RANK", "--env=OMPI_COMM_WORLD_RANK"})
}

func TestUnwritable(t *testing.T) {
	for _, path := range []string{"/opt/a:b", "/opt/a,b", "/opt/a\nb"} {
		p := &Plan{Mounts: []Mount{{From: path, To: path}}}
		for _, kind := range []Kind{Apptainer, Podman, Docker} {
			_, err := p.Words(kind, Setting{TempDir: "/tmp"})
			require.ErrorContains(t, err, "contains a colon or a comma")
		}
		_, err := p.Exports(Setting{TempDir: "/tmp"})
		require.ErrorContains(t, err, "contains a colon or a comma")
	}
	_, err := KindOf("podmn")
	require.ErrorContains(t, err, "did you mean podman? the programs are ")
	_, err = KindOf("lxc")
	require.ErrorContains(t, err, `unknown container program "lxc": the programs are apptainer, podman, docker and cdi`)
}
