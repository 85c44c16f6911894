// Command wi4go runs MPI programs on an MPI library other than the one they were compiled
// against. Each subcommand is a file here. The subcommands are thin; the packages in internal/
// do the work.
//
// The limits of the cgroup, which Go reads for GOMAXPROCS, take longer to read than they help here.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wi4go/internal/audit"
	"wi4go/internal/config"
	"wi4go/internal/fault"
	"wi4go/internal/install"
	"wi4go/internal/launch"
	"wi4go/internal/ldso"
	"wi4go/internal/runtimes"
	"wi4go/internal/shell"
	"wi4go/internal/spelling"
)

// version and commit are set by the build: -ldflags "-X main.version=…". commit is "" if the build
// does not know it.
var (
	version = "0.1.0-dev"
	commit  string
)

// Exit codes of wi4go itself. A program that runs has its own exit code; ranks.StartCode
// returns the code for a program that cannot be executed.
const (
	exitFailure = 1
	exitUsage   = 2
)

// An exitError is an error with its own exit code. If its error is nil, everything was already
// printed.
type exitError struct {
	code int
	error
}

// Unwrap returns the error without the code.
func (e exitError) Unwrap() error { return e.error }

// Error returns the message, or the exit code if there is none.
func (e exitError) Error() string {
	if e.error == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.error.Error()
}

func main() {
	// A command makes a few megabytes of garbage and ends, or starts ranks. Collecting it would take
	// a tenth of that time, so the first collection is at four times the usual size, 16 MB.
	debug.SetGCPercent(400)
	if err := saveAddressSpace(append(os.Args[1:], "")[0]); err != nil {
		fmt.Fprintf(os.Stderr, "wi4go: %v\n", err)
		os.Exit(exitFailure)
	}
	os.Exit(called(filepath.Base(os.Args[0]), os.Args[1:]))
}

// run executes one command line and returns the exit code. It does not return if the command
// becomes another program.
func run(args []string) int {
	root := &cobra.Command{
		Use:           "wi4go",
		Version:       version,
		Short:         "Run an MPI program on an MPI library other than the one it was built for",
		SilenceErrors: true,
		SilenceUsage:  true,
		Example: `  wi4go run --to mpich -n 4 ./app x y        takes mpiexec's own options
  srun -n 4 wi4go exec --to openmpi ./app    under any launcher
  wi4go inspect ./app --to mpich             shows whether it will run`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return exitError{exitUsage, errors.New("no command given: `wi4go help` lists the commands")}
		},
	}
	root.SuggestionsMinimumDistance = 2 // letters that may differ
	root.SetOut(stdout)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		switch {
		case cmd != root:
		case !strings.HasPrefix(args[0], "-"):
			return unknownCommand(root, args[0])
		case launch.Known(args[0]):
			return exitError{exitUsage, fmt.Errorf("%w: put options after the command: wi4go run %s …", wrongOption(err), args[0])}
		}
		return exitError{exitUsage, fmt.Errorf("%w: %ssee `%s --help`", wrongOption(err), similarOption(cmd, err), cmd.CommandPath())}
	})
	root.SetVersionTemplate(release() + "\n")
	root.AddCommand(
		runCommand(),
		execCommand(),
		envCommand(),
		shellCommand(),
		ranksCommand(),
		listCommand(),
		getCommand(),
		inspectCommand(),
		doctorCommand(),
		verifyCommand(),
		versionCommand(),
		manCommand(),
		// Commands that wi4go, a front or the core starts as a child.
		queryCommand(),
		defaultCommand(),
		wrongLauncherCommand(), insteadCommand(),
		peerCommand(),
		hostAnswerCommand(),
	)
	strictHelp(root)
	addCompletions(root)
	bareUsage(root)
	wrapOptions(root)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		withoutQuotes(root)
	}
	root.SetArgs(args)
	err := root.Execute()
	if stdout.err != nil {
		err = fmt.Errorf("cannot write the output: %w", stdout.err)
	}
	if err == nil {
		return 0
	}
	var e exitError
	if !errors.As(err, &e) {
		e = exitError{exitFailure, err}
	}
	if e.error != nil {
		fmt.Fprintf(os.Stderr, "wi4go: %s\n", oneLine(err))
	}
	return e.code
}

// unknownCommand returns the error for an unknown command.
func unknownCommand(root *cobra.Command, name string) error {
	cure := ""
	switch {
	case strings.Contains(name, "/"):
		cure = "to run it: wi4go run " + shell.Quote(name)
	case name == "":
		cure = didYouMean(nil)
	default:
		cure = didYouMean(root.SuggestionsFor(name))
	}
	return exitError{exitUsage, fmt.Errorf("unknown command %q: %s", name, cure)}
}

// strictHelp makes `wi4go help` return an error for an unknown command.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "help" {
			continue
		}
		show := cmd.Run
		cmd.Run = nil
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if found, _, err := root.Find(args); len(args) > 0 && (err != nil || found == root) {
				return unknownCommand(root, args[0])
			}
			show(cmd, args)
			return nil
		}
	}
}

// didYouMean returns the cure for an unknown command: similar commands if there are any.
func didYouMean(suggestions []string) string {
	if len(suggestions) == 0 {
		return "`wi4go help` lists the commands"
	}
	return fmt.Sprintf("did you mean %s?", strings.Join(suggestions, " or "))
}

// wrongOption returns wi4go's own error for an invalid option, instead of the error of the
// library that parsed it.
func wrongOption(err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unknown option -%s", unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return fmt.Errorf("unknown option --%s", unknown.GetSpecifiedName())
	case errors.As(err, &bare):
		return fmt.Errorf("--%s needs a value", bare.GetFlag().Name)
	case !errors.As(err, &invalid):
		return err
	}
	flag := invalid.GetFlag()
	want := map[string]string{"int": "a whole number", "bool": "true or false", "duration": "a time such as 90s or 2m"}[flag.Value.Type()]
	if want == "" {
		return err
	}
	return fmt.Errorf("--%s %s: give %s", flag.Name, invalid.GetValue(), want)
}

// similarOption returns the suggestion for an unknown long option of a command, or "".
func similarOption(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return spelling.Suggestion("--"+unknown.GetSpecifiedName(), known)
}

// oneLine returns the text of an error, joined to one line.
func oneLine(err error) string { return strings.ReplaceAll(fault.Text(err), "\n", "; ") }

// newLauncher returns the launcher with all inputs that the commands take from this process. It
// returns an error if the installation or WI4GO_IDENTITY is invalid.
func newLauncher() (launch.Launcher, error) {
	tree, err := install.Find()
	if err != nil {
		return launch.Launcher{}, err
	}
	search := runtimes.FromEnviron(tree.Fronts())
	search.Self = tree.Command()
	if dir, err := os.UserCacheDir(); err == nil {
		search.CacheDir = filepath.Join(dir, "wi4go", "runtimes")
	}
	identity := os.Getenv("WI4GO_IDENTITY")
	if identity != "" && identity != "always" {
		return launch.Launcher{}, fmt.Errorf("WI4GO_IDENTITY=%s: unknown value: set it to always, or unset it", identity)
	}
	settings, wrong := settings()
	for _, dir := range settings.Search {
		search.Globs = append([]runtimes.Place{{Dir: dir, Name: "config.toml"}}, search.Globs...)
	}
	search.Hide, search.Order = settings.Hide, settings.Order
	search.Installing = func(name string) string { return thisMachine(settings.Index.Text).installing(name) }
	return launch.Launcher{
		Tree:     tree,
		Runtimes: search,
		Libs:     ldso.FromEnviron(),
		Getenv:   os.Getenv,
		CacheDir: os.UserCacheDir,
		Config:   func() (config.Config, error) { return settings, wrong },
		Identity: identity == "always",
		Auditor:  audit.Usable,
	}, nil
}

// launcherOn returns the launcher as newLauncher does, and the library with this file or name.
func launcherOn(library string) (launch.Launcher, *runtimes.Runtime, error) {
	l, err := newLauncher()
	if err != nil {
		return l, nil, err
	}
	rt, err := l.Runtimes.Resolve(library)
	return l, rt, err
}

// settings returns the configuration, with vendors by their usual names. It returns an error
// for an invalid file.
func settings() (config.Config, error) {
	settings, err := config.Read(config.Files(os.Getenv))
	if err != nil {
		return config.Config{}, err
	}
	if settings.Index.Text != "" {
		if err := checkIndex(settings.Index.Text); err != nil {
			return config.Config{}, fmt.Errorf("%s: index: %w", settings.Index.File, err)
		}
	}
	vendor := func(key, name string) (string, error) {
		if v := runtimes.VendorOf(name); v != nil {
			return v.Name, nil
		}
		return "", fmt.Errorf("%s: %s: unknown MPI %q: %sthe names are %s", settings.FileOf(key), key, name,
			spelling.Suggestion(name, strings.Split(runtimes.VendorNames(), ", ")), runtimes.VendorNames())
	}
	for i, name := range settings.Order {
		if settings.Order[i], err = vendor("order", name); err != nil {
			return config.Config{}, err
		}
	}
	of := map[string]config.RuntimeSettings{}
	for name, given := range settings.Runtimes {
		usual, err := vendor("runtime."+name, name)
		if err != nil {
			return config.Config{}, err
		}
		of[usual] = given
	}
	settings.Runtimes = of
	return settings, nil
}

// versionCommand returns the command that prints the version.
func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version of wi4go", Args: noArgs,
		Run: func(*cobra.Command, []string) { fmt.Fprintln(stdout, release()) },
	}
}

// release returns the name and the version of wi4go, and the commit if it is known.
func release() string {
	if commit == "" {
		return "wi4go " + version
	}
	return "wi4go " + version + " (commit " + commit + ")"
}

// queryCommand returns the command that runtimes.QueryVersion starts as a child.
func queryCommand() *cobra.Command {
	return &cobra.Command{
		Use: runtimes.QueryCommand + " LIBRARY", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			return runtimes.WriteVersion(path, stdout)
		},
	}
}
