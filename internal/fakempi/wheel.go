package fakempi

import (
	"archive/zip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Wheel packs the files under prefix as a wheel for any machine, puts it into a package index
// and returns the wheel's file. index is a directory to be served over HTTP (its simple API
// under simple/).
func Wheel(t testing.TB, index, name, version, prefix string) string {
	t.Helper()
	top := name + "-" + version
	file := filepath.Join(index, "simple", name, top+"-py3-none-any.whl")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	out, err := os.Create(file)
	require.NoError(t, err)
	z := zip.NewWriter(out)
	add := func(name string, mode fs.FileMode, data []byte) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(mode)
		w, err := z.CreateHeader(h)
		require.NoError(t, err)
		_, err = w.Write(data)
		require.NoError(t, err)
	}
	add(top+".dist-info/METADATA", 0o644, []byte("Metadata-Version: 2.1\nName: "+name+"\nVersion: "+version+"\n"))
	add(top+".dist-info/WHEEL", 0o644, []byte("Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n"))
	require.NoError(t, filepath.WalkDir(prefix, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		require.NoError(t, err)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		inside, err := filepath.Rel(prefix, path)
		require.NoError(t, err)
		add(top+".data/data/"+inside, info.Mode(), data)
		return nil
	}))
	require.NoError(t, z.Close())
	require.NoError(t, out.Close())

	data, err := os.ReadFile(file)
	require.NoError(t, err)
	page, err := os.OpenFile(filepath.Join(filepath.Dir(file), "index.html"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	_, err = fmt.Fprintf(page, "<a href=%q>wheel</a>\n", fmt.Sprintf("%s#sha256=%x", filepath.Base(file), sha256.Sum256(data)))
	require.NoError(t, err)
	require.NoError(t, page.Close())
	return file
}
