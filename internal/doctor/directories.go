package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"wi4go/internal/fault"
	"wi4go/internal/launchers"
)

// Directories examines the directories that ranks and launchers write to.
type Directories struct {
	Root string // prefix of /dev, "" outside of tests
	// Space returns the size of dir's file system and its free space, in bytes.
	Space func(dir string) (all, free uint64, err error)
	// Writable returns an error if this process cannot create files in dir.
	Writable func(dir string) error
}

// ThisMachine are the directories of this machine.
var ThisMachine = Directories{Space: Space, Writable: Writable}

// Writable returns an error if this process cannot create files in a directory.
func Writable(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return &os.PathError{Op: "access", Path: dir, Err: err}
	}
	return nil
}

// SharedMemory returns the size of /dev/shm and its free space in bytes, and a fault if it is not
// usable or has at
// most tooSmall bytes free.
func (d Directories) SharedMemory(tooSmall uint64) (all, free uint64, err error) {
	const cure = "enlarge it: docker and podman run --shm-size=2g, elsewhere `mount -o remount,size=2G /dev/shm` as root; or remove files " +
		"that ended ranks left there"
	const purpose = "/dev/shm, in which the ranks of one machine share memory, "
	dir := filepath.Join(d.Root, "/dev/shm")
	all, free, err = d.Space(dir)
	if err != nil {
		return 0, 0, fault.New("shm-small", "run `mount -t tmpfs tmpfs /dev/shm` as root", purpose+"is not usable: %v", errors.Unwrap(err))
	}
	if err := d.Writable(dir); err != nil {
		return all, free, fault.New("shm-unwritable", "run `mount -o remount,rw,mode=1777 /dev/shm` as root, or in a container start it with "+
			"--shm-size=2g and no mount of /dev/shm", purpose+"cannot be written to (%v): ranks may end in MPI_Init", errors.Unwrap(err))
	}
	if free <= tooSmall {
		return all, free, fault.New("shm-small", cure, "/dev/shm has %d MB, of which %d are free: the ranks of one machine share memory there, "+
			"and die of SIGBUS when it is full", all/megabyte, free/megabyte)
	}
	return all, free, nil
}

// Session returns a fault if a launcher cannot create the files of a job. options are the launcher's
// options, getenv reads its environment.
func (d Directories) Session(l *launchers.Launcher, options []string, getenv func(string) string) error {
	dir := l.SessionDir(options, getenv)
	if dir == "" {
		return nil
	}
	err := d.creatable(dir)
	if err == nil {
		return nil
	}
	return fault.New("session-directory", "create it (`mkdir -m 1777 "+dir+"` as root), or set TMPDIR to a directory that you can write to",
		"%s, in which %s keeps the files of a job, cannot be used: %v", dir, l.Title, errors.Unwrap(err))
}

// creatable returns an error if dir neither exists and is writable, nor can be created.
func (d Directories) creatable(dir string) error {
	for {
		err := d.Writable(dir)
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return err
		}
		dir = filepath.Dir(dir)
	}
}
