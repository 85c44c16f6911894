package launch

import (
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/fault"
	"wi4go/internal/program"
)

// checkMissing returns an error if ld.so would refuse the program: if the program imports data that
// the front does not have, or functions that are resolved at the start and have no stub. For other
// missing functions, which end the program only when called, it adds a warning to the job. vars are
// the variables by which the process finds the front.
func (j *Job) checkMissing(vars []Var) error {
	if len(j.missing) == 0 {
		return nil
	}
	stubs := func(string) bool { return false }
	if j.ownStubs != "" {
		library, err := elfobj.Read(j.ownStubs)
		if err != nil {
			return err
		}
		stubs = library.Defines
	}
	preloaded := j.ownStubs != "" && slices.ContainsFunc(vars, func(v Var) bool { return v.Name == "LD_PRELOAD" && strings.Contains(v.Value, j.ownStubs) })
	var refused, warned []program.MissingSymbol
	for _, symbol := range j.missing {
		if j.resolvedByRuntime(symbol) {
			continue
		}
		stub := stubs(symbol.Name)
		// Every run may call a function that no library is known to have, so a warning is not
		// enough.
		known := stub || j.From.Exports(symbol.Name)
		if stub && preloaded || known && !symbol.AtStart {
			warned = append(warned, symbol)
		} else {
			refused = append(refused, symbol)
		}
	}
	const cure = "run it on the MPI library that it was built with"
	const format = "%s imports %s, which wi4go's front for %s programs does not have"
	if objects := byObject(refused); len(objects) > 0 {
		first := objects[0]
		return fault.New("symbol-unknown", cure, format, first[0].By.Path, summarize(program.Names(first)), j.From.Title)
	}
	for _, of := range byObject(warned) {
		j.Warnings = append(j.Warnings, fault.New("own-function", "if it calls them, "+cure,
			format+"; a call would end the program", of[0].By.Path, summarize(program.Names(of)), j.From.Title))
	}
	return nil
}

// byObject groups missing symbols by the object that imports them, in order of first appearance.
func byObject(symbols []program.MissingSymbol) (objects [][]program.MissingSymbol) {
	for _, symbol := range symbols {
		at := slices.IndexFunc(objects, func(of []program.MissingSymbol) bool { return of[0].By == symbol.By })
		if at < 0 {
			at, objects = len(objects), append(objects, nil)
		}
		objects[at] = append(objects[at], symbol)
	}
	return objects
}

// resolvedByRuntime reports whether ld.so resolves the symbol in the runtime, whose symbols are in the
// global scope once it is loaded.
func (p *Placement) resolvedByRuntime(symbol program.MissingSymbol) bool {
	return !symbol.AtStart && p.Way == Identity && p.From.GlobalScope && p.Runtime.Object().Defines(symbol.Name)
}

// UnresolvedFunctions returns the functions that the program imports and that nothing serves.
// Calling one ends the program.
func (p *Placement) UnresolvedFunctions() []string {
	return program.Names(slices.DeleteFunc(slices.Clone(p.missing), p.resolvedByRuntime))
}
