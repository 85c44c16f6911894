package launch

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/config"
	"wi4go/internal/runtimes"
)

func TestPeers(t *testing.T) {
	w := newWorld(t)
	self, err := os.Hostname()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(w.at("file"), []byte("# all\na slots=2\n\nb:3 # two\n"+self+"\nc\n"), 0o644))
	peers := func(rt *runtimes.Runtime, line string) string {
		hosts, agent := w.Peers([]Segment{{Options: strings.Fields(line)}}, rt)
		return strings.Join(hosts, " ") + " by " + strings.Join(agent, " ")
	}
	for _, c := range []struct {
		rt         *runtimes.Runtime
		line, want string
	}{
		{w.open, "-n 4", " by ssh"},
		{w.open, "-H a:2,b,a," + self + ",localhost,127.0.0.1,+n0 -n 4", "a b by ssh"},
		{w.mpich, "-H a:2,b -n 4", "a b by ssh"},
		{w.mpich, "-hosts a,b -launcher rsh", "a b by rsh"},
		{w.mpich, "-hosts a,b -bootstrap slurm", " by "},
		{w.mpich, "-hosts a -launcher-exec /x/agent", "a by /x/agent"},
		{w.mpich, "-f " + w.at("file"), "a b c by ssh"},
		{w.open, "--hostfile " + w.at("file") + " --mca plm_rsh_agent ssh -q:rsh", "a b c by ssh"},
		{w.open, "-H a --mca plm slurm", " by "},
		{w.open, "-hostfile /no/such/file", " by ssh"},
	} {
		assert.Equal(t, c.want, peers(c.rt, c.line), c.line)
	}
	w.env["OMPI_MCA_plm_rsh_agent"], w.env["HYDRA_LAUNCHER_EXEC"] = "ssh -q : rsh", "qrsh"
	assert.Equal(t, "a by ssh -q", peers(w.open, "-H a"))
	assert.Equal(t, "a by qrsh", peers(w.mpich, "-H a"))
	assert.Equal(t, []string{"qrsh"}, w.Agent(w.mpich))
	assert.Equal(t, []string{"ssh"}, w.Agent(nil))
	clear(w.env)
	w.config.Runtimes = map[string]config.RuntimeSettings{"openmpi": {Options: []string{"-H", "z", "--mca", "plm_rsh_agent", "/y/agent"}}}
	assert.Equal(t, "z by /y/agent", peers(w.open, "-n 2"))
	w.env["SLURM_JOB_ID"] = "7"
	assert.Equal(t, " by ", peers(w.mpich, "-hosts a"), "the batch system's own method is used")
}
