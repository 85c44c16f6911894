package launchers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTranslate checks the options of each family's launchers on the other's.
func TestTranslate(t *testing.T) {
	for _, c := range []struct{ to, line, want, dropped string }{
		// Open MPI's on Hydra.
		{"hydra", "--oversubscribe -np 4", "-np 4", ""},
		{"hydra", "-x A=b=c -x HOME -n 2", "-env A b=c -n 2", ""},
		{"hydra", "-npernode 2 --N 3 --pernode", "-ppn 2 -ppn 3 -ppn 1", ""},
		{"hydra", "--bind-to core --bind-to none --bind-to package", "--bind-to core --bind-to none -bind-to socket", ""},
		{"hydra", "--bind-to core:overload-allowed", "-bind-to core", ""},
		{"hydra", "--map-by slot --map-by node --map-by PPR:2:node --map-by socket", "-ppn 1 -ppn 2 --map-by socket", ""},
		{"hydra", "--map-by slot:pe=4", "-bind-to core:4 -map-by core:4", ""},
		{"hydra", "--map-by core:PE=2 --map-by socket:pe=2 --map-by node:PE=3", "-bind-to core:2 -map-by core:2 -bind-to core:2 -map-by socket -bind-to core:3 -ppn 1", ""},
		{"hydra", "-pmi-port -n 2", "-pmi-port -n 2", ""},
		{"hydra", "--tag-output --wd /d -c 2 -H a,b:2", "-l -wdir /d -n 2 -hosts a,b:2", ""},
		{"hydra", "--mca btl self,tcp -n 1 --gmca a b", "-n 1", "--mca btl self,tcp|--gmca a b"},
		{"hydra", "--map-by=node --allow-run-as-root", "-ppn 1", ""},
		{"hydra", "-unknown -n 1 --default-hostfile h", "-unknown -n 1 -f h", ""},
		// Intel's on MPICH's.
		{"hydra", "-perhost 2 -rr", "-ppn 2 -ppn 1", ""},
		{"hydra", "--stdin 0 -s 0 -s all -n 2", "-s all -n 2", ""},
		// Hydra's on Open MPI's.
		{"orte", "-s all -s 1 -n 2", "--stdin all --stdin 1 -n 2", ""},
		{"onehost", "-s 0 --stdin 0 -n 2", "-n 2", ""},
		{"orte", "-genv A b -env C d=e -n 2", "-x A=b -x C=d=e -n 2", ""},
		{"orte", "-genv A=b -env C=d=e -n 2", "-x A=b -x C=d=e -n 2", ""},
		{"hydra", "-genv A=b -env C=d -genv E f=g -n 2", "-genv A=b -env C=d -genv E f=g -n 2", ""},
		{"orte", "-genvlist A,B,C -genvall", "-x A -x B -x C", ""},
		{"orte", "-ppn 2 -perhost 3 -rr", "-N 2 -N 3 --map-by node", ""},
		{"orte", "-l -prepend-rank -f hosts -hosts a,b -wdir /d", "--tag-output --tag-output -hostfile hosts -H a,b -wdir /d", ""},
		{"orte", "-bind-to core:2 -map-by socket -bind-to machine", "--bind-to core --map-by slot:PE=2 -map-by socket --bind-to none", ""},
		{"orte", "-bind-to hwthread -bind-to l3 -map-by l2", "-bind-to hwthread --bind-to l3cache --map-by l2cache", ""},
		{"orte", "-launcher ssh -launcher-exec /my/ssh", "--mca plm_rsh_agent /my/ssh", ""},
		{"orte", "--mca btl self --timeout 5", "--mca btl self --timeout 5", ""},
	} {
		translation, err := Of(c.to).Translate(strings.Fields(c.line))
		assert.NoError(t, err, c.line)
		assert.Equal(t, c.want, strings.Join(translation.Words, " "), c.line)
		assert.Equal(t, c.dropped, strings.Join(translation.Dropped, "|"), c.line)
		assert.Empty(t, translation.Variables, c.line)
	}
	translation, err := Of("hydra").Translate([]string{"--timeout", "5", "-n", "1"})
	assert.NoError(t, err)
	assert.Equal(t, Translation{Words: []string{"-n", "1"}, Variables: [][2]string{{"MPIEXEC_TIMEOUT", "5"}, {"I_MPI_JOB_TIMEOUT", "5"}}}, translation)
}

// TestInquiry checks that each launcher answers all spellings of an inquiry, and only before the program.
func TestInquiry(t *testing.T) {
	for _, spelling := range []string{"--version", "-version", "-V", "-info", "--help", "-help", "-h"} {
		for to, answers := range map[string][]string{
			"hydra": {"-version", "-info", "-help"}, "orte": {"--version", "--help"}, "onehost": {"-version", "-help"},
		} {
			for _, line := range []string{spelling, "-n 2 " + spelling, "--mca a b " + spelling + " ./app"} {
				assert.Contains(t, answers, Of(to).Inquiry(strings.Fields(line)), line)
			}
			for _, line := range []string{"-n 2 ./app " + spelling, "-wdir " + spelling, "-n 2", ""} {
				assert.Empty(t, Of(to).Inquiry(strings.Fields(line)), line)
			}
		}
	}
}

// TestForeign checks that options without a counterpart are refused with their owner.
func TestForeign(t *testing.T) {
	for line, want := range map[string]string{
		"hydra --report-bindings":       "--report-bindings is an option of an mpiexec of Open MPI, and an mpiexec of MPICH's family starts this job, which has none like it: leave it out",
		"hydra --map-by ppr:1:socket":   "--map-by ppr:1:socket is an option of an mpiexec of Open MPI, and",
		"hydra --output-filename=f":     "--output-filename=f is an option of an mpiexec of Open MPI, and",
		"orte -n 1 -outfile-pattern %r": "-outfile-pattern %r is an option of an mpiexec of MPICH's family, and an mpiexec of Open MPI starts this job",
		"hydra --bind-to board":         "--bind-to board is an option of an mpiexec of Open MPI, and",
		"orte -bind-to user:0,1":        "-bind-to user:0,1 is an option of an mpiexec of MPICH's family, and",
		"orte -bind-to rr":              "-bind-to rr is an option of an mpiexec of MPICH's family, and",
		"orte -map-by core:2":           "-map-by core:2 is an option of an mpiexec of MPICH's family, and",
		"orte -pmi-port -n 2":           "-pmi-port is an option of an mpiexec of MPICH's family, and",
		"orte -s 1,3":                   "-s 1,3 is an option of an mpiexec of MPICH's family, and",
		"onehost -s all":                "-s all is an option of an mpiexec of MPICH's family, and the launcher of the embedded MPI",
		"orte -genvnone":                "-genvnone is an option of",
	} {
		to, line, _ := strings.Cut(line, " ")
		_, err := Of(to).Translate(strings.Fields(line))
		assert.ErrorContains(t, err, want, line)
	}
	made := &Launcher{Title: "an mpiexec of nobody's"}
	translation, err := made.Translate([]string{"--report-bindings"})
	assert.NoError(t, err, "a launcher whose options are not listed")
	assert.Equal(t, []string{"--report-bindings"}, translation.Words)
}

// TestReplaceTables checks that each pattern names an option of another launcher, or one of its own
// with other values, and that its words have as many placeholders as they need.
func TestReplaceTables(t *testing.T) {
	for _, l := range All {
		for pattern, words := range l.Replace {
			fields := strings.Fields(pattern)
			n, known := Arity("-"+fields[0], fields[1:]...)
			assert.True(t, known && n == len(fields)-1, "%s: %s", l.Name, pattern)
			joined := strings.Join(words, " ")
			if !strings.ContainsAny(pattern, "*#") {
				assert.NotRegexp(t, `[*#]`, joined, "%s: %s", l.Name, pattern)
			}
			for i, w := range words {
				if name := strings.TrimLeft(w, "-"); i == 0 && name != w {
					assert.True(t, l.has(name), "%s: %s becomes %s", l.Name, pattern, w)
				}
			}
		}
		for _, name := range l.dropped() {
			assert.NotNil(t, l.other(name), "%s drops %s", l.Name, name)
		}
		for name := range l.AsVariables {
			assert.NotNil(t, l.other(name), "%s: %s", l.Name, name)
		}
	}
}
