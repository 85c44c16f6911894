package packages

import (
	"debug/buildinfo"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// modules returns the Go modules that are linked into the files of a tree.
func modules(t *testing.T, tree string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	require.NoError(t, filepath.WalkDir(tree, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if info, err := buildinfo.ReadFile(path); err == nil { // other files have no modules
			for _, module := range info.Deps {
				found[module.Path] = true
			}
		}
		return nil
	}))
	return found
}

// noticeName matches the names of files with licences and notices.
var noticeName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|patents)`)

// checkLicenses checks that a directory has the licence of Go, and each licence and notice of each module that is
// linked into a tree, with the bytes that the module has.
func checkLicenses(t *testing.T, tree, licenses string) {
	t.Helper()
	linked := modules(t, tree)
	assert.True(t, linked["github.com/spf13/cobra"] && linked["github.com/ebitengine/purego"], "the modules of the command and of the core: %v", linked)
	index, err := os.ReadFile(filepath.Join(licenses, "index.txt"))
	require.NoError(t, err)
	for module := range linked {
		command := exec.Command("go", "list", "-m", "-json", module)
		command.Dir = top(t)
		text, err := command.Output()
		require.NoError(t, err, module)
		var sources struct{ Dir, Version string }
		require.NoError(t, json.Unmarshal(text, &sources))
		assert.Contains(t, string(index), "\n"+module+" "+sources.Version+"\n")
		notices := 0
		entries, err := os.ReadDir(sources.Dir)
		require.NoError(t, err, module)
		for _, entry := range entries {
			if !noticeName.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" || entry.IsDir() {
				continue
			}
			want, err := os.ReadFile(filepath.Join(sources.Dir, entry.Name()))
			require.NoError(t, err)
			got, err := os.ReadFile(filepath.Join(licenses, module, entry.Name()))
			if assert.NoError(t, err, "%s: %s", module, entry.Name()) {
				assert.Equal(t, string(want), string(got), "%s: %s", module, entry.Name())
			}
			notices++
		}
		assert.NotZero(t, notices, "%s has no licence", module)
	}
	text, err := os.ReadFile(filepath.Join(licenses, "go/LICENSE"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "The Go Authors")
}

// checkDocuments checks that each relative link of the pages in a directory leads to a file there.
func checkDocuments(t *testing.T, doc string) {
	t.Helper()
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]+)?\)`)
	pages := 0
	require.NoError(t, filepath.WalkDir(doc, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" || strings.Contains(path, "/licenses/") {
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			assert.FileExists(t, filepath.Join(filepath.Dir(path), m[1]), "%s links to %s", path, m[1])
		}
		return err
	}))
	assert.Greater(t, pages, 15)
	for _, name := range []string{"README.md", "LICENSE", "docs/running.md"} {
		assert.FileExists(t, filepath.Join(doc, name))
	}
}

// make install copies the documents, and the licences of the software that is linked into the tree.
func TestInstalledLicenses(t *testing.T) {
	need(t, "make", "go")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(prefix, "bin/wi4go")); err != nil {
		harness.Missing(t, harness.ErrMissing)
	}
	dir := t.TempDir()
	makes(t, "install", "B="+prefix, "PREFIX="+dir)
	checkLicenses(t, dir, filepath.Join(dir, "share/doc/wi4go/licenses"))
	checkDocuments(t, filepath.Join(dir, "share/doc/wi4go"))
}

// The archive and the wheel have the documents, and the licences of the software that is linked into them.
func TestPackedLicenses(t *testing.T) {
	tree := unpacked(t)
	checkLicenses(t, tree, filepath.Join(tree, "share/doc/wi4go/licenses"))
	checkDocuments(t, filepath.Join(tree, "share/doc/wi4go"))

	need(t, "python3")
	dir := t.TempDir()
	must(t, dir, nil, "python3", "-m", "zipfile", "-e", wheel(t), dir)
	info, err := filepath.Glob(filepath.Join(dir, "*.dist-info"))
	require.NoError(t, err)
	require.Len(t, info, 1)
	checkLicenses(t, dir, filepath.Join(info[0], "licenses"))
	doc, err := filepath.Glob(filepath.Join(dir, "*.data/data/share/doc/wi4go"))
	require.NoError(t, err)
	require.Len(t, doc, 1)
	checkDocuments(t, doc[0])
	metadata, err := os.ReadFile(filepath.Join(info[0], "METADATA"))
	require.NoError(t, err)
	for module := range modules(t, dir) {
		assert.Contains(t, string(metadata), "License-File: licenses/"+module+"/")
	}
}

// So do the .deb and the .rpm. The .deb's copyright file names each licence.
func TestNativeLicenses(t *testing.T) {
	deb, rpm := nativePackages(t)
	need(t, "dpkg-deb", "rpm2cpio", "cpio")
	for kind, command := range map[string][]string{
		"deb": {"dpkg-deb", "-x", deb, "."},
		"rpm": {"sh", "-ec", `rpm2cpio "$1" | cpio -id --quiet --no-absolute-filenames`, "sh", rpm},
	} {
		dir := t.TempDir()
		must(t, dir, nil, command...)
		doc := filepath.Join(dir, "usr/share/doc/wi4go")
		checkLicenses(t, filepath.Join(dir, "usr"), filepath.Join(doc, "licenses"))
		checkDocuments(t, doc)
		copyright, err := os.ReadFile(filepath.Join(doc, "copyright"))
		require.NoError(t, err, kind)
		for module := range modules(t, dir) {
			assert.Contains(t, string(copyright), "\n---- "+module+"/", kind)
		}
		assert.Contains(t, string(copyright), "/usr/share/common-licenses/Apache-2.0", kind)
		assert.NotContains(t, string(copyright), "TERMS AND CONDITIONS FOR USE, REPRODUCTION", "Debian forbids a copy of the Apache License here")
	}
}
