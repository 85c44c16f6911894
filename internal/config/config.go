// Package config reads the settings that a user or a site has made once: the runtime to use if
// nothing else names one, where to look for runtimes, and the variables and options that their
// processes and launchers get. The format is TOML. There is a user file,
// $XDG_CONFIG_HOME/wi4go/config.toml, and a site file, /etc/wi4go/config.toml. The user file has
// priority.
//
// It must not know of runtimes: it returns values as text for other packages to interpret.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"wi4go/internal/spelling"
)

// A Value is a setting and the file that contains it.
type Value struct {
	Text string // "" if no file sets it
	File string
}

// A Config holds the settings of all files together.
type Config struct {
	To       Value                      // to = "mpich@5": the same as --to
	Index    Value                      // index = "https://…": the same as --index-url
	Search   []string                   // search = ["/sw/mpi"]: additional prefixes to search
	Hide     []string                   // hide = ["/opt/old*"]: patterns of libraries, or of directories above them, that the search skips
	Order    []string                   // order = ["mpich", "openmpi"]: vendors, in order of preference
	Strict   *bool                      // strict = true: the same as the variable WI4GO_STRICT; nil if no file sets it
	Runtimes map[string]RuntimeSettings // [runtime.mpich]: by vendor

	Lines []Value // each setting as a line of text to show to people
}

// A RuntimeSettings holds the settings for one vendor's processes and launchers.
type RuntimeSettings struct {
	// Environment holds variables for the processes, by name.
	Environment map[string]string `toml:"environment"`
	Options     []string          `toml:"options"` // options for the launcher; they come before the user's
}

// settings mirrors the keys of a file.
type settings struct {
	To      string                     `toml:"to"`
	Index   string                     `toml:"index"`
	Search  []string                   `toml:"search"`
	Hide    []string                   `toml:"hide"`
	Order   []string                   `toml:"order"`
	Strict  *bool                      `toml:"strict"`
	Runtime map[string]RuntimeSettings `toml:"runtime"`
}

// Files returns the paths where configuration files may be, the user's first. getenv looks up the
// environment.
func Files(getenv func(string) string) []string {
	var files []string
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		files = append(files, filepath.Join(dir, "wi4go", "config.toml"))
	} else if home := getenv("HOME"); filepath.IsAbs(home) {
		files = append(files, filepath.Join(home, ".config", "wi4go", "config.toml"))
	}
	return append(files, "/etc/wi4go/config.toml")
}

// Read reads the configuration files; a missing file is no error. If a file is wrong, the error
// names the file, the line and the mistake.
func Read(files []string) (Config, error) {
	c := Config{Runtimes: map[string]RuntimeSettings{}}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return c, fmt.Errorf("cannot read the configuration: %w", err)
		}
		var s settings
		if err := decode(text, &s); err != nil {
			return c, fmt.Errorf("%s:%w", file, err)
		}
		if err := s.check(); err != nil {
			return c, fmt.Errorf("%s: %w", file, err)
		}
		c.add(s, file)
	}
	return c, nil
}

// check returns an error for values that would silently have no effect.
func (s settings) check() error {
	for _, dir := range s.Search {
		if !filepath.IsAbs(dir) {
			return fmt.Errorf("search: %s is not an absolute path: write it as in search = [\"/sw/mpi\"]", dir)
		}
	}
	for _, pattern := range s.Hide {
		if _, err := filepath.Match(pattern, ""); err != nil || !filepath.IsAbs(pattern) {
			return fmt.Errorf("hide: %s is not a valid pattern: write it as in hide = [\"/opt/old*\"]", pattern)
		}
	}
	for _, vendor := range slices.Sorted(maps.Keys(s.Runtime)) {
		for name := range s.Runtime[vendor].Environment {
			if name == "" || strings.Contains(name, "=") {
				return fmt.Errorf("runtime.%s.environment: %q is not the name of a variable: write environment = { NAME = \"value\" }", vendor, name)
			}
		}
	}
	return nil
}

// add adopts the settings of a file that no earlier file has set.
func (c *Config) add(s settings, file string) {
	line := func(format string, args ...any) { c.Lines = append(c.Lines, Value{fmt.Sprintf(format, args...), file}) }
	for _, v := range []struct {
		of   *Value
		name string
		text string
	}{{&c.To, "to", s.To}, {&c.Index, "index", s.Index}} {
		if v.text != "" && v.of.Text == "" {
			*v.of = Value{v.text, file}
			line("%s = %q", v.name, v.text)
		}
	}
	for _, l := range []struct {
		of    *[]string
		name  string
		items []string
	}{{&c.Search, "search", s.Search}, {&c.Hide, "hide", s.Hide}, {&c.Order, "order", s.Order}} {
		if l.items != nil && *l.of == nil {
			*l.of = l.items
			line("%s = %s", l.name, quoted(l.items))
		}
	}
	if s.Strict != nil && c.Strict == nil {
		c.Strict = s.Strict
		line("strict = %t", *s.Strict)
	}
	for _, vendor := range slices.Sorted(maps.Keys(s.Runtime)) {
		given, here := s.Runtime[vendor], c.Runtimes[vendor]
		if here.Environment == nil {
			here.Environment = map[string]string{}
		}
		for _, name := range slices.Sorted(maps.Keys(given.Environment)) {
			if _, alreadySet := here.Environment[name]; !alreadySet {
				here.Environment[name] = given.Environment[name]
				line("runtime.%s.environment.%s = %q", vendor, name, given.Environment[name])
			}
		}
		if given.Options != nil && here.Options == nil {
			here.Options = given.Options
			line("runtime.%s.options = %s", vendor, quoted(given.Options))
		}
		c.Runtimes[vendor] = here
	}
}

// FileOf returns the file that contains a setting, or a setting below it in a table.
func (c Config) FileOf(key string) string {
	for _, line := range c.Lines {
		if strings.HasPrefix(line.Text, key+" ") || strings.HasPrefix(line.Text, key+".") {
			return line.File
		}
	}
	return "config.toml"
}

// StrictVariable is the variable that has the same effect as the setting strict.
const StrictVariable = "WI4GO_STRICT"

// Strictness returns the value for that variable, or "" if no file sets strict.
func (c Config) Strictness() string {
	switch {
	case c.Strict == nil:
		return ""
	case *c.Strict:
		return "1"
	}
	return "0"
}

// Variables returns the variables, as pairs of name and value, for processes that run on a vendor's
// library.
func (c Config) Variables(vendor string) (vars [][2]string) {
	if strict := c.Strictness(); strict != "" {
		vars = append(vars, [2]string{StrictVariable, strict})
	}
	environment := c.Runtimes[vendor].Environment
	for _, name := range slices.Sorted(maps.Keys(environment)) {
		vars = append(vars, [2]string{name, environment[name]})
	}
	return vars
}

// quoted returns the items as a TOML list.
func quoted(items []string) string {
	var q []string
	for _, item := range items {
		q = append(q, fmt.Sprintf("%q", item))
	}
	return "[" + strings.Join(q, ", ") + "]"
}

// keys lists all settings, for the error about an unknown setting.
const keys = "to, index, search, hide, order and strict, and in [runtime.VENDOR] environment and options"

// decode parses a file. Its errors begin with the line number.
func decode(text []byte, s *settings) error {
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(s)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		first := unknown.Errors[0]
		line, _ := first.Position()
		key := first.Key()
		wrong, known := key[0], []string{"to", "index", "search", "hide", "order", "strict", "runtime"}
		if wrong == "runtime" {
			wrong, known = key[len(key)-1], []string{"environment", "options"}
		}
		return fmt.Errorf("%d: unknown setting %q: %sthe settings are %s", line, strings.Join(key, "."), spelling.Suggestion(wrong, known), keys)
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		key := strings.Join(wrong.Key(), ".")
		if want := kinds[key[strings.LastIndexByte(key, '.')+1:]]; want != "" {
			return fmt.Errorf("%d: %s: invalid value: write %s", line, key, want)
		}
		if lines := strings.Split(string(text), "\n"); line > 0 && line <= len(lines) && strings.HasPrefix(strings.TrimSpace(lines[line-1]), "[") {
			return fmt.Errorf("%d: invalid table: write its name as in [runtime.mpich]", line)
		}
		return fmt.Errorf("%d: invalid setting: write it as in to = \"RUNTIME\"", line)
	case err != nil:
		return fmt.Errorf("1: %w", err)
	}
	return nil
}

// kinds maps each setting to the way in which it must be written, for error messages.
var kinds = map[string]string{
	"to": `a text, to = "mpich"`, "index": `a text, index = "https://…"`,
	"search": `a list, search = ["/sw/mpi"]`, "hide": `a list, hide = ["/opt/old*"]`, "order": `a list, order = ["mpich"]`,
	"strict": "strict = true or strict = false", "environment": `texts, environment = { NAME = "value" }`,
	"options": `a list, options = ["-bind-to", "core"]`,
}
