package program

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"wi4go/internal/elfobj"
	"wi4go/internal/fault"
)

// CheckSecure returns an error if the dynamic linker ignores LD_PRELOAD and LD_LIBRARY_PATH for the
// program when this user starts it, or if it removes them from the environment of a wrapper on the
// way.
func (p *Program) CheckSecure() error {
	for _, path := range append([]string{p.Path}, p.Via...) {
		if err := CheckSecure(path); err != nil {
			return err
		}
	}
	return nil
}

// CheckSecure does the same for one file.
func CheckSecure(path string) error {
	reason, err := secure(path)
	if err != nil || reason == "" {
		return nil // a user who cannot read the file's attributes cannot start it either, and will see that error
	}
	return fault.New("program-privileged", "run a copy of it without these rights, or link it with wi4go's mpicc, whose programs need neither "+
		"variable",
		"%s %s, so the dynamic linker ignores LD_PRELOAD and LD_LIBRARY_PATH: the program would load its own MPI library, and each process "+
			"would run as rank 0 of 1", path, reason)
}

// secure returns the reason why the kernel would set AT_SECURE (getauxval(3)) for a file that this
// process executes, or "" if it would not. For root, file capabilities do not matter. Set-user-ID
// and set-group-ID matter only if they change to an ID other than the real one, and not under
// no_new_privs. Nothing matters on a file system mounted nosuid.
func secure(path string) (string, error) {
	if _, err := elfobj.Read(path); errors.Is(err, elfobj.ErrNotELF) {
		return "", nil // a script: its interpreter counts
	}
	var stat unix.Stat_t
	var fs unix.Statfs_t
	if err := unix.Stat(path, &stat); err != nil {
		return "", err
	}
	if err := unix.Statfs(path, &fs); err != nil || fs.Flags&unix.ST_NOSUID != 0 {
		return "", err
	}
	self, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "", err
	}
	status := func(name string) uint64 {
		_, rest, _ := strings.Cut(string(self), "\n"+name+":")
		value, _, _ := strings.Cut(rest, "\n")
		n, _ := strconv.ParseUint(strings.TrimSpace(value), 16, 64) // 0 if the line is missing
		return n
	}
	const groupExec = unix.S_ISGID | unix.S_IXGRP
	switch free := status("NoNewPrivs") == 0; {
	case free && stat.Mode&unix.S_ISUID != 0 && int(stat.Uid) != os.Getuid():
		return fmt.Sprintf("is set-user-ID to another user (%d)", stat.Uid), nil
	case free && stat.Mode&groupExec == groupExec && int(stat.Gid) != os.Getgid():
		return fmt.Sprintf("is set-group-ID to another group (%d)", stat.Gid), nil
	case os.Getuid() != 0 && raises(path, status("CapBnd"), status("CapInh")):
		return "has file capabilities", nil
	}
	return "", nil
}

// raises reports whether a file's capabilities give this process effective or permitted
// capabilities that it would not have without them (capabilities(7)).
func raises(path string, bounding, inheritable uint64) bool {
	// The layout (linux/capability.h) is a word of flags, then two words of each kind, low word
	// first.
	const effective, revision2, size2 = 1, 2, 20
	value := make([]byte, 64)
	n, err := unix.Getxattr(path, "security.capability", value)
	if err != nil || n < 12 {
		return false
	}
	word := func(i int) uint64 { return uint64(binary.LittleEndian.Uint32(value[4*i:])) }
	permitted, inherits := word(1), word(2)
	if word(0)>>24 >= revision2 && n >= size2 {
		permitted, inherits = permitted|word(3)<<32, inherits|word(4)<<32
	}
	return word(0)&effective != 0 || permitted&bounding|inherits&inheritable != 0
}
