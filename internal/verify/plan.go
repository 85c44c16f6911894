package verify

import "slices"

// A Level says how much is run.
type Level string

// The levels: a minute, ten minutes, and as long as it takes.
const (
	Quick   Level = "quick"
	Default Level = "default"
	Full    Level = "full"
)

// cases are the parameters of a chapter's tests: what verify/main.c takes.
type cases struct {
	signatures []string // basic types, structs of them; "all" is every basic type
	counts     []string
	pairs      string // of layouts: few, some, all
}

var (
	fewTypes = []string{"MPI_CHAR", "MPI_INT", "MPI_DOUBLE", "MPI_LONG_DOUBLE", "MPI_UINT64_T", "MPI_C_DOUBLE_COMPLEX", "MPI_2INT", "MPI_INT+MPI_DOUBLE"}
	allTypes = []string{"all", "MPI_CHAR+MPI_DOUBLE", "MPI_INT+MPI_LONG_DOUBLE+MPI_SHORT", "MPI_2INT+MPI_BYTE", "MPI_FLOAT_INT+MPI_INT64_T",
		"MPI_C_DOUBLE_COMPLEX+MPI_CHAR+MPI_INT"}

	fortranTypes = []string{"MPI_INTEGER", "MPI_DOUBLE_PRECISION", "MPI_CHARACTER", "MPI_LOGICAL", "MPI_REAL", "MPI_COMPLEX", "MPI_DOUBLE_COMPLEX"}
	fortran      = [3]cases{{fortranTypes[:3], []string{"12"}, "few"}, {fortranTypes, []string{"1", "12", "1024"}, "few"},
		{fortranTypes, []string{"1", "7", "60", "1024", "65536"}, "few"}}
)

// A line is what a chapter's tests run with, level by level.
type line struct {
	chapter              string
	quick, standard, all cases
}

// plan has a line for each chapter that is not run as the others are, which the
// line without a chapter says.
var plan = []line{
	{"", cases{fewTypes, []string{"12"}, "few"}, cases{allTypes, []string{"1", "12", "1024"}, "some"}, cases{allTypes, []string{"1", "7", "60", "1024"}, "all"}},
	{"datatypes", cases{allTypes, []string{"12"}, "few"}, cases{allTypes, []string{"1", "12", "1024"}, "some"}, cases{allTypes, []string{"1", "7", "60", "1024"}, "all"}},
	{"one-sided", cases{fewTypes, []string{"12"}, "few"}, cases{allTypes, []string{"1", "60"}, "few"}, cases{allTypes, []string{"1", "7", "60", "1024"}, "some"}},
	{"files", cases{fewTypes, []string{"12"}, "few"}, cases{allTypes, []string{"60"}, "few"}, cases{allTypes, []string{"1", "60", "1024"}, "some"}},
	{"mpif.h and use mpi", fortran[0], fortran[1], fortran[2]},
	{"mpi_f08", fortran[0], fortran[1], fortran[2]},
	{"large counts", cases{fewTypes, []string{"12"}, "few"}, cases{allTypes, []string{"1", "60"}, "few"}, cases{allTypes, []string{"1", "60", "1024"}, "some"}},
}

// planned are the cases of a chapter.
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
