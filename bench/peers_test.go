package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPeerSources(t *testing.T) {
	p := peer{name: "Two", variables: []string{"PEER_ONE", "PEER_TWO"}}
	t.Setenv("PEER_ONE", "")
	t.Setenv("PEER_TWO", "")
	_, err := p.sources()
	assert.True(t, errors.Is(err, errNotNamed))
	assert.ErrorContains(t, err, "PEER_ONE and PEER_TWO")

	dir := t.TempDir()
	t.Setenv("PEER_ONE", dir)
	_, err = p.sources()
	assert.False(t, errors.Is(err, errNotNamed), "half of it is a mistake")
	assert.ErrorContains(t, err, "PEER_TWO is needed too")

	t.Setenv("PEER_TWO", filepath.Join(dir, "absent"))
	_, err = p.sources()
	assert.ErrorContains(t, err, "PEER_TWO="+filepath.Join(dir, "absent")+": no such directory")

	t.Setenv("PEER_TWO", dir)
	dirs, err := p.sources()
	require.NoError(t, err)
	assert.Equal(t, []string{dir, dir}, dirs)
}

// A peer that is built in its own tree gets a copy, and the sources stay as they are.
func TestPeerCopy(t *testing.T) {
	source := t.TempDir()
	for name, text := range map[string]string{"Makefile": "all:\n", "src/run.sh": "true\n", ".git/HEAD": "ref\n"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(source, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(source, name), []byte(text), 0o755))
	}
	require.NoError(t, os.Symlink("Makefile", filepath.Join(source, "GNUmakefile")))
	s := site{dir: t.TempDir()}
	tree, err := s.copy(source)
	require.NoError(t, err)
	assert.NoFileExists(t, filepath.Join(tree, ".git/HEAD"))
	info, err := os.Stat(filepath.Join(tree, "src/run.sh"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o755), info.Mode().Perm())
	link, err := os.Readlink(filepath.Join(tree, "GNUmakefile"))
	require.NoError(t, err)
	assert.Equal(t, "Makefile", link)
}

func TestPrintPeers(t *testing.T) {
	var out strings.Builder
	printPeers(&out, "mpich", []rowSpec{{name: "comm_rank_world"}, {name: "never"}}, []column{{title: "native"}, {title: "a"}, {title: "b"}}, []map[string]counts{
		{"comm_rank_world": {All: 46}, memory: {All: 20000}},
		{"comm_rank_world": {All: 57}, memory: {All: 21000}},
		{},
	})
	text := strings.Join(strings.Fields(out.String()), " ")
	assert.Contains(t, text, "comm_rank_world 46.0 +11.0 fails")
	assert.Contains(t, text, "resident memory, KB 20000 +1000.0 fails")
	assert.NotContains(t, text, "never", "a row without a native count has no differences")
}

// The rows that are measured unless others are named are rows.
func TestPeerRows(t *testing.T) {
	rows, err := chosen(peerRows)
	require.NoError(t, err)
	assert.Greater(t, len(rows), 10)
	for _, r := range rows {
		assert.Equal(t, 1, r.ranks, r.name)
	}
}
