// Package abi holds the facts about each ABI family that the generator needs: sizes, constants,
// predefined handles, data symbols and exported functions, in one committed JSON file per
// family.
//
// An ABI family is a set of MPI libraries whose binaries are interchangeable (MPI-5.0, chapter
// 20, defines the term application binary interface). One file therefore serves all versions of
// a family; facts that differ between versions are kept per version.
//
// The command abi/probe writes the files: it compiles a small program with the family's own
// mpicc. Only the keys that no program can find out are edited by hand: title, sonames,
// libraries, fortran, plugins, vendors, launcher, internal, answered, recognised, mark, guard,
// declared, traits and substitutes. The file of a new family begins with these.
//
// The package knows nothing of any running MPI, of the functions' parameters or of how a value
// is converted.
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
	// Family is the family's name, which is also the name of its file.
	Family string `json:"family"`
	// Title is the family's name as messages print it: "Open MPI".
	Title string `json:"title"`
	// Versions maps a version label ("4.1") to the releases probed under it.
	Versions map[string][]string `json:"versions"`
	// Sonames lists the sonames in DT_NEEDED by language ("c", "cxx", "fortran"), the usual one
	// first. "parts" lists the libraries into which some releases have split their C library;
	// programs name these in addition to the "c" one.
	Sonames map[string][]string `json:"sonames"`
	// Libraries maps a kind of library to a regular expression of all its names in DT_NEEDED.
	// The kinds are "c", "cxx" and "fortran"; "old", a C library whose soname no front carries,
	// or another family's front does; and "private", libraries below the C library that a
	// process can hold in one version only. A missing kind matches nothing.
	Libraries map[string]string `json:"libraries"`
	// Fortran describes wi4go's own Fortran library for programs of the family. Its soname is
	// the first of Sonames["fortran"].
	Fortran Fortran `json:"fortran"`
	// Plugins are directories, relative to a library's own, that may hold its plugins.
	Plugins []string `json:"plugins"`
	// Vendors are the makers of the family's libraries. The family is named after the first.
	Vendors []Vendor `json:"vendors"`
	// Launcher names the launcher of the family's programs, a file in internal/launchers, unless a vendor has its own.
	Launcher string `json:"launcher"`
	// Internal is a regular expression of the names of the C library's own symbols, which are
	// not part of MPI.
	Internal string `json:"internal"`
	// Answered lists own functions that programs call and that the front answers itself, by
	// wi4go_builtin_NAME in shim/front.
	Answered []string `json:"answered"`
	// Recognised lists own functions by which programs recognize the family (dlsym). The front
	// exports them; calling one ends the program.
	Recognised []string `json:"recognised"`
	// Mark is a symbol that every C library of the family exports, and by which wi4go
	// recognizes the library. If the family has data symbols, no other family exports its mark.
	// The standard ABI exports no data symbols: its mark is a function that newer libraries of the
	// other families export too, so it is tested last.
	Mark string `json:"mark"`
	// Guard is the include-guard macro of the family's mpi.h.
	Guard string `json:"guard"`
	// Declared maps to their C types the names of mpi.h that have a size but no fields, the
	// structs that have a tag, and, as "struct.field", the struct fields that are not integers.
	// A tag is part of the ABI: it is in the mangled name of every C++ function that takes the
	// handle.
	Declared map[string]string `json:"declared"`
	// Traits describes behavior of the family's libraries that no program can find out.
	Traits Traits `json:"traits"`
	// Substitutes maps each predefined handle of the family alone, or its symbol if mpi.h has
	// no name for it, to the MPI handle that replaces it on a library without it.
	Substitutes map[string]string `json:"substitutes"`
	// HandleBits is the size of an MPI_Comm in bits.
	HandleBits int `json:"handle_bits"`
	// Types are the C types of mpi.h that have a size.
	Types map[string]Type `json:"types"`
	// Constants are the integer macros and enumerators of mpi.h. If versions differ, the value
	// here is the newest version's; see Varies.
	Constants map[string]int64 `json:"constants"`
	// Strings are the macros of mpi.h that are string literals.
	Strings map[string]string `json:"strings"`
	// Varies maps each of the few constants and handles that differ within the family to its
	// values by version label.
	Varies map[string]map[string]int64 `json:"varies"`
	// OnlyIn lists, for each type, constant, pointer, callback and handle that some version's
	// mpi.h lacks, the version labels that have it: none if only wi4go's own mpi.h has it.
	OnlyIn map[string][]string `json:"only_in"`
	// Pointers are the address constants that are not handles.
	Pointers map[string]Pointer `json:"pointers"`
	// Callbacks are the predefined functions that a program may pass.
	Callbacks map[string]Callback `json:"callbacks"`
	// Handles are the predefined handles.
	Handles map[string]Handle `json:"handles"`
	// DataSymbols are the data objects that the C library exports to programs and to the
	// family's C++ and Fortran libraries.
	DataSymbols []DataSymbol `json:"data_symbols"`
	// Functions maps every exported MPI_* and MPIX_* function to the version labels that have
	// it.
	Functions map[string][]string `json:"functions"`
	// NoPMPI maps each function without a PMPI_ twin to the version labels that lack the twin.
	NoPMPI map[string][]string `json:"no_pmpi"`
	// OtherFunctions maps the exported functions that mpi.h or mpi-ext.h declares under a name
	// outside MPI's name space (predefined callbacks, tools) to the version labels that have
	// them.
	OtherFunctions map[string][]string `json:"other_functions"`
	// FortranFunctions maps the functions with Fortran's calling convention that the C library
	// itself exports to the version labels that have them. In the openmpi family this includes
	// MPI_COMM_DUP_FN; the meaning of that name in a C program is in Callbacks.
	FortranFunctions map[string][]string `json:"fortran_functions"`
	// Internals are the non-MPI symbols that the family's C++ and Fortran libraries import from
	// the C library, and those libraries' own functions that read the object a handle points
	// to. Storage of predefined handles is left out; see DataSymbols.
	Internals []Internal `json:"internals"`
}

// Traits are the behavior that distinguishes a family's libraries beyond names, numbers and
// sizes. A trait that is left out is false or empty.
type Traits struct {
	// Joint is the text between a vendor's introduction and the version text of the runtime in
	// the answer of MPI_Get_library_version.
	Joint string `json:"joint"`
	// OwnMark is a symbol like Mark, for releases in which a part of the C library exports
	// Mark. The C library itself exports OwnMark; libraries of other families over the same
	// part do not.
	OwnMark string `json:"own_mark,omitempty"`
	// Standard reports whether the family's ABI is the standard's (MPI-5.0, 20). The standard
	// leaves out functions that programs link to all the same.
	Standard bool `json:"standard,omitempty"`
	// Draft reports whether libraries and programs exist that use the numbers of a draft of the
	// ABI. The per-version values are then the draft's.
	Draft bool `json:"draft,omitempty"`
	// GlobalScope reports whether the library's components look up its symbols in the global
	// scope.
	GlobalScope bool `json:"global_scope,omitempty"`
	// DereferencesInvalid lists the kinds of handles that the library dereferences even if they are
	// invalid. The front passes a null pointer instead, which the library refuses.
	DereferencesInvalid []string `json:"follows_no_object,omitempty"`
	// EmptyRequests are the data symbols of the requests that the library returns for every
	// operation that is complete when it starts, as far as a library has them. The first is for
	// sends.
	EmptyRequests []string `json:"empty_requests,omitempty"`
	// NullErrors maps the kind of an output handle to the error class for a null pointer to it.
	// A kind that is left out gets MPI_ERR_ARG, and so does a request outside point-to-point
	// calls.
	NullErrors map[string]string `json:"null_errors,omitempty"`
	// FirstAddedError is the first error class or code that a program adds. 0 means
	// MPI_ERR_LASTCODE + 1.
	FirstAddedError int64 `json:"first_added_error,omitempty"`
	// LastcodeIsClass reports whether MPI_ERR_LASTCODE is itself an error class.
	LastcodeIsClass bool `json:"lastcode_is_class,omitempty"`
	// Status names how an MPI_Status packs the byte count and the cancelled flag
	// (mappers/mpi_types.h): split, leading or trailing.
	Status string `json:"status"`
	// OpaqueStatus reports whether that packing is private to the library and has to be probed.
	OpaqueStatus bool `json:"opaque_status,omitempty"`
	// SendsReportProcNull reports whether the status of a send stores the source MPI_PROC_NULL. Other
	// families leave the status unchanged.
	SendsReportProcNull bool `json:"sends_say_proc_null,omitempty"`
	// IgnoredStatusError is the error class for copying an ignored status.
	IgnoredStatusError string `json:"ignored_status_error"`
	// SmallBuffersRefused reports whether the library refuses a buffer for buffered sends that
	// is smaller than its MPI_BSEND_OVERHEAD.
	SmallBuffersRefused bool `json:"small_buffers_refused,omitempty"`
	// RootSendRefused reports whether a reduction on an intercommunicator refuses a null send
	// buffer at MPI_ROOT, which sends nothing.
	RootSendRefused bool `json:"root_send_refused,omitempty"`
	// RefusedHandles lists predefined handles of mpi.h, with the versions whose library ends the
	// process if it gets them.
	RefusedHandles map[string][]string `json:"refused_handles,omitempty"`
	// FileNullRefused reports whether MPI_File_call_errhandler refuses MPI_FILE_NULL, whose
	// error handler is called if a file cannot be opened (MPI-5.0, 14.7).
	FileNullRefused bool `json:"file_null_refused,omitempty"`
	// FileHandlerUncounted reports whether the library takes no reference to the error handler
	// that a file inherits from MPI_FILE_NULL, but releases one when the file is closed.
	FileHandlerUncounted bool `json:"file_handler_uncounted,omitempty"`
	// RankVariable is the environment variable by which a launcher that the library understands
	// passes a process its rank.
	RankVariable string `json:"rank_variable"`
	// Assumed is the release that a program is assumed to be built with if nothing else
	// determines it. Empty means the newest release.
	Assumed string `json:"assumed_release,omitempty"`
	// Spawn describes how spawned processes (MPI_Comm_spawn) get environment variables, because
	// they may not inherit wi4go's.
	Spawn Spawn `json:"spawn,omitzero"`
	// PersistentUnchecked reports whether the library's persistent collectives do not check the
	// communicator.
	PersistentUnchecked bool `json:"persistent_unchecked,omitempty"`
	// CxxObjects reports whether the C++ library writes into the objects that handles point to:
	// after creating an operation it stores its function there, and for an error handler its
	// language.
	CxxObjects bool `json:"cxx_objects,omitempty"`
	// LanguageHooks reports whether the C++ and Fortran libraries give an object that they
	// created callbacks of their language by calling C library functions that are not part of
	// MPI.
	LanguageHooks bool `json:"language_hooks,omitempty"`
	// FortranReadsObjects reports whether the Fortran library reads the objects that handles
	// point to, so that it cannot run over a front.
	FortranReadsObjects bool `json:"fortran_reads_objects,omitempty"`
}

// Spawn describes how to spawn processes with environment variables.
type Spawn struct {
	// Key is the info key whose value holds variables, one per line.
	Key string `json:"key"`
	// Mark is a function that only the libraries export whose spawned processes need the key.
	Mark string `json:"mark"`
	// Setter is the library's function that implements MPI_Info_set and accepts values of any
	// length.
	Setter string `json:"setter"`
}

// Fortran describes the contents of wi4go's own Fortran library, which match the family's own
// libraries.
type Fortran struct {
	// Sources lists the files of shim/fortran that are compiled into the library, in addition to
	// the generated ones. Empty means that there is no library.
	Sources []string `json:"sources"`
	// Descriptors describes the mpi_f08 procedures that take choice buffers as descriptors, and
	// their large-count versions.
	Descriptors Descriptors `json:"descriptors,omitzero"`
	// Addresses reports whether mpi_f08 takes choice buffers as addresses in some releases. Its
	// procedures are then the same as mpif.h's.
	Addresses bool `json:"addresses,omitempty"`
	// Types are the modules that define the types of handles and statuses.
	Types []string `json:"types,omitempty"`
	// Sizes maps a module ("" for none) to the specific procedures of MPI_SIZEOF that it has,
	// and each of these to its size in bytes.
	Sizes map[string]map[string]int `json:"sizes,omitempty"`
	// Symbols are the symbols that the files of Sources define in addition to the procedures of
	// functions.
	Symbols []string `json:"symbols,omitempty"`
	// Aliases maps further names that releases have for a procedure to the procedure.
	Aliases map[string]string `json:"aliases,omitempty"`
}

// Descriptors describes how procedures with described buffers are called. The ones of MPI_Send
// and MPI_Comm_rank are mpi_send_f08ts_ and mpi_comm_rank_f08_.
type Descriptors struct {
	// Of names the definition of the descriptors: a compiler ("gfortran"), or the Fortran
	// standard's for C ("C"). Empty means that there are no such procedures.
	Of string `json:"of"`
	// Profiling is the prefix of the profiling names: "pmpi_".
	Profiling string `json:"profiling,omitempty"`
	// Large are the suffixes of the large-count names, appended to a name like mpi_send. {kind}
	// is f08ts, or f08 if no buffer is described.
	Large []string `json:"large,omitempty"`
}

// Vendor is a maker of libraries of a family.
type Vendor struct {
	// Name is the vendor's name on the command line: "intelmpi".
	Name string `json:"name"`
	// Title is the name as messages print it. Empty means the family's title.
	Title string `json:"title,omitempty"`
	// Called are other names that people and environment modules use for the vendor.
	Called []string `json:"called,omitempty"`
	// Introduction is the beginning of the text that its libraries return from
	// MPI_Get_library_version. {release} stands for the release, {abi} for the version of the
	// standard ABI.
	Introduction string `json:"introduction"`
	// Sign is a regular expression of text that, within the family, only this vendor's library
	// contains. The first vendor of a family needs none, except in the standard ABI's family.
	Sign string `json:"sign,omitempty"`
	// Package is the name of its library in package indices, and Devel the package with the
	// headers if that is a separate one.
	Package string `json:"package,omitempty"`
	Devel   string `json:"devel,omitempty"`
	// Launcher is the launcher of the vendor's programs, by its name in internal/launchers.
	// Empty means the family's launcher.
	Launcher string `json:"launcher,omitempty"`
	// Levels maps prefixes of release numbers to the version of MPI that these releases
	// implement.
	Levels map[string]string `json:"levels,omitempty"`
	VendorTraits
}

// VendorTraits are the properties of a vendor's libraries that wi4go cannot read from their files.
type VendorTraits struct {
	// IsOwn reports whether the library is a part of wi4go: it serves programs of every family, and
	// only if no other library does; only the copy in wi4go's own directory counts.
	IsOwn bool `json:"is_own,omitempty"`
	// OneHost reports whether all ranks of a job run on one host.
	OneHost bool `json:"one_host,omitempty"`
	// PrivateMemory reports whether the memory that ranks share needs no room in /dev/shm.
	PrivateMemory bool `json:"private_memory,omitempty"`
	// AllowsReading reports whether the ranks allow each other to read their memory, also if Yama
	// forbids that to processes of one user.
	AllowsReading bool `json:"allows_reading,omitempty"`
	// ListsLacking reports whether a section of the library lists the MPI functions that it lacks. It
	// exports some of them, only to refuse each call.
	ListsLacking bool `json:"lists_lacking,omitempty"`
	// Fabrics are the transports of the library, if they are always the same.
	Fabrics []string `json:"fabrics,omitempty"`
	// Threads is the level of threads that the library supports, if it lacks an MPI_T that reports it.
	Threads string `json:"threads,omitempty"`
}

// A Level is the version of MPI that releases with a common prefix implement.
type Level struct {
	Releases            string // prefix of the release numbers
	Version, Subversion int64  // the version of MPI
}

// ByLevel returns the vendor's levels. Of two prefixes that match one release, the longer comes
// first.
func (v *Vendor) ByLevel() (levels []Level) {
	for _, begin := range slices.Backward(slices.Sorted(maps.Keys(v.Levels))) {
		l := Level{Releases: begin}
		fmt.Sscanf(v.Levels[begin], "%d.%d", &l.Version, &l.Subversion) // Parse has checked that both are numbers
		levels = append(levels, l)
	}
	return levels
}

// Type is the size of a C type in bytes and, for the status types, the offset of each field.
type Type struct {
	Size   int            `json:"size"`
	Fields map[string]int `json:"fields,omitempty"`
}

// Pointer is an address constant: a number, or the value of the variable Symbol at run time. In
// JSON it is the number itself or {"symbol": "…"}.
type Pointer struct {
	Value  int64
	Symbol string
}

// MarshalJSON returns the number or the symbol as JSON.
func (p Pointer) MarshalJSON() ([]byte, error) {
	if p.Symbol != "" {
		return json.Marshal(map[string]string{"symbol": p.Symbol})
	}
	return json.Marshal(p.Value)
}

// UnmarshalJSON reads the output of MarshalJSON.
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

// Callback is a predefined callback: the address of the function Symbol, or the sentinel Value
// if Symbol is empty.
type Callback struct {
	Symbol string `json:"symbol,omitempty"`
	Value  *int64 `json:"value,omitempty"`
}

// Handle is a predefined handle: the address of Symbol, or Value if Symbol is empty.
type Handle struct {
	// Kind is COMM, DATATYPE, ERRHANDLER, FILE, GROUP, INFO, MESSAGE, OP, REQUEST, SESSION, WIN
	// or, an extension of MPICH, STREAM.
	Kind   string `json:"kind"`
	Symbol string `json:"symbol,omitempty"`
	// Value is the 32-bit handle as an unsigned number; Hex is the same in the notation of
	// mpi.h.
	Value *int64 `json:"value,omitempty"`
	Hex   string `json:"hex,omitempty"`
	// Fortran is the handle's INTEGER value (MPI-5.0, 19.3.4), or nil if the family has none.
	Fortran *int64 `json:"fortran,omitempty"`
	// Optional reports whether some builds lack the handle or define it as MPI_DATATYPE_NULL.
	Optional bool `json:"optional,omitempty"`
}

// DataSymbol is an exported data object.
type DataSymbol struct {
	Name string `json:"name"`
	// Size is the largest size over the versions: a program's copy relocation gets the size of
	// the version that it was linked with.
	Size int `json:"size"`
	// Sizes maps version labels to sizes, or is nil if all are the same.
	Sizes map[string]int `json:"sizes,omitempty"`
	// Handle is the predefined handle whose address this is. If the handle has several names,
	// it is the first in the alphabet.
	Handle string `json:"handle,omitempty"`
	// PointsTo is the symbol whose address the object holds.
	PointsTo string `json:"points_to,omitempty"`
	// In lists the version labels that have the object.
	In []string `json:"in"`
	// Header reports whether mpi.h declares the object, so that C programs refer to it.
	Header bool `json:"header,omitempty"`
	// NeededBy lists the family's own libraries that import the object.
	NeededBy []string `json:"needed_by,omitempty"`
}

// Internal is a symbol of the C library that is not part of MPI and that the family's other
// libraries import.
type Internal struct {
	Name string `json:"name"`
	// Kind is "func" or "data". Data objects are in DataSymbols as well.
	Kind string `json:"kind"`
	// NeededBy lists the libraries that import the symbol.
	NeededBy []string `json:"needed_by"`
	// Lang is "cxx", "fortran" or both, joined by a comma.
	Lang string `json:"lang"`
	// In lists the version labels that have the symbol.
	In []string `json:"in"`
}

//go:embed *.json
var files embed.FS

// Names returns the names of the families that have a file, sorted.
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
	panic("abi: no family has the trait \"standard\": set it in one of abi/*.json") // TestTraits checks that exactly one has it
}

// Load returns the family called name. For an unknown name it returns an error that lists the
// known ones.
func Load(name string) (*Family, error) {
	b, err := files.ReadFile(name + ".json")
	if err != nil {
		return nil, unknown(name)
	}
	return Parse(name, b)
}

// Head returns the beginning of a family's file, up to its traits: the facts that no program
// can find out. It reads no more of the file than that. For an unknown name it returns an error
// that lists the known ones.
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
			// Skip the value of a key that is not in parts.
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

// Introduction returns the beginning of the text by which a vendor's library of a release
// introduces itself.
func (f *Family) Introduction(v Vendor, release string) string {
	version := fmt.Sprintf("%d.%d", f.Constants["MPI_ABI_VERSION"], f.Constants["MPI_ABI_SUBVERSION"])
	return strings.NewReplacer("{release}", release, "{abi}", version).Replace(v.Introduction)
}

// unknown returns the error for a family without a file.
func unknown(name string) error {
	// unknown returns the error for a family without a file.
	return fmt.Errorf("abi: unknown family %q: the families are %s", name, strings.Join(Names(), ", "))
}

// TakenFor returns the release of the family's library that a program is assumed to be built
// with if nothing else determines it: Assumed, else the highest probed release, or "" if none
// was probed.
func (f *Family) TakenFor() string {
	if f.Traits.Assumed != "" {
		return f.Traits.Assumed
	}
	return f.Newest()
}

// Level returns the version of MPI that a program built with the assumed release (TakenFor)
// finds in mpi.h.
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

// Newest returns the highest release that was probed, or "" if none was.
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

// numbers returns the components of a release: 4, 1 and 8 for "4.1.8".
func numbers(release string) []int {
	var list []int
	for part := range strings.SplitSeq(release, ".") {
		n, _ := strconv.Atoi(part)
		list = append(list, n)
	}
	return list
}
