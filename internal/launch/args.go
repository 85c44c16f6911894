package launch

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/launchers"
)

// Options are wi4go's own options on a command line.
type Options struct {
	// From names the program's family and To the runtime; "" if the option is not given.
	From, To string
	// DryRun shows the command instead of running it. Verbose describes the decision.
	DryRun, Verbose bool
	Identity        bool // use the identity front even if the runtime's library could be substituted
	Help            bool
	Get             bool // install the runtime if this machine has none
}

// A Segment is one program of a launcher's command line; ":" separates segments.
type Segment struct {
	Options []string // the launcher's options, unchanged
	Program []string // the program and its arguments
	Dir     string   // the directory in which the program will run, if an option names it; else ""
}

// A Finder answers questions about programs that the command line alone cannot answer.
type Finder struct {
	// Executable returns nil if name, in a directory, is a program that can be started, else an
	// error with the reason.
	Executable func(name, dir string) error
	// IsMPI reports whether a command is certainly an MPI program itself, and no wrapper.
	IsMPI func(argv []string, dir string) bool
}

// parseOption removes one of wi4go's own options from the front of args. It returns the number of
// arguments that the option occupies, or 0 if args[0] is not a wi4go option. Options that no
// launcher has (--from, --to, --identity, --get, --dry-run) are recognized anywhere before the
// program. --verbose and --help belong to the launcher once its own options have begun; leading
// reports whether they have not.
func (o *Options) parseOption(args []string, leading bool) (int, error) {
	name, value, joined := strings.Cut(args[0], "=")
	switch name {
	case "--from", "--to":
		n := 1
		if !joined && len(args) > 1 {
			value, n = args[1], 2
		}
		if value == "" {
			return 0, fmt.Errorf("%s needs a value: see `wi4go help run`", name)
		}
		if launchers.IsOption(value) {
			return 0, fmt.Errorf("%s needs a value, but %s is an option: see `wi4go help run`", name, value)
		}
		if name == "--from" {
			o.From = family.CanonicalName(value)
		} else {
			o.To = value
		}
		return n, nil
	}
	switch {
	case args[0] == "--dry-run":
		o.DryRun = true
	case args[0] == "--identity":
		o.Identity = true
	case args[0] == "--get":
		o.Get = true
	case args[0] == "--verbose" && leading:
		o.Verbose = true
	case (args[0] == "--help" || args[0] == "-h") && leading:
		o.Help = true
	default:
		return 0, misplacedOption(args[0])
	}
	return 1, nil
}

// ParseExec parses the arguments of `wi4go exec` and `wi4go env`: wi4go's own options, then the
// program and its arguments, after an optional "--".
func ParseExec(args []string) (options Options, program []string, err error) {
	for len(args) > 0 {
		if args[0] == "--" {
			return options, args[1:], nil
		}
		n, err := options.parseOption(args, true)
		if err != nil {
			return options, nil, err
		}
		if n == 0 || options.Get { // no --get here: every rank would install the runtime
			if launchers.IsOption(args[0]) {
				return options, nil, fmt.Errorf("unknown option %s: put the program's options after the program", args[0])
			}
			break
		}
		args = args[n:]
	}
	return options, args, nil
}

// ParseOptions removes wi4go's own options from the front of a launcher's command line and returns
// the rest. It leaves the options that launchers have as well.
func ParseOptions(args []string) (options Options, rest []string, err error) {
	for len(args) > 0 && args[0] != "--" {
		n, err := options.parseOption(args, false)
		if n == 0 || err != nil {
			return options, args, err
		}
		args = args[n:]
	}
	return options, args, nil
}

// ParseRun parses the arguments of `wi4go run`: wi4go's own options, then a command line of
// mpiexec. In each segment the program is everything after "--", or else it begins at the first
// argument that can be executed and is neither an option nor an option's value. ParseRun removes
// the "--", because Hydra does not accept it. If an option with an unknown number of arguments
// makes the choice ambiguous, ParseRun returns an error instead of guessing.
func ParseRun(args []string, find Finder) (options Options, segments []Segment, err error) {
	leading := true // only wi4go's own options so far
	for {
		var s Segment
		var end int
		s, end, err = options.segment(args, &leading, find)
		if options.Help {
			return options, nil, nil
		}
		if err != nil {
			return options, nil, err
		}
		segments = append(segments, s)
		if end == len(args) {
			return options, segments, nil
		}
		args = args[end+1:] // skip the ":"
	}
}

// segment parses args up to a ":" or their end, and returns the position of that end.
func (o *Options) segment(args []string, leading *bool, find Finder) (s Segment, end int, err error) {
	if end = slices.Index(args, ":"); end < 0 {
		end = len(args)
	}
	args = args[:end]
	var reasons []error
	unknown := ""     // the preceding argument, if it is an option with an unknown number of arguments
	doubtful := false // the last option had an unknown number of arguments
	for len(args) > 0 {
		arg := args[0]
		n, err := o.parseOption(args, *leading)
		switch {
		case err != nil:
			return s, 0, err
		case n > 0:
			args = args[n:]
			continue
		case arg == "--" && *leading && len(args) > 1 && launchers.IsOption(args[1]):
			*leading = false // ends wi4go's own options; the launcher's follow
			args = args[1:]
			continue
		case arg == "--" && len(args) == 1:
			return s, 0, errors.New("no program after `--`: put it there")
		case arg == "--":
			s.Program = args[1:]
			return s, end, nil
		}
		*leading = false
		if launchers.IsOption(arg) {
			args, unknown = s.takeOption(args)
			doubtful = unknown != ""
			continue
		}
		isProgram, err := find.program(args, s.Dir, unknown)
		switch {
		case err != nil:
			return s, 0, err
		case isProgram:
			s.Program = args
			return s, end, nil
		}
		if reason := find.Executable(arg, s.Dir); reason != nil {
			if !doubtful && !slices.Contains(args, "--") {
				return s, 0, reason // no option can have it as a value
			}
			reasons = append(reasons, reason)
		}
		s.Options = append(s.Options, arg)
		args, unknown = args[1:], ""
	}
	return s, 0, noProgram(s.Options, reasons)
}

// takeOption moves an option and its known values from the front of args to the segment. It returns
// the remaining arguments, and the option as unknown if its number of values is unknown.
func (s *Segment) takeOption(args []string) (rest []string, unknown string) {
	option := args[0]
	n, known := launchers.Arity(option, args[1:]...)
	n = min(n+1, len(args))
	s.Options = append(s.Options, args[:n]...)
	if name := strings.TrimLeft(option, "-"); n == 2 && (name == "wdir" || name == "wd") {
		s.Dir = args[1]
	}
	if !known {
		unknown = option
	}
	return args[n:], unknown
}

// program reports whether args[0], which is not an option, is the segment's program. After an
// option with an unknown number of arguments (unknown) it may be that option's value instead. It
// returns an error if it cannot decide.
func (find Finder) program(args []string, dir, unknown string) (bool, error) {
	switch {
	case find.Executable(args[0], dir) != nil:
		return false, nil
	case unknown == "":
		return true, nil
	case slices.Contains(args, "--"):
		return false, nil // the user has marked the program
	case find.IsMPI(args, dir):
		return true, nil
	}
	if other := find.laterProgram(args[1:], dir); other != "" {
		return false, fmt.Errorf("%s may be the program, or a value of %s if %s is the program: put `--` before the program", args[0], unknown, other)
	}
	return true, nil
}

// laterProgram returns the first of args that can be executed in dir, or "".
func (find Finder) laterProgram(args []string, dir string) string {
	for _, a := range args {
		if !launchers.IsOption(a) && find.Executable(a, dir) == nil {
			return a
		}
	}
	return ""
}

// noProgram returns the error for a segment without a program. reasons are the errors of the
// arguments that could not be executed.
func noProgram(options []string, reasons []error) error {
	for _, o := range options {
		switch strings.TrimLeft(o, "-") {
		case "configfile", "app":
			return fmt.Errorf("%s names the programs in a file, which wi4go does not read: put `wi4go exec` before each program in the file, "+
				"and start mpiexec itself", o)
		}
	}
	if len(reasons) == 1 {
		return reasons[0]
	}
	if len(reasons) > 0 {
		return fmt.Errorf("no program found among the arguments (%w): put `--` before the program", errors.Join(reasons...))
	}
	return errors.New("no program given: wi4go run [--from FAMILY] [--to RUNTIME] [MPIEXEC OPTIONS] PROGRAM [ARGUMENTS]")
}
