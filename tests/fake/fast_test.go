package fake

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The cases that the fast paths (gen/assembly/fast_path.go) handle and those that they leave to C
// meet here in one call. The general test varies one argument at a time.

// started creates a request with a function and returns the program's handle and the runtime's.
func (t *tester) started(tt *testing.T, function string) (a, r []byte) {
	size := t.a.size("MPI_Request")
	r = encode(t.fresh("REQUEST"), t.r.size("MPI_Request"))
	f, arguments := t.with(function, map[string]sample{
		"request": {label: "made", size: size, a: make([]byte, size), give: r, found: func(b []byte) error {
			a = bytes.Clone(b[:size])
			return nil
		}},
	})
	require.NoError(tt, t.call(f, arguments, 0))
	return a, r
}

// MPI_Waitall with as many requests as its loop handles in pairs, one more and one less, and with
// too many; all of one kind, and with a persistent, a null and a tracked request among them; with
// plain and special statuses, and with statuses that the runtime has not written.
func TestWaitall(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		random := rand.New(rand.NewPCG(1, 2))
		null := x.in("MPI_REQUEST_NULL", 8)
		null.a, null.r = null.a[:x.a.size("MPI_Request")], null.r[:x.r.size("MPI_Request")]
		_, aStatuses, rStatuses := x.statusValues()
		size := x.a.Types["MPI_Status"].Size
		const untouched = 0x5a5a
		before := status{source: 77, tag: 78, err: untouched, count: 79, cancelled: true}
		for _, n := range []int{1, 2, 3, 4, 5, 31, 32, 33, 100} {
			for variant := range 8 {
				mixed, special, ignored := variant&1 != 0, variant&2 != 0, variant&4 != 0
				var a, r, give, found, statuses []byte
				var expected []status
				// The MPICH family writes nothing into the statuses of sends; here, of the last ones.
				written := n
				if !x.r.Traits.SendsReportProcNull {
					written = n - n/3
				}
				for i := range n {
					kind := "a message"
					if mixed {
						kind = []string{"a message", "persistent", "null", "ours"}[random.IntN(4)]
					}
					var ai, ri []byte
					gi, fi := null.r, null.a
					switch kind {
					case "a message":
						ai, ri = x.started(t, "MPI_Irecv")
					case "persistent": // it remains
						ai, ri = x.started(t, "MPI_Recv_init")
						gi, fi = ri, ai
					case "null":
						ai, ri = null.a, null.r
					case "ours":
						ai, ri = x.started(t, "MPI_Comm_idup")
					}
					a, r, give, found = append(a, ai...), append(r, ri...), append(give, gi...), append(found, fi...)
					which := 0
					if special {
						which = random.IntN(len(rStatuses))
					}
					want := aStatuses[which]
					if i >= written {
						want = status{source: before.source, tag: before.tag}
					} else {
						statuses = append(statuses, x.r.pack(rStatuses[which])...)
					}
					want.err = 0
					expected = append(expected, want)
				}
				label := fmt.Sprintf("%d requests, mixed %v, special %v, ignored %v", n, mixed, special, ignored)
				requests := sample{label: label, size: len(a), a: a, r: r, give: give, found: exactly(found)}
				f, arguments := x.with("MPI_Waitall", map[string]sample{
					"count":             number(int64(n), int64(n)),
					"array_of_requests": requests,
					"array_of_statuses": {label: label, size: n * size, a: bytes.Repeat(x.a.pack(before), n), give: statuses, found: func(b []byte) error {
						for i, want := range expected {
							if got := x.a.unpack(b[i*size:]); got != want {
								return fmt.Errorf("status %d: got %+v, expected %+v", i, got, want)
							}
						}
						return nil
					}},
				})
				if ignored {
					arguments[2] = x.pointers("MPI_STATUSES_IGNORE")[0]()
				}
				require.NoError(t, x.call(f, arguments, 0), label)
				if ignored {
					continue
				}

				// An error that is not in the statuses leaves them unchanged. Completed requests
				// are null.
				failing := slices.Clone(arguments)
				failing[1].a, failing[1].r = bytes.Repeat(null.a, n), bytes.Repeat(null.r, n)
				failing[1].give = nil
				other := x.in("MPI_ERR_OTHER", 4)
				require.NoError(t, x.call(f, failing, int64(le(other.r))))
				assert.Equal(t, bytes.Repeat(x.a.pack(before), n), x.arena[2][:n*size], label)
			}
		}
	})
}

// The functions that complete some or all of an array of requests, or none: with requests of every
// kind, some of them complete, with statuses in which the runtime has reported success or not, and
// with flags and indices for no completion.
func TestSome(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		random := rand.New(rand.NewPCG(3, 4))
		size := x.a.Types["MPI_Status"].Size
		null := x.in("MPI_REQUEST_NULL", 8)
		null.a, null.r = null.a[:x.a.size("MPI_Request")], null.r[:x.r.size("MPI_Request")]
		undefined, _ := x.a.value("MPI_UNDEFINED")
		labels, aStatuses, rStatuses := x.statusValues()
		const untouched = 0x5a5a
		before := status{source: 77, tag: 78, err: untouched, count: 79, cancelled: true}
		for _, function := range []string{"MPI_Waitany", "MPI_Testany", "MPI_Waitsome", "MPI_Testsome", "MPI_Testall"} {
			one, all := strings.HasSuffix(function, "any"), function == "MPI_Testall"
			for round := range 64 {
				n := []int{1, 2, 2, 3, 31, 32, 33}[random.IntN(7)]
				mixed, ignored, nothing := round&1 != 0, round&2 != 0, random.IntN(4) == 0
				var a, r, give, found, indices, statuses []byte
				expected := []status{}
				index, over := undefined, 0
				for i := range n {
					kind := "a message"
					if mixed {
						kind = []string{"a message", "persistent", "null", "ours"}[random.IntN(4)]
					}
					ends := !nothing && (all || random.IntN(2) == 0 && (!one || over == 0))
					var ai, ri []byte
					switch kind {
					case "a message":
						ai, ri = x.started(t, "MPI_Irecv")
					case "persistent":
						ai, ri = x.started(t, "MPI_Recv_init")
					case "null":
						ai, ri = null.a, null.r
						ends = ends && all
					case "ours":
						ai, ri = x.started(t, "MPI_Comm_idup")
					}
					a, r = append(a, ai...), append(r, ri...)
					if ends && kind != "persistent" {
						give, found = append(give, null.r...), append(found, null.a...)
					} else {
						give, found = append(give, ri...), append(found, ai...)
					}
					if !ends {
						continue
					}
					index = int64(i)
					over++
					indices = append(indices, encode(int64(i), 4)...)
					which := 0
					if round&4 != 0 {
						which = random.IntN(len(rStatuses))
					}
					want, given := aStatuses[which], rStatuses[which]
					want.err, given.err = untouched, 0x1234
					if !one && random.IntN(2) == 0 {
						want.err, given.err = 0, 0
					}
					if labels[which] == emptyStatus {
						want.err = 0
					}
					expected = append(expected, want)
					statuses = append(statuses, x.r.pack(given)...)
				}
				for over == 0 && len(expected) < n && !one || len(expected) == 0 {
					expected = append(expected, before)
				}
				label := fmt.Sprintf("%s of %d requests, round %d, %d over", function, n, round, over)
				set := map[string]sample{
					"array_of_requests": {label: label, size: len(a), a: a, r: r, give: give, found: exactly(found)},
				}
				count := "count"
				place := "array_of_statuses"
				flag := 0
				if over > 0 || all && !nothing {
					flag = 1
				}
				places := n
				switch {
				case all:
				case one:
					set["indx"] = sample{label: label, size: 4, a: make([]byte, 4), give: encode(index, 4), found: exactly(encode(index, 4))}
					place, places = "status", 1
				default:
					count = "incount"
					outcount := int64(over)
					if nothing && round&8 != 0 {
						outcount = undefined
					}
					set["outcount"] = sample{label: label, size: 4, a: make([]byte, 4), give: encode(outcount, 4), found: exactly(encode(outcount, 4))}
					set["array_of_indices"] = sample{label: label, size: 4 * n, a: make([]byte, 4*n), give: indices, found: exactly(indices)}
				}
				set[count] = number(int64(n), int64(n))
				if function == "MPI_Testany" || all {
					set["flag"] = sample{label: label, size: 4, a: make([]byte, 4), give: encode(int64(flag), 4), found: exactly(encode(int64(flag), 4))}
				}
				set[place] = sample{label: label, size: places * size, a: bytes.Repeat(x.a.pack(before), places), give: statuses, found: func(b []byte) error {
					for i := range places {
						want := before
						if i < len(expected) {
							want = expected[i]
						}
						if got := x.a.unpack(b[i*size:]); got != want {
							return fmt.Errorf("status %d: got %+v, expected %+v", i, got, want)
						}
					}
					return nil
				}}
				if ignored && one {
					set[place] = x.pointers("MPI_STATUS_IGNORE")[0]()
				} else if ignored {
					set[place] = x.pointers("MPI_STATUSES_IGNORE")[0]()
				}
				f, arguments := x.with(function, set)
				require.NoError(t, x.call(f, arguments, 0), label)

				// The same for the remaining requests, in a call that fails.
				if !mixed {
					again := sample{label: label, size: len(a), a: found, r: give, give: bytes.Repeat(null.r, n)}
					arguments[1] = again
					other := x.in("MPI_ERR_OTHER", 4)
					require.NoError(t, x.call(f, arguments, int64(le(other.r))), label)
					assert.Equal(t, bytes.Repeat(null.a, n), x.arena[1][:len(found)], label)
				}
			}
		}
	})
}

// Ranks below 0 in a call that bails out to C because a handle is not found directly: they are
// converted only once.
func TestFarHandles(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		var near, far sample
		pick := func() sample {
			a, r := x.create("DATATYPE")
			return sample{label: "a datatype", a: encode(a, x.a.size("MPI_Datatype")), r: encode(r, x.r.size("MPI_Datatype"))}
		}
		near = pick()
		far = pick()
		if len(near.a) == 4 { // a table: beyond its first chunk
			for int64(le(far.a))&0x3fffff < 0x10000 {
				far = pick()
			}
		}
		for _, dest := range append(constants["RANK"], "") {
			for _, source := range append(constants["RANK"], "") {
				for _, types := range [][2]sample{{near, near}, {near, far}, {far, near}, {far, far}} {
					set := map[string]sample{"sendtype": types[0], "recvtype": types[1], "dest": number(2, 2), "source": number(3, 3)}
					if dest != "" {
						set["dest"] = x.in(dest, 4)
					}
					if source != "" {
						set["source"] = x.in(source, 4)
					}
					f, arguments := x.with("MPI_Sendrecv", set)
					require.NoError(t, x.call(f, arguments, 0), "dest %s, source %s", dest, source)
				}
			}
		}
		// The runtime refuses values that are no handle or a handle of another kind.
		for _, bad := range []int64{0, 1, 0x7fffffff} {
			f, arguments := x.with("MPI_Sendrecv", map[string]sample{
				"sendtype": {label: "no datatype", a: encode(bad, len(near.a))}, "recvtype": near, "source": x.in("MPI_ANY_SOURCE", 4),
			})
			if len(near.a) == 8 && bad > 1 {
				continue // an address, where memory would have to be
			}
			assert.NoError(t, x.call(f, arguments, 0))
		}
	})
}

// Any source and any tag together with every other special and invalid rank and tag, in registers
// and on the stack, also if the call bails out to C.
func TestWildcards(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		named := func(role string) (list []sample) {
			for _, name := range constants[role] {
				_, onA := x.a.value(name)
				_, onR := x.r.value(name)
				if onA && onR {
					list = append(list, x.in(name, 4))
				}
			}
			return append(list, number(3, 3), number(-77, -77))
		}
		// An invalid handle is not found directly.
		comms := []sample{x.arguments(x.spec["MPI_Barrier"])[0], {label: "no communicator", a: encode(0, x.a.size("MPI_Comm"))}}
		for _, name := range strings.Fields("MPI_Recv MPI_Irecv MPI_Recv_init MPI_Probe MPI_Iprobe MPI_Sendrecv MPI_Sendrecv_replace") {
			f := x.spec[name]
			dests, sendtags := named("RANK")[:1], named("TAG")[:1]
			tag := "tag"
			if strings.HasPrefix(name, "MPI_Sendrecv") {
				dests, sendtags, tag = named("RANK"), []sample{x.in("MPI_ANY_TAG", 4), number(4, 4)}, "recvtag"
			}
			for _, comm := range comms {
				if onlyDynamic[name+".comm"] != "" && x.r.Family.Family == "openmpi" && comm.label == comms[1].label {
					continue // refused earlier: kinds_test.go
				}
				for _, source := range named("RANK") {
					for _, received := range named("TAG") {
						for _, dest := range dests {
							for n, sendtag := range sendtags {
								set := map[string]sample{"comm": comm, "source": source, tag: received}
								if tag == "recvtag" {
									set["dest"], set["sendtag"] = dest, sendtag
								}
								if n == 1 && tag == "recvtag" {
									ignored := x.pointers("MPI_STATUS_IGNORE")[0]()
									ignored.r, ignored.give = nil, x.r.pack(status{source: 3, tag: 5}) // C itself passes MPI_STATUS_IGNORE
									set["status"] = ignored
								}
								g, arguments := x.with(f.Name, set)
								require.NoError(t, x.call(g, arguments, 0), "%s: source %s, tag %s, dest %s, tag %s", name, source.label, received.label, dest.label, sendtag.label)
							}
						}
					}
				}
			}
		}
	})
}

// An object that the runtime returns twice has one handle in a table, which ends with the second free.
func TestSharedObject(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		size := x.a.size("MPI_Datatype")
		r := encode(x.fresh("DATATYPE"), x.r.size("MPI_Datatype"))
		null := x.in("MPI_DATATYPE_NULL", 8)
		var handles [][]byte
		for range 2 {
			f, arguments := x.with("MPI_Type_contiguous", map[string]sample{
				"newtype": {label: "made", size: size, a: make([]byte, size), give: r, found: func(b []byte) error {
					handles = append(handles, bytes.Clone(b[:size]))
					return nil
				}},
			})
			require.NoError(t, x.call(f, arguments, 0))
		}
		require.Equal(t, handles[0], handles[1])
		for i := range 2 {
			require.NoError(t, x.use("DATATYPE", handles[0], r), "after %d frees", i)
			f, arguments := x.with("MPI_Type_free", map[string]sample{
				"datatype": {label: "freed", size: size, a: handles[0], r: r, give: null.r[:len(r)], found: exactly(null.a[:size])},
			})
			require.NoError(t, x.call(f, arguments, 0))
		}
		if size == 4 {
			assert.Error(t, x.use("DATATYPE", handles[0], r), "a handle that has ended still leads to its object")
		}
		// The runtime may leave a freed object's handle unchanged.
		a, kept := x.create("DATATYPE")
		handle, left := encode(a, size), encode(kept, len(r))
		f, arguments := x.with("MPI_Type_free", map[string]sample{
			"datatype": {label: "left", size: size, a: handle, r: left, give: left, found: exactly(handle)},
		})
		require.NoError(t, x.call(f, arguments, 0))
		assert.NoError(t, x.use("DATATYPE", handle, left))
	})
}
