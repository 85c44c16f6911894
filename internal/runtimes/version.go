package runtimes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/ebitengine/purego"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
)

// A Version is what an MPI library says of itself.
type Version struct {
	Product  string `json:"product"`  // "Open MPI 4.1.4"
	Number   string `json:"number"`   // "4.1.4"
	Standard string `json:"standard"` // the MPI standard's level, "3.1"
	Text     string `json:"text"`     // MPI_Get_library_version, first line
	Threads  string `json:"threads"`  // the highest thread level: single, funneled, serialized, multiple
	Problem  string `json:"problem"`  // why it could not be asked; then only Product and Number may be known
}

// AskCommand is the hidden command of wi4go behind Ask.
const AskCommand = "library-version"

// askLimit is how long a library may take to answer.
var askLimit = 5 * time.Second

// Ask has the library tell its version. An MPI library may run constructors,
// start threads or hang, so a child process (self, a wi4go) loads it. Where
// that fails or self is empty, the version is read off its file.
func Ask(self string, r *Runtime) Version {
	switch host := elfobj.HostMachine(); {
	case self == "":
		return r.readVersion("")
	case r.object.Machine != host:
		return r.readVersion("it is for " + elfobj.MachineName(r.object.Machine) + ", this machine is " + elfobj.MachineName(host))
	}
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	child := exec.CommandContext(ctx, self, AskCommand, r.Library)
	child.WaitDelay = time.Second
	child.Env = asking(os.Environ())
	out, err := child.Output()
	// The library may write lines of its own; each of ours is more complete
	// than the one before.
	var said *Version
	for line := range bytes.Lines(out) {
		var v Version
		if json.Unmarshal(line, &v) == nil && v != (Version{}) {
			said = &v
		}
	}
	if said != nil && said.Problem == "" {
		return *said
	}
	switch {
	case said != nil:
		return r.readVersion(said.Problem)
	case ctx.Err() != nil:
		return r.readVersion(fmt.Sprintf("it did not answer within %v", askLimit))
	case err != nil:
		return r.readVersion("it broke when it was loaded: " + lastWords(err))
	}
	return r.readVersion("it said nothing")
}

// lastWords tells why a child ended: the first line that it left on stderr
// (there Go names the signal), else its exit status.
func lastWords(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if line, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n"); line != "" {
			return line
		}
	}
	return fault.Text(err)
}

// asking is the environment of a child that asks: nothing is preloaded, and Open MPI looks
// for its plugins where there are none. They have no answer to give, and a library of
// theirs (libinfinipath) measures the clock for 0.2 s when it is loaded.
func asking(environ []string) []string {
	const plugins = "OMPI_MCA_mca_base_component_path="
	kept := []string{plugins + "/nonexistent"}
	for _, v := range environ {
		if !strings.HasPrefix(v, "LD_PRELOAD=") && !strings.HasPrefix(v, plugins) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Answer is the child's side of Ask: it loads the library, asks it and writes
// what is known to out, a line after each step, so that a library that dies in
// a later one has told the earlier ones.
func Answer(library string, out io.Writer) error {
	v, handle, err := answerVersion(library)
	if err != nil {
		return json.NewEncoder(out).Encode(Version{Problem: fault.Text(err)})
	}
	if err := json.NewEncoder(out).Encode(v); err != nil {
		return err
	}
	v.Threads = answerThreads(library, handle)
	return json.NewEncoder(out).Encode(v)
}

// answerVersion asks what may be asked before MPI_Init (MPI-4.1, 9.1.1).
func answerVersion(library string) (v Version, handle uintptr, err error) {
	if handle, err = purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL); err != nil {
		return v, 0, err
	}
	var get struct {
		library  func(text *byte, length *int32) int32
		standard func(version, subversion *int32) int32
	}
	for name, fn := range map[string]any{
		"PMPI_Get_library_version": &get.library, "PMPI_Get_version": &get.standard,
	} {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return v, 0, err
		}
		purego.RegisterFunc(fn, address)
	}
	text := make([]byte, 1<<16) // beyond any MPI_MAX_LIBRARY_VERSION_STRING
	var length, version, subversion int32
	if rc := get.library(&text[0], &length); rc != 0 {
		return v, 0, fmt.Errorf("MPI_Get_library_version: error %d", rc)
	}
	if rc := get.standard(&version, &subversion); rc != 0 {
		return v, 0, fmt.Errorf("MPI_Get_version: error %d", rc)
	}
	s, _, _ := strings.Cut(string(text), "\x00")
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	v = Version{Standard: fmt.Sprintf("%d.%d", version, subversion), Text: strings.TrimSpace(line)}
	v.Product, v.Number = productOf(s)
	return v, handle, nil
}

// answerThreads asks for the highest thread level. Of what a library answers
// before MPI_Init, only MPI_T_init_thread tells it (MPI-4.1, 15.3.4); "" where
// it does not. Its levels are 0 to 3, in the standard ABI thousands of them.
func answerThreads(library string, handle uintptr) string {
	address, err := purego.Dlsym(handle, "PMPI_T_init_thread")
	if err != nil {
		return ""
	}
	var init func(required int32, provided *int32) int32
	purego.RegisterFunc(&init, address)
	const multiple, inABI = 3, 1024
	required := int32(multiple)
	if f, _ := family.OfLibrary(library); f != nil && f.Standard {
		required = (multiple + 1) * inABI
	}
	provided := int32(-1)
	if init(required, &provided) != 0 {
		return ""
	}
	return threadLevels[provided]
}

// threadLevels names MPI_THREAD_… of the families, and of the standard ABI
// (MPI-5.0, A.1.1: 0, 1024, 2048, 4096).
var threadLevels = map[int32]string{
	0: "single", 1: "funneled", 2: "serialized", 3: "multiple", 1024: "funneled", 2048: "serialized", 4096: "multiple",
}

// products match the beginning of MPI_Get_library_version's answer.
var products = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"Open MPI", regexp.MustCompile(`Open MPI v(\S+?),?\s`)},
	{"Intel MPI", regexp.MustCompile(`Intel\(R\) MPI Library (\S+)`)},
	{"MVAPICH", regexp.MustCompile(`MVAPICH\S*\s+Version\s*:\s*(\S+)`)},
	{"Cray MPICH", regexp.MustCompile(`CRAY MPICH version\s+(\S+)`)},
	{"MPICH", regexp.MustCompile(`MPICH Version:\s*(\S+)`)},
}

func productOf(text string) (product, number string) {
	for _, p := range products {
		if m := p.pattern.FindStringSubmatch(text + "\n"); m != nil {
			return p.name + " " + m[1], m[1]
		}
	}
	for _, v := range Vendors {
		if v.release == nil {
			continue
		}
		if m := v.release.FindStringSubmatch(text); m != nil {
			return v.Title + " " + m[1], m[1]
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line, ""
}

// fileVersions find the version in the texts of libraries that hold the formats of their
// messages without numbers, so that the numbers are sought near. Those of other vendors
// introduce themselves with the number.
var fileVersions = map[*Vendor]*regexp.Regexp{
	OpenMPI:   regexp.MustCompile(`Open MPI [^\x00]{0,80}component version (\d+\.\d+\.\d+\w*)|\x00([45]\.\d+\.\d+)\x00`),
	MPICH:     mpichNumber,
	IntelMPI:  regexp.MustCompile(`Intel\(R\) MPI Library (\d+[.\d]*)|\x00(20\d\d\.[.\d]+)\x00`),
	MVAPICH:   mpichNumber,
	CrayMPICH: regexp.MustCompile(`CRAY MPICH version (\d+[.\d]*)`),
}

var mpichNumber = regexp.MustCompile(`\x00([345]\.\d(?:\.\d+)?(?:a\d|b\d|rc\d)?)\x00`)

// readVersion reads the version off the library's file, which could not be asked
// because of a problem.
func (r *Runtime) readVersion(problem string) Version {
	v := Version{Problem: problem, Product: r.Title(), Number: fileNumber(VendorOf(r.Vendor), r.Library)}
	if v.Number != "" {
		v.Product += " " + v.Number
	}
	return v
}

func fileNumber(v *Vendor, library string) string {
	pattern := cmp.Or(fileVersions[v], v.release)
	if pattern == nil {
		return ""
	}
	if m := pattern.FindSubmatch(elfobj.Constants(library)); m != nil {
		return string(bytes.Join(m[1:], nil)) // one of them matches
	}
	return ""
}

// Identify tells vendor and version of a C library by its file alone, as
// "mpich@4.0.2"; "" where the file does not say.
func Identify(library *elfobj.Object) string {
	f := family.OfExports(library.Soname, library.Defines)
	if f == nil {
		return ""
	}
	v := vendorOf(f, library.Path)
	if number := fileNumber(v, library.Path); number != "" {
		return v.Name + "@" + number
	}
	return ""
}
