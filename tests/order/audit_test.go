package order

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// module compiles the program app.c as a library with the function job, and returns its path.
func (w *world) module(from string) string {
	w.Helper()
	return w.compile(from, "app.c", from+"/module.so", "-shared", "-fPIC", "-Dmain=job")
}

// host compiles a program that is not linked with MPI and opens modules, and returns its path.
func (w *world) host() string {
	w.Helper()
	gcc(w, "-O2", "-Wall", "-Wextra", "-o", w.at("host"), "programs/host.c", "-ldl")
	return w.at("host")
}

// script writes an executable shell script.
func (w *world) script(name, text string) string {
	w.Helper()
	require.NoError(w, os.MkdirAll(filepath.Dir(w.at(name)), 0o755))
	require.NoError(w, os.WriteFile(w.at(name), []byte("#!/bin/sh\n"+text), 0o755))
	return w.at(name)
}

// real returns the C library that programs of a toolchain are linked with. For interface mode it returns another
// vendor's library with the same ABI.
func (w *world) real(from string) string {
	w.Helper()
	if from == harness.Interface {
		from = "mpich-5.0-abi"
	}
	library, err := harness.Library(w.compile(from, "app.c", from+"/plain"))
	require.NoError(w, err)
	return library
}

// An interpreter whose start script puts the directory of the program's own MPI library first in LD_LIBRARY_PATH opens
// a module that is linked with MPI, and nothing names the module beforehand. R does so on Debian. The ranks use the
// requested library.
func TestInterpreterPath(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		host := w.host()
		path := w.script("ldpaths", "LD_LIBRARY_PATH="+filepath.Dir(w.real(from))+":$LD_LIBRARY_PATH\nexport LD_LIBRARY_PATH\n")
		require.NoError(w, os.WriteFile(w.at("program.txt"), []byte(w.module(from)), 0o644))
		return w.script("language", ". "+path+"\nread module <"+w.at("program.txt")+"\nexec "+host+" \"$module\"\n")
	}, func(w *world, language any, from, to string) {
		w.rightAnyhow(w.on(to, nil, language.(string)), "")
		w.rightAnyhow(w.on(to, nil, "--from", w.tools(from).Family(), language.(string)), "")
	})
}

// Whatever name a program uses to open its MPI library, before or after MPI_Init, it gets the front, also if that
// library is the runtime.
func TestOpenedByPath(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		host, module, library := w.host(), w.module(from), w.real(from)
		real, err := filepath.EvalSymlinks(library)
		require.NoError(w, err)
		named := []string{library, real, filepath.Base(library)}
		if link := strings.TrimRight(strings.SplitAfter(library, ".so")[0], "."); link != library {
			if _, err := os.Stat(link); err == nil {
				named = append(named, link)
			}
		}
		return append([]string{host, module}, named...)
	}, func(w *world, made any, from, to string) {
		host, module, named := made.([]string)[0], made.([]string)[1], made.([]string)[2:]
		fronts := filepath.Join(w.prefix, "lib", "wi4go") + "/"
		runtime, err := filepath.EvalSymlinks(w.real(to))
		require.NoError(w, err)
		for _, name := range named {
			for _, options := range [][]string{nil, {"--from", w.tools(from).Family()}} {
				r := w.on(to, nil, append(slices.Clone(options), host, name, module)...)
				w.rightAnyhow(r, "")
				origins := regexp.MustCompile(`(?m): MPI_Init of (\S+)$`).FindAllStringSubmatch(r.stdout, -1)
				assert.Len(w, origins, 4, r)
				for _, origin := range origins {
					file, err := filepath.EvalSymlinks(origin[1])
					assert.NoError(w, err)
					within := w.tools(from).Family() == w.tools(to).Family() && file == runtime
					assert.True(w, within || strings.HasPrefix(file, fronts), "%s: %s", file, r)
				}
			}
		}
	})
}

// The library inside a Python wheel has a hash in its name. Neither a program that is linked with it nor a program that
// opens a module of the wheel gets that library.
func TestBundledLibrary(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		library := w.real(from)
		stem, version, _ := strings.Cut(filepath.Base(library), ".so")
		bundled := w.at(from + "/wheel.libs/" + stem + "-0a1b2c3d.so" + version)
		require.NoError(w, os.MkdirAll(filepath.Dir(bundled), 0o755))
		text, err := exec.Command("cp", "-L", library, bundled).CombinedOutput()
		require.NoError(w, err, string(text))
		// The linker takes the name from a library with that soname.
		named := w.at(from + "/named.so")
		gcc(w, "-shared", "-fPIC", "-o", named, "-Wl,-soname,"+filepath.Base(bundled), "programs/names.c")
		object := w.compile(from, "app.c", from+"/app.o", "-c", "-fPIC")
		module := w.compile(from, "app.c", from+"/module.o", "-c", "-fPIC", "-Dmain=job")
		flags := []string{"-Wl,--no-as-needed", named, "-Wl,-rpath," + filepath.Dir(bundled)}
		gcc(w, append([]string{"-o", w.at(from + "/app"), object}, flags...)...)
		gcc(w, append([]string{"-shared", "-o", w.at(from + "/module.so"), module}, flags...)...)
		return []string{w.at(from + "/app"), w.host(), w.at(from + "/module.so")}
	}, func(w *world, made any, from, to string) {
		app, host, module := made.([]string)[0], made.([]string)[1], made.([]string)[2]
		for _, options := range [][]string{nil, {"--from", w.tools(from).Family()}} {
			w.rightAnyhow(w.on(to, nil, append(slices.Clone(options), app)...), "")
			w.rightAnyhow(w.on(to, nil, append(slices.Clone(options), host, module)...), "")
		}
	})
}

// An MPI library in LD_PRELOAD, of whatever family and from whatever source, receives no call of the program.
func TestPreloadedLibrary(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		return w.compile(from, "app.c", from+"/app")
	}, func(w *world, made any, from, to string) {
		app := made.(string)
		for _, library := range []string{w.real("openmpi"), w.real("mpich")} {
			preload := "LD_PRELOAD=" + library
			w.rightAnyhow(w.on(to, []string{preload, "WI4GO_STRICT=1"}, app), "")
			if to == "mpich-5.0" || from == "mpich-5.0-abi" {
				continue // these do not depend on the version
			}
			w.rightAnyhow(w.run([]string{preload}, w.tools(to).MPIExec, "-n", "2", w.wi4go, "exec", "--to", w.tools(to).MPIExec, app), "")
			w.rightAnyhow(w.on(to, nil, w.script(from+"/preloads", "export "+preload+"\nexec "+app+"\n")), "")
		}
	})
}

// A script removes all variables of the dynamic linker except LD_AUDIT.
func TestUnsetVariables(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		return w.script(from+"/script", "unset LD_PRELOAD LD_LIBRARY_PATH\nexec "+w.compile(from, "app.c", from+"/app")+"\n")
	}, func(w *world, script any, from, to string) {
		r := w.on(to, nil, script.(string))
		w.rightAnyhow(r, "")
		assert.NotContains(w, r.stderr, "wi4go: warning")
	})
}

// A script that each rank runs starts a launcher, which would start a job for each rank. Open MPI's launcher itself
// refuses to start inside its own ranks, as natively.
func TestNestedLauncher(t *testing.T) {
	w := newWorld(t)
	open, mpich := w.compile("openmpi", "app.c", "open"), w.compile("mpich", "app.c", "mpich")
	nested := func(by, app string) string {
		return w.script("script", w.tools(by).MPIExec+" -n 2 "+app+"\n")
	}
	for _, c := range []struct{ by, app, to string }{
		{"openmpi", open, "mpich"}, {"mpich", open, "mpich"}, {"openmpi", open, "mpich-5.0"}, {"openmpi-5.0", open, "mpich"},
		{"mpich", mpich, "openmpi"}, {"mpich-5.0", mpich, "openmpi-5.0"},
	} {
		script := nested(c.by, c.app)
		r := w.on(c.to, nil, script)
		assert.NotZero(t, r.code, "%v: %s", c, r)
		assert.NotContains(t, r.stdout, "rank ", "%v", c)
		assert.Regexp(t, `(?m)^wi4go: \S+ was started inside a rank of a job, so each rank would start another job: start the script once`, r.stderr, "%v", c)
	}
	r := w.on("openmpi", nil, nested("openmpi", open))
	assert.NotZero(t, r.code, r)
	assert.NotContains(t, r.stdout, "rank ")
	// MPICH's own launcher may do it, natively and for its own programs; so may a single rank, and a user who states
	// that it is intended.
	w.rightTwice(w.on("mpich", nil, nested("mpich", mpich)))
	r = w.run(nil, w.wi4go, "run", "--to", w.tools("mpich").MPIExec, "-n", "1", nested("mpich", mpich))
	w.rightAnyhow(r, "")
	w.rightTwice(w.on("mpich", []string{"WI4GO_STRICT=0"}, nested("mpich", open)))
}

// A launcher that make, ctest or a script in Perl starts inside a rank is refused, although doctor does not read their
// files: another launcher than that of the ranks, and the same one if --from names a family whose own launcher refuses it.
func TestNestedByOthers(t *testing.T) {
	w := newWorld(t)
	open, to := w.compile("openmpi", "app.c", "open"), w.tools("mpich").MPIExec
	for by, options := range map[string][]string{"openmpi": nil, "mpich": {"--from", "openmpi"}} {
		launch := w.tools(by).MPIExec + " -n 2 " + open
		w.write(w.at("rules"), "run:\n\t"+launch+"\n")
		w.write(w.at("CTestTestfile.cmake"), "add_test(nested "+launch+")\n")
		w.write(w.at("driver"), "system('"+launch+"'); exit($? >> 8)\n")
		for _, command := range []string{"make -f " + w.at("rules") + " run", "ctest --verbose --test-dir " + w.dir, "perl " + w.at("driver")} {
			script := w.script("script", "exec "+command+"\n")
			r := w.run(nil, slices.Concat([]string{w.wi4go, "run"}, options, []string{"--to", to, "-n", "2", script})...)
			assert.NotZero(t, r.code, "%s: %s", command, r)
			assert.NotContains(t, r.stdout, "rank 0", command)
			assert.Contains(t, r.stdout+r.stderr, "was started inside a rank of a job, so each rank would start another job: start the script once", command)
		}
	}
}

// rightTwice asserts that each of two ranks has started a job of two.
func (w *world) rightTwice(r result) {
	w.Helper()
	assert.Equal(w, []string{"rank 0 of 2, sum 1", "rank 0 of 2, sum 1", "rank 1 of 2, sum 1", "rank 1 of 2, sum 1"}, r.lines(", through"), r)
}

// An MPI library with an unknown name is reported: an error if the launcher has started several ranks, else a warning,
// and with WI4GO_STRICT=1 always an error.
func TestUnknownName(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		library, disguised := w.real(from), w.at(from+"/libparallel.so")
		require.NoError(w, os.MkdirAll(filepath.Dir(disguised), 0o755))
		text, err := exec.Command("cp", "-L", library, disguised).CombinedOutput()
		require.NoError(w, err, string(text))
		named := w.at(from + "/named.so")
		gcc(w, "-shared", "-fPIC", "-o", named, "-Wl,-soname,libparallel.so", "programs/names.c")
		module := w.compile(from, "app.c", from+"/module.o", "-c", "-fPIC", "-Dmain=job")
		gcc(w, "-shared", "-o", w.at(from+"/module.so"), module, "-Wl,--no-as-needed", named, "-Wl,-rpath,"+w.at(from))
		return []string{w.host(), w.at(from + "/module.so")}
	}, func(w *world, command any, from, to string) {
		const found = "/libparallel.so is an MPI library whose file name wi4go does not recognize"
		words := command.([]string)
		r := w.on(to, nil, words...)
		assert.NotZero(w, r.code, r)
		assert.Contains(w, r.stderr, found)
		assert.NotContains(w, r.stdout, "rank ")
		exec := append([]string{w.wi4go, "exec", "--to", w.tools(to).MPIExec}, words...)
		assert.Contains(w, w.run(nil, exec...).stderr, "wi4go: warning: ")
		r = w.run([]string{"WI4GO_STRICT=1"}, exec...)
		assert.Equal(w, 1, r.code, r)
		assert.Contains(w, r.stderr, found)
		assert.NotContains(w, w.run([]string{"WI4GO_STRICT=0"}, exec...).stderr, found)
	})
}

// The auditor works with AddressSanitizer, which interposes dlopen, with libraries that need thread-local storage in
// the static block, and with another auditor before or after it.
func TestAuditorCompany(t *testing.T) {
	w := newWorld(t)
	gcc(w, "-shared", "-fPIC", "-O2", "-o", w.at("libtls.so"), "programs/tls.c")
	gcc(w, "-shared", "-fPIC", "-O2", "-o", w.at("auditor.so"), "programs/auditor.c")
	ours := filepath.Join(w.prefix, "lib", "wi4go", "audit.so")
	host := w.host()
	for from, to := range map[string]string{"openmpi": "mpich", "mpich": "openmpi", harness.Interface: "openmpi"} {
		asan := w.compile(from, "app.c", from+"/asan", "-fsanitize=address")
		w.rightAnyhow(w.on(to, []string{"WI4GO_AUDIT=1"}, asan), "")
		command := []string{host, w.module(from)}
		w.rightAnyhow(w.on(to, []string{"LD_PRELOAD=" + w.at("libtls.so")}, command...), "")
		w.rightAnyhow(w.on(to, []string{"LD_AUDIT=" + w.at("auditor.so")}, command...), "")
		w.rightAnyhow(w.on(to, nil, append([]string{w.script("audits", "LD_AUDIT="+w.at("auditor.so")+":$LD_AUDIT exec \"$@\"\n")}, command...)...), "")
		w.rightAnyhow(w.on(to, nil, append([]string{w.script("audits", "LD_AUDIT=$LD_AUDIT:"+w.at("auditor.so")+" exec \"$@\"\n")}, command...)...), "")
		r := w.on(to, []string{"LD_AUDIT=" + w.at("auditor.so") + ":" + ours}, w.compile(from, "app.c", from+"/app"))
		w.rightAnyhow(r, "") // the auditor of an outer wi4go is removed
	}
}

// A program that needs no special handling starts without the auditor, or with it at the user's request.
func TestAuditorByHand(t *testing.T) {
	w := newWorld(t)
	app := w.compile("openmpi", "app.c", "app")
	for setting, audited := range map[string]bool{"A=": false, "WI4GO_AUDIT=1": true} {
		r := w.on("mpich", []string{setting}, app, "LD_AUDIT")
		w.right(r, "")
		assert.Equal(t, audited, strings.Contains(r.stdout, "/audit.so"), r)
	}
	r := w.on("mpich", []string{"WI4GO_AUDIT=0"}, w.host(), w.module("openmpi"))
	assert.Len(t, r.lines(""), 2, "by LD_LIBRARY_PATH: %s", r)
}
