package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"wi4go/internal/pattern"
)

// Pip is the source that runs `python3 -m pip`, so that the user's configuration of pip
// applies: indexes, proxies, certificates, credentials.
type Pip struct {
	Python   string    // a Python that has pip
	Wheel    string    // the file of pip, if it is not installed, or ""
	IndexURL string    // index to use instead of the configured one, or ""
	Progress io.Writer // terminal for pip's progress, or nil

	// Client reads the sizes of wheels on their servers before pip downloads them, or is nil to leave the sizes out.
	Client *http.Client

	links map[Requirement]string // addresses of the wheels that Versions has found
}

// FindPip returns the first command in PATH, python3 or python, that has pip, and the wheel of pip
// that it must be given: "" if pip is installed, else the wheel that comes with Python for its
// virtual environments. It returns "" if there is neither.
func FindPip(ctx context.Context) (python, wheel string) {
	for _, name := range []string{"python3", "python"} {
		python, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if (&Pip{Python: python}).command(ctx, "--version").Run() == nil {
			return python, ""
		}
		out, err := exec.CommandContext(ctx, python, "-c", bundled).Output()
		wheel := strings.TrimSpace(string(out))
		if err == nil && wheel != "" && (&Pip{Python: python, Wheel: wheel}).command(ctx, "--version").Run() == nil {
			return python, wheel
		}
	}
	return "", ""
}

// MayHavePip reports whether FindPip probably finds a pip. It only looks for files, which is faster
// than starting Python. A Python outside the directories of the system counts as one with pip.
func MayHavePip() bool {
	for _, name := range []string{"python3", "python"} {
		python, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if dir := filepath.Dir(python); dir != "/usr/bin" && dir != "/bin" {
			return true
		}
		home, _ := os.UserHomeDir() // without a home directory, pip is not in it
		for _, pattern := range []string{"/usr/lib*/python3*/*-packages/pip", "/usr/local/lib*/python3*/*-packages/pip", home + "/.local/lib/python3*/site-packages/pip",
			"/usr/lib*/python3*/ensurepip/_bundled/pip-*.whl", "/usr/share/python*-wheels/pip-*.whl"} {
			if found, _ := filepath.Glob(pattern); len(found) > 0 { // the patterns are well-formed
				return true
			}
		}
	}
	return false
}

// bundled is a program in Python that prints the wheel of pip that comes with Python.
const bundled = `import glob, os, sysconfig
dirs = [sysconfig.get_config_var("WHEEL_PKG_DIR") or "", "/usr/share/python-wheels"]
try:
    import ensurepip
    dirs.insert(0, os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"))
except ImportError:
    pass
found = [file for dir in dirs for file in sorted(glob.glob(os.path.join(dir, "pip-*.whl")))]
print(found[0] if found else "")`

// command returns a command of pip. python3 -m searches the current directory first, so that is
// the root.
func (p *Pip) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.Python, append([]string{"-m", "pip"}, args...)...)
	cmd.Dir = "/"
	if p.Wheel != "" {
		cmd.Env = append(os.Environ(), "PYTHONPATH="+p.Wheel)
	}
	return cmd
}

// download runs `pip download` in dir and returns its output. If show is not nil, stdout goes to
// show instead, because pip draws its progress only on a terminal. The result then has stderr,
// where pip writes all its errors and warnings.
func (p *Pip) download(ctx context.Context, dir string, show io.Writer, args ...string) (string, error) {
	words := []string{"download", "--no-input", "--disable-pip-version-check", "--only-binary=:all:", "--dest", dir}
	if p.IndexURL != "" {
		words = append(words, "--index-url", p.IndexURL)
	}
	if show == nil {
		words = append(words, "--progress-bar", "off")
	}
	cmd := p.command(ctx, append(words, args...)...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 5 * time.Second
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if show != nil {
		cmd.Stdout = show
	}
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return text.String(), err
}

// fromVersions matches the versions in pip's error message for a version that does not exist.
var fromVersions = pattern.New(`\(from versions: ([^)]*)\)`)

// foundLink matches a line of pip about a wheel that it would accept.
var foundLink = pattern.New(`Found link ([^\s#]+)\S* \(from [^)]*\).*, version: (\S+)`)

// Versions requests a version that no package has, because pip's error message then lists the
// versions that it would accept on this machine. (`pip index` would list them too, but it is
// experimental and missing in older releases. Without -vv, pip does not mention an index that
// it cannot reach.)
func (p *Pip) Versions(ctx context.Context, name string) ([]string, error) {
	dir, err := os.MkdirTemp("", "wi4go-pip-")
	if err != nil {
		return nil, fmt.Errorf("no directory for temporary files: %w: create it, or set TMPDIR to a directory that you can write to", err)
	}
	defer os.RemoveAll(dir)
	text, err := p.download(ctx, dir, nil, "-vv", "--no-deps", name+"==999999999")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	m := fromVersions.FindStringSubmatch(text)
	if m == nil {
		return nil, p.explain(name, text, err)
	}
	p.links = map[Requirement]string{}
	for _, link := range foundLink.FindAllStringSubmatch(text, -1) {
		p.links[Requirement{name, link[2]}] = link[1]
	}
	if m[1] != "none" {
		return strings.Split(m[1], ", "), nil
	}
	if reason := unreachable(text); reason != "" {
		return nil, fmt.Errorf("cannot reach the package index (%s): check the network, pip's proxy (PIP_PROXY) and pip's index "+
			"(PIP_INDEX_URL), or name another index with --index-url", reason)
	}
	return nil, nil
}

// fastDeps makes pip read the dependencies of a wheel before it downloads any wheel. A missing
// package then causes an error within a second instead of after a gigabyte.
const fastDeps = "--use-feature=fast-deps"

// noSuchOption matches pip's errors for an unknown option, in an old pip or in a new one that
// no longer has the feature.
var noSuchOption = pattern.New(`no such option|invalid choice`)

// describe returns the sizes of the required wheels, without their dependencies, as far as their
// servers report them within a short time.
func (p *Pip) describe(ctx context.Context, requirements []Requirement) (wheels []Wheel) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for _, r := range requirements {
		address := p.links[r]
		if address == "" || p.Client == nil {
			continue
		}
		w := Wheel{File: path.Base(address), Size: remoteSize(ctx, p.Client, address)}
		if archive, err := remoteArchive(ctx, p.Client, address, w.Size); w.Size > 0 && err == nil {
			w.Unpacked = unpackedSize(archive)
		}
		wheels = append(wheels, w)
	}
	return wheels
}

// Fetch lets pip download the wheels, resolve their dependencies and check their hashes, and
// returns the files. Complete wheels stay in dir, so that a later attempt continues after them.
func (p *Pip) Fetch(ctx context.Context, requirements []Requirement, dir string, admit func([]Wheel) error) ([]string, error) {
	if err := admit(p.describe(ctx, requirements)); err != nil {
		return nil, err
	}
	var names []string
	for _, r := range requirements {
		names = append(names, r.String())
	}
	text, err := p.download(ctx, dir, p.Progress, append([]string{fastDeps}, names...)...)
	if err != nil && noSuchOption.MatchString(text) {
		text, err = p.download(ctx, dir, p.Progress, names...)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, p.explain(strings.Join(names, " "), text, err)
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err == nil && len(wheels) == 0 {
		err = errors.New("pip downloaded no wheel")
	}
	return wheels, err
}

// Patterns for the parts of pip's warnings that contain the reason of a failed connection.
var (
	brokenBy = pattern.New(`after connection broken by '(.*)': `)
	reason   = pattern.New(`\[Errno -?\d+\] ([^'")]+)|(certificate verify failed)|(\w*[Tt]imed? ?out)|Tunnel connection failed: ([^'")]+)`)
	fetchURL = pattern.New(`Could not fetch URL \S+: ([^\n]*?)(?: - skipping)?\n`)
	insecure = pattern.New(`WARNING: (The repository located at \S+ is not a trusted or secure host and is being ignored)`)
	status   = pattern.New(`WARNING: (\d{3} Error, [^\n]*)`)
)

// unreachable returns the reason in pip's warnings why pip did not reach the index, or "" if it
// did.
func unreachable(text string) string {
	for _, pattern := range []*pattern.Pattern{brokenBy, fetchURL, insecure, status} {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "404 Client Error") {
				continue // the index was reached and has no such package
			}
			if r := reason.FindStringSubmatch(m[1]); r != nil {
				return r[1] + r[2] + r[3] + r[4]
			}
			return m[1]
		}
	}
	return ""
}

// lackingDependency matches pip's error for a dependency that the index lacks.
var lackingDependency = pattern.New(`satisfies the requirement (\S+) \(from ([^)]+)\) \(from versions`)

// explain returns an error of one line for a failure of pip. what names the packages, text is
// pip's output.
func (p *Pip) explain(description, text string, err error) error {
	switch {
	case strings.Contains(text, "No space left on device"):
		return fmt.Errorf("cannot download %s: no space left on device", description)
	case strings.Contains(text, "DO NOT MATCH THE HASHES"):
		return fmt.Errorf("%s: the downloaded file does not match the hash of the package index; nothing was installed: run the command again", description)
	}
	if reason := unreachable(text); reason != "" {
		return fmt.Errorf("cannot download %s: %s", description, reason)
	}
	if m := lackingDependency.FindStringSubmatch(text); m != nil {
		return &lackingError{fmt.Errorf("the package index has no %s for this machine, which %s needs", m[1], m[2])}
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := lines[len(lines)-1]
	for _, line := range lines {
		if rest, found := strings.CutPrefix(line, "ERROR: "); found {
			last = rest
			break
		}
	}
	if last == "" {
		last = err.Error()
	}
	return fmt.Errorf("pip cannot download %s: %s", description, last)
}
