package launch

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/launchers"
)

// ownOptions are our options, without dashes; in lines of launchers too.
var ownOptions = []string{"from", "to", "identity", "dry-run", "verbose", "get"}

// meant is the error of an option that is one of ours but for a letter or a dash, and no
// launcher's; nil where it is neither.
func meant(option string) error {
	name, value, glued := strings.Cut(option, "=")
	if name == "--" || !launchers.IsOption(name) {
		return nil
	}
	dashed := strings.HasPrefix(name, "--")
	name = strings.TrimLeft(name, "-")
	if dashed && slices.Contains(ownOptions, name) {
		if glued {
			return fmt.Errorf("--%s takes no value, and %q is one: wi4go help run", name, value)
		}
		return nil // --verbose among a launcher's
	}
	if _, launcher := launchers.Arity(name); launcher {
		return nil
	}
	for _, known := range ownOptions {
		if name == known || name == "too" && known == "to" || len(known) > 3 && family.Alike(name, known) {
			return fmt.Errorf("unknown option %s: did you mean --%s?", option, known)
		}
	}
	return nil
}

// Known says whether a word is an option of ours or of a launcher's.
func Known(option string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
	_, launcher := launchers.Arity(name)
	return launchers.IsOption(option) && (launcher || slices.Contains(ownOptions, name))
}
