package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"wi4go/tests/harness"
)

// peerRows are the rows that --peers measures unless others are named.
const peerRows = "comm_rank_*,type_size_*,get_count,sendrecv_status,allreduce_sum,reduce_local_user,isend_irecv_waitall*,isend_irecv_waitany,type_life"

// peer is another translation layer, built from sources that the user has.
type peer struct {
	name string
	// variables are the environment variables that name its source directories.
	variables []string
	// columns builds the peer for the site's library. It returns the programs to measure, each
	// with the command that starts it.
	columns func(s site) ([]column, error)
}

// column is one route from a program to the library.
type column struct {
	title string
	variant
}

// site is the place for which a peer is built: a library and directories.
type site struct {
	target
	// sources are the source directories, in the order of the peer's variables.
	sources []string
	// dir is the build directory of this peer and library.
	dir string
	// c is the path of calls.c.
	c string
	// programs are wi4go's programs by family.
	programs map[string]string
}

// peers are all peers that can be compared.
var peers = []peer{
	{"mpi_abi_wrapper", []string{"PEER_MPI_ABI_WRAPPER"}, mpiABIWrapper},
	{"Mukautuva", []string{"PEER_MUKAUTUVA"}, mukautuva},
	{"MPItrampoline", []string{"PEER_MPITRAMPOLINE", "PEER_MPIWRAPPER"}, mpitrampoline},
	{"WI4MPI", []string{"PEER_WI4MPI"}, wi4mpi},
}

// errNotNamed is the error for a peer whose variables are not set.
var errNotNamed = errors.New("not named")

// sources returns the directories that the peer's variables name. It returns errNotNamed if
// none is set, and another error if one is missing or is no directory.
func (p peer) sources() ([]string, error) {
	var dirs, missing []string
	for _, v := range p.variables {
		dir := os.Getenv(v)
		if dir == "" {
			missing = append(missing, v)
			continue
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s=%s: no such directory: set it to an existing one", v, dir)
		}
		dirs = append(dirs, dir)
	}
	switch {
	case len(dirs) == 0:
		return nil, fmt.Errorf("%w: set %s to the directory of its sources", errNotNamed, strings.Join(missing, " and "))
	case len(missing) > 0:
		return nil, fmt.Errorf("%s is set, but %s is needed too: set it", p.variables[0], strings.Join(missing, ", "))
	}
	return dirs, nil
}

// comparePeers prints, for each library, the instructions that wi4go and each peer add to a
// native call. It returns an error if wi4go's programs cannot be compiled or a named source
// directory does not exist.
func (o options) comparePeers(c, dir string, rows []rowSpec) error {
	sources := map[string][]string{}
	for _, p := range peers {
		dirs, err := p.sources()
		if errors.Is(err, errNotNamed) {
			note("%s: %v", p.name, err)
		} else if err != nil {
			return err
		} else {
			sources[p.name] = dirs
		}
	}
	programs, err := o.programs(c, dir)
	if err != nil {
		return err
	}
	work := filepath.Join(o.prefix, "peers")
	if work, err = filepath.Abs(work); err != nil {
		return err
	}
	for _, t := range o.targets(c, dir) {
		if t.family == standard {
			continue // it is a column in the table of the library's own ABI
		}
		columns := []column{{"native", variant{program: t.native}}}
		for _, family := range families {
			if program := programs[family]; program != "" && family != t.family {
				through, err := t.through(o.prefix, program, family)
				if err != nil {
					return err
				}
				columns = append(columns, column{"wi4go, " + family, variant{program: program, through: through}})
			}
		}
		if t.abi != "" {
			columns = append(columns, column{"its own ABI", variant{program: t.abi}})
		}
		for _, p := range peers {
			dirs := sources[p.name]
			if dirs == nil {
				continue
			}
			s := site{target: t, sources: dirs, dir: filepath.Join(work, p.name, t.tools.Name), c: c, programs: programs}
			if err := os.MkdirAll(s.dir, 0o755); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "→%s: %s is built\n", t.tools.Name, p.name)
			more, err := p.columns(s)
			if err != nil {
				note("→%s: %s: %v", t.tools.Name, p.name, err)
			}
			columns = append(columns, more...)
		}
		b := bench{options: o, dir: dir, target: t, rows: rows}
		var counted []map[string]counts
		for _, c := range columns {
			fmt.Fprintf(os.Stderr, "→%s: instructions: %s\n", t.tools.Name, c.title)
			counted = append(counted, b.countEach(c))
		}
		printPeers(os.Stdout, t.tools.Name, rows, columns, counted)
	}
	return nil
}

// countEach returns the counts of all rows, from one process if it survives them, else from one
// process for each row. A row that fails gets no count. The resident memory, in KB, is stored as
// if it were a count.
func (b bench) countEach(c column) map[string]counts {
	all := map[string]counts{}
	defer func() {
		kb := samples{}
		if err := b.output(kb, 1, append(c.starter(), c.program, "memory")...); err != nil {
			note("%s: memory: %v", c.title, err)
		} else if x := kb[memory]; len(x) > 0 {
			all[memory] = counts{All: x[0]}
		}
	}()
	if err := b.measureInstructions(c.variant, all); err == nil {
		return all
	}
	clear(all)
	rows := b.rows
	for i, row := range rows {
		b.rows = rows[i : i+1]
		if err := b.measureInstructions(c.variant, all); err != nil {
			note("%s: %s: %v", c.title, row.name, err)
		}
	}
	return all
}

// printPeers writes the instructions that each column adds to the first, which is native. The
// last row is the memory.
func printPeers(w io.Writer, library string, rows []rowSpec, columns []column, counted []map[string]counts) {
	fmt.Fprintf(w, "\n%s: instructions of a native call, and what each adds\n", library)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "row\t")
	for _, c := range columns {
		fmt.Fprintf(t, "%s\t", c.title)
	}
	fmt.Fprintln(t)
	names := []string{}
	for _, row := range rows {
		names = append(names, row.name)
	}
	for _, name := range append(names, memory) {
		native, ok := counted[0][name]
		if !ok {
			continue
		}
		title := name
		if name == memory {
			title = "resident memory, KB"
		}
		fmt.Fprintf(t, "%s\t%s\t", title, number(native.All, false))
		for _, c := range counted[1:] {
			if n, ok := c[name]; ok {
				fmt.Fprintf(t, "%s\t", signed(n.All-native.All, false))
			} else {
				fmt.Fprint(t, "fails \t")
			}
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// mpiABIWrapper builds mpi_abi_wrapper, which is compiled against one library and finds it by a
// built-in path. gcc mistakes MPICH's STATUSES_IGNORE, the address 1, for an array, and must
// not warn.
func mpiABIWrapper(s site) ([]column, error) {
	prefix, err := s.cmake(s.sources[0], "-DBUILD_TESTING=OFF", "-DCMAKE_C_FLAGS=-Wno-stringop-overflow", "-DMPI_C_COMPILER="+s.tools.MPICC, "-DMPIEXEC_EXECUTABLE="+s.tools.MPIExec)
	if err != nil {
		return nil, err
	}
	program := filepath.Join(s.dir, "calls")
	err = harness.Toolchain{MPICC: filepath.Join(prefix, "bin", "mpicc")}.Compile(s.c, program)
	// Its directory comes before the library's own, which may have another libmpi_abi.
	start := []string{"env", "LD_LIBRARY_PATH=" + filepath.Join(prefix, "lib") + ":" + filepath.Dir(s.library)}
	return []column{{"mpi_abi_wrapper", variant{program: program, start: start}}}, err
}

// mukautuva builds Mukautuva, which is compiled against a library of each family and opens the
// library that MPI_LIB names.
func mukautuva(s site) ([]column, error) {
	tools := map[string]harness.Toolchain{}
	for _, family := range harness.Names {
		var err error
		if tools[family], err = harness.Find(family); err != nil {
			return nil, err
		}
	}
	tools[s.family] = s.tools
	tree, err := s.copy(s.sources[0])
	if err != nil {
		return nil, err
	}
	cxx := func(cc string) string { return strings.Replace(cc, "mpicc", "mpicxx", 1) }
	err = s.run(tree, "make", "libs", "CC=cc",
		"OMPICC="+tools["openmpi"].MPICC, "OMPICXX="+cxx(tools["openmpi"].MPICC),
		"MPICHCC="+tools["mpich"].MPICC, "MPICHCXX="+cxx(tools["mpich"].MPICC))
	if err != nil {
		return nil, err
	}
	program := filepath.Join(s.dir, "calls")
	err = harness.Toolchain{MPICC: "cc"}.Compile(s.c, program, "-I"+tree, filepath.Join(tree, "libmuk.so"), "-Wl,-rpath,"+tree)
	return []column{{"Mukautuva", variant{program: program, start: []string{"env", "MPI_LIB=" + s.library}}}}, err
}

// mpitrampoline builds MPItrampoline, which forwards to MPIwrapper. The latter is compiled
// against the one library.
func mpitrampoline(s site) ([]column, error) {
	prefix, err := s.cmake(s.sources[0], "-DBUILD_SHARED_LIBS=ON", "-DENABLE_FORTRAN=OFF")
	if err != nil {
		return nil, err
	}
	wrapper, err := s.cmake(s.sources[1], "-DMPI_C_COMPILER="+s.tools.MPICC, "-DMPIEXEC_EXECUTABLE="+s.tools.MPIExec,
		"-DMPI_CXX_COMPILER="+strings.Replace(s.tools.MPICC, "mpicc", "mpicxx", 1), "-DMPI_Fortran_COMPILER="+strings.Replace(s.tools.MPICC, "mpicc", "mpifort", 1))
	if err != nil {
		return nil, err
	}
	program := filepath.Join(s.dir, "calls")
	err = harness.Toolchain{MPICC: filepath.Join(prefix, "bin", "mpicc")}.Compile(s.c, program)
	start := []string{"env", "MPITRAMPOLINE_LIB=" + filepath.Join(wrapper, "lib", "libmpiwrapper.so")}
	return []column{{"MPItrampoline", variant{program: program, start: start}}}, err
}

// wi4mpi builds WI4MPI, which finds a library by the layout of its directory, so it gets a
// directory with that layout. Its source tree lacks the generated sources: the build runs the
// generator, which needs Python's jinja2, docopt, colorlog and jsonschema.
func wi4mpi(s site) ([]column, error) {
	prefix := filepath.Join(filepath.Dir(s.dir), "prefix") // shared by all libraries
	if _, err := os.Stat(filepath.Join(prefix, "bin", "wi4mpi")); err != nil {
		one := s
		one.dir = filepath.Dir(s.dir)
		tree, err := one.copy(s.sources[0])
		if err == nil {
			_, err = one.cmakeInto(prefix, tree, "-DWI4MPI_GENERATOR=ON")
		}
		if err != nil {
			return nil, err
		}
	}
	fortran := ""
	for _, name := range map[string][]string{"openmpi": {"libmpi_mpifh.so*"}, "mpich": {"libmpichfort.so*", "libmpifort.so*"}}[s.family] {
		if found, _ := filepath.Glob(filepath.Join(filepath.Dir(s.library), name)); fortran == "" && len(found) > 0 {
			fortran = found[0]
		}
	}
	if fortran == "" {
		return nil, fmt.Errorf("%s has no Fortran library next to it, which WI4MPI also opens", s.library)
	}
	root := filepath.Join(s.dir, "root")
	links := map[string]string{"libmpi.so": s.library, "libmpi_mpifh.so": fortran, "libmpifort.so": fortran}
	if err := os.MkdirAll(filepath.Join(root, "lib"), 0o755); err != nil {
		return nil, err
	}
	for name, file := range links {
		link := filepath.Join(root, "lib", name)
		os.Remove(link) // left by an earlier run
		if err := os.Symlink(file, link); err != nil {
			return nil, err
		}
	}
	start := []string{"env", strings.ToUpper(s.family) + "_ROOT=" + root, filepath.Join(prefix, "bin", "wi4mpi"), "-t", s.family}
	var columns []column
	from := harness.Other(s.family)
	if program := s.programs[from]; program != "" {
		columns = append(columns, column{"WI4MPI, " + from, variant{program: program, start: append(slices.Clone(start), "-f", from)}})
	}
	program := filepath.Join(s.dir, "calls")
	more := []string{"-I" + filepath.Join(prefix, "include"), filepath.Join(prefix, "lib", "libmpi.so")}
	for _, name := range []string{"MPI_Comm_c2f", "MPI_Comm_f2c", "MPI_Type_c2f", "MPI_Type_f2c"} {
		more = append(more, "-Wl,--defsym,"+name+"=main") // missing in its library; no measured row calls them
	}
	if err := (harness.Toolchain{MPICC: "cc"}).Compile(s.c, program, more...); err != nil {
		return columns, err
	}
	return append(columns, column{"WI4MPI's own ABI", variant{program: program, start: start}}), nil
}

// cmake builds and installs sources for the site. It returns the directory that it has
// installed them in, or an error if a step fails.
func (s site) cmake(source string, options ...string) (string, error) {
	return s.cmakeInto(filepath.Join(s.dir, filepath.Base(source)+"-prefix"), source, options...)
}

// cmakeInto does the same for a given directory.
func (s site) cmakeInto(prefix, source string, options ...string) (string, error) {
	build := filepath.Join(s.dir, filepath.Base(source)+"-build")
	configure := append([]string{"cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_PREFIX=" + prefix, "-DCMAKE_INSTALL_LIBDIR=lib"}, options...)
	for _, command := range [][]string{configure, {"cmake", "--build", build, "-j2"}, {"cmake", "--install", build}} {
		if err := s.run(s.dir, command...); err != nil {
			return "", err
		}
	}
	return prefix, nil
}

// run runs a step of a build. Its output goes to a file, which an error names.
func (s site) run(dir string, command ...string) error {
	path := filepath.Join(s.dir, "log")
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	fmt.Fprintf(log, "\n%s\n", strings.Join(command, " "))
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.Env = append(os.Environ(), s.environment...)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: see the end of %s", strings.Join(command, " "), err, path)
	}
	return nil
}

// copy copies sources that are built in their own tree, without their history. It copies them
// only once, and returns the directory of the copy.
func (s site) copy(source string) (string, error) {
	tree := filepath.Join(s.dir, "source")
	if _, err := os.Stat(tree); err == nil {
		return tree, nil
	}
	// The copy gets its name when it is complete.
	part := tree + ".part"
	if err := os.RemoveAll(part); err != nil {
		return "", err
	}
	err := filepath.WalkDir(source, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		to := filepath.Join(part, name)
		switch {
		case e.Name() == ".git":
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return os.MkdirAll(to, 0o755)
		case e.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, to)
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, info.Mode().Perm())
	})
	if err != nil {
		return "", err
	}
	return tree, os.Rename(part, tree)
}
