package launch

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/launchers"
	"wi4go/internal/spelling"
)

// ownOptions are wi4go's own options, without dashes. They are also valid among a launcher's
// options.
var ownOptions = []string{"from", "to", "identity", "dry-run", "verbose", "get"}

// misplacedOption returns an error if an option looks like a mistyped wi4go option (one letter or
// one dash off) and is not a launcher's option; else nil.
func misplacedOption(option string) error {
	name, value, joined := strings.Cut(option, "=")
	if name == "--" || !launchers.IsOption(name) {
		return nil
	}
	dashed := strings.HasPrefix(name, "--")
	name = strings.TrimLeft(name, "-")
	if dashed && slices.Contains(ownOptions, name) {
		if joined {
			return fmt.Errorf("--%s takes no value, but %q is given: see `wi4go help run`", name, value)
		}
		return nil // --verbose among the launcher's options
	}
	if _, launcher := launchers.Arity(name); launcher {
		return nil
	}
	for _, known := range ownOptions {
		if name == known || name == "too" && known == "to" || len(known) > 3 && spelling.IsTypoOf(name, known) {
			return fmt.Errorf("unknown option %s: did you mean --%s?", option, known)
		}
	}
	return nil
}

// Known reports whether a word is an option of wi4go or of a launcher.
func Known(option string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
	_, launcher := launchers.Arity(name)
	return launchers.IsOption(option) && (launcher || slices.Contains(ownOptions, name))
}
