package fake

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// called makes the runtime call one of the program's functions, at address, from inside a call, and checks that the
// program can call MPI there.
func (t *tester) called(tt *testing.T, address int64, words ...int64) {
	s := &t.scripts[0]
	*s = script{function: t.number["MPI_Barrier"] + 1}
	s.callback.function = address
	copy(s.callback.words[:], words)
	world, _ := t.a.value("MPI_COMM_WORLD")
	rWorld, _ := t.r.value("MPI_COMM_WORLD")
	t.innerFunction = t.number["MPI_Comm_size"] + 1
	t.innerWords[0], t.innerWords[1] = world, t.store(40, nil)
	t.function = t.number["MPI_Barrier"]
	t.words[0] = world
	require.NoError(tt, t.step())
	t.innerFunction = 0
	s.callback.function = 0
	require.EqualValues(tt, 1, t.seen, "the program's function was not called")
	if size := t.last("MPI_Comm_size"); assert.NotNil(tt, size, "the program could not call MPI") {
		assert.Equal(tt, encode(rWorld, t.r.size("MPI_Comm")), encode(size.words[0], t.r.size("MPI_Comm")))
	}
}

// registered returns the address under which the runtime knows the program's function that was argument i of a call.
func (t *tester) registered(tt *testing.T, function string, i int) int64 {
	f := t.spec[function]
	require.NoError(tt, t.call(f, t.arguments(f), 0))
	if successor, ok := successors[function]; ok {
		function = successor
	}
	return t.last(function).words[i]
}

// objectsOf returns pairs of handles, the program's and the runtime's: of a predefined and of a dynamic object.
func (t *tester) objectsOf(kind string) (list [][2]int64) {
	a, _ := t.a.value(objects[kind].plain)
	r, _ := t.r.value(objects[kind].plain)
	da, dr := t.create(kind)
	return [][2]int64{{a, r}, {da, dr}}
}

// User functions get the program's handles and values, and their results are converted for the runtime.
func TestCallbacks(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		handle := func(kind string, v int64) []byte { return encode(v, x.a.size(objectTypes[kind])) }
		// The memory for values that the runtime passes by address.
		first, second := x.store(1, nil), x.store(2, nil)
		reset := func() {
			x.callbackTakes, x.callbackGives = [maxArgs]int64{}, [maxArgs]int64{}
			x.callbackReturns = 0
		}
		keyval := func(create string) (a, r int64) {
			r = of(map[string]int64{"mpich": 0x44000003, "mpiabi": 0x44000003}, x.r, 20)
			f := x.spec[create]
			arguments := x.arguments(f)
			arguments[2] = receive(r, &a)
			require.NoError(t, x.call(f, arguments, 0))
			return a, r
		}
		failure, _ := x.a.value("MPI_ERR_IO")
		rFailure, _ := x.r.value("MPI_ERR_IO")

		operation := x.registered(t, "MPI_Op_create", 0)
		for _, o := range x.objectsOf("DATATYPE") {
			reset()
			x.store(1, encode(5, 8))
			x.store(2, encode(o[1], x.r.size("MPI_Datatype")))
			x.callbackTakes[2], x.callbackTakes[3] = 4, int64(x.a.size("MPI_Datatype"))
			x.called(t, operation, x.store(3, nil), x.store(4, nil), first, second)
			assert.Equal(t, []int64{x.store(3, nil), x.store(4, nil)}, x.seenWords[:2], "the vectors")
			assert.Equal(t, encode(5, 4), x.seenBytes[2][:4], "the length")
			assert.Equal(t, handle("DATATYPE", o[0]), x.seenBytes[3][:x.a.size("MPI_Datatype")], "the datatype of an operation")
		}

		for kind, create := range map[string]string{"COMM": "MPI_Comm_create_errhandler", "WIN": "MPI_Win_create_errhandler",
			"FILE": "MPI_File_create_errhandler", "SESSION": "MPI_Session_create_errhandler"} {
			address := x.registered(t, create, 0)
			for _, o := range x.objectsOf(kind) {
				reset()
				truncate, _ := x.a.value("MPI_ERR_TRUNCATE")
				rTruncate, _ := x.r.value("MPI_ERR_TRUNCATE")
				size := x.a.size(objectTypes[kind])
				x.store(1, encode(o[1], x.r.size(objectTypes[kind])))
				x.store(2, encode(rTruncate, 4))
				x.callbackTakes[0], x.callbackTakes[1] = int64(size), 4
				x.callbackGives[1] = int64(copy(x.givenBytes[1][:], encode(failure, 4)))
				x.called(t, address, first, second)
				assert.Equal(t, handle(kind, o[0]), x.seenBytes[0][:size], "the object of an error handler, %s", kind)
				assert.Equal(t, encode(truncate, 4), x.seenBytes[1][:4], "the code of an error handler, %s", kind)
				assert.Equal(t, encode(rFailure, 4), x.arena[maxArgs-1][2*256:2*256+4], "the code that an error handler left, %s", kind)
			}
		}

		for kind, create := range map[string]string{"COMM": "MPI_Comm_create_keyval", "DATATYPE": "MPI_Type_create_keyval", "WIN": "MPI_Win_create_keyval"} {
			a, r := keyval(create)
			made := *x.last(create)
			extra := x.a.address["arena"] + 3*room
			// A failed free with another kind of keyval ends nothing.
			wrong, _ := x.r.value("MPI_ERR_KEYVAL")
			kept := sample{label: "not freed", a: encode(a, 4), r: encode(r, 4), give: encode(r, 4), size: 4}
			require.NoError(t, x.call(x.spec[strings.Replace(create, "create", "free", 1)], []sample{kept}, wrong))
			for _, o := range x.objectsOf(kind) {
				reset()
				size := x.a.size(objectTypes[kind])
				x.callbackGives[5] = int64(copy(x.givenBytes[5][:], encode(1, 4)))
				x.called(t, made.words[0], o[1], r, made.words[3], 0x1234, first, second)
				assert.Equal(t, handle(kind, o[0]), encode(x.seenWords[0], size), "the object of a copy function, %s", kind)
				assert.Equal(t, a, int64(int32(x.seenWords[1])), "the keyval of a copy function, %s", kind)
				assert.Equal(t, []int64{extra, 0x1234, first, second}, x.seenWords[2:6], "the rest of a copy function, %s", kind)
				assert.Equal(t, encode(1, 4), x.arena[maxArgs-1][2*256:2*256+4], "the flag of a copy function, %s", kind)
				reset()
				x.callbackReturns = failure
				x.called(t, made.words[1], o[1], r, 0x1234, made.words[3])
				assert.Equal(t, handle(kind, o[0]), encode(x.seenWords[0], size), "the object of a delete function, %s", kind)
				assert.Equal(t, a, int64(int32(x.seenWords[1])), "the keyval of a delete function, %s", kind)
				assert.Equal(t, []int64{0x1234, extra}, x.seenWords[2:4], "the rest of a delete function, %s", kind)
				assert.Equal(t, rFailure, int64(int32(x.scripts[0].callback.returned)), "the result of a delete function, %s", kind)
			}
		}

		reset()
		x.registered(t, "MPI_Grequest_start", 0)
		made := *x.last("MPI_Grequest_start")
		extra := x.a.address["arena"] + 3*room
		left := status{source: 3, tag: 4, count: 77}
		source, _ := x.a.value("MPI_PROC_NULL")
		rSource, _ := x.r.value("MPI_PROC_NULL")
		left.source = source
		x.store(1, make([]byte, 64))
		x.callbackGives[1] = int64(copy(x.givenBytes[1][:], x.a.pack(left)))
		x.called(t, made.words[0], made.words[3], first)
		left.source = rSource
		got := x.r.unpack(x.arena[maxArgs-1][256:])
		got.err = 0
		assert.Equal(t, left, got, "the status of a query function")
		assert.Equal(t, extra, x.seenWords[0], "the state of a query function")
		reset()
		x.callbackReturns = failure
		x.called(t, made.words[2], made.words[3], 1)
		assert.Equal(t, []int64{extra, 1}, x.seenWords[:2], "a cancel function")
		assert.Equal(t, rFailure, int64(int32(x.scripts[0].callback.returned)), "the result of a cancel function")
		x.called(t, made.words[1], made.words[3])
		assert.Equal(t, extra, x.seenWords[0], "a free function")
		assert.Equal(t, rFailure, int64(int32(x.scripts[0].callback.returned)), "the result of a free function")

		reset()
		x.registered(t, "MPI_Register_datarep", 1)
		made = *x.last("MPI_Register_datarep")
		extra = x.a.address["arena"] + 4*room
		for _, o := range x.objectsOf("DATATYPE") {
			size := x.a.size("MPI_Datatype")
			for _, conversion := range []int{1, 2} {
				x.callbackReturns = failure
				x.called(t, made.words[conversion], 0x100, o[1], 9, 0x200, 1<<33, made.words[4])
				assert.Equal(t, handle("DATATYPE", o[0]), encode(x.seenWords[1], size), "the datatype of a conversion")
				assert.Equal(t, []int64{0x100, 9, 0x200, 1 << 33, extra}, []int64{x.seenWords[0], int64(int32(x.seenWords[2])), x.seenWords[3], x.seenWords[4], x.seenWords[5]}, "a conversion")
				assert.Equal(t, rFailure, int64(int32(x.scripts[0].callback.returned)), "the result of a conversion")
			}
			x.called(t, made.words[3], o[1], first, made.words[4])
			assert.Equal(t, handle("DATATYPE", o[0]), encode(x.seenWords[0], size), "the datatype of an extent function")
			assert.Equal(t, []int64{first, extra}, x.seenWords[1:3], "an extent function")
		}
	})
}

// Inside a call, a runtime may call MPI by its global names (as Open MPI's components do). These calls have the
// runtime's arguments and must arrive unchanged, however the runtime refers to the function (testdata/runtime.c,
// call_itself).
func TestInside(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		world, _ := x.a.value("MPI_COMM_WORLD")
		rWorld, _ := x.r.value("MPI_COMM_WORLD")
		s := &x.scripts[0]
		*s = script{function: x.number["MPI_Barrier"] + 1}
		x.function = x.number["MPI_Barrier"]
		for reference := int64(1); reference <= 3; reference++ {
			s.callback.function = reference
			s.callback.words[0], s.callback.words[1] = rWorld, x.store(0, nil)
			x.words[0] = world
			require.NoError(t, x.step())
			size := x.last("MPI_Comm_size")
			require.NotNil(t, size)
			assert.Equal(t, []int64{rWorld, x.store(0, nil)}, size.words[:2], "reference %d", reference)
		}
		s.callback.function, s.callback.returned = 4, 1
		require.NoError(t, x.step())
		assert.Zero(t, s.callback.returned, "the definition after dlsym's caller")
		s.callback.function = 0
	})
}

// The program's event functions get the program's levels of safety and its user data (MPI-5.0, 15.3.8), and the event's
// datatypes are the program's.
func TestEvents(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		_, onA := x.a.Functions["MPI_T_event_register_callback"]
		_, onR := x.r.Functions["MPI_T_event_register_callback"]
		if !onA || !onR {
			return
		}
		const registration, instance, user = 0x7e5000001000, 0x7e5000002000, 0x7e5000003000
		for _, name := range x.named(constants["CALLBACK_SAFETY"]) {
			a, _ := x.a.value(name)
			r, _ := x.r.value(name)
			x.function = x.number["MPI_T_event_register_callback"]
			null, _ := x.a.value("MPI_INFO_NULL")
			copy(x.words[:], []int64{registration, a, null, user, x.a.address["callback"]})
			require.NoError(t, x.step())
			made := *x.last("MPI_T_event_register_callback")
			assert.EqualValues(t, r, int32(made.words[1]), name)
			x.called(t, made.words[4], instance, registration, r, made.words[3])
			assert.Equal(t, []int64{instance, registration, a, user}, []int64{x.seenWords[0], x.seenWords[1], int64(int32(x.seenWords[2])), x.seenWords[3]}, name)

			x.function = x.number["MPI_T_event_set_dropped_handler"]
			copy(x.words[:], []int64{registration, x.a.address["callback"]})
			require.NoError(t, x.step())
			x.called(t, x.last("MPI_T_event_set_dropped_handler").words[1], 17, registration, 3, r, made.words[3])
			assert.Equal(t, []int64{17, registration, 3, a, user}, []int64{x.seenWords[0], x.seenWords[1], x.seenWords[2], int64(int32(x.seenWords[3])), x.seenWords[4]}, name)

			x.function = x.number["MPI_T_event_handle_free"]
			copy(x.words[:], []int64{registration, user + 1, x.a.address["callback"]})
			require.NoError(t, x.step())
			freed := *x.last("MPI_T_event_handle_free")
			x.called(t, freed.words[2], registration, r, freed.words[1])
			assert.Equal(t, []int64{registration, a, user + 1}, []int64{x.seenWords[0], int64(int32(x.seenWords[1])), x.seenWords[2]}, name)
		}

		aType, _ := x.a.value("MPI_DOUBLE")
		rType, _ := x.r.value("MPI_DOUBLE")
		size := x.a.size("MPI_Datatype")
		x.function = x.number["MPI_T_event_get_info"]
		x.words = [maxArgs]int64{0, 0, 0, 0, x.store(0, make([]byte, 16)), x.store(1, make([]byte, 16)), x.store(2, encode(2, 4))}
		s := &x.scripts[0]
		*s = script{function: x.function + 1}
		s.arguments[4].give = int64(copy(s.arguments[4].bytes[:], encode(rType, x.r.size("MPI_Datatype"))))
		s.arguments[6].give = int64(copy(s.arguments[6].bytes[:], encode(1, 4)))
		require.NoError(t, x.step())
		assert.Equal(t, encode(aType, size), x.arena[maxArgs-1][:size], "the datatype of an event's element")
		assert.Equal(t, make([]byte, size), x.arena[maxArgs-1][size:2*size], "written past the elements that there are")
	})
}

// MPI::ERRORS_THROW_EXCEPTIONS becomes an error handler that the front creates. If the runtime cannot create it, the
// call returns that error, and no handler is set.
func TestThrowingHandlerRefused(t *testing.T) {
	const throwing = 0x54000002
	for _, to := range []string{"openmpi", "mpiabi"} {
		x := newTester(t, "mpich", to)
		for kind, object := range map[string]string{"Comm": "MPI_COMM_WORLD", "Win": "MPI_WIN_NULL", "File": "MPI_FILE_NULL"} {
			code, _ := x.r.value("MPI_ERR_NO_MEM")
			x.scripts[0] = script{function: x.number["MPI_"+kind+"_create_errhandler"] + 1, returns: code}
			set := "MPI_" + kind + "_set_errhandler"
			x.function = x.number[set]
			x.words[0], _ = x.a.value(object)
			x.words[1] = throwing
			require.NoError(t, x.step())
			class, _ := x.a.value("MPI_ERR_NO_MEM")
			assert.EqualValues(t, class, int32(x.returned), "%s on %s", kind, to)
			assert.False(t, x.last(set) != nil, "%s on %s: a handler is set", kind, to)
		}
	}
}
