// Package abi holds what the generator has to know of each ABI family: sizes,
// constants, predefined handles, data symbols and exported functions, as one
// committed JSON file per family.
//
// The files are written by the command abi/probe, which compiles a small
// program with the family's own mpicc, and are never edited by hand but for what
// no program can ask: title, sonames, libraries, fortran, plugins, vendors, launcher, internal, answered, recognised, mark, guard,
// declared, traits and substitutes, with which the file of a new family begins. A family
// is a set of MPI libraries whose binaries are interchangeable (MPI-5.0,
// chapter 20, calls that an application binary interface), so one file serves
// all versions of it; what differs between versions is kept per version.
//
// The package knows nothing of any running MPI, of the functions' parameters
// or of how a value is converted.
package abi

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Family is one ABI family: the contents of one JSON file.
type Family struct {
	// Family is the name, that of the file.
	Family string `json:"family"`
	// Title is the name as a sentence has it: "Open MPI".
	Title string `json:"title"`
	// Versions maps a version label ("4.1") to the releases probed under it.
	Versions map[string][]string `json:"versions"`
	// Sonames lists what DT_NEEDED may say, by language: "c", "cxx", "fortran";
	// the usual one first; and the "parts" into which releases have divided their C library,
	// which programs name beside the one of "c".
	Sonames map[string][]string `json:"sonames"`
	// Libraries are regular expressions of all names in DT_NEEDED that are the family's:
	// "c", "cxx" and "fortran"; "old", the C library under a soname that no front
	// carries, or that another family's front does; "private", libraries below the C library, of which a process can have one
	// version only. What is left out matches nothing.
	Libraries map[string]string `json:"libraries"`
	// Fortran is the Fortran library of ours for the family's programs; its soname is the
	// first of Sonames["fortran"].
	Fortran Fortran `json:"fortran"`
	// Plugins are the directories, beside a library, that its plugins may be in.
	Plugins []string `json:"plugins"`
	// Vendors make libraries of the family; the first is the one whose name it has.
	Vendors []Vendor `json:"vendors"`
	// Launcher is what starts its programs.
	Launcher Launcher `json:"launcher"`
	// Internal is a regular expression of the names of its C library's own symbols, which are
	// no part of MPI.
	Internal string `json:"internal"`
	// Answered are own functions that programs call and that a front answers itself, by
	// wi4go_builtin_NAME in shim/front.
	Answered []string `json:"answered"`
	// Recognised are own functions by which programs recognise the family (dlsym): the front
	// exports them, and a call of one ends the program.
	Recognised []string `json:"recognised"`
	// Mark is a symbol that every C library of the family exports: by it a
	// library is recognised. In a family of data symbols no other has it. The
	// standard ABI has no data symbols; its mark is a function that newer
	// libraries of the other families have as well, so it is asked for last.
	Mark string `json:"mark"`
	// Guard is the macro by which the family's mpi.h knows that it was read.
	Guard string `json:"guard"`
	// Declared are the C types behind the names of mpi.h that have a size and no
	// fields, and behind structs that have a tag; and of a struct's fields, by
	// "struct.field", those that are no integers. A tag is a part of the ABI: it is in the
	// mangled name of every C++ function that takes such a handle.
	Declared map[string]string `json:"declared"`
	// Traits are what the family's libraries do and no program can ask.
	Traits Traits `json:"traits"`
	// Substitutes are the family's own predefined handles, or the symbols of such without a
	// name in mpi.h, each with MPI's handle that serves where a library lacks it.
	Substitutes map[string]string `json:"substitutes"`
	// HandleBits is the size of an MPI_Comm in bits.
	HandleBits int `json:"handle_bits"`
	// Types are the C types of mpi.h that have a size.
	Types map[string]Type `json:"types"`
	// Constants are the integer macros and enumerators of mpi.h. Where
	// versions differ, the value here is the newest one's; see Varies.
	Constants map[string]int64 `json:"constants"`
	// Strings are the macros of mpi.h that are string literals.
	Strings map[string]string `json:"strings"`
	// Varies holds the values by version label of the few constants and
	// handles that are not the same in the whole family.
	Varies map[string]map[string]int64 `json:"varies"`
	// OnlyIn lists, for each type, constant, pointer, callback and handle that
	// not every version's mpi.h has, the version labels that have it.
	OnlyIn map[string][]string `json:"only_in"`
	// Pointers are the constants that are no handles but addresses.
	Pointers map[string]Pointer `json:"pointers"`
	// Callbacks are the predefined functions that a program may pass.
	Callbacks map[string]Callback `json:"callbacks"`
	// Handles are the predefined handles.
	Handles map[string]Handle `json:"handles"`
	// DataSymbols are the data objects that the C library exports to programs
	// and to the family's C++ and Fortran libraries.
	DataSymbols []DataSymbol `json:"data_symbols"`
	// Functions maps every exported MPI_* and MPIX_* function to the version
	// labels that have it.
	Functions map[string][]string `json:"functions"`
	// NoPMPI maps the functions without a PMPI_ twin to the version labels
	// where it is missing.
	NoPMPI map[string][]string `json:"no_pmpi"`
	// OtherFunctions maps the exported functions that mpi.h or mpi-ext.h
	// declares under a name that is not MPI's (predefined callbacks, tools) to
	// the version labels that have them.
	OtherFunctions map[string][]string `json:"other_functions"`
	// FortranFunctions maps the functions with Fortran's calling convention
	// that the C library itself exports to the version labels that have them.
	// In the openmpi family MPI_COMM_DUP_FN is one of these; what a C program
	// means by that name is in Callbacks.
	FortranFunctions map[string][]string `json:"fortran_functions"`
	// Internals are the non-MPI symbols that the family's C++ and Fortran
	// libraries import from the C library, without those that are the storage
	// of a predefined handle (see DataSymbols), and the functions of theirs
	// that read the object behind a handle.
	Internals []Internal `json:"internals"`
}

// Traits are what distinguishes a family's libraries beyond names, numbers and sizes.
// What is left out is false, or empty.
type Traits struct {
	// Joint leads from a vendor's introduction to the text of the library that does
	// the work.
	Joint string `json:"joint"`
	// OwnMark is a symbol like Mark that the C library itself exports in releases where a part
	// of it has Mark, and libraries of other families over the same part do not.
	OwnMark string `json:"own_mark,omitempty"`
	// Standard says that it is the ABI of the standard (MPI-5.0, 20), which leaves out
	// functions that programs link to all the same.
	Standard bool `json:"standard,omitempty"`
	// Draft says that there are libraries and programs with the numbers of a draft:
	// what differs between versions is theirs.
	Draft bool `json:"draft,omitempty"`
	// GlobalScope says that its components look its symbols up in the global scope.
	GlobalScope bool `json:"global_scope,omitempty"`
	// FollowsNoObject are the kinds of handles of which the library follows what is no
	// object, and refuses a null pointer in its place.
	FollowsNoObject []string `json:"follows_no_object,omitempty"`
	// EmptyRequests are the data symbols of requests that stand for all operations that are
	// over when they begin, as far as a library has them; the first is that of sends.
	EmptyRequests []string `json:"empty_requests,omitempty"`
	// NullErrors are the classes of the errors of a null pointer where a call is to leave a
	// handle of the kind, a request outside collective operations; MPI_ERR_ARG for others.
	NullErrors map[string]string `json:"null_errors,omitempty"`
	// FirstAddedError is the first error class or code that a program adds; 0: the one
	// behind MPI_ERR_LASTCODE.
	FirstAddedError int64 `json:"first_added_error,omitempty"`
	// LastcodeIsClass says that MPI_ERR_LASTCODE is a class of errors of its own.
	LastcodeIsClass bool `json:"lastcode_is_class,omitempty"`
	// Status is how an MPI_Status packs the count of bytes and the cancelled flag
	// (mappers/mpi_types.h): split, leading or trailing.
	Status string `json:"status"`
	// OpaqueStatus says that what is so packed is the library's own affair, to be tried.
	OpaqueStatus bool `json:"opaque_status,omitempty"`
	// SendsSayProcNull says that the status of a send has the source MPI_PROC_NULL; the
	// others leave it alone.
	SendsSayProcNull bool `json:"sends_say_proc_null,omitempty"`
	// IgnoredStatusError is the class of the error to copy an ignored status.
	IgnoredStatusError string `json:"ignored_status_error"`
	// SmallBuffersRefused says that a buffer for buffered sends is refused that is
	// smaller than the library's MPI_BSEND_OVERHEAD.
	SmallBuffersRefused bool `json:"small_buffers_refused,omitempty"`
	// RootSendRefused says that a reduction between groups refuses a null send buffer at
	// MPI_ROOT, which sends nothing.
	RootSendRefused bool `json:"root_send_refused,omitempty"`
	// FileNullRefused says that MPI_File_call_errhandler refuses MPI_FILE_NULL, whose
	// handler is asked where a file cannot be opened (MPI-5.0, 14.7).
	FileNullRefused bool `json:"file_null_refused,omitempty"`
	// FileHandlerUncounted says that no reference is counted for the error handler that
	// a file has of MPI_FILE_NULL, and one given back when the file is closed.
	FileHandlerUncounted bool `json:"file_handler_uncounted,omitempty"`
	// RankVariable is the variable of the environment by which a launcher that the
	// library understands tells a process its rank.
	RankVariable string `json:"rank_variable"`
	// Assumed is the release that a program is taken to be built with where nothing says,
	// if that is not the newest.
	Assumed string `json:"assumed_release,omitempty"`
	// Spawn is how new processes (MPI_Comm_spawn) are given variables, where they need not
	// have ours.
	Spawn Spawn `json:"spawn,omitzero"`
	// PersistentUnchecked says that its own persistent collectives do not look at the
	// communicator.
	PersistentUnchecked bool `json:"persistent_unchecked,omitempty"`
	// CxxObjects says that its C++ library writes into the objects behind handles: it gives an
	// operation its function, and an error handler its language, after it has made them.
	CxxObjects bool `json:"cxx_objects,omitempty"`
	// LanguageHooks says that its C++ and Fortran libraries call functions of the C library that
	// are no part of MPI, by which an object that they have made gets callbacks of their
	// language.
	LanguageHooks bool `json:"language_hooks,omitempty"`
	// FortranReadsObjects says that its Fortran library looks into the objects behind
	// handles, so that it cannot run over a front.
	FortranReadsObjects bool `json:"fortran_reads_objects,omitempty"`
}

// Spawn is how processes are spawned with variables.
type Spawn struct {
	// Key is that of an info whose value has variables, one a line.
	Key string `json:"key"`
	// Mark is a function by which a library shows that it is one of those whose new processes
	// need them.
	Mark string `json:"mark"`
	// Setter is the library's function behind MPI_Info_set, which takes values of any length.
	Setter string `json:"setter"`
}

// Fortran is what a Fortran library of ours has, as the family's own libraries do.
type Fortran struct {
	// Layer are the files of shim/fortran that it is made of beside what the generator
	// writes. Empty: there is no library.
	Layer []string `json:"layer"`
	// Descriptors are the procedures of mpi_f08 that take choice buffers as descriptors, and
	// those of large counts.
	Descriptors Descriptors `json:"descriptors,omitzero"`
	// Addresses says that mpi_f08 takes choice buffers as addresses, in some releases: then
	// its procedures are mpif.h's.
	Addresses bool `json:"addresses,omitempty"`
	// Types are the modules that define the types of handles and statuses.
	Types []string `json:"types,omitempty"`
	// Sizes are the bytes of what MPI_SIZEOF has a specific procedure for, by the module
	// that has it; "" is none.
	Sizes map[string]map[string]int `json:"sizes,omitempty"`
	// Symbols are what the files of Layer define beside procedures of functions.
	Symbols []string `json:"symbols,omitempty"`
	// Aliases are further names that releases have for a procedure.
	Aliases map[string]string `json:"aliases,omitempty"`
}

// Descriptors are how such procedures are called. Those of MPI_Send and MPI_Comm_rank are
// mpi_send_f08ts_ and mpi_comm_rank_f08_.
type Descriptors struct {
	// Of says whose they are: a compiler's ("gfortran") or those of the Fortran standard for
	// C ("C"). Empty: there are no such procedures.
	Of string `json:"of"`
	// Profiling is what names begin with for profiling: "pmpi_".
	Profiling string `json:"profiling,omitempty"`
	// Large are the ends of names of large counts, behind mpi_send; {kind} is f08ts, or f08
	// where no buffer is described.
	Large []string `json:"large,omitempty"`
}

// Vendor is a maker of libraries of a family.
type Vendor struct {
	Name string `json:"name"`
	// Title is the name as a sentence has it; left out, it is the family's.
	Title string `json:"title,omitempty"`
	// Called are the other names that people and modules have for it.
	Called []string `json:"called,omitempty"`
	// Introduction is how its libraries begin the text of MPI_Get_library_version;
	// {release} stands for the release, {abi} for the version of the standard ABI.
	Introduction string `json:"introduction"`
	// Sign is a regular expression of text that only this vendor's library of the family
	// holds. The first vendor of a family needs none. A vendor of the standard ABI needs one.
	Sign string `json:"sign,omitempty"`
	// Package is what package indices call its library, and Devel the package with the
	// headers, where that is another.
	Package string `json:"package,omitempty"`
	Devel   string `json:"devel,omitempty"`
	// Launcher is the launcher of the vendor's programs, by its name in internal/launchers;
	// left out, it is the family's.
	Launcher string `json:"launcher,omitempty"`
	// Levels are the versions of MPI that its releases have, by how these begin.
	Levels map[string]string `json:"levels,omitempty"`
}

// A Level is the version of MPI of the releases that begin so.
type Level struct {
	Releases            string
	Version, Subversion int64
}

// ByLevel are its levels: of two beginnings of a release, the longer first.
func (v *Vendor) ByLevel() (levels []Level) {
	for _, begin := range slices.Backward(slices.Sorted(maps.Keys(v.Levels))) {
		l := Level{Releases: begin}
		fmt.Sscanf(v.Levels[begin], "%d.%d", &l.Version, &l.Subversion) // Parse has seen that they are numbers
		levels = append(levels, l)
	}
	return levels
}

// Launcher is what starts the programs of a family.
type Launcher struct {
	// Kind is its name, that of its file in internal/launchers: "orte" (Open MPI), "hydra".
	Kind string `json:"kind"`
	// Manager is the language in which its processes learn their rank, PMI or PMIx.
	Manager string `json:"manager"`
	// Signs are variables by which its processes show that it has started them, and that
	// wi4go never sets: one of them is enough.
	Signs []string `json:"signs,omitempty"`
	// NestedRefused reports whether it refuses to start a job inside one of its own.
	NestedRefused bool `json:"nested_refused,omitempty"`
	// Inside are variables that are set in all processes below the launcher, by which a second
	// launcher finds that it was started inside a rank.
	Inside []string `json:"inside,omitempty"`
	// Prefixes are the beginnings of the variables by which its processes learn of their job,
	// with a "=" after a whole name.
	Prefixes []string `json:"prefixes,omitempty"`
	// Libraries are the beginnings of the names of its own libraries.
	Libraries []string `json:"libraries,omitempty"`
	// RankVariables are the variables by which it gives its processes their ranks.
	RankVariables RankVariables `json:"rank_variables,omitzero"`
}

// RankVariables are the names of the variables by which a launcher gives each process its
// place in the job, before MPI_Init. Of several names for one number, a program of the
// family may read any.
type RankVariables struct {
	Rank      []string `json:"rank"`                // in MPI_COMM_WORLD
	Size      []string `json:"size"`                // of MPI_COMM_WORLD
	LocalRank []string `json:"local_rank"`          // among the job's processes on this host
	LocalSize []string `json:"local_size"`          // how many these are
	NodeRank  []string `json:"node_rank,omitempty"` // among the processes of all jobs of the launcher on this host
}

// RankNumbers is the count of numbers that RankVariables has names for.
const RankNumbers = 5

// Names returns all names.
func (v RankVariables) Names() []string {
	return slices.Concat(v.Rank, v.Size, v.LocalRank, v.LocalSize, v.NodeRank)
}

// ByNumber returns the names of each number, in the order of the fields.
func (v RankVariables) ByNumber() [RankNumbers][]string {
	return [RankNumbers][]string{v.Rank, v.Size, v.LocalRank, v.LocalSize, v.NodeRank}
}

// Type is the size of a C type in bytes and, for the status types, the offset
// of each field.
type Type struct {
	Size   int            `json:"size"`
	Fields map[string]int `json:"fields,omitempty"`
}

// Pointer is an address constant: a number, or what the variable Symbol holds
// at run time. In JSON it is the number itself or {"symbol": "…"}.
type Pointer struct {
	Value  int64
	Symbol string
}

// MarshalJSON writes the number or the symbol.
func (p Pointer) MarshalJSON() ([]byte, error) {
	if p.Symbol != "" {
		return json.Marshal(map[string]string{"symbol": p.Symbol})
	}
	return json.Marshal(p.Value)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Pointer) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var s struct {
			Symbol string `json:"symbol"`
		}
		err := json.Unmarshal(b, &s)
		p.Symbol = s.Symbol
		return err
	}
	return json.Unmarshal(b, &p.Value)
}

// Callback is a predefined callback: the address of the function Symbol, or
// the sentinel Value when Symbol is empty.
type Callback struct {
	Symbol string `json:"symbol,omitempty"`
	Value  *int64 `json:"value,omitempty"`
}

// Handle is a predefined handle: the address of Symbol, or Value when Symbol
// is empty.
type Handle struct {
	// Kind is COMM, DATATYPE, ERRHANDLER, FILE, GROUP, INFO, MESSAGE, OP,
	// REQUEST, SESSION, WIN or, an extension of MPICH, STREAM.
	Kind   string `json:"kind"`
	Symbol string `json:"symbol,omitempty"`
	// Value is the 32-bit handle read as an unsigned number, Hex the same in
	// the notation of mpi.h.
	Value *int64 `json:"value,omitempty"`
	Hex   string `json:"hex,omitempty"`
	// Fortran is the handle's INTEGER value (MPI-5.0, 19.3.4), nil where the
	// family has none.
	Fortran *int64 `json:"fortran,omitempty"`
	// Optional handles are MPI_DATATYPE_NULL, or missing, in some builds.
	Optional bool `json:"optional,omitempty"`
}

// DataSymbol is an exported data object.
type DataSymbol struct {
	Name string `json:"name"`
	// Size is the largest over the versions: a program's copy relocation has
	// the size of the version that it was linked with.
	Size int `json:"size"`
	// Sizes are the sizes by version label, nil where they are all the same.
	Sizes map[string]int `json:"sizes,omitempty"`
	// Handle is the predefined handle whose address this is; where there are
	// several names for it, the first in the alphabet.
	Handle string `json:"handle,omitempty"`
	// PointsTo is the symbol whose address the object holds.
	PointsTo string   `json:"points_to,omitempty"`
	In       []string `json:"in"`
	// Header is true where mpi.h declares it, so that C programs refer to it.
	Header bool `json:"header,omitempty"`
	// NeededBy lists the family's own libraries that import it.
	NeededBy []string `json:"needed_by,omitempty"`
}

// Internal is a symbol of the C library that is no part of MPI and that the
// family's other libraries import.
type Internal struct {
	Name string `json:"name"`
	// Kind is "func" or "data"; data objects are in DataSymbols as well.
	Kind     string   `json:"kind"`
	NeededBy []string `json:"needed_by"`
	// Lang is "cxx", "fortran" or both, joined by a comma.
	Lang string   `json:"lang"`
	In   []string `json:"in"`
}

//go:embed *.json
var files embed.FS

// Names returns the names of the families that there is a file for, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the embedded root is always readable
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	sort.Strings(names)
	return names
}

// Standard returns the name of the family whose ABI is the standard's, by its trait.
func Standard() string {
	for _, name := range Names() {
		if f, err := Head(name); err == nil && f.Traits.Standard {
			return name
		}
	}
	panic("abi: no family has the trait \"standard\"") // TestTraits counts one
}

// Load returns the family of that name. The error of an unknown name lists the
// known ones.
func Load(name string) (*Family, error) {
	b, err := files.ReadFile(name + ".json")
	if err != nil {
		return nil, unknown(name)
	}
	return Parse(name, b)
}

// Head returns what the beginning of a family's file says, up to its traits: what no
// program can ask. It reads no more of the file than that.
func Head(name string) (*Family, error) {
	file, err := files.Open(name + ".json")
	if err != nil {
		return nil, unknown(name)
	}
	defer file.Close()
	f := &Family{}
	parts := map[string]any{"family": &f.Family, "title": &f.Title, "sonames": &f.Sonames, "libraries": &f.Libraries, "fortran": &f.Fortran, "plugins": &f.Plugins,
		"vendors": &f.Vendors, "launcher": &f.Launcher, "internal": &f.Internal, "answered": &f.Answered, "mark": &f.Mark, "traits": &f.Traits}
	dec := json.NewDecoder(file)
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("abi: %s.json: %w", name, err)
	}
	for {
		key, err := dec.Token()
		if err == nil {
			part, wanted := parts[fmt.Sprint(key)]
			if !wanted {
				part = new(json.RawMessage)
			}
			err = dec.Decode(part)
		}
		if err != nil {
			return nil, fmt.Errorf("abi: %s.json: %w", name, err)
		}
		if key == "traits" {
			return f, nil
		}
	}
}

// Introduction is how a vendor's library of a release begins to introduce itself.
func (f *Family) Introduction(v Vendor, release string) string {
	version := fmt.Sprintf("%d.%d", f.Constants["MPI_ABI_VERSION"], f.Constants["MPI_ABI_SUBVERSION"])
	return strings.NewReplacer("{release}", release, "{abi}", version).Replace(v.Introduction)
}

func unknown(name string) error {
	return fmt.Errorf("abi: no family %q (there are: %s)", name, strings.Join(Names(), ", "))
}

// TakenFor is the release of the family's library that a program is taken to be built with
// where nothing says: Assumed, else the highest that was probed, "" where none was.
func (f *Family) TakenFor() string {
	if f.Traits.Assumed != "" {
		return f.Traits.Assumed
	}
	return f.Newest()
}

// Level is the version of MPI that such a program finds in mpi.h.
func (f *Family) Level() (version, subversion int64) {
	for _, v := range f.Vendors[:min(1, len(f.Vendors))] {
		for _, level := range v.ByLevel() {
			if strings.HasPrefix(f.TakenFor(), level.Releases) {
				return level.Version, level.Subversion
			}
		}
	}
	return f.Constants["MPI_VERSION"], f.Constants["MPI_SUBVERSION"]
}

// Newest is the highest release that was probed, "" where none was.
func (f *Family) Newest() string {
	newest := ""
	for _, releases := range f.Versions {
		for _, r := range releases {
			if slices.Compare(numbers(r), numbers(newest)) > 0 {
				newest = r
			}
		}
	}
	return newest
}

// numbers are those of a release: 4, 1 and 8 of "4.1.8".
func numbers(release string) []int {
	var list []int
	for part := range strings.SplitSeq(release, ".") {
		n, _ := strconv.Atoi(part)
		list = append(list, n)
	}
	return list
}
