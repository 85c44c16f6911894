// Package fake tests the translation without any MPI. A program of one family calls every function
// that both families have, through the front, over a fake runtime of the other family. The fake
// runtime records the arguments that reach it and answers as scripted.
//
// The package must not read funcs.json or mappers.json. Its expectations come from the standard
// (spec.json, kinds_test.go) and from the families' headers (abi/*.json); otherwise a wrong role
// would be in both.
package fake

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

// fronts returns the directory of the fronts: build/lib/wi4go, or WI4GO_FAKE_FRONTS.
func fronts(t testing.TB) string {
	directory := os.Getenv("WI4GO_FAKE_FRONTS")
	if directory == "" {
		directory = "../../build/lib/wi4go"
	}
	directory, err := filepath.Abs(directory)
	require.NoError(t, err)
	_, err = os.Stat(filepath.Join(directory, "libwi4go.so"))
	require.NoError(t, err, "the fronts are not built: make")
	return directory
}

// pairs are all pairs of two families.
var pairs = func() (list []struct{ from, to string }) {
	for _, from := range abi.Names() {
		for _, to := range abi.Names() {
			if from != to {
				list = append(list, struct{ from, to string }{from, to})
			}
		}
	}
	return list
}()

// of returns the value that is known for a family, or other.
func of[V any](known map[string]V, s *side, other V) V {
	if v, ok := known[s.Family.Family]; ok {
		return v
	}
	return other
}

// A tester is a session with the state that a test of calls needs.
type tester struct {
	*session
	spec    map[string]*function
	created int64 // the number of handles so far
	calls   int
	made    map[string][]maker // the samples of a parameter, by function and name
	renamed map[string]string  // functions that reach the runtime by another name
	classes map[int64][]int64  // the program's error classes by the runtime's

	acceptable map[handle]map[int64]bool
	predefined map[handle]bool

	left       [][]byte // the memory of the last call's arguments, and the guard after it
	peek       int64    // the number of bytes to record at special pointers
	keepReturn bool     // the caller itself checks the result and the outputs
	onDevice   bool     // the program's buffers are memory of a device
	finalized  bool     // the last call has finalized the library; the front itself answers some functions until it is initialized again

	trouble error // the error of a call that prepares another
}

// forEachPair runs a test for each pair, for as many at once as there are cores.
func forEachPair(t *testing.T, test func(t *testing.T, x *tester)) {
	for _, pair := range pairs {
		t.Run(pair.from+" on "+pair.to, func(t *testing.T) {
			t.Parallel()
			test(t, newTester(t, pair.from, pair.to))
		})
	}
}

func newTester(t *testing.T, from, to string, environment ...string) *tester {
	x := &tester{session: start(t, fronts(t), from, to, environment...), spec: loadSpec(t), made: map[string][]maker{}}
	x.helpers()
	x.index()
	x.classes = x.errors()
	return x
}

// helpers scripts the functions that a translation may call itself: every communicator has N
// processes, and each process has as many neighbors.
func (t *tester) helpers() {
	slot := 1
	answer := func(name string, answers map[int]int64) {
		s := &t.scripts[slot]
		slot++
		s.function = t.number[name] + 1
		for i, v := range answers {
			s.arguments[i].give = int64(copy(s.arguments[i].bytes[:], encode(v, 4)))
		}
	}
	answer("MPI_Comm_size", map[int]int64{1: int64(N)})
	answer("MPI_Comm_remote_size", map[int]int64{1: int64(N)})
	answer("MPI_Comm_test_inter", map[int]int64{1: 0})
	answer("MPI_Comm_rank", map[int]int64{1: 1})
	graph, _ := t.r.value("MPI_DIST_GRAPH")
	answer("MPI_Topo_test", map[int]int64{1: graph})
	answer("MPI_Dist_graph_neighbors_count", map[int]int64{1: int64(N), 2: int64(N), 3: 0})
	answer("MPI_T_cvar_get_num", map[int]int64{0: 1 << 30})
	answer("MPI_T_pvar_get_num", map[int]int64{0: 1 << 30})
	no, _ := t.r.value("MPI_T_BIND_NO_OBJECT")
	answer("MPI_T_cvar_get_info", map[int]int64{8: no})
	answer("MPI_T_pvar_get_info", map[int]int64{9: no})
}

// arguments returns plain arguments of a function, for calls that test one of them.
func (t *tester) arguments(f *function) []sample {
	list := make([]sample, len(f.Params))
	for i := range f.Params {
		list[i] = t.samples(f, i)[0]()
	}
	return list
}

// call makes one call, in which the runtime returns code. It returns an error if the runtime or the
// program got wrong values.
func (t *tester) call(f *function, arguments []sample, code int64) error {
	if t.trouble != nil {
		err := t.trouble
		t.trouble = nil
		return err
	}
	if t.finalized {
		t.function = t.number["MPI_Init"]
		t.scripts[0], t.words = script{function: t.function + 1}, [maxArgs]int64{}
		if err := t.step(); err != nil {
			return err
		}
	}
	t.finalized = f.Name == "MPI_Finalize" || f.Name == "MPI_Session_finalize"
	t.calls++
	t.function = t.number[f.Name]
	number := t.function
	if successor, ok := successors[f.Name]; ok {
		number = t.number[successor]
	}
	if name, ok := t.renamed[f.Name]; ok {
		number = t.number[name]
	}
	s := &t.scripts[0]
	s.function, s.returns = number+1, code
	loose := slices.IndexFunc(arguments, func(s sample) bool { return s.loose })
	for i := range f.Params {
		p, x := &f.Params[i], &arguments[i]
		s.arguments[i].take, s.arguments[i].give = 0, 0
		if !p.pointer() || x.special || p.Kind == "FUNCTION" {
			// The upper half of a register that holds an int has arbitrary bits.
			t.words[i] = int64(le(x.a))
			if p.pointer() {
				s.arguments[i].take = t.peek
				s.arguments[i].give = int64(copy(s.arguments[i].bytes[:], x.give))
			}
			if len(x.a) == 4 {
				t.words[i] = int64(le(x.a)) | 0x5eed<<32
			}
			continue
		}
		memory := t.arena[i][:x.size+64]
		for j := range memory {
			memory[j] = guard
		}
		copy(memory, x.a)
		t.words[i] = t.a.address["arena"] + int64(i)*room
		if loose < 0 || loose == i {
			s.arguments[i].take = int64(len(x.r))
		}
		if loose < 0 || loose == i || x.always {
			s.arguments[i].give = int64(copy(s.arguments[i].bytes[:], x.give))
		}
	}
	for i := len(f.Params); i < maxArgs; i++ {
		s.arguments[i].take, s.arguments[i].give = 0, 0
		t.words[i] = 0x5eed5eed5eed5eed
	}
	if err := t.step(); err != nil {
		return err
	}
	var reached []*record
	for i := int64(0); i < t.nRecords && i < int64(len(t.records)); i++ {
		if t.records[i].function == number {
			reached = append(reached, &t.records[i])
		}
	}
	if t.isNull(f, arguments) {
		return t.nullCompleted(f, arguments, len(reached))
	}
	if len(reached) != 1 {
		return fmt.Errorf("%s (any): reached the runtime %d times", f.Name, len(reached))
	}
	var problems []error
	problem := func(i int, format string, words ...any) {
		problems = append(problems, fmt.Errorf("%s.%s (%s): %s", f.Name, f.Params[i].Name, arguments[i].label, fmt.Sprintf(format, words...)))
	}
	for i := range f.Params {
		if x := &arguments[i]; x.r != nil && (loose < 0 || loose == i) {
			if err := t.arrived(f, &f.Params[i], x, reached[0], i); err != nil {
				problem(i, "arrived: %v", err)
			}
		}
	}
	found := make([][]byte, len(f.Params)) // copies, because a check may make other calls
	for i := range f.Params {
		x := &arguments[i]
		found[i] = bytes.Clone(t.arena[i][:x.size+64])
		if x.special || !f.Params[i].pointer() {
			continue
		}
		if x.size > 0 && !bytes.Equal(found[i][x.size:], bytes.Repeat([]byte{guard}, 64)) {
			problem(i, "written past the application's %d bytes", x.size)
		}
		if f.Params[i].Dir == "in" && x.size > 0 && x.give == nil && !bytes.HasPrefix(found[i], x.a) {
			problem(i, "the application's own has become %x", found[i][:x.size])
		}
	}
	t.left = found
	if t.keepReturn {
		return errors.Join(problems...)
	}
	if err := t.returnedAs(f, code); err != nil {
		problems = append(problems, fmt.Errorf("%s (the result): %w", f.Name, err))
	}
	if (code != 0 || refuses(reached[0], arguments)) && f.returnsError() {
		return errors.Join(problems...)
	}
	for i := range f.Params {
		x := &arguments[i]
		if x.special || !f.Params[i].pointer() {
			continue
		}
		if x.found != nil && !later[f.Name+"."+f.Params[i].Name] && (loose < 0 || loose == i) {
			if err := x.found(found[i]); err != nil {
				problem(i, "came back: %v", err)
			}
		}
	}
	t.left = found
	return errors.Join(problems...)
}

// isNull reports whether a call completes a single request which is null. The front answers such a
// call itself, unless it has no memory for the answer.
func (t *tester) isNull(f *function, arguments []sample) bool {
	if f.Name != "MPI_Wait" && f.Name != "MPI_Test" || arguments[0].special {
		return false
	}
	null := t.in("MPI_REQUEST_NULL", t.a.size("MPI_Request"))
	return bytes.Equal(arguments[0].a, null.a) && (f.Name == "MPI_Wait" || !arguments[1].special)
}

// nullCompleted checks this answer: the request is unchanged, and the status is empty.
func (t *tester) nullCompleted(f *function, arguments []sample, reached int) error {
	var problems []error
	wrong := func(format string, words ...any) {
		problems = append(problems, fmt.Errorf("%s of a null request: %s", f.Name, fmt.Sprintf(format, words...)))
	}
	if reached != 0 {
		wrong("reached the runtime")
	}
	if t.returned != 0 {
		wrong("returned %d", t.returned)
	}
	if !bytes.HasPrefix(t.arena[0][:], arguments[0].a) {
		wrong("the request has become %x", t.arena[0][:len(arguments[0].a)])
	}
	last := len(arguments) - 1
	if last == 2 && le(t.arena[1][:4]) != 1 {
		wrong("the flag is %d", le(t.arena[1][:4]))
	}
	t.left = make([][]byte, len(arguments))
	for i, x := range arguments {
		t.left[i] = bytes.Clone(t.arena[i][:x.size+64])
	}
	if arguments[last].special {
		return errors.Join(problems...)
	}
	empty := status{}
	empty.source, _ = t.a.value("MPI_ANY_SOURCE")
	empty.tag, _ = t.a.value("MPI_ANY_TAG")
	if got := t.a.unpack(t.arena[last][:]); got != empty {
		wrong("the status is %+v", got)
	}
	size := t.a.Types["MPI_Status"].Size
	if !bytes.Equal(t.arena[last][size:size+64], bytes.Repeat([]byte{guard}, 64)) {
		wrong("written past the status")
	}
	return errors.Join(problems...)
}

// surelyEnds reports whether the front may treat a request as finished when a call has completed
// it, whatever the runtime stores: in MPICH's programs a pooled request's number never belongs to a
// persistent request.
func (t *tester) surelyEnds(f *function, a int64) bool {
	return f.Name == "MPI_Wait" && t.a.size("MPI_Request") == 4 && int32(a) < 0
}

func le(b []byte) (v uint64) {
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// arrived compares an argument that the runtime got with the expected one.
func (t *tester) arrived(f *function, p *param, x *sample, r *record, i int) error {
	if !p.pointer() || x.special {
		got := encode(r.words[i], len(x.r))
		if x.arrived != nil {
			return x.arrived(got)
		}
		if !bytes.Equal(got, x.r) {
			return fmt.Errorf("got %#x, expected %#x", le(got), le(x.r))
		}
		return nil
	}
	if isNullFor(x, r, i) {
		return nil
	}
	if r.bad>>i&1 != 0 {
		return fmt.Errorf("got the address %#x, which is not mapped", r.words[i])
	}
	got := r.bytes[i][:len(x.r)]
	if x.arrived != nil {
		return x.arrived(got)
	}
	if p.Kind == "STATUS" && p.Dir == "in" && t.sameQueried(f, got, x.r) {
		return nil
	}
	if !bytes.Equal(got, x.r) {
		return fmt.Errorf("got %x, expected %x", got, x.r)
	}
	return nil
}

// isNullFor reports whether a null pointer has arrived for the argument i, x, an array with an invalid handle.
func isNullFor(x *sample, r *record, i int) bool {
	return r.bad>>i&1 != 0 && x.orNull && r.words[i] == 0
}

// refuses reports whether a runtime refuses a call, whatever the script returns, because of such a null pointer. It then
// stores no results.
func refuses(r *record, arguments []sample) bool {
	for i := range arguments {
		if isNullFor(&arguments[i], r, i) {
			return true
		}
	}
	return false
}

// returnsError reports whether a function's result is an error code.
func (f *function) returnsError() bool {
	return f.Returns == "int" && f.Name != "MPIX_Query_cuda_support"
}

// returnedAs compares the call's result with the runtime's.
func (t *tester) returnedAs(f *function, code int64) error {
	if !f.returnsError() {
		if f.Returns != "double" && t.returned != code {
			return fmt.Errorf("returned %#x, the runtime %#x", t.returned, code)
		}
		return nil
	}
	if got, want := int64(int32(t.returned)), t.classes[code]; !slices.Contains(want, got) {
		return fmt.Errorf("returned %d for the runtime's %d, expected %d", got, code, want)
	}
	return nil
}

// errors returns the program's error classes for each of the runtime's.
func (t *tester) errors() map[int64][]int64 {
	classes := map[int64][]int64{}
	for _, name := range t.named(constants["ERROR_CLASS"]) {
		a, onA := t.a.value(name)
		r, onR := t.r.value(name)
		if onA && onR {
			classes[r] = append(classes[r], a)
		}
	}
	return classes
}

// create creates an object and returns the program's handle and the runtime's.
func (t *tester) create(kind string) (a, r int64) {
	return t.createBy(objects[kind].creator, kind)
}

// persistent creates a request that remains when it completes.
func (t *tester) persistent() (a, r []byte) {
	av, rv := t.createBy("MPI_Recv_init", "REQUEST")
	return encode(av, t.a.size("MPI_Request")), encode(rv, t.r.size("MPI_Request"))
}

// createBy creates an object by a function.
func (t *tester) createBy(creator, kind string) (a, r int64) {
	f := t.spec[creator]
	arguments := t.arguments(f)
	i := slices.IndexFunc(f.Params, func(p param) bool { return handleKinds[p.Kind] == kind && p.Dir == "out" })
	r = t.fresh(kind)
	x := sample{label: "created", size: t.a.size(objectTypes[kind]), a: make([]byte, 8), give: encode(r, t.r.size(objectTypes[kind]))}
	x.a = x.a[:x.size]
	x.found = func(got []byte) error {
		a = int64(le(got[:x.size]))
		if x.size == 4 {
			a = int64(int32(a))
		}
		return nil
	}
	arguments[i] = x
	if err := t.call(f, arguments, 0); err != nil {
		t.trouble = fmt.Errorf("%s, which makes a handle: %w", f.Name, err)
	}
	return a, r
}

// use checks that the program's handle is converted to the runtime's.
func (t *tester) use(kind string, a, r []byte) error {
	f := t.spec[objects[kind].user]
	arguments := t.arguments(f)
	i := slices.IndexFunc(f.Params, func(p param) bool { return handleKinds[p.Kind] == kind && p.Dir != "out" })
	arguments[i] = sample{label: "the handle used", a: bytes.Clone(a), r: r, size: len(a)}
	if err := t.call(f, arguments, 0); err != nil {
		return fmt.Errorf("then in %s: %w", f.Name, err)
	}
	return nil
}

// Every function that both families have, with each value of each parameter and each error class as
// its result.
func TestFunctions(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		covered := x.everyFunction(t, func(*function) bool { return true })
		t.Logf("%d functions, %d calls", covered, x.calls)
		assert.Greater(t, covered, 400)
	})
}

// The same with arrays that are too long for the stack of a translation.
func TestLongArrays(t *testing.T) {
	before := N
	t.Cleanup(func() { N = before }) // which comes after the pairs
	N = 100
	forEachPair(t, func(t *testing.T, x *tester) {
		covered := x.everyFunction(t, func(f *function) bool {
			return slices.ContainsFunc(f.Params, func(p param) bool { return p.elements() > 1 })
		})
		assert.Greater(t, covered, 50)
	})
}

var (
	bsend         = regexp.MustCompile(`^MPI_(Bsend|Ibsend|Bsend_init|Buffer_attach|Buffer_detach)$`)
	attachesSmall = regexp.MustCompile(`^MPI_(Buffer_attach|Comm_attach_buffer|Session_attach_buffer)(_c)?$`)
)

// buffers reports whether a front does more than pass on a function of buffered sends. It emulates
// the function if it supports buffers of communicators and the library does not (tests/emulate), or
// replaces a buffer that the library would find too small (p2p_buffer).
func (t *tester) buffers(name string) bool {
	own := t.a.Functions["MPI_Buffer_flush"] != nil && t.r.Functions["MPI_Buffer_flush"] == nil
	return own && bsend.MatchString(name) || t.r.Traits.SmallBuffersRefused && attachesSmall.MatchString(name)
}

// regular returns the functions that both families have and the front passes on.
func (t *tester) regular(tt *testing.T) (list []*function) {
	for _, name := range t.functions {
		_, onA := t.a.Functions[name]
		_, onR := t.r.Functions[name]
		if !onA || !onR || irregular[name] != "" || t.buffers(name) {
			continue
		}
		require.NotNil(tt, t.spec[name], "spec.json lacks %s", name)
		list = append(list, t.spec[name])
	}
	return list
}

// everyFunction tests the chosen functions of those that both families have, and returns their number.
func (t *tester) everyFunction(tt *testing.T, chosen func(*function) bool) (covered int) {
	for _, f := range t.regular(tt) {
		if !chosen(f) {
			continue
		}
		covered++
		if f.Name == "MPI_Error_class" || f.Name == "MPI_Error_string" { // without the classes and codes that earlier calls have added
			t.renew(tt)
		}
		t.test(tt, f)
		if t.dead {
			t.renew(tt)
		}
	}
	return covered
}

// renew starts the program again.
func (t *tester) renew(tt *testing.T) {
	calls := t.calls
	*t = *newTester(tt, t.a.Family.Family, t.r.Family.Family)
	t.calls = calls
}

// test tests one function. It reports a few problems of each parameter.
func (t *tester) test(tt *testing.T, f *function) {
	reported := map[string]int{}
	ok := func(arguments []sample, code int64) bool { // reports whether to continue
		err := t.call(f, arguments, code)
		if err == nil {
			return true
		}
		for _, line := range strings.Split(err.Error(), "\n") {
			description, _, _ := strings.Cut(line, " (")
			if reported[description]++; reported[description] < 4 {
				tt.Error(line)
			}
		}
		return !t.dead
	}
	for i := range f.Params {
		for _, make := range t.samples(f, i) {
			arguments := t.arguments(f)
			arguments[i] = make()
			if !ok(arguments, 0) {
				return
			}
		}
	}
	if !f.returnsError() {
		ok(t.arguments(f), 1)
		return
	}
	for _, code := range sortedKeys(t.classes) {
		if !ok(t.arguments(f), code) {
			return
		}
	}
}

func sortedKeys[V any](m map[int64]V) []int64 {
	var keys []int64
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
