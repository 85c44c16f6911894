package launch

import (
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/fault"
	"wi4go/internal/program"
)

// checkLacks refuses a program that ld.so would refuse: it imports data that the front does
// not have, or functions that are looked up at the start and have no stub. What a call would
// end later is a warning. vars are the variables by which the process finds the front.
func (j *Job) checkLacks(vars []Var) error {
	if len(j.lacks) == 0 {
		return nil
	}
	stubs := func(string) bool { return false }
	if j.own != "" {
		library, err := elfobj.Read(j.own)
		if err != nil {
			return err
		}
		stubs = library.Defines
	}
	preloaded := j.own != "" && slices.ContainsFunc(vars, func(v Var) bool { return v.Name == "LD_PRELOAD" && strings.Contains(v.Value, j.own) })
	var refused, warned []program.Lack
	for _, lack := range j.lacks {
		if j.findsLater(lack) {
			continue
		}
		stub := stubs(lack.Name)
		// A name that no library is known to have may be one that every run calls.
		known := stub || j.From.Exports(lack.Name)
		if stub && preloaded || known && !lack.AtStart {
			warned = append(warned, lack)
		} else {
			refused = append(refused, lack)
		}
	}
	const cure = "run it on the library that it was built with"
	if len(refused) > 0 {
		return fault.New("symbol-unknown", cure, "%s imports %s, which wi4go's front for %s programs does not have",
			refused[0].By.Path, some(program.Names(refused)), j.From.Title)
	}
	if len(warned) == 0 {
		return nil
	}
	j.Warnings = append(j.Warnings, fault.New("own-function", cure+", if it calls them",
		"%s imports %s, which wi4go's front for %s programs does not have: a call ends the program", warned[0].By.Path, some(program.Names(warned)), j.From.Title))
	return nil
}

// findsLater reports whether ld.so finds the symbol in the runtime, whose symbols are in the
// global scope once it is loaded.
func (j *Job) findsLater(lack program.Lack) bool {
	return !lack.AtStart && j.Why != "" && j.From.GlobalScope && j.Runtime.Object().Defines(lack.Name)
}

// Unanswered lists the functions that the program imports and of which a call ends it.
func (j *Job) Unanswered() []string {
	return program.Names(slices.DeleteFunc(slices.Clone(j.lacks), j.findsLater))
}
