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
		"fine": {functions: fine},
		"unknown role": {list(function("MPI_X", strings.Replace(rank, "RANK", "RNAK", 1))), "funcs.json: MPI_X: parameter rank: unknown " +
			"role RNAK: add it to mappers.json or correct its spelling"},
		"no role":         {list(function("MPI_X", strings.Replace(rank, "RANK", "", 1))), "funcs.json: MPI_X: parameter rank has no role"},
		"no role at all":  {list(function("MPI_X", strings.Replace(rank, `"role": "RANK", `, "", 1))), "funcs.json: MPI_X: parameter rank has no role"},
		"duplicate":       {list(function("MPI_X"), function("MPI_Y"), function("MPI_X", rank)), "funcs.json: MPI_X occurs twice"},
		"duplicate param": {list(function("MPI_X", rank, rank)), "funcs.json: MPI_X: parameter rank occurs twice"},
		"bad lifetime":    {list(function("MPI_X", strings.Replace(newcomm, "create", "created", 1))), `funcs.json: MPI_X: parameter newcomm: unknown lifetime "created"`},
		"no lifetime": {list(function("MPI_X", strings.Replace(newcomm, `, "lifetime": "create"`, "", 1))), "funcs.json: MPI_X: " +
			"parameter newcomm: a handle with direction out or inout needs a \"lifetime\""},
		"bad direction": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"into"`, 1))), `funcs.json: MPI_X: parameter rank: unknown direction "into"`},
		"bad length": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "length": "n"`, 1))), "funcs.json: MPI_X: " +
			"parameter rank: its length names n, which is not a parameter"},
		"unchecked int": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "unchecked": ["openmpi"]`, 1))), "funcs.json: " +
			"MPI_X: parameter rank: only a handle can have \"unchecked\""},
		"unchecked by whom": {list(function("MPI_X", strings.Replace(newcomm, `"create"`, `"create", "unchecked": ["lam"]`, 1))), "funcs.json: MPI_X: parameter newcomm: \"unchecked\" has an unknown family [\"lam\"]: the families are mpiabi, mpich, openmpi"},
		"unknown key":       {list(function("MPI_X", strings.Replace(rank, `"dir"`, `"direction"`, 1))), `funcs.json: json: unknown field "direction"`},
		"fortran how":       {list(strings.Replace(function("MPI_X"), `"params"`, `"fortran": "f77", "params"`, 1)), `funcs.json: MPI_X: fortran is "f77": set it to hand, none or direct, or leave it out`},
		"index that goes in": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "index": true`, 1))), "funcs.json: MPI_X: " +
			"parameter rank: \"index\" needs the direction out"},
		"flag unsaid": {list(function("MPI_X", isFlag)), `funcs.json: MPI_X: parameter flag: an output flag needs "flag": true, or another name`},
		"flag said":   {functions: list(function("MPI_X", strings.Replace(isFlag, `"out"`, `"out", "flag": true`, 1)))},
		"no flag": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "flag": true`, 1))), "funcs.json: MPI_X: " +
			"parameter rank: \"flag\" needs the role LOGICAL and the direction out"},
		"source unsaid": {list(function("MPI_X", strings.Replace(rank, `"rank"`, `"source"`, 1))), `funcs.json: MPI_X: parameter source: a source needs "any": "MPI_ANY_SOURCE", or another name`},
		"any what":      {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "any": "MPI_ANY"`, 1))), `funcs.json: MPI_X: parameter rank: any is "MPI_ANY": set it to MPI_ANY_SOURCE or MPI_ANY_TAG`},
		"any tag of a rank": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "any": "MPI_ANY_TAG"`, 1))), "funcs.json: MPI_X: " +
			"parameter rank: MPI_ANY_TAG is not a value of role RANK"},
		"idle rank": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "idle": true`, 1))), "funcs.json: MPI_X: parameter " +
			"rank: only a datatype can be \"idle\""},
		"alias of nothing": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "alias": "n"`, 1))), "funcs.json: MPI_X: parameter " +
			"rank: it names n, which is not a parameter"},
		"alias of no array": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "alias": "rank"`, 1))), "funcs.json: MPI_X: " +
			"parameter rank: only an array can have an \"alias\""},
		"significant rank": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "significant": {"root": "rank"}`, 1))), "funcs.json: MPI_X: parameter rank: only a count or a communicator can have \"significant\""},
		"significant comm": {functions: list(function("MPI_X", rank, strings.Replace(comm, `"in"`, `"in", "significant": {"root": "rank"}`, 1)))},
		"null rank": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "null_allowed": true`, 1))), "funcs.json: " +
			"MPI_X: parameter rank: only a handle can have \"null_allowed\""},
		"embedded how":       {list(with(`"embedded": "stub"`)), `funcs.json: MPI_X: embedded is "stub": set it to none, or leave it out`},
		"local at any time":  {list(with(`"local": true, "any_time": true`)), `funcs.json: MPI_X: "local" needs a function of the embedded MPI without "any_time": leave it out`},
		"local and absent":   {list(with(`"local": true, "embedded": "none"`)), `funcs.json: MPI_X: "local" needs a function of the embedded MPI without "any_time": leave it out`},
		"no large variant":   {list(strings.Replace(function("MPI_X"), `"params"`, `"large": "MPI_X_c", "params"`, 1)), "funcs.json: MPI_X: its large-count variant MPI_X_c is missing"},
		"alone by nobody":    {list(with(`"alone": true`)), "funcs.json: MPI_X: \"alone\" needs \"hand\": name the header"},
		"narrow how":         {list(with(`"narrow": "generated"`)), `funcs.json: MPI_X: narrow is "generated": set it to hand, or leave it out`},
		"identity of whom":   {list(with(`"identity": ["lam"]`)), `funcs.json: MPI_X: identity: unknown family "lam": the families are mpiabi, mpich, openmpi`},
		"no such layer":      {list(with(`"layers": ["request"]`)), `funcs.json: MPI_X: unknown layer "request": the layers are buffers, clock, codes, end, errors, handle_report, handlers, infos, intercomm, limits, outside, removal, requests, resources, roots, span, statuses, world`},
		"layers upside down": {list(with(`"layers": ["handle_report", "end"]`)), "funcs.json: MPI_X: layers: handle_report, end: name the lowest first"},
		"layers by chance": {list(with(`"layers": ["requests", "roots"]`)), "funcs.json: MPI_X: layers: requests, roots: two of them are " +
			"installed while the program runs, in an unknown order"},
		"layers":          {functions: list(with(`"layers": ["end", "handle_report"]`))},
		"no such link":    {list(with(`"starts": "MPI_Iy"`)), "funcs.json: MPI_X: starts: unknown function MPI_Iy"},
		"starts nothing":  {list(collective("MPI_X_init", persistent)), `funcs.json: MPI_X_init: a persistent collective operation needs "starts", and no other function may have it`},
		"starts for once": {list(with(`"starts": "MPI_X"`)), `funcs.json: MPI_X: a persistent collective operation needs "starts", and no other function may have it`},
		"no exchange":     {list(strings.Replace(collective("MPI_Xv", comm, ints), `"params"`, `"large": "MPI_Xv_c", "params"`, 1), collective("MPI_Xv_c", comm, ints)), `funcs.json: MPI_Xv_c: it has counts for each process: name the function that replaces it without large counts in "exchange"`},
		"useless exchange": {list(with(`"exchange": {"fill": "x", "call": "MPI_X"}`)), "funcs.json: MPI_X: only a large-count variant can " +
			"have \"exchange\""},
		"not wide":     {list(strings.Replace(function("MPI_X"), `"params"`, `"large": "MPI_X_c", "params"`, 1), function("MPI_X_c"), function("MPI_X_x")), `funcs.json: MPI_X: MPI_X_x exists: give it in "wide"`},
		"not standard": {list(strings.Replace(function("MPIX_X"), "3.1", "extension", 1), function("MPI_X")), `funcs.json: MPIX_X: the standard has this function too: give its name in "standard"`},
		"another standard": {list(with(`"standard": "MPI_Y"`), function("MPI_Y", rank)), "funcs.json: MPI_X: the parameters differ from " +
			"those of MPI_Y"},
		"other successor": {list(with(`"removed": "3.0", "successor": "MPI_Y"`), function("MPI_Y", rank)), "funcs.json: MPI_X: the " +
			"parameters differ from those of MPI_Y"},
		"successor too soon": {list(with(`"successor": "MPI_Y"`), function("MPI_Y")), "funcs.json: MPI_X: \"successor\" needs \"removed\": " +
			"give the version of MPI that removed it"},
		"no blocks": {list(collective("MPI_X", buffer("a"), datatype("a_type"), buffer("b"), datatype("b_type"))), `funcs.json: MPI_X: the two sides have different datatypes: set "blocks" of the buffer with one block for each rank`},
		"blocks":    {functions: list(collective("MPI_X", strings.Replace(buffer("a"), `"in"`, `"in", "blocks": true`, 1), datatype("a_type"), buffer("b"), datatype("b_type")))},
		"blocks of a rank": {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "blocks": true`, 1))), "funcs.json: MPI_X: " +
			"parameter rank: only a buffer can have \"blocks\""},
		"untyped":          {list(function("MPI_X", state)), `funcs.json: MPI_X: parameter state: fortran is "": set it to one of address, integer`},
		"untyped and told": {functions: list(function("MPI_X", strings.Replace(state, `"in"`, `"in", "fortran": "address"`, 1)))},
		"typed and told":   {list(function("MPI_X", strings.Replace(rank, `"in"`, `"in", "fortran": "integer"`, 1))), `funcs.json: MPI_X: parameter rank: fortran is "integer", but its C type already defines it`},
		"name in C alone":  {list(function("MPI_X", strings.Replace(rank, `"rank"`, `"indx"`, 1))), `funcs.json: MPI_X: parameter indx: it has another name in Fortran: give it in "fortran_name"`},
		"not even a list":  {`{}`, "funcs.json: json: cannot unmarshal"},
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
		"no constants":       {`{"convert": "value"}`, `mappers.json: role COMM: conversion "value" needs a list of constants, or does not allow one`},
		"useless constants":  {`{"convert": "handle", "constants": ["MPI_ROOT"]}`, `mappers.json: role COMM: conversion "handle" needs a list of constants, or does not allow one`},
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
	assert.EqualError(t, hand("requests.h"), "funcs.json: MPI_X: mappers/requests.h does not define A_MPI_X: write it there, or remove the "+
		"header from the entry")
	assert.EqualError(t, hand("reqests.h"), "funcs.json: MPI_X: the header mappers/reqests.h is missing: write it, or correct its name")

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
