package verify

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
)

// layoutsFor returns the libraries of --layouts that are linked with a library of a family, and its soname, which the tests'
// program must have, too. It returns an error if there are libraries of --layouts, but none of that family.
func (r *Run) layoutsFor(f *family.Family) (files []string, soname string, err error) {
	for _, file := range r.Parameters.Layouts {
		o, err := elfobj.ReadLinks(file)
		if err != nil {
			return nil, "", fmt.Errorf("--layouts: %w: name a library that was made with mpicc -shared -fPIC", err)
		}
		i := slices.IndexFunc(f.Sonames, func(name string) bool { return slices.Contains(o.Needed, name) })
		if i >= 0 {
			files, soname = append(files, file), f.Sonames[i]
		}
	}
	if len(files) == 0 && len(r.Parameters.Layouts) > 0 {
		return nil, "", fmt.Errorf("--layouts names no library that is linked with %s (%s): compile the layouts with its mpicc -shared -fPIC, and name "+
			"the result with a further --layouts", f.Title, strings.Join(f.Sonames, ", "))
	}
	return files, soname, nil
}
