package header

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// bigNames are the large-count functions that the library BigMPI gave to
// programs before MPI-4: MPIX_Send_x has the arguments of MPI_Send_c.
//
//go:embed bigmpi.txt
var bigNames string

// bigOthers are the functions of BigMPI that are no other name of an MPI one.
const bigOthers = `/* MPI_Type_contiguous_c, but for elements that begin offset bytes in. */
int BigMPI_Type_contiguous(MPI_Aint offset, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype);
/* What MPIX_Type_contiguous_x was given. MPI_ERR_TYPE for another datatype. */
int BigMPI_Decode_contiguous_x(MPI_Datatype intype, MPI_Count *count, MPI_Datatype *basetype);
/* MPI_Type_create_hindexed_c, in spite of its name. */
int MPIX_Type_create_hvector_x(int n, MPI_Count array_of_blocklengths[], MPI_Aint array_of_displacements[],
                               MPI_Datatype oldtype, MPI_Datatype *newtype);
/* What one call of MPI is given at most: INT_MAX. Works before MPI_Init. */
MPI_Count BigMPI_Get_max_int(void);
/* A distributed graph of comm_old's processes in which each sends to root, itself included, or for root -1 to
   all: by rank, without weights, not reordered. Collective. */
int BigMPI_Create_graph_comm(MPI_Comm comm_old, int root, MPI_Comm *comm_dist_graph);
`

const bigOthersSource = `
int BigMPI_Type_contiguous(MPI_Aint offset, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    MPI_Count displacement = offset;
    return MPI_Type_create_hindexed_c(1, &count, &displacement, oldtype, newtype);
}

int BigMPI_Decode_contiguous_x(MPI_Datatype intype, MPI_Count *count, MPI_Datatype *basetype)
{
    MPI_Count integers, addresses, larges, types;
    int combiner, integer = 0;
    int error = MPI_Type_get_envelope_c(intype, &integers, &addresses, &larges, &types, &combiner);
    if (error != MPI_SUCCESS)
        return error;
    if (combiner != MPI_COMBINER_CONTIGUOUS) {
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TYPE);
        return MPI_ERR_TYPE;
    }
    error = MPI_Type_get_contents_c(intype, integers, addresses, larges, types, &integer, 0, count, basetype);
    if (error == MPI_SUCCESS && integers) /* it was made with an int count */
        *count = integer;
    return error;
}

int MPIX_Type_create_hvector_x(int n, MPI_Count array_of_blocklengths[], MPI_Aint array_of_displacements[],
                               MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hindexed_c(n, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}

MPI_Count BigMPI_Get_max_int(void)
{
    return INT_MAX;
}

int BigMPI_Create_graph_comm(MPI_Comm comm_old, int root, MPI_Comm *comm_dist_graph)
{
    int rank, size, error;
    if ((error = MPI_Comm_rank(comm_old, &rank)) != MPI_SUCCESS || (error = MPI_Comm_size(comm_old, &size)) != MPI_SUCCESS)
        return error;
    int *all = malloc((size_t)size * sizeof *all);
    if (!all) {
        MPI_Comm_call_errhandler(comm_old, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < size; i++)
        all[i] = i;
    const int sources = root == -1 || root == rank ? size : 0;
    error = MPI_Dist_graph_create_adjacent(comm_old, sources, all, MPI_UNWEIGHTED, root == -1 ? size : 1,
                                           root == -1 ? all : &root, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, comm_dist_graph);
    free(all);
    return error;
}
`

// BigMPI writes bigmpi.h and the source of libbigmpi.so, which is compiled and
// linked as any program is that uses the standard ABI.
func BigMPI(in *model.Input) ([]output.File, error) {
	functions := map[string]*model.Function{}
	for i := range in.Functions {
		functions[in.Functions[i].Name] = &in.Functions[i]
	}
	header, source := &output.Writer{}, &output.Writer{}
	header.WriteString(output.Banner("bigmpi.h: the names of BigMPI."))
	header.Line("#ifndef BIGMPI_H_INCLUDED\n#define BIGMPI_H_INCLUDED\n#include <mpi.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n#define BIGMPI_CONST const\n")
	source.WriteString(output.Banner("libbigmpi.so: the names of BigMPI."))
	source.Line("#include \"bigmpi.h\"\n#include <limits.h>\n#include <stdlib.h>\n")
	for name := range strings.FieldsSeq(bigNames) {
		as := bigSuffix.ReplaceAllString(name, "MPI_${1}_c")
		f := functions[as]
		if f == nil {
			return nil, fmt.Errorf("gen/header/bigmpi.txt: %s: funcs.json has no %s", name, as)
		}
		var arguments []string
		for _, p := range f.Params {
			arguments = append(arguments, p.Name)
		}
		header.Line("%s;", f.Prototype(name))
		source.Line("%s\n{\n    return %s(%s);\n}", f.Prototype(name), as, strings.Join(arguments, ", "))
	}
	header.WriteString("\n" + bigOthers)
	header.Line("\n#ifdef __cplusplus\n}\n#endif\n#endif")
	source.WriteString(bigOthersSource)
	return []output.File{{Name: "bigmpi/bigmpi.h", Text: header.Bytes()}, {Name: "bigmpi/bigmpi.c", Text: source.Bytes()}}, nil
}

var bigSuffix = regexp.MustCompile(`^MPIX_(.*)_x$`)
