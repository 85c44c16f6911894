package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// stdout is the standard output, which keeps what went wrong with it: a disk that is full
// is told in the end, whoever was writing.
var stdout = &output{to: os.Stdout}

type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := o.to.Write(text)
	if err != nil && o.err == nil {
		o.err = err
		var path *fs.PathError // its path says no more than "the output"
		if errors.As(err, &path) {
			o.err = path.Err
		}
	}
	return n, err
}
