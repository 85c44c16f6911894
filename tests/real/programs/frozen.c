// Preloaded into a program compiled by gfortran: the time of day and the random numbers are the same in every run.
#include <string.h>

int getentropy(void *to, size_t length) {
    memset(to, 7, length);
    return 0;
}

// An array's descriptor begins with its address.
void _gfortran_date_and_time(char *date, char *time, char *zone, int **values, int date_length, int time_length, int zone_length) {
    if (date) memset(date, '0', date_length);
    if (time) memset(time, '0', time_length);
    if (zone) memset(zone, '0', zone_length);
    if (values) memset(*values, 0, 8 * sizeof(int));
}
