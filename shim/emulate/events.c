/* Events of the tool interface (MPI-5.0, 15.3.8) over a library that has none. There are no
   events and no sources, so every index, name and handle is invalid. No state, no lock. */
#include "emulate.h"

/* Returns an error class, or the error of a tool interface that is not initialized. The tool
   interface calls no error handler: its functions return the error. */
static int tool_error(int error_class)
{
    int n;
    int rc = MPI_T_category_get_num(&n); /* fails before MPI_T_init_thread */
    return rc ? rc : error_class;
}

/* Writes 0 to *number. */
static int write_zero(int *number)
{
    int rc = tool_error(number ? MPI_SUCCESS : MPI_T_ERR_INVALID);
    if (!rc)
        *number = 0;
    return rc;
}

/* Returns an error class if there is no such category. */
static int bad_category(int cat_index)
{
    int n = 0;
    int rc = MPI_T_category_get_num(&n);
    return rc ? rc : cat_index < 0 || cat_index >= n ? MPI_T_ERR_INVALID_INDEX : MPI_SUCCESS;
}

int E_MPI_T_event_get_num(int *num_events) { return write_zero(num_events); }
int E_MPI_T_source_get_num(int *num_sources) { return write_zero(num_sources); }

int E_MPI_T_category_get_num_events(int cat_index, int *num_events)
{
    int rc = bad_category(cat_index);
    return rc ? rc : write_zero(num_events);
}
int E_MPI_T_category_get_events(int cat_index, int len, int *indices)
{
    int rc = bad_category(cat_index);
    return rc ? rc : tool_error(len > 0 && !indices ? MPI_T_ERR_INVALID : MPI_SUCCESS);
}

#define NO_INDEX { return tool_error(MPI_T_ERR_INVALID_INDEX); }
#define NO_HANDLE { return tool_error(MPI_T_ERR_INVALID_HANDLE); }
int E_MPI_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity, MPI_Datatype *array_of_datatypes,
                           MPI_Aint *array_of_displacements, int *num_elements, void **enumtype, MPI_Info *info, char *desc,
                           int *desc_len, int *bind) NO_INDEX
int E_MPI_T_event_get_index(const char *name, int *event_index) { return tool_error(MPI_T_ERR_INVALID_NAME); }
int E_MPI_T_event_handle_alloc(int event_index, void *obj_handle, MPI_Info info, void **event_registration) NO_INDEX
int E_MPI_T_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len, int *ordering,
                            MPI_Count *ticks_per_second, MPI_Count *max_ticks, MPI_Info *info) NO_INDEX
int E_MPI_T_source_get_timestamp(int source_index, MPI_Count *timestamp) NO_INDEX
int E_MPI_T_event_callback_get_info(void *event_registration, int cb_safety, MPI_Info *info_used) NO_HANDLE
int E_MPI_T_event_callback_set_info(void *event_registration, int cb_safety, MPI_Info info) NO_HANDLE
int E_MPI_T_event_copy(void *event_instance, void *buffer) NO_HANDLE
int E_MPI_T_event_get_source(void *event_instance, int *source_index) NO_HANDLE
int E_MPI_T_event_get_timestamp(void *event_instance, MPI_Count *event_timestamp) NO_HANDLE
int E_MPI_T_event_handle_free(void *event_registration, void *user_data, void *free_cb_function) NO_HANDLE
int E_MPI_T_event_handle_get_info(void *event_registration, MPI_Info *info_used) NO_HANDLE
int E_MPI_T_event_handle_set_info(void *event_registration, MPI_Info info) NO_HANDLE
int E_MPI_T_event_read(void *event_instance, int element_index, void *buffer) NO_HANDLE
int E_MPI_T_event_register_callback(void *event_registration, int cb_safety, MPI_Info info, void *user_data,
                                    void *event_cb_function) NO_HANDLE
int E_MPI_T_event_set_dropped_handler(void *event_registration, void *dropped_cb_function) NO_HANDLE
