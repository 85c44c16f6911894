package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// DebianRoot returns a tree of links to Debian's smallest root, which has no MPI, no Python and no
// ssh. The root is made once and kept in build/container; the tree is called name and is removed when
// the test ends. Files in the tree must be replaced, not changed. It calls Missing if a command is
// missing that makes the root or runs programs in it.
func DebianRoot(t testing.TB, name string) string {
	t.Helper()
	for _, command := range []string{"debootstrap", "bwrap", "apt-get"} {
		if _, err := exec.LookPath(command); err != nil {
			Missing(t, fmt.Errorf("%s: %w", command, ErrMissing))
		}
	}
	if os.Getuid() != 0 {
		Missing(t, fmt.Errorf("debootstrap works for root: root %w", ErrMissing))
	}
	above, err := Root()
	require.NoError(t, err)
	dir := filepath.Join(above, "build/container")
	kept := filepath.Join(dir, "root")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	lock, err := os.Create(filepath.Join(dir, ".lock")) // packages run in parallel
	require.NoError(t, err)
	defer lock.Close()
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	if _, err := os.Stat(kept); err != nil {
		release, mirror := debian(t)
		making := kept + ".making"
		require.NoError(t, os.RemoveAll(making))
		require.NoError(t, os.MkdirAll(making, 0o755))
		text, err := exec.Command("debootstrap", "--variant=minbase", release, making, mirror).CombinedOutput()
		require.NoError(t, err, "%s", lastLines(text))
		require.NoError(t, os.RemoveAll(filepath.Join(making, "var/cache/apt/archives")))
		require.NoError(t, os.Rename(making, kept))
	}
	tree := filepath.Join(dir, name)
	require.NoError(t, os.RemoveAll(tree))
	text, err := exec.Command("cp", "-al", kept, tree).CombinedOutput()
	require.NoError(t, err, "%s", text)
	t.Cleanup(func() { os.RemoveAll(tree) })
	return tree
}

// debian returns the release of this machine and the archive of its packages.
func debian(t testing.TB) (release, mirror string) {
	t.Helper()
	system, err := os.ReadFile("/etc/os-release")
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^VERSION_CODENAME=(\w+)$`).FindSubmatch(system)
	require.NotNil(t, m, "the release of this Debian")
	release = string(m[1])
	text, err := exec.Command("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) == 3 && words[1] == release && words[2] == "main" {
			return release, words[0]
		}
	}
	t.Fatalf("apt's sources have no archive of %s:\n%s", release, text)
	return "", ""
}

// lastLines returns the end of a command's output.
func lastLines(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
