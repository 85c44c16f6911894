//go:build !wi4go_static

package runtimes

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/ebitengine/purego"

	"wi4go/internal/family"
)

// queryLibrary loads the library and makes the queries that are allowed before MPI_Init (MPI-4.1,
// 9.1.1). It returns the library's handle too.
func queryLibrary(library string) (v Version, handle uintptr, err error) {
	// The C library keeps the text of an error of dlopen for the thread that called it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
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
	text := make([]byte, 1<<16) // larger than any MPI_MAX_LIBRARY_VERSION_STRING
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

// queryThreads returns the highest thread level, or "" if the library does not report it. Before
// MPI_Init, only MPI_T_init_thread reports it (MPI-4.1, 15.3.4). The levels are 0 to 3; in the
// standard ABI they are multiples of 1024.
func queryThreads(library string, handle uintptr) string {
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
