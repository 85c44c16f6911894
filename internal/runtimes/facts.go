package runtimes

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
)

// LargeCounts reports whether the library exports the functions with MPI_Count arguments (MPI-4.0,
// 2.5.8).
func (r *Runtime) LargeCounts() bool { return r.object.Defines("PMPI_Send_c") }

// Files holds facts that a runtime's files show in addition to its symbols.
type Files struct {
	// ProcessManagers are the protocols by which it can learn its rank: pmi1, pmi2, pmix. If the
	// library opens the process manager's own client library (Intel MPI: I_MPI_PMI_LIBRARY), the
	// protocol counts as well.
	ProcessManagers []string
	// Fabrics are the transports that carry its messages: shm, tcp, ucx, ofi (libfabric), and
	// others by their own names. Providers in separate files follow in parentheses: ofi(efa,verbs).
	Fabrics []string
}

// ReadFiles returns the facts in the files of the library, of the libraries that it needs, and of
// its plugins. libs finds these libraries. For a library of another machine it returns no facts.
func (r *Runtime) ReadFiles(libs ldso.Search) Files {
	if r.object.Machine != elfobj.HostMachine() {
		return Files{}
	}
	if fabrics := r.Traits().Fabrics; fabrics != nil {
		return Files{Fabrics: fabrics}
	}
	parts := r.parts(libs)
	if r.Vendor == OpenMPI.Name {
		return parts.openMPI()
	}
	return parts.mpich()
}

// parts holds the content of the files that make up an MPI library.
type parts struct {
	text    []byte // the read-only data of the library and of its own parts in other files
	objects []*elfobj.Object
	plugins []string // names of the files in its plugin directories
}

// parts collects the files: the libraries that the library needs, and the plugin directories near
// the library and near each transport library.
func (r *Runtime) parts(libs ldso.Search) parts {
	var p parts
	tree, err := libs.Load(r.Library)
	if err != nil {
		return p
	}
	dirs := map[string]bool{}
	for i, n := range tree.Nodes {
		p.objects = append(p.objects, n.Object)
		if i == 0 || openMPIPart.MatchString(n.Name) {
			p.text = append(p.text, elfobj.Constants(n.Path)...)
		}
		if i == 0 || transport.MatchString(n.Name) {
			for _, dir := range pluginDirs() {
				dirs[filepath.Join(filepath.Dir(r.files.real(n.Path)), dir)] = true
			}
		}
	}
	for dir := range dirs {
		if r.files.real(dir) == "" {
			continue
		}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			p.plugins = append(p.plugins, e.Name())
		}
	}
	return p
}

// openMPIPart matches Open MPI's own parts, and transport the libraries that have plugins.
var (
	openMPIPart = pattern.New(`^libopen-(pal|rte)\.so`)
	transport   = pattern.New(`^lib(fabric|uc[pts]|mpi)\b`)
)

// pluginDirs returns the directories, relative to a library's, that may contain its plugins. It
// includes the directories of all families, because a library of the standard ABI uses the plugins
// of its vendor's family.
func pluginDirs() []string {
	dirs := []string{""}
	for _, f := range family.All {
		dirs = append(dirs, f.Plugins...)
	}
	return dirs
}

// needs reports whether one of the objects needs a library, named without ".so".
func (p parts) needs(name string) bool {
	return slices.ContainsFunc(p.objects, func(o *elfobj.Object) bool {
		return slices.ContainsFunc(o.Needed, func(n string) bool { return strings.HasPrefix(n, name+".so") })
	})
}

// contains reports whether the read-only data contain a text.
func (p parts) contains(text string) bool { return bytes.Contains(p.text, []byte(text)) }

// ofiProvider and ucxModule match the file names of plugins.
var (
	ofiProvider = pattern.New(`^lib(\w+?)(?:-[\d.]+)?-fi\.so`)
	ucxModule   = pattern.New(`^libuct_(\w+)\.so`)
)

// modules returns a transport's name, followed in parentheses by its providers among the plugins.
func (p parts) modules(name string, pattern *pattern.Pattern) string {
	var found []string
	for _, file := range p.plugins {
		if m := pattern.FindStringSubmatch(file); m != nil && !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	if len(found) == 0 {
		return name
	}
	slices.Sort(found)
	return name + "(" + strings.Join(found, ",") + ")"
}

// mpich returns the facts about a library of MPICH's family. The name of its device lists the
// transports (ch4:ucx, ch3:nemesis); its clients of the process manager are compiled in.
func (p parts) mpich() Files {
	var f Files
	if p.contains("PMI_FD") {
		f.ProcessManagers = append(f.ProcessManagers, "pmi1")
	}
	if p.contains("fullinit") || p.contains("PMI2_Init not found") || p.needs("libpmi2") {
		f.ProcessManagers = append(f.ProcessManagers, "pmi2")
	}
	if p.contains("PMIx_Init not found") || p.needs("libpmix") {
		f.ProcessManagers = append(f.ProcessManagers, "pmix")
	}
	var device []string
	if m := mpichDevice.FindSubmatch(p.text); m != nil {
		device = strings.FieldsFunc(string(m[1]), func(r rune) bool { return strings.ContainsRune(": ,", r) })
	}
	if len(device) > 0 || p.contains("/dev/shm") {
		f.Fabrics = append(f.Fabrics, "shm")
	}
	for _, name := range device {
		switch name {
		case "ofi":
			f.Fabrics = append(f.Fabrics, p.modules("ofi", ofiProvider))
		case "ucx":
			f.Fabrics = append(f.Fabrics, p.modules("ucx", ucxModule))
		case "nemesis", "sock":
			f.Fabrics = append(f.Fabrics, "tcp")
		default:
			f.Fabrics = append(f.Fabrics, name) // a vendor's own transport
		}
	}
	return f
}

// mpichDevice matches the name of the device.
var mpichDevice = pattern.New(`\x00ch[34]:([a-z0-9_]+(?:[ ,:][a-z0-9_]+)*)\x00`)

// openMPI returns the facts about an Open MPI, from its components. They are separate files or part
// of its libraries.
func (p parts) openMPI() Files {
	has := func(component string) bool {
		symbol := "mca_" + component + "_component"
		return slices.Contains(p.plugins, "mca_"+component+".so") ||
			slices.ContainsFunc(p.objects, func(o *elfobj.Object) bool { return o.Defines(symbol) })
	}
	var f Files
	for _, c := range []struct{ component, speaks string }{
		{"pmix_s1", "pmi1"}, {"pmix_s2", "pmi2"}, {"pmix_pmix3x", "pmix"}, {"pmix_ext3x", "pmix"},
		{"pmix_pmix4x", "pmix"}, {"pmix_ext4x", "pmix"}, {"pmix_pmix2x", "pmix"}, {"pmix_ext2x", "pmix"},
	} {
		if has(c.component) && !slices.Contains(f.ProcessManagers, c.speaks) {
			f.ProcessManagers = append(f.ProcessManagers, c.speaks)
		}
	}
	// Open MPI 5 supports only PMIx, through a separate library or a copy inside its own.
	if p.needs("libpmix") || slices.ContainsFunc(p.objects, func(o *elfobj.Object) bool { return o.Defines("PMIx_Init") }) {
		if !slices.Contains(f.ProcessManagers, "pmix") {
			f.ProcessManagers = append(f.ProcessManagers, "pmix")
		}
	}
	for _, c := range []struct {
		components, fabric string
		modules            *pattern.Pattern
	}{
		{"btl_sm btl_vader", "shm", nil}, {"btl_tcp", "tcp", nil}, {"pml_ucx btl_uct", "ucx", ucxModule},
		{"mtl_ofi btl_ofi", "ofi", ofiProvider}, {"btl_openib", "verbs", nil}, {"mtl_psm", "psm", nil},
		{"mtl_psm2", "psm2", nil}, {"mtl_portals4", "portals4", nil}, {"btl_usnic", "usnic", nil}, {"btl_ugni", "ugni", nil},
	} {
		if slices.ContainsFunc(strings.Fields(c.components), has) {
			fabric := c.fabric
			if c.modules != nil {
				fabric = p.modules(fabric, c.modules)
			}
			f.Fabrics = append(f.Fabrics, fabric)
		}
	}
	return f
}
