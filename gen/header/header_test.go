package header

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen/gentest"
	"wi4go/gen/model"
)

// writeHeaders writes each family's mpi.h into its own directory, and returns the directories.
func writeHeaders(t *testing.T) map[string]string {
	t.Helper()
	dirs := map[string]string{}
	in := gentest.Input(t)
	for _, f := range in.Families {
		text, err := MPI(model.NewSlots(in, f), in)
		require.NoError(t, err)
		dirs[f.Family] = t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dirs[f.Family], "mpi.h"), text, 0o666))
	}
	return dirs
}

func compiles(t *testing.T, dir, source string, command ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "source.c")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o666))
	command = append(command, "-I"+dir, file)
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	assert.NoError(t, err, "%s:\n%.3000s", strings.Join(command, " "), out)
}

// Every constant, type and handle in a generated header has the value, size and address that
// abi/*.json has from the real header. The header compiles without warnings in every language that
// programs are written in.
func TestHeaders(t *testing.T) {
	for family, dir := range writeHeaders(t) {
		f, err := abi.Load(family)
		require.NoError(t, err)
		var values, addresses []string
		expect := func(description string, v int64) {
			values = append(values, fmt.Sprintf("    if ((long)(%s) != %dL) bad |= printf(\"%%s\\n\", \"%s\");", description, v, description))
		}
		for name, typ := range f.Types {
			expect("sizeof("+name+")", int64(typ.Size))
			for field, offset := range typ.Fields {
				expect("offsetof("+name+", "+field+")", int64(offset))
			}
		}
		for name, v := range f.Constants {
			expect(name, v)
		}
		for name, p := range f.Pointers {
			if p.Symbol == "" {
				expect(name, p.Value)
			}
		}
		for name, c := range f.Callbacks {
			if c.Symbol == "" {
				expect(name, *c.Value)
			} else {
				addresses = append(addresses, fmt.Sprintf("extern void (*wi4go_%s)(void);\nvoid (*wi4go_%s)(void) = (void (*)(void))%s;", name, name, name))
			}
		}
		for name, h := range f.Handles {
			if h.Symbol == "" {
				expect("(unsigned)(long)"+name, *h.Value)
			} else {
				addresses = append(addresses, fmt.Sprintf("extern const void *wi4go_%s;\nconst void *wi4go_%s = %s;", name, name, name))
			}
		}
		program := filepath.Join(dir, "values")
		compiles(t, dir, "#include <mpi.h>\n#include <stdio.h>\nint main(void)\n{\n    int bad = 0;\n"+
			strings.Join(values, "\n")+"\n    return bad != 0;\n}\n", "gcc", "-Wall", "-Wextra", "-Werror", "-o", program)
		out, err := exec.Command(program).CombinedOutput()
		assert.NoError(t, err, "%s: these differ:\n%s", family, out)

		source := "#include <mpi.h>\n#include <mpi.h>\n" + strings.Join(addresses, "\n") + "\n" +
			"extern MPI_Comm self; MPI_Comm self = MPI_COMM_SELF;\nint main(void);\nint main(void)\n{\n    MPI_Status s;\n    s.MPI_TAG = MPI_ANY_TAG;\n    return MPI_Wait(0, &s);\n}\n"
		for _, language := range []string{"c -std=c89", "c -std=c99", "c -std=gnu17", "c++ -std=c++98", "c++ -std=c++17"} {
			text, warnings := source, []string{"-Wall", "-Wextra", "-pedantic", "-Werror"}
			if strings.HasPrefix(language, "c ") {
				warnings = append(warnings, "-Wstrict-prototypes", "-Wc++-compat", "-Wno-cast-function-type")
			} else {
				text = strings.ReplaceAll(source, "MPI_Wait(0,", "MPI_Wait(static_cast<MPI_Request *>(0),")
			}
			if family == "openmpi" && language == "c++ -std=c++98" {
				warnings = append(warnings, "-Wno-long-long") // for MPI_Count
			}
			words := slices.Concat([]string{"gcc", "-c", "-o", filepath.Join(dir, "object.o"), "-x"}, strings.Fields(language), warnings)
			compiles(t, dir, text, words...)
		}
	}
}

// The header cannot be included together with another mpi.h.
func TestHeadersDoNotMix(t *testing.T) {
	dirs := writeHeaders(t)
	file := filepath.Join(t.TempDir(), "mixed.c")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "#include %q\n#include <mpi.h>\n", filepath.Join(dirs["mpich"], "mpi.h")), 0o666))
	out, err := exec.Command("gcc", "-fsyntax-only", "-I"+dirs["mpiabi"], file).CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "another MPI's mpi.h is included before this one")
}

// Our mpi.h declares each function as the real mpi.h of every installed MPI does. If they differed,
// the compiler would refuse both declarations in one program.
func TestPrototypesAgree(t *testing.T) {
	wrappers := map[string]string{"openmpi": "mpicc.openmpi", "mpich": "mpicc.mpich"}
	if dir := os.Getenv("WI4GO_MPICH_5_0_BIN"); dir != "" {
		wrappers["mpiabi"] = filepath.Join(dir, "mpicc_abi")
	}
	in := gentest.Input(t)
	for family, wrapper := range wrappers {
		t.Run(family, func(t *testing.T) {
			if _, err := exec.LookPath(wrapper); err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "real.c")
			require.NoError(t, os.WriteFile(file, []byte("#include <mpi.h>\n"), 0o666))
			real, err := exec.Command(wrapper, "-E", "-P", file).Output()
			require.NoError(t, err)
			declared := map[string]bool{}
			for _, m := range regexp.MustCompile(`\b(MPIX?_\w+)\s*\(`).FindAllStringSubmatch(string(real), -1) {
				declared[m[1]] = true
			}
			source, n := "#include <mpi.h>\n", 0
			for _, f := range in.Functions {
				if declared[f.Name] {
					source += fmt.Sprintf("#ifndef %s\n%s;\n#endif\n", f.Name, f.Prototype(f.Name))
					n++
				}
			}
			assert.Greater(t, n, 350)
			// The declarations of different versions differ only in const, so const is removed.
			compiles(t, dir, source, wrapper, "-w", "-Dconst=", "-c", "-o", filepath.Join(dir, "real.o"))
		})
	}
}
