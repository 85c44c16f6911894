// Package rules reads the files that describe the tests of `wi4go verify`: internal/verify/rules/tests.rules for the built-in
// tests, and the files of --rules for programs of users.
package rules

import (
	"bytes"
	"cmp"
	_ "embed" // for the built-in rules
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wi4go/internal/spelling"
)

// builtin is the text of the rules of the built-in tests.
//
//go:embed tests.rules
var builtin []byte

// A File is the contents of a rules file.
type File struct {
	Name     string     // name of the file, as errors name it
	Chapters []*Chapter // in their order
	types    map[string][]string
}

// A Chapter is a group of tests with common cases.
type Chapter struct {
	Name   string           // name
	Levels map[string]Cases // by name of the level; empty in a file of programs
	Tests  []*Test          // in their order; none in C for a chapter in Fortran
}

// Cases are the cases of a chapter at a level.
type Cases struct {
	Signatures []string // basic types and structs of them; "all" is every basic type
	Counts     []string // times that an object has the signature
	Pairs      string   // pairs of layouts: few, some, all
	Objects    string   // number of a pool's layouts, "" for all
}

// A Test is a line with a test: a function of the built-in tests, or a program.
type Test struct {
	Name     string        // name of the test: MPI_Put:fence
	Chapter  string        // name of its chapter
	Function string        // function in C that runs a case, "" for a program
	Variant  string        // second argument of the function, in C
	Source   string        // path of the program's source, "" for a function
	Types    []string      // signatures of a program; none for those of the run
	Counts   []string      // counts of a program
	Macros   []string      // further macros of a program: NAME or NAME=VALUE
	Ranks    int           // a function: ranks that it needs; a program: ranks that it runs on, 0 for those of the run
	Times    int           // the receiver's objects have this many times the elements of the sender's
	Over     string        // pairs, objects, signatures
	Takes    string        // any, no-pairs, one-type, arithmetic
	Limit    time.Duration // time limit of a case, 0 for that of the run
}

// Levels are the names of the levels, from the shortest to the longest run.
var Levels = []string{"smoke", "quick", "default", "full"}

// The words that the values of some keys consist of.
var words = map[string][]string{
	"pairs": {"few", "some", "all"},
	"over":  {"pairs", "objects", "signatures"},
	"takes": {"any", "no-pairs", "one-type", "arithmetic"},
}

// The keys of the three kinds of lines.
var (
	levelKeys    = []string{"types", "counts", "pairs", "objects"}
	functionKeys = []string{"ranks", "over", "takes", "times", "limit"}
	programKeys  = []string{"types", "counts", "macros", "ranks", "limit"}
)

// C++ and C sources end with one of these.
var sourceNames = []string{".c", ".cc", ".cpp", ".cxx", ".C"}

var (
	functionCall = regexp.MustCompile(`^(\w+)(?:\((.+)\))?$`)
	macro        = regexp.MustCompile(`^[A-Za-z_]\w*(=.*)?$`)
)

// Builtin returns the rules of the built-in tests.
func Builtin() (*File, error) { return Parse("internal/verify/rules/tests.rules", builtin) }

// Parse returns the rules in a text. name is the file's name: sources are relative to its directory, and tests before the first
// chapter are in a chapter of its base name. An error names the line, the part that is wrong, and the cure.
func Parse(name string, text []byte) (*File, error) {
	f := &File{Name: name, types: map[string][]string{}}
	chapter := func() *Chapter {
		if len(f.Chapters) == 0 {
			f.Chapters = append(f.Chapters, &Chapter{Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Levels: map[string]Cases{}})
		}
		return f.Chapters[len(f.Chapters)-1]
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		plain, _, _ := strings.Cut(string(line), "#")
		fields := strings.Fields(plain)
		if len(fields) == 0 {
			continue
		}
		var err error
		switch {
		case fields[0] == "types":
			err = f.nameTypes(fields[1:])
		case fields[0] == "chapter" && len(fields) == 1:
			err = errors.New("a chapter has no name: write `chapter NAME`")
		case fields[0] == "chapter":
			f.Chapters = append(f.Chapters, &Chapter{Name: strings.Join(fields[1:], " "), Levels: map[string]Cases{}})
		case slices.Contains(Levels, fields[0]):
			c := chapter()
			c.Levels[fields[0]], err = f.level(fields[1:])
		default:
			err = f.test(chapter(), fields)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	if len(f.Tests()) == 0 {
		return nil, fmt.Errorf("%s: the file has no tests: write one in each line, such as `sendrecv sendrecv.c types=MPI_INT counts=1,64`", name)
	}
	return f, nil
}

// Tests returns the tests of all chapters.
func (f *File) Tests() (all []*Test) {
	for _, c := range f.Chapters {
		all = append(all, c.Tests...)
	}
	return all
}

// Chapter returns the chapter of a name, or nil.
func (f *File) Chapter(name string) *Chapter {
	if i := slices.IndexFunc(f.Chapters, func(c *Chapter) bool { return c.Name == name }); i >= 0 {
		return f.Chapters[i]
	}
	return nil
}

// nameTypes adds a name for a list of signatures.
func (f *File) nameTypes(fields []string) error {
	if len(fields) != 2 {
		return errors.New("`types` needs a name and a list without blanks: write `types few MPI_INT,MPI_DOUBLE`")
	}
	f.types[fields[0]] = f.signatures(fields[1])
	return nil
}

// signatures returns the signatures of a list, with the lists that it names.
func (f *File) signatures(list string) (all []string) {
	for _, word := range strings.Split(list, ",") {
		switch named, ok := f.types[word]; {
		case ok:
			all = append(all, named...)
		case word != "":
			all = append(all, word)
		}
	}
	return all
}

// keys returns the values of fields of the form key=value.
func keys(fields, known []string) (map[string]string, error) {
	values := map[string]string{}
	for _, field := range fields {
		key, value, ok := strings.Cut(field, "=")
		switch {
		case !ok:
			return nil, fmt.Errorf("%q is not of the form key=value: the keys of this line are %s", field, strings.Join(known, ", "))
		case !slices.Contains(known, key):
			return nil, fmt.Errorf("the key %q is unknown: %sthe keys of this line are %s", key, spelling.Suggestion(key, known), strings.Join(known, ", "))
		case value == "":
			return nil, fmt.Errorf("the key %s has no value: write %s=VALUE", key, key)
		case values[key] != "":
			return nil, fmt.Errorf("the key %s occurs twice: keep one", key)
		case words[key] != nil && !slices.Contains(words[key], value):
			return nil, fmt.Errorf("%s=%s is unknown: write one of %s", key, value, strings.Join(words[key], ", "))
		}
		values[key] = value
	}
	return values, nil
}

// numbers returns the numbers of a list, each from 1 to most.
func numbers(key, list string, most int) ([]string, error) {
	all := strings.Split(list, ",")
	for _, word := range all {
		if n, err := strconv.Atoi(word); err != nil || n < 1 || n > most {
			return nil, fmt.Errorf("%s=%s: %q is not a number from 1 to %d: correct it", key, list, word, most)
		}
	}
	return all, nil
}

// number returns the number of a key, or otherwise if the key is missing.
func number(values map[string]string, key string, otherwise int) (int, error) {
	if values[key] == "" {
		return otherwise, nil
	}
	all, err := numbers(key, values[key], math.MaxInt32)
	if err != nil || len(all) != 1 {
		return 0, fmt.Errorf("%s=%s is not a number from 1: correct it", key, values[key])
	}
	return strconv.Atoi(all[0])
}

// maxCount is the greatest count of a case (verify/main.c).
const maxCount = 1 << 24

// level returns the cases that a line describes.
func (f *File) level(fields []string) (c Cases, err error) {
	values, err := keys(fields, levelKeys)
	if err != nil {
		return c, err
	}
	for _, key := range levelKeys[:3] {
		if values[key] == "" {
			return c, fmt.Errorf("%s= is missing: a level needs %s", key, strings.Join(levelKeys[:3], ", "))
		}
	}
	c = Cases{Signatures: f.signatures(values["types"]), Pairs: values["pairs"], Objects: values["objects"]}
	if c.Counts, err = numbers("counts", values["counts"], maxCount); err == nil && c.Objects != "" {
		_, err = number(values, "objects", 0)
	}
	return c, err
}

// test adds the test of a line to a chapter.
func (f *File) test(c *Chapter, fields []string) (err error) {
	if len(fields) < 2 {
		return fmt.Errorf("the test %s has no function or source: write `%s FILE.c`", fields[0], fields[0])
	}
	t := &Test{Name: fields[0], Chapter: c.Name}
	if strings.ContainsAny(t.Name, "/,") {
		return fmt.Errorf("the name %q of a test has a slash or a comma: leave it out", t.Name)
	}
	if slices.ContainsFunc(f.Tests(), func(other *Test) bool { return other.Name == t.Name }) {
		return fmt.Errorf("the test %s occurs twice: rename one", t.Name)
	}
	known := functionKeys
	if slices.Contains(sourceNames, filepath.Ext(fields[1])) {
		known, t.Source = programKeys, fields[1]
		if !filepath.IsAbs(t.Source) {
			t.Source = filepath.Join(filepath.Dir(f.Name), t.Source)
		}
	} else if call := functionCall.FindStringSubmatch(fields[1]); call != nil {
		t.Function, t.Variant = call[1], call[2]
	} else {
		return fmt.Errorf("%q is neither a source (%s) nor FUNCTION(VARIANT): correct it", fields[1], strings.Join(sourceNames, " "))
	}
	values, err := keys(fields[2:], known)
	if err != nil {
		return err
	}
	t.Over, t.Takes = cmp.Or(values["over"], "pairs"), cmp.Or(values["takes"], "any")
	if t.Function != "" {
		t.Ranks = 1
	}
	if t.Ranks, err = number(values, "ranks", t.Ranks); err != nil {
		return err
	}
	if t.Times, err = number(values, "times", 1); err != nil {
		return err
	}
	if limit := values["limit"]; limit != "" {
		if t.Limit, err = time.ParseDuration(limit); err != nil || t.Limit < time.Second {
			return fmt.Errorf("limit=%s is not a time from 1s: write limit=30s", limit)
		}
	}
	if values["types"] != "" {
		t.Types = f.signatures(values["types"])
	}
	if values["counts"] != "" {
		if t.Counts, err = numbers("counts", values["counts"], maxCount); err != nil {
			return err
		}
	}
	if values["macros"] != "" {
		t.Macros = strings.Split(values["macros"], ",")
		for _, m := range t.Macros {
			if !macro.MatchString(m) {
				return fmt.Errorf("macros=%s: %q is not a macro: write NAME or NAME=VALUE", values["macros"], m)
			}
		}
	}
	c.Tests = append(c.Tests, t)
	return nil
}

// Table returns the table in C of the tests that are functions: the entries of verify/tests.c.
func (f *File) Table() []byte {
	constant := func(word string) string { return strings.ToUpper(strings.ReplaceAll(word, "-", "_")) }
	var out bytes.Buffer
	fmt.Fprintf(&out, "/* Generated from %s by wi4go-gen. Do not edit. */\n", f.Name)
	for _, t := range f.Tests() {
		if t.Function != "" {
			fmt.Fprintf(&out, "{%q, %q, %d, %s, %s, %d, %s, %s},\n", t.Name, t.Chapter, t.Ranks, constant(t.Over), constant(t.Takes), t.Times,
				t.Function, cmp.Or(t.Variant, "0"))
		}
	}
	return out.Bytes()
}
