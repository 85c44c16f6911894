/* Every error class of mpi.h, except the tool interface's, is its own class and has a text, even if the library lacks
   it (MPI-5.0, 9.4). For codes made from it, the class of an extension may be MPI_ERR_OTHER. */
#include "check.h"

static const struct {
    const char *name;
    int class;
} classes[] = {
#ifdef MPIX_ERR_EAGAIN
    {"MPIX_ERR_EAGAIN", MPIX_ERR_EAGAIN},
#endif
#ifdef MPIX_ERR_NOREQ
    {"MPIX_ERR_NOREQ", MPIX_ERR_NOREQ},
#endif
#ifdef MPIX_ERR_PROC_FAILED
    {"MPIX_ERR_PROC_FAILED", MPIX_ERR_PROC_FAILED},
#endif
#ifdef MPIX_ERR_PROC_FAILED_PENDING
    {"MPIX_ERR_PROC_FAILED_PENDING", MPIX_ERR_PROC_FAILED_PENDING},
#endif
#ifdef MPIX_ERR_REVOKED
    {"MPIX_ERR_REVOKED", MPIX_ERR_REVOKED},
#endif
#ifdef MPIX_ERR_STREAM
    {"MPIX_ERR_STREAM", MPIX_ERR_STREAM},
#endif
#ifdef MPIX_ERR_TIMEOUT
    {"MPIX_ERR_TIMEOUT", MPIX_ERR_TIMEOUT},
#endif
#ifdef MPI_ERR_ABI
    {"MPI_ERR_ABI", MPI_ERR_ABI},
#endif
#ifdef MPI_ERR_ACCESS
    {"MPI_ERR_ACCESS", MPI_ERR_ACCESS},
#endif
#ifdef MPI_ERR_AMODE
    {"MPI_ERR_AMODE", MPI_ERR_AMODE},
#endif
#ifdef MPI_ERR_ARG
    {"MPI_ERR_ARG", MPI_ERR_ARG},
#endif
#ifdef MPI_ERR_ASSERT
    {"MPI_ERR_ASSERT", MPI_ERR_ASSERT},
#endif
#ifdef MPI_ERR_BAD_FILE
    {"MPI_ERR_BAD_FILE", MPI_ERR_BAD_FILE},
#endif
#ifdef MPI_ERR_BASE
    {"MPI_ERR_BASE", MPI_ERR_BASE},
#endif
#ifdef MPI_ERR_BUFFER
    {"MPI_ERR_BUFFER", MPI_ERR_BUFFER},
#endif
#ifdef MPI_ERR_COMM
    {"MPI_ERR_COMM", MPI_ERR_COMM},
#endif
#ifdef MPI_ERR_CONVERSION
    {"MPI_ERR_CONVERSION", MPI_ERR_CONVERSION},
#endif
#ifdef MPI_ERR_COUNT
    {"MPI_ERR_COUNT", MPI_ERR_COUNT},
#endif
#ifdef MPI_ERR_DIMS
    {"MPI_ERR_DIMS", MPI_ERR_DIMS},
#endif
#ifdef MPI_ERR_DISP
    {"MPI_ERR_DISP", MPI_ERR_DISP},
#endif
#ifdef MPI_ERR_DUP_DATAREP
    {"MPI_ERR_DUP_DATAREP", MPI_ERR_DUP_DATAREP},
#endif
#ifdef MPI_ERR_ERRHANDLER
    {"MPI_ERR_ERRHANDLER", MPI_ERR_ERRHANDLER},
#endif
#ifdef MPI_ERR_FILE
    {"MPI_ERR_FILE", MPI_ERR_FILE},
#endif
#ifdef MPI_ERR_FILE_EXISTS
    {"MPI_ERR_FILE_EXISTS", MPI_ERR_FILE_EXISTS},
#endif
#ifdef MPI_ERR_FILE_IN_USE
    {"MPI_ERR_FILE_IN_USE", MPI_ERR_FILE_IN_USE},
#endif
#ifdef MPI_ERR_GROUP
    {"MPI_ERR_GROUP", MPI_ERR_GROUP},
#endif
#ifdef MPI_ERR_INFO
    {"MPI_ERR_INFO", MPI_ERR_INFO},
#endif
#ifdef MPI_ERR_INFO_KEY
    {"MPI_ERR_INFO_KEY", MPI_ERR_INFO_KEY},
#endif
#ifdef MPI_ERR_INFO_NOKEY
    {"MPI_ERR_INFO_NOKEY", MPI_ERR_INFO_NOKEY},
#endif
#ifdef MPI_ERR_INFO_VALUE
    {"MPI_ERR_INFO_VALUE", MPI_ERR_INFO_VALUE},
#endif
#ifdef MPI_ERR_INTERN
    {"MPI_ERR_INTERN", MPI_ERR_INTERN},
#endif
#ifdef MPI_ERR_IN_STATUS
    {"MPI_ERR_IN_STATUS", MPI_ERR_IN_STATUS},
#endif
#ifdef MPI_ERR_IO
    {"MPI_ERR_IO", MPI_ERR_IO},
#endif
#ifdef MPI_ERR_KEYVAL
    {"MPI_ERR_KEYVAL", MPI_ERR_KEYVAL},
#endif
#ifdef MPI_ERR_LOCKTYPE
    {"MPI_ERR_LOCKTYPE", MPI_ERR_LOCKTYPE},
#endif
#ifdef MPI_ERR_NAME
    {"MPI_ERR_NAME", MPI_ERR_NAME},
#endif
#ifdef MPI_ERR_NOT_SAME
    {"MPI_ERR_NOT_SAME", MPI_ERR_NOT_SAME},
#endif
#ifdef MPI_ERR_NO_MEM
    {"MPI_ERR_NO_MEM", MPI_ERR_NO_MEM},
#endif
#ifdef MPI_ERR_NO_SPACE
    {"MPI_ERR_NO_SPACE", MPI_ERR_NO_SPACE},
#endif
#ifdef MPI_ERR_NO_SUCH_FILE
    {"MPI_ERR_NO_SUCH_FILE", MPI_ERR_NO_SUCH_FILE},
#endif
#ifdef MPI_ERR_OP
    {"MPI_ERR_OP", MPI_ERR_OP},
#endif
#ifdef MPI_ERR_OTHER
    {"MPI_ERR_OTHER", MPI_ERR_OTHER},
#endif
#ifdef MPI_ERR_PENDING
    {"MPI_ERR_PENDING", MPI_ERR_PENDING},
#endif
#ifdef MPI_ERR_PORT
    {"MPI_ERR_PORT", MPI_ERR_PORT},
#endif
#ifdef MPI_ERR_PROC_ABORTED
    {"MPI_ERR_PROC_ABORTED", MPI_ERR_PROC_ABORTED},
#endif
#ifdef MPI_ERR_PROC_FAILED
    {"MPI_ERR_PROC_FAILED", MPI_ERR_PROC_FAILED},
#endif
#ifdef MPI_ERR_PROC_FAILED_PENDING
    {"MPI_ERR_PROC_FAILED_PENDING", MPI_ERR_PROC_FAILED_PENDING},
#endif
#ifdef MPI_ERR_QUOTA
    {"MPI_ERR_QUOTA", MPI_ERR_QUOTA},
#endif
#ifdef MPI_ERR_RANK
    {"MPI_ERR_RANK", MPI_ERR_RANK},
#endif
#ifdef MPI_ERR_READ_ONLY
    {"MPI_ERR_READ_ONLY", MPI_ERR_READ_ONLY},
#endif
#ifdef MPI_ERR_REQUEST
    {"MPI_ERR_REQUEST", MPI_ERR_REQUEST},
#endif
#ifdef MPI_ERR_REVOKED
    {"MPI_ERR_REVOKED", MPI_ERR_REVOKED},
#endif
#ifdef MPI_ERR_RMA_ATTACH
    {"MPI_ERR_RMA_ATTACH", MPI_ERR_RMA_ATTACH},
#endif
#ifdef MPI_ERR_RMA_CONFLICT
    {"MPI_ERR_RMA_CONFLICT", MPI_ERR_RMA_CONFLICT},
#endif
#ifdef MPI_ERR_RMA_FLAVOR
    {"MPI_ERR_RMA_FLAVOR", MPI_ERR_RMA_FLAVOR},
#endif
#ifdef MPI_ERR_RMA_RANGE
    {"MPI_ERR_RMA_RANGE", MPI_ERR_RMA_RANGE},
#endif
#ifdef MPI_ERR_RMA_SHARED
    {"MPI_ERR_RMA_SHARED", MPI_ERR_RMA_SHARED},
#endif
#ifdef MPI_ERR_RMA_SYNC
    {"MPI_ERR_RMA_SYNC", MPI_ERR_RMA_SYNC},
#endif
#ifdef MPI_ERR_ROOT
    {"MPI_ERR_ROOT", MPI_ERR_ROOT},
#endif
#ifdef MPI_ERR_SERVICE
    {"MPI_ERR_SERVICE", MPI_ERR_SERVICE},
#endif
#ifdef MPI_ERR_SESSION
    {"MPI_ERR_SESSION", MPI_ERR_SESSION},
#endif
#ifdef MPI_ERR_SIZE
    {"MPI_ERR_SIZE", MPI_ERR_SIZE},
#endif
#ifdef MPI_ERR_SPAWN
    {"MPI_ERR_SPAWN", MPI_ERR_SPAWN},
#endif
#ifdef MPI_ERR_TAG
    {"MPI_ERR_TAG", MPI_ERR_TAG},
#endif
#ifdef MPI_ERR_TOPOLOGY
    {"MPI_ERR_TOPOLOGY", MPI_ERR_TOPOLOGY},
#endif
#ifdef MPI_ERR_TRUNCATE
    {"MPI_ERR_TRUNCATE", MPI_ERR_TRUNCATE},
#endif
#ifdef MPI_ERR_TYPE
    {"MPI_ERR_TYPE", MPI_ERR_TYPE},
#endif
#ifdef MPI_ERR_UNKNOWN
    {"MPI_ERR_UNKNOWN", MPI_ERR_UNKNOWN},
#endif
#ifdef MPI_ERR_UNSUPPORTED_DATAREP
    {"MPI_ERR_UNSUPPORTED_DATAREP", MPI_ERR_UNSUPPORTED_DATAREP},
#endif
#ifdef MPI_ERR_UNSUPPORTED_OPERATION
    {"MPI_ERR_UNSUPPORTED_OPERATION", MPI_ERR_UNSUPPORTED_OPERATION},
#endif
#ifdef MPI_ERR_VALUE_TOO_LARGE
    {"MPI_ERR_VALUE_TOO_LARGE", MPI_ERR_VALUE_TOO_LARGE},
#endif
#ifdef MPI_ERR_WIN
    {"MPI_ERR_WIN", MPI_ERR_WIN},
#endif
};

int main(int argc, char **argv)
{
    char text[MPI_MAX_ERROR_STRING];
    int class, code, length;
    check_init(&argc, &argv);
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) {
        class = length = -1;
        MUST(MPI_Error_class(classes[i].class, &class));
        if (class != classes[i].class)
            check_fail(__FILE__, __LINE__, "the class of %s (%d) is %d", classes[i].name, classes[i].class, class);
        text[0] = 0;
        MUST(MPI_Error_string(classes[i].class, text, &length));
        CHECK(length > 0 && strlen(text) > 0);
        MUST(MPI_Add_error_code(classes[i].class, &code));
        MUST(MPI_Error_class(code, &class));
        CHECK(class == classes[i].class || class == MPI_ERR_OTHER);
    }
    return check_done("error_every_class");
}
