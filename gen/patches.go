package gen

import (
	"fmt"
	"regexp"
	"strings"

	"wi4go/mappers"
)

// definition is the beginning of a C function, whose name a macro may paste
// together: "static int A_MPI_Waitall(", "static int A_MPI_##Name##_c2f(".
var definition = regexp.MustCompile(`\bstatic [^;(){}]*\b(A_\w*(?:##\w+)*)\(`)

// checkPatches refuses a patch whose header does not define the function that
// it promises. header returns the text of a header of package mappers.
func checkPatches(table *mappers.Table, header func(name string) (string, error)) error {
	for _, name := range sortedKeys(table.Patches) {
		patch := table.Patches[name]
		text, err := header(patch.Header)
		if err != nil {
			return fmt.Errorf("mappers.json: patch %s: there is no header mappers/%s", name, patch.Header)
		}
		if !defines(text, "A_"+name) {
			return fmt.Errorf("mappers.json: patch %s: mappers/%s does not define A_%s: write it there or remove the patch", name, patch.Header, name)
		}
	}
	for _, name := range sortedKeys(table.Internals) {
		if text, err := header(table.Internals[name]); err != nil || !defines(text, "A_"+name) {
			return fmt.Errorf("mappers.json: internals: mappers/%s does not define A_%s: write it there or take it off the list", table.Internals[name], name)
		}
	}
	for _, i := range table.Identity {
		text, err := header(i.Header)
		if err != nil {
			return fmt.Errorf("mappers.json: identity: there is no header mappers/%s", i.Header)
		}
		for _, name := range i.Wrap {
			if !defines(text, "A_"+name) {
				return fmt.Errorf("mappers.json: identity: mappers/%s does not define A_%s: write it there or take it off the list", i.Header, name)
			}
		}
	}
	return nil
}

// defines says that a header defines the function, its name whole or pasted
// together from a macro's arguments.
func defines(text, function string) bool {
	for _, found := range definition.FindAllStringSubmatch(text, -1) {
		parts := strings.Split(found[1], "##")
		pattern := regexp.QuoteMeta(parts[0])
		for i, part := range parts[1:] {
			// A_MPI_##Name##_c2f: every second part is a parameter.
			if i%2 == 0 {
				pattern += `(\w+)`
			} else {
				pattern += regexp.QuoteMeta(part)
			}
		}
		m := regexp.MustCompile("^" + pattern + "$").FindStringSubmatch(function)
		if m == nil {
			continue
		}
		given := true
		for _, argument := range m[1:] {
			given = given && regexp.MustCompile(`[(,]\s*`+argument+`\s*[,)]`).MatchString(text)
		}
		if given {
			return true
		}
	}
	return false
}
