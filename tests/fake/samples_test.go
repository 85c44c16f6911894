package fake

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"
)

// N is the length of the arrays in a call.
var N = 2

// A value is one element of an argument: a for the program, r for the runtime. dynamic: both are created together with
// the call.
type value struct {
	label   string
	a, r    int64
	dynamic bool
	lacking bool // the runtime has no such handle; it gets the null handle
	foreign bool // the program has no name for the runtime's handle r
}

// A sample is one argument of a call.
type sample struct {
	label string
	// special: the argument itself is the word a and must arrive as r, although the parameter is a pointer.
	special bool
	// The value that the program passes (for a pointer: in memory), and the value that must arrive: nil is not checked.
	a, r []byte
	// A check of the arrived value, in place of a comparison with r.
	arrived func([]byte) error
	// The value that the runtime stores through the pointer, or nil; and the program's memory afterwards.
	give  []byte
	found func([]byte) error
	// always: it stores that even if another argument is loose.
	always bool
	// The size of the program's memory: nothing after it may change.
	size int
	// loose: with this value the call's other arguments mean nothing, or something else.
	loose bool
	// orNull: a null pointer may arrive, which the runtime refuses.
	orNull bool
}

type maker func() sample

func encode(v int64, size int) []byte {
	b := make([]byte, 8)
	binary.LittleEndian.PutUint64(b, uint64(v))
	return b[:size]
}

func exactly(want []byte) func([]byte) error {
	return func(got []byte) error {
		if !bytes.HasPrefix(got, want) {
			return fmt.Errorf("got %x, expected %x", got[:len(want)], want)
		}
		return nil
	}
}

// kindOf returns the row of constants that a parameter may have.
func kindOf(f *function, p *param) string {
	if kind, corrected := ofParameter[f.Name+"."+p.Name]; corrected {
		return kind
	}
	if p.Length != "" && noRanks.MatchString(f.Name) && strings.HasPrefix(p.Kind, "RANK") && p.Name != "ranks2" {
		return ""
	}
	if _, ok := constants[p.Kind+" out"]; ok && p.Dir != "in" {
		return p.Kind + " out"
	}
	return p.Kind
}

// values returns the interesting values of an integer or handle parameter. The first is for calls that test another
// parameter.
func (s *session) values(f *function, p *param) []value {
	if kind, ok := handleKinds[p.Kind]; ok {
		return s.handles(kind)
	}
	row := kindOf(f, p)
	named := s.named(constants[row])
	used := map[int64]bool{}
	var list []value
	for _, name := range named {
		a, onA := s.a.value(name)
		r, onR := s.r.value(name)
		if onA {
			used[a] = true
		}
		if onR {
			used[r] = true
		}
		if onA && onR {
			list = append(list, value{label: name, a: a, r: r})
		}
	}
	if bits[p.Kind] {
		all := value{label: "all bits"}
		for _, v := range list {
			all.a |= v.a
			all.r |= v.r
		}
		list = append(list, all)
		for i := len(list) - 2; i > 0; i-- {
			list = append(list, value{label: list[i-1].label + "|" + list[i].label, a: list[i-1].a | list[i].a, r: list[i-1].r | list[i].r})
		}
		return append([]value{{label: "0"}}, list...)
	}
	// Ordinary values are unchanged.
	plain := []int64{1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, -1, -2, -3, -4, -5, 234, 1 << 20}
	switch {
	case strings.HasPrefix(row, "ERROR_"), row == "SPLIT_TYPE", row == "KEYVAL":
		// A value without a name may have another meaning there.
		return list
	case p.Kind == "ARRAY_LENGTH" && p.Dir == "out":
		plain = []int64{int64(N), 0}
	case row == "INDEX out" && p.Length == "": // the request that changes is the last one
		plain = append([]int64{int64(N) - 1}, plain...)
	case p.Kind == "STRING_LENGTH" && p.Dir == "out": // of the string that belongs to it
		plain = []int64{7}
	case f.Name == "MPI_Status_set_cancelled": // any nonzero flag arrives as 1
		return []value{{label: "1", a: 1, r: 1}, {label: "0"}, {label: "2", a: 2, r: 1}, {label: "-1", a: -1, r: 1}}
	}
	var numbers []value
	for _, v := range plain {
		if !used[v] {
			numbers = append(numbers, value{label: fmt.Sprint(v), a: v, r: v})
		}
	}
	return append(numbers, list...)
}

// handles returns the predefined handles and a dynamic one.
func (s *session) handles(kind string) []value {
	plain := objects[kind].plain
	common := map[int64]bool{}
	for name := range s.a.Handles {
		if r, ok := s.r.Handles[name]; ok && r.Kind == kind {
			v, _ := s.a.value(name)
			common[v] = true
		}
	}
	var list []value
	for _, name := range sorted(s.a.Handles) {
		r, both := s.r.Handles[name]
		if s.a.Handles[name].Kind != kind || both && r.Kind != kind {
			continue
		}
		v := value{label: name}
		v.a, _ = s.a.value(name)
		if both {
			v.r, _ = s.r.value(name)
		} else if (kind == "DATATYPE" || kind == "OP") && !common[v.a] {
			v.r, _ = s.r.value(objects[kind].null) // a type that the runtime lacks
			v.label, v.lacking = name+", which only the application has", true
		} else {
			continue
		}
		if name == plain {
			list = append([]value{v}, list...)
		} else {
			list = append(list, v)
		}
	}
	known := map[int64]bool{}
	for _, v := range list {
		known[v.r] = true
	}
	null, _ := s.r.value(objects[kind].null)
	for _, name := range sorted(s.r.Handles) {
		r, _ := s.r.value(name)
		if _, both := s.a.Handles[name]; s.r.Handles[name].Kind == kind && !both && !known[r] && r != null {
			list = append(list, value{label: name + ", which only the runtime has", r: r, foreign: true})
		}
	}
	return append(list, value{label: "a dynamic handle", dynamic: true})
}

// index prepares comesBack: the program's names for each predefined handle of the runtime, and the predefined ones
// among the program's handles. One object can have several names.
func (t *tester) index() {
	t.acceptable, t.predefined = map[handle]map[int64]bool{}, map[handle]bool{}
	for name, h := range t.a.Handles {
		a, _ := t.a.value(name)
		t.predefined[handle{h.Kind, a}] = true
		if other, ok := t.r.Handles[name]; ok && other.Kind == h.Kind {
			r, _ := t.r.value(name)
			key := handle{h.Kind, r}
			if t.acceptable[key] == nil {
				t.acceptable[key] = map[int64]bool{}
			}
			t.acceptable[key][a] = true
		}
	}
}

type handle struct {
	kind  string
	value int64
}

// fresh returns an unused handle of the runtime. MPICH's are of the direct kinds and, for requests and groups, also of
// the builtin kind. Open MPI's are addresses, some of them far from the others.
func (t *tester) fresh(kind string) int64 {
	t.created++
	if t.r.size(objectTypes[kind]) == 4 {
		top := map[string]int64{"COMM": 0x84, "GROUP": 0x88, "DATATYPE": 0x8c, "ERRHANDLER": 0x94, "OP": 0x98, "INFO": 0x9c,
			"WIN": 0xa0, "REQUEST": 0xac, "MESSAGE": 0xac, "SESSION": 0xb8}[kind]
		if t.created%3 == 0 && (kind == "REQUEST" || kind == "GROUP") {
			top -= 0x40
		}
		return int64(int32(top<<24 | 0x100 + t.created))
	}
	if t.created%5 == 0 {
		return 0x550000000000 + t.created*8 // far from the others, and no multiple of 16
	}
	return 0x7e1000000000 + t.created*64
}

var objectTypes = map[string]string{
	"COMM": "MPI_Comm", "DATATYPE": "MPI_Datatype", "ERRHANDLER": "MPI_Errhandler", "FILE": "MPI_File", "GROUP": "MPI_Group", "INFO": "MPI_Info",
	"MESSAGE": "MPI_Message", "OP": "MPI_Op", "REQUEST": "MPI_Request", "SESSION": "MPI_Session", "WIN": "MPI_Win",
}

// elements returns the number of elements of the parameter in a call.
func (p *param) elements() int {
	switch {
	case p.Length == "n*3":
		return 3 * N
	case p.Length != "", strings.HasPrefix(p.Name, "array_of_") && p.pointer():
		return N
	}
	return 1
}

// samples returns the arguments that a parameter is tested with. The first is for calls that test another parameter.
func (t *tester) samples(f *function, i int) []maker {
	key := f.Name + "." + f.Params[i].Name
	if t.made[key] == nil {
		t.made[key] = t.makers(f, i)
	}
	return t.made[key]
}

func (t *tester) makers(f *function, i int) []maker {
	p := &f.Params[i]
	name := f.Name + "." + p.Name
	aSize, rSize := t.a.size(p.element()), t.r.size(p.element())
	switch p.Kind {
	case "VARARGS":
		return one(sample{})
	case "FUNCTION":
		return one(sample{label: "a function", a: encode(t.a.address["callback"], 8)})
	case "EXTRA_STATE", "EXTRA_STATE2": // tested with the functions: TestCallbacks
		x := t.address(i, "an address", 0)
		x.r = nil
		return one(x)
	case "BUFFER", "ATTRIBUTE_VAL", "ATTRIBUTE_VAL_10", "C_BUFFER", "C_BUFFER2", "ARGUMENT_COUNT", "ARGUMENT_LIST",
		"STRING_ARRAY", "STRING_2DARRAY", "TOOL_MPI_OBJ":
		if !p.pointer() {
			break
		}
		if p.Type == "void *" && p.Dir == "out" && p.Kind != "BUFFER" { // the address of a pointer
			b := encode(t.a.address["arena"]+15*room, 8)
			return one(sample{label: "an address", size: 8, a: bytes.Repeat([]byte{0}, 8), give: b, found: exactly(b)})
		}
		x := t.address(i, "an address", 0)
		if p.Kind == "BUFFER" && t.onDevice {
			x = t.deviceMemory(i)
		}
		list := append(one(x), one(t.address(i, "NULL", 1))...)
		for _, v := range []int64{2, 3} { // special in one family for another kind
			if p.Kind == "BUFFER" && !attaches.MatchString(f.Name) {
				list = append(list, one(sample{label: fmt.Sprint(v), special: true, a: encode(v, 8), r: encode(v, 8)})...)
			}
		}
		if attaches.MatchString(f.Name) && p.Kind == "BUFFER" {
			list = append(list, t.pointers("MPI_BUFFER_AUTOMATIC")...)
		}
		if inPlace.MatchString(name) {
			list = append(list, t.pointers("MPI_IN_PLACE")...)
		}
		return list
	case "STATUS":
		return t.statuses(f, p)
	case "STRING":
		return t.strings(f, p)
	}
	if p.Type == "const char *" || p.Type == "char *" {
		return t.strings(f, p)
	}
	length := false // another parameter's length
	for _, q := range f.Params {
		length = length || q.Length == p.Name || q.Length == p.Name+"*3"
	}
	var list []maker
	if length && p.Dir == "in" {
		for _, v := range []int64{int64(N), 0, -1} {
			list = append(list, one(sample{label: fmt.Sprint(v), a: encode(v, aSize), r: encode(v, rSize), loose: v != int64(N)})...)
		}
		return list
	}
	if p.Kind == "LOGICAL" && p.Dir == "out" && p.Length == "" {
		for _, v := range []int64{1, 0} {
			list = append(list, one(sample{label: fmt.Sprint(v), size: 4, a: encode(0, 4), give: encode(v, 4), found: exactly(encode(v, 4)), loose: v == 0})...)
		}
		return list
	}
	values := t.values(f, p)
	if _, ok := onlyDynamic[name]; ok {
		return t.variants(f, p, values[0], values[len(values)-1])
	}
	for _, v := range values {
		list = append(list, t.variants(f, p, values[0], v)...)
	}
	switch {
	case p.Kind == "WEIGHT":
		list = list[:1]
		list = append(list, t.pointers("MPI_UNWEIGHTED")...)
		if p.Dir == "in" {
			list = append(list, t.pointers("MPI_WEIGHTS_EMPTY")...)
		}
	case p.Kind == "ERROR_CODE" && p.pointer() && p.elements() > 1:
		list = append(list, t.pointers("MPI_ERRCODES_IGNORE")...)
	case p.pointer() && p.Dir != "in" && strings.HasPrefix(f.Name, "MPI_T_") && strings.HasSuffix(f.Name, "_get_info"):
		list = append(list, one(sample{label: "NULL", special: true, a: encode(0, 8), r: encode(0, 8)})...)
	}
	return list
}

func one(s sample) []maker { return []maker{func() sample { return s }} }

// address returns an address in the program's memory, which must arrive unchanged.
func (t *tester) address(i int, label string, null int64) sample {
	a := t.a.address["arena"] + int64(i)*room
	if null != 0 {
		a = 0
	}
	return sample{label: label, special: true, a: encode(a, 8), r: encode(a, 8)}
}

// deviceMemory returns an address in memory that only a device may use: the pages allow no access.
func (t *tester) deviceMemory(i int) sample {
	a := encode(t.a.address["device"]+int64(i)*room, 8)
	return sample{label: "memory of a device", special: true, a: a, r: a}
}

// pointers returns address constants that both families have.
func (t *tester) pointers(name string) []maker {
	a, onA := t.a.value(name)
	r, onR := t.r.value(name)
	if !onA || !onR {
		return nil
	}
	return one(sample{label: name, special: true, a: encode(a, 8), r: encode(r, 8), loose: name == "MPI_IN_PLACE"})
}

// variants returns the arguments in which the last element is v and the others are plain.
func (t *tester) variants(f *function, p *param, plain, v value) []maker {
	aSize, rSize := t.a.size(p.element()), t.r.size(p.element())
	kind := handleKinds[p.Kind]
	n := p.elements()
	join := func(last []byte, first int64, size int) []byte {
		return append(bytes.Repeat(encode(first, size), n-1), last...)
	}
	in := func() (a, r []byte) {
		va, vr := v.a, v.r
		if v.dynamic {
			va, vr = t.create(kind)
		}
		return join(encode(va, aSize), plain.a, aSize), join(encode(vr, rSize), plain.r, rSize)
	}
	switch {
	case v.foreign && p.Dir != "out":
		return nil
	case !p.pointer(), p.Dir == "in":
		return []maker{func() sample {
			a, r := in()
			// A predefined attribute has a value of another kind: TestAttributes.
			loose := p.Kind == "KEYVAL" && strings.Contains(f.Name, "get") && v.label != plain.label
			return sample{label: v.label, a: a, r: r, size: len(a), loose: loose}
		}}
	case p.Dir == "out":
		loose := p.Kind == "INDEX" && p.Length == "" || p.Kind == "ARRAY_LENGTH"
		return []maker{func() sample {
			s := sample{label: v.label, size: n * aSize, a: bytes.Repeat([]byte{0}, n*aSize), loose: loose && v.label != plain.label}
			last := v.r
			if v.dynamic {
				last = t.fresh(kind)
			}
			s.give = join(encode(last, rSize), plain.r, rSize)
			if kind == "REQUEST" && !v.dynamic {
				return s // no call that starts an operation returns MPI_REQUEST_NULL
			}
			s.found = func(got []byte) error {
				if err := exactly(join(nil, plain.a, aSize))(got); err != nil {
					return err
				}
				return t.comesBack(kind, v, last, got[(n-1)*aSize:n*aSize])
			}
			return s
		}}
	}
	// Input and output: the object or number is unchanged, or the object ends.
	stays := func() sample {
		a, r := in()
		if kind == "REQUEST" && v.dynamic && t.surelyEnds(f, int64(le(a))) {
			a, r = t.persistent()
		}
		return sample{label: v.label + " stays", a: a, r: r, give: r, found: exactly(a), size: len(a)}
	}
	if kind == "" && p.Kind != "KEYVAL" {
		return []maker{stays}
	}
	null := "MPI_KEYVAL_INVALID"
	if kind != "" {
		null = objects[kind].null
	}
	goes := func() sample {
		a, r := in()
		aNull, _ := t.a.value(null)
		rNull, _ := t.r.value(null)
		return sample{label: v.label + " becomes " + null, a: a, r: r, give: join(encode(rNull, rSize), plain.r, rSize),
			found: exactly(join(encode(aNull, aSize), plain.a, aSize)), size: len(a)}
	}
	switch {
	case v.lacking:
		return nil
	case v.dynamic && !keeps.MatchString(f.Name):
		return []maker{stays, goes}
	case kind == "":
		return []maker{goes}
	}
	return []maker{stays}
}

// comesBack checks the program's value for the runtime's r.
func (t *tester) comesBack(kind string, v value, r int64, got []byte) error {
	size := len(got)
	number := int64(binary.LittleEndian.Uint64(append(append([]byte(nil), got...), make([]byte, 8-size)...)))
	if size == 4 {
		number = int64(int32(number))
	}
	switch {
	case kind == "":
		return exactly(encode(v.a, size))(got)
	case !v.dynamic && !v.foreign:
		if set := t.acceptable[handle{kind, r}]; len(set) > 0 && !set[number] {
			return fmt.Errorf("got %#x, expected %s (%#x)", number, v.label, v.a)
		}
		return nil
	case t.predefined[handle{kind, number}]:
		return fmt.Errorf("got %#x, a predefined handle", number)
	}
	return t.use(kind, got, encode(r, t.r.size(objectTypes[kind])))
}

// strings returns the samples of a string. Inputs must arrive. Outputs are truncated to the program's limit, except for
// a port's name, which a hash replaces.
func (t *tester) strings(f *function, p *param) []maker {
	if p.Dir == "in" {
		if p.pointer() {
			return one(sample{label: "a string", a: []byte("abcdefg\x00"), r: []byte("abcdefg\x00"), size: 8})
		}
		return nil
	}
	short := []byte("abcdefg\x00")
	list := one(sample{label: "a string", size: 8, a: bytes.Repeat([]byte{0}, 8), give: short, found: exactly(short)})
	limit, limited := limits[f.Name+"."+p.Name]
	if limited {
		a, r := t.a.Constants[limit], t.r.Constants[limit]
		long := append(bytes.Repeat([]byte("x"), int(r)-1), 0)
		want := long
		if r > a {
			want = append(bytes.Repeat([]byte("x"), int(a)-1), 0)
			if limit == "MPI_MAX_PORT_NAME" {
				hash := fnv.New64a()
				hash.Write(long[:r-1])
				want = fmt.Appendf(nil, "wi4go-port:%016x\x00", hash.Sum64())
			}
		}
		list = one(sample{label: "a string", size: int(a), a: bytes.Repeat([]byte{0}, int(a)), give: short, found: exactly(short)})
		list = append(list, one(sample{label: "a string as long as the runtime's limit", size: int(a), a: bytes.Repeat([]byte{0}, int(a)), give: long, found: exactly(want)})...)
	}
	if strings.HasPrefix(f.Name, "MPI_T_") {
		list = append(list, one(sample{label: "NULL", special: true, a: encode(0, 8), r: encode(0, 8)})...)
	}
	return list
}
