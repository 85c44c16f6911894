package runtimes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"strings"
	"time"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/pattern"
)

// A Version holds the answers of an MPI library about itself.
type Version struct {
	Product  string `json:"product"`  // "Open MPI 4.1.4"
	Number   string `json:"number"`   // "4.1.4"
	Standard string `json:"standard"` // the version of the MPI standard, "3.1"
	Text     string `json:"text"`     // the first line of MPI_Get_library_version
	Threads  string `json:"threads"`  // the highest thread level: single, funneled, serialized, multiple
	Problem  string `json:"problem"`  // the reason why the library could not be queried; only Product and Number may be set then
}

// QueryCommand is the hidden command of wi4go that QueryVersion runs in a child process.
const QueryCommand = "library-version"

// queryLimit bounds how long a library may take to answer.
var queryLimit = 5 * time.Second

// QueryVersion returns the version that a library reports. An MPI library may run constructors, start
// threads or hang, so a child process loads it (self, the path of a wi4go). If this fails, or self
// is "", QueryVersion reads the version from the library's file.
func QueryVersion(self string, r *Runtime) Version {
	switch host := elfobj.HostMachine(); {
	case self == "":
		return r.readVersion("")
	case r.object.Machine != host:
		return r.readVersion("it was built for " + elfobj.MachineName(r.object.Machine) + ", this machine is " + elfobj.MachineName(host))
	}
	ctx, cancel := context.WithTimeout(context.Background(), queryLimit)
	defer cancel()
	child := exec.CommandContext(ctx, self, QueryCommand, r.Library)
	child.WaitDelay = time.Second
	child.Env = queryEnviron(os.Environ())
	out, err := child.Output()
	// The library may print lines as well. Each line from wi4go is more complete than the one
	// before, so the last counts.
	var answer *Version
	for line := range bytes.Lines(out) {
		var v Version
		if json.Unmarshal(line, &v) == nil && v != (Version{}) {
			answer = &v
		}
	}
	if answer != nil && answer.Problem == "" {
		answer.Threads = cmp.Or(r.Traits().Threads, answer.Threads)
		return *answer
	}
	switch {
	case answer != nil:
		return r.readVersion(answer.Problem)
	case ctx.Err() != nil:
		return r.readVersion(fmt.Sprintf("it did not answer within %v", queryLimit))
	case err != nil:
		return r.readVersion("it failed when it was loaded: " + childError(err))
	}
	return r.readVersion("it gave no answer")
}

// childError returns the reason why a child ended: the first line that it wrote to stderr (for a
// crash, Go names the signal there), else its exit status.
func childError(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if line, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n"); line != "" {
			return line
		}
	}
	return fault.Text(err)
}

// queryEnviron returns the environment for a child that queries a library. Nothing is preloaded,
// and Open MPI searches for its plugins below a file, so that it finds none. They do not influence
// the answer, and one of their libraries (libinfinipath) measures the clock for 0.2 s when it is
// loaded.
func queryEnviron(environ []string) []string {
	const plugins = "OMPI_MCA_mca_base_component_path="
	kept := []string{plugins + "/dev/null/none"}
	for _, v := range environ {
		if !strings.HasPrefix(v, "LD_PRELOAD=") && !strings.HasPrefix(v, plugins) {
			kept = append(kept, v)
		}
	}
	return kept
}

// WriteVersion is the child's side of QueryVersion. It loads the library, queries it and writes the
// results to out, one line after each step. If the library crashes in a later step, the earlier
// results are not lost.
func WriteVersion(library string, out io.Writer) error {
	v, handle, err := queryLibrary(library)
	if err != nil {
		return json.NewEncoder(out).Encode(Version{Problem: fault.Text(err)})
	}
	if err := json.NewEncoder(out).Encode(v); err != nil {
		return err
	}
	v.Threads = queryThreads(library, handle)
	return json.NewEncoder(out).Encode(v)
}

// threadLevels maps the values of MPI_THREAD_… to names, for the families and for the standard ABI
// (MPI-5.0, A.1.1: 0, 1024, 2048, 4096).
var threadLevels = map[int32]string{
	0: "single", 1: "funneled", 2: "serialized", 3: "multiple", 1024: "funneled", 2048: "serialized", 4096: "multiple",
}

// products match the beginning of the result of MPI_Get_library_version.
var products = []struct {
	name    string
	pattern *pattern.Pattern
}{
	{"Open MPI", pattern.New(`Open MPI v(\S+?),?\s`)},
	{"Intel MPI", pattern.New(`Intel\(R\) MPI Library (\S+)`)},
	{"MVAPICH", pattern.New(`MVAPICH\S*\s+Version\s*:\s*(\S+)`)},
	{"Cray MPICH", pattern.New(`CRAY MPICH version\s+(\S+)`)},
	{"MPICH", pattern.New(`MPICH Version:\s*(\S+)`)},
}

// productOf returns the product and its version number from the result of MPI_Get_library_version.
// number is "" if the text has none; product is then its first line.
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

// fileVersions match the version in the string constants of a vendor's library. These libraries
// contain only the format of their version text, so the patterns look for a number in constants
// nearby. Libraries of other vendors contain the text with the number (Vendor.release).
var fileVersions = map[*Vendor]*pattern.Pattern{
	OpenMPI:   pattern.New(`Open MPI [^\x00]{0,80}component version (\d+\.\d+\.\d+\w*)|\x00([45]\.\d+\.\d+)\x00`),
	MPICH:     mpichNumber,
	IntelMPI:  pattern.New(`Intel\(R\) MPI Library (\d+[.\d]*)|\x00(20\d\d\.[.\d]+)\x00`),
	MVAPICH:   mpichNumber,
	CrayMPICH: pattern.New(`CRAY MPICH version (\d+[.\d]*)`),
}

// mpichNumber matches a constant that is a version of MPICH.
var mpichNumber = pattern.New(`\x00([345]\.\d(?:\.\d+)?(?:a\d|b\d|rc\d)?)\x00`)

// readVersion returns the version that the library's file shows. problem is the reason why the
// library itself was not queried.
func (r *Runtime) readVersion(problem string) Version {
	v := Version{Problem: problem, Product: r.Title(), Number: fileNumber(VendorOf(r.Vendor), elfobj.Pieces(r.Library))}
	if v.Number != "" {
		v.Product += " " + v.Number
	}
	return v
}

// fileNumber returns the version number in a library's file, or "".
func fileNumber(v *Vendor, constants iter.Seq[[]byte]) string {
	for text := range constants {
		var m [][]byte
		if pattern := fileVersions[v]; pattern != nil {
			m = findNumber(pattern, text)
		} else if v.release != nil {
			m = v.release.FindSubmatch(text)
		}
		if m != nil {
			return string(bytes.Join(m[1:], nil)) // only one of the groups matches
		}
	}
	return ""
}

// findNumber returns the first match of a pattern in the constants with a number such as 4.0. It examines
// only these, because a match in megabytes of constants takes as long as the rest of `wi4go run`. A match
// is in one constant, with the zeros around it.
func findNumber(pattern *pattern.Pattern, text []byte) [][]byte {
	digit := func(at int) bool { return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9' }
	for at := 0; ; {
		dot := bytes.IndexByte(text[at:], '.')
		if dot < 0 {
			return nil
		}
		dot += at
		if !digit(dot-1) || !digit(dot+1) {
			at = dot + 1
			continue
		}
		begin := max(0, bytes.LastIndexByte(text[:dot], 0))
		end := len(text)
		if n := bytes.IndexByte(text[dot:], 0); n >= 0 {
			end = dot + n + 1
		}
		if m := pattern.FindSubmatch(text[begin:end]); m != nil {
			return m
		}
		at = end
	}
}

// Identify returns vendor and version of a C library from its file alone, as "mpich@4.0.2", or ""
// if the file does not show them.
func Identify(library *elfobj.Object) string {
	f := family.OfExports(library.Soname, library.Defines)
	if f == nil {
		return ""
	}
	constants := elfobj.Pieces(library.Path)
	v := vendorOf(f, constants)
	if number := fileNumber(v, constants); number != "" {
		return v.Name + "@" + number
	}
	return ""
}
