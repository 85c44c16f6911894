package runtimelib

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Trusted returns an error if a user other than root and the owners could have put the library at
// path in its place. The file and each directory above it must belong to one of them, and no other
// user may be able to write there. A directory such as /tmp, in which only owners remove files,
// counts as not writable for others. path must contain no symbolic links.
func Trusted(path string, owners ...int) error {
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil {
			return err
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		trusted := ok && stat.Uid == 0
		for _, owner := range owners {
			trusted = trusted || ok && int(stat.Uid) == owner
		}
		sticky := info.IsDir() && info.Mode()&fs.ModeSticky != 0
		switch {
		case !trusted:
			return fmt.Errorf("%s belongs to user %d", at, stat.Uid)
		case info.Mode().Perm()&0o022 != 0 && !sticky:
			return fmt.Errorf("users other than its owner can write to %s", at)
		case at == filepath.Dir(at):
			return nil
		}
	}
}
