package abi

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:embed *.exports
var exportFiles embed.FS

// An Export is a symbol that a family's C library exports in addition to the symbols in the
// family's JSON file: mostly the library's own functions and data.
type Export struct {
	Data bool     // a data object; otherwise a function
	In   []string // labels of the versions that have it, sorted
}

// Exports returns the family's further exports by name, or an empty map if the family has no
// file for them.
func Exports(family string) (map[string]Export, error) {
	text, err := exportFiles.ReadFile(family + ".exports")
	if err != nil {
		return map[string]Export{}, nil
	}
	return ParseExports(family, text)
}

// The keywords that begin a group of symbols in a file of exports.
const (
	functions = "functions"
	data      = "data"
)

// ParseExports returns the exports in text, which follows the format of FormatExports.
func ParseExports(family string, text []byte) (map[string]Export, error) {
	const perName = 20 // bytes of text per name, at least
	exports := make(map[string]Export, len(text)/perName)
	var group *Export
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] != ' ':
			kind, labels, found := strings.Cut(line, ": ")
			if !found || kind != functions && kind != data {
				return nil, fmt.Errorf("abi: %s.exports: %q is not the head of a group: write \"%s: LABEL, …\" or \"%s: LABEL, …\"", family, line, functions, data)
			}
			group = &Export{Data: kind == data, In: strings.Split(labels, ", ")}
			continue
		}
		for name := range strings.FieldsSeq(line) {
			n := len(exports)
			if group == nil {
				return nil, fmt.Errorf("abi: %s.exports: %s belongs to no group: write the head of a group before it", family, name)
			}
			if exports[name] = *group; len(exports) == n {
				return nil, fmt.Errorf("abi: %s.exports: %s occurs twice", family, name)
			}
		}
	}
	return exports, nil
}

// FormatExports returns exports in the committed format: a group for each kind and each set of
// versions, and in it the names, sorted, several per line.
func FormatExports(family string, exports map[string]Export) []byte {
	groups := map[string][]string{}
	for name, e := range exports {
		kind := functions
		if e.Data {
			kind = data
		}
		head := kind + ": " + strings.Join(e.In, ", ")
		groups[head] = append(groups[head], name)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# What the C libraries of the %s family export in addition to the names in %s.json. Written by abi/probe.\n", family, family)
	for _, head := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(&out, "%s\n", head)
		const width = 140
		line := ""
		for _, name := range slices.Sorted(slices.Values(groups[head])) {
			if line != "" && len(line)+1+len(name) > width {
				fmt.Fprintf(&out, "%s\n", line)
				line = ""
			}
			line += " " + name
		}
		fmt.Fprintf(&out, "%s\n", line)
	}
	return out.Bytes()
}
