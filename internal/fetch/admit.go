package fetch

import (
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// admit returns an error if wheels cannot be installed: the file systems of cache and of the runtimes
// must have space, and programs must run from the latter. The space may still run out later.
func (s Store) admit(wheels []Wheel, cache string) error {
	var download, unpacked int64
	for _, w := range wheels {
		download += w.Size
		unpacked += max(w.Unpacked, w.Size)
	}
	data := filepath.Dir(s.Runtimes) // exists: it holds the lock
	var disk, dataDisk unix.Statfs_t
	if unix.Statfs(cache, &disk) != nil || unix.Statfs(data, &dataDisk) != nil {
		return nil // the download will show whether they are usable
	}
	if dataDisk.Flags&unix.ST_NOEXEC != 0 {
		return fmt.Errorf("programs in %s cannot run, because its file system is mounted with noexec: set XDG_DATA_HOME to another place", data)
	}
	if disk.Fsid == dataDisk.Fsid {
		return enough(data, dataDisk, download+unpacked, "XDG_DATA_HOME and XDG_CACHE_HOME")
	}
	if err := enough(cache, disk, download, "XDG_CACHE_HOME"); err != nil {
		return err
	}
	return enough(data, dataDisk, unpacked, "XDG_DATA_HOME")
}

// fits returns an error if the file system of the directory of downloads has less than needed bytes
// free.
func fits(dir string, needed int64) error {
	var disk unix.Statfs_t
	if unix.Statfs(dir, &disk) != nil {
		return nil
	}
	return enough(dir, disk, needed, "XDG_CACHE_HOME")
}

// enough returns an error if the file system of dir has less than needed bytes free. variables choose
// dir.
func enough(dir string, disk unix.Statfs_t, needed int64, variables string) error {
	free := int64(disk.Bavail) * disk.Bsize
	if free >= needed {
		return nil
	}
	return fmt.Errorf("no space left on device: %s has %d MB free, and the packages need %d MB: free some, or set %s to another place", dir, free>>20,
		(needed+1<<20-1)>>20, variables)
}
