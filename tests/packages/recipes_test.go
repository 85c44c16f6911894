package packages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The parts of Spack that a recipe needs: directives are recorded, and make is make.
const spack = `
import os, subprocess, sys, types
prefix, recipe = sys.argv[1:]
said = []
class MakefilePackage: pass
class Prefix(str):
    bin = property(lambda self: os.path.join(self, "bin"))
class Environment(dict):
    def set(self, name, value): self[name] = value
    def prepend_path(self, name, value): self[name] = value + ":" + self.get(name, os.environ.get(name, ""))
names = {"MakefilePackage": MakefilePackage}
for name in "license", "version", "variant", "provides", "depends_on":
    names[name] = lambda *a, name=name, **k: said.append((name, a, k))
def make(*args):
    subprocess.check_call(("make", "-s") + args)
names["make"] = make
package = types.ModuleType("spack.package")
package.__dict__.update(names, __all__=list(names))
sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), package
space = {"__file__": recipe, "__name__": "package"}
exec(compile(open(recipe).read(), recipe, "exec"), space)
recipe = space["Wi4go"]()
assert os.path.samefile(recipe.git[len("file://"):], os.getcwd()), recipe.git
recipe.prefix = Prefix(prefix)
recipe.edit(["wi4go"], recipe.prefix)
recipe.install(["wi4go", "+wrappers"], recipe.prefix)
run, dependent = Environment(), Environment()
recipe.setup_run_environment(run)
recipe.setup_dependent_build_environment(dependent, None)
for part in run["PATH"].split(":")[0], dependent["PATH"].split(":")[0], dependent["PKG_CONFIG_PATH"].split(":")[0], dependent["MPI_HOME"]:
    assert os.path.isdir(part), part
subprocess.check_call([dependent["MPICC"], "-o", os.path.join(prefix, "hello"), "tests/demo/hello.c"])
for name, args, _ in said:
    print(name, args[0])
`

// Spack's recipe states the packages that it provides and needs, and its steps install a tree that compiles a program.
func TestSpack(t *testing.T) {
	need(t, "python3", "make", "gcc")
	script := filepath.Join(t.TempDir(), "spack.py")
	require.NoError(t, os.WriteFile(script, []byte(spack), 0o644))
	prefix := t.TempDir()
	out := must(t, top(t), []string{"MAKEFLAGS=", "MAKELEVEL="}, "python3", script, prefix, "packaging/spack/packages/wi4go/package.py")
	assert.Contains(t, out, "provides mpi-abi\n")
	assert.Contains(t, out, "depends_on go@1.26:\n")
	assert.FileExists(t, filepath.Join(prefix, "bin/mpicc"))
}

func text(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(top(t), name))
	require.NoError(t, err)
	return string(content)
}

// The recipe for conda has this version, and its last step installs a tree whose command passes the recipe's own tests.
func TestConda(t *testing.T) {
	recipe := text(t, "packaging/conda/recipe.yaml")
	assert.YAMLEq(t, recipe, recipe)
	defined := regexp.MustCompile(`define WI4GO_VERSION "(.*)"`).FindStringSubmatch(text(t, "shim/front/version.h"))
	require.NotNil(t, defined)
	assert.Contains(t, recipe, `version: "`+defined[1]+`"`)
	steps := regexp.MustCompile(`(?m)^ +- (make .*|wi4go .*)$`).FindAllStringSubmatch(recipe, -1)
	require.Len(t, steps, 4)
	prefix := t.TempDir()
	env := []string{"PREFIX=" + prefix, "PATH=" + filepath.Join(prefix, "bin") + ":" + os.Getenv("PATH"), "MAKEFLAGS=", "MAKELEVEL="}
	for _, step := range steps {
		if step[1] != "make tree" { // these tests run on that tree
			must(t, top(t), env, "sh", "-ec", step[1])
		}
	}
}

// The forge's workflow calls only existing scripts and targets.
func TestWorkflow(t *testing.T) {
	workflow := text(t, ".github/workflows/ci.yml")
	assert.YAMLEq(t, workflow, workflow)
	assert.Contains(t, workflow, "- run: .ci/run\n")
	makefile := text(t, "Makefile") + text(t, "packaging/packages.mk")
	targets := regexp.MustCompile(`run: make (\w+)`).FindAllStringSubmatch(workflow, -1)
	require.NotEmpty(t, targets)
	for _, target := range targets {
		assert.True(t, strings.Contains(makefile, "\n"+target[1]+": "), target[1])
	}
}

// actionlint accepts the workflow.
func TestWorkflowLint(t *testing.T) {
	heavy(t)
	need(t, "go")
	must(t, top(t), nil, "go", "run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7", ".github/workflows/ci.yml")
}
