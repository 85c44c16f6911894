package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// module is the common prefix of the module's import paths.
const module = "wi4go/"

// A goPackage is a directory of Go files, named by its path in the repository.
type goPackage struct {
	doc     string
	starts  []string        // files other than tests that start processes
	imports map[string]bool // the imports of files other than tests, with any build tags; packages of this module by their paths
	tests   map[string]bool // the imports of its tests
	files   map[string]*ast.File
}

// goPackages returns all packages of the repository by path.
func goPackages(t *testing.T) map[string]*goPackage {
	t.Helper()
	all := map[string]*goPackage{}
	require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			if name == "build" || e.Name() == "testdata" || name != "." && strings.HasPrefix(e.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		p := all[dir]
		if p == nil {
			p = &goPackage{imports: map[string]bool{}, tests: map[string]bool{}, files: map[string]*ast.File{}}
			all[dir] = p
		}
		p.files[name] = file
		into := p.imports
		if strings.HasSuffix(name, "_test.go") {
			into = p.tests
		} else {
			if startsProcess(file) {
				p.starts = append(p.starts, name)
			}
			p.doc += strings.Join(strings.Fields(file.Doc.Text()), " ") + " "
		}
		for _, i := range file.Imports {
			into[strings.TrimPrefix(strings.Trim(i.Path.Value, `"`), module)] = true
		}
		return nil
	}))
	require.Greater(t, len(all), 40)
	return all
}

// startsProcess reports whether a file calls a function that starts a process or replaces this one.
func startsProcess(file *ast.File) (starts bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				starts = starts || slices.Contains([]string{"exec.Command", "exec.CommandContext", "os.StartProcess",
					"syscall.Exec", "syscall.ForkExec", "unix.Exec"}, x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return starts
}

// reached returns seen with the imports of a package, their imports, and so on, within this module.
func reached(all map[string]*goPackage, imports map[string]bool, seen map[string]bool) map[string]bool {
	for name := range imports {
		if !seen[name] {
			seen[name] = true
			if p := all[name]; p != nil {
				reached(all, p.imports, seen)
			}
		}
	}
	return seen
}

// within reports whether imports contains a package, or a package below it.
func within(imports map[string]bool, name string) bool {
	for imported := range imports {
		if imported == name || strings.HasPrefix(imported, name+"/") {
			return true
		}
	}
	return false
}

// The parts of the code that know MPI, by the kind of knowledge.
const (
	tables    = "abi gen mappers"                                                     // the functions of MPI, their values, their translation
	mpi       = tables + " internal/family internal/runtimes"                         // the properties of an MPI library
	launching = "internal/launch internal/doctor internal/verify"                     // the start of a job
	inside    = "handletable shim/core shim/runtimelib c/asmchooser"                  // the code that runs in a rank
	printers  = "gen/assembly gen/embedded gen/fortran gen/front gen/header gen/pair" // each prints a part of the generated sources, and knows no other; but gen/fortran lists the front's exports for it, and a pair prints its assembly
	starts    = "(starts)"                                                            // the package itself starts a process
)

// The rules in the package comments: the packages that a package must not reach by imports, including those below them.
// "! x" applies only to the package's own imports.
var rules = map[string]string{
	"abi":                     "gen mappers " + starts + " " + launching + " " + inside,
	"abi/internal/header":     "gen mappers " + launching + " " + inside,
	"bench/every":             "os internal/family internal/runtimes " + starts + " " + launching + " " + inside,
	"c/asmchooser":            mpi + " " + launching,
	"cmd/wi4go":               "gen mappers " + inside, // no part of it is in the ranks
	"gen":                     "internal/family internal/runtimes internal/program " + starts + " net net/http " + launching + " " + inside,
	"gen/assembly":            printers + " gen/ctypes " + starts + " os net net/http " + launching + " " + inside,
	"gen/audit":               printers + " gen/plan gen/ctypes gen/traits " + starts + " os net net/http " + launching + " " + inside,
	"gen/ctypes":              printers + " gen/plan " + starts + " os net net/http " + launching + " " + inside,
	"gen/embedded":            printers + " gen/ctypes gen/traits " + starts + " os net net/http " + launching + " " + inside,
	"gen/fortran":             printers + " " + starts + " os net net/http " + launching + " " + inside,
	"gen/front":               "gen/header gen/pair gen/assembly gen/traits " + starts + " os net net/http " + launching + " " + inside,
	"gen/header":              printers + " " + starts + " os net net/http " + launching + " " + inside,
	"gen/launchers":           printers + " gen/plan gen/ctypes gen/traits " + starts + " os net net/http " + launching + " " + inside,
	"gen/meaning":             printers + " gen/plan gen/ctypes gen/traits internal/runtimes " + starts + " os net net/http " + launching + " " + inside,
	"gen/model":               "gen internal/family internal/runtimes internal/program " + starts + " os net net/http " + launching + " " + inside,
	"gen/output":              tables + " " + starts + " os net net/http " + launching + " " + inside,
	"gen/pair":                "gen/fortran gen/front gen/header " + starts + " os net net/http " + launching + " " + inside,
	"gen/plan":                printers + " " + starts + " os net net/http " + launching + " " + inside,
	"gen/rules":               printers + " gen/plan gen/ctypes gen/traits " + starts + " os net net/http " + launching + " " + inside,
	"gen/traits":              printers + " " + starts + " os net net/http " + launching + " " + inside,
	"handletable":             mpi + " " + launching,
	"internal/audit":          mpi + " internal/ldso internal/program " + launching + " " + inside,
	"internal/config":         mpi + " " + launching,
	"internal/container":      "gen mappers " + starts + " " + launching + " " + inside,
	"internal/elfobj":         mpi + " internal/ldso " + launching,
	"internal/embedded":       "gen mappers internal/runtimes internal/program internal/ldso internal/elfobj " + starts + " " + launching + " " + inside,
	"internal/fakempi":        "gen mappers internal/family internal/runtimes internal/program internal/fetch internal/ldso " + launching + " " + inside,
	"internal/family":         "! io/fs os path/filepath internal/runtimes internal/program " + starts + " " + launching,
	"internal/fault":          mpi + " internal/ldso internal/program " + launching,
	"internal/fetch":          mpi + " internal/program " + launching,
	"internal/hosts":          mpi + " internal/program " + launching + " " + inside,
	"internal/install":        mpi + " internal/program " + launching,
	"internal/launch":         "gen mappers " + starts + " " + inside,
	"internal/launchers":      "gen mappers os path/filepath internal/runtimes internal/program internal/ldso internal/elfobj " + starts + " " + launching + " " + inside,
	"internal/ldso":           mpi + " internal/program " + launching,
	"internal/modules":        mpi + " internal/program " + launching,
	"internal/program":        "gen mappers internal/runtimes internal/fetch " + starts + " " + launching,
	"internal/ranks":          mpi + " internal/program internal/ldso internal/elfobj " + launching + " " + inside,
	"internal/rankvars":       "gen mappers io/fs os path/filepath internal/runtimes internal/program internal/ldso internal/elfobj " + starts + " " + launching + " " + inside,
	"internal/runtimes":       "gen mappers internal/program " + launching + " " + inside,
	"internal/shell":          mpi + " internal/program " + launching,
	"internal/verify":         "gen mappers " + inside,
	"internal/wrapper":        mpi + " internal/program " + starts + " " + launching,
	"mappers":                 "abi gen internal/family internal/runtimes " + launching,
	"shim/core":               mpi + " internal/program " + launching,
	"shim/runtimelib":         mpi + " internal/program " + launching,
	"tests/conformance/suite": "internal/runtimes internal/program " + launching + " " + inside,
	"tests/harness":           "internal/runtimes internal/program " + launching + " " + inside,
}

// Rules that do not depend on imports, and the test that holds each.
var otherwise = map[string]string{
	"tests/memcheck": "it is about what memcheck finds, which it looks at",
	"tests/fake":     "TestExpectations",
}

// No package reaches a package that its package comment excludes.
func TestRules(t *testing.T) {
	all := goPackages(t)
	for name, rule := range rules {
		p := all[name]
		if !assert.NotNil(t, p, "there is no package %s any more: remove its rule", name) {
			continue
		}
		beyond := reached(all, p.imports, map[string]bool{})
		for _, forbidden := range strings.Fields(rule) {
			switch forbidden {
			case "!":
				beyond = p.imports
				continue
			case starts:
				assert.Empty(t, p.starts, "%s starts processes, against its package comment", name)
				continue
			}
			if strings.Contains(forbidden, "/") && all[forbidden] == nil {
				assert.Contains(t, []string{"io/fs", "path/filepath", "net/http"}, forbidden, "the rule of %s names no package", name)
			}
			assert.False(t, within(beyond, forbidden), "%s must not know %s, according to its package comment, but imports it, directly or indirectly", name, forbidden)
		}
	}
	says := regexp.MustCompile(`(?i)\bmust not\b|\bknows no`)
	for name, p := range all {
		if strings.HasPrefix(name, "gen/") && name != "gen/gentest" {
			assert.NotEmpty(t, rules[name], "%s is a part of the generator: its package comment and a rule must name the packages that it must not know", name)
		}
		if says.MatchString(p.doc) {
			assert.True(t, rules[name] != "" || otherwise[name] != "", "no rule holds the \"must not know\" in the package comment of %s", name)
		}
	}
}

// Expectations are not computed by the code under test: the tests over fake libraries do not read the tables, only
// tests import the fakes, and only tests and benchmarks use the harness.
func TestExpectations(t *testing.T) {
	all := goPackages(t)
	for _, table := range []string{"gen", "mappers"} {
		assert.False(t, within(reached(all, all["tests/fake"].tests, map[string]bool{}), table), "tests/fake must not look at %s", table)
	}
	for name, p := range all {
		assert.False(t, p.imports["internal/fakempi"] && !strings.HasPrefix(name, "tests/"), "%s is no test and imports internal/fakempi", name)
		assert.False(t, p.imports["tests/harness"] && !strings.HasPrefix(name, "tests/") && !strings.Contains(name, "bench"), "%s is neither a test nor a benchmark and imports tests/harness", name)
		assert.False(t, p.imports["gen/gentest"], "%s is no test and imports gen/gentest", name)
		for imported := range p.imports {
			if all[imported] != nil && strings.HasPrefix(imported, "cmd/") {
				t.Errorf("%s imports the command %s", name, imported)
			}
		}
	}
}

// The code in each rank imports few foreign packages.
func TestForeignInRanks(t *testing.T) {
	all := goPackages(t)
	var foreign []string
	for name := range reached(all, all["shim/core"].imports, map[string]bool{}) {
		if first, _, _ := strings.Cut(name, "/"); all[name] == nil && strings.Contains(first, ".") {
			foreign = append(foreign, name)
		}
	}
	slices.Sort(foreign)
	assert.Equal(t, []string{"github.com/ebitengine/purego", "github.com/sasha-s/go-deadlock"}, foreign)
}

// unnamed are methods that others call by an interface.
var unnamed = strings.Fields("Error Format Len Less MarshalJSON MarshalText Read String Swap UnmarshalJSON UnmarshalText Unwrap Write")

// Every exported function, method, variable and constant is used: by production code, or by the tests of another
// directory.
func TestNothingDead(t *testing.T) {
	all := goPackages(t)
	type declared struct{ dir, file, name string }
	var exported []declared
	users := map[string]map[string]int{} // by name and directory; the directory of production code is ""
	for dir, p := range all {
		for file, parsed := range p.files {
			isTest := strings.HasSuffix(file, "_test.go")
			at := dir
			if !isTest {
				at = ""
			}
			declarations := map[*ast.Ident]bool{}
			add := func(id *ast.Ident) {
				declarations[id] = true
				if id.IsExported() && !isTest && parsed.Name.Name != "main" {
					exported = append(exported, declared{dir, file, id.Name})
				}
			}
			for _, d := range parsed.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					add(d.Name)
				case *ast.GenDecl:
					for _, s := range d.Specs {
						if v, ok := s.(*ast.ValueSpec); ok {
							for _, id := range v.Names {
								add(id)
							}
						}
					}
				}
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && !declarations[id] {
					if users[id.Name] == nil {
						users[id.Name] = map[string]int{}
					}
					users[id.Name][at]++
				}
				return true
			})
		}
	}
	require.Greater(t, len(exported), 200)
	for _, e := range exported {
		of := maps.Clone(users[e.name])
		delete(of, e.dir)
		if len(of) > 0 || slices.Contains(unnamed, e.name) || e.file == "handletable/operations.go" { // the tables, for tests of the C
			continue
		}
		t.Errorf("%s: %s is exported and has no user: remove it, or move it to the tests that use it", e.file, e.name)
	}
}
