package container

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/elfobj"
)

// versions remembers the symbol versions of files.
type versions map[string]*elfobj.Object

// read reads a file once; an unreadable one has and wants no versions.
func (v versions) read(path string) *elfobj.Object {
	if _, known := v[path]; !known {
		o, err := elfobj.Read(path)
		if err != nil {
			o = &elfobj.Object{}
		}
		v[path] = o
	}
	return v[path]
}

// defined are the versions that a file has.
func (v versions) defined(path string) []string { return v.read(path).Versions }

// wanted are the versions that a file cannot do without, by library.
func (v versions) wanted(path string) map[string][]string {
	wanted := map[string][]string{}
	for _, need := range v.read(path).VersionNeeds {
		if !need.Weak {
			wanted[need.Library] = append(wanted[need.Library], need.Version)
		}
	}
	return wanted
}

// cLibraryName matches the libraries of glibc, which are one with the
// container's dynamic linker and kernel interface.
var cLibraryName = regexp.MustCompile(`^(ld-linux[\w-]*|ld64|libc|libm|libmvec|libpthread|librt|libdl|libutil|libanl|libresolv|` +
	`libnsl|libthread_db|libBrokenLocale|libc_malloc_debug|libmemusage|libpcprofile|libnss_\w+|linux-vdso)\.so(\.\d+)*$`)

func cLibrary(name string) bool { return cLibraryName.MatchString(filepath.Base(name)) }

// compilerLibraryName matches the libraries of compilers, of which a program
// wants those of the compiler that built it, or newer ones.
var compilerLibraryName = regexp.MustCompile(`^lib(gcc_s|stdc\+\+|gfortran|quadmath|gomp|atomic|ssp)\.so`)

func compilerLibrary(name string) bool { return compilerLibraryName.MatchString(name) }

// check compares what the host's files want with what the container has, and
// what the program in the container wants with the host's files that it gets.
func (l *layout) check(p *Plan) {
	for _, m := range l.needs.tree.Missing {
		if l.request.Image.find(m.Name) == "" {
			p.Warnings = append(p.Warnings, fmt.Sprintf("%s needs %s, which is not on this host", m.Loader.Name, m.Name))
		}
	}
	needed, optional := map[string][]wish{}, map[string][]wish{}
	collect := func(path, who string, into map[string][]wish) {
		for library, wanted := range l.versions.wanted(path) {
			if l.imageServes(library) {
				for _, version := range wanted {
					into[library] = append(into[library], wish{version, who})
				}
			}
		}
	}
	for i, n := range l.needs.tree.Nodes {
		switch who := filepath.Base(n.Path); {
		case cLibrary(n.Soname), l.kept[n.Name] != "":
		case i < l.needs.start:
			collect(n.Path, who, needed)
		default:
			collect(n.Path, who, optional)
		}
	}
	for _, file := range l.ours() {
		collect(file, "wi4go's "+filepath.Base(file), needed)
	}
	if l.request.Image == nil {
		p.Notes = append(p.Notes, unknownImage(needed, optional))
		return
	}
	p.Warnings = append(p.Warnings, l.unmet(needed, "the program will not start")...)
	p.Warnings = append(p.Warnings, l.unmet(optional, "the runtime does without")...)
	p.Warnings = append(p.Warnings, l.programWishes()...)
}

// imageServes says whether the container's own file of a library is the one
// that the host's libraries get.
func (l *layout) imageServes(library string) bool {
	switch {
	case cLibrary(library):
		return true
	case l.private[library] != "":
		return false
	case l.request.Image == nil:
		return compilerLibrary(library)
	}
	return l.kept[library] != "" || l.request.Program != nil && l.request.Program.Find(library) != nil && l.request.Image.find(library) != ""
}

// A wish is a symbol version and the file that wants it.
type wish struct{ version, who string }

// ours are the files of ours that the program loads.
func (l *layout) ours() []string {
	if l.request.Ours == "" {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(l.request.Ours, "*.so")) // the pattern is well-formed
	for _, v := range l.request.Env {
		for part := range strings.SplitSeq(v.Value, ":") {
			if within(part, l.request.Ours) && isFile(part) {
				files = append(files, part)
			}
		}
	}
	return files
}

// unmet says what the image's libraries lack.
func (l *layout) unmet(wishes map[string][]wish, so string) []string {
	var lines []string
	for _, library := range slices.Sorted(maps.Keys(wishes)) {
		inImage := l.request.Image.find(library)
		if inImage == "" {
			lines = append(lines, fmt.Sprintf("%s has no %s, which is needed by %s: %s", l.request.Image.Root, library, wishers(wishes[library]), so))
			continue
		}
		defines := l.versions.defined(inImage)
		lacking := slices.DeleteFunc(slices.Clone(wishes[library]), func(w wish) bool { return slices.Contains(defines, w.version) })
		if len(lacking) == 0 {
			continue
		}
		if newest := newestGlibc(lacking); newest != "" {
			lines = append(lines, fmt.Sprintf("the glibc of %s is %s; %s or newer is needed by %s: %s; take a newer image, or an "+
				"MPI library (and a wi4go) built on an older system", l.request.Image.Root, l.request.Image.glibc(), newest, wishers(lacking), so))
		} else {
			lines = append(lines, fmt.Sprintf("%s of %s lacks %s, which is needed by %s: %s", library, l.request.Image.Root,
				lacking[0].version, wishers(lacking), so))
		}
	}
	return slices.Compact(lines)
}

// programWishes says what the program and its own libraries miss in the host's
// files that take the place of the image's.
func (l *layout) programWishes() []string {
	if l.request.Program == nil {
		return nil
	}
	var lines []string
	for _, n := range l.request.Program.Nodes {
		if l.private[n.Name] != "" {
			continue // its place is taken
		}
		wanted := l.versions.wanted(n.Path)
		for _, library := range slices.Sorted(maps.Keys(wanted)) {
			host := l.private[library]
			if host == "" || contains(l.versions.defined(host), wanted[library]) {
				continue
			}
			lines = append(lines, fmt.Sprintf("%s needs a newer %s than the host's, which %s needs in its place: the program may not start",
				n.Name, library, filepath.Base(l.request.Library)))
		}
	}
	return lines
}

// unknownImage says what a container must have where it cannot be looked at.
func unknownImage(needed, optional map[string][]wish) string {
	var all []wish
	for _, library := range slices.Sorted(maps.Keys(needed)) {
		all = append(all, needed[library]...)
	}
	text := "the container needs glibc"
	if newest := newestGlibc(all); newest != "" {
		text += " " + newest + " or newer"
	}
	var others []string
	for _, wishes := range []map[string][]wish{needed, optional} {
		for _, library := range slices.Sorted(maps.Keys(wishes)) {
			if compilerLibrary(library) && !slices.Contains(others, library) {
				others = append(others, library)
			}
		}
	}
	if len(others) > 0 {
		text += ", and " + strings.Join(others, ", ") + " of its own"
	}
	return text + "; a directory with its files, named by --rootfs, is checked"
}

// wishers names the files that want something, a few of them.
func wishers(wishes []wish) string {
	var names []string
	for _, w := range wishes {
		if !slices.Contains(names, w.who) {
			names = append(names, w.who)
		}
	}
	const few = 3
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// newestGlibc is the highest release of glibc that is wished for, "2.34"; ""
// where the versions are not glibc's.
func newestGlibc(wishes []wish) string {
	var names []string
	for _, w := range wishes {
		names = append(names, w.version)
	}
	return glibcOf(names)
}

// glibcOf is the highest release of glibc among symbol versions. Packed
// relocations have one of their own, which came with 2.36.
func glibcOf(versions []string) string {
	newest, best := "", -1
	for _, v := range versions {
		if v == "GLIBC_ABI_DT_RELR" {
			v = "GLIBC_2.36"
		}
		number, ok := strings.CutPrefix(v, "GLIBC_2.")
		if !ok {
			continue
		}
		minor, _, _ := strings.Cut(number, ".")
		if n, err := strconv.Atoi(minor); err == nil && n > best {
			newest, best = "2."+minor, n
		}
	}
	return newest
}
