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

// module is the path that our packages begin with.
const module = "wi4go/"

// A goPackage is a directory of Go, by its path in the repository.
type goPackage struct {
	doc     string
	starts  []string        // files, no tests, that start processes
	imports map[string]bool // of what is no test, whatever the build tags; ours by their path here
	tests   map[string]bool // of its tests
	files   map[string]*ast.File
}

// goPackages are all of the repository's.
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

// startsProcess says whether a file has a call that begins a process or becomes one.
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

// reached are the imports of a package and of ours among them, and so on.
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

// within says whether a package, or one below it, is among those.
func within(imports map[string]bool, name string) bool {
	for imported := range imports {
		if imported == name || strings.HasPrefix(imported, name+"/") {
			return true
		}
	}
	return false
}

// What of the code knows MPI, by what it can be known.
const (
	tables    = "abi gen mappers"                                        // which functions there are, their values, their translation
	mpi       = tables + " internal/family internal/runtimes"            // what an MPI library is
	launching = "internal/launch internal/doctor internal/verify"        // how a job is started
	inside    = "handletable shim/core shim/runtimelib c/asmchooser"     // what runs in a rank
	printers  = "gen/assembly gen/fortran gen/front gen/header gen/pair" // each prints a part of what is generated, and knows no other; but gen/fortran says what the front exports for it, and a pair has its assembly printed
	starts    = "(starts)"                                               // the package itself starts a process
)

// The rules of the package documents, as what a package must not reach by imports: that
// package, and what is below it.
// "! x" is about the package's own imports alone.
var rules = map[string]string{
	"abi":                     "gen mappers " + starts + " " + launching + " " + inside,
	"abi/internal/header":     "gen mappers " + launching + " " + inside,
	"c/asmchooser":            mpi + " " + launching,
	"cmd/wi4go":               "gen mappers " + inside, // nothing of it is in the ranks
	"gen":                     "internal/family internal/runtimes internal/program " + starts + " net net/http " + launching + " " + inside,
	"gen/assembly":            printers + " gen/ctypes " + starts + " os net net/http " + launching + " " + inside,
	"gen/audit":               printers + " gen/plan gen/ctypes gen/traits " + starts + " os net net/http " + launching + " " + inside,
	"gen/ctypes":              printers + " gen/plan " + starts + " os net net/http " + launching + " " + inside,
	"gen/fortran":             printers + " " + starts + " os net net/http " + launching + " " + inside,
	"gen/front":               "gen/header gen/pair gen/assembly gen/traits " + starts + " os net net/http " + launching + " " + inside,
	"gen/header":              printers + " " + starts + " os net net/http " + launching + " " + inside,
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

// Rules that no import tells, and who holds them.
var otherwise = map[string]string{
	"tests/memcheck": "it is about what memcheck finds, which it looks at",
	"tests/fake":     "TestExpectations",
}

// A package does not know what its document says that it must not know.
func TestRules(t *testing.T) {
	all := goPackages(t)
	for name, rule := range rules {
		p := all[name]
		if !assert.NotNil(t, p, "there is no package %s any more: take its rule away", name) {
			continue
		}
		beyond := reached(all, p.imports, map[string]bool{})
		for _, forbidden := range strings.Fields(rule) {
			switch forbidden {
			case "!":
				beyond = p.imports
				continue
			case starts:
				assert.Empty(t, p.starts, "%s starts nothing, as its document says", name)
				continue
			}
			if strings.Contains(forbidden, "/") && all[forbidden] == nil {
				assert.Contains(t, []string{"io/fs", "path/filepath", "net/http"}, forbidden, "the rule of %s names no package", name)
			}
			assert.False(t, within(beyond, forbidden), "%s must not know %s, as its document says: it imports it, or what does", name, forbidden)
		}
	}
	says := regexp.MustCompile(`(?i)\bmust not\b|\bknows no`)
	for name, p := range all {
		if strings.HasPrefix(name, "gen/") && name != "gen/gentest" {
			assert.NotEmpty(t, rules[name], "%s is a part of the generator: say in its document and in a rule what it must not know", name)
		}
		if says.MatchString(p.doc) {
			assert.True(t, rules[name] != "" || otherwise[name] != "", "the document of %s says what it must not know, and no rule holds it", name)
		}
	}
}

// What expectations are made of is not what is tested: the tests over fake libraries do
// not look at the tables, nothing but tests imports the fakes, and the harness is
// theirs and the benchmarks'.
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

// What is in each rank imports little from elsewhere.
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

// Every exported function, method, variable and constant has a user: it is named in
// what is no test, or in the tests of another directory.
func TestNothingDead(t *testing.T) {
	all := goPackages(t)
	type declared struct{ dir, file, name string }
	var exported []declared
	users := map[string]map[string]int{} // by name: by directory, "" for what is no test
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
