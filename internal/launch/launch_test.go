package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/config"
	"wi4go/internal/elfobj"
	"wi4go/internal/fakempi"
	"wi4go/internal/family"
	"wi4go/internal/install"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

type world struct {
	t                            *testing.T
	dir                          string
	open, open2, mpich, upstream *runtimes.Runtime
	openApp, mpichApp, plain     string
	openFront, mpichFront        string
	env                          map[string]string
	config                       config.Config
	Launcher
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir(), env: map[string]string{}}
	openLib := fakempi.OpenMPI(t, w.at("open"))
	mpichLib := fakempi.MPICH(t, w.at("mpich"), "libmpich.so.12", "")
	w.openFront = fakempi.Front(t, w.at("ours"), "openmpi")
	w.mpichFront = fakempi.Front(t, w.at("ours"), "mpich")
	w.Launcher = Launcher{
		Tree:     install.Tree{Prefix: w.at("ours")},
		Runtimes: runtimes.Search{Path: []string{w.at("open/bin"), w.at("mpich/bin")}, Exclude: w.at("ours/lib/wi4go")},
		Getenv:   func(name string) string { return w.env[name] },
		CacheDir: func() (string, error) { return w.at("cache"), nil },
		Config:   func() (config.Config, error) { return w.config, nil },
	}
	fakempi.OpenMPI(t, w.at("open2"))
	fakempi.MPICH(t, w.at("upstream"), "libmpi.so.12", "")
	w.open, w.open2 = w.resolve(openLib), w.resolve(w.at("open2"))
	w.mpich, w.upstream = w.resolve(mpichLib), w.resolve(w.at("upstream"))
	w.openApp = fakempi.Program(t, w.at("open_app"), openLib)
	w.mpichApp = fakempi.Program(t, w.at("mpich_app"), mpichLib)
	w.plain = fakempi.Compile(t, "int main() { return 0; }", w.at("plain"))
	return w
}

func (w *world) at(name string) string { return filepath.Join(w.dir, name) }

func (w *world) resolve(to string) *runtimes.Runtime {
	rt, err := w.Runtimes.Resolve(to)
	require.NoError(w.t, err)
	return rt
}

// standIn returns the path of the stand-in for a family's soname.
func (w *world) standIn(family, soname string) string {
	return w.at("ours/lib/wi4go/" + family + "/preload/" + soname)
}

// paths returns the directories for LD_LIBRARY_PATH of some families if none of their C++ libraries
// is on this machine.
func (w *world) paths(families ...string) string {
	var dirs []string
	for _, name := range families {
		dirs = append(dirs, w.at("ours/lib/wi4go/"+name+"/path"))
		f, err := family.Of(name)
		require.NoError(w.t, err)
		for _, soname := range f.Cxx {
			dirs = append(dirs, w.at("ours/lib/wi4go/"+name+"/cxx/"+soname))
		}
	}
	return strings.Join(dirs, ":")
}

func (w *world) job(app, from string, rt *runtimes.Runtime) *Job {
	w.t.Helper()
	j, err := w.Job([]string{app}, "", from, rt)
	require.NoError(w.t, err)
	return j
}

// jobOf returns the job of a command with several words.
func (w *world) jobOf(from string, rt *runtimes.Runtime, argv ...string) *Job {
	w.t.Helper()
	j, err := w.Job(argv, "", from, rt)
	require.NoError(w.t, err)
	return j
}

func TestJobTranslated(t *testing.T) {
	w := newWorld(t)
	w.env["LD_PRELOAD"] = "libtool.so:/x/libmpi.so.40 libtool2.so:" + w.mpichFront
	j := w.job(w.openApp, "auto", w.mpich)
	assert.False(t, j.Native())
	preload := func(standIn string) string { return "libtool.so:libtool2.so:" + standIn }
	assert.Equal(t, []Var{{"LD_PRELOAD", preload(w.standIn("openmpi", "libmpi.so.40"))}, {"WI4GO_TO", w.mpich.Library}, {"WI4GO_FROM", "openmpi"}}, j.Env)
	// The stand-in has the soname that the program needs …
	assert.Equal(t, preload(w.standIn("mpich", "libmpich.so.12")), w.job(w.mpichApp, "", w.open).Env[0].Value)
	// … and all stand-ins are used if --from alone decides.
	both := w.standIn("mpich", "libmpi.so.12") + ":" + w.standIn("mpich", "libmpich.so.12") + ":" + w.standIn("mpich", "libmpifort.so.12") +
		":" + w.emptyCxxDir("mpich", "libmpichcxx.so.12") + "/libmpichcxx.so.12:" + w.emptyCxxDir("mpich", "libmpicxx.so.12") + "/libmpicxx.so.12"
	assert.Equal(t, preload(both), w.job(w.plain, "mpich", w.open).Env[0].Value)
	assert.Contains(t, j.Describe(), "built for Open MPI (libmpi.so.40), translated onto")

	// The standard ABI is a family like the others, for programs and for runtimes.
	fakempi.Front(t, w.at("ours"), "mpiabi")
	fakempi.MPICH(t, w.at("abi"), "libmpi_abi.so.1", "")
	abi, err := w.Runtimes.Resolve(w.at("abi/lib/libmpi_abi.so.1"))
	require.NoError(t, err)
	app := fakempi.Program(t, w.at("abi_app"), abi.Library)
	assert.Equal(t, preload(w.standIn("mpiabi", "libmpi_abi.so.1")), w.job(app, "", w.mpich).Env[0].Value)
	assert.Equal(t, preload(w.standIn("mpich", "libmpich.so.12")), w.job(w.mpichApp, "", abi).Env[0].Value)
	assert.True(t, w.job(app, "", abi).Native())
}

func TestJobNative(t *testing.T) {
	w := newWorld(t)
	assert.Empty(t, w.job(w.openApp, "", w.open).Env, "the program finds this one by itself")
	assert.Equal(t, []Var{{"LD_PRELOAD", w.open2.Library}}, w.job(w.openApp, "", w.open2).Env)
	unknown := w.job(w.plain, "openmpi", w.open2)
	standIn := w.made(unknown)
	assert.Equal(t, []string{"libmpi.so.40", w.open2.Library}, []string{standIn.Soname, standIn.Needed[0]})
	dir, others, _ := strings.Cut(envOf(unknown)["LD_LIBRARY_PATH"], ":")
	assert.Equal(t, w.paths("mpich", "mpiabi"), others)
	assert.Equal(t, w.open2.Library, envOf(unknown)["WI4GO_TO"])
	standIn, err := elfobj.Read(filepath.Join(dir, "libmpi.so.40"))
	require.NoError(t, err)
	assert.Equal(t, []string{"libmpi.so.40", w.open2.Library}, []string{standIn.Soname, standIn.Needed[0]})

	assert.Contains(t, w.job(w.openApp, "", w.open).Describe(), "which it loads by itself")
	assert.Contains(t, w.job(w.openApp, "", w.open2).Describe(), "(library substituted)")

	// A preloaded library has the requested name, and comes before a DT_RPATH.
	rpath := fakempi.Program(t, w.at("rpath"), w.open.Library, "-Wl,--disable-new-dtags")
	assert.Equal(t, []Var{{"LD_PRELOAD", w.open2.Library}}, w.job(rpath, "", w.open2).Env)

	// The front of an outer wi4go is removed.
	w.env["LD_PRELOAD"] = w.openFront
	assert.Equal(t, []Var{{"LD_PRELOAD", ""}}, w.job(w.openApp, "", w.open).Env)
}

// A program that Intel's wrapper linked for the standard ABI uses the draft's numbers if it is of a
// release that has them, or if --from selects them.
func TestJobOfDraft(t *testing.T) {
	w := newWorld(t)
	fakempi.Front(t, w.at("ours"), "mpiabi", "int MPI_Comm_set_errhandler(void) { return 0; }")
	upstream := w.resolve(fakempi.MPICH(t, w.at("abi"), "libmpi_abi.so.1", "int MPI_Comm_set_errhandler(void) { return 0; }"))
	standard := fakempi.Program(t, w.at("standard"), upstream.Library)
	library, app := fakempi.IntelABI(t, w.at("intel"), "2021.18.1")
	intel := w.resolve(library)
	_, later := fakempi.IntelABI(t, w.at("later"), "2022.1")
	gone, moved := fakempi.IntelABI(t, w.at("opt/mpi/2021.19"), "2021.19.0")
	require.NoError(t, os.Remove(gone))
	const translated, kept, ofProgram, ofLibrary = "draft ABI translated", "like that library", "the program has constants of Intel's draft", "that library has constants of Intel's draft"
	for name, c := range map[string]struct {
		app, from string
		on        *runtimes.Runtime
		draft     string // the variable's value
		describe  string
	}{
		"translated":                      {app, "", w.mpich, "1", translated},
		"the standard's library":          {app, "", upstream, "1", "(identity front: " + ofProgram},
		"its own library":                 {app, "", intel, "", kept},
		"the release is in the path":      {moved, "auto", w.mpich, "1", translated},
		"another release":                 {later, "", w.mpich, "", "translated onto"},
		"another release, but --from":     {later, "intelmpi", w.mpich, "1", translated},
		"the standard's, by --from":       {app, "mpiabi", w.mpich, "", "translated onto"},
		"of another wrapper":              {standard, "", w.mpich, "", "translated onto"},
		"of another wrapper on Intel's":   {standard, "", intel, "", "(identity front: " + ofLibrary},
		"of another wrapper, but by word": {standard, "intelmpi", w.mpich, "1", translated},
		"another family's, --from":        {w.mpichApp, "intelmpi", w.open, "", "translated onto"},
	} {
		j := w.job(c.app, c.from, c.on)
		assert.Equal(t, c.draft, envOf(j)["WI4GO_FROM_DRAFT"], name)
		assert.Contains(t, j.Describe(), c.describe, name)
		if c.draft != "1" && c.describe != kept {
			assert.NotContains(t, j.Describe(), "draft ABI translated", name)
		}
	}
	assert.Equal(t, []string{"MPI_Comm_set_errhandler"}, w.job(later, "", w.mpich).MayBeDraft())
	assert.Empty(t, w.job(later, "mpiabi", w.mpich).MayBeDraft())
	assert.Empty(t, w.job(later, "", intel).MayBeDraft())
	assert.Empty(t, w.job(app, "", w.mpich).MayBeDraft())
	assert.Contains(t, w.Draft(w.job(app, "", w.mpich).Program), "Intel MPI 2021.18, 2021.19")
	assert.Contains(t, w.Draft(w.job(later, "", w.mpich).Program), "an unknown release of Intel MPI")
	assert.Empty(t, w.Draft(w.job(standard, "", w.mpich).Program))

	// Programs of both kinds in one job.
	command, err := w.Command([]Segment{{Program: []string{app}}, {Program: []string{standard}}}, []*Job{w.job(app, "", w.mpich), w.job(standard, "", w.mpich)})
	require.NoError(t, err)
	assert.Contains(t, strings.Join(command, " "), "exec --from intelmpi --to "+w.mpich.Library+" -- "+app)
	assert.Contains(t, strings.Join(command, " "), "exec --from mpiabi --to "+w.mpich.Library+" -- "+standard)

	// A variable of an outer wi4go is removed. Unknown numbers reach Intel's library unchanged.
	w.env["WI4GO_FROM_DRAFT"] = "1"
	assert.Equal(t, "0", envOf(w.job(standard, "", w.mpich))["WI4GO_FROM_DRAFT"])
	w.Identity = true
	assert.Equal(t, "1", envOf(w.job(later, "", intel))["WI4GO_FROM_DRAFT"])
	assert.Equal(t, "1", envOf(w.job(app, "", intel))["WI4GO_FROM_DRAFT"])
}

// Within a family, the front is used if the runtime's library alone is not enough.
func TestJobIdentity(t *testing.T) {
	w := newWorld(t)
	byFront := func(j *Job, reason string) {
		t.Helper()
		assert.False(t, j.Native())
		assert.Contains(t, j.Reason, reason)
		assert.Contains(t, j.Describe(), "(identity front: "+j.Reason+")")
		assert.Equal(t, Var{"WI4GO_TO", j.Runtime.Library}, j.Env[1])
	}
	// Another soname of the same ABI.
	j := w.job(w.mpichApp, "", w.upstream)
	byFront(j, "the program needs libmpich.so.12, but that library's soname is libmpi.so.12")
	assert.Equal(t, Var{"LD_PRELOAD", w.standIn("mpich", "libmpich.so.12")}, j.Env[0])
	// The same, found by a DT_RPATH.
	byFront(w.job(fakempi.Program(t, w.at("rpath"), w.mpich.Library, "-Wl,--disable-new-dtags"), "", w.upstream), "the program needs")
	// A newer program on an older library.
	rich := fakempi.MPICH(t, w.at("rich"), "libmpi.so.12", "int MPI_Send_c(void) { return 0; }")
	newer := fakempi.Compile(t, "int MPI_Send_c(void); int main() { return MPI_Send_c(); }", w.at("newer"), rich, "-Wl,-rpath,"+filepath.Dir(rich))
	byFront(w.job(newer, "", w.upstream), w.upstream.Library+" lacks MPI_Send_c")
	loading := fakempi.Compile(t, "int MPI_Send_c(void); int main() { return MPI_Send_c(); }", w.at("loading"), rich, "-Wl,-rpath,"+filepath.Dir(w.upstream.Library))
	byFront(w.job(loading, "", w.upstream), w.upstream.Library+" lacks MPI_Send_c")
	// The same, if only its constants are newer.
	of4 := fakempi.MPICH(t, w.at("of4"), "libmpi.so.12", "int MPI_Session_init(void) { return 0; }")
	byFront(w.job(fakempi.Program(t, w.at("constants"), of4), "", w.upstream), "linked with a library of MPI-4.0, but "+w.upstream.Library+" is older")
	assert.True(t, w.job(fakempi.Program(t, w.at("older"), w.upstream.Library), "", w.resolve(of4)).Native(), "an older program on a newer library")
	// A path that cannot be in LD_PRELOAD.
	byFront(w.job(w.openApp, "", w.resolve(fakempi.OpenMPI(t, w.at("a b")))), "contains a space")
	// The user requests it.
	w.Identity = true
	byFront(w.job(w.openApp, "", w.open2), "requested by --identity")
	_, segments, err := ParseRun([]string{"-n", "1", "-x", "LD_PRELOAD=libu.so", w.openApp}, w.Finder())
	require.NoError(t, err)
	words, err := w.Command(segments, []*Job{w.job(w.openApp, "", w.open2)})
	require.NoError(t, err)
	assert.Contains(t, words, "--identity", "for `wi4go exec` as well")
}

// A stand-in serves a C library that has been split off from the main library. It is preloaded only
// for programs that need it. If the installed library is not split, the part is not the program's.
func TestDividedLibrary(t *testing.T) {
	w := newWorld(t)
	whole := filepath.Dir(w.open.Library)
	part := fakempi.Shared(t, "long ompi_mpi_comm_world[64];", w.at("divided/libopen_mpi.so.40"), "libopen_mpi.so.40")
	app := fakempi.Compile(t, "extern long ompi_mpi_comm_world[64]; int MPI_Init(void); int main() { MPI_Init(); return ompi_mpi_comm_world[0]; }",
		w.at("divided_app"), part, w.open.Library, "-Wl,-rpath,"+whole)
	preloaded := w.standIn("openmpi", "libmpi.so.40") + ":" + w.standIn("openmpi", "libopen_mpi.so.40")
	for _, rt := range []*runtimes.Runtime{w.mpich, w.open} {
		j := w.job(app, "", rt)
		assert.False(t, j.Native())
		assert.Equal(t, preloaded, envOf(j)["LD_PRELOAD"])
		assert.NotContains(t, envOf(j), "WI4GO_FROM_VERSION", "the installed library is of another release")
	}
	assert.Equal(t, "the program needs libopen_mpi.so.40, which "+w.open.Library+" does not have", w.job(app, "", w.open).Reason)
	assert.Equal(t, w.standIn("openmpi", "libmpi.so.40"), envOf(w.job(w.openApp, "", w.mpich))["LD_PRELOAD"])

	// A runtime that is split itself has its part under the same name.
	needs := []string{"-Wl,--no-as-needed", part, "-Wl,-rpath," + w.at("divided")}
	fakempi.OpenMPI(t, w.at("six"), needs...)
	six := w.resolve(w.at("six"))
	assert.True(t, w.job(app, "", six).Native())
	w.Identity = true
	assert.Equal(t, strings.Join([]string{w.openFront, w.standIn("openmpi", "libmpi.so.40"), six.Library, part}, ":"), envOf(w.job(app, "", six))["LD_PRELOAD"])
	w.Identity = false
	standard := fakempi.Shared(t, "int MPI_Init(void) { return 0; } int PMPI_Init(void) { return 0; } const char text[] = \"Open MPI v6.0.0\";",
		w.at("six/lib/libmpi_abi.so.1"), "libmpi_abi.so.1", needs...)
	abi := w.resolve(standard)
	assert.Equal(t, w.at("six/bin/mpiexec"), abi.Launcher, "the maker's")
	_, err := w.Job([]string{w.openApp}, "", "", abi)
	assert.ErrorContains(t, err, "needs libopen_mpi.so.40, whose symbols")
}

// A stand-in with a vendor's soname is made when it is needed. A link serves if a script may have
// lost the preload.
func TestVendorSoname(t *testing.T) {
	w := newWorld(t)
	cray := fakempi.MPICH(t, w.at("cray"), "libmpi_gnu_123.so.12", "")
	app := fakempi.Program(t, w.at("cray_app"), cray)
	for _, rt := range []*runtimes.Runtime{w.open, w.upstream} {
		for _, app := range []string{app, fakempi.Program(t, w.at("cray_rpath"), cray, "-Wl,--disable-new-dtags")} {
			j := w.job(app, "", rt)
			usual, made, _ := strings.Cut(j.Env[0].Value, ":")
			assert.Equal(t, w.standIn("mpich", "libmpi.so.12"), usual)
			assert.Empty(t, envOf(j)["LD_LIBRARY_PATH"])
			for range 2 {
				require.NoError(t, w.Prepare(j))
				object, err := elfobj.Read(made)
				require.NoError(t, err)
				assert.Equal(t, "libmpi_gnu_123.so.12", object.Soname)
				assert.Equal(t, []string{w.mpichFront}, object.Needed)
			}
			require.NoError(t, os.Remove(made))
		}
	}
	j, err := w.Job([]string{fakempi.Script(t, w.at("script"), "#!/bin/sh\n"+app+"\n")}, "", "", w.open)
	require.NoError(t, err)
	require.NoError(t, w.Prepare(j))
	dirs := strings.Split(envOf(j)["LD_LIBRARY_PATH"], ":")
	assert.Equal(t, w.at("ours/lib/wi4go/mpich/path"), dirs[0])
	to, err := os.Readlink(filepath.Join(dirs[1], "libmpi_gnu_123.so.12"))
	require.NoError(t, err)
	assert.Equal(t, w.mpichFront, to)

	// Files that are made here are not visible in a container.
	w.Contained = true
	_, err = w.Job([]string{w.at("cray_rpath")}, "", "", w.open)
	assert.ErrorContains(t, err, "finds libmpi_gnu_123.so.12 through DT_RPATH")
	contained := w.job(app, "", w.open)
	assert.Equal(t, map[string]string{"libmpi_gnu_123.so.12": w.mpichFront}, contained.Links())
	assert.Equal(t, w.standIn("mpich", "libmpi.so.12"), contained.Env[0].Value)
	// As a runtime it belongs to the family.
	assert.Same(t, family.MPICH, w.resolve(cray).Family)
	assert.Equal(t, "translated onto", translatedOnto(w.job(w.openApp, "", w.resolve(cray))))
}

// Open MPI 4's C++ and Fortran libraries need Open MPI 4's core.
func TestPrivateLibraries(t *testing.T) {
	w := newWorld(t)
	pal := fakempi.Shared(t, "int opal_init(void) { return 0; }", w.at("open/lib/libopen-pal.so.40"), "libopen-pal.so.40")
	cxx := fakempi.Shared(t, "int _ZN3MPI4InitEv(void) { return 0; }", w.at("open/lib/libmpi_cxx.so.40"), "libmpi_cxx.so.40",
		"-Wl,--no-as-needed", pal, "-Wl,-rpath,"+w.at("open/lib"))
	app := fakempi.Program(t, w.at("cxx_app"), w.open.Library, "-Wl,--no-as-needed", cxx)
	assert.True(t, w.job(app, "", w.open).Native())
	j := w.job(app, "", w.open2)
	assert.Equal(t, "libmpi_cxx.so.40 needs libopen-pal.so.40, which conflicts with "+w.open2.Library, j.Reason)
	front := w.openFront
	assert.Equal(t, front+":"+w.standIn("openmpi", "libmpi.so.40")+":"+w.open2.Library, j.Env[0].Value, "the runtime and its core come directly after the front")
	// A preloaded file comes before the libraries that the program is linked with; the libraries
	// that this file needs do not.
	core := fakempi.Shared(t, "int opal_init(void) { return 0; }", w.at("open5/lib/libopen-pal.so.80"), "libopen-pal.so.80")
	fakempi.OpenMPI(t, w.at("open5"), "-Wl,--no-as-needed", core, "-Wl,-rpath,"+w.at("open5/lib"))
	five := w.resolve(w.at("open5"))
	linked := fakempi.Program(t, w.at("linked_app"), w.open.Library, "-Wl,--no-as-needed", pal)
	assert.Equal(t, front+":"+w.standIn("openmpi", "libmpi.so.40")+":"+five.Library+":"+core, w.job(linked, "", five).Env[0].Value)
	assert.False(t, w.job(app, "", w.mpich).Native(), "another family has nothing of that name")
}

// If a launcher's variables do not reach spawned processes, the front passes them on.
func TestSpawning(t *testing.T) {
	w := newWorld(t)
	const spawn, session = "-Wl,--defsym=MPI_Comm_spawn=MPI_Init", "-Wl,--defsym=MPI_Session_init=MPI_Init"
	fakempi.Front(t, w.at("ours"), "openmpi", "int MPI_Comm_spawn(void) { return 0; }")
	own := fakempi.OpenMPI(t, w.at("own"), spawn)
	fakempi.OpenMPI(t, w.at("four"), spawn)
	fakempi.OpenMPI(t, w.at("five"), spawn, session)
	four, five := w.resolve(w.at("four")), w.resolve(w.at("five"))
	app := fakempi.Compile(t, "int MPI_Init(int *, char ***), MPI_Comm_spawn(void); int main() { return MPI_Init(0, 0) + MPI_Comm_spawn(); }",
		w.at("spawns"), own, "-Wl,-rpath,"+filepath.Dir(own))
	assert.Equal(t, "only the front makes spawned processes find that library", w.job(app, "", five).Reason)
	assert.True(t, w.job(app, "", four).Native(), "its launcher's -x is for them, too")
	assert.True(t, w.job(w.openApp, "", five).Native())
}

// The front identifies itself as the library that the program would have loaded.
func TestOwnVersion(t *testing.T) {
	w := newWorld(t)
	_, known := envOf(w.job(w.mpichApp, "", w.open))["WI4GO_FROM_VERSION"]
	assert.False(t, known, "the fakes have no version")
	old := fakempi.MPICH(t, w.at("old"), "libmpi.so.12", `const char number[] = "\0003.4.7";`)
	app := fakempi.Program(t, w.at("old_app"), old)
	for _, rt := range []*runtimes.Runtime{w.open, w.mpich} {
		assert.Equal(t, "mpich@3.4.7", envOf(w.job(app, "", rt))["WI4GO_FROM_VERSION"])
	}
	intel := fakempi.MPICH(t, w.at("intel"), "libmpi.so.12", `const char banner[] = "Intel(R) MPI Library 2021.9 for Linux* OS";`)
	assert.Equal(t, "intelmpi@2021.9", envOf(w.job(fakempi.Program(t, w.at("intel_app"), intel), "", w.open))["WI4GO_FROM_VERSION"])
}

func envOf(j *Job) map[string]string {
	vars := map[string]string{}
	for _, v := range j.Env {
		vars[v.Name] = v.Value
	}
	return vars
}

func translatedOnto(j *Job) string {
	if j.Native() || j.Reason != "" {
		return j.Describe()
	}
	return "translated onto"
}

// If mpi4py exists for several families, the build for the runtime's family is used, or the user's
// choice. All ranks choose the same.
func TestMPI4Py(t *testing.T) {
	w := newWorld(t)
	python := fakempi.Compile(t, "int main() { return 0; }", w.at("venv/bin/python3"))
	for abi, library := range map[string]string{"openmpi": w.open.Library, "mpich": w.upstream.Library} {
		fakempi.Shared(t, "int MPI_Init(int *, char ***); int x(void) { return MPI_Init(0, 0); }",
			w.at("venv/lib/python3.11/site-packages/mpi4py/MPI."+abi+".cpython-311.so"), abi, library, "-Wl,-rpath,"+filepath.Dir(library))
	}
	fakempi.Script(t, w.at("s.py"), "from mpi4py import MPI\n")
	fakempi.Script(t, w.at("unseen.py"), "import mine\n")
	abiOf := func(j *Job) string { return envOf(j)[program.MPI4PyABI] }
	for _, args := range [][]string{{w.at("s.py")}, {"-c", "import sys, mpi4py"}, {"-mmpi4py.bench", "helloworld"}} {
		for abi, rt := range map[string]*runtimes.Runtime{"openmpi": w.open, "mpich": w.mpich} {
			j := w.jobOf("", rt, append([]string{python}, args...)...)
			assert.Equal(t, abi, abiOf(j), args)
			assert.Same(t, rt.Family, j.From)
			assert.Contains(t, j.Describe(), "through "+python+", mpi4py selected by MPI4PY_MPIABI="+abi)
			other := map[string]string{"openmpi": "mpich", "mpich": "openmpi"}[abi]
			assert.Equal(t, other, abiOf(w.jobOf(other, rt, append([]string{python}, args...)...)))
		}
	}
	assert.Equal(t, "mpich", abiOf(w.jobOf("", w.mpich, python, w.at("unseen.py"))))
	assert.Equal(t, "openmpi", abiOf(w.jobOf("openmpi", w.mpich, python, w.at("unseen.py"))))
	t.Setenv(program.MPI4PyABI, "openmpi")
	assert.Equal(t, "openmpi", abiOf(w.jobOf("", w.mpich, python, w.at("s.py"))), "the user's choice")
}

func TestJobRefused(t *testing.T) {
	w := newWorld(t)
	rich := fakempi.MPICH(t, w.at("rich"), "libmpi.so.12", "int MPI_Unheard_of(void) { return 0; }")
	fortran := fakempi.Shared(t, "int mpi_init_(void) { return 0; }", w.at("rich/lib/libmpifort.so.12"), "libmpifort.so.12")
	app := func(name, function, lib string, flags ...string) string {
		return fakempi.Compile(t, "int "+function+"(void); int main() { return "+function+"(); }", w.at(name),
			append([]string{lib, "-Wl,-rpath," + filepath.Dir(lib)}, flags...)...)
	}
	unknown := app("unknown", "MPI_Unheard_of", rich)
	fortranApp := app("fortran", "mpi_init_", fortran)
	wanting := app("wanting", "mpi_init_", fakempi.Shared(t, "int MPII_Unheard_of(void), mpi_init_(void); int mpi_init_(void) { return MPII_Unheard_of(); }",
		w.at("wants/libmpifort.so.12"), "libmpifort.so.12"), "-Wl,--allow-shlib-undefined")

	for name, c := range map[string]struct {
		app, from string
		rt        *runtimes.Runtime
		says      string
	}{
		"unknown family":      {w.openApp, "lam", w.mpich, `--from: unknown MPI family "lam"`},
		"another family":      {w.openApp, "mpich", w.mpich, "--from mpich is wrong: " + w.openApp + " was built for Open MPI (libmpi.so.40)"},
		"Fortran":             {wanting, "", w.open, wanting + " calls Fortran MPI (mpi_init_ …): " + w.at("wants/libmpifort.so.12") + " needs MPII_Unheard_of"},
		"unknown, translated": {unknown, "", w.open, "imports MPI_Unheard_of, which wi4go's front for MPICH programs does not have"},
		"unknown, in family":  {unknown, "", w.upstream, "imports MPI_Unheard_of, which wi4go's front for MPICH programs does not have"},
		"for another machine": {fakempi.ForMachine(t, w.openApp, w.at("foreign"), 3), "", w.mpich, "is for 32-bit x86, this machine is"},
		"static with --from":  {fakempi.Compile(t, `int main() { puts("MPI_Init"); }`, w.at("static"), "-static"), "openmpi", w.mpich, "statically linked"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Job([]string{c.app}, "", c.from, c.rt)
			require.ErrorContains(t, err, c.says)
		})
	}
	_, err := w.Job([]string{fortranApp}, "", "", w.upstream)
	assert.NoError(t, err, "Fortran within the family is native")
	j, err := w.Job([]string{fortranApp}, "", "", w.open)
	require.NoError(t, err, "a Fortran library that needs nothing else")
	assert.Equal(t, w.standIn("mpich", "libmpi.so.12"), j.Env[0].Value, "no library replaces the Fortran library")

	// Nor by LD_LIBRARY_PATH, which a script gets as well.
	j = w.jobOf("", w.open, "env", "A=1", fortranApp)
	require.NoError(t, w.Prepare(j))
	dir, _, _ := strings.Cut(envOf(j)["LD_LIBRARY_PATH"], ":")
	to, err := os.Readlink(filepath.Join(dir, "libmpi.so.12"))
	require.NoError(t, err)
	assert.Equal(t, w.at("ours/lib/wi4go/mpich/libmpi.so.12"), to)
	assert.NoFileExists(t, filepath.Join(dir, "libmpifort.so.12"))

	// A static wrapper is followed to its program, or the user names the family.
	wrapper := fakempi.Compile(t, "int main() { return 0; }", w.at("wrapper"), "-static")
	assert.Equal(t, w.openApp, w.jobOf("", w.mpich, wrapper, w.openApp).Program.Path)
	assert.Equal(t, "openmpi", envOf(w.jobOf("openmpi", w.mpich, wrapper, "x"))["WI4GO_FROM"])

	require.NoError(t, os.Remove(w.openFront))
	_, err = w.Job([]string{w.openApp}, "", "", w.mpich)
	assert.ErrorContains(t, err, "has no front for openmpi programs that need libmpi.so.40")
}

// The Fortran library of wi4go's mpifort works over the front without changes: nothing replaces it,
// its MPI symbols do not count as the program's, and if it is missing the error names the cure.
func TestJobInterfaceFortran(t *testing.T) {
	w := newWorld(t)
	front := fakempi.Front(t, w.at("ours"), "mpiabi")
	library := func(more string) string {
		return fakempi.Shared(t, "int MPI_Send_c(void); int mpi_send_(void) { return MPI_Send_c(); }"+more, w.at("ours/fortran/libwi4go_fortran.so.1"), "libwi4go_fortran.so.1", front)
	}
	ours := library("int mpi_other_(void) { return 0; }")
	app := func(name, body string) string {
		return fakempi.Compile(t, "int mpi_send_(void), mpi_other_(void); int main() { return "+body+"; }", w.at(name), "-Wl,--no-as-needed", ours,
			"-Wl,-rpath,"+filepath.Dir(ours)+":"+filepath.Dir(front))
	}
	calling, linked, lacking := app("calling", "mpi_send_()"), app("linked", "0"), app("lacking", "mpi_other_()")
	library("")
	for _, program := range []string{calling, linked} {
		j := w.job(program, "", w.mpich)
		assert.Equal(t, []string{"libwi4go_fortran.so.1"}, j.Program.Fortran)
		assert.Empty(t, j.Program.Functions)
		assert.Equal(t, []Var{{"LD_PRELOAD", w.standIn("mpiabi", "libmpi_abi.so.1")}, {"WI4GO_TO", w.mpich.Library}, {"WI4GO_FROM", "mpiabi"}}, j.Env)
		assert.Empty(t, j.Links())
	}
	assert.Equal(t, []string{"mpi_send_"}, w.job(calling, "", w.mpich).Program.FortranFunctions)
	_, err := w.Job([]string{lacking}, "", "", w.mpich)
	require.ErrorContains(t, err, "calls Fortran MPI (mpi_other_ …)")
	require.NoError(t, os.Remove(ours))
	_, err = w.Job([]string{calling}, "", "", w.mpich)
	require.ErrorContains(t, err, "libwi4go_fortran.so.1 is not on this machine")
}

// A Fortran library of another vendor that calls the C functions of the standard ABI is part of the
// program. It is not refused, and nothing else needs to define its symbols.
func TestJobForeignFortran(t *testing.T) {
	w := newWorld(t)
	front := fakempi.Front(t, w.at("ours"), "mpiabi")
	foreign := fakempi.Shared(t, "int MPI_Init(void *, void *); int mpi_init_(void) { return MPI_Init(0, 0); }", w.at("foreign/libforeign.so.1"), "libforeign.so.1", front)
	app := fakempi.Compile(t, "int mpi_init_(void); int main() { return mpi_init_(); }", w.at("app"), foreign,
		"-Wl,-rpath,"+filepath.Dir(foreign)+":"+filepath.Dir(front))
	for _, to := range []*runtimes.Runtime{w.mpich, w.open} {
		j := w.job(app, "", to)
		assert.Equal(t, []string{"MPI_Init"}, j.Program.Functions)
		assert.Empty(t, j.Program.FortranFunctions)
	}
}

// A launcher found in PATH is started by its bare name, as the user would, because Open MPI 4
// changes the PATH of the ranks if it is started by a path. A launcher keeps its path if another
// file of that name is earlier in PATH, or if the user gives the path.
func TestLauncherByItsName(t *testing.T) {
	w := newWorld(t)
	job, err := w.Job([]string{w.mpichApp}, "", "", w.open)
	require.NoError(t, err)
	name := func(found string, path ...string) string {
		l, rt := w.Launcher, *w.open
		l.Runtimes.Path, rt.Found, job.Runtime = path, found, &rt
		words, err := l.Command([]Segment{{Program: []string{w.mpichApp}}}, []*Job{job})
		require.NoError(t, err)
		return words[0]
	}
	bin, other := filepath.Dir(w.open.Launcher), t.TempDir()
	base := filepath.Base(w.open.Launcher)
	assert.Equal(t, base, name(runtimes.InPath, other, bin))
	assert.Equal(t, w.open.Launcher, name("", other, bin))
	assert.Equal(t, w.open.Launcher, name(runtimes.InPath, other))
	require.NoError(t, os.WriteFile(filepath.Join(other, base), nil, 0o644))
	assert.Equal(t, base, name(runtimes.InPath, other, bin), "no program")
	require.NoError(t, os.Chmod(filepath.Join(other, base), 0o755))
	assert.Equal(t, w.open.Launcher, name(runtimes.InPath, other, bin))
}

func TestCommand(t *testing.T) {
	w := newWorld(t)
	command := func(rt *runtimes.Runtime, line string) string {
		t.Helper()
		r := strings.NewReplacer("OPEN", w.openApp, "MPICH", w.mpichApp)
		_, segments, err := ParseRun(strings.Fields(r.Replace(line)), w.Finder())
		require.NoError(t, err)
		var jobs []*Job
		for _, s := range segments {
			j, err := w.Job(s.Program, s.Dir, "", rt)
			require.NoError(t, err)
			jobs = append(jobs, j)
		}
		_, _, err = w.Translate(segments, rt)
		require.NoError(t, err)
		words, err := w.Command(segments, jobs)
		require.NoError(t, err)
		return strings.NewReplacer(w.openApp, "OPEN", w.mpichApp, "MPICH", w.standIn("openmpi", "libmpi.so.40"), "FRONT",
			w.standIn("mpich", "libmpich.so.12"), "FRONT",
			rt.Library, "LIB", rt.Launcher, "MPIEXEC", w.Tree.Command(), "WI4GO").Replace(strings.Join(words, " "))
	}
	const byHydra = "-genv LD_PRELOAD FRONT -genv WI4GO_TO LIB -genv WI4GO_FROM openmpi"
	const byOpenMPI = "-x LD_PRELOAD=FRONT -x WI4GO_TO=LIB -x WI4GO_FROM=mpich"
	for _, c := range []struct {
		rt         *runtimes.Runtime
		line, want string
	}{
		{w.mpich, "-n 4 -f h OPEN x y", "MPIEXEC " + byHydra + " -n 4 -f h OPEN x y"},
		{w.open, "-n 4 --mca a b MPICH x", "MPIEXEC " + byOpenMPI + " -n 4 --mca a b MPICH x"},
		{w.mpich, "-n 1 OPEN x : -n 2 OPEN y", "MPIEXEC " + byHydra + " -n 1 OPEN x : -n 2 OPEN y"},
		{w.open, "-n 1 MPICH x : -n 2 MPICH y", "MPIEXEC " + byOpenMPI + " -n 1 MPICH x : " + byOpenMPI + " -n 2 MPICH y"},
		{w.mpich, "-n 3 MPICH", "MPIEXEC -n 3 MPICH"},
		// Programs with different needs: each is started by exec, and the native one directly.
		{w.mpich, "-n 1 OPEN x : -n 2 MPICH y", "MPIEXEC -n 1 WI4GO exec --from openmpi --to LIB -- OPEN x : -n 2 MPICH y"},
		// The user preloads a library.
		{w.open, "-x LD_PRELOAD=libu.so MPICH x", "MPIEXEC -x LD_PRELOAD=libu.so WI4GO exec --from mpich --to LIB -- MPICH x"},
		{w.mpich, "-genv LD_PRELOAD libu.so OPEN x", "MPIEXEC -genv LD_PRELOAD libu.so WI4GO exec --from openmpi --to LIB -- OPEN x"},
		{w.open, "--mca mca_base_env_list A=b MPICH", "MPIEXEC --mca mca_base_env_list A=b WI4GO exec --from mpich --to LIB -- MPICH"},
		// Hosts are named in the launcher's own syntax.
		{w.mpich, "-H a,b -n 4 OPEN -H x", "MPIEXEC " + byHydra + " -hosts a,b -n 4 OPEN -H x"},
		{w.open, "--hosts a,b -x -H -n 4 MPICH", "MPIEXEC " + byOpenMPI + " -H a,b -x -H -n 4 MPICH"},
		{w.open, "-H a,b -n 4 MPICH", "MPIEXEC " + byOpenMPI + " -H a,b -n 4 MPICH"},
	} {
		assert.Equal(t, c.want, command(c.rt, c.line))
	}

	// wi4go's variables and the configured ones reach other hosts. Hydra passes all of them; Open
	// MPI's launcher passes only the variables that it is given.
	w.env["WI4GO_LIBRARY_VERSION"], w.env["TUNE"] = "runtime", "the user's"
	w.config.Runtimes = map[string]config.RuntimeSettings{"openmpi": {Environment: map[string]string{"TUNE": "3"}}}
	assert.Equal(t, "MPIEXEC "+byOpenMPI+" -x TUNE=the user's -x WI4GO_LIBRARY_VERSION=runtime -n 2 MPICH", command(w.open, "-n 2 MPICH"))
	assert.Equal(t, "MPIEXEC "+byOpenMPI+" -x WI4GO_LIBRARY_VERSION=runtime -x TUNE -n 2 MPICH", command(w.open, "-x TUNE -n 2 MPICH"))
	// The user's refusal applies to all ranks, a list only to this process.
	w.env["WI4GO_LIBRARY_VERSION"], w.env["WI4GO_RANK_VARIABLES"] = "", "0"
	assert.Contains(t, command(w.open, "-n 2 MPICH"), " -x WI4GO_RANK_VARIABLES=0 ")
	w.env["WI4GO_RANK_VARIABLES"] = "PMI_RANK"
	assert.NotContains(t, command(w.open, "-n 2 MPICH"), "WI4GO_RANK_VARIABLES")
	assert.Equal(t, "MPIEXEC "+byHydra+" -n 2 OPEN", command(w.mpich, "-n 2 OPEN"))
	clear(w.env)

	j := w.job(w.openApp, "", w.mpich)
	j.Runtime.Launcher = ""
	_, err := w.Command([]Segment{{Program: []string{w.openApp}}}, []*Job{j})
	assert.ErrorContains(t, err, "no mpiexec of ")
}

func TestRuntime(t *testing.T) {
	w := newWorld(t)
	t.Setenv("PMI_RANK", "")
	t.Setenv("OMPI_COMM_WORLD_RANK", "")
	pick := func(to string, started bool) string {
		rt, err := w.Launcher.Runtime(to, started)
		require.NoError(t, err)
		return rt.Library
	}
	assert.Equal(t, w.open.Library, pick("", false), "the first of the list")
	assert.Equal(t, w.open.Library, pick("", true))
	t.Setenv("PMI_RANK", "0")
	assert.Equal(t, w.open.Library, pick("", false))
	assert.Equal(t, w.mpich.Library, pick("", true), "the library whose launcher started this process")
	w.config.To = config.Value{Text: w.upstream.Library, File: "the file"}
	assert.Equal(t, w.upstream.Library, pick("", true), "the configured library, before the launcher's")
	w.config.To.Text = w.at("missing")
	_, err := w.Launcher.Runtime("", true)
	assert.ErrorContains(t, err, "the file: "+w.at("missing")+": no such file")
	w.env["WI4GO_TO"] = w.upstream.Library
	assert.Equal(t, w.upstream.Library, pick("", true))
	assert.Equal(t, w.mpich.Library, pick("mpich", true))
	w.env["WI4GO_TO"] = w.at("missing")
	_, err = w.Launcher.Runtime("", false)
	assert.ErrorContains(t, err, "WI4GO_TO: "+w.at("missing")+": no such file")
}

func TestEnviron(t *testing.T) {
	assert.Equal(t, []string{"A=1", "LD_PRELOAD=new"}, Environ([]string{"LD_PRELOAD=old", "A=1", "LD_PRELOAD=twice"}, []Var{{"LD_PRELOAD", "new"}}))
}
