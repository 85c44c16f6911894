package verify

import "slices"

// A Level determines how many cases run.
type Level string

// The levels take a minute, about ten minutes, and as long as necessary.
const (
	Quick   Level = "quick"
	Default Level = "default"
	Full    Level = "full"
)

// cases are the parameters of a chapter's tests, as verify/main.c takes them.
type cases struct {
	signatures []string // basic types and structs of them; "all" is every basic type
	counts     []string // counts of basic elements
	pairs      string   // pairs of layouts: few, some, all
}

// Signatures of the levels, and the cases of Fortran by level.
var (
	fewTypes = []string{"MPI_CHAR", "MPI_INT", "MPI_DOUBLE", "MPI_LONG_DOUBLE", "MPI_UINT64_T", "MPI_C_DOUBLE_COMPLEX", "MPI_2INT", "MPI_INT+MPI_DOUBLE"}
	allTypes = []string{"all", "MPI_CHAR+MPI_DOUBLE", "MPI_INT+MPI_LONG_DOUBLE+MPI_SHORT", "MPI_2INT+MPI_BYTE", "MPI_FLOAT_INT+MPI_INT64_T",
		"MPI_C_DOUBLE_COMPLEX+MPI_CHAR+MPI_INT"}

	fortranTypes = []string{"MPI_INTEGER", "MPI_DOUBLE_PRECISION", "MPI_CHARACTER", "MPI_LOGICAL", "MPI_REAL", "MPI_COMPLEX", "MPI_DOUBLE_COMPLEX"}
	fortran      = [3]cases{{fortranTypes[:3], []string{"12"}, "few"}, {fortranTypes, []string{"1", "12", "1024"}, "few"},
		{fortranTypes, []string{"1", "7", "60", "1024", "65536"}, "few"}}
)

// A line holds the cases of a chapter at each level.
type line struct {
	chapter              string // name of the chapter, "" for all that have no line of their own
	quick, standard, all cases  // at the levels Quick, Default and Full
}

// plan contains a line for each chapter that differs from the others. The line without a chapter
// holds the cases of all others.
var plan = []line{
	{"", cases{fewTypes, []string{"12"}, "few"}, cases{allTypes, []string{"1", "12", "1024"}, "some"}, cases{allTypes, []string{"1", "7", "60", "1024"}, "all"}},
	{"datatypes", cases{allTypes, []string{"12"}, "few"}, cases{allTypes, []string{"1", "12", "1024"}, "some"}, cases{allTypes, []string{"1", "7", "60", "1024"}, "all"}},
	{"one-sided", cases{fewTypes, []string{"12"}, "few"}, cases{allTypes, []string{"1", "60"}, "few"}, cases{allTypes, []string{"1", "7", "60", "1024"}, "some"}},
	{"files", cases{fewTypes, []string{"12"}, "few"}, cases{allTypes, []string{"60"}, "few"}, cases{allTypes, []string{"1", "60", "1024"}, "some"}},
	{"mpif.h and use mpi", fortran[0], fortran[1], fortran[2]},
	{"mpi_f08", fortran[0], fortran[1], fortran[2]},
	{"large counts", cases{fewTypes, []string{"12"}, "few"}, cases{allTypes, []string{"1", "60"}, "few"}, cases{allTypes, []string{"1", "60", "1024"}, "some"}},
}

// planned returns the cases of a chapter at a level.
func planned(chapter string, level Level) cases {
	i := slices.IndexFunc(plan, func(l line) bool { return l.chapter == chapter })
	l := plan[max(i, 0)]
	switch level {
	case Quick:
		return l.quick
	case Full:
		return l.all
	}
	return l.standard
}
