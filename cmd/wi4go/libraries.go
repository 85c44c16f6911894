package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/ldso"
)

// linkerLimit bounds the time of the dynamic linker for one program.
const linkerLimit = 10 * time.Second

// checkLibraries returns an error if the program of a segment needs a library that is not on this machine, so
// that not each rank reports it. environ is the environment of the ranks without the jobs' own variables.
func checkLibraries(l launch.Launcher, segments []launch.Segment, jobs []*launch.Job, environ []string) error {
	for i, j := range jobs {
		p, missing := l.MissingLibraries(j, segments[i], environ)
		if len(missing) == 0 {
			continue
		}
		absent := notFound(p, segments[i].Dir, launch.Environ(environ, j.Env))
		for _, m := range missing {
			if absent[m.Name] {
				return fault.New("library-missing", "install the package that contains it, or add its directory to LD_LIBRARY_PATH (`ldd "+p.Path+"` lists all)",
					"%s needs %s, but it is not on this machine", m.Loader.Path, m.Name)
			}
		}
	}
	return nil
}

// notFound returns the libraries that the dynamic linker itself does not find for a program in directory dir. It
// runs nothing of the program (ldd(1)).
func notFound(p *ldso.Node, dir string, environ []string) map[string]bool {
	ctx, cancel := context.WithTimeout(context.Background(), linkerLimit)
	defer cancel()
	absolute, err := filepath.Abs(p.Path)
	if err != nil {
		return nil
	}
	command := exec.CommandContext(ctx, p.Interp, absolute)
	command.Dir = dir
	for _, v := range environ {
		if !strings.HasPrefix(v, "LD_") || strings.HasPrefix(v, "LD_LIBRARY_PATH=") || strings.HasPrefix(v, "LD_PRELOAD=") {
			command.Env = append(command.Env, v)
		}
	}
	command.Env = append(command.Env, "LD_TRACE_LOADED_OBJECTS=1")
	out, _ := command.Output() // it exits with an error if a library is missing
	absent := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if name, found := strings.CutSuffix(strings.TrimSpace(line), " => not found"); found {
			absent[name] = true
		}
	}
	return absent
}
