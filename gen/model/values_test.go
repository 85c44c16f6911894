package model

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/mappers"
)

// real returns the input that the fronts are made from.
func real(t *testing.T) *Input {
	t.Helper()
	functions, err := os.ReadFile("../../funcs.json")
	require.NoError(t, err)
	table, err := os.ReadFile("../../mappers.json")
	require.NoError(t, err)
	in, err := Load(functions, table)
	require.NoError(t, err)
	return in
}

// apply does the same as the C that writeValue writes.
func (m *Mapping) apply(x int64) int64 {
	for i, from := range m.From {
		if from == x {
			return m.To[i]
		}
	}
	return x
}

// applyBits does the same as the C that writeBits writes.
func (m *Mapping) applyBits(x int64) int64 {
	var moved, y int64
	for i, from := range m.From {
		moved |= from
		if x&from != 0 {
			y |= m.To[i]
		}
	}
	return y | x&^moved
}

// checkBijection checks the property that every mapping must have.
func checkBijection(t *testing.T, description string, a, r map[string]int64) {
	t.Helper()
	m := Biject(a, r)
	inverse := m.Inverse()
	inA, inR := map[int64]string{}, map[int64]string{}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		inA[a[name]] = name
	}
	for _, name := range slices.Sorted(maps.Keys(r)) {
		inR[r[name]] = name
	}

	image := map[int64]bool{}
	for i, from := range m.From {
		require.False(t, image[m.To[i]], "%s: two values become %d", description, m.To[i])
		require.NotEqual(t, from, m.To[i], "%s: the entry for %d has no effect", description, from)
		image[m.To[i]] = true
	}
	for _, from := range m.From {
		require.True(t, image[from], "%s: %d is replaced, but replaces no value", description, from)
	}

	window := map[int64]bool{}
	for x := int64(-1000); x <= 1000; x++ {
		window[x] = true
	}
	for _, values := range []map[int64]string{inA, inR} {
		for v := range values {
			for d := int64(-2); d <= 2; d++ {
				window[v+d], window[v+d+0x70000000], window[v+d-0x70000000] = true, true, true
			}
		}
	}
	for x := range window {
		if inverse.apply(m.apply(x)) != x || m.apply(inverse.apply(x)) != x {
			require.Fail(t, "not inverse", "%s: %d becomes %d, and that becomes %d", description, x, m.apply(x), inverse.apply(m.apply(x)))
		}
		// A value without a meaning on one side becomes a value without a meaning on the other.
		if inA[x] == "" && inR[m.apply(x)] != "" {
			_, paired := a[inR[m.apply(x)]]
			require.False(t, paired, "%s: %d, which has no meaning, becomes %s", description, x, inR[m.apply(x)])
		}
		if inA[x] != "" && inR[m.apply(x)] != "" {
			// If both values have a meaning, they share at least one name.
			same := false
			for name, v := range a {
				rv, both := r[name]
				same = same || v == x && both && rv == m.apply(x)
			}
			require.True(t, same, "%s: %s becomes %s", description, inA[x], inR[m.apply(x)])
		}
	}
	for name, v := range a {
		if rv, both := r[name]; both && len(namesOf(a, v)) == 1 && len(namesOf(r, rv)) == 1 {
			require.Equal(t, rv, m.apply(v), "%s: %s", description, name)
		}
	}
}

func namesOf(constants map[string]int64, v int64) []string {
	var names []string
	for name, w := range constants {
		if v == w {
			names = append(names, name)
		}
	}
	return names
}

// forPairs runs a test for each front over each other family.
func forPairs(t *testing.T, test func(t *testing.T, in *Input, a, r *abi.Family)) {
	in := real(t)
	for _, a := range in.Families {
		for _, r := range in.Families {
			if a != r {
				t.Run(a.Family+"→"+r.Family, func(t *testing.T) { test(t, in, a, r) })
			}
		}
	}
}

// For every role of the real data, conversion in both directions returns the original value,
// invalid values stay invalid, and each constant becomes the constant of the same name.
func TestRoles(t *testing.T) {
	forPairs(t, func(t *testing.T, in *Input, a, r *abi.Family) {
		for _, name := range slices.Sorted(maps.Keys(in.Mappers.Roles)) {
			role := in.Mappers.Roles[name]
			av, rv := SelectConstants(a, role.Constants), SelectConstants(r, role.Constants)
			switch role.Convert {
			case mappers.Value:
				assert.Positive(t, len(av)+len(rv), "%s: no family has its constants", name)
				checkBijection(t, name, av, rv)
			case mappers.Bits:
				checkBijection(t, name, av, rv)
				m := Biject(av, rv)
				for i, from := range m.From {
					assert.Equal(t, 1, bits.OnesCount64(uint64(from)), "%s: %#x is not one bit", name, from)
					assert.Equal(t, 1, bits.OnesCount64(uint64(m.To[i])), "%s: %#x is not one bit", name, m.To[i])
				}
				for x := range int64(1 << 16) {
					require.Equal(t, x, m.Inverse().applyBits(m.applyBits(x)), "%s: the set %#x", name, x)
				}
				for constant, v := range av {
					assert.Equal(t, rv[constant], m.applyBits(v), constant)
				}
			}
		}
	})
}

// The error classes, as errors() writes them: tables of bytes, or a function if a class does not
// fit into a table.
func TestErrorClasses(t *testing.T) {
	forPairs(t, func(t *testing.T, in *Input, a, r *abi.Family) {
		classes, others := ErrorClasses(a), ErrorClasses(r)
		checkBijection(t, "error classes", classes, others)
		m := Biject(classes, others)
		assert.Zero(t, m.apply(0), "MPI_SUCCESS")
		sparse := a.Family == "mpiabi" || r.Family == "mpiabi"
		assert.Equal(t, sparse, m.From[len(m.From)-1] >= 128, "a class does not fit the table")
		for i, from := range m.From {
			assert.GreaterOrEqual(t, min(from, m.To[i]), int64(0))
			if !sparse {
				assert.Less(t, m.To[i], int64(128), "class %d", from)
			}
		}
	})
}

// The mapping to the draft's numbers is the mapping from the committed values of the standard to
// the values of the version that differs. All other values remain.
func TestDraft(t *testing.T) {
	in := real(t)
	for _, f := range in.Families {
		handles, constants := DraftOf(f, HandleValues(f)), DraftOf(f, f.Constants)
		if f.Family != "mpiabi" {
			assert.True(t, handles.IsIdentity() && constants.IsIdentity(), f.Family)
			continue
		}
		assert.Equal(t, &Mapping{[]int64{0x142, 0x143}, []int64{0x143, 0x142}}, handles)
		assert.Equal(t, &Mapping{[]int64{401, 402, 403, 505, 506, 507}, []int64{402, 403, 401, 506, 507, 505}}, constants)
	}
}

// Made-up families, for cases that the real families do not have.
func TestBiject(t *testing.T) {
	for name, c := range map[string]struct {
		a, r map[string]int64
		want map[int64]int64
	}{
		"the same":           {map[string]int64{"A": 1}, map[string]int64{"A": 1}, map[int64]int64{1: 1, 2: 2}},
		"swapped":            {map[string]int64{"A": 1, "B": 2}, map[string]int64{"A": 2, "B": 1}, map[int64]int64{1: 2, 2: 1}},
		"moved":              {map[string]int64{"A": 1}, map[string]int64{"A": 5}, map[int64]int64{1: 5, 5: 1}},
		"a chain":            {map[string]int64{"A": 1, "B": 2}, map[string]int64{"A": 2, "B": 3}, map[int64]int64{1: 2, 2: 3, 3: 1}},
		"one side only":      {map[string]int64{"A": 7}, map[string]int64{"B": 8}, map[int64]int64{7: 7, 8: 8}},
		"same number, other": {map[string]int64{"A": 7}, map[string]int64{"B": 7}, map[int64]int64{7: 7 + 0x70000000, 7 + 0x70000000: 7}},
		"two names":          {map[string]int64{"A": 1, "B": 1}, map[string]int64{"A": 4, "B": 4}, map[int64]int64{1: 4, 4: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			m := Biject(c.a, c.r)
			for from, to := range c.want {
				assert.Equal(t, to, m.apply(from), "%d", from)
			}
			checkBijection(t, name, c.a, c.r)
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		a, r := map[string]int64{}, map[string]int64{}
		av, rv := random.Perm(12), random.Perm(12)
		for n := range 8 {
			if random.IntN(4) > 0 {
				a[fmt.Sprint(n)] = int64(av[n] - 4)
			}
			if random.IntN(4) > 0 {
				r[fmt.Sprint(n)] = int64(rv[n] - 4)
			}
		}
		checkBijection(t, fmt.Sprintf("case %d: %v and %v", i, a, r), a, r)
	}
}

// The constants that replace constants a family lacks exist in every family, and only missing
// constants are replaced.
func TestInstead(t *testing.T) {
	forPairs(t, func(t *testing.T, in *Input, a, r *abi.Family) {
		for _, name := range slices.Sorted(maps.Keys(in.Mappers.Roles)) {
			role := in.Mappers.Roles[name]
			av, rv := SelectConstants(a, role.Constants), SelectConstants(r, role.Constants)
			for _, table := range []map[string]string{role.ToRuntime, role.ToProgram} {
				for constant, other := range table {
					if mappers.IsError(other) {
						assert.Contains(t, a.Constants, other, "%s: %s", name, constant)
					} else {
						assert.Contains(t, av, other, "%s: %s", name, constant)
						assert.Contains(t, rv, other, "%s: %s", name, constant)
					}
				}
			}
			m := Biject(av, rv).With(Substitutes(role.ToRuntime, av, rv))
			for constant, v := range av {
				if w, both := rv[constant]; both && role.Convert == mappers.Value {
					assert.Equal(t, w, m.apply(v), "%s: %s", name, constant)
				}
			}
		}
	})
}

func TestWith(t *testing.T) {
	m := (&Mapping{[]int64{1, 5}, []int64{5, 1}}).With(map[int64]int64{5: 7, 6: 7, 8: 8})
	assert.Equal(t, &Mapping{[]int64{1, 5, 6}, []int64{5, 7, 7}}, m)
	assert.Equal(t, map[string]int64{"C": 3}, Missing(map[string]int64{"A": 1, "B": 1, "C": 3}, map[string]int64{"A": 9, "D": 3}))
}
