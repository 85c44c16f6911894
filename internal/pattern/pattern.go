// Package pattern has regular expressions that are compiled when they are first used. A command uses few
// of wi4go's patterns, and compiling all of them would delay the start of every program.
package pattern

import (
	"regexp"
	"sync"
)

// A Pattern is a regular expression.
type Pattern struct{ expression func() *regexp.Regexp }

// New returns the pattern with this text. Its first use panics if the text is malformed
// (TestPatternsAreWellFormed in tests/docs finds that).
func New(text string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// MatchString does what the method of regexp.Regexp does; so do the others.
func (p *Pattern) MatchString(s string) bool { return p.expression().MatchString(s) }

func (p *Pattern) Match(b []byte) bool { return p.expression().Match(b) }

func (p *Pattern) FindSubmatch(b []byte) [][]byte { return p.expression().FindSubmatch(b) }

func (p *Pattern) FindString(s string) string { return p.expression().FindString(s) }

func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.expression().FindAllStringIndex(s, n)
}

func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.expression().FindAllStringSubmatchIndex(s, n)
}

func (p *Pattern) FindStringSubmatch(s string) []string { return p.expression().FindStringSubmatch(s) }

func (p *Pattern) FindAllString(s string, n int) []string { return p.expression().FindAllString(s, n) }

func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.expression().FindAllStringSubmatch(s, n)
}

func (p *Pattern) ReplaceAllString(src, with string) string {
	return p.expression().ReplaceAllString(src, with)
}

func (p *Pattern) ReplaceAllStringFunc(src string, with func(string) string) string {
	return p.expression().ReplaceAllStringFunc(src, with)
}

func (p *Pattern) Split(s string, n int) []string { return p.expression().Split(s, n) }
