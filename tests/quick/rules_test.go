package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain works at the top of the repository, as the command does.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// Every source has a package of tests that it can break, and every rule names sources and packages that exist.
func TestEveryFile(t *testing.T) {
	listed, err := exec.Command("git", "ls-files", "-co", "--exclude-standard").Output()
	require.NoError(t, err)
	used := map[string]bool{}
	for _, file := range strings.Fields(string(listed)) {
		r, known := matching(file)
		used[r.prefix] = true
		if slices.Contains([]string{".c", ".h", ".S", ".go", ".cc", ".f90", ".F90", ".pml"}, filepath.Ext(file)) {
			assert.True(t, known && len(r.packages) > 0, "%s belongs to no package of tests: add a rule to tests/quick/rules.go", file)
		}
	}
	for _, r := range rules {
		assert.True(t, used[r.prefix], "no file begins with %s", r.prefix)
		for _, name := range r.packages {
			assert.True(t, strings.HasPrefix(name, "make ") || hasTests(name), "%s: %s has no tests", r.prefix, name)
		}
	}
	assert.False(t, hasTests("tests/large"), "a directory without tests")
}

// The brief tests of each package exist.
func TestBrief(t *testing.T) {
	for name, pattern := range brief {
		text, err := exec.Command("sh", "-c", "cat "+name+"/*_test.go").Output()
		require.NoError(t, err)
		for _, test := range strings.Split(pattern, "|") {
			test, _, _ = strings.Cut(strings.TrimSuffix(test, "$"), "/")
			assert.Contains(t, string(text), "func "+test, name)
		}
	}
}

func TestPlan(t *testing.T) {
	t.Setenv("UNIT", "./abi/... ./internal/... ./cmd/... ./tests/adi ./tests/embedded/... ./tests/docs")
	for file, want := range map[string]struct {
		build          string
		packages, left []string
	}{
		"embedded/adi/send.c":        {"embedded", []string{"tests/adi", "tests/embedded", "tests/embedded/hang"}, nil},
		"internal/shell/shell.go":    {"", []string{"internal/shell", "cmd/wi4go"}, nil},
		"dri/xfer.c":                 {"", nil, []string{"go test ./tests/dri"}},
		"tests/large/large.c":        {"", nil, []string{"make large"}},
		"docs/adi.md":                {"", []string{"tests/docs"}, nil},
		"tests/conformance/c/none.c": {"", []string{"tests/embedded"}, []string{"go test ./tests/conformance/suite"}},
	} {
		p, err := planned([]string{file})
		require.NoError(t, err)
		assert.True(t, p.builds[want.build], file)
		for _, name := range want.packages {
			assert.Contains(t, p.packages, name, file)
		}
		for _, command := range want.left {
			assert.Contains(t, p.left, command, file)
		}
	}
}
