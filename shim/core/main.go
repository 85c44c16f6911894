// Command core is libwi4go.so, the control plane inside a program that runs through wi4go. It
// opens the MPI library to run on, which WI4GO_TO names or the command wi4go finds, and resolves
// its functions. It is built with -buildmode=c-shared, opened by a front at the first MPI call
// that needs it, and never called on the path of a message. If the user has set WI4GO_HANDLES, it
// reports at the end the handles that the program has not freed.
//
// It must not know any generated symbol: a front passes its tables in a core_request
// (shim/front/core.h). It must not be called in a forked child of a process that had it running,
// and never opens anything from a Go init function.
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../front
#cgo LDFLAGS: -Wl,--wrap=pthread_attr_init -Wl,--wrap=pthread_create -Wl,--wrap=mmap -ldl
#include <stdlib.h>
#include <sys/auxv.h>
#include "ask.h"
#include "core.h"
#include "functions.h"
#include "version.h"

// The environment as the program has it now; Go's own copy is the one that the
// process was started with.
static const char *named_library(void) { return getenv("WI4GO_TO"); }

// The process has rights that its starter does not have (set-user-ID, set-group-ID,
// file capabilities).
static int privileged(void) { return getauxval(AT_SECURE) != 0; }
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"unsafe"

	"wi4go/handletable"
	"wi4go/shim/runtimelib"
)

// The core works at the program's start and end only, and the ranks share the cores: a second thread of Go would take more
// time from the other ranks than it saves.
func init() { runtime.GOMAXPROCS(1) }

//export wi4go_core_start
func wi4go_core_start() C.int { return 0 }

// wi4go_core_load answers one core_request. It returns 0, or 1 with request.error filled. A panic
// becomes an error too, because it must not cross into C.
//
//export wi4go_core_load
func wi4go_core_load(request *C.struct_core_request) (status C.int) {
	defer func() {
		if r := recover(); r != nil {
			fill(request.error, request.error_size, fmt.Sprintf("internal error while loading the MPI library: %v", r))
			status = 1
		}
	}()
	if err := load(request); err != nil {
		fill(request.error, request.error_size, err.Error())
		return 1
	}
	return 0
}

// wi4go_core_leftover writes to answer the handles of a front's tables that have not been freed,
// "" if there are none, or the error of a damaged table. answer has size bytes.
//
//export wi4go_core_leftover
func wi4go_core_leftover(tables *C.struct_core_table, n C.int, answer *C.char, size C.int) {
	for _, t := range unsafe.Slice(tables, int(n)) {
		table, err := handletable.Adopt(C.GoString(t.kind), t.table)
		if err != nil {
			fill(answer, size, err.Error())
			return
		}
		defer table.Close()
	}
	fill(answer, size, handletable.Leftover())
}

// load chooses and opens the library of a request, and fills the request's results.
func load(request *C.struct_core_request) error {
	// Once the functions are found nothing runs here any more. So turn the garbage collector off:
	// it would wake threads of Go inside the program.
	defer debug.SetGCPercent(-1)
	C.wi4go_ask_passes(request.launcher_prefixes)
	path, err := choose(C.GoString(request.front), C.GoString(request.front_directory), C.GoString(request.default_library))
	if err != nil {
		return err
	}
	if C.privileged() != 0 && !isInside(path) {
		if err := trusted(path); err != nil {
			return err
		}
	}
	var families []runtimelib.Family
	for _, f := range unsafe.Slice(request.families, request.n_families) {
		families = append(families, runtimelib.Family{Name: C.GoString(f.name), Mark: C.GoString(f.mark), Global: f.global != 0, Part: C.GoString(f.part)})
	}
	library, err := runtimelib.Open(path, families)
	if err != nil {
		return err
	}
	if err := library.Complete(); err != nil {
		return err
	}
	C.wi4go_find_functions(library.Handle(), request.names, request.functions, request.n_functions)
	request.handle = library.Handle()
	fill(request.library, request.library_size, library.Path)
	fill(request.family, request.family_size, library.Family)
	return nil
}

// trusted returns an error if a user without this process's rights could have made the library at
// path. The owner may be root, and also the effective user if that is not the real user. Otherwise
// the rights are root's or a group's, for which only root is trusted.
func trusted(path string) error {
	var owners []int
	if os.Geteuid() != os.Getuid() {
		owners = append(owners, os.Geteuid())
	}
	if err := runtimelib.Trusted(path, owners...); err != nil {
		return fmt.Errorf("cannot load the MPI library %s: this program has rights that its user does not have (set-user-ID, set-group-ID or "+
			"file capabilities), and %w: name a library that only root can change, or run a copy of the program without these rights", path, err)
	}
	return nil
}

// isInside reports whether a front has taken the library from the program itself, which was linked
// with -static-mpi: it is a file in memory then.
func isInside(library string) bool { return strings.HasPrefix(library, "/proc/self/fd/") }

// choose returns the file of the library to open for a front of the given family. It is the first
// of these that is set: a library inside the program, the path in WI4GO_TO, the argument otherwise,
// and the answer of this installation's command wi4go. ours is the directory of wi4go's own
// libraries, "" if there is none.
func choose(front, ownDir, otherwise string) (string, error) {
	const variable = "WI4GO_TO"
	if isInside(otherwise) {
		return otherwise, nil
	}
	if named := C.named_library(); named != nil {
		file := C.GoString(named)
		switch {
		case file == "":
			return "", errors.New(variable + " is empty: set it to the file of an MPI library, or unset it to use the first one that is found")
		case ownDir == "" || strings.Contains(file, "/") && !runtimelib.IsScript(file):
			return runtimelib.Resolve(variable, file, ownDir)
		}
		// file is a name of `wi4go list`, or a linker script. The command reads both.
	}
	if otherwise != "" {
		return runtimelib.Resolve("the dynamic linker", otherwise, ownDir)
	}
	command := filepath.Join(ownDir, "..", "..", "bin", "wi4go")
	argv := []*C.char{C.CString(command), C.CString("default-library"), C.CString(front), nil}
	defer func() {
		for _, word := range argv {
			C.free(unsafe.Pointer(word))
		}
	}()
	answer := make([]byte, 8192)
	status := C.wi4go_ask(&argv[0], (*C.char)(unsafe.Pointer(&answer[0])), C.int(len(answer)))
	text, _, _ := strings.Cut(string(answer), "\x00")
	text = strings.TrimSpace(text)
	switch {
	case status == 0 && filepath.IsAbs(text):
		file, note, _ := strings.Cut(text, "\n")
		if note != "" {
			fmt.Fprintln(os.Stderr, note)
		}
		return runtimelib.Resolve(command, file, ownDir)
	case status > 0 && status != 127 && text != "":
		return "", errors.New(strings.TrimPrefix(text, "wi4go: "))
	}
	return "", fmt.Errorf("no MPI library is given for this program, and %s could not choose one: set %s to the file of one, or start the "+
		"program with `wi4go run --to`", command, variable)
}

// fill copies s into a C buffer of size bytes, cut to fit, with a final zero.
func fill(buffer *C.char, size C.int, s string) {
	out := unsafe.Slice((*byte)(unsafe.Pointer(buffer)), int(size))
	n := copy(out[:len(out)-1], s)
	out[n] = 0
}

func main() {}
