package model

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/mappers"
)

const (
	roles = `"roles": {"COMM": {"convert": "handle"}, "DATATYPE": {"convert": "handle"}, "REQUEST": {"convert": "handle"}, "LOGICAL": {"convert": "none"},
		"COUNTS": {"convert": "none"}, "BUFFER_OR_IN_PLACE": {"convert": "none"}, "EXTRA_STATE": {"convert": "none"}, "RANK": {"convert": "value", "constants": ["MPI_ROOT"]}}`
	rank    = `{"name": "rank", "type": "int", "role": "RANK", "dir": "in"}`
	isFlag  = `{"name": "flag", "type": "int *", "role": "LOGICAL", "dir": "out"}`
	newcomm = `{"name": "newcomm", "type": "MPI_Comm *", "role": "COMM", "dir": "out", "lifetime": "create"}`
	comm    = `{"name": "comm", "type": "MPI_Comm", "role": "COMM", "dir": "in"}`
	ints    = `{"name": "counts", "type": "const int *", "role": "COUNTS", "dir": "in"}`
	state   = `{"name": "state", "type": "void *", "role": "EXTRA_STATE", "dir": "in"}`

	persistent = `{"name": "request", "type": "MPI_Request *", "role": "REQUEST", "dir": "out", "lifetime": "create-persistent"}`
)

func buffer(name string) string {
	return `{"name": "` + name + `", "type": "void *", "role": "BUFFER_OR_IN_PLACE", "dir": "in"}`
}

func datatype(name string) string {
	return `{"name": "` + name + `", "type": "MPI_Datatype", "role": "DATATYPE", "dir": "in"}`
}

func function(name string, params ...string) string {
	return `{"name": "` + name + `", "level": "3.1", "chapter": "x", "returns": "int", "params": [` + strings.Join(params, ", ") + `]}`
}

// collective returns the JSON of a function over all processes of a communicator.
func collective(name string, params ...string) string {
	return strings.Replace(function(name, params...), `"chapter": "x"`, `"chapter": "collectives"`, 1)
}

// with returns the JSON of a function with one more key.
func with(key string) string {
	return strings.Replace(function("MPI_X"), `"params"`, key+`, "params"`, 1)
}

func list(functions ...string) string { return "[" + strings.Join(functions, ",\n") + "]" }

// An entry that does not fit the schema is refused with its name.
func TestSchema(t *testing.T) {
	fine := list(function("MPI_X", rank, newcomm), function("MPI_Y"))
	for name, c := range map[string]struct{ functions, want string }{
		"fine":               {functions: fine},
		"unknown role":       {list(function("MPI_X", strings.Replace(rank, "RANK", "RNAK", 1))), "funcs.json: MPI_X: parameter rank: unknown role RNAK: add it to mappers.json or mend its spelling"},
		"no role":            {list(function("MPI_X", strings.Replace(rank, "RANK", "", 1))), "funcs.json: MPI_X: parameter rank has no role"},
		"no role at all":     {list(function("MPI_X", strings.Replace(rank, `"role": "RANK", `, "", 1))), "funcs.json: MPI_X: parameter rank has no role"},
		"duplicate":          {list(function("MPI_X"), function("MPI_Y"), function("MPI_X", rank)), "funcs.json: MPI_X stands there twice"},
		"duplicate param":    {list(function("MPI_X", rank, rank)), "funcs.json: MPI_X: parameter rank stands there twice"},
		"bad lifetime":       {list(function("MPI_X", strings.Replace(newcomm, "create", "created", 1))), `funcs.json: MPI_X: parameter newcomm: unknown lifetime "created"`},
		"no lifetime":        {list(function("MPI_X", strings.Replace(newcomm, `, "lifetime": "create"`, "", 1))), "funcs.json: MPI_X: parameter newcomm: a handle that goes out has a lifetime"},
		"bad direction":      {list(function("MPI_X", strings.Replace(rank, `"in"`, `"into"`, 1))), `funcs.json: MPI_X: parameter rank: direction "into"`},
		"bad length":         {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "length": "n"`, 1))), "funcs.json: MPI_X: parameter rank: its length names n, which is no parameter"},
		"unchecked int":      {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "unchecked": ["openmpi"]`, 1))), "funcs.json: MPI_X: parameter rank is unchecked, but no handle"},
		"unchecked by whom":  {list(function("MPI_X", strings.Replace(newcomm, `"create"`, `"create", "unchecked": ["lam"]`, 1))), "funcs.json: MPI_X: parameter newcomm: unchecked by [\"lam\"]: families are mpiabi, mpich, openmpi"},
		"unknown key":        {list(function("MPI_X", strings.Replace(rank, `"dir"`, `"direction"`, 1))), `funcs.json: json: unknown field "direction"`},
		"fortran how":        {list(strings.Replace(function("MPI_X"), `"params"`, `"fortran": "f77", "params"`, 1)), `funcs.json: MPI_X: fortran is "f77": one of hand, none, frequent, or left out`},
		"index that goes in": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "index": true`, 1))), "funcs.json: MPI_X: parameter rank is an index, but not one that comes out"},
		"flag unsaid":        {list(function("MPI_X", isFlag)), `funcs.json: MPI_X: parameter flag: a flag: say "tells": true, or give it another name`},
		"flag said":          {functions: list(function("MPI_X", strings.Replace(isFlag, `"out"`, `"out", "tells": true`, 1)))},
		"no flag":            {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "tells": true`, 1))), "funcs.json: MPI_X: parameter rank: it tells whether anything comes out, but is no LOGICAL that does"},
		"source unsaid":      {list(function("MPI_X", strings.Replace(rank, `"rank"`, `"source"`, 1))), `funcs.json: MPI_X: parameter source: a source: say "any": "MPI_ANY_SOURCE", or give it another name`},
		"any what":           {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "any": "MPI_ANY"`, 1))), `funcs.json: MPI_X: parameter rank: any is "MPI_ANY": one of MPI_ANY_SOURCE, MPI_ANY_TAG`},
		"any tag of a rank":  {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "any": "MPI_ANY_TAG"`, 1))), "funcs.json: MPI_X: parameter rank: MPI_ANY_TAG is no value of role RANK"},
		"idle rank":          {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "idle": true`, 1))), "funcs.json: MPI_X: parameter rank: it is idle, but no datatype"},
		"alias of nothing":   {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "alias": "n"`, 1))), "funcs.json: MPI_X: parameter rank: it names n, which is no parameter"},
		"alias of no array":  {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "alias": "rank"`, 1))), "funcs.json: MPI_X: parameter rank: it has an alias, but is no array"},
		"significant rank":   {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "significant": {"root": "rank"}`, 1))), "funcs.json: MPI_X: parameter rank: it says when it is significant, but is no count"},
		"no large variant":   {list(strings.Replace(function("MPI_X"), `"params"`, `"large": "MPI_X_c", "params"`, 1)), "funcs.json: MPI_X: its large-count variant MPI_X_c is missing"},
		"alone by nobody":    {list(with(`"alone": true`)), "funcs.json: MPI_X: it works alone, but there is no header by hand"},
		"narrow how":         {list(with(`"narrow": "generated"`)), `funcs.json: MPI_X: narrow is "generated": hand, or left out`},
		"identity of whom":   {list(with(`"identity": ["lam"]`)), `funcs.json: MPI_X: identity: "lam": families are mpiabi, mpich, openmpi`},
		"no such layer":      {list(with(`"layers": ["request"]`)), `funcs.json: MPI_X: there is no layer "request": they are buffers, end, errors, intercomm, limits, records, removal, requests, resources, roots, world`},
		"layers upside down": {list(with(`"layers": ["records", "end"]`)), "funcs.json: MPI_X: layers: records, end: name the lowest first"},
		"layers by chance":   {list(with(`"layers": ["requests", "roots"]`)), "funcs.json: MPI_X: layers: requests, roots: two of them come while the program runs, in an order that is not known"},
		"layers":             {functions: list(with(`"layers": ["end", "records"]`))},
		"no such link":       {list(with(`"starts": "MPI_Iy"`)), "funcs.json: MPI_X: starts: there is no function MPI_Iy"},
		"starts nothing":     {list(collective("MPI_X_init", persistent)), `funcs.json: MPI_X_init: a persistent collective operation, and no other, says what it "starts"`},
		"starts for once":    {list(with(`"starts": "MPI_X"`)), `funcs.json: MPI_X: a persistent collective operation, and no other, says what it "starts"`},
		"no exchange":        {list(strings.Replace(collective("MPI_Xv", comm, ints), `"params"`, `"large": "MPI_Xv_c", "params"`, 1), collective("MPI_Xv_c", comm, ints)), `funcs.json: MPI_Xv_c: counts for each process: say by what "exchange"`},
		"useless exchange":   {list(with(`"exchange": {"fill": "x", "call": "MPI_X"}`)), "funcs.json: MPI_X: it has an exchange, but is no large-count variant"},
		"not wide":           {list(strings.Replace(function("MPI_X"), `"params"`, `"large": "MPI_X_c", "params"`, 1), function("MPI_X_c"), function("MPI_X_x")), `funcs.json: MPI_X: there is MPI_X_x: say "wide"`},
		"not standard":       {list(strings.Replace(function("MPIX_X"), "3.1", "extension", 1), function("MPI_X")), `funcs.json: MPIX_X: the standard has it, too: say "standard"`},
		"another standard":   {list(with(`"standard": "MPI_Y"`), function("MPI_Y", rank)), "funcs.json: MPI_X: MPI_Y has other parameters"},
		"other successor":    {list(with(`"removed": "3.0", "successor": "MPI_Y"`), function("MPI_Y", rank)), "funcs.json: MPI_X: MPI_Y has other parameters"},
		"successor too soon": {list(with(`"successor": "MPI_Y"`), function("MPI_Y")), "funcs.json: MPI_X: it has a successor, but is not removed"},
		"no blocks":          {list(collective("MPI_X", buffer("a"), datatype("a_type"), buffer("b"), datatype("b_type"))), `funcs.json: MPI_X: a datatype for each side: say which buffer has "blocks"`},
		"blocks":             {functions: list(collective("MPI_X", strings.Replace(buffer("a"), `"in"`, `"in", "blocks": true`, 1), datatype("a_type"), buffer("b"), datatype("b_type")))},
		"blocks of a rank":   {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "blocks": true`, 1))), "funcs.json: MPI_X: parameter rank: it has blocks, but is no buffer"},
		"untyped":            {list(function("MPI_X", state)), `funcs.json: MPI_X: parameter state: fortran is "": one of address, integer`},
		"untyped and told":   {functions: list(function("MPI_X", strings.Replace(state, `"in"`, `"in", "fortran": "address"`, 1)))},
		"typed and told":     {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "fortran": "integer"`, 1))), `funcs.json: MPI_X: parameter rank: fortran is "integer", but its type in C tells`},
		"name in C alone":    {list(function("MPI_X", strings.Replace(rank, `"rank"`, `"indx"`, 1))), `funcs.json: MPI_X: parameter indx: it has another name in Fortran: say "fortran_name"`},
		"not even a list":    {`{}`, "funcs.json: json: cannot unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := mappers.Parse([]byte("{" + roles + "}"))
			require.NoError(t, err)
			_, err = ParseFunctions([]byte(c.functions), table)
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
		})
	}
}

func TestSchemaOfRoles(t *testing.T) {
	for name, c := range map[string]struct{ role, want string }{
		"unknown conversion": {`{"convert": "handel"}`, `mappers.json: role COMM: unknown conversion "handel": one of none, handle, `},
		"no conversion":      {`{}`, `mappers.json: role COMM: unknown conversion ""`},
		"no constants":       {`{"convert": "value"}`, `mappers.json: role COMM: conversion "value" and its constants do not fit together`},
		"useless constants":  {`{"convert": "handle", "constants": ["MPI_ROOT"]}`, `mappers.json: role COMM: conversion "handle" and its constants do not fit together`},
		"unknown key":        {`{"conversion": "handle"}`, `mappers.json: json: unknown field "conversion"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mappers.Parse([]byte(`{"roles": {"COMM": ` + c.role + `}}`))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// Load checks the handwritten headers in addition to the tables.
func TestStaleHand(t *testing.T) {
	hand := func(header string) error {
		_, err := Load([]byte(list(with(`"hand": "`+header+`"`))), []byte("{"+roles+"}"))
		return err
	}
	assert.EqualError(t, hand("requests.h"), "funcs.json: MPI_X: mappers/requests.h does not define A_MPI_X: write it there or take the header from the entry")
	assert.EqualError(t, hand("reqests.h"), "funcs.json: MPI_X: there is no header mappers/reqests.h")

	for text, want := range map[string]bool{
		"static int A_MPI_X(void) { }":                                  true,
		"static R_MPI_Comm A_MPI_X(A_MPI_Comm c)\n{":                    true,
		"static int f(void) { return A_MPI_X(1); }":                     false,
		"static int A_MPI_X_c(void) { }":                                false,
		"#define F(N) static int A_MPI_##N(void) { }\nF(X)":             true,
		"#define F(N) static int A_MPI_##N(void) { }\nF(Y)":             false,
		"#define F(K, T) static int A_##T(void) { }\nF(Y,  MPI_X)":      true,
		"#define F(N) static int \\\n  A_MPI_##N##_get(void) { }\nF(X)": false,
		"/* A_MPI_X( */": false,
	} {
		assert.Equal(t, want, defines(text, "A_MPI_X"), text)
	}
}
