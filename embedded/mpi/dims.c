/* MPI_Dims_create (MPI-5.0, 8.5.2). No state, no locks. */
#include "functions.h"
#include "../base/errors.h"

#include <stdlib.h>
#include <string.h>

/* A search for factors in decreasing order with the least difference between the first and the last one. Of these it takes
 * the ones with the largest first factor, then with the least sum, then with the largest second one and so on, as MPICH does. */
struct search {
    int divisors, dims;
    int *divisor; /* in increasing order */
    int *now, *best;
    int64_t difference, sum; /* difference and sum of best */
};

/* Returns whether base to the power n is at most limit. */
static bool power_within(int64_t base, int n, int64_t limit)
{
    int64_t power = 1;
    for (int i = 0; i < n; i++)
        if ((power *= base) > limit)
            return false;
    return true;
}

/* Chooses factor k and the following ones of rest. Factors are tried from the smallest possible one on. */
static void choose_factors(struct search *s, int k, int64_t rest)
{
    int left = s->dims - k;
    if (left == 0) {
        int64_t difference = s->now[0] - s->now[k - 1], sum = 0;
        for (int i = 0; i < k; i++)
            sum += s->now[i];
        if (rest == 1 && (difference < s->difference || (difference == s->difference && (s->now[0] > s->best[0] || sum <= s->sum)))) {
            s->difference = difference;
            s->sum = sum;
            memcpy(s->best, s->now, (size_t)k * sizeof *s->best);
        }
        return;
    }
    for (int i = 0; i < s->divisors && (k == 0 || s->divisor[i] <= s->now[k - 1]); i++) {
        int64_t factor = s->divisor[i], first = k ? s->now[0] : factor;
        if (rest % factor || power_within(factor, left, rest - 1))
            continue; /* too small, because the following factors are not larger */
        if (first > s->difference && !power_within(first - s->difference, left, rest))
            return; /* the last factor is at most the root of the rest, so the difference would be greater */
        s->now[k] = (int)factor;
        choose_factors(s, k + 1, rest / factor);
    }
}

/* Stores all divisors of n in ascending order, with room for two lists of dimensions after them. The caller frees s->divisor.
 * Returns an error code. */
static int find_divisors(struct search *s, int n)
{
    int room = 0;
    for (int64_t d = 1; d * d <= n; d++)
        if (n % d == 0)
            room += 2;
    s->divisor = malloc(((size_t)room + 2 * (size_t)s->dims) * sizeof *s->divisor);
    if (!s->divisor)
        return em_error(MPI_ERR_NO_MEM, "no memory for the factors of %d", n);
    s->now = s->divisor + room;
    s->best = s->now + s->dims;
    int low = 0, high = room;
    for (int64_t d = 1; d * d <= n; d++)
        if (n % d == 0) {
            s->divisor[low++] = (int)d;
            s->divisor[--high] = (int)(n / d);
        }
    if (s->divisor[low - 1] == s->divisor[high]) /* a square has its root once */
        high++;
    memmove(s->divisor + low, s->divisor + high, (size_t)(room - high) * sizeof *s->divisor);
    s->divisors = low + room - high;
    return MPI_SUCCESS;
}

/* Fills in the dimensions that are 0. Their product is nnodes divided by the other dimensions, and they are as equal
 * as possible. */
int em_Dims_create(int nnodes, int ndims, int *dims)
{
    int64_t fixed = 1;
    struct search s = {.difference = INT64_MAX};
    if (nnodes <= 0)
        return em_error(MPI_ERR_ARG, "nnodes is %d", nnodes);
    if (ndims < 0)
        return em_error(MPI_ERR_DIMS, "ndims is %d", ndims);
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 0)
            return em_error(MPI_ERR_DIMS, "dimension %d is %d", i, dims[i]);
        s.dims += dims[i] == 0;
        fixed = dims[i] && fixed <= nnodes ? fixed * dims[i] : fixed;
    }
    if (ndims == 0)
        return MPI_SUCCESS;
    if (nnodes % fixed || (s.dims == 0 && fixed != nnodes))
        return em_error(MPI_ERR_DIMS, "the given dimensions have %lld processes, which does not divide %d", (long long)fixed, nnodes);
    if (s.dims == 0)
        return MPI_SUCCESS;
    int rest = (int)(nnodes / fixed), err = find_divisors(&s, rest);
    if (err)
        return err;
    choose_factors(&s, 0, rest);
    for (int i = 0, k = 0; i < ndims; i++)
        if (dims[i] == 0)
            dims[i] = s.best[k++];
    free(s.divisor);
    return MPI_SUCCESS;
}
