package packages

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

var native sync.Once

// nativePackages makes the .deb and the .rpm once, and returns their paths.
func nativePackages(t *testing.T) (deb, rpm string) {
	t.Helper()
	heavy(t)
	dir := filepath.Dir(archive(t))
	native.Do(func() { makes(t, "native") })
	for pattern, path := range map[string]*string{"wi4go_*.deb": &deb, "wi4go-*.rpm": &rpm} {
		all, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		require.Len(t, all, 1)
		*path = all[0]
	}
	return deb, rpm
}

func TestLintian(t *testing.T) {
	deb, _ := nativePackages(t)
	need(t, "lintian")
	out := must(t, "/", nil, "lintian", "--allow-root", "--fail-on", "error,warning", deb)
	assert.NotRegexp(t, `(?m)^[EW]: `, out)
	t.Log(out)
}

// A root is a file system of a distribution, in which commands run.
type root string

// bootstrapped returns a root of a release, made once and copied.
func bootstrapped(t *testing.T, release, mirror string, options ...string) root {
	t.Helper()
	need(t, "debootstrap", "bwrap")
	if os.Getuid() != 0 {
		t.Skip("debootstrap works for root")
	}
	kept := filepath.Join(top(t), "build/roots", release)
	if _, err := os.Stat(kept); err != nil {
		making := kept + ".making"
		require.NoError(t, os.RemoveAll(making))
		require.NoError(t, os.MkdirAll(making, 0o755))
		must(t, "/", nil, append(append([]string{"debootstrap", "--variant=minbase"}, options...), release, making, mirror)...)
		require.NoError(t, os.Rename(making, kept))
	}
	return copied(t, kept)
}

// copied returns a copy of a directory as a root.
func copied(t *testing.T, dir string) root {
	t.Helper()
	r := filepath.Join(t.TempDir(), "root")
	must(t, "/", nil, "cp", "-a", dir, r)
	return root(r)
}

// try runs a command in the root, as its administrator does.
func (r root) try(t *testing.T, command ...string) (string, error) {
	t.Helper()
	words := []string{"bwrap", "--bind", string(r), "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", "--ro-bind", "/sys", "/sys",
		"--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf", "--cap-add", "ALL", "--chdir", "/root", "--clearenv",
		"--setenv", "HOME", "/root", "--setenv", "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"--setenv", "DEBIAN_FRONTEND", "noninteractive", "--setenv", "RUNLEVEL", "1"}
	for _, v := range harness.PlainEnviron()[len(os.Environ()):] {
		name, value, _ := strings.Cut(v, "=")
		words = append(words, "--setenv", name, value)
	}
	return try(t, "/", nil, append(words, command...)...)
}

func (r root) must(t *testing.T, command ...string) string {
	t.Helper()
	out, err := r.try(t, command...)
	require.NoError(t, err, "%s\n%s", strings.Join(command, " "), out)
	return out
}

// put copies a file into the root's /root.
func (r root) put(t *testing.T, path, name string) {
	t.Helper()
	must(t, "/", nil, "cp", path, filepath.Join(string(r), "root", name))
}

// debian returns a minimal root of this machine's release of Debian, with Debian's MPI libraries if requested.
func debian(t *testing.T, more ...string) root {
	t.Helper()
	system, err := os.ReadFile("/etc/os-release")
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^VERSION_CODENAME=(\w+)$`).FindSubmatch(system)
	require.NotNil(t, m, "the release of this Debian")
	text, err := exec.Command("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages").Output()
	require.NoError(t, err)
	mirror := regexp.MustCompile(`(?m)^(\S+) ` + string(m[1]) + ` main$`).FindSubmatch(text)
	require.NotNil(t, mirror, "apt's sources have no archive of %s:\n%s", m[1], text)
	r := bootstrapped(t, string(m[1]), string(mirror[1]))
	if len(more) > 0 {
		r.must(t, "apt-get", "update", "-qq")
		r.must(t, append([]string{"apt-get", "install", "-y", "-qq", "--no-install-recommends"}, more...)...)
	}
	return r
}

// owned returns the files of a root, except for records of package managers.
func (r root) owned(t *testing.T) []string {
	t.Helper()
	var own []string
	for _, dir := range []string{"usr", "etc", "opt"} {
		for _, name := range files(t, filepath.Join(string(r), dir)) {
			own = append(own, dir+"/"+name)
		}
	}
	return slices.DeleteFunc(own, func(name string) bool { return strings.HasPrefix(name, "etc/ld.so.cache") })
}

// use runs programs of both families in the root on the other's library, by the command in PATH there.
func (r root) use(t *testing.T) {
	t.Helper()
	assert.Regexp(t, `\d+\.\d+\.\d+`, r.must(t, "wi4go", "--version"))
	assert.Contains(t, r.must(t, "wi4go", "list"), "/usr/lib/")
	for from, title := range titles {
		r.put(t, hello(t, found(t, from).MPICC), "hello-"+from)
		out := r.must(t, "wi4go", "run", "--to", harness.Other(from), "-n", "2", "./hello-"+from)
		assert.Contains(t, out, "built for    "+title)
		assert.Regexp(t, `wi4go on: +`+titles[harness.Other(from)], out)
		assert.Contains(t, out, "as it should be")
		out = r.must(t, "wi4go", "verify", "--quick", "--fresh", "--from", from, "--to", harness.Other(from), "-n", "2", "MPI_Send")
		assert.Contains(t, out, "verdict: 1 right")
	}
}

// Both packages are installed in a clean Debian, used, and removed completely.
func TestNative(t *testing.T) {
	deb, rpm := nativePackages(t)
	need(t, "rpm")
	r := debian(t, "mpich", "openmpi-bin")
	before := r.owned(t)
	_, err := os.Stat(filepath.Join(string(r), "usr/bin/wi4go"))
	require.Error(t, err)
	for kind, commands := range map[string][2][]string{
		"deb": {{"apt-get", "install", "-y", "-qq", "/root/package.deb"}, {"apt-get", "purge", "-y", "-qq", "wi4go"}},
		"rpm": {{"rpm", "--root", string(r), "--nodeps", "-i", rpm}, {"rpm", "--root", string(r), "-e", "wi4go"}},
	} {
		t.Run(kind, func(t *testing.T) {
			run := func(command []string) {
				t.Helper()
				if kind == "deb" {
					r.must(t, command...)
				} else {
					must(t, "/", nil, command...)
				}
			}
			r.put(t, deb, "package.deb")
			run(commands[0])
			for _, file := range []string{"usr/share/man/man1/wi4go-run.1.gz", "usr/share/doc/wi4go/copyright", "usr/lib/wi4go/mpi/include/mpi.h"} {
				assert.FileExists(t, filepath.Join(string(r), file))
			}
			assert.NoFileExists(t, filepath.Join(string(r), "usr/include/mpi.h"))
			r.use(t)
			run(commands[1])
			assert.Equal(t, before, r.owned(t))
		})
	}
	out := must(t, "/", nil, "rpm", "-qp", "--changelog", rpm)
	assert.Contains(t, out, "First packages")
}

// The command that a message advises on a machine without pip installs a library there, and the program then runs on it.
func TestAdvice(t *testing.T) {
	deb, _ := nativePackages(t)
	need(t, "dpkg-deb")
	r := debian(t)
	must(t, "/", nil, "dpkg-deb", "-x", deb, string(r))
	for family, title := range titles {
		r.put(t, hello(t, found(t, family).MPICC), "hello")
		out, err := r.try(t, "wi4go", "run", "--to", family, "-n", "2", "./hello")
		require.Error(t, err)
		advice := regexp.MustCompile("install one with `([^`]+)`").FindStringSubmatch(out)
		require.NotNil(t, advice, out)
		r.must(t, "sh", "-ec", advice[1])
		assert.Regexp(t, "executed by +"+title, r.must(t, "wi4go", "run", "--to", family, "-n", "2", "./hello"))
	}
}

// oldest returns WI4GO_OLDEST_ROOT, a root with the oldest C library that the packages support, or else the oldest
// available release, and the version of its C library.
func oldest(t *testing.T) (r root, libc string) {
	t.Helper()
	if dir := os.Getenv("WI4GO_OLDEST_ROOT"); dir != "" {
		need(t, "bwrap")
		return copied(t, dir), fmt.Sprintf("glibc %d.%d", glibcMajor, glibcMinor)
	}
	return bootstrapped(t, "xenial", "http://archive.ubuntu.com/ubuntu", "--no-check-gpg"), "glibc 2.23"
}

// The packaged files run with an old C library: the command and the tests of MPI, on MPI libraries that are equally
// portable. Every symbol is looked up when a file is loaded. The .rpm has the same files as the .deb.
func TestOldest(t *testing.T) {
	deb, _ := nativePackages(t)
	need(t, "dpkg-deb")
	r, libc := oldest(t)
	require.Equal(t, libc+"\n", r.must(t, "getconf", "GNU_LIBC_VERSION"))
	tools := found(t, "intelmpi-2021.18") // it supports an equally old C library
	must(t, "/", nil, "cp", "-a", tools.Root(), filepath.Join(string(r), "opt/intelmpi"))
	inside := t.TempDir()
	must(t, "/", nil, "dpkg-deb", "-x", deb, inside)
	for kind, tree := range map[string]string{"archive": unpacked(t), "deb": filepath.Join(inside, "usr"), "wheel": environment(t, wheel(t))} {
		place := "/opt/" + kind
		must(t, "/", nil, "cp", "-a", tree, string(r)+place)
		wi4go := []string{"env", "LD_BIND_NOW=1", place + "/bin/wi4go"}
		for word, says := range map[string]string{"--version": `\d\.\d`, "list": "/opt/intelmpi/lib/libmpi.so.12 ", "doctor": libc + ","} {
			assert.Regexp(t, says, r.must(t, append(wi4go, word)...))
		}
		for _, c := range [][]string{{"openmpi"}, {"mpiabi"}, {"mpich", "--identity"}} {
			t.Run(kind+"/"+c[0], func(t *testing.T) {
				out := r.must(t, slices.Concat(wi4go, []string{"verify", "--quick", "--budget", "0", "--fresh",
					"--from", c[0], "--to", "/opt/intelmpi", "-n", "2"}, c[1:])...)
				verdict := regexp.MustCompile(`verdict: (\d+) right.*`).FindStringSubmatch(out)
				require.NotNil(t, verdict, out)
				assert.GreaterOrEqual(t, len(verdict[1]), 3, "hundreds of tests")
				assert.NotContains(t, out, "not run within")
				t.Log(verdict[0])
			})
		}
	}
}
