package doctor

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"wi4go/abi"
	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/runtimes"
)

// Unlimited is the value of Sources.Limit if there is no limit.
const Unlimited = math.MaxUint64

// NeededAddressSpace is the least limit on address space, in bytes: Go and a runtime reserve 1.8 GB
// at the peak (shim/front/core.c).
const NeededAddressSpace = 2 << 30

// Limits below which runs have been seen to fail, and other constants of the machine.
const (
	smallShm       = 64 << 20      // the default of container engines
	capIPCLock     = 1 << 14       // CAP_IPC_LOCK: no limit on locked memory
	versionSection = ".wi4go"      // section of wi4go's libraries that holds their version (shim/front/version.h)
	megabyte       = 1 << 20       // 1 MiB in bytes
	core           = "libwi4go.so" // file name of the core
)

// installation checks wi4go's own files: all must be present, built for this machine, of this
// version, and loadable here.
func (x *exam) installation() {
	tree := x.Launcher.Tree
	if err := tree.CheckPath(); err != nil {
		x.addError(err, "installation-place", Error)
	}
	var fronts, files []string
	for _, f := range family.All {
		for _, soname := range f.Sonames {
			front, err := tree.Front(f.Name, soname)
			standIn := ""
			if err == nil {
				standIn, err = tree.StandIn(f.Name, soname)
			}
			if err != nil {
				x.addError(err, "installation-incomplete", Error)
				continue
			}
			fronts, files = append(fronts, soname), append(files, front, standIn)
		}
		for _, part := range f.Parts {
			standIn, err := tree.StandIn(f.Name, part)
			if err != nil {
				x.addError(err, "installation-incomplete", Error)
				continue
			}
			files = append(files, standIn)
		}
	}
	if len(files) > 0 {
		files = append(files, filepath.Join(tree.Fronts(), core), tree.Auditor())
	}
	for _, file := range files {
		x.ownFile(file)
	}
	x.addFact("wi4go", installationDetails{x.Version, tree.Prefix, notNil(fronts)})
}

// ownFile checks one file of the installation.
func (x *exam) ownFile(path string) {
	const cure = "reinstall wi4go: its files must be of one version"
	o, err := elfobj.Read(path)
	if err != nil {
		x.addFinding("installation-damaged", Error, cure, "%s", fault.Text(err))
		return
	}
	if host := elfobj.HostMachine(); o.Machine != host {
		x.addFinding("installation-machine", Error, "install the wi4go for this machine", "%s is for %s, this machine is %s",
			path, elfobj.MachineName(o.Machine), elfobj.MachineName(host))
		return
	}
	version, _, _ := strings.Cut(string(elfobj.Section(path, versionSection)), "\x00")
	if version == "" {
		version = "unknown"
	}
	if version != x.Version {
		x.addFinding("installation-version", Warning, cure, "%s has version %s, but the command has version %s", path, version, x.Version)
	}
}

// machine checks the resources and limits of the machine that MPI libraries depend on.
func (x *exam) machine() {
	d := machineDetails{Architecture: elfobj.MachineName(elfobj.HostMachine()), Cores: runtime.NumCPU()}
	d.SharedMemory, d.Free, _ = x.Directories.SharedMemory(0) // sharedMemory reports the error
	x.lockedMemory()
	for _, path := range append(x.Launcher.Libs.Cache["libc.so.6"], x.inDirs("libc.so.6")...) {
		if o, err := elfobj.Read(path); err == nil && o.Machine == elfobj.HostMachine() {
			d.Glibc = strings.TrimPrefix(highest(o.Versions, "GLIBC_"), "GLIBC_")
			break
		}
	}
	x.addFact("machine", d)
}

// inDirs returns the paths that a library called name would have in the system's own
// directories.
func (x *exam) inDirs(name string) []string {
	var paths []string
	for _, dir := range x.Launcher.Libs.Dirs {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}

// addressSpace reports whether the limit on address space is high enough to go on. Below it,
// this process and its children may end at any time, so nothing else can be examined.
func (x *exam) addressSpace() bool {
	limit, err := x.Limit(unix.RLIMIT_AS)
	if err != nil || limit >= NeededAddressSpace {
		return true
	}
	x.addFinding("address-space", Error, "raise it with `ulimit -v unlimited`, or in a batch system with the job's option for virtual memory",
		"the limit on address space is %d MB, but wi4go needs %d MB in addition to the program's own to load an MPI library; doctor can "+
			"examine nothing else under it", limit/megabyte, NeededAddressSpace/megabyte)
	return false
}

// all reports whether the library that does the work has a trait: the runtime, or each library of this machine.
func (x *exam) all(has func(abi.VendorTraits) bool) bool {
	entries := x.entries
	if x.runtime != nil {
		entries = []runtimes.Entry{x.entry}
	}
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(e runtimes.Entry) bool { return !has(e.Traits()) })
}

// sharedMemory checks /dev/shm, which the embedded MPI does not use.
func (x *exam) sharedMemory() {
	if x.all(func(t abi.VendorTraits) bool { return t.PrivateMemory }) {
		return
	}
	if _, _, err := x.Directories.SharedMemory(smallShm); err != nil {
		x.addError(err, "shm-small", Warning)
	}
}

// singleCopy tests whether ranks can read each other's memory (process_vm_readv). It makes a
// real attempt because many different settings can forbid it.
func (x *exam) singleCopy() {
	err := x.ReadPeer()
	if err == nil {
		return
	}
	const instead = "large messages within the machine are copied twice"
	scope, _ := os.ReadFile(filepath.Join(x.Root, "/proc/sys/kernel/yama/ptrace_scope")) // missing without Yama
	switch level := strings.TrimSpace(string(scope)); {
	case level == "1" && errors.Is(err, syscall.EPERM) && x.all(func(t abi.VendorTraits) bool { return t.AllowsReading }):
	case level != "" && level != "0" && errors.Is(err, syscall.EPERM):
		x.addFinding("single-copy", Warning, "run `sysctl -w kernel.yama.ptrace_scope=0` as root, or start the container with --cap-add=SYS_PTRACE",
			"ranks cannot read each other's memory, because ptrace_scope is %s: %s", level, instead)
	case x.status("Seccomp") == "2":
		x.addFinding("single-copy", Warning, "start the container with --cap-add=SYS_PTRACE, or a seccomp profile that allows process_vm_readv",
			"ranks cannot read each other's memory, because a seccomp filter or the container's capabilities forbid it (%v): %s", err, instead)
	default:
		x.addFinding("single-copy", Warning, "start the ranks as one user, with the same rights",
			"ranks cannot read each other's memory (process_vm_readv: %v): %s", err, instead)
	}
}

// status returns a field of /proc/self/status, or "" if it is missing.
func (x *exam) status(field string) string {
	text, _ := os.ReadFile(filepath.Join(x.Root, "/proc/self/status")) // /proc may be missing
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, field+":"); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// lockedMemory checks the limit on locked memory, which matters to fabrics that register memory
// with their device.
func (x *exam) lockedMemory() {
	devices, _ := filepath.Glob(filepath.Join(x.Root, "/sys/class/infiniband/*")) // the patterns are well-formed
	omniPath, _ := filepath.Glob(filepath.Join(x.Root, "/dev/hfi1_*"))
	devices = append(devices, omniPath...)
	if len(devices) == 0 {
		return
	}
	if capabilities, err := strconv.ParseUint(x.status("CapEff"), 16, 64); err == nil && capabilities&capIPCLock != 0 {
		return
	}
	if limit, err := x.Limit(unix.RLIMIT_MEMLOCK); err == nil && limit != Unlimited {
		var names []string
		for _, d := range devices {
			names = append(names, filepath.Base(d))
		}
		slices.Sort(names)
		x.addFinding("locked-memory", Warning, "set `ulimit -l unlimited`: memlock in /etc/security/limits.conf, LimitMEMLOCK= of slurmd or of the "+
			"container engine, or --ulimit memlock=-1", "the limit on locked memory is %d KB, but the fabric of this machine (%s) locks the "+
			"memory of messages", limit/1024, strings.Join(names, ", "))
	}
}
