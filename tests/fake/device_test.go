package fake

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onDevice makes a tester whose program has its buffers in the memory of a device: pages that
// allow no access, so that a process ends if its own code reads or writes one.
func onDevice(t *testing.T, from, to string, environment ...string) *tester {
	x := newTester(t, from, to, environment...)
	x.onDevice = true
	return x
}

// hasBuffer reports whether the function has a choice buffer.
func hasBuffer(f *function) bool {
	return slices.ContainsFunc(f.Params, func(p param) bool { return p.Kind == "BUFFER" })
}

// A page that allows no access ends the process that reads it: a test with such pages can fail.
func TestDeviceMemoryEndsTheProcess(t *testing.T) {
	x := onDevice(t, "mpich", "openmpi")
	ignore, _ := x.a.value("MPI_STATUSES_IGNORE")
	x.function = x.number["MPI_Waitall"]
	x.words[0], x.words[1], x.words[2] = 2, x.a.address["device"], ignore
	require.Error(t, x.step())
}

// No translation uses the memory of a buffer.
func TestDeviceMemory(t *testing.T) {
	for _, pair := range pairs {
		t.Run(pair.from+" on "+pair.to, func(t *testing.T) {
			x := onDevice(t, pair.from, pair.to)
			covered := 0
			for _, f := range x.regular(t) {
				if !hasBuffer(f) {
					continue
				}
				covered++
				if err := x.call(f, x.arguments(f), 0); err != nil {
					t.Error(err)
				}
				if x.dead {
					x = onDevice(t, pair.from, pair.to)
				}
			}
			assert.Greater(t, covered, 100)
		})
	}
}

// Nor does a function that the front implements itself, because the library lacks it: it calls
// other functions of the library with the same memory.
func TestDeviceMemoryEmulated(t *testing.T) {
	for _, to := range []string{"openmpi@4.1", "openmpi@5.0", "mpich@3.4"} {
		for _, from := range []string{"mpich", "mpiabi", "openmpi"} {
			t.Run(from+" on "+to, func(t *testing.T) {
				x := emulating(t, from, to)
				covered := 0
				for _, name := range x.functions {
					f := x.spec[name]
					_, onA := x.a.Functions[name]
					_, onR := x.r.Functions[name]
					if !onA || onR || f == nil || !hasBuffer(f) || fortranBooleans[name] {
						continue
					}
					covered++
					if err := x.emulated(f); err != nil {
						t.Errorf("%s: %v", name, err)
						x = emulating(t, from, to)
					}
				}
				t.Logf("%d functions", covered)
				assert.Greater(t, covered, 15)
			})
		}
	}
}

// A buffered send through an emulated buffer, of a communicator or of the process, is packed by the library: the front
// uses neither the memory of the message nor that of the attached buffer.
func TestDeviceMemoryBuffered(t *testing.T) {
	for _, to := range []string{"openmpi@4.1", "openmpi@5.0", "mpich@3.4"} {
		for _, from := range []string{"mpich", "mpiabi"} {
			for _, attach := range []string{"MPI_Comm_attach_buffer", "MPI_Comm_attach_buffer_c", "MPI_Buffer_attach"} {
				for _, send := range []string{"MPI_Bsend", "MPI_Ibsend", "MPI_Bsend_init", "MPI_Bsend_c", "MPI_Ibsend_c", "MPI_Bsend_init_c"} {
					t.Run(from+" on "+to+", "+attach+", "+send, func(t *testing.T) {
						assertPackedFromDevice(t, emulating(t, from, to), attach, send)
					})
				}
			}
		}
	}
}

// assertPackedFromDevice attaches a buffer, sends a message through it by the function send, and checks that the
// library packs the message from its place and sends the copy.
func assertPackedFromDevice(t *testing.T, x *tester, attach, send string) {
	t.Helper()
	if _, ok := x.r.Functions["MPI_Comm_attach_buffer"]; ok {
		t.Skip("the library has buffers of communicators")
	}
	device := x.a.address["device"]
	enter := func(name string, values map[string]int64) *function {
		f := x.spec[name]
		require.NotNil(t, f, name)
		x.enter(f, x.arguments(f))
		for i := range f.Params {
			if value, set := values[f.Params[i].Name]; set {
				x.words[i] = value
			}
		}
		return f
	}
	world, _ := x.a.value("MPI_COMM_WORLD")
	enter(attach, map[string]int64{"comm": world, "buffer": device + room, "size": 4096})
	require.NoError(t, x.step())
	require.Zero(t, int32(x.returned), "attach")
	element, _ := x.a.value("MPI_INT")
	f := enter(send, map[string]int64{"comm": world, "buf": device, "count": 2, "datatype": element, "dest": 1, "tag": 5})
	request := int64(0)
	if i := slices.IndexFunc(f.Params, func(p param) bool { return p.Kind == "REQUEST" }); i >= 0 {
		request = x.words[i]
	}
	require.NoError(t, x.step())
	require.Zero(t, int32(x.returned), send)
	if strings.Contains(send, "_init") {
		assert.Nil(t, x.last("MPI_Pack"), "before it starts")
		x.function, x.words[0] = x.number["MPI_Start"], request
		require.NoError(t, x.step())
		require.Zero(t, int32(x.returned), "MPI_Start")
	}
	pack, sent := x.last("MPI_Pack"), x.last("MPI_Isend")
	require.NotNil(t, pack)
	require.NotNil(t, sent)
	assert.Equal(t, device, pack.words[0], "packed from the program's memory")
	if !strings.HasPrefix(send, "MPI_Ibsend") { // there the last one is the request's own empty message
		assert.Equal(t, pack.words[3], sent.words[0], "the packed data are sent")
	}
	assert.NotEqual(t, device+room, pack.words[3], "the attached memory is not used")
}

// The data to send in place lie in the receive buffer, and the library gets an address in it: by
// the address of a buffer libraries detect the memory of a device.
func TestInPlaceIsInTheBuffer(t *testing.T) {
	for _, to := range []string{"openmpi@4.1", "mpich@3.4"} {
		x := emulating(t, "mpiabi", to)
		f := x.spec["MPI_Allgatherv_c"]
		arguments := x.arguments(f)
		arguments[0] = x.pointers("MPI_IN_PLACE")[0]()
		x.enter(f, arguments)
		require.NoError(t, x.step())
		r := x.last("MPI_Alltoallw")
		require.NotNil(t, r)
		memory := arguments[slices.IndexFunc(f.Params, func(p param) bool { return p.Name == "recvbuf" })]
		begin := int64(le(memory.a))
		assert.Equal(t, begin, r.words[4])
		assert.NotEqual(t, begin, r.words[0], "two equal addresses mean MPI_IN_PLACE, or are an error")
		assert.True(t, r.words[0] > begin && r.words[0] < begin+room, "%#x is not in the buffer at %#x", r.words[0], begin)
	}
}

// fortranBooleans are the functions whose buffers are no messages: two values of a LOGICAL.
var fortranBooleans = map[string]bool{"MPI_Abi_set_fortran_booleans": true, "MPI_Abi_get_fortran_booleans": true}

// many is a count that does not fit into one call of the functions with int counts.
const many = 7

// emulating makes a tester on a device, over a library that answers as emulations need it: a datatype has 4 bytes, a
// new object has a handle, and each request is complete at once.
func emulating(t *testing.T, from, to string) *tester {
	x := onDevice(t, from, to, "WI4GO_TEST_CHUNK=3")
	next := 11
	answer := func(name string, given map[int][]byte) {
		s := &x.scripts[next]
		next++
		s.function = x.number[name] + 1
		for i, b := range given {
			s.arguments[i].give = int64(copy(s.arguments[i].bytes[:], b))
		}
	}
	created := func(name string, i int, kind string) {
		answer(name, map[int][]byte{i: encode(x.fresh(kind), x.r.size(objectTypes[kind]))})
	}
	answer("MPI_Type_get_extent", map[int][]byte{1: encode(0, 8), 2: encode(4, 8)})
	answer("MPI_Type_get_true_extent", map[int][]byte{1: encode(0, 8), 2: encode(4, 8)})
	answer("MPI_Type_size_x", map[int][]byte{1: encode(4, 8)})
	answer("MPI_Type_size", map[int][]byte{1: encode(4, 4)})
	answer("MPI_Pack_size", map[int][]byte{3: encode(4*many, 4)})
	created("MPI_Type_create_hvector", 4, "DATATYPE")
	created("MPI_Type_create_hindexed", 4, "DATATYPE")
	created("MPI_Type_create_struct", 4, "DATATYPE")
	created("MPI_Type_create_resized", 3, "DATATYPE")
	created("MPI_Comm_split", 3, "COMM")
	created("MPI_Comm_dup", 1, "COMM")
	null, _ := x.r.value("MPI_REQUEST_NULL")
	over := encode(null, x.r.size("MPI_Request"))
	answer("MPI_Wait", map[int][]byte{0: over})
	answer("MPI_Test", map[int][]byte{0: over, 1: encode(1, 4)})
	answer("MPI_Testall", map[int][]byte{2: encode(1, 4)})
	require.LessOrEqual(t, next, len(x.scripts))
	return x
}

// emulated makes one call of a function with large counts, and completes the request that the
// call returns. It returns an error if the process has ended.
func (t *tester) emulated(f *function) error {
	arguments := t.arguments(f)
	for i := range f.Params {
		if p := &f.Params[i]; strings.HasPrefix(p.Kind, "XFER_NUM_ELEM") && p.Dir == "in" {
			arguments[i].a = bytes.Repeat(encode(many, t.a.size(p.element())), p.elements())
		}
	}
	t.enter(f, arguments)
	request := slices.IndexFunc(f.Params, func(p param) bool { return p.Kind == "REQUEST" && p.Dir == "out" })
	at := int64(0)
	if request >= 0 {
		at = t.words[request]
		null, _ := t.a.value("MPI_REQUEST_NULL")
		copy(t.arena[request][:], encode(null, t.a.size("MPI_Request")))
	}
	if err := t.step(); err != nil || request < 0 || int32(t.returned) != 0 {
		return err
	}
	if strings.Contains(f.Name, "_init") {
		t.function, t.words[0] = t.number["MPI_Start"], at
		if err := t.step(); err != nil {
			return err
		}
		if strings.HasPrefix(f.Name, "MPI_Psend") {
			return nil // it is complete when all partitions are ready
		}
	}
	ignore, _ := t.a.value("MPI_STATUS_IGNORE")
	t.function, t.words[0], t.words[1] = t.number["MPI_Wait"], at, ignore
	return t.step()
}

// enter fills in a call with these arguments.
func (t *tester) enter(f *function, arguments []sample) {
	t.function = t.number[f.Name]
	for i := range f.Params {
		p, x := &f.Params[i], &arguments[i]
		t.words[i] = int64(le(x.a))
		if p.pointer() && !x.special && p.Kind != "FUNCTION" {
			copy(t.arena[i][:], x.a)
			t.words[i] = t.a.address["arena"] + int64(i)*room
		}
	}
}
