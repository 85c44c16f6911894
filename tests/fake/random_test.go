package fake

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const (
	usualCalls   = 1500  // random calls of each pair
	sequence     = 50000 // calls in one process
	crowd        = 24    // objects of a kind before one is freed
	reserve      = 70    // slots that a thread keeps for its next requests, and a few more
	rest         = 1024  // slots of the registry that stay free before one is reused (shim/tracked)
	recordSlots  = "REQUEST with a record"
	severalWrong = 10   // failed calls of a sequence that are reported
	grownKB      = 1024 // growth of the process's own memory in a long sequence
)

// found are sequences that failed once, by their seeds.
var found = []struct {
	seed  int
	wrong string
}{
	{1, "a keyval at a null pointer, to be freed, ended the process"},
	{2, "a null pointer for a new keyval did not reach the runtime"},
}

// frees are the functions that end an object.
var frees = map[string]string{
	"COMM": "MPI_Comm_free", "DATATYPE": "MPI_Type_free", "ERRHANDLER": "MPI_Errhandler_free", "FILE": "MPI_File_close", "GROUP": "MPI_Group_free",
	"INFO": "MPI_Info_free", "MESSAGE": "MPI_Mrecv", "OP": "MPI_Op_free", "REQUEST": "MPI_Wait", "SESSION": "MPI_Session_finalize", "WIN": "MPI_Win_free",
}

// plainTypes matches the types of numbers that may have any value, except for kinds that are lengths.
var (
	plainTypes = regexp.MustCompile(`^(int|MPI_Aint|MPI_Count|MPI_Offset)$`)
	lengths    = regexp.MustCompile(`LENGTH|^(INDEX|WEIGHT|LOGICAL|KEYVAL|SPLIT_TYPE|ERROR_.*)$`)
	unasked    = regexp.MustCompile(`^(STATUS|FUNCTION|EXTRA_STATE2?)$`)
	borrows    = regexp.MustCompile(`^MPI_(Comm_get_parent|Type_create_f90_.*|Type_match_size|Type_get_value_index|T_.*)$`) // their objects are not the program's
	spawns     = regexp.MustCompile(`^MPI_Comm_(spawn|accept|connect)`)                                                     // many of their arguments are significant only at the root
)

// An object is a pair of handles: the program's and the runtime's.
type object struct{ a, r int64 }

// dice make random calls.
type dice struct {
	*tester
	*rand.Rand
	live, freed map[string][]object
	plain       map[string][]value // predefined handles
	valid       map[handle]bool    // the runtime's handles

	// the current call's
	code   int64
	quiet  bool // no object ends in it
	taken  map[handle]bool
	drawn  [maxArgs][]value // the values that its output handles stand for
	wrong  bool             // an argument in it that the front may refuse
	lowest map[string]int64
	top    map[string]int64 // slots of tables
	most   map[string]int
	kept   map[string]int // slots of objects that were created as arguments and remain
}

func newDice(x *tester, seed int) *dice {
	d := &dice{tester: x, Rand: rand.New(rand.NewPCG(uint64(seed), 1)), live: map[string][]object{}, freed: map[string][]object{},
		plain: map[string][]value{}, valid: map[handle]bool{}, lowest: map[string]int64{}, top: map[string]int64{}, most: map[string]int{}, kept: map[string]int{}}
	for kind := range objects {
		for _, v := range x.handles(kind) {
			if !v.dynamic {
				d.plain[kind] = append(d.plain[kind], v)
			}
		}
	}
	for name, h := range x.r.Handles {
		if r, _ := x.r.value(name); name != objects[h.Kind].null {
			d.valid[handle{h.Kind, r}] = true
		}
	}
	return d
}

func (d *dice) oneIn(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d *dice, list []T) T { return list[d.IntN(len(list))] }

// object returns a live object that is not yet in the call.
func (d *dice) object(kind string) (object, bool) {
	for range 4 {
		if len(d.live[kind]) == 0 {
			break
		}
		if o := pick(d, d.live[kind]); !d.taken[handle{kind, o.a}] {
			d.taken[handle{kind, o.a}] = true
			return o, true
		}
	}
	return object{}, false
}

// adopt takes an object that a call has created.
func (d *dice) adopt(kind string, o object) {
	d.live[kind] = append(d.live[kind], o)
	d.freed[kind] = slices.DeleteFunc(d.freed[kind], func(f object) bool { return f.a == o.a })
	d.valid[handle{kind, o.r}] = true
	if d.a.size(objectTypes[kind]) == 4 && (kind != "REQUEST" || o.a > 0) {
		table, slot := kind, o.a&0x3fffff
		if null, _ := d.a.value("MPI_REQUEST_NULL"); kind == "REQUEST" && o.a>>26 == null>>26 {
			table, slot = recordSlots, o.a&0xfffff
		}
		if _, known := d.lowest[table]; !known || slot < d.lowest[table] {
			d.lowest[table] = slot
		}
		d.top[table] = max(d.top[table], slot)
		d.most[table] = max(d.most[table], len(d.live[kind]))
	}
}

// ended removes one reference to an object.
func (d *dice) ended(kind string, o object) {
	i := slices.Index(d.live[kind], o)
	d.live[kind] = slices.Delete(d.live[kind], i, i+1)
	if slices.Contains(d.live[kind], o) {
		return
	}
	delete(d.valid, handle{kind, o.r})
	if d.freed[kind] = append(d.freed[kind], o); len(d.freed[kind]) > crowd {
		d.freed[kind] = d.freed[kind][1:]
	}
}

// bad returns a handle that stands for no object of the kind. It is never an unmapped address, because the program
// would crash with it natively, too. Nor is it a number that an MPICH program could have for a request: see
// RATIONALE.md.
func (d *dice) bad(kind string) (int64, bool) {
	size := d.a.size(objectTypes[kind])
	var a int64
	switch d.IntN(4) {
	case 0:
		if len(d.freed[kind]) == 0 {
			return 0, false
		}
		a = pick(d, d.freed[kind]).a
	case 1: // a handle of another kind
		other := pick(d, sorted(objects))
		if other == kind || d.a.size(objectTypes[other]) != size {
			return 0, false
		}
		a = pick(d, d.plain[other]).a
		if len(d.live[other]) > 0 && d.oneIn(2) {
			a = pick(d, d.live[other]).a
		}
	case 2:
		a = int64(d.IntN(4096))
	case 3:
		a = int64(int32(d.Uint32()))
		if size == 8 {
			a = d.a.address["arena"] + 64*int64(d.IntN(16))
		}
	}
	nowhere := size == 8 && a > 0 && a>>62 != 0 && kind != "REQUEST" // the handle of a tracked request, which is no address
	if size == 4 && kind == "REQUEST" && a < 0 || nowhere || d.predefined[handle{kind, a}] || slices.ContainsFunc(d.live[kind], func(o object) bool { return o.a == a }) {
		return 0, false
	}
	return a, true
}

// in draws an input handle. bad: the runtime must not get an object for it.
func (d *dice) in(kind string, only bool) (v value, bad bool) {
	switch n := d.IntN(8); {
	case n == 0 && !only:
		if a, ok := d.bad(kind); ok {
			return value{label: "no handle", a: a}, true
		}
	case n < 5 || only:
		if o, ok := d.object(kind); ok {
			return value{label: "a dynamic handle", a: o.a, r: o.r, dynamic: true}, false
		}
		if only {
			return value{}, false
		}
	}
	for {
		if v = pick(d, d.plain[kind]); !v.foreign {
			return v, false
		}
	}
}

// refused checks that the value that arrived for a bad handle is no object.
func (d *dice) refused(kind string, a int64, got []byte) error {
	v := int64(le(got))
	if len(got) == 4 {
		v = int64(int32(v))
	}
	if d.valid[handle{kind, v}] {
		return fmt.Errorf("%#x, which is no handle of the kind %s, has become the handle %#x", a, kind, v)
	}
	return nil
}

func (d *dice) handle(f *function, i int, kind string) sample {
	p := &f.Params[i]
	ctype := p.element()
	aSize, rSize := d.a.size(ctype), d.r.size(ctype)
	n := p.elements()
	if p.Dir == "out" {
		return d.handlesOut(f, i, kind)
	}
	var s sample
	var values []value
	var bads []int
	for j := range n {
		v := d.plain[kind][0]
		bad := false
		if p.Dir == "in" || j == n-1 {
			v, bad = d.in(kind, onlyDynamic[f.Name+"."+p.Name] != "")
		}
		if v.label == "" {
			return d.usual(f, i)
		}
		if bad {
			bads = append(bads, j)
			d.wrong = true
		}
		values = append(values, v)
		s.a, s.r = append(s.a, encode(v.a, aSize)...), append(s.r, encode(v.r, rSize)...)
	}
	s.label, s.size = values[n-1].label, n*aSize
	s.loose = len(bads) > 0 && kind == "COMM"
	s.orNull = len(bads) > 0
	expected := bytes.Clone(s.r)
	s.arrived = func(got []byte) error {
		for j := range n {
			if got := got[j*rSize : (j+1)*rSize]; slices.Contains(bads, j) {
				if err := d.refused(kind, values[j].a, got); err != nil {
					return err
				}
			} else if !bytes.Equal(got, expected[j*rSize:(j+1)*rSize]) {
				return fmt.Errorf("element %d: got %x, expected %x", j, got, expected[j*rSize:(j+1)*rSize])
			}
		}
		return nil
	}
	if p.Dir == "in" {
		return s
	}
	if len(bads) > 0 || values[n-1].lacking {
		return s
	}
	s.found = exactly(s.a)
	s.give = s.r
	if last := values[n-1]; last.dynamic && !d.quiet && !keeps.MatchString(f.Name) && (d.oneIn(2) || kind == "REQUEST" && d.surelyEnds(f, last.a)) {
		aNull, _ := d.a.value(objects[kind].null)
		rNull, _ := d.r.value(objects[kind].null)
		s.label += " that ends"
		s.give = append(bytes.Clone(s.r[:(n-1)*rSize]), encode(rNull, rSize)...)
		s.found = exactly(append(bytes.Clone(s.a[:(n-1)*aSize]), encode(aNull, aSize)...))
		d.ended(kind, object{last.a, last.r})
	}
	return s
}

// usual returns the first sample of an argument. For a handle it creates an object, or two, which nothing frees.
func (d *dice) usual(f *function, i int) sample {
	d.kept[handleKinds[f.Params[i].Kind]] += 2
	return d.samples(f, i)[0]()
}

func (d *dice) handlesOut(f *function, i int, kind string) sample {
	p := &f.Params[i]
	aSize, rSize := d.a.size(p.element()), d.r.size(p.element())
	n := p.elements()
	s := sample{label: "handles", size: n * aSize, a: make([]byte, n*aSize), always: n == 1}
	values := make([]value, n)
	for j := range values {
		v := pick(d, d.plain[kind])
		for v.lacking {
			v = pick(d, d.plain[kind])
		}
		if !borrows.MatchString(f.Name) && (kind == "REQUEST" || d.oneIn(2)) {
			v = value{label: "a dynamic handle", r: d.fresh(kind), dynamic: true}
			if o, ok := d.object(kind); ok && kind != "REQUEST" && kind != "MESSAGE" && d.oneIn(8) {
				v.r = o.r // a second object
			}
		}
		values[j] = v
		s.give = append(s.give, encode(v.r, rSize)...)
	}
	d.drawn[i] = values
	s.found = func(got []byte) error {
		for j, v := range values {
			if err := d.comesBack(kind, v, v.r, got[j*aSize:(j+1)*aSize]); err != nil {
				return fmt.Errorf("element %d: %w", j, err)
			}
		}
		return nil
	}
	return s
}

// number draws an ordinary number, or one with a special meaning.
func (d *dice) number(f *function, p *param) sample {
	aSize, rSize := d.a.size(p.element()), d.r.size(p.element())
	known := d.values(f, p)
	special := func(v int64) bool {
		return slices.ContainsFunc(d.named(constants[kindOf(f, p)]), func(name string) bool {
			a, onA := d.a.value(name)
			r, onR := d.r.value(name)
			return onA && a == v || onR && r == v
		})
	}
	s := sample{label: "numbers"}
	for range p.elements() {
		v := pick(d, known)
		if !bits[p.Kind] && d.oneIn(2) {
			number := int64(d.Uint64()) >> d.IntN(64)
			if min(aSize, rSize) == 4 {
				number = int64(int32(number))
			}
			if !special(number) {
				v = value{a: number, r: number}
			}
		}
		s.a, s.r = append(s.a, encode(v.a, aSize)...), append(s.r, encode(v.r, rSize)...)
	}
	s.size = len(s.a)
	if !p.pointer() || p.Dir == "in" {
		return s
	}
	s.give, s.found = s.r, exactly(s.a)
	if p.Dir == "out" {
		s.a, s.r = make([]byte, s.size), nil
	}
	return s
}

// argument draws one argument of a call.
func (d *dice) argument(f *function, i int) sample {
	p := &f.Params[i]
	measures := slices.ContainsFunc(f.Params, func(q param) bool { return q.Length == p.Name || q.Length == p.Name+"*3" })
	switch kind := handleKinds[p.Kind]; {
	case kind != "":
		return d.handle(f, i, kind)
	case spawns.MatchString(f.Name) && p.Type != "char *":
		return d.usual(f, i)
	case plainTypes.MatchString(p.element()) && !measures && !lengths.MatchString(p.Kind):
		return d.number(f, p)
	}
	return pick(d, d.samples(f, i))()
}

// null reports whether a null pointer is a valid test for an argument: the library refuses it, or does not read it. Not
// for the request of a call that starts an operation, nor for a status: the front writes those without a check.
func null(p *param) bool {
	return p.pointer() && !(p.Kind == "REQUEST" && p.Dir == "out") && !unasked.MatchString(p.Kind)
}

// knows reports whether a number is an error class of the program that the library lacks: the library never returns it,
// and the front answers it itself.
func (d *dice) knows(code int64) bool {
	return slices.ContainsFunc(d.named(constants["ERROR_CLASS"]), func(name string) bool {
		class, ok := d.a.value(name)
		return ok && class == code
	})
}

// random makes one random call of a function.
func (d *dice) random(f *function) error {
	d.code, d.quiet, d.wrong, d.taken, d.drawn = 0, false, false, map[handle]bool{}, [maxArgs][]value{}
	d.keepReturn = false
	codes := sortedKeys(d.classes)
	unnamed := false
	switch n := d.IntN(10); {
	case !f.returnsError():
		d.code = 1
	case n < 3:
		d.code = pick(d, codes)
	case n == 3:
		d.code = int64(int32(d.Uint32()) >> d.IntN(32))
		if unnamed = d.classes[d.code] == nil; unnamed && d.knows(d.code) {
			unnamed, d.code = false, pick(d, codes)
		}
	}
	d.quiet = d.code != 0
	arguments := make([]sample, len(f.Params))
	loose := false
	one := func(i int) {
		x := d.argument(f, i)
		if x.loose && loose {
			x = d.usual(f, i)
		}
		loose = loose || x.loose
		d.quiet = d.quiet || loose
		arguments[i] = x
	}
	for _, later := range []bool{false, true} { // arguments that depend on whether objects end come last
		for i := range f.Params {
			if (handleKinds[f.Params[i].Kind] != "" && f.Params[i].Dir == "inout") == later {
				one(i)
			}
		}
	}
	if !loose && d.quiet && d.oneIn(4) && len(f.Params) > 0 && !unnamed && f.returnsError() {
		if i := d.IntN(len(f.Params)); null(&f.Params[i]) {
			arguments[i] = sample{label: "a null pointer", special: true, loose: true, a: encode(0, 8), r: encode(0, 8)}
			d.wrong, d.drawn[i] = true, nil
		}
	}
	if d.keepReturn = unnamed; unnamed {
		d.quiet = true
	}
	err := d.call(f, arguments, d.code)
	d.keepReturn = false
	if err != nil && d.wrong && d.nRecords == 0 && d.returned != 0 && !d.dead {
		err = nil
	}
	if err != nil {
		var labels []string
		for _, x := range arguments {
			labels = append(labels, x.label)
		}
		return fmt.Errorf("%s(%s), for which the runtime returns %d: %w", f.Name, strings.Join(labels, ", "), d.code, err)
	}
	if unnamed && !d.isNull(f, arguments) {
		return d.unnamed(f)
	}
	return d.after(f)
}

// unnamed checks that a code without a class collides with none of the program's, and is converted back to the
// runtime's.
func (d *dice) unnamed(f *function) error {
	code := int64(int32(d.returned))
	for _, names := range d.classes {
		if slices.Contains(names, code) {
			return fmt.Errorf("%s returned %d for the code %d, which no class has", f.Name, code, d.code)
		}
	}
	g, arguments := d.with("MPI_Error_class", map[string]sample{"errorcode": number(code, d.code)})
	if err := d.call(g, arguments, 0); err != nil {
		return fmt.Errorf("the code %d, from %d: %w", code, d.code, err)
	}
	return nil
}

// after takes the objects that the call has created. A failed call has created none, but may have stored the null
// handle. Into the place of a request the library may write by itself.
func (d *dice) after(f *function) error {
	for i := range f.Params {
		kind := handleKinds[f.Params[i].Kind]
		size := d.a.size(f.Params[i].element())
		for j, v := range d.drawn[i] {
			left := d.left[i][j*size : (j+1)*size]
			a := int64(le(left))
			if size == 4 {
				a = int64(int32(a))
			}
			null, _ := d.a.value(objects[kind].null)
			switch {
			case d.code != 0 && f.returnsError():
				if a != 0 && a != null && kind != "REQUEST" {
					return fmt.Errorf("%s.%s: has failed, and left the handle %#x", f.Name, f.Params[i].Name, a)
				}
			case v.dynamic && a != 0 && !d.predefined[handle{kind, a}]:
				d.adopt(kind, object{a, v.r})
			}
		}
	}
	return nil
}

// free ends one object.
func (d *dice) free(kind string) error {
	o := d.live[kind][0]
	f := d.spec[frees[kind]]
	arguments := d.arguments(f)
	i := slices.IndexFunc(f.Params, func(p param) bool { return handleKinds[p.Kind] == kind && p.Dir == "inout" })
	size, rSize := d.a.size(objectTypes[kind]), d.r.size(objectTypes[kind])
	aNull, _ := d.a.value(objects[kind].null)
	rNull, _ := d.r.value(objects[kind].null)
	arguments[i] = sample{label: "freed", size: size, a: encode(o.a, size), r: encode(o.r, rSize), give: encode(rNull, rSize), found: exactly(encode(aNull, size))}
	d.ended(kind, o)
	return d.call(f, arguments, 0)
}

// memory returns the program's own memory in KB.
func (d *dice) memory(t *testing.T) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.command.Process.Pid))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(b), "RssAnon:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return kb
}

// Long sequences of random calls with random arguments, valid and invalid. WI4GO_FUZZ is their number for each pair,
// WI4GO_FUZZ_SEED the first seed.
func TestRandomCalls(t *testing.T) {
	calls, seed := harness.Number(t, "WI4GO_FUZZ", usualCalls), harness.Number(t, "WI4GO_FUZZ_SEED", 1)
	for _, pair := range pairs {
		t.Run(pair.from+" on "+pair.to, func(t *testing.T) {
			t.Parallel()
			for _, f := range found {
				if f.seed != seed {
					randomSequence(t, pair.from, pair.to, f.seed, usualCalls)
				}
			}
			for done := 0; done < calls && !t.Failed(); done += sequence {
				randomSequence(t, pair.from, pair.to, seed+done/sequence, min(sequence, calls-done))
			}
		})
	}
}

// addedEarlier matches the errors of calls that the front answers for the numbers of error classes that earlier calls have added: for texts
// in place of the runtime, and for classes that the runtime returns as unknown (tests/outside).
var addedEarlier = regexp.MustCompile(`: MPI_Error_string \(any\): reached the runtime 0 times$|: MPI_Error_class\.errorclass \(MPI_ERR_UNKNOWN\): came back: `)

func randomSequence(t *testing.T, from, to string, seed, calls int) {
	d := newDice(newTester(t, from, to), seed)
	var functions []*function
	for _, f := range d.regular(t) {
		if !later[f.Name+".newcomm"] { // TestIdup
			functions = append(functions, f)
		}
		if f.Name == "MPI_Comm_split" { // twice, for the similar functions that the front emulates: the sequences above do not change
			functions = append(functions, f)
		}
	}
	middle, wrong := 0, 0
	for n := range calls {
		f := pick(d, functions)
		err := d.random(f)
		if err != nil && !d.dead && addedEarlier.MatchString(err.Error()) {
			continue
		}
		if err != nil {
			t.Errorf("seed %d, call %d: %v", seed, n, err)
			if wrong++; wrong > severalWrong || d.dead {
				return
			}
		}
		for kind := range d.live {
			for len(d.live[kind]) > crowd {
				require.NoError(t, d.free(kind), "seed %d, after call %d", seed, n)
			}
		}
		if n == calls/2 {
			middle = d.memory(t)
		}
	}
	grown := d.memory(t) - middle
	for kind := range d.live {
		for len(d.live[kind]) > 0 {
			require.NoError(t, d.free(kind), "seed %d, at the end", seed)
		}
	}
	for kind, top := range d.top {
		limit := d.most[kind] + d.kept[kind] + reserve
		if kind == recordSlots {
			limit += rest
		}
		assert.LessOrEqual(t, top-d.lowest[kind], int64(limit), "seed %d: slots of the kind %s of which no more than %d were alive at once", seed, kind, d.most[kind])
	}
	assert.LessOrEqual(t, grown, grownKB, "seed %d: KB of memory in the second half", seed)
	t.Logf("seed %d: %d calls, memory grew by %d KB; slots %v for %v", seed, d.calls, grown, d.top, d.most)
}
