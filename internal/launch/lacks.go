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
		if served := stubs(lack.Name); served && preloaded || !lack.AtStart {
			warned = append(warned, lack)
		} else {
			refused = append(refused, lack)
		}
	}
	const cure = "run it on the library that it was built with"
	if len(refused) > 0 {
		return fault.New("symbol-unknown", cure, "%s imports %s, which wi4go's front for %s programs does not have: the program would end at the start",
			refused[0].By.Path, some(program.Names(refused)), j.From.Title)
	}
	j.Warnings = append(j.Warnings, fault.New("own-function", cure+", if it calls them",
		"%s imports %s, which wi4go's front for %s programs does not have: a call ends the program", warned[0].By.Path, some(program.Names(warned)), j.From.Title))
	return nil
}
