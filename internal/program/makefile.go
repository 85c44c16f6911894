package program

import (
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/pattern"
)

// makefileNames are the makefiles that make looks for, the preferred first.
var makefileNames = []string{"GNUmakefile", "makefile", "Makefile"}

// mostIncluded bounds the files that a makefile includes.
const mostIncluded = 100

// The syntax of makefiles.
var (
	// makeAssignment matches an assignment: modifiers, name, operator, value.
	makeAssignment = pattern.New(`^\s*(?:(?:export|override|private)\s+)*([\w.-]+)\s*(\?|\+|!|:{0,3})=\s*(.*)$`)
	// makeRule matches a rule: targets, and prerequisites with the first command.
	makeRule = pattern.New(`^([^\s:#=][^:#=]*?)\s*::?(?:\s+|$)([^=].*)?$`)
	// makeInclude matches the inclusion of other makefiles.
	makeInclude = pattern.New(`^\s*(?:-|s)?include\s+(.*)$`)
	// makeTest matches a conditional directive and its arguments.
	makeTest = pattern.New(`^\s*(?:else\s+)?(ifeq|ifneq|ifdef|ifndef)\s*\(?(.*?)\)?\s*$`)
	// valueOption matches the options of make whose value is the next word.
	valueOption = pattern.New(`^(-[IoWl]|--(include-dir|old-file|assume-old|new-file|assume-new|what-if|eval))$`)
)

// A makefile is the part of a makefile's contents that shows which commands it runs.
type makefile struct {
	values map[string]string // the variables, not expanded
	fixed  map[string]bool   // the variables that the command line sets
	rules  []makefileRule
	goal   string // the first target
	dir    string
	getenv func(string) string
	files  int // the files that were read
}

// A makefileRule is a rule of a makefile.
type makefileRule struct {
	targets, prerequisites []string
	recipe                 []string // not expanded
}

// make returns the first command that starts ranks and that make runs with these arguments in directory
// dir, or nil.
func (f *launchFinder) make(args []string, dir string, nested int) *Launch {
	if nested <= 0 {
		return nil
	}
	m := makefile{values: map[string]string{"MAKE": "make"}, fixed: map[string]bool{}, getenv: f.getenv}
	var goals []string
	file := ""
	for i := 0; i < len(args); i++ {
		word, next := args[i], strings.Join(args[i+1:min(i+2, len(args))], "")
		set := assignment.FindStringSubmatch(word)
		switch {
		case slices.Contains([]string{"-C", "--directory"}, word):
			dir, i = inDir(next, dir), i+1
		case slices.Contains([]string{"-f", "--file", "--makefile"}, word):
			file, i = next, i+1
		case strings.HasPrefix(word, "-C"), strings.HasPrefix(word, "--directory="):
			dir = inDir(strings.TrimPrefix(strings.TrimPrefix(word, "-C"), "--directory="), dir)
		case strings.HasPrefix(word, "-f"), strings.HasPrefix(word, "--file="), strings.HasPrefix(word, "--makefile="):
			file = strings.TrimPrefix(word[strings.Index(word, "=")+1:], "-f")
		case valueOption.MatchString(word), word == "-j" && duration.MatchString(next):
			i++
		case set != nil:
			m.values[set[1]], m.fixed[set[1]] = set[2], true
		case !strings.HasPrefix(word, "-") && !strings.ContainsAny(word, "<>$"):
			goals = append(goals, word)
		}
	}
	m.dir, m.values["MAKECMDGOALS"] = dir, strings.Join(goals, " ")
	if file == "" {
		i := slices.IndexFunc(makefileNames, func(name string) bool { return isFile(filepath.Join(dir, name)) })
		if i < 0 {
			return nil
		}
		file = makefileNames[i]
	}
	file = inDir(file, dir)
	if key := strings.Join(append([]string{"make", file, dir}, goals...), "\x00"); f.seen[key] {
		return nil
	} else {
		f.seen[key] = true
	}
	m.read(file)
	if len(goals) == 0 {
		goals = strings.Fields(m.expand(m.values[".DEFAULT_GOAL"], mostExpanded))
	}
	if len(goals) == 0 {
		goals = []string{m.goal}
	}
	for _, line := range m.recipes(goals, map[string]bool{}) {
		if found := f.commands(file, line, dir, nested); found != nil {
			return found
		}
	}
	return nil
}

// read reads a makefile and the files that it includes.
func (m *makefile) read(path string) {
	text, err := elfobj.Head(path, maxScript)
	if m.files++; err != nil || m.files > mostIncluded {
		return
	}
	var skipped []bool // for each open conditional directive, whether its lines are skipped
	rule := -1         // index of the rule to which a recipe's lines belong
	defined := false   // inside of define
	for _, line := range strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n") {
		if recipe, found := strings.CutPrefix(line, "\t"); found && rule >= 0 {
			if !slices.Contains(skipped, true) {
				m.rules[rule].recipe = append(m.rules[rule].recipe, recipe)
			}
			continue
		}
		line = strings.TrimSpace(shellComment.ReplaceAllString(line, ""))
		first, _, _ := strings.Cut(line, " ")
		last := len(skipped) - 1
		test := makeTest.FindStringSubmatch(line)
		switch {
		case first == "define", first == "endef":
			defined = first == "define"
		case defined, line == "":
		case first == "else" && last >= 0:
			skipped[last] = !skipped[last] || test != nil && !m.holds(test)
		case test != nil:
			skipped = append(skipped, !m.holds(test))
		case first == "endif" && last >= 0:
			skipped = skipped[:last]
		case slices.Contains(skipped, true):
		default:
			rule = m.line(line, rule)
		}
	}
}

// holds reports whether the condition of a directive that makeTest has matched holds.
func (m *makefile) holds(test []string) bool {
	kind, arguments := test[1], test[2]
	if strings.HasSuffix(kind, "def") {
		return (m.value(strings.TrimSpace(arguments)) != "") == (kind == "ifdef")
	}
	a, b, found := strings.Cut(arguments, ",")
	if !found { // "a" "b"
		a, b, _ = strings.Cut(strings.NewReplacer(`" "`, ",", `' '`, ",").Replace(arguments), ",")
	}
	plain := func(s string) string {
		return strings.Trim(strings.TrimSpace(m.expand(s, mostExpanded)), `"'`)
	}
	return (plain(a) == plain(b)) == (kind == "ifeq")
}

// line reads one line outside of a recipe. It returns the index of the rule to which the next lines of a
// recipe belong, which was rule before, or -1.
func (m *makefile) line(line string, rule int) int {
	if a := makeAssignment.FindStringSubmatch(line); a != nil {
		name, operator, value := a[1], a[2], a[3]
		switch {
		case m.fixed[name], operator == "?" && m.value(name) != "":
		case operator == "+":
			m.values[name] += " " + value
		case strings.HasPrefix(operator, ":"):
			m.values[name] = strings.ReplaceAll(m.expand(value, mostExpanded), "$", "$$")
		default:
			m.values[name] = value
		}
		return rule
	}
	if include := makeInclude.FindStringSubmatch(line); include != nil {
		for _, file := range strings.Fields(m.expand(include[1], mostExpanded)) {
			m.read(inDir(file, m.dir))
		}
		return -1
	}
	r := makeRule.FindStringSubmatch(line)
	if r == nil {
		return -1
	}
	before, command, found := strings.Cut(r[2], ";")
	added := makefileRule{targets: strings.Fields(m.expand(r[1], mostExpanded)), prerequisites: strings.Fields(m.expand(before, mostExpanded))}
	if found {
		added.recipe = []string{command}
	}
	m.rules = append(m.rules, added)
	if len(added.targets) > 0 && m.goal == "" && !strings.HasPrefix(added.targets[0], ".") && !strings.Contains(added.targets[0], "%") {
		m.goal = added.targets[0]
	}
	return len(m.rules) - 1
}

// recipes returns the commands by which make makes targets and their prerequisites. made has the targets
// that were made before.
func (m *makefile) recipes(targets []string, made map[string]bool) (lines []string) {
	for _, target := range targets {
		if made[target] || target == "|" {
			continue
		}
		made[target] = true
		for _, r := range m.rules {
			i := slices.IndexFunc(r.targets, func(t string) bool { return matches(t, target) })
			if i < 0 {
				continue
			}
			prerequisites := slices.Clone(r.prerequisites)
			if before, after, found := strings.Cut(r.targets[i], "%"); found {
				stem := target[len(before) : len(target)-len(after)]
				for k := range prerequisites {
					prerequisites[k] = strings.Replace(prerequisites[k], "%", stem, 1)
				}
			}
			lines = append(lines, m.recipes(prerequisites, made)...)
			for _, line := range r.recipe {
				line = strings.ReplaceAll(strings.ReplaceAll(line, "$@", target), "$<", strings.Join(prerequisites[:min(1, len(prerequisites))], ""))
				lines = append(lines, strings.TrimLeft(m.expand(line, mostExpanded), "@+- \t"))
			}
		}
	}
	return lines
}

// matches reports whether a target, as a rule writes it, is the name of a file: with %, a pattern.
func matches(target, name string) bool {
	before, after, found := strings.Cut(target, "%")
	if !found {
		return target == name
	}
	return len(name) > len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}

// mostExpanded bounds the references to variables in the values of others.
const mostExpanded = 10

// value returns the value of a variable, not expanded.
func (m *makefile) value(name string) string {
	if value, set := m.values[name]; set {
		return value
	}
	return strings.ReplaceAll(m.getenv(name), "$", "$$")
}

// expand returns a text with the values of the variables in it. A function becomes the empty text, except
// shell, which becomes a substitution of sh(1).
func (m *makefile) expand(text string, depth int) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		out.WriteString(before)
		if !found || rest == "" || depth == 0 {
			return out.String()
		}
		end := 1
		switch rest[0] {
		case '$':
			out.WriteByte('$')
		case '(', '{':
			inner := rest[1:closing(rest)]
			end = min(len(inner)+2, len(rest))
			name, arguments, isCall := strings.Cut(inner, " ")
			name, _, _ = strings.Cut(name, ":")
			switch {
			case isCall && name == "shell":
				out.WriteString("$(" + m.expand(arguments, depth-1) + ")")
			case !isCall:
				out.WriteString(m.expand(m.value(m.expand(name, depth-1)), depth-1))
			}
		default:
			out.WriteString(m.expand(m.value(rest[:1]), depth-1))
		}
		text = rest[end:]
	}
}

// closing returns the index of the bracket that closes the one with which a text begins, or the text's
// length.
func closing(text string) int {
	opens := text[:1]
	closes := map[string]string{"(": ")", "{": "}"}[opens]
	depth := 0
	for i := range len(text) {
		switch text[i : i+1] {
		case opens:
			depth++
		case closes:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}
