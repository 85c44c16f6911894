package audit

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/elfobj"
	"wi4go/internal/fakempi"
)

// probe compiles an auditor that prints the strings a dynamic linker of a given version would pass, and returns its
// path.
func probe(t *testing.T, version string) string {
	t.Helper()
	return fakempi.Shared(t, `#include <stdio.h>
#include <unistd.h>
unsigned la_version(unsigned version) { write(1, "`+version+`", sizeof "`+version+`" - 1); _exit(0); }
`, filepath.Join(t.TempDir(), "audit.so"), "audit.so")
}

func TestUsable(t *testing.T) {
	assert.ErrorContains(t, Usable(probe(t, "1")), "older than glibc 2.35")
	assert.ErrorContains(t, Usable(filepath.Join(t.TempDir(), "none.so")), "does not start")
	loader := loaders[elfobj.HostMachine()]
	require.NotEmpty(t, loader)
	switch glibc(loader) {
	case "2.32", "2.33":
		assert.ErrorContains(t, Usable(probe(t, "2")), "crashes with an auditor")
	default:
		assert.NoError(t, Usable(probe(t, "2")))
	}
	assert.Regexp(t, `^2\.\d+$`, glibc(loader))
	assert.Empty(t, glibc("/none/ld.so"))
}

func TestTunables(t *testing.T) {
	for _, c := range []struct{ old, want string }{
		{"", "glibc.rtld.optional_static_tls=100"},
		{"glibc.malloc.check=1", "glibc.malloc.check=1:glibc.rtld.optional_static_tls=100"},
		{"glibc.rtld.optional_static_tls=50:glibc.malloc.check=1", "glibc.malloc.check=1:glibc.rtld.optional_static_tls=100"},
		{"glibc.rtld.optional_static_tls=5000", "glibc.rtld.optional_static_tls=5000"},
		{"glibc.rtld.optional_static_tls=none", "glibc.rtld.optional_static_tls=100"},
	} {
		assert.Equal(t, c.want, Tunables(c.old, 100), c.old)
	}
}
