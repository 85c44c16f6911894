package launch

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/program"
)

// Service returns how each function that the program imports is served. It returns the zero Service
// if the program could not be read.
func (p *Placement) Service() program.Service {
	if p.Program == nil {
		return program.Service{}
	}
	var front program.Emulation
	if p.front != "" {
		front = program.ReadEmulation(p.front)
	}
	s := p.Program.Service(p.Runtime.Family, p.Runtime.Has(), front)
	unanswered := p.UnresolvedFunctions()
	s.Missing = slices.DeleteFunc(s.Missing, func(name string) bool { return slices.Contains(unanswered, name) })
	return s
}

// Describe returns one line that names the program, its family, the runtime, and the way in which
// the program gets onto it.
func (p *Placement) Describe() string {
	if p.From == nil {
		return fmt.Sprintf("%s, %s, on %s", p.argv[0], p.Reason, p.Runtime)
	}
	description := "a program of " + p.From.Title + " (given by --from)"
	if app := p.Program; app != nil {
		description = fmt.Sprintf("%s, built for %s (%s)", app.Path, app.Family.Title, strings.Join(app.Needed(), ", "))
		if len(app.Via) > 0 {
			description += " through " + strings.Join(app.Via, ", ")
		}
		if app.MPI4PyABI != "" {
			description += fmt.Sprintf(", mpi4py selected by %s=%s", program.MPI4PyABI, app.MPI4PyABI)
		}
	}
	description += p.draftText()
	switch p.Way {
	case Unaided:
		return fmt.Sprintf("%s, natively on %s, which it loads by itself", description, p.Runtime)
	case Substituted:
		return fmt.Sprintf("%s, natively on %s (library substituted)", description, p.Runtime)
	case Identity:
		return fmt.Sprintf("%s, on %s (identity front: %s)", description, p.Runtime, p.Reason)
	}
	return fmt.Sprintf("%s, translated onto %s", description, p.Runtime)
}
