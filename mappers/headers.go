package mappers

import "embed"

//go:embed *.h
var headers embed.FS

// Header returns the text of a header of hand-written conversions.
func Header(name string) (string, error) {
	text, err := headers.ReadFile(name)
	return string(text), err
}
