package container_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A mount is a mount in the configuration that runc reads.
type mount struct {
	Destination string   `json:"destination"`
	Type        string   `json:"type,omitempty"`
	Source      string   `json:"source"`
	Options     []string `json:"options,omitempty"`
}

// A device is an entry in a file of the Container Device Interface.
type device struct {
	Name           string
	ContainerEdits struct {
		Env    []string
		Mounts []struct {
			HostPath, ContainerPath string
			Options                 []string
		}
	}
}

// engine does the same as a container engine with a file of the Container Device Interface: FILE KIND=NAME ROOT
// COMMAND…. It merges the device's edits into the configuration of a container with the files of ROOT, then executes
// runc. The container shares the host's processes, network and shared memory, and has the launcher's variables.
func engine(args []string) error {
	if len(args) < 4 {
		return fmt.Errorf("FILE KIND=NAME ROOT COMMAND…, not %q", args)
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var file struct {
		CDIVersion, Kind string
		Devices          []device
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return err
	}
	at := slices.IndexFunc(file.Devices, func(d device) bool { return file.Kind+"="+d.Name == args[1] })
	if at < 0 || file.CDIVersion == "" {
		return fmt.Errorf("%s has no device %s", args[0], args[1])
	}
	edits := file.Devices[at].ContainerEdits

	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "LD_") })
	bind := func(path string) mount { return mount{path, "bind", path, []string{"rbind", "rw"}} }
	mounts := []mount{{"/proc", "proc", "proc", nil}, bind("/dev"), bind("/sys"), {"/opt", "tmpfs", "tmpfs", nil}}
	for _, path := range []string{"/etc/hosts", "/etc/passwd", "/etc/group"} {
		mounts = append(mounts, bind(path))
	}
	for _, m := range edits.Mounts {
		mounts = append(mounts, mount{m.ContainerPath, "bind", m.HostPath, m.Options})
	}
	all := []string{"CAP_DAC_OVERRIDE", "CAP_SYS_PTRACE"}
	configuration := map[string]any{
		"ociVersion": "1.0.2",
		"root":       map[string]any{"path": args[2]},
		"mounts":     mounts,
		"linux":      map[string]any{"namespaces": []map[string]string{{"type": "mount"}}},
		"process": map[string]any{
			"user": map[string]int{"uid": os.Getuid(), "gid": os.Getgid()}, "cwd": "/", "args": args[3:], "env": append(env, edits.Env...),
			"capabilities": map[string][]string{"bounding": all, "effective": all, "permitted": all},
		},
	}
	bundle, err := os.MkdirTemp("", "bundle")
	if err != nil {
		return err
	}
	if text, err = json.Marshal(configuration); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(bundle, "config.json"), text, 0o644); err != nil {
		return err
	}
	path, err := exec.LookPath("runc")
	if err != nil {
		return err
	}
	return syscall.Exec(path, []string{"runc", "--root", filepath.Join(bundle, "state"), "run", "--bundle", bundle, fmt.Sprint("wi4go-", os.Getpid())}, os.Environ())
}

// TestDevice runs programs under runc with a file of the Container Device Interface: translated, and on a library of
// their own family.
func TestDevice(t *testing.T) {
	if _, err := exec.LookPath("runc"); err != nil {
		harness.Missing(t, fmt.Errorf("runc: %w; install it", harness.ErrMissing))
	}
	root := debootstrapped(t)
	for _, family := range harness.Names {
		program(t, family, filepath.Join(root, "srv", family))
	}
	for _, c := range []struct{ from, to, name, options, says string }{
		{"openmpi", "mpich", "openmpi-on-mpich", "-pmi-port", "on Open MPI v"},
		{"mpich", "openmpi", "mpich-on-openmpi", "", "on MPICH Version:"},
		{"openmpi", "openmpi", "openmpi", "", "on Open MPI v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			host := library(t, c.to)
			file := filepath.Join(t.TempDir(), "wi4go.json")
			out := shell(t, fmt.Sprintf(`wi4go env --container cdi --to %s --rootfs %s /srv/%s > %s
				export TMPDIR=%s
				%s %s -n 2 engine %s wi4go/mpi=%s %s /srv/%s /tmp/file.$$`,
				host.MPIExec, root, c.from, file, t.TempDir(), host.MPIExec, c.options, file, c.name, root, c.from))
			assert.Contains(t, out, "ranks 2 sum 3 put 2 "+c.says)
			assert.Equal(t, c.from != c.to, strings.Contains(out, "wi4go on: "), out)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Contains(t, string(text), "/opt/wi4go-host/lib/")
		})
	}
}
