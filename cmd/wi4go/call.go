package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/spelling"
)

// inspectCall prints how a call of an MPI function is handled when a program of the family from
// runs on a library of to. to is a family or a runtime. inspectCall returns an error if
// programs of the family have no such function.
func inspectCall(out io.Writer, l launch.Launcher, function, from, to string) error {
	if from == "" || to == "" {
		return exitError{exitUsage, errors.New("inspect --call needs --from and --to: wi4go inspect --call MPI_Recv --from openmpi --to mpich")}
	}
	a, err := family.Of(family.CanonicalName(from))
	if err != nil {
		return err
	}
	r, err := family.Of(family.CanonicalName(to))
	if err != nil {
		rt, notFound := l.Runtime(to, false)
		if notFound != nil {
			return notFound
		}
		r = rt.Family
	}
	text, err := l.Tree.Calls(a.Name, r.Name)
	if err != nil {
		return err
	}
	name := strings.TrimPrefix(function, "P")
	paragraphs := strings.Split(text, "\n\n")
	i := slices.IndexFunc(paragraphs, func(p string) bool { return strings.HasPrefix(p, name+"\n") })
	if i < 0 {
		suggestion := spelling.Suggestion(name, functionsIn(paragraphs))
		return fault.New("no-such-call", cmp.Or(suggestion, "check the spelling; ")+"`wi4go inspect FILE` lists the functions that a program calls",
			"%s is not a function of the %s family", function, a.Name)
	}
	fmt.Fprintln(out, strings.TrimSpace(paragraphs[i]))
	return nil
}

// functionsIn returns the names of the functions that the paragraphs of a family's calls describe.
func functionsIn(paragraphs []string) (names []string) {
	for _, p := range paragraphs {
		if name, _, found := strings.Cut(p, "\n"); found && strings.HasPrefix(name, "MPI") {
			names = append(names, name)
		}
	}
	return names
}
