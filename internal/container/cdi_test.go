package container

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/family"
	"wi4go/internal/launchers"
)

func TestDevice(t *testing.T) {
	p := &Plan{Mounts: append([]Mount{{From: "/opt/a: b", To: "/opt/a: b"}}, planned.Mounts...), Env: planned.Env}
	text, err := p.Device("openmpi-on-mpich", Setting{Launcher: launchers.Of(family.MPICH.Launcher), TempDir: "/tmp/x"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"cdiVersion": "0.3.0", "kind": "wi4go/mpi", "devices": [{"name": "openmpi-on-mpich", "containerEdits": {
		"env": ["LD_PRELOAD=/a:/b"],
		"mounts": [
			{"hostPath": "/tmp", "containerPath": "/tmp", "options": ["rbind", "rw", "nosuid", "nodev"]},
			{"hostPath": "/opt/a: b", "containerPath": "/opt/a: b", "options": ["rbind", "ro", "nosuid", "nodev"]},
			{"hostPath": "/opt/mpi", "containerPath": "/opt/mpi", "options": ["rbind", "ro", "nosuid", "nodev"]},
			{"hostPath": "/usr/lib/libx.so.1.2", "containerPath": "/opt/wi4go-host/lib/libx.so.1", "options": ["rbind", "ro", "nosuid", "nodev"]}
		]}}]}`, string(text))
}

func TestDeviceNodes(t *testing.T) {
	assert.Equal(t, []cdiNode{{"/dev/null"}}, deviceNodes([]string{"/dev/null", "/dev/none", t.TempDir()}))
}
