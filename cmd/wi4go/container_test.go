package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

// containerRoot creates the root of a container with a C library of an old release, and a program for the fake Open
// MPI. It returns its path.
func (w *world) containerRoot() string {
	root := w.at("root")
	script := w.at("libc.map")
	require.NoError(w.t, os.WriteFile(script, []byte("GLIBC_2.0 { global: old; };\n"), 0o644))
	fakempi.Shared(w.t, "int old(void) { return 0; }", filepath.Join(root, "usr/lib64/libc.so.6"), "libc.so.6", "-nostdlib",
		"-Wl,--version-script="+script)
	fakempi.Program(w.t, filepath.Join(root, "usr/bin/app"), w.open)
	fakempi.Script(w.t, filepath.Join(root, "usr/bin/script"), "#!/bin/sh\n")
	require.NoError(w.t, os.WriteFile(filepath.Join(root, "usr/bin/text"), nil, 0o644))
	return root
}

func TestContainer(t *testing.T) {
	w := newWorld(t)
	ours := w.at("ours/lib/wi4go")
	const own = "/opt/wi4go-host/wi4go"
	translated := []string{"--bind=" + w.at("mpich") + ":" + w.at("mpich") + ":ro", "--bind=" + ours + ":" + own + ":ro",
		"--env=LD_PRELOAD=" + own + "/openmpi/preload/libmpi.so.40", "--env=WI4GO_TO=" + w.mpich, "--env=WI4GO_FROM=openmpi"}

	// The program of this host, in an image that is not known. The preloads of this process do not count there.
	r := w.run([]string{"LD_LIBRARY_PATH=/nowhere"}, "env", "--container", "apptainer", "--to", "mpich", "./open_app")
	assert.Equal(t, 0, r.code, r.err)
	assert.Subset(t, strings.Fields(r.out), translated)
	assert.Contains(t, r.err, "wi4go: note: the container needs glibc 2.")

	// Without a program, --from decides. A program started by that command may set LD_PRELOAD.
	standIn := own + "/openmpi/preload/libmpi.so.40"
	r.out = strings.Replace(r.out, standIn, standIn+":"+own+"/openmpi/preload/libopen_mpi.so.40:"+own+"/openmpi/preload/libmpi_mpifh.so.40", 1)
	r.out += "--env=MPI4PY_MPIABI=openmpi\n--env=LD_LIBRARY_PATH=" + own + "/openmpi/path:" + own + "/mpich/path:" + own + "/mpiabi/path\n"
	assert.Equal(t, r.out, w.run(nil, "env", "--container=apptainer", "--to=mpich", "--from=openmpi").out)
	assert.Equal(t, r.out, w.run(nil, "env", "--container", "apptainer", "--to", "mpich", "--from", "openmpi", "/srv/not-here").out)
	r = w.run([]string{"WI4GO_TO=mpich"}, "env", "--container", "podman", "--from", "openmpi")
	assert.Contains(t, r.out, "--volume="+ours+":"+own+":ro\n")
	assert.Contains(t, r.err, "start the job with `mpiexec -pmi-port`")

	// A program in the image, whose C library is too old.
	root := w.containerRoot()
	r = w.run(nil, "env", "--container", "apptainer", "--to", "mpich", "--rootfs", root, "app")
	assert.Equal(t, 0, r.code, r.err)
	assert.Subset(t, strings.Fields(r.out), translated)
	assert.Regexp(t, `(?m)^wi4go: warning: the glibc of `+root+` is 2\.0, but 2\.\d+ or newer is needed by `, r.err)

	// On its own family the program gets the host's library, not the front.
	r = w.run(nil, "env", "--container", "apptainer", "--to", "openmpi", "--rootfs", root, "/usr/bin/app")
	assert.Contains(t, r.out, "--env=LD_PRELOAD="+w.open+"\n")
	assert.NotContains(t, r.out, own)
	r = w.run(nil, "env", "--container", "apptainer", "--to", "openmpi", "./open_app")
	assert.Contains(t, r.out, "--env=LD_PRELOAD="+w.open+"\n", "although it finds the library by itself here")
}

// The embedded MPI needs no files of the host but wi4go's, whatever paths its file names.
func TestContainerEmbedded(t *testing.T) {
	w := newWorld(t)
	fakempi.Embedded(t, w.at("ours"))
	gcc, err := exec.Command("gcc", "-print-file-name=include").Output()
	require.NoError(t, err)
	named := strings.TrimSpace(string(gcc))
	fakempi.Shared(t, "const char named[] = \""+named+"\"; int MPI_Init, PMPI_Init, MPI_Abi_get_version; const char sign[] = \"wi4go embedded MPI\";",
		w.at("ours/lib/wi4go/runtimes/embedded/lib/libwi4go-embedded.so.1"), "libwi4go-embedded.so.1")
	r := w.run(nil, "env", "--container", "apptainer", "--to", "embedded", "./open_app")
	assert.Equal(t, 0, r.code, r.err)
	assert.Subset(t, strings.Fields(r.out), []string{"--bind=" + w.at("ours/lib/wi4go") + ":/opt/wi4go-host/wi4go:ro",
		"--env=WI4GO_TO=/opt/wi4go-host/wi4go/runtimes/embedded/lib/libwi4go-embedded.so.1"})
	assert.NotContains(t, r.out, named)
	r = w.run(nil, "env", "--container", "podman", "--to", "embedded", "./open_app")
	assert.Contains(t, r.err, "podman passes no open files into a container, but the launcher of wi4go's embedded MPI reaches its ranks through one")
}

// The embedded MPI is the default on a machine without another, and the command reports it.
func TestEmbeddedAlone(t *testing.T) {
	w := newWorld(t)
	fakempi.Embedded(t, w.at("ours"), "MPI_Send_c")
	require.NoError(t, os.MkdirAll(w.at("config/wi4go"), 0o755))
	require.NoError(t, os.WriteFile(w.at("config/wi4go/config.toml"), []byte(`hide = ["/usr", "/lib", "/opt", "`+w.at("open")+`", "`+w.at("mpich")+`"]`), 0o644))
	env := []string{"XDG_CONFIG_HOME=" + w.at("config")}
	const note = "wi4go: note: no MPI library is installed: wi4go uses its own, embedded, which runs all ranks on this host: for several hosts, " +
		"install one, for example with `wi4go get mpich`\n"
	for _, command := range []string{"run", "exec"} {
		r := w.run(env, command, "./open_app")
		assert.Equal(t, note, r.err, command)
		assert.Contains(t, r.out, "served by front openmpi for "+w.at("ours/lib/wi4go/runtimes/embedded/lib/libwi4go-embedded.so.1"), command)
	}
	for _, args := range [][]string{{"shell", "--dry-run"}, {"env", "./open_app"}} {
		r := w.run(env, args...)
		assert.Contains(t, r.err, note, args[0])
	}
	assert.Empty(t, w.run(append(env, "WI4GO_TO=embedded"), "run", "./open_app").err)
	assert.Empty(t, w.run(append(env, "PMI_RANK=1", "PMI_SIZE=2", "MPI_LOCALNRANKS=2"), "exec", "--to", "embedded", "./open_app").err)
	r := w.run(env, "default-library", "mpiabi")
	assert.Equal(t, w.at("ours/lib/wi4go/runtimes/embedded/lib/libwi4go-embedded.so.1")+"\n"+note, r.out)
	r = w.run(append(env, "WI4GO_TO=embedded"), "default-library", "mpiabi")
	assert.Equal(t, w.at("ours/lib/wi4go/runtimes/embedded/lib/libwi4go-embedded.so.1")+"\n", r.out)
	r = w.run(env, "__complete", "run", "--to", "")
	assert.Contains(t, r.out, "embedded\twi4go's embedded MPI")
	r = w.run(env, "list", "--json")
	assert.Contains(t, r.out, `"name": "embedded"`)
	r = w.run(env, "get", "embedded")
	assert.Equal(t, result{err: "wi4go: get embedded: it is part of wi4go: run with `--to embedded`\n", code: 2}, r)
	r = w.run(env, "run", "--get", "./open_app")
	assert.NotZero(t, r.code, "--get installs an MPI although the embedded one is there")
}

// A file of the Container Device Interface contains the same as the options for podman.
func TestContainerDevice(t *testing.T) {
	w := newWorld(t)
	r := w.run(nil, "env", "--container", "cdi", "--to", "mpich", "./open_app")
	require.Equal(t, 0, r.code, r.err)
	var file struct {
		Version, Kind string
		Devices       []struct {
			Name           string
			ContainerEdits struct {
				Env    []string
				Mounts []struct{ HostPath, ContainerPath string }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &file))
	require.Len(t, file.Devices, 1)
	assert.Equal(t, "wi4go/mpi openmpi-on-mpich", file.Kind+" "+file.Devices[0].Name)
	assert.Contains(t, r.err, "podman run --device wi4go/mpi=openmpi-on-mpich")
	options := strings.Fields(w.run(nil, "env", "--container", "podman", "--to", "mpich", "./open_app").out)
	edits := file.Devices[0].ContainerEdits
	assert.Contains(t, edits.Env, "WI4GO_FROM=openmpi")
	for _, v := range edits.Env {
		assert.Contains(t, options, "--env="+v)
	}
	for _, m := range edits.Mounts {
		assert.Condition(t, func() bool {
			return slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, "--volume="+m.HostPath+":"+m.ContainerPath) })
		}, "%v", m)
	}
	r = w.run(nil, "env", "--container", "cdi", "--to", "openmpi", "./open_app")
	assert.Contains(t, r.out, `"name": "openmpi"`)
	r = w.run(nil, "env", "--container", "cdi", "--eval", "--to", "mpich", "./open_app")
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.err, "leave out one of them")
}

// A shell that evaluates the output with eval gets the original values, whatever characters they contain.
func TestContainerEval(t *testing.T) {
	w := newWorld(t)
	odd := w.at("an odd * place")
	library := fakempi.MPICH(t, odd, "libmpich.so.12", "")
	r := w.run(nil, "env", "--container", "apptainer", "--to", library, "./open_app")
	assert.Equal(t, 1, r.code)
	assert.Empty(t, r.out)
	assert.Contains(t, r.err, "use --eval")

	eval := func(line string) string {
		c := exec.Command("sh", "-ec", line)
		c.Dir, c.Env = w.dir, []string{"HOME=" + w.dir, "PATH=" + w.at("open/bin") + ":/usr/bin:/bin", "W=" + w.wi4go, "LIB=" + library}
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	out := eval(`eval "$("$W" env --container apptainer --eval --to "$LIB" ./open_app 2>/dev/null)"
		printf '%s\n' "$APPTAINER_BIND" "$APPTAINERENV_WI4GO_TO"`)
	assert.Contains(t, out, odd+":"+odd+":ro")
	assert.Contains(t, out, "\n"+library+"\n")
	out = eval(`eval "printf '%s\n' $("$W" env --container docker --eval --to "$LIB" ./open_app 2>/dev/null)"`)
	assert.Contains(t, out, "\n--volume="+odd+":"+odd+":ro\n")
	assert.Contains(t, out, "\n--env=WI4GO_TO="+library+"\n")
}

func TestContainerBadInput(t *testing.T) {
	w := newWorld(t)
	root := w.containerRoot()
	require.NoError(t, os.WriteFile(w.at("image.sif"), nil, 0o644))
	musl := w.at("musl/lib/ld-musl-x86_64.so.1")
	require.NoError(t, os.MkdirAll(filepath.Dir(musl), 0o755))
	require.NoError(t, os.WriteFile(musl, nil, 0o644))
	fakempi.MPICH(t, w.at("with:colon"), "libmpich.so.12", "")
	for args, want := range map[string]struct {
		code int
		says string
	}{
		"--container":                                     {2, "--container needs a value"},
		"--container=":                                    {2, "--container needs a value"},
		"--container lxc --to mpich ./open_app":           {2, `--container: unknown container program "lxc": the programs are apptainer, podman, docker and cdi`},
		"--container apptainer ./open_app":                {2, "name it with --to"},
		"--container apptainer --to mpich":                {2, "env --container needs a program: name it, or give its family with --from"},
		"--container apptainer --to mpich --frob ./x":     {2, "unknown option --frob"},
		"--container apptainer --to lam ./open_app":       {1, `unknown MPI "lam"`},
		"--container apptainer --to mpich --from lam ./x": {2, `--from: unknown MPI family "lam"`},
		"--container apptainer --to mpich ./missing": {1, "./missing: no such file or directory; if it is in the container, wi4go " +
			"needs the container's files to read it"},
		"--container apptainer --to with:colon ./open_app":   {1, "contains a colon or a comma"},
		"--rootfs root --to mpich ./open_app":                {2, "--rootfs and --eval need --container"},
		"--eval --to mpich ./open_app":                       {2, "--rootfs and --eval need --container"},
		"--container podman --to mpich --rootfs none ./x":    {1, "--rootfs none: no such file or directory"},
		"--container podman --to mpich --rootfs image.sif x": {1, "wi4go cannot read an image file"},
		"--container podman --to mpich --rootfs musl x":      {1, "its C library is musl"},
		"--container podman --to mpich --rootfs open x":      {1, "not the root directory of a container"},
		"--container podman --to mpich --rootfs root x":      {1, "x: no such program in " + root},
		"--container podman --to mpich --rootfs root text":   {1, "/usr/bin/text is not executable in " + root},
		"--container podman --to mpich --rootfs root /usr":   {1, "/usr is a directory in " + root},
		"--container podman --to mpich --rootfs root ./x":    {1, "give the absolute path of a program in an image"},
		"--container podman --to mpich --rootfs root script": {1, "give the program's family with --from"},
	} {
		t.Run(args, func(t *testing.T) {
			r := w.run(nil, append([]string{"env"}, strings.Fields(args)...)...)
			assert.Equal(t, want.code, r.code)
			assert.Empty(t, r.out)
			assert.Contains(t, r.err, want.says)
			assert.True(t, strings.HasPrefix(r.err, "wi4go: "), r.err)
			assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
		})
	}
}
