package container

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
)

// An Image is the file system of a container, as a directory of the host.
type Image struct {
	Root   string      // the directory, as an absolute path
	Search ldso.Search // search of the container's dynamic linker
}

// OpenImage returns the image whose root is the directory root. It returns an error if the
// host's libraries cannot run on it.
func OpenImage(root string) (*Image, error) {
	info, err := os.Stat(root)
	if err != nil {
		return nil, fmt.Errorf("--rootfs %s: %w", root, errors.Unwrap(err))
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("--rootfs %s: wi4go cannot read an image file: name a directory with its files, made by `apptainer build "+
			"--sandbox`, `podman mount` or `docker export`", root)
	}
	if root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	image := &Image{Root: root, Search: ldso.FromRoot(root)}
	if image.find("libc.so.6") == "" {
		if musl, _ := filepath.Glob(filepath.Join(root, "lib/ld-musl-*")); len(musl) > 0 {
			return nil, fmt.Errorf("--rootfs %s: its C library is musl, but this host's libraries need glibc: take an image with glibc", root)
		}
		return nil, fmt.Errorf("--rootfs %s: not the root directory of a container for this machine: it has no libc.so.6 for %s; name the "+
			"directory that has the container's usr",
			root, elfobj.MachineName(elfobj.HostMachine()))
	}
	return image, nil
}

// find returns the image's own file of a library as a path of the host, or "" if it has none or
// the image is unknown.
func (i *Image) find(name string) string {
	if i == nil {
		return ""
	}
	if o := i.Search.Find(name, elfobj.HostMachine(), elf.ELFCLASS64); o != nil {
		return o.Path
	}
	return ""
}

// glibcRelease matches the text in libc.so.6 that contains its release.
var glibcRelease = pattern.New(`GNU C Library [^\n]*version (\d+\.\d+)`)

// glibc returns the release of the image's C library: from its version text, else the newest
// release for which it has symbols.
func (i *Image) glibc() string {
	path := i.find("libc.so.6")
	if m := glibcRelease.FindSubmatch(elfobj.Constants(path)); m != nil {
		return string(m[1])
	}
	o, err := elfobj.Read(path)
	if err != nil {
		return "unknown"
	}
	return glibcOf(o.Versions)
}

// imagePath is the search path for programs in images that set no PATH.
var imagePath = []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}

// LookPath returns the path of a program in the image. It returns an error if the program is
// missing or not executable.
func (i *Image) LookPath(name string) (string, error) {
	candidates := []string{name}
	switch {
	case !strings.Contains(name, "/"):
		candidates = nil
		for _, dir := range imagePath {
			candidates = append(candidates, filepath.Join(dir, name))
		}
	case !filepath.IsAbs(name):
		return "", fmt.Errorf("%s: not found: give the absolute path of a program in an image", name)
	}
	for _, path := range candidates {
		info, err := os.Stat(i.Search.At(path))
		switch {
		case err != nil:
			continue
		case info.IsDir():
			return "", fmt.Errorf("%s is a directory in %s: name a program", path, i.Root)
		case info.Mode()&0o111 == 0:
			return "", fmt.Errorf("%s is not executable in %s: run chmod +x on it there", path, i.Root)
		}
		return path, nil
	}
	return "", fmt.Errorf("%s: no such program in %s: give its absolute path in the container", name, i.Root)
}
