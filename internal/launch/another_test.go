package launch

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/fault"
	"wi4go/internal/runtimes"
)

// window are functions that the embedded MPI of the tests missing.
const window = "int MPI_Win_create(void) { return 0; } int MPI_Win_fence(void) { return 0; }"

// withWindow makes the front for Open MPI programs serve the functions of window, and returns a runtime
// for which they are missing and a program that calls MPI_Win_create.
func (w *world) withWindow() (embedded *runtimes.Runtime, program string) {
	fakempi.Front(w.t, w.at("ours"), "openmpi", window)
	embedded = w.resolve(fakempi.Embedded(w.t, w.at("ours"), "MPI_Win_create", "MPI_Win_fence"))
	own := fakempi.Shared(w.t, window+"int MPI_Init(int *a, char ***b) { return 0; }", w.at("own/libmpi.so.40"), "libmpi.so.40")
	return embedded, fakempi.Compile(w.t, "int MPI_Win_create(void); int main() { return MPI_Win_create(); }", w.at("window"), own)
}

// A warning about missing functions names an installed library that has them. A library without them is
// not named.
func TestInstead(t *testing.T) {
	w := newWorld(t)
	embedded, program := w.withWindow()
	warning := func() string {
		warnings := w.job(program, "", embedded).Warnings
		require.Len(t, warnings, 1)
		_, _, cure := fault.Of(warnings[0], "")
		return cure
	}
	assert.Equal(t, "if it calls them, use another MPI: `wi4go get mpich` installs one", warning(), "the installed libraries lack it, too")
	w.Runtimes.Installing = func(name string) string { return "`fetch " + name + "`" }
	assert.Equal(t, "if it calls them, use another MPI: `fetch mpich` installs one", warning())
	assert.Contains(t, w.job(program, "", embedded).Env, Var{InsteadVariable, "`--to openmpi`"}, "the ranks may call others that it has")

	fakempi.MPICH(t, w.at("rich"), "libmpi.so.12", window)
	w.Runtimes.Globs = []runtimes.Place{{Dir: w.at("rich")}}
	rich := "`--to " + w.at("rich/lib/libmpi.so.12") + "`" // the name mpich is the first one's
	assert.Equal(t, "if it calls them, use another MPI: "+rich, warning())
	assert.Contains(t, w.job(program, "", embedded).Env, Var{InsteadVariable, rich})
	assert.NotContains(t, w.job(w.openApp, "", embedded).Env, Var{InsteadVariable, rich}, "it calls nothing that is missing")
	assert.Equal(t, rich, w.InsteadOf(w.mpich, "MPI_Win_create"))
	assert.Equal(t, "`fetch mpich@5` installs one", w.InsteadOf(w.mpich, "MPI_Abi_get_version"))
	assert.Equal(t, "`--to openmpi`", w.InsteadOf(nil))
}

// A refusal whose cure is another library names an installed one on which the program runs.
func TestRefusalNamesLibrary(t *testing.T) {
	w := newWorld(t)
	own := fakempi.Shared(t, "int ompi_own_data = 1; int PMPI_Init(int *a, char ***b) { return 0; } int MPI_Init(int *a, char ***b) { return 0; }", w.at("own/libmpi.so.40"), "libmpi.so.40")
	program := fakempi.Compile(t, "extern int ompi_own_data; int MPI_Init(int *, char ***); int main() { return ompi_own_data + MPI_Init(0, 0); }", w.at("data"), own, "-fPIC", "-no-pie")
	cure := func() string {
		_, err := w.Job([]string{program}, "", "", w.mpich)
		require.Error(t, err)
		_, _, cure := fault.Of(err, "")
		return cure
	}
	assert.Equal(t, "run it on the MPI library that it was built with", cure(), "the installed Open MPI does not have it either")
	w.Runtimes.Globs = []runtimes.Place{{Dir: w.at("own")}}
	w.Runtimes.Path = w.Runtimes.Path[1:]
	assert.Equal(t, "run it on the MPI library that it was built with: `--to openmpi`", cure())
	w.Runtimes.Globs = nil
	assert.Equal(t, "run it on the MPI library that it was built with: `wi4go get openmpi` installs one", cure())
}

// inline is a program in C++ with a class as in the mpi.h of Open MPI and MPICH: the compiler writes its
// virtual functions into the program, which calls one of them if CALLED is defined.
const inline = `extern "C" int MPI_Init(int *, char ***), MPI_Win_create(void), MPI_Win_fence(void);
namespace MPI {
struct Win { virtual int Fence() { return MPI_Win_fence(); } virtual ~Win() { } };
struct Other : Win { int Fence() { return MPI_Win_create(); } };
}
MPI::Win *volatile made;
int main() {
	static MPI::Win win; static MPI::Other other;
	made = &win; made = &other;
#ifdef DIRECT
	MPI_Win_create();
#endif
#ifdef CALLED
	win.MPI::Win::Fence();
#endif
	return MPI_Init(0, 0);
}`

// Functions to which only inline functions of the C++ header refer are a note, and not a warning.
func TestInline(t *testing.T) {
	fakempi.Need(t, "g++")
	w := newWorld(t)
	w.withWindow()
	embedded := w.resolve(w.at("ours/lib/wi4go/runtimes/embedded"))
	if embedded.Object().Machine.String() != "EM_X86_64" {
		t.Skip("the code of other processors is not read")
	}
	source := fakempi.Script(t, w.at("inline.cc"), inline)
	for flags, want := range map[string]struct{ own, inline []string }{
		"":                    {nil, []string{"MPI_Win_create", "MPI_Win_fence"}},
		"-DDIRECT":            {[]string{"MPI_Win_create"}, []string{"MPI_Win_fence"}},
		"-DCALLED":            {[]string{"MPI_Win_fence"}, []string{"MPI_Win_create"}},
		"-fno-plt":            {nil, []string{"MPI_Win_create", "MPI_Win_fence"}},
		"-no-pie":             {nil, []string{"MPI_Win_create", "MPI_Win_fence"}},
		"-fcf-protection":     {nil, []string{"MPI_Win_create", "MPI_Win_fence"}},
		"-Wl,-z,now,-z,relro": {nil, []string{"MPI_Win_create", "MPI_Win_fence"}},
		"-s":                  {[]string{"MPI_Win_create", "MPI_Win_fence"}, nil}, // nothing shows the functions
		"-s -rdynamic":        {nil, []string{"MPI_Win_create", "MPI_Win_fence"}},
	} {
		for _, level := range []string{"-O0", "-O2"}[map[bool]int{true: 0, false: 1}[flags == "" || flags == "-DCALLED"]:] {
			program := w.at("inline")
			out, err := exec.Command("sh", "-c", "g++ "+level+" "+flags+" -o "+program+" "+source+" "+w.at("own/libmpi.so.40")).CombinedOutput()
			require.NoError(t, err, "%s", out)
			j := w.job(program, "", embedded)
			missing := j.Lacking()
			assert.Equal(t, want.own, missing.Own, "%s %s", level, flags)
			assert.Equal(t, want.inline, missing.Inline, "%s %s", level, flags)
			assert.Len(t, j.Warnings, min(len(want.own), 1), "%s %s", level, flags)
			assert.Len(t, j.Notes, min(len(want.inline), 1), "%s %s", level, flags)
		}
	}
}
