// Package headers checks that the C headers of the fronts are modules: each lists the names it
// gives and the headers it needs, compiles alone, and no two need each other.
package headers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen"
	"wi4go/gen/fortran"
	"wi4go/gen/gentest"
)

const root = "../.."

// folders are the folders with the headers.
var folders = strings.Fields("mappers handletable shim/front shim/tracked shim/emulate shim/core shim/fortran c/asmchooser c/launchers")

// header is one file.
type header struct {
	path, name, text string
	needs            []string // the files of this repository that it includes
}

var included = regexp.MustCompile(`(?m)^#include "([^"]+)"`)

// needs returns the files that a text includes, each once.
func needs(text string) []string {
	var names []string
	for _, m := range included.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// load reads the files that match a pattern. There must be at least one.
func load(t *testing.T, pattern string, folders ...string) []header {
	t.Helper()
	files := find(t, pattern, folders...)
	require.NotEmpty(t, files)
	return files
}

// find reads the files that match a pattern, if there are any.
func find(t *testing.T, pattern string, folders ...string) []header {
	t.Helper()
	var files []header
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(root, folder, pattern))
		require.NoError(t, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			files = append(files, header{folder + "/" + filepath.Base(path), filepath.Base(path), string(text), needs(string(text))})
		}
	}
	return files
}

// generated writes the generator's files into a directory. It returns their contents by name, and
// the directory.
func generated(t *testing.T) (map[string]string, string) {
	t.Helper()
	in := gentest.Input(t)
	files, err := gen.Generate(in)
	require.NoError(t, err)
	layers, err := fortran.Libraries(in)
	require.NoError(t, err)
	files = append(files, layers...)
	texts, directory := map[string]string{}, t.TempDir()
	for _, f := range files {
		path := filepath.Join(directory, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, f.Text, 0o666))
		texts[f.Name] = string(f.Text)
	}
	return texts, directory
}

// Each header begins with a comment that lists the names it gives, which it must contain, and the
// files it needs, which are those it includes. It also has an include guard.
func TestHeads(t *testing.T) {
	line := func(comment, key string) string {
		m := regexp.MustCompile(`(?s)\n \* ` + key + `: (.*?)\.?\n( \* [A-Z]\w+: | \*?$)`).FindStringSubmatch(comment)
		if m == nil {
			return ""
		}
		return strings.ReplaceAll(m[1], "\n *", "")
	}
	for _, h := range load(t, "*.h", folders...) {
		require.True(t, strings.HasPrefix(h.text, "/*\n"), "%s does not begin with a comment", h.path)
		comment, body, _ := strings.Cut(h.text, "*/")
		guard := "WI4GO_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(h.name))
		assert.True(t, strings.HasPrefix(body, "\n#ifndef "+guard+"\n#define "+guard+"\n"), "%s has no guard %s after its first comment", h.path, guard)
		assert.True(t, strings.HasSuffix(body, "\n#endif\n"), "%s: its guard does not end with the file", h.path)

		gives := line(comment, "Gives")
		assert.NotEmpty(t, gives, "%s does not list the names that it gives: add a line ` * Gives: …`", h.path)
		for _, name := range regexp.MustCompile(`\b[\w.]+\b`).FindAllString(gives, -1) {
			// Package gen checks the definitions of MPI functions.
			if strings.Contains(name, "_") && !strings.HasPrefix(name, "MPI") && !strings.HasPrefix(name, "_") && !strings.Contains(name, ".") {
				assert.Regexp(t, `\b`+name+`\b`, body, "%s lists this name, and does not have it", h.path)
			}
		}
		var said []string
		if needs := line(comment, "Needs"); needs != "" {
			said = strings.Split(needs, ", ")
		}
		assert.ElementsMatch(t, h.needs, said, "%s: the files in its line ` * Needs:` differ from its includes", h.path)
	}
}

// partly are headers that only some families' programs use.
var partly = map[string]string{"handles_int.h": "mpich", "handles_pointer.h": "openmpi", "handles_standard.h": "mpiabi", "requests_int.h": "mpich"}

// serves reports whether a header belongs to the pair of a front and a family. Within a family,
// those are the headers that its C includes, and the headers that these need.
func serves(h header, front, runtime string, includes []string) bool {
	if family, ok := partly[h.name]; ok {
		return front == family && runtime != front
	}
	if h.name == "requests_wide.h" {
		return front != "mpich" && runtime != front
	}
	if runtime != front {
		return h.name != "identity.h"
	}
	served := strings.Fields("abi_draft.h errors.h handles.h layout.h mpi_types.h pair.h pair_setup.h cut_string.h")
	return slices.Contains(served, h.name) || slices.Contains(includes, h.name)
}

// fortranHeader is the header for the peculiarities of a family's Fortran library.
var fortranHeader = map[string]string{"mpiabi": "interface.h", "mpich": "mpich.h", "openmpi": "openmpi.h"}

// fortranOf are the headers of shim/fortran that only one family uses.
var fortranOf = map[string]string{"interface.h": "mpiabi", "mpich.h": "mpich", "openmpi.h": "openmpi", "f08.h": "openmpi", "view.h": "mpich", "sections.h": "mpich", "descriptor.h": "mpiabi"}

// libc includes the headers of the system whose names no header may define.
const libc = "#include <complex.h>\n#include <dlfcn.h>\n#include <errno.h>\n#include <link.h>\n#include <math.h>\n#include <pthread.h>\n" +
	"#include <sched.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n" +
	"#include <sys/mman.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <time.h>\n#include <unistd.h>\n"

// compiles runs the compiler, a few processes at once.
type compiles struct {
	*testing.T
	group sync.WaitGroup
	slots chan bool
	flags []string
}

func newCompiles(t *testing.T, flags ...string) *compiles {
	flags = append([]string{"-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wno-unused-function", "-Wno-unused-variable",
		"-Wno-unused-const-variable", "-fPIC", "-fexceptions", "-fsyntax-only"}, flags...)
	for _, folder := range folders {
		flags = append(flags, "-I"+filepath.Join(root, folder))
	}
	return &compiles{T: t, slots: make(chan bool, runtime.NumCPU()), flags: flags}
}

func (c *compiles) compile(description, language, text string, flags ...string) {
	c.group.Add(1)
	go func() {
		defer c.group.Done()
		c.slots <- true
		defer func() { <-c.slots }()
		cc := os.Getenv("CC")
		if cc == "" {
			cc = "gcc"
		}
		command := exec.Command(cc, slices.Concat(c.flags, flags, []string{"-x", language, "-"})...)
		command.Stdin = strings.NewReader(text)
		out, err := command.CombinedOutput()
		assert.NoError(c, err, "%s does not compile:\n%s", description, out)
	}()
}

// The headers outside the fronts are modules as well: libdri, the datatype pools, and the tests of
// wi4go verify. A family's header of verify/fortran is a part of binding.h.
func TestOthers(t *testing.T) {
	_, directory := generated(t)
	constants, err := fortran.Constants(gentest.Input(t))
	require.NoError(t, err)
	for _, f := range constants {
		require.NoError(t, os.WriteFile(filepath.Join(directory, f.Name), f.Text, 0o666))
	}
	c := newCompiles(t, "-D_GNU_SOURCE")
	for _, h := range load(t, "*.h", "dri", "dtpools", "embedded/adi", "verify", "verify/fortran") {
		comment, _, _ := strings.Cut(h.text, "*/")
		assert.Regexp(t, `(?s)^/\*.*\n \* Gives: .*\n \* Needs: `, comment, "%s lacks \"Gives:\" and \"Needs:\" in its first comment", h.path)
		guard := includeOnce.FindStringSubmatch(h.text)
		assert.True(t, guard != nil && guard[1] == guard[2] && strings.HasSuffix(h.text, "#endif\n"), "%s has no guard", h.path)
		families := []string{"mpiabi"}
		switch {
		case h.name == "binding.h":
			families = abi.Names()
		case strings.HasPrefix(h.path, "verify/fortran/"):
			continue
		}
		for _, family := range families {
			c.compile(h.path+" alone, of "+family, "c", fmt.Sprintf("#define VERIFY_FAMILY \"%s.h\"\n#include \"%s\"\n", family, h.path),
				"-I"+root, "-I"+filepath.Join(directory, family), "-I"+root+"/dri", "-I"+root+"/dtpools", "-I"+root+"/embedded/adi", "-I"+root+"/verify", "-I"+root+"/verify/fortran")
		}
	}
	c.group.Wait()
}

// Each header compiles alone, with the facts of every pair that it belongs to and with the names of
// the C library. All headers of one pair compile together, in both orders, so no two define the
// same name.
func TestAlone(t *testing.T) {
	texts, directory := generated(t)
	c := newCompiles(t)
	all := load(t, "*.h", "mappers")
	n := 0
	for _, front := range abi.Names() {
		in := "-I" + filepath.Join(directory, front)
		for _, runtime := range abi.Names() {
			facts := fmt.Sprintf("-DPAIR_FACTS=\"%s_%s.h\"", front, runtime)
			var together []string
			includes := needs(texts[fmt.Sprintf("%s/%s_%s.c", front, front, runtime)])
			for _, h := range all {
				if h.name == "fast_path_x86_64.h" || !serves(h, front, runtime, includes) {
					continue
				}
				n++
				include := fmt.Sprintf("#include \"%s\"\n", h.name)
				together = append(together, include)
				c.compile(fmt.Sprintf("%s alone, over %s_%s.h,", h.path, front, runtime), "c", include+libc, in, facts, "-DDEFINES_SHARED=1")
			}
			c.compile(fmt.Sprintf("all of mappers/ over %s_%s.h", front, runtime), "c", strings.Join(together, ""), in, facts)
			slices.Reverse(together)
			c.compile(fmt.Sprintf("all of mappers/ over %s_%s.h, last first,", front, runtime), "c", strings.Join(together, ""), in, facts, "-DDEFINES_SHARED=1")

			if head, _, found := strings.Cut(texts[fmt.Sprintf("%s/%s_%s_fast.S", front, front, runtime)], "\nFAST_PATH("); found {
				c.compile(fmt.Sprintf("fast_path_x86_64.h of %s_%s", front, runtime), "assembler-with-cpp", head+"\n#endif\n", in)
			}
		}
		for _, h := range load(t, "*.h", "handletable", "shim/front", "shim/tracked", "shim/emulate", "shim/core", "shim/fortran", "c/asmchooser", "c/launchers") {
			language := "c"
			switch {
			case strings.HasSuffix(h.name, "aarch64.h") && goarch != "arm64", strings.HasSuffix(h.name, "x86_64.h") && goarch != "amd64":
				continue
			case h.name == "landing.h", h.name == "chooser.h", strings.HasSuffix(h.name, "aarch64.h"), strings.HasSuffix(h.name, "x86_64.h"):
				language = "assembler-with-cpp"
			case fortranOf[h.name] != "" && fortranOf[h.name] != front,
				strings.HasPrefix(h.path, "shim/emulate/") && h.name != "emulate.h" && !strings.Contains(texts[front+"/narrow.c"], `"`+h.name+`"`):
				continue
			}
			n++
			text := fmt.Sprintf("#include \"%s\"\n", h.name)
			if language == "c" {
				text += libc
			}
			c.compile(h.path+" alone in the front of "+front, language, "#define _GNU_SOURCE\n"+text, in, fmt.Sprintf("-DFORTRAN_FAMILY=%q", fortranHeader[front]))
		}
	}
	c.group.Wait()
	assert.Greater(t, n, 200, "headers that were compiled")
}

const goarch = runtime.GOARCH

// No file includes itself through others, and of two folders at most one needs the other. The files
// of facts include nothing.
func TestNoCircles(t *testing.T) {
	texts, _ := generated(t)
	files := append(load(t, "*.h", folders...), load(t, "*.[cS]", folders...)...)
	byName := map[string]header{}
	for _, f := range files {
		if strings.HasSuffix(f.name, ".h") {
			require.NotContains(t, byName, f.name, "two headers have the same name: an include is ambiguous")
			byName[f.name] = f
		}
	}
	const launchers = "launchers/table.h"
	byName[launchers] = header{"generated/" + launchers, launchers, texts[launchers], needs(texts[launchers])}
	for _, front := range abi.Names() {
		for name, text := range texts {
			if strings.HasPrefix(name, front+"/") && strings.HasSuffix(name, ".h") {
				base := filepath.Base(name)
				other := byName[base]
				require.True(t, other.name == "" || strings.HasPrefix(other.path, "generated/"), "%s has the name of %s: the C of a pair would include it", name, other.path)
				byName[base] = header{"generated/" + base, base, text, needs(text)}
			}
		}
		for _, runtime := range abi.Names() {
			facts := front + "_" + runtime + ".h"
			require.Contains(t, byName, facts)
			assert.Empty(t, byName[facts].needs, "%s: facts include nothing", facts)
		}
	}
	// The includes of a file, and of generated files in it.
	edges := map[string]map[string]string{} // folder → folder → the file that includes
	state := map[string]int{}
	var walk func(h header, way []string)
	walk = func(h header, way []string) {
		way = append(slices.Clone(way), h.path)
		if state[h.path] == 1 {
			t.Errorf("a circle of includes: %s", strings.Join(way[slices.Index(way, h.path):], " → "))
			return
		}
		if state[h.path] == 2 {
			return
		}
		state[h.path] = 1
		for _, name := range h.needs {
			to, ours := byName[name]
			if !ours {
				t.Errorf("%s includes %s, which does not exist", h.path, name)
				continue
			}
			walk(to, way)
		}
		state[h.path] = 2
	}
	var reach func(h header, from string, seen map[string]bool)
	reach = func(h header, from string, seen map[string]bool) {
		for _, name := range h.needs {
			to := byName[name]
			folder := filepath.Dir(to.path)
			switch {
			case seen[name]:
			case folder == "generated":
				seen[name] = true
				reach(to, from, seen)
			case folder != filepath.Dir(from):
				if edges[filepath.Dir(from)] == nil {
					edges[filepath.Dir(from)] = map[string]string{}
				}
				edges[filepath.Dir(from)][folder] = from + " includes " + name
			}
		}
	}
	for _, f := range files {
		walk(f, nil)
		reach(f, f.path, map[string]bool{})
	}
	require.NotEmpty(t, edges["mappers"]["shim/front"])
	var circle func(folder string, way []string)
	circle = func(folder string, way []string) {
		if i := slices.Index(way, folder); i >= 0 {
			var reason []string
			for j := i; j < len(way); j++ {
				reason = append(reason, edges[way[j]][append(way, folder)[j+1]])
			}
			t.Errorf("folders need each other: %s", strings.Join(reason, "; "))
			return
		}
		for to := range edges[folder] {
			circle(to, append(slices.Clone(way), folder))
		}
	}
	for _, folder := range folders {
		circle(folder, nil)
	}
}
