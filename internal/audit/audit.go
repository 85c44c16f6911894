// Package audit tests whether this host's dynamic linker can load the auditor, the library for
// LD_AUDIT that sees every request for a library.
//
// It must not know what the auditor does with a request, or which programs need it.
package audit

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"wi4go/internal/elfobj"
	"wi4go/internal/pattern"
)

// Variable overrides the choice of processes that get the auditor: 1 means every process, 0
// none. With the value probe the auditor prints the version that the dynamic linker passes to
// la_version, and ends the process.
const Variable = "WI4GO_AUDIT"

// loaders maps each processor to the path of glibc's dynamic linker in its ABI.
var loaders = map[elf.Machine]string{
	elf.EM_X86_64:  "/lib64/ld-linux-x86-64.so.2",
	elf.EM_AARCH64: "/lib/ld-linux-aarch64.so.1",
}

// Usable returns nil if the dynamic linker of this host's glibc can load the auditor file
// without harm, and otherwise an error that names the reason. It starts the dynamic linker
// once, for about a millisecond.
func Usable(auditor string) error {
	loader := loaders[elfobj.HostMachine()]
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	probe := exec.CommandContext(ctx, loader, "--list", auditor)
	probe.Env = []string{"LD_AUDIT=" + auditor, Variable + "=probe"}
	output, err := probe.Output()
	if err != nil {
		return fmt.Errorf("%s does not start: %w", loader, err)
	}
	// Dynamic linkers that pass 1 route every call through the auditor, which is fifty times
	// slower (glibc bug 15533).
	if string(output) != "2" {
		return errors.New("its dynamic linker is older than glibc 2.35, which makes every call slow under an auditor")
	}
	if version := glibc(loader); version == "2.32" || version == "2.33" {
		return fmt.Errorf("its dynamic linker is from glibc %s, which crashes with an auditor that does not need the C library", version)
	}
	return nil
}

// release matches the text in libc.so.6 that contains its version.
var release = pattern.New(`GNU C Library [^\n]* version (2\.\d+)`)

// glibc returns the version of the C library that belongs to a dynamic linker, or "" if its
// file does not contain one.
func glibc(loader string) string {
	real, err := filepath.EvalSymlinks(loader)
	if err != nil {
		return ""
	}
	text := elfobj.Constants(filepath.Join(filepath.Dir(real), "libc.so.6"))
	if m := release.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

// tunable is glibc's setting for the size of the static thread-local storage of libraries that
// need the static block. With an auditor, glibc lays out the block before the program's
// libraries are known, so it must have room for all of them.
const tunable = "glibc.rtld.optional_static_tls"

// Tunables returns a value of GLIBC_TUNABLES that makes room for bytes of static thread-local
// storage. old is the present value; its other settings stay, and so does a larger room.
func Tunables(old string, bytes uint64) string {
	var kept []string
	for _, setting := range strings.Split(old, ":") {
		name, value, _ := strings.Cut(setting, "=")
		if name != tunable {
			kept = append(kept, setting)
			continue
		}
		var n uint64
		if _, err := fmt.Sscan(value, &n); err == nil {
			bytes = max(bytes, n)
		}
	}
	return strings.TrimPrefix(strings.Join(append(kept, fmt.Sprintf("%s=%d", tunable, bytes)), ":"), ":")
}
