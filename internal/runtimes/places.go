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

// A Place is a directory, or a pattern of directories, and the name of the rule that led to it.
type Place struct{ Dir, Name string }

// prefixVars are variables that name the prefix of an MPI, or the directory of its library.
// Modules, vendors and package managers set them.
var prefixVars = []string{"MPI_HOME", "MPI_ROOT", "MPIHOME", "MPI_LIB", "I_MPI_ROOT", "OPAL_PREFIX", "OMPI_HOME",
	"OPENMPI_HOME", "MPICH_HOME", "MPICH_DIR", "CRAY_MPICH_DIR", "MVAPICH_HOME", "CONDA_PREFIX"}

// usualPrefixes are the usual prefixes of MPI libraries outside the linker's own paths.
var usualPrefixes = []Place{
	{"/usr/lib64/openmpi", "/usr"}, {"/usr/lib64/mpich*", "/usr"}, {"/usr/lib64/mvapich*", "/usr"},
	{"/usr/lib64/mpi/gcc/*", "/usr"}, {"/usr/mpi/gcc/*", "/usr"}, {"/usr/lib/openmpi", "/usr"}, {"/usr/lib/mpich", "/usr"},
	{"/usr/local", "/usr/local"}, {"/usr/local/*", "/usr/local"},
	{"/opt/intel/oneapi/mpi/latest", "/opt"}, {"/opt/intel/oneapi/mpi/*", "/opt"},
	{"/opt/cray/pe/mpich/default/ofi/*/*", "/opt"}, {"/opt/cray/pe/mpich/*/ofi/*/*", "/opt"},
	{"/opt/*", "/opt"}, {"/opt/*/*", "/opt"},
}

// fetchedName is the rule that finds runtimes installed by `wi4go get`.
const fetchedName = "wi4go get"

// EmbeddedName is the name of the embedded MPI: of its vendor, and of its directory.
const EmbeddedName = "embedded"

// shippedName is the rule that finds runtimes that are part of wi4go's own installation, and
// embeddedPlace the rule that finds the embedded MPI among them.
const (
	shippedName   = "wi4go"
	embeddedPlace = "wi4go's own"
)

// FromEnviron returns the Search for this process's environment. exclude is the directory of
// wi4go's own fronts.
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
	home, _ := os.UserHomeDir() // without a home directory nothing is found in it
	s.Globs = append(s.Globs, usualPrefixes...)
	s.Globs = append(s.Globs, spackPlaces(home, os.Getenv)...)
	s.Globs = append(s.Globs, easyBuildPlaces(home, os.Getenv)...)
	if dir, err := FetchedDir(); err == nil {
		s.Globs = append(s.Globs, Place{filepath.Join(dir, "*"), fetchedName})
	}
	if exclude != "" {
		s.Globs = append(s.Globs, Place{filepath.Join(exclude, install.Runtimes, "*"), shippedName})
		s.Embedded = filepath.Join(exclude, install.Runtimes, EmbeddedName)
	}
	return s
}

// FetchedDir returns the directory in which `wi4go get` installs runtimes. It is in the user's data
// directory (XDG Base Directory Specification).
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

// spackPlaces returns the places of MPI packages in Spack's trees. It covers the instance named by
// SPACK_ROOT or located in ~/spack, and the tree that the user's configuration chooses.
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
		if !filepath.IsAbs(tree) { // there is no home directory, or the configured path is relative
			continue
		}
		// The layout is <platform>-<os>-<target>/<compiler>/<package>. Since Spack 1.0 it has no
		// compiler, and the target is a separate directory.
		for _, level := range []string{"*", "*/*"} {
			for _, name := range []string{"openmpi-*", "mpich-*", "mvapich*-*", "cray-mpich-*", "intel-mpi-*", "hpcx-mpi-*",
				"intel-oneapi-mpi-*/mpi/*"} {
				places = append(places, Place{filepath.Join(tree, level, name), "Spack"})
			}
		}
	}
	return places
}

// spackTree returns config:install_tree of Spack's configuration file, or "". The value is a path,
// or a mapping in which root is the path.
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

// easyBuildVars returns the names of the variables by which EasyBuild's modules give the prefixes
// of packages: EBROOTOPENMPI, EBROOTIMPI, ….
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

// easyBuildPlaces returns the places of MPI packages in EasyBuild's software directories.
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
