/* The settings of a rank: their defaults, and the variables that change them. No state. */
#include <stdlib.h>
#include <string.h>

#include "birth.h"
#include "segment.h"
#include "state.h"

static void free_handle(union MPIR_HANDLE *request) { free(request); }

/* Returns the number in a variable of the environment, or usual. */
static int64_t number(const char *name, int64_t usual)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return usual;
    int64_t value = strtoll(text, &end, 0);
    return *end ? usual : value;
}

void MPID_Config_init(struct MPID_Config *config)
{
    const char *msgrep = getenv("ADI_MSGREP"), *preload = getenv("LD_PRELOAD");
    bool watched = preload && strstr(preload, "/vgpreload_"); /* valgrind does not see what another process writes */
    *config = (struct MPID_Config){
        .rank = (int)number("ADI_RANK", -1),
        .fd = (int)number("ADI_FD", -1),
        .launcher = (int)number("ADI_LAUNCHER", 0),
        .threads = number("ADI_THREADS", 0),
        .check = number("ADI_CHECK", 0),
        .fence = number("ADI_FENCE", 0),
        .no_futex = !number("ADI_FUTEX", 1),
        .spin_us = (int)number("ADI_SPIN_US", -1),
        .short_max = number("ADI_SHORT", ADI_SHORT_MAX),
        .lines_max = number("ADI_LINES", ADI_LINES_MAX),
        .eager_max = number("ADI_EAGER", 4096),
        .first_max = number("ADI_FIRST", 16384),
        .chunk = number("ADI_CHUNK", 32768),
        .sender_past_min = number("ADI_SENDER_PAST", 1024),
        .receiver_past_min = number("ADI_RECEIVER_PAST", 3 << 20),
        .direct_min = number("ADI_DIRECT", watched ? INT64_MAX : 256 << 10),
        .huge_uses = number("ADI_HUGE", 16),
        .unexpected_max = number("ADI_UNEXPECTED", 0),
        .msgrep = msgrep && !strcmp(msgrep, "xdr") ? MPID_MSGFORM_XDR : MPID_MSGFORM_OK,
        .tracefile = getenv("ADI_TRACE"),
        .allocate = malloc,
        .release = free,
        .request_free = free_handle,
    };
    adi_birth(config);
}

void adi_limit_settings(struct MPID_Config *config)
{
    if (config->short_max > ADI_SHORT_MAX)
        config->short_max = ADI_SHORT_MAX;
    if (config->short_max < 0)
        config->short_max = 0;
    if (config->eager_max < config->short_max)
        config->eager_max = config->short_max;
    if (config->chunk < 1)
        config->chunk = 1;
}
