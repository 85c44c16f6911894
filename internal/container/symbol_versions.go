package container

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/pattern"
)

// versions caches the symbol versions of files, by path.
type versions map[string]*elfobj.Object

// read returns a file's object, which it reads once. An unreadable file has and needs no
// versions.
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

// defined returns the versions that a file defines.
func (v versions) defined(path string) []string { return v.read(path).Versions }

// required returns the versions that a file cannot do without, by library.
func (v versions) required(path string) map[string][]string {
	required := map[string][]string{}
	for _, need := range v.read(path).VersionNeeds {
		if !need.Weak {
			required[need.Library] = append(required[need.Library], need.Version)
		}
	}
	return required
}

// cLibraryName matches the libraries of glibc. They form a unit with the container's dynamic
// linker and kernel interface, so the container always keeps its own.
var cLibraryName = pattern.New(`^(ld-linux[\w-]*|ld64|libc|libm|libmvec|libpthread|librt|libdl|libutil|libanl|libresolv|` +
	`libnsl|libthread_db|libBrokenLocale|libc_malloc_debug|libmemusage|libpcprofile|libnss_\w+|linux-vdso)\.so(\.\d+)*$`)

// cLibrary reports whether name is a library of glibc.
func cLibrary(name string) bool { return cLibraryName.MatchString(filepath.Base(name)) }

// compilerLibraryName matches the run-time libraries of compilers. A program needs them from
// the compiler that built it, or newer.
var compilerLibraryName = pattern.New(`^lib(gcc_s|stdc\+\+|gfortran|quadmath|gomp|atomic|ssp)\.so`)

// compilerLibrary reports whether name is a run-time library of a compiler.
func compilerLibrary(name string) bool { return compilerLibraryName.MatchString(name) }

// check compares the versions that the host's files need with the container's, and the versions
// that the program in the container needs with the mounted host files. It adds warnings and
// notes to p.
func (l *layout) check(p *Plan) {
	for _, m := range l.needs.tree.Missing {
		if l.request.Image.find(m.Name) == "" {
			p.Warnings = append(p.Warnings, fmt.Sprintf("%s needs %s, which is not on this host: install the package that contains it", m.Loader.Name, m.Name))
		}
	}
	// needed holds the versions without which the program does not start, optional the versions
	// that only plugins need.
	needed, optional := map[string][]versionNeed{}, map[string][]versionNeed{}
	collect := func(path, file string, into map[string][]versionNeed) {
		for library, required := range l.versions.required(path) {
			if l.imageServes(library) {
				for _, version := range required {
					into[library] = append(into[library], versionNeed{version, file})
				}
			}
		}
	}
	for i, n := range l.needs.tree.Nodes {
		switch file := filepath.Base(n.Path); {
		case cLibrary(n.Soname), l.kept[n.Name] != "":
		case i < l.needs.loadedAtStart:
			collect(n.Path, file, needed)
		default:
			collect(n.Path, file, optional)
		}
	}
	for _, file := range l.ownFiles() {
		collect(file, "wi4go's "+filepath.Base(file), needed)
	}
	if l.request.Image == nil {
		p.Notes = append(p.Notes, unknownImage(needed, optional))
		return
	}
	p.Warnings = append(p.Warnings, l.unmet(needed, "the program will not start")...)
	p.Warnings = append(p.Warnings, l.unmet(optional, "the runtime works without this part")...)
	p.Warnings = append(p.Warnings, l.unmetByHost()...)
}

// imageServes reports whether the host's libraries get the container's own file of a library.
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

// A versionNeed is a symbol version and the file that needs it.
type versionNeed struct{ version, file string }

// ownFiles returns wi4go's own files that the program loads.
func (l *layout) ownFiles() []string {
	if l.request.OwnDir == "" {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(l.request.OwnDir, "*.so")) // the pattern is well-formed
	for _, v := range l.request.Env {
		for part := range strings.SplitSeq(v.Value, ":") {
			if within(part, l.request.OwnDir) && isFile(part) {
				files = append(files, part)
			}
		}
	}
	return files
}

// unmet returns a warning for each library of the image that lacks needed versions. so is the
// consequence.
func (l *layout) unmet(needs map[string][]versionNeed, consequence string) []string {
	var lines []string
	for _, library := range slices.Sorted(maps.Keys(needs)) {
		inImage := l.request.Image.find(library)
		if inImage == "" {
			lines = append(lines, fmt.Sprintf("%s has no %s, but %s needs it: %s; install the package that contains it in the image", l.request.Image.Root, library, needers(needs[library]), consequence))
			continue
		}
		defines := l.versions.defined(inImage)
		lacking := slices.DeleteFunc(slices.Clone(needs[library]), func(w versionNeed) bool { return slices.Contains(defines, w.version) })
		if len(lacking) == 0 {
			continue
		}
		if newest := newestGlibc(lacking); newest != "" {
			lines = append(lines, fmt.Sprintf("the glibc of %s is %s, but %s or newer is needed by %s: %s; take a newer image, or an MPI "+
				"library (and a wi4go) built on an older system", l.request.Image.Root, l.request.Image.glibc(), newest, needers(lacking), consequence))
		} else {
			lines = append(lines, fmt.Sprintf("%s in %s lacks %s, but %s needs it: %s; take a newer image", library, l.request.Image.Root,
				lacking[0].version, needers(lacking), consequence))
		}
	}
	return slices.Compact(lines)
}

// unmetByHost returns a warning for each version that the program or its own libraries need
// and that the host's file, which replaces the image's, lacks.
func (l *layout) unmetByHost() []string {
	if l.request.Program == nil {
		return nil
	}
	var lines []string
	for _, n := range l.request.Program.Nodes {
		if l.private[n.Name] != "" {
			continue // replaced by the host's file
		}
		required := l.versions.required(n.Path)
		for _, library := range slices.Sorted(maps.Keys(required)) {
			host := l.private[library]
			if host == "" || contains(l.versions.defined(host), required[library]) {
				continue
			}
			lines = append(lines, fmt.Sprintf("%s needs a newer %s than the host's, but %s needs the host's: the program may not start; take "+
				"an MPI library built on a newer system",
				n.Name, library, filepath.Base(l.request.Library)))
		}
	}
	return lines
}

// unknownImage returns a note with the requirements on a container whose files are unknown.
func unknownImage(needed, optional map[string][]versionNeed) string {
	var all []versionNeed
	for _, library := range slices.Sorted(maps.Keys(needed)) {
		all = append(all, needed[library]...)
	}
	text := "the container needs glibc"
	if newest := newestGlibc(all); newest != "" {
		text += " " + newest + " or newer"
	}
	var others []string
	for _, needs := range []map[string][]versionNeed{needed, optional} {
		for _, library := range slices.Sorted(maps.Keys(needs)) {
			if compilerLibrary(library) && !slices.Contains(others, library) {
				others = append(others, library)
			}
		}
	}
	if len(others) > 0 {
		text += ", and " + strings.Join(others, ", ") + " of its own"
	}
	return text + "; to check them, name the directory that has its files with --rootfs"
}

// needers returns the names of the files in needs, the first three in full.
func needers(needs []versionNeed) string {
	var names []string
	for _, w := range needs {
		if !slices.Contains(names, w.file) {
			names = append(names, w.file)
		}
	}
	const few = 3
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// newestGlibc returns the highest release of glibc in needs, such as "2.34", or "" if the
// versions are not glibc's.
func newestGlibc(needs []versionNeed) string {
	var names []string
	for _, w := range needs {
		names = append(names, w.version)
	}
	return glibcOf(names)
}

// glibcOf returns the highest release of glibc among symbol versions, or "". Packed relocations
// have a version name of their own, which came with 2.36.
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
