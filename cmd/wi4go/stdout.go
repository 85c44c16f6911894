package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// stdout is the standard output. It keeps its first write error, so that a full disk is
// reported at the end, whichever code was writing.
var stdout = &output{to: os.Stdout}

// An output is a writer that keeps its first error.
type output struct {
	to  io.Writer // destination
	err error     // first error, or nil
}

// Write writes to the destination.
func (o *output) Write(text []byte) (int, error) {
	n, err := o.to.Write(text)
	if err != nil && o.err == nil {
		o.err = err
		var path *fs.PathError // its path adds nothing to "the output"
		if errors.As(err, &path) {
			o.err = path.Err
		}
	}
	return n, err
}
