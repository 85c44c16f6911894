package launch

import (
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/fault"
	"wi4go/internal/program"
)

// checkLacks returns an error if ld.so would refuse the program: if the program imports data that
// the front does not have, or functions that are resolved at the start and have no stub. For other
// missing functions, which end the program only when called, it adds a warning to the job. vars are
// the variables by which the process finds the front.
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
		// Every run may call a function that no library is known to have, so a warning is not
		// enough.
		known := stub || j.From.Exports(lack.Name)
		if stub && preloaded || known && !lack.AtStart {
			warned = append(warned, lack)
		} else {
			refused = append(refused, lack)
		}
	}
	const cure = "run it on the MPI library that it was built with"
	const lacks = "%s imports %s, which wi4go's front for %s programs does not have"
	if objects := byObject(refused); len(objects) > 0 {
		first := objects[0]
		return fault.New("symbol-unknown", cure, lacks, first[0].By.Path, some(program.Names(first)), j.From.Title)
	}
	for _, of := range byObject(warned) {
		j.Warnings = append(j.Warnings, fault.New("own-function", "if it calls them, "+cure,
			lacks+"; a call would end the program", of[0].By.Path, some(program.Names(of)), j.From.Title))
	}
	return nil
}

// byObject groups missing symbols by the object that imports them, in order of first appearance.
func byObject(lacks []program.Lack) (objects [][]program.Lack) {
	for _, lack := range lacks {
		at := slices.IndexFunc(objects, func(of []program.Lack) bool { return of[0].By == lack.By })
		if at < 0 {
			at, objects = len(objects), append(objects, nil)
		}
		objects[at] = append(objects[at], lack)
	}
	return objects
}

// findsLater reports whether ld.so resolves the symbol in the runtime, whose symbols are in the
// global scope once it is loaded.
func (j *Job) findsLater(lack program.Lack) bool {
	return !lack.AtStart && j.Way == Identity && j.From.GlobalScope && j.Runtime.Object().Defines(lack.Name)
}

// Unanswered returns the functions that the program imports and that nothing serves. Calling one
// ends the program.
func (j *Job) Unanswered() []string {
	return program.Names(slices.DeleteFunc(slices.Clone(j.lacks), j.findsLater))
}
