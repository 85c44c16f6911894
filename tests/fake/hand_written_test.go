package fake

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The cases that the general test omits, because the meaning of a value depends on another
// argument, on an earlier call, or on the caller.

// with returns a function with plain arguments, except for those in set.
func (t *tester) with(name string, set map[string]sample) (*function, []sample) {
	f := t.spec[name]
	arguments := t.arguments(f)
	for i, p := range f.Params {
		if s, ok := set[p.Name]; ok {
			arguments[i] = s
			delete(set, p.Name)
		}
	}
	if len(set) > 0 {
		panic(fmt.Sprintf("%s has no parameters %v", name, set))
	}
	return f, arguments
}

// last returns the record of the runtime's latest call of a function.
func (t *tester) last(name string) *record {
	for i := t.nRecords - 1; i >= 0; i-- {
		if t.records[i].function == t.number[name] {
			return &t.records[i]
		}
	}
	return nil
}

// in passes a number by value, out receives one.
func (t *tester) in(name string, size int) sample {
	a, onA := t.a.value(name)
	r, onR := t.r.value(name)
	if !onA || !onR {
		panic(name)
	}
	return sample{label: name, a: encode(a, size), r: encode(r, size)}
}

func number(a, r int64) sample { return sample{label: "a number", a: encode(a, 4), r: encode(r, 4)} }

// receive returns an int parameter that the runtime sets to r. The program's value is stored in got.
func receive(r int64, got *int64) sample {
	return sample{label: fmt.Sprint(r), a: encode(0, 4), size: 4, give: encode(r, 4), found: func(b []byte) error {
		*got = int64(int32(le(b[:4])))
		return nil
	}}
}

// store writes bytes to memory that both sides can point to, and returns the address.
func (t *tester) store(slot int, b []byte) int64 {
	copy(t.arena[maxArgs-1][slot*256:], b)
	return t.a.address["arena"] + (maxArgs-1)*room + int64(slot)*256
}

// An output string is truncated to the program's limit, and the length is that after truncation.
func TestStrings(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		for key, limit := range limits {
			name, p, _ := strings.Cut(key, ".")
			f, arguments := x.with(name, nil)
			a, r := int(x.a.Constants[limit]), int(x.r.Constants[limit])
			for i := range f.Params {
				switch {
				case f.Params[i].Name == p:
					arguments[i] = x.samples(f, i)[1]()
				case f.Params[i].Kind == "STRING_LENGTH":
					arguments[i] = sample{label: "length", size: 4, a: encode(0, 4), give: encode(int64(r-1), 4), found: exactly(encode(int64(min(a, r)-1), 4))}
				}
			}
			assert.NoError(t, x.call(f, arguments, 0), key)
		}
	})
}

// Keyvals, error classes and codes that the runtime allocates must not collide with predefined
// ones, and are converted back to the runtime's.
func TestNumbers(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		dynamic := map[string]int64{"openmpi": 12, "mpich": 0x64400001 - 0x24000000, "mpiabi": 0x64400001 - 0x24000000}
		if last, has := x.a.value("IMPI_HOST_COLOR"); has && last != x.r.Constants["IMPI_HOST_COLOR"] {
			dynamic["openmpi"] = x.r.Constants["IMPI_HOST_COLOR"] + 1 // the smaller numbers are constants of both
		}
		for i := int64(0); i < 200; i++ {
			r := of(dynamic, x.r, 900) + i
			var a int64
			f, arguments := x.with("MPI_Comm_create_keyval", map[string]sample{"comm_keyval": receive(r, &a)})
			require.NoError(t, x.call(f, arguments, 0))
			for _, name := range constants["KEYVAL"] {
				v, _ := x.a.value(name)
				require.NotEqual(t, v, a, "keyval %#x comes back as %s", r, name)
			}
			f, arguments = x.with("MPI_Comm_delete_attr", map[string]sample{"comm_keyval": number(a, r)})
			require.NoError(t, x.call(f, arguments, 0))
		}
		first := map[string]int64{"openmpi": 93, "mpich": 0x40000001, "mpiabi": 0x4000}
		for i := int64(0); i < 200; i++ {
			r := of(first, x.r, x.r.Constants["MPI_ERR_LASTCODE"]+1) + i
			var a, code int64
			f, arguments := x.with("MPI_Add_error_class", map[string]sample{"errorclass": receive(r, &a)})
			require.NoError(t, x.call(f, arguments, 0))
			for _, name := range x.named(constants["ERROR_CLASS"]) {
				v, onA := x.a.value(name)
				require.False(t, onA && v == a, "the class %#x comes back as %s", r, name)
			}
			f, arguments = x.with("MPI_Add_error_code", map[string]sample{"errorclass": number(a, r), "errorcode": receive(r+1000, &code)})
			require.NoError(t, x.call(f, arguments, 0))
			f, arguments = x.with("MPI_Error_class", map[string]sample{"errorcode": number(code, r+1000), "errorclass": receive(r, &a)})
			require.NoError(t, x.call(f, arguments, 0))
		}
		// Any int can be a code, and is returned unchanged.
		for _, code := range []int64{-1, -5, 54, 60, 73, 91, 92, 93, 94, 100, 127, 128, 129, 500, 0x3fffffff, 0x40000000, 0x40000001, 0x4000007f, 0x5fffffff, 0x60000001, 0x7fffffff, -0x80000000} {
			var back int64
			f, arguments := x.with("MPI_Error_class", map[string]sample{"errorcode": {label: "any", a: encode(code, 4)}})
			require.NoError(t, x.call(f, arguments, 0))
			r := int64(int32(x.last("MPI_Error_class").words[0]))
			f, arguments = x.with("MPI_Error_class", map[string]sample{"errorclass": receive(r, &back)})
			require.NoError(t, x.call(f, arguments, 0))
			assert.Equal(t, code, back, "the code that the runtime got as %d", r)
		}
	})
}

// The values of predefined attributes (MPI-4.0, 9.1.2 and 12.2.6).
func TestAttributes(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		check := func(function, keyval string, a, r int64) {
			where := x.store(0, encode(r, 4))
			var at int64
			keyvalName := map[string]string{"MPI_Comm_get_attr": "comm_keyval", "MPI_Attr_get": "keyval", "MPI_Win_get_attr": "win_keyval"}[function]
			set := map[string]sample{
				keyvalName: x.in(keyval, 4),
				"attribute_val": {label: "value", a: make([]byte, 8), size: 8, give: encode(where, 8), found: func(b []byte) error {
					at = int64(le(b[:8]))
					return nil
				}},
			}
			f, arguments := x.with(function, set)
			require.NoError(t, x.call(f, arguments, 0), keyval)
			got := int64(-99)
			if at == where {
				got = int64(int32(le(x.arena[maxArgs-1][:4])))
			} else {
				// The value is somewhere in the front. The program reads it by a function that
				// takes a string.
				f, arguments := x.with("MPI_Comm_set_name", map[string]sample{"comm_name": {label: "value", special: true, a: encode(at, 8), r: encode(at, 8)}})
				x.peek = 4
				require.NoError(t, x.call(f, arguments, 0))
				x.peek = 0
				got = int64(int32(le(x.last("MPI_Comm_set_name").bytes[1][:4])))
			}
			assert.Equal(t, a, got, "%s of %s, which the runtime has as %d", keyval, function, r)
		}
		names := func(function, keyval string, constants ...string) {
			for _, name := range x.named(constants) {
				a, onA := x.a.value(name)
				r, onR := x.r.value(name)
				if onA && onR {
					check(function, keyval, a, r)
				}
			}
		}
		for _, function := range []string{"MPI_Comm_get_attr", "MPI_Attr_get"} {
			for _, keyval := range []string{"MPI_HOST", "MPI_IO"} {
				names(function, keyval, "MPI_PROC_NULL", "MPI_ANY_SOURCE")
				check(function, keyval, 3, 3)
			}
			for _, keyval := range []string{"MPI_TAG_UB", "MPI_WTIME_IS_GLOBAL", "MPI_UNIVERSE_SIZE", "MPI_APPNUM"} {
				check(function, keyval, 1, 1)
				check(function, keyval, 1<<20, 1<<20)
			}
		}
		names("MPI_Win_get_attr", "MPI_WIN_CREATE_FLAVOR", "MPI_WIN_FLAVOR_*")
		names("MPI_Win_get_attr", "MPI_WIN_MODEL", "MPI_WIN_SEPARATE", "MPI_WIN_UNIFIED")
		check("MPI_Win_get_attr", "MPI_WIN_DISP_UNIT", 8, 8)
	})
}

// MPI_Type_get_contents: order, distributions and their arguments are constants; the other integers
// are sizes (MPI-4.0, 5.1.13).
func TestContents(t *testing.T) {
	plain := func(n ...int64) (list []string) {
		for _, v := range n {
			list = append(list, fmt.Sprint(v))
		}
		return list
	}
	const dims = 2
	darray := append(plain(4, 1, dims), plain(10, 20)...)
	darray = append(darray, "MPI_DISTRIBUTE_BLOCK", "MPI_DISTRIBUTE_CYCLIC", "MPI_DISTRIBUTE_DFLT_DARG", "2", "2", "2", "MPI_ORDER_FORTRAN")
	darray2 := append(plain(4, 1, dims), plain(1, 0)...)
	darray2 = append(darray2, "MPI_DISTRIBUTE_NONE", "MPI_DISTRIBUTE_BLOCK", "1", "MPI_DISTRIBUTE_DFLT_DARG", "0", "1", "MPI_ORDER_C")
	cases := []struct {
		combiner string
		integers []string
	}{
		{"MPI_COMBINER_DUP", nil},
		{"MPI_COMBINER_VECTOR", plain(0, 1, 56)},
		{"MPI_COMBINER_STRUCT", plain(2, 0, 1)},
		{"MPI_COMBINER_SUBARRAY", append(plain(dims, 0, 1, 56, 57, 121, 2), "MPI_ORDER_C")},
		{"MPI_COMBINER_SUBARRAY", append(plain(dims, 0, 1, 56, 57, 121, 2), "MPI_ORDER_FORTRAN")},
		{"MPI_COMBINER_DARRAY", darray},
		{"MPI_COMBINER_DARRAY", darray2},
	}
	forEachPair(t, func(t *testing.T, x *tester) {
		resolve := func(s *side, word string) int64 {
			var v int64
			if _, err := fmt.Sscan(word, &v); err == nil {
				return v
			}
			v, ok := s.value(word)
			require.True(t, ok, word)
			return v
		}
		for _, c := range cases {
			var a, r []byte
			for _, word := range c.integers {
				a = append(a, encode(resolve(x.a, word), 4)...)
				r = append(r, encode(resolve(x.r, word), 4)...)
			}
			n := int64(len(c.integers))
			envelope := &x.scripts[14]
			*envelope = script{function: x.number["MPI_Type_get_envelope"] + 1}
			for i, v := range []int64{n, 0, int64(N), resolve(x.r, c.combiner)} {
				envelope.arguments[1+i].give = int64(copy(envelope.arguments[1+i].bytes[:], encode(v, 4)))
			}
			types := x.spec["MPI_Type_get_contents"].Params[6]
			values := x.values(x.spec["MPI_Type_get_contents"], &types)
			for _, v := range values {
				if v.lacking {
					continue
				}
				f, arguments := x.with("MPI_Type_get_contents", map[string]sample{
					"max_integers":       number(n, n),
					"max_addresses":      number(0, 0),
					"array_of_integers":  {label: c.combiner, size: len(a), a: make([]byte, len(a)), give: r, found: exactly(a)},
					"array_of_datatypes": x.variants(x.spec["MPI_Type_get_contents"], &types, values[0], v)[0](),
				})
				assert.NoError(t, x.call(f, arguments, 0), c.combiner)
				if x.dead {
					return
				}
			}
			x.scripts[14].function = 0
		}
	})
}

// MPI_ERROR of each status is valid if the call returns MPI_ERR_IN_STATUS. The completed requests
// are then null.
func TestInStatus(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		inStatus := x.in("MPI_ERR_IN_STATUS", 4)
		class := &x.scripts[14]
		*class = script{function: x.number["MPI_Error_class"] + 1}
		class.arguments[1].give = int64(copy(class.arguments[1].bytes[:], inStatus.r))
		size := x.a.Types["MPI_Status"].Size
		null := x.in("MPI_REQUEST_NULL", 8)
		null.a, null.r = null.a[:x.a.size("MPI_Request")], null.r[:x.r.size("MPI_Request")]
		for _, function := range []string{"MPI_Waitall", "MPI_Testall", "MPI_Waitsome", "MPI_Testsome"} {
			for _, names := range [][]string{{"MPI_SUCCESS", "MPI_ERR_TRUNCATE"}, {"MPI_ERR_PENDING", "MPI_ERR_OTHER"}} {
				var give []byte
				var expected []status
				for i, name := range names {
					v := x.in(name, 4)
					expected = append(expected, status{source: int64(i), tag: 7, err: int64(le(v.a))})
					give = append(give, x.r.pack(status{source: int64(i), tag: 7, err: int64(le(v.r))})...)
				}
				a, r := x.create("REQUEST")
				f, arguments := x.with(function, map[string]sample{
					"array_of_statuses": {label: "statuses", size: N * size, a: make([]byte, N*size), give: give},
					"array_of_requests": {label: "requests", size: N * len(null.a), give: bytes.Repeat(null.r, N),
						a: append(encode(a, len(null.a)), null.a...), r: append(encode(r, len(null.r)), null.r...)},
				})
				x.keepReturn = true
				require.NoError(t, x.call(f, arguments, int64(le(inStatus.r))), function)
				x.keepReturn = false
				assert.EqualValues(t, le(inStatus.a), x.returned, function)
				for i, p := range f.Params {
					switch p.Name {
					case "array_of_statuses":
						for j := range expected {
							assert.Equal(t, expected[j], x.a.unpack(x.arena[i][j*size:]), "%s, status %d", function, j)
						}
					case "array_of_requests":
						assert.Equal(t, null.a, x.arena[i][:len(null.a)], "%s completed the request", function)
					}
				}
			}
		}
	})
}

// The output of MPI_Comm_idup is written at completion.
func TestIdup(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		for _, function := range []string{"MPI_Comm_idup", "MPI_Comm_idup_with_info"} {
			rComm, rRequest := encode(x.fresh("COMM"), x.r.size("MPI_Comm")), encode(x.fresh("REQUEST"), x.r.size("MPI_Request"))
			comm, request := make([]byte, x.a.size("MPI_Comm")), make([]byte, x.a.size("MPI_Request"))
			f, arguments := x.with(function, map[string]sample{
				"newcomm": {label: "a communicator", size: len(comm), a: comm, give: rComm},
				"request": {label: "a request", size: len(request), a: request, give: rRequest, found: func(b []byte) error {
					request = bytes.Clone(b[:len(request)])
					return nil
				}},
			})
			require.NoError(t, x.call(f, arguments, 0))
			where := len(arguments) - 2 // the variable for the communicator; MPI_Wait below does not change it

			null := x.in("MPI_REQUEST_NULL", 8)
			wait := x.spec["MPI_Wait"]
			ignored := x.samples(wait, 1)
			require.NoError(t, x.call(wait, []sample{
				{label: "the request", size: len(request), a: request, r: rRequest, give: null.r[:len(rRequest)], found: exactly(null.a[:len(request)])},
				ignored[len(ignored)-1](),
			}, 0))
			comm = bytes.Clone(x.arena[where][:len(comm)])
			assert.False(t, x.predefined[handle{"COMM", int64(le(comm))}])
			assert.NoError(t, x.use("COMM", comm, rComm), function)
		}
	})
}

// The object that an MPI_T handle is bound to has the kind in the variable's information (MPI-4.0,
// 14.3.2).
func TestToolObjects(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		for _, variable := range []struct {
			function, info string
			bind           int // the argument of info that returns the kind
		}{{"MPI_T_cvar_handle_alloc", "MPI_T_cvar_get_info", 8}, {"MPI_T_pvar_handle_alloc", "MPI_T_pvar_get_info", 9}} {
			for _, kind := range sorted(objects) {
				bind, bindable := x.r.value("MPI_T_BIND_MPI_" + kind)
				if !bindable || kind == "SESSION" {
					continue
				}
				for i := range x.scripts {
					if s := &x.scripts[i]; s.function == x.number[variable.info]+1 {
						copy(s.arguments[variable.bind].bytes[:], encode(bind, 4))
					}
				}
				a, r := x.create(kind)
				f, arguments := x.with(variable.function, map[string]sample{
					"obj_handle": {label: kind, size: 8, a: encode(a, x.a.size(objectTypes[kind])), r: encode(r, x.r.size(objectTypes[kind]))},
				})
				assert.NoError(t, x.call(f, arguments, 0))
			}
		}
	})
}

// The conversions from C to Fortran: predefined handles have the family's own numbers, every handle
// is converted back, and a file has the runtime's number.
func TestFortranHandles(t *testing.T) {
	names := map[string]string{"COMM": "Comm", "DATATYPE": "Type", "ERRHANDLER": "Errhandler", "GROUP": "Group", "INFO": "Info",
		"MESSAGE": "Message", "OP": "Op", "REQUEST": "Request", "WIN": "Win", "FILE": "File", "SESSION": "Session"}
	forEachPair(t, func(t *testing.T, x *tester) {
		convert := func(function string, word int64) int64 {
			x.function = x.number[function]
			x.words[0] = word
			require.NoError(t, x.step())
			return x.returned
		}
		for _, kind := range sorted(names) {
			to, from := "MPI_"+names[kind]+"_c2f", "MPI_"+names[kind]+"_f2c"
			rTo, rFrom := to, from
			if x.a.Family.Family == "mpiabi" {
				to, from = "MPI_"+names[kind]+"_toint", "MPI_"+names[kind]+"_fromint"
			}
			if x.r.Family.Family == "mpiabi" {
				rTo, rFrom = "MPI_"+names[kind]+"_toint", "MPI_"+names[kind]+"_fromint"
			}
			if _, ok := x.a.Functions[to]; !ok {
				continue // a macro in that family
			}
			size := x.a.size(objectTypes[kind])
			for _, name := range sorted(x.a.Handles) {
				if h := x.a.Handles[name]; h.Kind == kind && (h.Symbol != "" || x.a.HandleBits == 64) && h.Fortran != nil {
					a, _ := x.a.value(name)
					assert.Equal(t, *h.Fortran, int64(int32(convert(to, a))), "%s(%s)", to, name)
					assert.Equal(t, encode(a, size), encode(convert(from, *h.Fortran), size), "%s of %s", from, name)
				}
			}
			a, r := x.create(kind)
			f := int64(0)
			s := &x.scripts[0]
			*s = script{function: x.number[rTo] + 1, returns: 777}
			f = int64(int32(convert(to, a)))
			switch wide := x.r.HandleBits == 64 && x.a.HandleBits == 64; {
			case wide && kind == "REQUEST":
				// Handles at a small distance from the first one get negative numbers of wi4go.
				assert.Negative(t, f, to)
				assert.Nil(t, x.last(rTo), "the runtime gets a call for the number")
			case wide || kind == "FILE":
				// The runtime's numbers are greater than predefined handles' numbers.
				want := int64(777)
				switch {
				case kind != "FILE" && x.r.Family.Family == "mpiabi":
					want += 8192
				case x.a.Family.Family == "mpiabi":
					want += 4096
				}
				assert.Equal(t, want, f, to)
				require.NotNil(t, x.last(rTo))
				assert.Equal(t, r, x.last(rTo).words[0])
			}
			*s = script{function: x.number[rFrom] + 1, returns: r}
			assert.Equal(t, encode(a, size), encode(convert(from, f), size), "%s and %s of a dynamic handle", to, from)
			if kind != "REQUEST" || x.r.HandleBits != 64 || x.a.HandleBits != 64 {
				continue
			}
			// A handle next to it, as in a library that numbers its requests, has a number of wi4go
			// or of the library.
			for _, step := range []int64{1, 2, 4, 8, 16} {
				*s = script{function: x.number[rTo] + 1, returns: 777}
				f := int64(int32(convert(to, a+step)))
				asked := x.last(rTo) != nil
				*s = script{function: x.number[rFrom] + 1, returns: r + step}
				assert.Equal(t, encode(a+step, size), encode(convert(from, f), size), "%s and %s of a handle %d on", to, from, step)
				back := x.last(rFrom)
				require.Equal(t, asked, back != nil, "%s and %s of a handle %d on", to, from, step)
				if asked {
					assert.Equal(t, int64(777), int64(int32(back.words[0])), "%s of a handle %d on", from, step)
				}
			}
		}
	})
}

// The Fortran forms of a status are the C form as integers.
func TestFortranStatuses(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		want := x.a.pack(status{source: 1, tag: 2, err: 3, count: 1<<33 + 1})
		for _, function := range []string{"c2f", "f2c", "c2f08", "f082c", "f082f", "f2f08"} {
			name := "MPI_Status_" + function
			if _, ok := x.a.Functions[name]; !ok {
				continue
			}
			x.function = x.number[name]
			x.words[0], x.words[1] = x.store(0, want), x.store(1, make([]byte, 64))
			require.NoError(t, x.step())
			assert.Zero(t, int32(x.returned), name)
			assert.Equal(t, want, x.arena[maxArgs-1][256:256+len(want)], name)
			assert.Nil(t, x.last(name), name)
		}
	})
}

// The version is the lower of both sides'. The library's text has the form of the program's family
// and contains the runtime's text.
func TestVersion(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		s := &x.scripts[0]
		*s = script{function: x.number["MPI_Get_version"] + 1}
		for i, v := range []int64{9, 0} {
			s.arguments[i].give = int64(copy(s.arguments[i].bytes[:], encode(v, 4)))
		}
		x.function = x.number["MPI_Get_version"]
		x.words[0], x.words[1] = x.store(0, nil), x.store(1, nil)
		require.NoError(t, x.step())
		level, _ := x.a.value("MPI_VERSION")
		assert.LessOrEqual(t, int64(le(x.arena[maxArgs-1][:4])), level)

		*s = script{function: x.number["MPI_Get_library_version"] + 1}
		long := strings.Repeat("z", int(x.r.Constants["MPI_MAX_LIBRARY_VERSION_STRING"])-1)
		s.arguments[0].give = int64(copy(s.arguments[0].bytes[:], long+"\x00"))
		x.function = x.number["MPI_Get_library_version"]
		limit := int(x.a.Constants["MPI_MAX_LIBRARY_VERSION_STRING"])
		for i := range x.arena[0] {
			x.arena[0][i] = guard
		}
		x.words[0], x.words[1] = x.a.address["arena"], x.store(0, nil)
		require.NoError(t, x.step())
		text, _, ended := strings.Cut(string(x.arena[0][:limit]), "\x00")
		assert.True(t, ended)
		assert.Equal(t, byte(guard), x.arena[0][limit])
		assert.Equal(t, len(text), int(le(x.arena[maxArgs-1][:4])))
		assert.True(t, strings.HasPrefix(text, of(map[string]string{"openmpi": "Open MPI v", "mpich": "MPICH Version:", "mpiabi": "MPI standard ABI 1.0"}, x.a, made.introduction)), text)
		assert.Contains(t, text, "zzz")
	})
}

// Fields of a status that a program reads and writes by functions, without the runtime.
func TestStatusFields(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		for field, offset := range map[string]int{"source": x.a.Types["MPI_Status"].Fields["MPI_SOURCE"], "tag": x.a.Types["MPI_Status"].Fields["MPI_TAG"],
			"error": x.a.Types["MPI_Status"].Fields["MPI_ERROR"]} {
			set, get := "MPI_Status_set_"+field, "MPI_Status_get_"+field
			if _, ok := x.a.Functions[set]; !ok {
				continue
			}
			where := x.store(0, make([]byte, x.a.Types["MPI_Status"].Size))
			out := x.store(1, make([]byte, 4))
			x.function, x.words[0], x.words[1] = x.number[set], where, 4711
			require.NoError(t, x.step())
			assert.EqualValues(t, 4711, int32(le(x.arena[maxArgs-1][offset:offset+4])), set)
			x.function, x.words[0], x.words[1] = x.number[get], where, out
			require.NoError(t, x.step())
			assert.EqualValues(t, 4711, int32(le(x.arena[maxArgs-1][256:260])), get)
			assert.Zero(t, x.nRecords, "the runtime was called")
		}
	})
}

// The front answers the queries of programs of the standard ABI about their ABI, whatever the
// runtime has (MPI-5.0, 20.4).
func TestAbi(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		if x.a.Family.Family != "mpiabi" {
			return
		}
		x.function, x.words[0], x.words[1] = x.number["MPI_Abi_get_version"], x.store(0, make([]byte, 4)), x.store(1, make([]byte, 4))
		require.NoError(t, x.step())
		assert.EqualValues(t, 1, le(x.arena[maxArgs-1][:4]))
		assert.EqualValues(t, 0, le(x.arena[maxArgs-1][256:260]))

		x.function = x.number["MPI_Abi_get_fortran_booleans"]
		x.words[0], x.words[1], x.words[2], x.words[3] = 4, x.store(0, []byte{9, 9, 9, 9}), x.store(1, []byte{9, 9, 9, 9}), x.store(2, make([]byte, 4))
		require.NoError(t, x.step())
		assert.Zero(t, int32(x.returned))
		assert.EqualValues(t, 1, le(x.arena[maxArgs-1][:4]), ".TRUE.")
		assert.EqualValues(t, 0, le(x.arena[maxArgs-1][256:260]), ".FALSE.")
		assert.EqualValues(t, 1, le(x.arena[maxArgs-1][512:516]), "is set")

		for _, name := range []string{"MPI_Abi_set_fortran_booleans", "MPI_Abi_set_fortran_info"} {
			x.function = x.number[name]
			require.NoError(t, x.step())
			class, _ := x.a.value("MPI_ERR_ABI")
			assert.EqualValues(t, class, int32(x.returned), name)
		}
		keys := map[string]string{}
		x.function, x.words[0] = x.number["MPI_Abi_get_info"], x.store(3, make([]byte, 8))
		x.scripts[0] = script{function: x.number["MPI_Info_set"] + 1}
		x.scripts[0].arguments[1].take, x.scripts[0].arguments[2].take = 40, 8
		require.NoError(t, x.step())
		for i := range x.nRecords {
			if r := &x.records[i]; r.function == x.number["MPI_Info_set"] {
				keys[cString(r.bytes[1][:])] = cString(r.bytes[2][:])
			}
		}
		assert.Equal(t, map[string]string{"mpi_aint_size": "8", "mpi_count_size": "8", "mpi_offset_size": "8"}, keys)

		// An info object that cannot be filled is freed.
		_, made := x.create("INFO")
		x.scripts[0] = script{function: x.number["MPI_Info_set"] + 1}
		x.scripts[0].returns, _ = x.r.value("MPI_ERR_NO_MEM")
		create := &x.scripts[len(x.scripts)-1]
		*create = script{function: x.number["MPI_Info_create"] + 1}
		create.arguments[0].give = int64(copy(create.arguments[0].bytes[:], encode(made, x.r.size("MPI_Info"))))
		x.function, x.words[0] = x.number["MPI_Abi_get_info"], x.store(3, make([]byte, 8))
		require.NoError(t, x.step())
		class, _ := x.a.value("MPI_ERR_NO_MEM")
		assert.EqualValues(t, class, int32(x.returned))
		assert.True(t, x.last("MPI_Info_free") != nil, "the info object that could not be filled")
	})
}

// cString returns the text before the final zero.
func cString(b []byte) string {
	text, _, _ := strings.Cut(string(b), "\x00")
	return text
}

// A library that checks for aliases finds the same array on both sides only if the program passes
// it twice (MPICH compares the arrays).
func TestOneArrayForBothSides(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		for _, name := range []string{"MPI_Alltoallw", "MPI_Ialltoallw"} {
			f := x.spec[name]
			send := slices.IndexFunc(f.Params, func(p param) bool { return p.Name == "sendtypes" })
			receive := slices.IndexFunc(f.Params, func(p param) bool { return p.Name == "recvtypes" })
			require.NoError(t, x.call(f, x.arguments(f), 0))
			r := x.last(name)
			assert.NotEqual(t, r.words[send], r.words[receive], name)
			x.words[send] = x.words[receive]
			require.NoError(t, x.step())
			r = x.last(name)
			assert.Equal(t, r.words[send], r.words[receive], name)
		}
	})
}

// A persistent collective operation that cannot give its communicator the error handler frees the
// communicator.
func TestPersistentWithoutErrorHandler(t *testing.T) {
	x := newTester(t, "openmpi", "mpich@3.4") // this library has no persistent collectives
	world, _ := x.a.value("MPI_COMM_WORLD")
	_, made := x.create("COMM")
	x.scripts[0] = script{function: x.number["MPI_Comm_split"] + 1}
	x.scripts[0].arguments[3].give = int64(copy(x.scripts[0].arguments[3].bytes[:], encode(made, 4)))
	refuse := &x.scripts[len(x.scripts)-1]
	for _, name := range []string{"MPI_Comm_get_errhandler", "MPI_Comm_set_errhandler"} {
		*refuse = script{function: x.number[name] + 1}
		refuse.returns, _ = x.r.value("MPI_ERR_NO_MEM")
		x.function = x.number["MPI_Barrier_init"]
		x.words[0] = world
		x.words[1], _ = x.a.value("MPI_INFO_NULL")
		x.words[2] = x.store(0, make([]byte, 8))
		require.NoError(t, x.step())
		class, _ := x.a.value("MPI_ERR_NO_MEM")
		assert.EqualValues(t, class, int32(x.returned), name)
		assert.True(t, x.last("MPI_Comm_free") != nil, "%s: the communicator is not freed", name)
	}
}
