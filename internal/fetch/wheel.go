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
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// A Licence is that of a package which is no free software.
type Licence struct{ Package, Name, Text string } // Text is the file that has it

// A damagedError says that a wheel is not what its name says.
type damagedError struct{ error }

// wheelName splits the name of a wheel's file (PEP 427).
var wheelName = regexp.MustCompile(`^([^-]+)-([^-]+)(?:-\d[^-]*)?-([^-]+)-([^-]+)-([^-]+)\.whl$`)

// normalize gives a package's name as an index has it (PEP 503).
func normalize(name string) string {
	return strings.ToLower(regexp.MustCompile(`[-_.]+`).ReplaceAllString(name, "-"))
}

// A Machine is what wheels are made for.
type Machine struct {
	Arch  string // x86_64, aarch64
	Glibc [2]int // 2, 36; 0, 0 where there is another libc
}

// ThisMachine reads the version of glibc off the file libc, its shared library.
func ThisMachine(libc string) Machine {
	m := Machine{Arch: map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]}
	f, err := elf.Open(libc)
	if err != nil {
		return m
	}
	defer f.Close()
	versions, _ := f.DynamicVersions() // none, where it is another libc
	for _, v := range versions {
		var n [2]int
		if _, err := fmt.Sscanf(v.Name, "GLIBC_%d.%d", &n[0], &n[1]); err == nil && slices.Compare(n[:], m.Glibc[:]) > 0 {
			m.Glibc = n
		}
	}
	return m
}

var legacy = map[string][2]int{"manylinux1": {2, 5}, "manylinux2010": {2, 12}, "manylinux2014": {2, 17}}

// Runs says whether a wheel with this file name is for this machine: for any
// Python without an extension module (PEP 425), and for this libc (PEP 600).
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

// unpack lays a wheel's data and scripts into prefix, as an installation of
// Python does (PEP 427, "Installing a wheel"), and its licence texts in
// share/licenses. Its Python modules stay out.
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

// A zippedError comes from the archive, not from the file that is written.
type zippedError struct{ error }

// extract writes one file of an archive, with its right to be executed.
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
	// Two wheels may bring the same file; the later one counts.
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

// readError marks what goes wrong in reading.
type readError struct{ io.Reader }

func (r readError) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &zippedError{err}
	}
	return n, err
}

// metadata reads a wheel's core metadata.
func metadata(f *zip.File) (textproto.MIMEHeader, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return coreMetadata(in)
}

// coreMetadata reads a package's metadata (PEP 566), whose form is that of mail
// headers.
func coreMetadata(in io.Reader) (textproto.MIMEHeader, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	header, _, _ := bytes.Cut(text, []byte("\n\n"))
	return textproto.NewReader(bufio.NewReader(bytes.NewReader(append(header, "\n\n"...)))).ReadMIMEHeader()
}

// licenceOf reads the licence of a package that says it is proprietary.
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

// A dependency is a package that a wheel asks for.
type dependency struct{ name, specifiers string }

var requiresDist = regexp.MustCompile(`^([A-Za-z0-9._-]+)\s*(\[[^\]]*\])?\s*(\([^)]*\)|[^;]*)?\s*(?:;(.*))?$`)

// dependencies reads a wheel's dependencies.
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

// dependenciesIn reads the Requires-Dist (PEP 508) of a wheel's metadata,
// without those of extras and of other systems.
func dependenciesIn(in io.Reader, wheel string) ([]dependency, error) {
	h, err := coreMetadata(in)
	if err != nil {
		return nil, &damagedError{fmt.Errorf("%s is damaged: METADATA: %w", wheel, err)}
	}
	var list []dependency
	for _, line := range h["Requires-Dist"] {
		m := requiresDist.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%s asks for %q, which is no name of a package", wheel, line)
		}
		if marker := strings.ToLower(m[4]); strings.Contains(marker, "extra") || strings.Contains(marker, "win") {
			continue
		}
		list = append(list, dependency{m[1], m[3]})
	}
	return list, nil
}
