/* The layout that another file adds: all pairs with the forty others, for counts that split in different ways. */
#include "../../conformance/check.h"

#include "layouts.h"

int main(int argc, char **argv)
{
    const int counts[] = {1, 2, 7, 12, 64};
    char text[512];
    check_init(&argc, &argv);
    MUST(DTP_layouts_add(DTP_ADDED_LAYOUTS, 1));
    for (int k = 0; k < 5; k++) {
        DTP_t from, to;
        MUST(DTP_pool_create(MPI_DOUBLE, counts[k], &from));
        MUST(DTP_pool_create(MPI_DOUBLE, counts[k], &to));
        CHECK_INT(from->DTP_num_objs, 41);
        for (int i = 0; i < 2 * 41; i++) {
            int s = i < 41 ? 40 : i - 41, r = i < 41 ? i : 40;
            MUST(DTP_obj_create(from, s, 5, 3, counts[k]));
            MUST(DTP_obj_create(to, r, 0, 0, 0));
            DTP_obj_t *out = &from->DTP_obj_array[s], *in = &to->DTP_obj_array[r];
            MUST(MPI_Sendrecv(out->DTP_obj_buf, out->DTP_obj_count, out->DTP_obj_type, 0, 1, in->DTP_obj_buf, in->DTP_obj_count,
                              in->DTP_obj_type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
            if (DTP_obj_buf_check_report(to, r, 5, 3, counts[k], text, sizeof text) != DTP_SUCCESS)
                check_fail(__FILE__, __LINE__, "%d, %d → %d: %s", counts[k], s, r, text);
            MUST(DTP_obj_free(from, s));
            MUST(DTP_obj_free(to, r));
        }
        MUST(DTP_pool_free(from));
        MUST(DTP_pool_free(to));
    }
    return check_done("added");
}
