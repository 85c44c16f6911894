package mappers

import "embed"

//go:embed *.h
var headers embed.FS

// Header returns the text of a header of hand-written conversions.
func Header(name string) (string, error) {
	text, err := headers.ReadFile(name)
	return string(text), err
}

// Headers returns the names of these headers, sorted.
func Headers() []string {
	entries, err := headers.ReadDir(".")
	if err != nil {
		panic(err) // the embedded root is always readable
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
