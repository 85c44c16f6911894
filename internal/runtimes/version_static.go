//go:build wi4go_static

package runtimes

import "errors"

// queryLibrary returns an error, because a static command (`make static-musl`) has no dynamic linker. Only what the
// library's file shows is known of it then.
func queryLibrary(library string) (Version, uintptr, error) {
	return Version{}, 0, errors.New("this wi4go was built without a dynamic linker, so it cannot open the library: use the wi4go of a build with glibc")
}

// queryThreads is not called, because queryLibrary opens no library.
func queryThreads(string, uintptr) string { return "" }
