package launch

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/launchers"
)

// Options are those of wi4go itself.
type Options struct {
	From, To        string
	DryRun, Verbose bool
	Identity        bool // the front also where the runtime's library could be substituted
	Help            bool
	Get             bool // bring the runtime where there is none
}

// A Segment is one program of a launcher's command line, between its ':'.
type Segment struct {
	Options []string // the launcher's, untouched
	Program []string // the program and its arguments
	Dir     string   // where it will run, where an option says so
}

// A Finder answers what the command line alone cannot say.
type Finder struct {
	// Executable says why name, in a directory, is no program that can be
	// started; nil means that it is one.
	Executable func(name, dir string) error
	// IsMPI says whether a command is an MPI program itself, beyond doubt.
	IsMPI func(argv []string, dir string) bool
}

// take takes one option of ours off the front of args, and says how many
// arguments that was; 0 means that it is none of ours. Those that no launcher
// has (--from, --to, --identity, --get, --dry-run) count anywhere before the program; --verbose
// and --help are the launcher's once its own options have begun.
func (o *Options) take(args []string, leading bool) (int, error) {
	name, value, glued := strings.Cut(args[0], "=")
	switch name {
	case "--from", "--to":
		n := 1
		if !glued {
			if len(args) < 2 {
				return 0, fmt.Errorf("%s wants a value: wi4go help run", name)
			}
			value, n = args[1], 2
		}
		if value == "" {
			return 0, fmt.Errorf("%s wants a value, and it is empty: wi4go help run", name)
		}
		if launchers.IsOption(value) {
			return 0, fmt.Errorf("%s wants a value, and %s is an option: wi4go help run", name, value)
		}
		if name == "--from" {
			o.From = family.Usual(value)
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
		return 0, meant(args[0])
	}
	return 1, nil
}

// ParseExec reads the arguments of `wi4go exec` and `wi4go env`: options of
// ours, then, behind an optional "--", the program.
func ParseExec(args []string) (options Options, program []string, err error) {
	for len(args) > 0 {
		if args[0] == "--" {
			return options, args[1:], nil
		}
		n, err := options.take(args, true)
		if err != nil {
			return options, nil, err
		}
		if n == 0 || options.Get { // for that each rank would look
			if launchers.IsOption(args[0]) {
				return options, nil, fmt.Errorf("unknown option %s (the options of the program stand behind it)", args[0])
			}
			break
		}
		args = args[n:]
	}
	return options, args, nil
}

// ParseOptions takes the options of ours off the front of a launcher's command line,
// but for those that launchers have as well.
func ParseOptions(args []string) (options Options, rest []string, err error) {
	for len(args) > 0 && args[0] != "--" {
		n, err := options.take(args, false)
		if n == 0 || err != nil {
			return options, args, err
		}
		args = args[n:]
	}
	return options, args, nil
}

// ParseRun reads the arguments of `wi4go run`: options of ours, then a command
// line of mpiexec. In each segment the program is the first argument that is
// neither an option nor the value of one and that can be executed, or whatever
// stands behind "--" (which is ours, and taken out: Hydra does not know it).
// Where an option of unknown arity leaves doubt, that is an error, not a guess.
func ParseRun(args []string, find Finder) (options Options, segments []Segment, err error) {
	leading := true // only options of ours so far
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
		args = args[end+1:] // behind the ':'
	}
}

// segment reads args up to a ':' or their end.
func (o *Options) segment(args []string, leading *bool, find Finder) (s Segment, end int, err error) {
	if end = slices.Index(args, ":"); end < 0 {
		end = len(args)
	}
	args = args[:end]
	var reasons []error
	unknown := ""     // the option of unknown arity right before
	doubtful := false // the last option was of unknown arity
	for len(args) > 0 {
		arg := args[0]
		n, err := o.take(args, *leading)
		switch {
		case err != nil:
			return s, 0, err
		case n > 0:
			args = args[n:]
			continue
		case arg == "--" && *leading && len(args) > 1 && launchers.IsOption(args[1]):
			*leading = false // ends our own options; the launcher's follow
			args = args[1:]
			continue
		case arg == "--" && len(args) == 1:
			return s, 0, errors.New("nothing stands behind `--`: put the program there")
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
				return s, 0, reason // no option can have it for a value
			}
			reasons = append(reasons, reason)
		}
		s.Options = append(s.Options, arg)
		args, unknown = args[1:], ""
	}
	return s, 0, noProgram(s.Options, reasons)
}

// takeOption moves an option and the values that it is known to have from the
// front of args into the segment; unknown is the option if its arity is.
func (s *Segment) takeOption(args []string) (rest []string, unknown string) {
	option := args[0]
	n, known := launchers.Arity(option)
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

// program says whether args[0], no option itself, is the segment's program.
// Behind an option of unknown arity it may be that option's value instead.
func (find Finder) program(args []string, dir, unknown string) (bool, error) {
	switch {
	case find.Executable(args[0], dir) != nil:
		return false, nil
	case unknown == "":
		return true, nil
	case slices.Contains(args, "--"):
		return false, nil // the user has settled it
	case find.IsMPI(args, dir):
		return true, nil
	}
	if other := find.laterProgram(args[1:], dir); other != "" {
		return false, fmt.Errorf("cannot tell whether %s is the program or belongs to %s, and %s is the program: "+
			"put `--` before the program", args[0], unknown, other)
	}
	return true, nil
}

func (find Finder) laterProgram(args []string, dir string) string {
	for _, a := range args {
		if !launchers.IsOption(a) && find.Executable(a, dir) == nil {
			return a
		}
	}
	return ""
}

func noProgram(options []string, reasons []error) error {
	for _, o := range options {
		switch strings.TrimLeft(o, "-") {
		case "configfile", "app":
			return fmt.Errorf("the programs stand in the file of %s, which wi4go does not read: "+
				"put `wi4go exec` before each program in it, and use mpiexec itself", o)
		}
	}
	if len(reasons) == 1 {
		return reasons[0]
	}
	if len(reasons) > 0 {
		return fmt.Errorf("no program among the arguments (%w); if it is one, put `--` before it", errors.Join(reasons...))
	}
	return errors.New("no program given: wi4go run [--from FAMILY] [--to RUNTIME] [MPIEXEC OPTIONS] PROGRAM [ARGUMENTS]")
}
