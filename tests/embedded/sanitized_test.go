package embedded

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// sanitizers are the runtime libraries of AddressSanitizer and of the sanitizer of undefined behavior. They must be
// preloaded, because neither the program nor the front has them. The front and the core, which is in Go, keep memory to
// the end: leaks are looked for in TestCollectiveMemory and TestTypesSanitized, without a front.
func sanitizers(t *testing.T) []string {
	t.Helper()
	var libraries []string
	for _, name := range []string{"libasan.so", "libubsan.so"} {
		path, err := exec.Command("gcc", "-print-file-name="+name).Output()
		require.NoError(t, err)
		libraries = append(libraries, strings.TrimSpace(string(path)))
	}
	return []string{
		"LD_PRELOAD=" + strings.Join(libraries, ":"),
		"ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:exitcode=77",
		"UBSAN_OPTIONS=print_stacktrace=1",
	}
}

// sanitizedPrefix returns a copy of the installation with the sanitized library as its embedded MPI.
func sanitizedPrefix(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	copied := t.TempDir()
	for _, part := range []string{"bin", "lib"} {
		out, err := exec.Command("cp", "-a", filepath.Join(prefix, part), copied).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	const name = "libwi4go-embedded.so.1"
	out, err := exec.Command("cp", harness.Variant(t, asan.name+"/"+name), filepath.Join(copied, "lib/wi4go/runtimes/embedded/lib")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return copied
}

// The conformance programs, on the library with AddressSanitizer and the sanitizer of undefined behavior. Outside nightly
// runs these are the programs of one family of a few names.
func TestConformanceSanitized(t *testing.T) {
	harness.All.From(t, "it builds the library once more")
	prefix, env := sanitizedPrefix(t), sanitizers(t)
	if !harness.Nightly.Runs() {
		conformance(t, prefix, "openmpi", "attr_type coll_intercomm comm_split error_classes greq_* group_* init_thread p2p_c* p2p_persistent p2p_probe topo_* type_contents type_pack", env)
		return
	}
	for _, family := range []string{"openmpi", "mpich"} {
		t.Run(family, func(t *testing.T) { conformance(t, prefix, family, "*", env) })
	}
}
