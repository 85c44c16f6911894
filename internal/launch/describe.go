package launch

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/program"
)

// Service returns how each function that the program imports is served. It returns the zero Service
// if the program could not be read.
func (j *Job) Service() program.Service {
	if j.Program == nil {
		return program.Service{}
	}
	var front program.Emulation
	if j.front != "" {
		front = program.ReadEmulation(j.front)
	}
	s := j.Program.Service(j.Runtime.Family, j.Runtime.Has(), front)
	unanswered := j.UnresolvedFunctions()
	s.Missing = slices.DeleteFunc(s.Missing, func(name string) bool { return slices.Contains(unanswered, name) })
	return s
}

// Describe returns one line that names the program, its family, the runtime, and the way in which
// the program gets onto it.
func (j *Job) Describe() string {
	if j.From == nil {
		return fmt.Sprintf("%s, %s, on %s", j.argv[0], j.Reason, j.Runtime)
	}
	description := "a program of " + j.From.Title + " (given by --from)"
	if p := j.Program; p != nil {
		description = fmt.Sprintf("%s, built for %s (%s)", p.Path, p.Family.Title, strings.Join(p.Needed(), ", "))
		if len(p.Via) > 0 {
			description += " through " + strings.Join(p.Via, ", ")
		}
		if p.MPI4PyABI != "" {
			description += fmt.Sprintf(", mpi4py selected by %s=%s", program.MPI4PyABI, p.MPI4PyABI)
		}
	}
	description += j.draftText()
	switch j.Way {
	case Unaided:
		return fmt.Sprintf("%s, natively on %s, which it loads by itself", description, j.Runtime)
	case Substituted:
		return fmt.Sprintf("%s, natively on %s (library substituted)", description, j.Runtime)
	case Identity:
		return fmt.Sprintf("%s, on %s (identity front: %s)", description, j.Runtime, j.Reason)
	}
	return fmt.Sprintf("%s, translated onto %s", description, j.Runtime)
}
