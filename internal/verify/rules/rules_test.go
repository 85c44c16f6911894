package rules

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The rules of the built-in tests are valid, and each chapter has its cases at each level.
func TestBuiltin(t *testing.T) {
	f, err := Builtin()
	require.NoError(t, err)
	assert.Greater(t, len(f.Tests()), 100)
	for _, c := range f.Chapters {
		for _, level := range Levels {
			assert.NotEmpty(t, c.Levels[level].Signatures, "%s, %s", c.Name, level)
		}
	}
	send := f.Tests()[0]
	assert.Equal(t, &Test{Name: "MPI_Send", Chapter: "point-to-point", Function: "p2p_mode", Variant: "SEND", Ranks: 2, Times: 1, Over: "pairs", Takes: "any"}, send)
	assert.Contains(t, f.Chapter("point-to-point").Levels["default"].Signatures, "MPI_INT*3+MPI_LONG_DOUBLE+MPI_SHORT")
	assert.Equal(t, "5", f.Chapter("files").Levels["smoke"].Objects)
	table := string(f.Table())
	assert.Contains(t, table, `{"MPI_Put:lock", "one-sided", 1, PAIRS, ANY, 1, rma_transfer, RMA(PUT,LOCK)},`)
	assert.Contains(t, table, `{"MPI_Sendrecv:shorter", "point-to-point", 1, PAIRS, ONE_TYPE, 2, p2p_sendrecv, 0},`)
}

// A file of programs.
func TestPrograms(t *testing.T) {
	f, err := Parse("dir/my.rules", []byte("# comment\ntypes two MPI_INT,MPI_2INT\n\na  a.c  # all by default\nchapter more tests\nb /src/b.cxx types=two,MPI_INT*3+MPI_CHAR "+
		"counts=1,64 macros=X,Y=2 ranks=3 limit=2m\n"))
	require.NoError(t, err)
	assert.Equal(t, []*Test{
		{Name: "a", Chapter: "my", Source: "dir/a.c", Times: 1, Over: "pairs", Takes: "any"},
		{Name: "b", Chapter: "more tests", Source: "/src/b.cxx", Types: []string{"MPI_INT", "MPI_2INT", "MPI_INT*3+MPI_CHAR"}, Counts: []string{"1", "64"},
			Macros: []string{"X", "Y=2"}, Ranks: 3, Times: 1, Over: "pairs", Takes: "any", Limit: 2 * time.Minute},
	}, f.Tests())
	assert.Empty(t, f.Table()[slices.Index(f.Table(), '\n')+1:], "a program is not in the table in C")
}

// A mistake is reported with its line, its part and the cure.
func TestMistakes(t *testing.T) {
	for text, says := range map[string]string{
		"":                                   "my.rules: the file has no tests: write one in each line",
		"\n\na":                              "my.rules:3: the test a has no function or source: write `a FILE.c`",
		"a b-c":                              `my.rules:1: "b-c" is neither a source (.c .cc .cpp .cxx .C) nor FUNCTION(VARIANT)`,
		"a a.c type=MPI_INT":                 `the key "type" is unknown: did you mean types? the keys of this line are types, counts, macros, ranks, limit`,
		"a a.c types":                        `"types" is not of the form key=value`,
		"a a.c types=":                       "the key types has no value: write types=VALUE",
		"a a.c counts=0":                     `counts=0: "0" is not a number from 1 to 16777216`,
		"a a.c counts=1,x":                   `counts=1,x: "x" is not a number from 1 to`,
		"a a.c ranks=1,2":                    "ranks=1,2 is not a number from 1",
		"a a.c ranks=1 ranks=2":              "the key ranks occurs twice: keep one",
		"a a.c limit=5":                      "limit=5 is not a time from 1s: write limit=30s",
		"a a.c macros=1X":                    `macros=1X: "1X" is not a macro: write NAME or NAME=VALUE`,
		"a a.c\na b.c":                       "my.rules:2: the test a occurs twice: rename one",
		"a/b a.c":                            `the name "a/b" of a test has a slash or a comma`,
		"a f over=all":                       "over=all is unknown: write one of pairs, objects, signatures",
		"a f counts=1":                       `the key "counts" is unknown`,
		"chapter":                            "a chapter has no name: write `chapter NAME`",
		"types few":                          "`types` needs a name and a list without blanks",
		"quick types=MPI_INT":                "counts= is missing: a level needs types, counts, pairs",
		"quick types=few counts=1 pairs=two": "pairs=two is unknown: write one of few, some, all",
	} {
		_, err := Parse("my.rules", []byte(text))
		assert.ErrorContains(t, err, says, text)
	}
}
