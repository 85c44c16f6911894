package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/output"
)

// run runs the command on files. A second run writes nothing, so that make rebuilds nothing.
func run(funcs, table, out string, fortran bool) error {
	in, err := load(funcs, table)
	if err != nil {
		return err
	}
	return write(in, out, fortran)
}

// A file that was changed or is missing is written again.
func TestUnchangedFilesKeepTheirTime(t *testing.T) {
	out := t.TempDir()
	generate := func() { require.NoError(t, run("../../funcs.json", "../../mappers.json", out, true)) }
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	age := func() (files []string) {
		require.NoError(t, filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files = append(files, path)
				err = os.Chtimes(path, old, old)
			}
			return err
		}))
		return files
	}
	generate()
	files := age()
	require.Greater(t, len(files), 10)
	generate()
	for _, path := range files {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, old, info.ModTime(), path)
	}

	want, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], []byte("changed"), 0o666))
	require.NoError(t, os.Remove(files[1]))
	// A file that is no longer generated is removed. Files of others remain.
	gone, theirs := filepath.Join(out, "gone.c"), filepath.Join(out, "theirs.c")
	require.NoError(t, os.WriteFile(gone, []byte(output.Banner("Of a family that is no more.")), 0o666))
	require.NoError(t, os.WriteFile(theirs, []byte("int x;\n"), 0o666))
	generate()
	assert.NoFileExists(t, gone)
	assert.FileExists(t, theirs)
	got, err := os.ReadFile(files[0])
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
	assert.FileExists(t, files[1])
}

func TestFortranLayers(t *testing.T) {
	for _, fortran := range []bool{true, false} {
		out := t.TempDir()
		require.NoError(t, run("../../funcs.json", "../../mappers.json", out, fortran))
		assert.FileExists(t, filepath.Join(out, "openmpi", "exports.map"))
		_, err := os.Stat(filepath.Join(out, "openmpi", "fortran.c"))
		assert.Equal(t, fortran, err == nil, "%v", err)
	}
}

func TestErrors(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte("["), 0o666))
	assert.ErrorContains(t, run("no-such.json", "../../mappers.json", t.TempDir(), true), "no-such.json")
	assert.ErrorContains(t, run("../../funcs.json", bad, t.TempDir(), true), "mappers.json: ")
	assert.ErrorContains(t, run(bad, "../../mappers.json", t.TempDir(), true), "funcs.json: ")
	assert.Error(t, run("../../funcs.json", "../../mappers.json", bad, true), "the output is no directory")
}
