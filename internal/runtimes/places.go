package runtimes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"wi4go/internal/install"
	"wi4go/internal/ldso"
)

// A Place is a directory, or a pattern of directories, and what named it.
type Place struct{ Dir, Name string }

// prefixVars name a prefix of an MPI, or the directory of its library, by the
// habit of modules, vendors and package managers.
var prefixVars = []string{"MPI_HOME", "MPI_ROOT", "MPIHOME", "MPI_LIB", "I_MPI_ROOT", "OPAL_PREFIX", "OMPI_HOME",
	"OPENMPI_HOME", "MPICH_HOME", "MPICH_DIR", "CRAY_MPICH_DIR", "MVAPICH_HOME", "CONDA_PREFIX"}

// usualPrefixes are where MPI libraries live beside the linker's own paths.
var usualPrefixes = []Place{
	{"/usr/lib64/openmpi", "/usr"}, {"/usr/lib64/mpich*", "/usr"}, {"/usr/lib64/mvapich*", "/usr"},
	{"/usr/lib64/mpi/gcc/*", "/usr"}, {"/usr/mpi/gcc/*", "/usr"}, {"/usr/lib/openmpi", "/usr"}, {"/usr/lib/mpich", "/usr"},
	{"/usr/local", "/usr/local"}, {"/usr/local/*", "/usr/local"},
	{"/opt/intel/oneapi/mpi/latest", "/opt"}, {"/opt/intel/oneapi/mpi/*", "/opt"},
	{"/opt/cray/pe/mpich/default/ofi/*/*", "/opt"}, {"/opt/cray/pe/mpich/*/ofi/*/*", "/opt"},
	{"/opt/*", "/opt"}, {"/opt/*/*", "/opt"},
}

// fetchedName is the rule that finds what `wi4go get` brought.
const fetchedName = "wi4go get"

// shippedName is the rule that finds what came with wi4go itself.
const shippedName = "wi4go"

// FromEnviron is the search of this process's environment. exclude is the
// directory of our own fronts.
func FromEnviron(exclude string) Search {
	s := Search{
		Path:    filepath.SplitList(os.Getenv("PATH")),
		Libs:    ldso.FromEnviron(),
		Links:   "/etc/alternatives",
		Exclude: exclude,
		files:   newFiles(),
	}
	for _, name := range append([]string{"VIRTUAL_ENV"}, append(prefixVars, easyBuildVars(os.Environ())...)...) {
		if dir := os.Getenv(name); filepath.IsAbs(dir) {
			s.Prefixes = append(s.Prefixes, Place{dir, name})
		}
	}
	for _, dir := range ldso.SplitPath(os.Getenv("CRAY_LD_LIBRARY_PATH")) {
		s.Prefixes = append(s.Prefixes, Place{dir, "CRAY_LD_LIBRARY_PATH"})
	}
	home, _ := os.UserHomeDir() // without one there is nothing in it
	s.Globs = append(s.Globs, usualPrefixes...)
	s.Globs = append(s.Globs, spackPlaces(home, os.Getenv)...)
	s.Globs = append(s.Globs, easyBuildPlaces(home, os.Getenv)...)
	if dir, err := FetchedDir(); err == nil {
		s.Globs = append(s.Globs, Place{filepath.Join(dir, "*"), fetchedName})
	}
	if exclude != "" {
		s.Globs = append(s.Globs, Place{filepath.Join(exclude, install.Runtimes, "*"), shippedName})
	}
	return s
}

// FetchedDir is where `wi4go get` puts runtimes: in the user's data directory
// (XDG Base Directory Specification).
func FetchedDir() (string, error) {
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // "All paths … must be absolute"; others are ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		data = filepath.Join(home, ".local/share")
	}
	return filepath.Join(data, "wi4go/runtimes"), nil
}

// spackPlaces are the MPI packages in Spack's trees: of the instance that
// SPACK_ROOT names or that lies in ~/spack, and where the user's configuration
// puts packages.
func spackPlaces(home string, getenv func(string) string) []Place {
	var places []Place
	if env := getenv("SPACK_ENV"); env != "" {
		places = append(places, Place{filepath.Join(env, ".spack-env/view"), "SPACK_ENV"})
	}
	root := getenv("SPACK_ROOT")
	if root == "" {
		root = filepath.Join(home, "spack")
	}
	trees := []string{filepath.Join(root, "opt/spack")}
	config := getenv("SPACK_USER_CONFIG_PATH")
	if config == "" {
		config = filepath.Join(home, ".spack")
	}
	if tree := spackTree(filepath.Join(config, "config.yaml")); filepath.IsAbs(config) && tree != "" {
		trees = append(trees, strings.NewReplacer("$spack", root, "~", home, "$user", getenv("USER")).Replace(tree))
	}
	for _, tree := range trees {
		if !filepath.IsAbs(tree) { // there is no home, or the configuration counts from elsewhere
			continue
		}
		// <platform>-<os>-<target>/<compiler>/<package>; the compiler is left
		// out since Spack 1.0, the target is a directory of its own.
		for _, level := range []string{"*", "*/*"} {
			for _, name := range []string{"openmpi-*", "mpich-*", "mvapich*-*", "cray-mpich-*", "intel-mpi-*", "hpcx-mpi-*",
				"intel-oneapi-mpi-*/mpi/*"} {
				places = append(places, Place{filepath.Join(tree, level, name), "Spack"})
			}
		}
	}
	return places
}

// spackTree reads config:install_tree of Spack's configuration: a path, or a
// mapping that has it as root.
func spackTree(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	var content struct {
		Config struct {
			Tree yaml.Node `yaml:"install_tree"`
		} `yaml:"config"`
	}
	var mapping struct {
		Root string `yaml:"root"`
	}
	if yaml.Unmarshal(data, &content) != nil {
		return ""
	}
	if tree := content.Config.Tree; tree.Kind == yaml.ScalarNode {
		return tree.Value
	} else if tree.Decode(&mapping) == nil {
		return mapping.Root
	}
	return ""
}

// easyBuildVars are the variables by which EasyBuild's modules tell the prefix
// of a package: EBROOTOPENMPI, EBROOTIMPI, ….
func easyBuildVars(environ []string) []string {
	var names []string
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "EBROOT") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// easyBuildPlaces are the MPI packages in EasyBuild's software directories.
func easyBuildPlaces(home string, getenv func(string) string) []Place {
	var places []Place
	for _, root := range []string{getenv("EASYBUILD_INSTALLPATH"), getenv("EASYBUILD_PREFIX"), filepath.Join(home, ".local/easybuild")} {
		if !filepath.IsAbs(root) {
			continue
		}
		for _, name := range []string{"OpenMPI/*", "MPICH/*", "MVAPICH*/*", "psmpi/*", "impi/*", "impi/*/mpi/*"} {
			places = append(places, Place{filepath.Join(root, "software", name), "EasyBuild"})
		}
	}
	return places
}
