package container

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/ldso"
)

// places distinguishes directories that belong to one package from shared ones.
type places struct {
	linker []string // default directories of the system's dynamic linker
	home   string   // the user's home directory, "" if unknown
}

// newPlaces returns the places of this host.
func newPlaces(search ldso.Search) places {
	home, _ := os.UserHomeDir() // an error leaves "", which matches nothing
	return places{search.Dirs, home}
}

// ownPrefix returns the directory of the installation that contains the file at path and has
// that directory to itself. It returns "" if the directory belongs to the system or the user.
func (p places) ownPrefix(path string) string {
	for i, c := range path {
		if c != '/' || i == 0 {
			continue
		}
		rest := path[i:]
		if (strings.HasPrefix(rest, "/lib/") || strings.HasPrefix(rest, "/lib64/")) && !p.common(path[:i]) {
			return path[:i]
		}
	}
	if dir := filepath.Dir(path); !p.common(dir) && !p.inSystem(dir) {
		return dir
	}
	return ""
}

// common reports whether a directory belongs to more than one package.
func (p places) common(dir string) bool {
	if slices.Contains(commonDirs, dir) || slices.Contains(p.linker, dir) || strings.HasSuffix(dir, "-linux-gnu") {
		return true
	}
	if slices.Contains(commonParts, filepath.Base(dir)) && p.common(filepath.Dir(dir)) {
		return true
	}
	return p.home != "" && (within(p.home, dir) || dir == filepath.Join(p.home, ".local"))
}

// commonDirs are shared by the packages of a system. commonParts are the directories in them,
// and in a user's home, that are shared too.
var (
	commonDirs = []string{"/", "/usr", "/usr/local", "/opt", "/home", "/root", "/srv", "/mnt", "/media", "/tmp",
		"/run", "/var", "/var/lib", "/var/run", "/proc", "/sys", "/dev", "/boot"}
	commonParts = []string{"lib", "lib64", "bin", "sbin", "etc", "share", "include", "libexec", "src"}
)

// inSystem reports whether path is in one of the system's directories.
func (p places) inSystem(path string) bool {
	return slices.ContainsFunc(append([]string{"/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys", "/dev", "/var", "/run"},
		p.linker...), func(dir string) bool { return within(path, dir) })
}

// belongsToPackage reports whether a path that a library contains exists here and belongs to its
// package. It returns false for paths of the system, of which every container has its own.
func (p places) belongsToPackage(path string) bool {
	if !filepath.IsAbs(path) || p.common(path) || cLibrary(path) ||
		slices.ContainsFunc(system, func(s string) bool { return within(merged(path), s) }) {
		return false
	}
	_, err := os.Stat(path)
	return err == nil
}

// system lists paths that never belong to an MPI package. A driver that contains a compiler names the system's releases
// and gcc's directories too: mounted, they would replace the container's own release and break its gcc.
var system = []string{"/proc", "/sys", "/dev", "/tmp", "/run", "/var", "/boot", "/bin", "/sbin", "/usr/bin", "/usr/sbin",
	"/usr/include", "/usr/share/locale", "/usr/share/zoneinfo", "/usr/share/X11", "/usr/lib/locale",
	"/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/hosts", "/etc/hostname", "/etc/host.conf",
	"/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/networks", "/etc/protocols", "/etc/services", "/etc/rpc",
	"/etc/ethers", "/etc/mtab", "/etc/fstab", "/etc/localtime", "/etc/timezone", "/etc/machine-id", "/etc/os-release", "/usr/lib/os-release",
	"/etc/debian_version", "/etc/lsb-release", "/etc/redhat-release", "/etc/fedora-release", "/etc/SuSE-release",
	"/etc/gentoo-release", "/usr/lib/gcc", "/usr/lib/gcc-cross", "/usr/lib/debug", "/usr/lib32", "/usr/libx32", "/lib32", "/libx32",
	"/etc/ssl", "/etc/shells", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload"}

// prefixOf returns the prefix of the installation that a library belongs to.
func (p places) prefixOf(path string) string {
	if prefix := p.ownPrefix(path); prefix != "" {
		return prefix
	}
	for _, lib := range []string{"/lib/", "/lib64/"} {
		if prefix, _, ok := strings.Cut(path, lib); ok && prefix != "" {
			return prefix
		}
	}
	return "/usr"
}

// merged returns the path below /usr/lib for a path below /lib if both are the same directory.
// Both names are in use, and one mount then serves both.
func merged(path string) string {
	for _, dir := range []string{"/lib", "/lib64"} {
		if real := realPath(dir); real != dir && within(path, dir) {
			return real + strings.TrimPrefix(path, dir)
		}
	}
	return path
}

// within reports whether path is dir or lies in it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// contains reports whether all has each of some.
func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// realPath returns path with all links resolved, or path itself if that fails.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
