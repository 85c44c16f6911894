/* Progress: polls the devices. Locks: those of the devices. */
#include "progress.h"

/* Polls all devices. */
static bool poll_each(struct adi_state *st, bool all)
{
    bool any = false;
    for (int i = 0; i < st->device_count; i++)
        if (st->devices[i]->poll)
            any |= st->devices[i]->poll(st, all);
    return any;
}

/* One device is polled without a loop, so that a short message costs no more than if there were no others. */
void adi_start_progress(struct adi_state *st)
{
    int polled = 0;
    for (int i = 0; i < st->device_count; i++)
        if (st->devices[i]->poll) {
            st->poll = st->devices[i]->poll;
            polled++;
        }
    if (polled != 1)
        st->poll = poll_each;
}
