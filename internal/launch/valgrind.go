package launch

import (
	"os"
	"strings"
)

// valgrindOptions is the variable from which valgrind reads options, separated by spaces.
const valgrindOptions = "VALGRIND_OPTS"

// suppressed lets valgrind read wi4go's suppressions, unless only the program itself starts. In an audited process,
// valgrind must not free the C library's memory at the end, because the dynamic linker has allocated some of
// it before valgrind could see that: memcheck reports an error, and massif and dhat crash. The variable stays as
// it is if it cannot hold the path, or if a container may not have the file.
func (l Launcher) suppressed(j *Job) {
	file, options := l.Tree.Suppressions(), l.Getenv(valgrindOptions)
	if l.Contained || j.Way == Unaided || j.Program != nil && len(j.Program.Via) == 0 || strings.ContainsAny(file, " \t\n") {
		return
	}
	if _, err := os.Stat(file); err != nil || strings.Contains(options, file) {
		return
	}
	options = strings.TrimSpace(options + " --suppressions=" + file)
	if j.Audited() {
		options += " --run-libc-freeres=no"
	}
	j.Env = append(j.Env, Var{valgrindOptions, options})
}
