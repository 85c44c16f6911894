package fake

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A status has the fields of MPI_Status. Each family's layout is from its mpi.h.
type status struct {
	source, tag, err int64
	count            uint64
	cancelled        bool
}

func (s *side) pack(v status) []byte {
	layout := s.Types["MPI_Status"]
	b := make([]byte, layout.Size)
	put := func(field string, v int64) {
		if offset, ok := layout.Fields[field]; ok {
			binary.LittleEndian.PutUint32(b[offset:], uint32(v))
		}
	}
	put("MPI_SOURCE", v.source)
	put("MPI_TAG", v.tag)
	put("MPI_ERROR", v.err)
	cancelled := int64(0)
	if v.cancelled {
		cancelled = 1
	}
	put("_cancelled", cancelled)
	put("count_lo", int64(uint32(v.count)))
	put("count_hi_and_cancelled", int64(v.count>>32)<<1|cancelled)
	if offset, ok := layout.Fields["_ucount"]; ok {
		binary.LittleEndian.PutUint64(b[offset:], v.count)
	}
	if offset, ok := layout.Fields["MPI_internal"]; ok && s.otherWords {
		binary.LittleEndian.PutUint64(b[offset+4:], v.count)
		binary.LittleEndian.PutUint32(b[offset+12:], uint32(cancelled))
	} else if ok { // as in runtime.c, and in the front for its programs
		binary.LittleEndian.PutUint32(b[offset:], uint32(v.count))
		binary.LittleEndian.PutUint32(b[offset+4:], uint32(v.count>>32)<<1|uint32(cancelled))
	}
	return b
}

func (s *side) unpack(b []byte) status {
	layout := s.Types["MPI_Status"]
	get := func(field string) int64 { return int64(int32(binary.LittleEndian.Uint32(b[layout.Fields[field]:]))) }
	v := status{source: get("MPI_SOURCE"), tag: get("MPI_TAG"), err: get("MPI_ERROR")}
	if offset, ok := layout.Fields["_ucount"]; ok {
		v.count = binary.LittleEndian.Uint64(b[offset:])
		v.cancelled = get("_cancelled") != 0
	} else if offset, ok := layout.Fields["MPI_internal"]; ok && s.otherWords {
		v.count = binary.LittleEndian.Uint64(b[offset+4:])
		v.cancelled = b[offset+12] != 0
	} else {
		low, high := uint32(get("count_lo")), uint32(get("count_hi_and_cancelled"))
		if offset, ok := layout.Fields["MPI_internal"]; ok {
			low, high = binary.LittleEndian.Uint32(b[offset:]), binary.LittleEndian.Uint32(b[offset+4:])
		}
		v.count = uint64(low) | uint64(high>>1)<<32
		v.cancelled = high&1 != 0
	}
	return v
}

const emptyStatus = "an empty status"

// statusValues returns statuses, the program's and the runtime's.
func (t *tester) statusValues() (labels []string, a, r []status) {
	add := func(label string, av, rv status) { labels, a, r = append(labels, label), append(a, av), append(r, rv) }
	plain := status{source: 3, tag: 5, count: 24}
	add("a status", plain, plain)
	for _, field := range []string{"source", "tag"} {
		for _, name := range constants["status "+field] {
			av, rv := plain, plain
			va, _ := t.a.value(name)
			vr, _ := t.r.value(name)
			if field == "source" {
				av.source, rv.source = va, vr
			} else {
				av.tag, rv.tag = va, vr
			}
			add(name+" as "+field, av, rv)
		}
	}
	empty := func(s *side) (v status) {
		v.source, _ = s.value("MPI_ANY_SOURCE")
		v.tag, _ = s.value("MPI_ANY_TAG")
		return v
	}
	add(emptyStatus, empty(t.a), empty(t.r))
	for _, v := range []status{
		{source: 1, tag: 2, cancelled: true},
		{source: 1, tag: 2, count: 1<<31 + 5},
		{source: 1, tag: 2, count: 1<<40 + 7, cancelled: true},
	} {
		add(fmt.Sprintf("count %d, cancelled %v", v.count, v.cancelled), v, v)
	}
	return labels, a, r
}

// statuses returns the samples of a status. For output, every field is set except MPI_ERROR, which keeps the program's
// value (MPI-4.0, 3.2.5), unless the status is empty (3.7.3) or the runtime has reported success for each. For input,
// the fields that a query reads are compared: the count and the flag.
func (t *tester) statuses(f *function, p *param) []maker {
	labels, a, r := t.statusValues()
	n := p.elements()
	const untouched = 0x5a5a
	var list []maker
	completes := slices.ContainsFunc(f.Params, func(p param) bool { return p.Kind == "REQUEST" })
	for i := range labels {
		if !p.pointer() || labels[i] == emptyStatus && !completes {
			continue
		}
		before := a[i]
		before.err = untouched
		after := before
		if labels[i] == emptyStatus || n > 1 {
			after.err = 0
		}
		s := sample{label: labels[i], size: n * t.a.Types["MPI_Status"].Size}
		switch p.Dir {
		case "in", "inout":
			want := r[i]
			before.err, _ = t.a.value("MPI_ERR_TRUNCATE")
			want.err, _ = t.r.value("MPI_ERR_TRUNCATE")
			s.a, s.r = t.a.pack(before), t.r.pack(want)
			if p.Dir == "inout" {
				// The runtime gets the status and stores another one.
				s.give = t.r.pack(r[(i+1)%len(r)])
				after = a[(i+1)%len(r)]
				s.found = func(b []byte) error { return t.sameStatus(b, after, false) }
			}
		default:
			s.a = bytes.Repeat(t.a.pack(status{err: untouched}), n)
			s.give = bytes.Repeat(t.r.pack(r[i]), n)
			s.found = func(b []byte) error {
				for j := 0; j < n; j++ {
					if err := t.sameStatus(b[j*t.a.Types["MPI_Status"].Size:], after, true); err != nil {
						return fmt.Errorf("element %d: %w", j, err)
					}
				}
				return nil
			}
		}
		list = append(list, one(s)...)
	}
	switch {
	case p.Dir == "out" && n > 1:
		list = append(list, t.pointers("MPI_STATUSES_IGNORE")...)
	case p.Dir == "out":
		// The runtime may get a status that is discarded, and then fills it.
		ignored := t.pointers("MPI_STATUS_IGNORE")[0]()
		ignored.r, ignored.give = nil, t.r.pack(r[0])
		list = append(list, one(ignored)...)
	}
	return list
}

func (t *tester) sameStatus(b []byte, want status, errorToo bool) error {
	got := t.a.unpack(b)
	if !errorToo {
		got.err, want.err = 0, 0
	}
	if got != want {
		return fmt.Errorf("got %+v, expected %+v", got, want)
	}
	return nil
}

// sameQueried compares the fields that a query reads: the count, or also the cancelled flag.
func (t *tester) sameQueried(f *function, got, want []byte) bool {
	g, w := t.r.unpack(got), t.r.unpack(want)
	counts := slices.ContainsFunc(f.Params, func(p param) bool { return p.Name == "count" && p.Dir == "out" })
	return g.count == w.count && (counts || g.cancelled == w.cancelled)
}

// If a library of the standard ABI has another status layout than MPICH, it is queried for each status, and no call
// uses its fast path.
func TestOtherStatusWords(t *testing.T) {
	asked := regexp.MustCompile(`^MPI_(Get_elements_x|Test_cancelled|Status_set_elements_x|Status_set_cancelled)$`)
	for _, from := range []string{"openmpi", "mpich"} {
		t.Run(from, func(t *testing.T) {
			x := newTester(t, from, "mpiabi", "FAKE_STATUS_WORDS=others")
			x.r.otherWords = true
			covered := x.everyFunction(t, func(f *function) bool {
				return !asked.MatchString(f.Name) && slices.ContainsFunc(f.Params, func(p param) bool { return p.Kind == "STATUS" })
			})
			assert.Greater(t, covered, 30)
		})
	}
}
