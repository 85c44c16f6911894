package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"wi4go/mappers"
)

// definition is the beginning of a C function, whose name a macro may paste
// together: "static int A_MPI_Waitall(", "static int A_MPI_##Name##_c2f(".
var definition = regexp.MustCompile(`\bstatic [^;(){}]*\b(A_\w*(?:##\w+)*)\(`)

// checkHand refuses a function whose header does not define what it promises. header
// returns the text of a header of package mappers.
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
			return fmt.Errorf("funcs.json: %s: there is no header mappers/%s", f.Name, where)
		}
		if !defines(text, "A_"+f.Name) && (f.Hand != "" || !defines(inIdentity, "A_"+f.Name)) {
			return fmt.Errorf("funcs.json: %s: mappers/%s does not define A_%s: write it there or take the header from the entry", f.Name, where, f.Name)
		}
	}
	return nil
}

// IdentityHeader has what takes the place of a runtime's function within its family.
const IdentityHeader = "identity.h"

// inHeaders has the headers of package mappers that define a function.
var inHeaders = sync.OnceValue(func() map[string][]string {
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

// IdentityIn is the header that serves a function within its family.
func IdentityIn(f *Function) string {
	if InIdentity(f.Name) {
		return IdentityHeader
	}
	return f.Hand
}

// InIdentity says that identity.h has a function, which may be no part of MPI.
func InIdentity(name string) bool { return slices.Contains(inHeaders()["A_"+name], IdentityHeader) }

// mappedIn is the header that has a function which is no part of MPI, and that a
// family's C++ or Fortran library calls in its C library; empty: there is none.
func mappedIn(name string) string {
	for _, header := range inHeaders()["A_"+name] {
		if header != IdentityHeader {
			return header
		}
	}
	return ""
}

// defines says that a header defines the function.
func defines(text, function string) bool { return defined(text)[function] }

// defined are the functions that a header defines, by names that are whole or
// pasted together from the arguments of a macro's invocation.
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

// macro is the beginning of a macro's definition: its name and its parameters.
var macro = regexp.MustCompile(`#define (\w+)\(([^)]*)\)`)

// invocations lists what a macro's parameters are in each of its invocations.
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
