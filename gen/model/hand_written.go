package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"wi4go/mappers"
)

// definition matches the beginning of a C function. A macro may paste its name together:
// "static int A_MPI_Waitall(", "static int A_MPI_##Name##_c2f(".
var definition = regexp.MustCompile(`\bstatic [^;(){}]*\b(A_\w*(?:##\w+)*)\(`)

// checkHand returns an error if a function is marked as hand-written and its header does not
// exist or does not define it. header returns the text of a header of package mappers.
func checkHand(functions []Function, header func(name string) (string, error)) error {
	inIdentity, err := header(IdentityHeader)
	if err != nil {
		return err
	}
	for _, f := range functions {
		if f.Hand == "" && len(f.Identity) == 0 {
			continue
		}
		where := f.Hand
		if f.Hand == "" {
			where = IdentityHeader
		}
		text, err := header(where)
		if err != nil {
			return fmt.Errorf("funcs.json: %s: the header mappers/%s is missing: write it, or correct its name", f.Name, where)
		}
		if !defines(text, "A_"+f.Name) && (f.Hand != "" || !defines(inIdentity, "A_"+f.Name)) {
			return fmt.Errorf("funcs.json: %s: mappers/%s does not define A_%s: write it there, or remove the header from the entry", f.Name, where, f.Name)
		}
	}
	return nil
}

// IdentityHeader is the header with the functions that replace a runtime's in identity pairs.
const IdentityHeader = "identity.h"

// headersByFunction returns, for each translation ("A_MPI_Send"), the headers of package mappers that
// define it.
var headersByFunction = sync.OnceValue(func() map[string][]string {
	found := map[string][]string{}
	for _, header := range mappers.Headers() {
		if text, err := mappers.Header(header); err == nil {
			for name := range defined(text) {
				found[name] = append(found[name], header)
			}
		}
	}
	return found
})

// IdentityHeaderOf returns the header with the code of a function for its family's identity pair.
func IdentityHeaderOf(f *Function) string {
	if HasIdentityVersion(f.Name) {
		return IdentityHeader
	}
	return f.Hand
}

// HasIdentityVersion reports whether identity.h defines a function. The function need not be part of MPI.
func HasIdentityVersion(name string) bool {
	return slices.Contains(headersByFunction()["A_"+name], IdentityHeader)
}

// headerOf returns the header that translates a function that is not part of MPI, which a
// family's C++ or Fortran library calls in its C library. It returns "" if no header does.
func headerOf(name string) string {
	for _, header := range headersByFunction()["A_"+name] {
		if header != IdentityHeader {
			return header
		}
	}
	return ""
}

// defines reports whether the text of a header defines the function.
func defines(text, function string) bool { return defined(text)[function] }

// defined returns the names of the functions that the text of a header defines. A name is
// written out, or the invocation of a macro pastes it together from its arguments.
func defined(text string) map[string]bool {
	names := map[string]bool{}
	for _, at := range definition.FindAllStringSubmatchIndex(text, -1) {
		parts := strings.Split(text[at[2]:at[3]], "##")
		if len(parts) == 1 {
			names[parts[0]] = true
			continue
		}
		macros := macro.FindAllStringSubmatch(text[:at[0]], -1)
		if len(macros) == 0 {
			continue
		}
		for _, arguments := range invocations(text, macros[len(macros)-1]) {
			var name string
			for _, part := range parts {
				if argument, ok := arguments[part]; ok {
					part = argument
				}
				name += part
			}
			names[name] = true
		}
	}
	return names
}

// macro matches the beginning of a macro's definition: its name and its parameters.
var macro = regexp.MustCompile(`#define (\w+)\(([^)]*)\)`)

// invocations returns the arguments of each invocation of a macro in the text, by parameter.
// definition is a match of macro: the whole match, the name and the parameters.
func invocations(text string, definition []string) (list []map[string]string) {
	parameters := strings.Split(definition[2], ",")
	for _, found := range regexp.MustCompile(`(#define )?\b`+definition[1]+`\(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		given := strings.Split(found[2], ",")
		if found[1] != "" || len(given) < len(parameters) {
			continue
		}
		arguments := map[string]string{}
		for i, name := range parameters {
			arguments[strings.TrimSpace(name)] = strings.TrimSpace(given[i])
		}
		list = append(list, arguments)
	}
	return list
}
