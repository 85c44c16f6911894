package abi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"sort"
	"strings"
)

// levelForm matches a version of MPI, such as "4.1".
var levelForm = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)

// Parse returns the family in the JSON text b. It returns an error for malformed text, for
// unknown keys and for a family other than name.
func Parse(name string, b []byte) (*Family, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	f := new(Family)
	if err := dec.Decode(f); err != nil {
		return nil, fmt.Errorf("abi: %s.json: %w", name, err)
	}
	if f.Family != name {
		return nil, fmt.Errorf("abi: %s.json contains the family %q: the file's name and its key \"family\" must agree", name, f.Family)
	}
	if len(f.Fortran.Sources) > 0 && len(f.Sonames["fortran"]) == 0 {
		return nil, fmt.Errorf("abi: %s.json: wi4go's Fortran library (\"layer\") has no soname: add \"fortran\" to \"sonames\"", name)
	}
	if len(f.Vendors) == 0 {
		return nil, fmt.Errorf("abi: %s.json: the family has no vendors: add \"vendors\"", name)
	}
	for _, v := range f.Vendors {
		for begin, level := range v.Levels {
			if !levelForm.MatchString(level) {
				return nil, fmt.Errorf("abi: %s.json: vendor %s: the level of release %s is %q: give a version of MPI, such as \"4.1\"", name, v.Name, begin, level)
			}
		}
	}
	return f, nil
}

// Format returns a family as JSON in the committed format: the keys in the order of the struct,
// maps sorted, one entry per line.
func Format(f *Family) ([]byte, error) {
	var out bytes.Buffer
	v := reflect.ValueOf(*f)
	out.WriteString("{\n")
	for i := 0; i < v.NumField(); i++ {
		if i > 0 {
			out.WriteString(",\n")
		}
		fmt.Fprintf(&out, "  %q: ", v.Type().Field(i).Tag.Get("json"))
		if err := formatField(&out, v.Field(i)); err != nil {
			return nil, err
		}
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}

// formatField writes a map or a slice with one entry per line, and anything else on one line.
func formatField(out *bytes.Buffer, v reflect.Value) error {
	var lines [][]byte
	open, end := "{", "}"
	switch v.Kind() {
	case reflect.Map:
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		for _, k := range keys {
			b, err := json.Marshal(v.MapIndex(k).Interface())
			if err != nil {
				return err
			}
			lines = append(lines, fmt.Appendf(nil, "%q: %s", k.String(), b))
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			name, omit, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",") // options are omitempty and omitzero
			if omit != "" && v.Field(i).IsZero() {
				continue
			}
			b, err := json.Marshal(v.Field(i).Interface())
			if err != nil {
				return err
			}
			lines = append(lines, fmt.Appendf(nil, "%q: %s", name, b))
		}
	case reflect.Slice:
		open, end = "[", "]"
		for i := 0; i < v.Len(); i++ {
			b, err := json.Marshal(v.Index(i).Interface())
			if err != nil {
				return err
			}
			lines = append(lines, b)
		}
	default:
		b, err := json.Marshal(v.Interface())
		out.Write(b)
		return err
	}
	out.WriteString(open)
	for i, l := range lines {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		out.Write(l)
	}
	if len(lines) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString(end)
	return nil
}
