package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/install"
	"wi4go/internal/launch"
)

// The translation of a call is looked up by the function's name and both families.
func TestInspectCall(t *testing.T) {
	prefix := t.TempDir()
	calls := filepath.Join(prefix, "share/wi4go/calls")
	require.NoError(t, os.MkdirAll(calls, 0o777))
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte("MPI_Irecv\n  code  A_MPI_Irecv\n\nMPI_Recv\n  code  A_MPI_Recv\n\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(filepath.Join(calls, "openmpi-mpich.txt.gz"), b.Bytes(), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(calls, "mpich-openmpi.txt.gz"), []byte("no gzip"), 0o666))
	l := launch.Launcher{Tree: install.Tree{Prefix: prefix}}

	inspect := func(function, from, to string) (string, error) {
		var out bytes.Buffer
		err := inspectCall(&out, l, function, from, to)
		return out.String(), err
	}
	for _, name := range []string{"MPI_Recv", "PMPI_Recv"} {
		text, err := inspect(name, "ompi", "Intel")
		require.NoError(t, err, name)
		assert.Equal(t, "MPI_Recv\n  code  A_MPI_Recv\n", text)
	}
	for _, c := range [][4]string{
		{"MPI_Recv", "", "mpich", "inspect --call needs --from and --to"},
		{"MPI_Recv", "openmpi", "", "inspect --call needs --from and --to"},
		{"MPI_Recv", "lam", "mpich", "lam"},
		{"MPI_Rec", "openmpi", "mpich", "MPI_Rec is not a function of the openmpi family"},
		{"MPI_Recv", "mpich", "openmpi", "this installation of wi4go is damaged: "},
		{"MPI_Recv", "mpich", "mpich", "this installation of wi4go is incomplete: "},
	} {
		_, err := inspect(c[0], c[1], c[2])
		assert.ErrorContains(t, err, c[3])
	}
}
