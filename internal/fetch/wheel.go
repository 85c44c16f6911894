package fetch

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/textproto"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"wi4go/internal/pattern"
)

// A Licence is the licence of a package that is not free software. Text is the file that
// contains it.
type Licence struct{ Package, Name, Text string }

// A damagedError means that the content of a wheel is invalid.
type damagedError struct{ error }

// wheelName splits the name of a wheel's file (PEP 427).
var wheelName = pattern.New(`^([^-]+)-([^-]+)(?:-\d[^-]*)?-([^-]+)-([^-]+)-([^-]+)\.whl$`)

// normalize returns a package's name in the form of an index (PEP 503).
func normalize(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// A Machine is the kind of machine that a wheel is built for.
type Machine struct {
	Arch  string // x86_64 or aarch64
	Glibc [2]int // release of glibc, such as 2, 36; 0, 0 for another libc
}

// ThisMachine returns this machine. It reads the release of glibc from the shared library libc.
func ThisMachine(libc string) Machine {
	m := Machine{Arch: map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]}
	f, err := elf.Open(libc)
	if err != nil {
		return m
	}
	defer f.Close()
	versions, _ := f.DynamicVersions() // none for another libc
	for _, v := range versions {
		var n [2]int
		if _, err := fmt.Sscanf(v.Name, "GLIBC_%d.%d", &n[0], &n[1]); err == nil && slices.Compare(n[:], m.Glibc[:]) > 0 {
			m.Glibc = n
		}
	}
	return m
}

// legacy maps older platform tags to the release of glibc that they need.
var legacy = map[string][2]int{"manylinux1": {2, 5}, "manylinux2010": {2, 12}, "manylinux2014": {2, 17}}

// Runs reports whether a wheel with this file name is for this machine: for any Python without
// an extension module (PEP 425), and for this libc (PEP 600).
func (m Machine) Runs(file string) bool {
	name := wheelName.FindStringSubmatch(file)
	if name == nil || name[4] != "none" || !slices.Contains(strings.Split(name[3], "."), "py3") {
		return false
	}
	for tag := range strings.SplitSeq(name[5], ".") {
		if tag == "any" || tag == "linux_"+m.Arch {
			return true
		}
		kind, ok := strings.CutSuffix(tag, "_"+m.Arch)
		if !ok {
			continue
		}
		needs := legacy[kind]
		if _, err := fmt.Sscanf(kind, "manylinux_%d_%d", &needs[0], &needs[1]); err != nil && needs == [2]int{} {
			continue
		}
		if slices.Compare(m.Glibc[:], needs[:]) >= 0 {
			return true
		}
	}
	return false
}

// platform splits a platform tag of glibc (PEP 600) into the release of glibc and the processor.
var platform = pattern.New(`^manylinux_(\d+)_(\d+)_(\w+)$`)

// lacks returns the reason why none of these files runs on this machine.
func (m Machine) lacks(files []string) string {
	archs, lowest := map[string]bool{}, [2]int{}
	for _, file := range files {
		name := wheelName.FindStringSubmatch(file)
		if name == nil {
			continue
		}
		for tag := range strings.SplitSeq(name[5], ".") {
			release := platform.FindStringSubmatch(tag)
			if release == nil {
				continue
			}
			archs[release[3]] = true
			if needs := [2]int{number(release[1]), number(release[2])}; release[3] == m.Arch && (lowest == [2]int{} || slices.Compare(needs[:], lowest[:]) < 0) {
				lowest = needs
			}
		}
	}
	switch {
	case m.Glibc == [2]int{}:
		return "wi4go installs packages for glibc, which this machine does not have"
	case lowest != [2]int{}:
		return fmt.Sprintf("its packages need glibc %d.%d or newer, and this machine has %d.%d", lowest[0], lowest[1], m.Glibc[0], m.Glibc[1])
	case len(archs) > 0:
		return fmt.Sprintf("its packages are for %s, and this machine is %s", strings.Join(slices.Sorted(maps.Keys(archs)), ", "), m.Arch)
	}
	return "it has no package for Linux with glibc"
}

// unpack extracts a wheel's data and scripts into prefix, as an installation of Python does
// (PEP 427, "Installing a wheel"), and its licence texts into share/licenses. It leaves out
// Python modules. It returns the licence if the package is proprietary, and a damagedError for
// an invalid wheel.
func unpack(ctx context.Context, wheel, prefix string) (Licence, error) {
	damaged := func(err error) error {
		return &damagedError{fmt.Errorf("%s is damaged: %w", filepath.Base(wheel), err)}
	}
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return Licence{}, damaged(err)
	}
	defer archive.Close()
	var licence Licence
	var texts []string
	for _, f := range archive.File {
		if err := ctx.Err(); err != nil {
			return Licence{}, err
		}
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if !filepath.IsLocal(f.Name) {
			return Licence{}, damaged(fmt.Errorf("it holds %q", f.Name))
		}
		top, rest, _ := strings.Cut(f.Name, "/")
		pkg, _, _ := strings.Cut(top, "-")
		to := ""
		// *.data holds files to install, *.dist-info metadata and licences.
		if kind, data, _ := strings.Cut(rest, "/"); strings.HasSuffix(top, ".data") {
			switch kind {
			case "data":
				to = data
			case "scripts":
				to = filepath.Join("bin", data)
			}
		} else if base := filepath.Base(rest); strings.HasSuffix(top, ".dist-info") {
			switch {
			case base == "METADATA":
				if licence, err = licenceOf(f); err != nil {
					return Licence{}, damaged(err)
				}
			case strings.HasPrefix(strings.ToUpper(base), "LICEN") || strings.HasPrefix(strings.ToUpper(base), "COPYING"):
				to = filepath.Join("share/licenses", normalize(pkg), base)
				texts = append(texts, filepath.Join(prefix, to))
			}
		}
		if to == "" {
			continue
		}
		if err := extract(f, filepath.Join(prefix, to)); err != nil {
			var zipped *zippedError
			if errors.As(err, &zipped) {
				err = damaged(err)
			}
			return Licence{}, err
		}
	}
	if len(texts) > 0 {
		licence.Text = texts[0]
	}
	return licence, nil
}

// A zippedError is an error in the archive, as opposed to the file being written.
type zippedError struct{ error }

// extract writes a file of an archive to to, and keeps its execute permission.
func extract(f *zip.File, to string) error {
	in, err := f.Open()
	if err != nil {
		return &zippedError{err}
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if f.Mode()&0o111 != 0 {
		mode = 0o755
	}
	// Two wheels may contain the same file; the later one replaces it.
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, readError{in})
	return errors.Join(err, out.Close())
}

// readError is a reader that marks its errors as zippedError.
type readError struct{ io.Reader }

// Read reads from the archive.
func (r readError) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &zippedError{err}
	}
	return n, err
}

// metadata returns a wheel's core metadata.
func metadata(f *zip.File) (textproto.MIMEHeader, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return coreMetadata(in)
}

// coreMetadata returns a package's metadata (PEP 566), which has the format of mail headers.
func coreMetadata(in io.Reader) (textproto.MIMEHeader, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	header, _, _ := bytes.Cut(text, []byte("\n\n"))
	return textproto.NewReader(bufio.NewReader(bytes.NewReader(append(header, "\n\n"...)))).ReadMIMEHeader()
}

// licenceOf returns the licence of a package whose metadata declare it proprietary, or an empty
// one.
func licenceOf(f *zip.File) (Licence, error) {
	h, err := metadata(f)
	if err != nil {
		return Licence{}, err
	}
	if !slices.ContainsFunc(h["Classifier"], func(c string) bool { return strings.Contains(c, "Proprietary") }) {
		return Licence{}, nil
	}
	name := h.Get("License-Expression")
	if name == "" {
		name = h.Get("License")
	}
	if name == "" {
		name = "its own licence"
	}
	return Licence{Package: h.Get("Name"), Name: name}, nil
}

// A dependency is a package that a wheel requires.
type dependency struct{ name, specifiers string }

// requiresDist splits a Requires-Dist line into name, extras, specifiers and marker.
var requiresDist = pattern.New(`^([A-Za-z0-9._-]+)\s*(\[[^\]]*\])?\s*(\([^)]*\)|[^;]*)?\s*(?:;(.*))?$`)

// dependencies returns a wheel's dependencies.
func dependencies(wheel string) ([]dependency, error) {
	damaged := func(err error) error {
		return &damagedError{fmt.Errorf("%s is damaged: %w", filepath.Base(wheel), err)}
	}
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return nil, damaged(err)
	}
	defer archive.Close()
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, ".dist-info/METADATA") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return nil, damaged(err)
		}
		defer in.Close()
		return dependenciesIn(in, filepath.Base(wheel))
	}
	return nil, nil
}

// dependenciesIn returns the dependencies (Requires-Dist, PEP 508) in a wheel's metadata. It
// leaves out dependencies of extras and of other systems.
func dependenciesIn(in io.Reader, wheel string) ([]dependency, error) {
	h, err := coreMetadata(in)
	if err != nil {
		return nil, &damagedError{fmt.Errorf("%s is damaged: METADATA: %w", wheel, err)}
	}
	if name := wheelName.FindStringSubmatch(wheel); name != nil && normalize(name[1]) != normalize(h.Get("Name")) {
		return nil, &damagedError{fmt.Errorf("%s is damaged: it contains the package %q", wheel, h.Get("Name"))}
	}
	var list []dependency
	for _, line := range h["Requires-Dist"] {
		m := requiresDist.FindStringSubmatch(line)
		if m == nil {
			return nil, &damagedError{fmt.Errorf("%s is damaged: it requires %q, which is not the name of a package", wheel, line)}
		}
		if marker := strings.ToLower(m[4]); strings.Contains(marker, "extra") || strings.Contains(marker, "win") {
			continue
		}
		list = append(list, dependency{m[1], m[3]})
	}
	return list, nil
}

// separators matches what separates words in the name of a package.
var separators = pattern.New(`[-_.]+`)
