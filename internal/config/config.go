// Package config reads what a user or a site has settled once: the runtime to
// run on where nothing names one. The format is TOML; there is a file of the
// user's, $XDG_CONFIG_HOME/wi4go/config.toml, and one of the site's,
// /etc/wi4go/config.toml. The user's comes first.
//
// It must not know what a runtime is: values are text for others.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
)

// A Value is a setting and where it is said.
type Value struct {
	Text string // "" where no file says it
	File string
}

// A Config is what the files say together.
type Config struct {
	To Value // to = "mpich@5": what --to would say
}

// settings are the keys of a file.
type settings struct {
	To string `toml:"to"`
}

// Files are where the files may be, the user's first. getenv looks up the
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

// Read reads the files; one that is not there is no error. The error of one
// that is wrong names the file, the line and what is wrong with it.
func Read(files []string) (Config, error) {
	var c Config
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err != nil {
			return c, fmt.Errorf("cannot read the configuration: %w", err)
		}
		var s settings
		if err := decode(text, &s); err != nil {
			return c, fmt.Errorf("%s:%w", file, err)
		}
		if c.To.Text == "" {
			c.To = Value{s.To, file}
		}
	}
	return c, nil
}

// decode begins its error with the number of the line.
func decode(text []byte, s *settings) error {
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(s)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		first := unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("%d: unknown setting %q: there is only to = \"RUNTIME\"", line, joined(first.Key()))
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		return fmt.Errorf("%d: %s: a setting is written to = \"RUNTIME\"", line, wrong.Error())
	case err != nil:
		return fmt.Errorf("1: %w", err)
	}
	return nil
}

func joined(key []string) string {
	text := ""
	for i, k := range key {
		if i > 0 {
			text += "."
		}
		text += k
	}
	return text
}
