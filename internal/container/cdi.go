package container

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// CDI is not a program but the Container Device Interface: a file that describes a device of a
// container to every engine that supports it (podman, docker, containerd, CRI-O).
const CDI Kind = "cdi"

// CDIKind is the kind of wi4go's devices. An engine refers to one as kind=name.
const CDIKind = "wi4go/mpi"

// The structure of a file of the Container Device Interface. It is the first version in use,
// which suffices.
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

// Device returns a file that describes the plan as one device called name.
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

// deviceNodes returns the device files at paths and below them, because a CDI file must name
// each.
func deviceNodes(paths []string) []cdiNode {
	var nodes []cdiNode
	for _, path := range paths {
		// An error means that this machine does not have the device.
		_ = filepath.WalkDir(path, func(file string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type()&os.ModeDevice != 0 {
				nodes = append(nodes, cdiNode{file})
			}
			return nil
		})
	}
	return nodes
}
