package container

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// CDI is no program but the Container Device Interface: a file that tells every
// engine which knows it (podman, docker, containerd, CRI-O) what a device of that
// name is in a container.
const CDI Kind = "cdi"

// CDIKind is the kind of our devices, by which an engine finds them: kind=name.
const CDIKind = "wi4go/mpi"

// The structure of a file of the Container Device Interface, of its first version
// that is in use, which has all we need.
type (
	cdiSpec struct {
		Version string      `json:"cdiVersion"`
		Kind    string      `json:"kind"`
		Devices []cdiDevice `json:"devices"`
	}
	cdiDevice struct {
		Name  string   `json:"name"`
		Edits cdiEdits `json:"containerEdits"`
	}
	cdiEdits struct {
		Env         []string   `json:"env,omitempty"`
		DeviceNodes []cdiNode  `json:"deviceNodes,omitempty"`
		Mounts      []cdiMount `json:"mounts"`
	}
	cdiNode struct {
		Path string `json:"path"`
	}
	cdiMount struct {
		HostPath      string   `json:"hostPath"`
		ContainerPath string   `json:"containerPath"`
		Options       []string `json:"options"`
	}
)

// Device is the file that describes the plan as one device.
func (p *Plan) Device(name string, s Setting) ([]byte, error) {
	edits := cdiEdits{DeviceNodes: deviceNodes(devices)}
	for _, m := range p.withTemp(CDI, s) {
		options := []string{"rbind", "ro", "nosuid", "nodev"}
		if m.Writable {
			options = []string{"rbind", "rw", "nosuid", "nodev"}
		}
		edits.Mounts = append(edits.Mounts, cdiMount{m.From, m.To, options})
	}
	for _, v := range p.Env {
		edits.Env = append(edits.Env, v.Name+"="+v.Value)
	}
	text, err := json.MarshalIndent(cdiSpec{"0.3.0", CDIKind, []cdiDevice{{name, edits}}}, "", "  ")
	return append(text, '\n'), err
}

// deviceNodes are the device files at paths and below them: a file of the interface
// names each.
func deviceNodes(paths []string) []cdiNode {
	var nodes []cdiNode
	for _, path := range paths {
		// An error is a device that this machine does not have.
		_ = filepath.WalkDir(path, func(file string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type()&os.ModeDevice != 0 {
				nodes = append(nodes, cdiNode{file})
			}
			return nil
		})
	}
	return nodes
}
