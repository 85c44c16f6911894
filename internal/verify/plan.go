package verify

import (
	"sync"

	"wi4go/internal/verify/rules"
)

// A Level determines how many cases run.
type Level string

// The levels take seconds, a minute, about ten minutes, and as long as necessary. Package rules has their cases.
const (
	Smoke   Level = "smoke"
	Quick   Level = "quick"
	Default Level = "default"
	Full    Level = "full"
)

// builtin returns the rules of the built-in tests. The generator has read them, too, so they are valid.
var builtin = sync.OnceValue(func() *rules.File {
	f, err := rules.Builtin()
	if err != nil {
		panic(err)
	}
	return f
})

// planned returns the cases of a chapter at a level.
func planned(chapter string, level Level) rules.Cases {
	return builtin().Chapter(chapter).Levels[string(level)]
}
