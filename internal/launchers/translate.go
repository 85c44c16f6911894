package launchers

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Translation is the part of a launcher's command line before a program, after options of other
// launchers were replaced.
type Translation struct {
	Words     []string    // the options
	Variables [][2]string // variables for the launcher itself, each with its value
	Dropped   []string    // settings of other launchers that were left out, as the user wrote them
}

// A replacement holds the words that replace an option of another launcher.
type replacement struct {
	values  []*regexp.Regexp // match the option's values
	words   []string         // nil: the launcher has no counterpart
	literal int              // the number of characters in the pattern except placeholders
}

// replacements returns how this launcher replaces an option, given without dashes, with different
// values, the most specific pattern first.
//
// A pattern is an option without dashes and its values: "*" matches any text, "#" a number. In the
// words, each "*" or "#" stands for the next matched text, and the last one is used again if there
// are no more. A word "*," repeats all words for each element of a list with commas.
func (l *Launcher) replacements(option string) (list []replacement) {
	for _, pattern := range slices.Sorted(maps.Keys(l.Replace)) {
		fields := strings.Fields(pattern)
		if fields[0] != option {
			continue
		}
		r := replacement{words: l.Replace[pattern], literal: len(pattern) - strings.Count(pattern, "*") - strings.Count(pattern, "#")}
		for _, value := range fields[1:] {
			text := strings.NewReplacer(`\*`, "(.*?)", "#", `(\d+)`).Replace(regexp.QuoteMeta(value))
			r.values = append(r.values, regexp.MustCompile("(?i)^"+text+"$"))
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b replacement) int { return cmp.Compare(b.literal, a.literal) })
	return list
}

// match returns the texts that the placeholders match, and whether the values fit.
func (r replacement) match(values []string) (texts []string, fits bool) {
	if len(values) != len(r.values) {
		return nil, false
	}
	for i, v := range values {
		m := r.values[i].FindStringSubmatch(v)
		if m == nil {
			return nil, false
		}
		texts = append(texts, m[1:]...)
	}
	return texts, true
}

// fill returns the words with the matched texts.
func (r replacement) fill(texts []string) (words []string) {
	if slices.Contains(r.words, "*,") {
		for _, element := range strings.Split(texts[0], ",") {
			for _, word := range r.words {
				words = append(words, strings.Replace(word, "*,", element, 1))
			}
		}
		return words
	}
	for _, word := range r.words {
		for at := strings.IndexAny(word, "*#"); at >= 0; at = strings.IndexAny(word, "*#") {
			word = word[:at] + texts[0] + word[at+1:]
			if len(texts) > 1 {
				texts = texts[1:]
			}
		}
		words = append(words, word)
	}
	return words
}

// Translate replaces the options of other launchers in a command line. It returns an error for an
// option of another launcher that has no counterpart, and leaves options that no launcher has.
func (l *Launcher) Translate(line []string) (t Translation, err error) {
	for i := 0; i < len(line); {
		n, _ := Arity(line[i], line[i+1:]...)
		next := min(i+1+n, len(line))
		if err := l.translate(&t, line[i:next]); err != nil {
			return t, err
		}
		i = next
	}
	return t, nil
}

// translate adds the translation of one option with its values.
func (l *Launcher) translate(t *Translation, words []string) error {
	option, joined, whole := strings.Cut(words[0], "=")
	name, values := strings.TrimLeft(option, "-"), words[1:]
	if whole {
		values = []string{joined}
	}
	if !IsOption(option) {
		t.Words = append(t.Words, words...)
		return nil
	}
	for _, r := range l.replacements(name) {
		texts, fits := r.match(values)
		switch {
		case !fits:
			continue
		case r.words == nil:
			return l.refusal(words)
		}
		t.Words = append(t.Words, r.fill(texts)...)
		return nil
	}
	if host := l.hostOption(name); host != "" && len(values) == 1 {
		t.Words = append(t.Words, host, values[0])
		return nil
	}
	switch variables := l.AsVariables[name]; {
	case len(variables) > 0 && len(values) == 1:
		for _, v := range variables {
			t.Variables = append(t.Variables, [2]string{v, values[0]})
		}
	case slices.Contains(l.dropped(), name):
		t.Dropped = append(t.Dropped, strings.Join(words, " "))
	case !l.has(name) && l.other(name) != nil:
		return l.refusal(words)
	default:
		t.Words = append(t.Words, words...)
	}
	return nil
}

// hostOption returns the option of this launcher for hosts, or for a file of hosts, that replaces an
// option of another launcher, given without dashes. It returns "" if there is nothing to replace.
func (l *Launcher) hostOption(option string) string {
	for _, o := range All {
		switch {
		case l.Hosts.Option != "" && o.Hosts.Option != "" && strings.TrimLeft(o.Hosts.Option, "-") == option && !slices.Contains(l.Hosts.Lists, option):
			return l.Hosts.Option
		case len(l.Hosts.Files) > 0 && slices.Contains(o.Hosts.Files, option) && !slices.Contains(l.Hosts.Files, option):
			return "-" + l.Hosts.Files[0]
		}
	}
	return ""
}

// dropped returns the names of the options that Translate drops.
func (l *Launcher) dropped() []string { return words(l.Drop) }

// has reports whether the launcher takes an option, given without dashes. A launcher whose options
// are not listed may take all.
func (l *Launcher) has(option string) bool {
	return l.Options.empty() || slices.ContainsFunc([][]string{l.Options.None, l.Options.One, l.Options.Two}, func(list []string) bool {
		return slices.Contains(words(list), option)
	})
}

// empty reports whether no options are listed.
func (o Options) empty() bool { return len(o.None)+len(o.One)+len(o.Two) == 0 }

// refusal returns the error for an option of another launcher that has no counterpart.
func (l *Launcher) refusal(option []string) error {
	name, _, _ := strings.Cut(strings.TrimLeft(option[0], "-"), "=")
	return fmt.Errorf("%s is an option of %s, and %s starts this job, which has none like it: leave it out",
		strings.Join(option, " "), cmp.Or(l.other(name), l).Title, l.Title)
}

// other returns another launcher that is known to take an option, or nil.
func (l *Launcher) other(option string) *Launcher {
	for _, o := range All {
		if o != l && !o.Options.empty() && o.has(option) {
			return o
		}
	}
	return nil
}
