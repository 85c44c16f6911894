package embedded

import (
	"strconv"
	"testing"

	"wi4go/tests/harness"
)

// Random nested datatypes have the bounds, the data and the representations of a model that keeps
// every basic element, and their stream can be split at every byte.
func TestTypes(t *testing.T) {
	for seed := 1; seed <= 4; seed++ {
		right(t, plain, 1, nil, "types_layout", strconv.Itoa(seed), "1000")
	}
	if harness.Nightly.Runs() {
		right(t, plain, 1, nil, "types_layout", "100", "100000")
	}
}

// Every predefined operation on every predefined datatype.
func TestOperations(t *testing.T) { right(t, plain, 1, nil, "types_ops") }

// Envelopes, contents, sizes beyond 2^31, refused arguments, names, datatypes by precision.
func TestTypeContents(t *testing.T) { right(t, plain, 1, nil, "types_contents") }

// Attributes, info objects, statuses, integers of handles.
func TestObjects(t *testing.T) { right(t, plain, 2, nil, "types_objects") }

// MPI_Init without a command line.
func TestInitNull(t *testing.T) { right(t, plain, 1, nil, "init_null") }

// Each allocation fails once: the call returns MPI_ERR_NO_MEM.
func TestTypesExhausted(t *testing.T) { right(t, plain, 1, nil, "types_exhausted") }

// The same for communicators, messages, collective operations and the other objects.
func TestExhausted(t *testing.T) {
	right(t, plain, 1, nil, "exhausted")
	right(t, plain, 1, []string{"ADI_THREADS=1"}, "exhausted")
}

// devices force the parts of messages and their representation.
var devices = map[string][]string{
	"usual":   nil,
	"xdr":     {"ADI_MSGREP=xdr"},
	"parts":   {"ADI_SHORT=0", "ADI_EAGER=0", "ADI_CHUNK=37"},
	"xdr too": {"ADI_SHORT=0", "ADI_EAGER=0", "ADI_CHUNK=37", "ADI_MSGREP=xdr"},
}

func TestTypesInMessages(t *testing.T) {
	for name, env := range devices {
		t.Run(name, func(t *testing.T) { right(t, plain, 2, env, "types_messages", "1", "300") })
	}
}

// The same programs with AddressSanitizer and the sanitizer of undefined behavior.
func TestTypesSanitized(t *testing.T) {
	harness.All.From(t, "it builds the library once more")
	right(t, asan, 1, nil, "types_layout", "7", "300")
	for _, name := range []string{"types_ops", "types_contents", "types_objects", "types_exhausted", "exhausted"} {
		right(t, asan, 1, nil, name)
	}
	for _, env := range devices {
		right(t, asan, 2, env, "types_messages", "2", "100")
	}
}
