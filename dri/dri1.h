/* The names of DRI-1.0 (2002) that are known, implemented with the functions of dri.h. Only a presentation of DRI-1.0 was
 * at hand; names that it does not explain are not here, and README.md lists them.
 *
 * Gives: the functions and constants of DRI-1.0.
 * Needs: dri.h. */
#ifndef DRI1_H
#define DRI1_H
#include "dri.h"
#include <string.h>

/* The type of an element, because the global data of the presentation has none. Define it before the include to change it. */
#ifndef DRI1_DATATYPE
#define DRI1_DATATYPE DRI_FLOAT
#endif

typedef DRI_gdo DRI_Globaldata;
typedef DRI_group DRI_Group;
typedef DRI_xfer DRI_Reorg; /* one end of a transfer */
/* A distribution with the layout of its parts. */
typedef struct {
    DRI_dist dist;
    DRI_layout layout;
} DRI_Distribution;

/* One letter for each dimension: W whole, B in blocks. Any string of these letters is a partition. */
#define DRI_PARTITION_W "W"
#define DRI_PARTITION_B "B"
#define DRI_PARTITION_WB "WB"
#define DRI_PARTITION_BW "BW"
#define DRI_PARTITION_BB "BB"
#define DRI_PARTITION_WWB "WWB"
#define DRI_PARTITION_WBW "WBW"
#define DRI_PARTITION_BWW "BWW"
#define DRI_GROUPDIMS_ALLNOPREFERENCE ((const int *)0) /* any grid of processes */

static inline int DRI_Init(int *argc, char ***argv)
{
    return DRI_init(argc, argv);
}

static inline int DRI_Finalize(void)
{
    return DRI_finalize();
}

static inline int DRI_Globaldata_create(int n, const MPI_Count sizes[], DRI_Globaldata *gdo)
{
    return DRI_gdo_create(n, DRI1_DATATYPE, sizes, gdo);
}

static inline int DRI_Globaldata_destroy(DRI_Globaldata *gdo)
{
    return DRI_gdo_destroy(gdo);
}

/* Makes a distribution over all processes of MPI_COMM_WORLD. Returns DRI_ERR_DIMS if the partition does not have one letter,
 * W or B, for each dimension. */
static inline int DRI_Distribution_create(DRI_Globaldata gdo, const int *grid, const char *partition, DRI_layout layout,
                                          DRI_Distribution *distribution)
{
    DRI_part_rule rules[DRI_MAX_DIMS];
    DRI_group group = DRI_NULL;
    DRI_part part = DRI_NULL;
    int n, size, error = DRI_gdo_query(gdo, &n, (DRI_datatype *)0, (MPI_Count *)0);
    distribution->dist = DRI_NULL;
    distribution->layout = layout;
    if (error)
        return error;
    if (strlen(partition) != (size_t)n || strspn(partition, "WB") != (size_t)n)
        return DRI_ERR_DIMS;
    memset(rules, 0, sizeof rules);
    for (int d = 0; d < n; d++)
        rules[d].kind = partition[d] == 'W' ? DRI_WHOLE : DRI_BLOCK;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int procs[size];
    for (int i = 0; i < size; i++)
        procs[i] = i;
    error = DRI_group_create(size, procs, &group);
    if (!error)
        error = DRI_part_rules(gdo, group, grid, rules, &part);
    if (!error)
        error = DRI_dist_create(gdo, part, group, &distribution->dist);
    if (part)
        DRI_part_destroy(&part);
    if (group)
        DRI_group_destroy(&group);
    return error;
}

static inline int DRI_Distribution_destroy(DRI_Distribution *distribution)
{
    return DRI_dist_destroy(&distribution->dist);
}

#endif
