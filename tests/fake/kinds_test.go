package fake

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A function is an MPI function as the standard defines it: facts from the standard's own machine-readable description
// (MPI-4.0, with the large-count variants), from MPI-2.2 for the functions that MPI-3.0 removed, and from both
// libraries' mpi-ext.h.
type function struct {
	Name    string  `json:"name"`
	Returns string  `json:"returns"`
	Params  []param `json:"params"`
}

// A param is a parameter. In JSON it is [name, C type, the standard's kind, direction] and, for an array, its length:
// another parameter, a constant, or "*" if only the standard's text describes it.
type param struct{ Name, Type, Kind, Dir, Length string }

func (p *param) UnmarshalJSON(b []byte) error {
	var words []string
	if err := json.Unmarshal(b, &words); err != nil {
		return err
	}
	words = append(words, "")
	p.Name, p.Type, p.Kind, p.Dir, p.Length = words[0], words[1], words[2], words[3], words[4]
	return nil
}

//go:embed spec.json
var specJSON []byte

func loadSpec(t testing.TB) map[string]*function {
	var list []*function
	require.NoError(t, json.Unmarshal(specJSON, &list))
	functions := map[string]*function{}
	for _, f := range list {
		functions[f.Name] = f
	}
	return functions
}

func (p *param) pointer() bool { return strings.ContainsRune(p.Type, '*') }

// element returns the C type that the parameter has or points to.
func (p *param) element() string {
	t := strings.TrimPrefix(p.Type, "const ")
	if t == "int (*)[3]" {
		return "int"
	}
	return strings.TrimSpace(strings.TrimSuffix(t, "*"))
}

// size returns a C type's size on a side.
func (s *side) size(ctype string) int {
	switch {
	case strings.ContainsRune(ctype, '*'):
		return 8
	case ctype == "char":
		return 1
	case ctype == "int", ctype == "MPI_T_cb_safety", ctype == "MPI_T_source_order":
		return 4
	}
	if t, ok := s.Types[ctype]; ok {
		return t.Size
	}
	return 8
}

// handleKinds are the kinds that are MPI objects, with their names in the families' data.
var handleKinds = map[string]string{
	"COMMUNICATOR": "COMM", "DATATYPE": "DATATYPE", "ERRHANDLER": "ERRHANDLER", "FILE": "FILE", "GROUP": "GROUP",
	"INFO": "INFO", "MESSAGE": "MESSAGE", "OPERATION": "OP", "REQUEST": "REQUEST", "SESSION": "SESSION", "WINDOW": "WIN",
}

// objects has, for each kind of object, the null handle, the predefined handle for an uninteresting argument, a
// function that creates an object, and a function that takes one.
var objects = map[string]struct{ null, plain, creator, user string }{
	"COMM":       {"MPI_COMM_NULL", "MPI_COMM_WORLD", "MPI_Comm_dup", "MPI_Comm_size"},
	"DATATYPE":   {"MPI_DATATYPE_NULL", "MPI_INT", "MPI_Type_contiguous", "MPI_Type_size"},
	"ERRHANDLER": {"MPI_ERRHANDLER_NULL", "MPI_ERRORS_RETURN", "MPI_Comm_get_errhandler", "MPI_Comm_set_errhandler"},
	"FILE":       {"MPI_FILE_NULL", "MPI_FILE_NULL", "MPI_File_open", "MPI_File_sync"},
	"GROUP":      {"MPI_GROUP_NULL", "MPI_GROUP_EMPTY", "MPI_Comm_group", "MPI_Group_size"},
	"INFO":       {"MPI_INFO_NULL", "MPI_INFO_NULL", "MPI_Info_create", "MPI_Info_get_nkeys"},
	"MESSAGE":    {"MPI_MESSAGE_NULL", "MPI_MESSAGE_NO_PROC", "MPI_Mprobe", "MPI_Mrecv"},
	"OP":         {"MPI_OP_NULL", "MPI_SUM", "MPI_Op_create", "MPI_Op_commutative"},
	"REQUEST":    {"MPI_REQUEST_NULL", "MPI_REQUEST_NULL", "MPI_Isend", "MPI_Request_get_status"},
	"SESSION":    {"MPI_SESSION_NULL", "MPI_SESSION_NULL", "MPI_Session_init", "MPI_Session_get_num_psets"},
	"WIN":        {"MPI_WIN_NULL", "MPI_WIN_NULL", "MPI_Win_create", "MPI_Win_get_group"},
}

// constants are the special values of a parameter of a kind, from the standard's text; * stands for any ending. A kind
// without a row has none. "out" and array parameters may have separate rows.
var constants = map[string][]string{
	"RANK":               {"MPI_ANY_SOURCE", "MPI_PROC_NULL", "MPI_ROOT"},
	"RANK out":           {"MPI_PROC_NULL", "MPI_UNDEFINED", "MPI_ANY_SOURCE", "MPI_ROOT"},
	"RANK_NNI":           {"MPI_ANY_SOURCE", "MPI_PROC_NULL", "MPI_ROOT"},
	"TAG":                {"MPI_ANY_TAG"},
	"COLOR":              {"MPI_UNDEFINED"},
	"INDEX out":          {"MPI_UNDEFINED"},
	"ARRAY_LENGTH out":   {"MPI_UNDEFINED"},
	"XFER_NUM_ELEM out":  {"MPI_UNDEFINED"},
	"DTYPE_NUM_ELEM out": {"MPI_UNDEFINED"},
	"NUM_BYTES out":      {"MPI_UNDEFINED"},
	"SPLIT_TYPE":         {"MPI_COMM_TYPE_*", "OMPI_COMM_TYPE_*", "MPIX_COMM_TYPE_*", "MPI_UNDEFINED"},
	"KEYVAL": {"MPI_KEYVAL_INVALID", "MPI_TAG_UB", "MPI_HOST", "MPI_IO", "MPI_WTIME_IS_GLOBAL", "MPI_UNIVERSE_SIZE",
		"MPI_LASTUSEDCODE", "MPI_APPNUM", "MPI_WIN_BASE", "MPI_WIN_SIZE", "MPI_WIN_DISP_UNIT", "MPI_WIN_CREATE_FLAVOR", "MPI_WIN_MODEL",
		"MPI_FT", "MPIX_FT", "IMPI_*"},
	"COMBINER":           {"MPI_COMBINER_*"},
	"COMM_COMPARISON":    {"MPI_IDENT", "MPI_CONGRUENT", "MPI_SIMILAR", "MPI_UNEQUAL"},
	"GROUP_COMPARISON":   {"MPI_IDENT", "MPI_CONGRUENT", "MPI_SIMILAR", "MPI_UNEQUAL"},
	"TOPOLOGY_TYPE":      {"MPI_CART", "MPI_GRAPH", "MPI_DIST_GRAPH", "MPI_UNDEFINED"},
	"ORDER":              {"MPI_ORDER_C", "MPI_ORDER_FORTRAN"},
	"DISTRIB_ENUM":       {"MPI_DISTRIBUTE_BLOCK", "MPI_DISTRIBUTE_CYCLIC", "MPI_DISTRIBUTE_NONE"},
	"DTYPE_DISTRIBUTION": {"MPI_DISTRIBUTE_DFLT_DARG"},
	"THREAD_LEVEL":       {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"},
	"LOCK_TYPE":          {"MPI_LOCK_EXCLUSIVE", "MPI_LOCK_SHARED"},
	"UPDATE_MODE":        {"MPI_SEEK_SET", "MPI_SEEK_CUR", "MPI_SEEK_END"},
	"view offset":        {"MPI_DISPLACEMENT_CURRENT"},
	"TYPECLASS":          {"MPI_TYPECLASS_*", "MPIX_TYPECLASS_*"},
	"BIND_TYPE":          {"MPI_T_BIND_*", "MPIX_T_BIND_*"},
	"VARIABLE_SCOPE":     {"MPI_T_SCOPE_*", "MPIX_T_SCOPE_*"},
	"TOOL_VAR_VERBOSITY": {"MPI_T_VERBOSITY_*", "MPIX_T_VERBOSITY_*"},
	"PVAR_CLASS":         {"MPI_T_PVAR_CLASS_*", "MPIX_T_PVAR_CLASS_*"},
	"CALLBACK_SAFETY":    {"MPI_T_CB_REQUIRE_*"},
	"SOURCE_ORDERING":    {"MPI_T_SOURCE_*"},
	"ERROR_CLASS":        {"MPI_SUCCESS", "MPI_ERR_*", "MPI_T_ERR_*", "MPIX_ERR_*"},
	"ERROR_CODE":         {"MPI_SUCCESS", "MPI_ERR_*", "MPI_T_ERR_*", "MPIX_ERR_*"},
	"ASSERT":             {"MPI_MODE_NOCHECK", "MPI_MODE_NOSTORE", "MPI_MODE_NOPUT", "MPI_MODE_NOPRECEDE", "MPI_MODE_NOSUCCEED"},
	"ACCESS_MODE": {"MPI_MODE_CREATE", "MPI_MODE_RDONLY", "MPI_MODE_WRONLY", "MPI_MODE_RDWR", "MPI_MODE_DELETE_ON_CLOSE",
		"MPI_MODE_UNIQUE_OPEN", "MPI_MODE_EXCL", "MPI_MODE_APPEND", "MPI_MODE_SEQUENTIAL"},
	"WEIGHT":   {"MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY"},
	"PVAR":     {"MPI_T_PVAR_ALL_HANDLES", "MPI_T_PVAR_HANDLE_NULL"},
	"PVAR out": {"MPI_T_PVAR_HANDLE_NULL"},
	// Statuses: their fields, and the special pointers.
	"status source": {"MPI_ANY_SOURCE", "MPI_PROC_NULL"},
	"status tag":    {"MPI_ANY_TAG"},
}

// bits are the kinds whose constants are combined with |.
var bits = map[string]bool{"ASSERT": true, "ACCESS_MODE": true}

// ofParameter corrects the standard's kind if it is too general: members of a group and nodes of a graph are never
// special ranks, and a process always has a rank in its own communicator.
var ofParameter = map[string]string{
	"MPI_Group_translate_ranks.ranks1": "RANK out",
	"MPI_Comm_rank.rank":               "",
	"MPI_Cart_rank.rank":               "",
	"MPI_Abort.errorcode":              "",            // an exit status
	"MPI_File_set_view.disp":           "view offset", // elsewhere the same number is an offset: MPI-5.0, 14.3
}

// successors are functions that reach the runtime as the MPI-2.0 function that replaced them, with the same arguments.
var successors = map[string]string{
	"MPI_Attr_get":          "MPI_Comm_get_attr",
	"MPI_Attr_put":          "MPI_Comm_set_attr",
	"MPI_Keyval_create":     "MPI_Comm_create_keyval",
	"MPI_Keyval_free":       "MPI_Comm_free_keyval",
	"MPI_Errhandler_create": "MPI_Comm_create_errhandler",
	"MPI_Errhandler_get":    "MPI_Comm_get_errhandler",
	"MPI_Errhandler_set":    "MPI_Comm_set_errhandler",
}

// noRanks matches functions with arrays whose elements are not ranks of messages.
var noRanks = regexp.MustCompile(`^MPI_(Group|Graph|Dist_graph)_`)

// inPlace matches the parameters that MPI_IN_PLACE may replace (MPI-4.0, 6.2.2), and MPI_Reduce_local's, which may not
// be MPI_IN_PLACE: the library must get it, to refuse it.
var inPlace = regexp.MustCompile(`(?i)^MPI_(I?(allgatherv?|allreduce|alltoall[vw]?|exscan|gatherv?|reduce|reduce_scatter(_block)?|scan)(_init)?(_c)?\.sendbuf|` +
	`I?scatterv?(_init)?(_c)?\.recvbuf|reduce_local(_c)?\.(inbuf|inoutbuf))$`)

// attaches matches the functions whose buffer may be MPI_BUFFER_AUTOMATIC (MPI-4.1, 3.6).
var attaches = regexp.MustCompile(`(Buffer_attach|_attach_buffer)(_c)?$`)

// limits are the sizes of a program's buffers for output strings.
var limits = map[string]string{
	"MPI_Info_get_nthkey.key":     "MPI_MAX_INFO_KEY",
	"MPI_File_get_view.datarep":   "MPI_MAX_DATAREP_STRING",
	"MPI_Get_processor_name.name": "MPI_MAX_PROCESSOR_NAME",
	"MPI_Error_string.string":     "MPI_MAX_ERROR_STRING",
	"MPI_Comm_get_name.comm_name": "MPI_MAX_OBJECT_NAME",
	"MPI_Type_get_name.type_name": "MPI_MAX_OBJECT_NAME",
	"MPI_Win_get_name.win_name":   "MPI_MAX_OBJECT_NAME",
	"MPI_Lookup_name.port_name":   "MPI_MAX_PORT_NAME",
	"MPI_Open_port.port_name":     "MPI_MAX_PORT_NAME",
}

// keeps matches the functions that change an object and keep its handle.
var keeps = regexp.MustCompile(`^MPI_(Start|Startall|Type_commit)$`)

// later are outputs that the completion of the operation writes: TestIdup.
var later = map[string]bool{"MPI_Comm_idup.newcomm": true, "MPI_Comm_idup_with_info.newcomm": true, "MPI_Comm_ishrink.newcomm": true, "MPIX_Comm_ishrink.newcomm": true}

// onlyDynamic are handles whose predefined values the translation may treat specially, with the reason.
var onlyDynamic = map[string]string{
	"MPI_File_call_errhandler.fh": "Open MPI refuses MPI_FILE_NULL there, so its handler is called without it",
}

// irregular are the functions that have another test or none, with the reason.
var irregular = map[string]string{
	"MPI_Get_version":         "answers for the pair: TestVersion",
	"MPI_Get_library_version": "answers in the form of the program's family: TestVersion",
	"MPI_Comm_split_type":     "split types are emulated: TestEverySplitTypeIsTested of tests/emulate",
	"MPI_Type_get_contents":   "what the integers mean depends on the envelope: TestContents",
	"MPI_Type_get_contents_c": "the same",
}

func init() {
	for _, unchecked := range strings.Fields(`MPI_Allgather.comm MPI_Iallgather.comm MPI_Allgather_init.comm
		MPI_Neighbor_allgather.comm MPI_Ineighbor_allgather.comm MPI_Neighbor_allgather_init.comm
		MPI_Probe.comm MPI_Iprobe.comm MPI_Mprobe.comm MPI_Improbe.comm MPI_Psend_init.comm MPI_Precv_init.comm
		MPI_Mrecv.message MPI_Imrecv.message MPI_Scatter.sendtype MPI_Iscatter.sendtype
		MPI_Comm_create_group.group MPI_Win_post.group MPI_Win_start.group
		MPI_Dist_graph_create.info MPI_Dist_graph_create_adjacent.info`) {
		onlyDynamic[unchecked] = "Open MPI does not look at a null one, so it is refused before: error_wrong_handles.c"
	}
	for _, kind := range []string{"Comm", "Type", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Win"} {
		irregular["MPI_"+kind+"_c2f"] = "answered by the translation, but for files: TestFortranHandles"
		irregular["MPI_"+kind+"_f2c"] = "the same"
		irregular["MPI_"+kind+"_toint"] = "the same"
		irregular["MPI_"+kind+"_fromint"] = "the same"
	}
	for _, field := range []string{"source", "tag", "error"} {
		irregular["MPI_Status_get_"+field] = "answered without the runtime: TestStatusFields"
		irregular["MPI_Status_set_"+field] = "the same"
	}
	for _, name := range []string{"get_info", "register_callback", "set_dropped_handler", "handle_free"} {
		irregular["MPI_T_event_"+name] = "with functions of the program's or arrays of its own: TestEvents"
	}
	irregular["MPI_Aint_add"] = "answered without the runtime"
	irregular["MPI_Aint_diff"] = "the same"
	for _, name := range []string{"GPU_query_support", "Grequest_class_allocate", "Grequest_class_create", "Grequest_start", "Type_iov", "Type_iov_len"} {
		irregular["MPIX_"+name] = "an extension of MPICH that is not translated: the call says so"
	}
	irregular["MPIX_Query_cuda_support"] = "asked by whichever name the runtime has for it: TestGPUQueries"
	irregular["MPIX_Query_ze_support"] = "the same"
	for _, name := range []string{"get_version", "get_info", "get_fortran_info", "set_fortran_info", "get_fortran_booleans", "set_fortran_booleans"} {
		irregular["MPI_Abi_"+name] = "what a program of the standard ABI asks is answered by the front: TestAbi"
	}
	for _, name := range []string{"c2f", "f2c", "c2f08", "f082c", "f082f", "f2f08"} {
		irregular["MPI_Status_"+name] = "answered without the runtime: TestFortranStatuses"
	}
}

// named returns the names that a row of constants selects on either side.
func (s *session) named(row []string) []string {
	var names []string
	for _, pattern := range row {
		prefix, open := strings.CutSuffix(pattern, "*")
		if !open {
			names = append(names, pattern)
			continue
		}
		for _, side := range []*side{s.a, s.r} {
			for _, name := range sorted(side.Constants) {
				if strings.HasPrefix(name, prefix) && name != "MPI_ERR_LASTCODE" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
