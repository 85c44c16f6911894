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

// CheckSecure refuses a program for which the dynamic linker, as this user starts
// it, ignores LD_PRELOAD and LD_LIBRARY_PATH, and a wrapper for which it takes them
// out of the environment.
func (p *Program) CheckSecure() error {
	for _, path := range append([]string{p.Path}, p.Via...) {
		if err := CheckSecure(path); err != nil {
			return err
		}
	}
	return nil
}

// CheckSecure does so for one file.
func CheckSecure(path string) error {
	why, err := secure(path)
	if err != nil || why == "" {
		return nil // who cannot look at a file cannot start it either, and will hear of that
	}
	return fault.New("program-privileged", "run a copy of it, which has no such rights, or link it with wi4go's mpicc, whose programs need neither",
		"%s %s, so that the dynamic linker ignores LD_PRELOAD and LD_LIBRARY_PATH: it would load its own MPI library, and each "+
			"process take itself for rank 0 of 1", path, why)
}

// secure says why the kernel would set AT_SECURE (getauxval(3)) for a file that this
// process executes; "" where it would not. For the user root file capabilities do not
// matter; set-user-ID and set-group-ID only where they lead to another than the
// real one; nothing matters on a file system that is mounted nosuid, and the latter
// two not under no_new_privs.
func secure(path string) (string, error) {
	if _, err := elfobj.Read(path); errors.Is(err, elfobj.ErrNotELF) {
		return "", nil // a script: what counts is its interpreter
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
		n, _ := strconv.ParseUint(strings.TrimSpace(value), 16, 64) // absent: 0
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

// raises says whether a file's capabilities give this process any that it would not
// have without them (capabilities(7)): effective ones, or permitted ones.
func raises(path string, bounding, inheritable uint64) bool {
	const effective, revision2, size2 = 1, 2, 20 // linux/capability.h: a word of flags, then two of each kind, low ones first
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
