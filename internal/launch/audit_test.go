package launch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/runtimes"
)

// value returns a variable of a job's processes, or "" if the job does not set it.
func (j *Job) value(name string) (value string) {
	for _, v := range j.Env {
		if v.Name == name {
			value = v.Value
		}
	}
	return value
}

// The processes that get the auditor, and its variables.
func TestAudited(t *testing.T) {
	w := newWorld(t)
	w.Auditor = func(string) error { return nil }
	auditor := w.Tree.Auditor()
	script := fakempi.Script(t, w.at("script"), "#!/bin/sh\nexec "+w.openApp+"\n")
	opens := fakempi.Compile(t, `void *dlopen(const char *, int); int MPI_Init(); int main() { return dlopen("/opt/mpi/lib/libmpi.so.40", 2) ? MPI_Init() : 1; }`,
		w.at("opens"), w.open.Library, "-ldl")
	starts := fakempi.Compile(t, `int system(); int MPI_Init(); int main() { return system("exec mpirun -n 2 other") + MPI_Init(); }`, w.at("starts"), w.open.Library)
	mentions := fakempi.Compile(t, `int puts(); int MPI_Init(); int main() { return puts("start it by mpirun, with /lib/libmpi.so.40") + MPI_Init(); }`, w.at("mentions"), w.open.Library)
	for name, c := range map[string]struct {
		app, from string
		rt        *runtimes.Runtime
		audited   bool
	}{
		"a program":                   {w.openApp, "", w.mpich, false},
		"a script":                    {script, "", w.mpich, true},
		"unknown":                     {w.plain, "", w.mpich, true},
		"unknown, with --from":        {w.plain, "openmpi", w.mpich, true},
		"opens a library by its path": {opens, "", w.mpich, true},
		"starts a launcher":           {starts, "", w.mpich, true},
		"names both, and neither opens nor starts": {mentions, "", w.mpich, false},
		"its own library":                          {w.openApp, "", w.open, false},
		"a script, and its own library":            {script, "", w.open, false},
		"a script, on a library of its family":     {script, "", w.open2, true},
	} {
		j := w.job(c.app, c.from, c.rt)
		assert.Equal(t, c.audited, j.Audited(), name)
		assert.Equal(t, c.audited, j.value("LD_AUDIT") == auditor, name)
		assert.Equal(t, c.audited, j.value("GLIBC_TUNABLES") != "", name)
	}

	j := w.job(script, "", w.open2)
	assert.True(t, j.Native())
	assert.Equal(t, "openmpi", j.value("WI4GO_NATIVE"))
	assert.Equal(t, w.open2.Library, j.value("WI4GO_TO"))
	j = w.job(script, "", w.mpich)
	assert.Empty(t, j.value("WI4GO_NATIVE"))
	assert.NotEmpty(t, j.value("WI4GO_LIBRARY_PATH"), "a script gets LD_LIBRARY_PATH as well")
	assert.Equal(t, j.value("LD_LIBRARY_PATH"), j.value("WI4GO_LIBRARY_PATH"))

	// Requested by the user.
	w.env["WI4GO_AUDIT"] = "1"
	assert.True(t, w.job(w.openApp, "", w.mpich).Audited())
	w.env["WI4GO_AUDIT"] = "0"
	assert.False(t, w.job(script, "", w.mpich).Audited())
	delete(w.env, "WI4GO_AUDIT")

	// Other auditors remain, before ours. The auditor of an outer wi4go is removed.
	w.env["LD_AUDIT"] = "/x/tool.so:/other/lib/wi4go/audit.so"
	assert.Equal(t, "/x/tool.so:"+auditor, w.job(script, "", w.mpich).value("LD_AUDIT"))
	assert.Equal(t, "/x/tool.so", w.job(w.openApp, "", w.mpich).value("LD_AUDIT"))
}

// Valgrind gets wi4go's suppressions, after the user's own options. A program under it needs no auditor, and no process under
// heaptrack gets one.
func TestValgrind(t *testing.T) {
	w := newWorld(t)
	w.Auditor = func(string) error { return nil }
	file := w.Tree.Suppressions()
	suppressions := "--suppressions=" + file
	valgrind := fakempi.Script(t, w.at("valgrind"), "#!/bin/sh\nexec \"$@\"\n")
	heaptrack := fakempi.Script(t, w.at("heaptrack"), "#!/bin/sh\nexec \"$@\"\n")
	script := fakempi.Script(t, w.at("script"), "#!/bin/sh\nexec "+valgrind+" "+w.openApp+"\n")
	assert.Empty(t, w.jobOf("", w.mpich, valgrind, w.openApp).value("VALGRIND_OPTS"), "without the file, valgrind would refuse the option")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, nil, 0o644))

	j := w.jobOf("", w.mpich, valgrind, w.openApp)
	assert.False(t, j.Audited())
	assert.Equal(t, suppressions, j.value("VALGRIND_OPTS"))
	j = w.job(script, "", w.mpich)
	assert.True(t, j.Audited())
	assert.Equal(t, suppressions+" --run-libc-freeres=no", j.value("VALGRIND_OPTS"))
	assert.Empty(t, w.job(w.openApp, "", w.mpich).value("VALGRIND_OPTS"), "no other program starts")

	for _, argv := range [][]string{{heaptrack, w.openApp}, {heaptrack, script}} {
		assert.False(t, w.jobOf("", w.mpich, argv...).Audited(), argv)
	}

	w.env["VALGRIND_OPTS"] = "--num-callers=30"
	assert.Equal(t, "--num-callers=30 "+suppressions, w.jobOf("", w.mpich, valgrind, w.openApp).value("VALGRIND_OPTS"))
	w.env["VALGRIND_OPTS"] = suppressions // an outer wi4go's
	assert.Empty(t, w.jobOf("", w.mpich, valgrind, w.openApp).value("VALGRIND_OPTS"))
}

// If the host's dynamic linker cannot use an auditor, a warning names the cause.
func TestNotAudited(t *testing.T) {
	w := newWorld(t)
	w.Auditor = func(string) error { return errors.New("its dynamic linker is old") }
	j := w.job(w.plain, "", w.mpich)
	assert.False(t, j.Audited())
	require.Len(t, j.Warnings, 1)
	assert.ErrorContains(t, j.Warnings[0], "cannot observe on this host which libraries this program opens, because its dynamic linker is old")
	assert.ErrorContains(t, j.Warnings[0], "WI4GO_AUDIT=0")
	assert.Empty(t, w.job(w.openApp, "", w.mpich).Warnings)
	w.env["WI4GO_AUDIT"] = "0"
	assert.Empty(t, w.job(w.plain, "", w.mpich).Warnings)
}
