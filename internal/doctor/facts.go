package doctor

import (
	"fmt"
	"strconv"
	"strings"

	"wi4go/internal/launch"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// A Fact is one thing that was examined.
type Fact struct {
	Subject string `json:"subject"` // a key of detailsOf
	Fact    string `json:"fact"`    // its description, made from the details
	Details any    `json:"details"` // one of the types of detailsOf
}

// detailsOf has the type of the details of each subject. The fields are stable; new ones may be
// added.
var detailsOf = map[string]fmt.Stringer{
	"wi4go":   installationDetails{},
	"machine": machineDetails{},
	"setting": settingDetails{},
	"runtime": runtimeDetails{},
	"program": programDetails{},
	"run":     runDetails{},
	"hosts":   hostsDetails{},
	"host":    hostDetails{},
	"trial":   trialDetails{},
}

// addFact adds a fact to the report. Its description is the text of its details.
func (x *exam) addFact(subject string, details fmt.Stringer) {
	x.report.Facts = append(x.report.Facts, Fact{subject, details.String(), details})
}

// installationDetails describes the installation of wi4go.
type installationDetails struct {
	Version  string   `json:"version"`  // version of the command
	Prefix   string   `json:"prefix"`   // directory of the installation
	Replaces []string `json:"replaces"` // sonames of the fronts
}

func (d installationDetails) String() string {
	return fmt.Sprintf("%s in %s, replaces %s", d.Version, d.Prefix, strings.Join(d.Replaces, ", "))
}

// machineDetails describes the machine.
type machineDetails struct {
	Architecture string `json:"architecture"`   // as in `uname -m`, with a hyphen
	Glibc        string `json:"glibc"`          // version of the C library, "" if it is not glibc
	Cores        int    `json:"cores"`          // number of cores
	SharedMemory uint64 `json:"shm_bytes"`      // size of /dev/shm, 0 if it is not usable
	Free         uint64 `json:"shm_free_bytes"` // free part of /dev/shm
}

func (d machineDetails) String() string {
	glibc, shm := "no glibc", "no /dev/shm"
	if d.Glibc != "" {
		glibc = "glibc " + d.Glibc
	}
	if d.SharedMemory > 0 {
		shm = fmt.Sprintf("/dev/shm of %d MB", d.SharedMemory/megabyte)
	}
	return fmt.Sprintf("%s, %s, %d cores, %s", d.Architecture, glibc, d.Cores, shm)
}

// settingDetails describes one setting.
type settingDetails struct {
	Name   string `json:"name"`   // key in the configuration, or name of the variable
	Value  string `json:"value"`  // value; a list as in the file
	Origin string `json:"origin"` // path of the file, or "environment"

	text string // the setting and its origin in words
}

func (d settingDetails) String() string { return d.text }

// settingIn returns the details of line, a line of the configuration in file.
func settingIn(file, line string) settingDetails {
	name, value, _ := strings.Cut(line, " = ")
	if text, err := strconv.Unquote(value); err == nil {
		value = text
	}
	return settingDetails{name, value, file, line + " in " + file}
}

// runtimeDetails describes an MPI library. The names of the fields are those of
// `wi4go list --json`.
type runtimeDetails struct {
	Name            string   `json:"name"`             // name for --to
	Vendor          string   `json:"vendor"`           // openmpi, mpich, intelmpi, mvapich, cray-mpich
	Product         string   `json:"product"`          // vendor and version in words
	Version         string   `json:"version"`          // release of the library
	Family          string   `json:"family"`           // a name of abi/*.json
	Standard        string   `json:"standard"`         // version of the MPI standard
	Library         string   `json:"library"`          // file of the C library
	Launcher        string   `json:"launcher"`         // file of its mpiexec, "" if it has none
	ProcessManagers []string `json:"process_managers"` // pmi1, pmi2, pmix
}

// runtimeOf returns the details of a runtime.
func runtimeOf(e runtimes.Entry) runtimeDetails {
	return runtimeDetails{e.Name, e.Vendor, e.Product, e.Number, e.Family.Name, e.Standard, e.Library, e.Launcher, notNil(e.ProcessManagers)}
}

func (d runtimeDetails) String() string {
	text := d.Product
	if d.Standard != "" {
		text += " (MPI " + d.Standard + ")"
	}
	text += ", " + d.Library
	if d.Launcher != "" {
		text += ", started by " + d.Launcher
	}
	if len(d.ProcessManagers) > 0 {
		text += ", supports " + strings.Join(d.ProcessManagers, " and ")
	}
	return text
}

// programDetails describes a program.
type programDetails struct {
	Path      string   `json:"path"`      // its file
	Family    string   `json:"family"`    // the family that it was built for
	Libraries []string `json:"libraries"` // MPI libraries that it needs
	Languages []string `json:"languages"` // languages of its calls of MPI
	Via       []string `json:"via"`       // files that lead from the command line to the program
	Opened    []string `json:"opened"`    // further objects that it may open
	Contains  string   `json:"contains"`  // name and version of the MPI library that is linked into it, "" if it opens its library

	title string // name of the family in words
}

// programOf returns the details of a program.
func programOf(p *program.Program) programDetails {
	return programDetails{p.Path, p.Family.Name, notNil(p.Needed()), notNil(p.Languages()), notNil(p.Via), notNil(p.AlsoOpened), p.Contains, p.Family.Title}
}

func (d programDetails) String() string {
	if d.Contains != "" {
		return fmt.Sprintf("%s, built for %s, contains its MPI library, %s", d.Path, d.title, d.Contains)
	}
	text := fmt.Sprintf("%s, built for %s (%s), in %s", d.Path, d.title, strings.Join(d.Libraries, ", "), strings.Join(d.Languages, " and "))
	if len(d.Via) > 0 {
		text += ", through " + strings.Join(d.Via, ", ")
	}
	if len(d.Opened) > 0 {
		text += ", with " + summarize(d.Opened)
	}
	return text
}

// runDetails describes how a program gets onto a runtime.
type runDetails struct {
	Way     string `json:"way"`     // a name of ways
	From    string `json:"from"`    // the program's family, "" if no file names it
	Library string `json:"library"` // file of the runtime's C library

	text string // the run in words
}

// ways are the names of the ways in JSON.
var ways = map[launch.Way]string{launch.Undecided: "undecided", launch.Static: "static", launch.Unaided: "unaided",
	launch.Substituted: "substituted", launch.Identity: "identity", launch.Translated: "translated"}

// runOf returns the details of a job.
func runOf(j *launch.Job) runDetails {
	d := runDetails{Way: ways[j.Way], Library: j.Runtime.Library, text: j.Describe()}
	if j.From != nil {
		d.From = j.From.Name
	}
	return d
}

func (d runDetails) String() string { return d.text }

// hostsDetails describes why the other hosts were not checked.
type hostsDetails struct {
	Skipped string `json:"skipped"` // batch-system: it starts the ranks there
}

func (d hostsDetails) String() string { return skipped[d.Skipped] }

// hostDetails describes a host whose files are the same as on this host.
type hostDetails struct {
	Host string   `json:"host"` // its name
	Same []string `json:"same"` // wi4go with its version, the library, the programs
}

func (d hostDetails) String() string {
	return d.Host + " has the same as this host: " + strings.Join(d.Same, ", ")
}

// trialDetails describes a trial that worked, or that was left out.
type trialDetails struct {
	Skipped string   `json:"skipped"` // errors, or in-job: the reason why it was left out; "" if it ran
	Ranks   int      `json:"ranks"`   // number of ranks that passed messages
	From    string   `json:"from"`    // the family of the test program
	Product string   `json:"product"` // the runtime, with its version
	Hosts   []string `json:"hosts"`   // the hosts of the ranks, none for this host
	Seconds float64  `json:"seconds"` // duration

	title string // name of the family in words
}

func (d trialDetails) String() string {
	if d.Skipped != "" {
		return skipped[d.Skipped]
	}
	return fmt.Sprintf("%d ranks of a program for %s passed messages%s on %s in %.1f s", d.Ranks, d.title, between(d.Hosts), d.Product, d.Seconds)
}

// skipped has the reasons for checks that are left out, in words.
var skipped = map[string]string{
	"batch-system": "not checked: the batch system starts the ranks there",
	"errors":       "not run, because of the errors below",
	"in-job":       "not run: this process is itself a rank of a job",
}

// notNil returns list, or an empty list for nil, which JSON would print as null.
func notNil(list []string) []string { return append([]string{}, list...) }
