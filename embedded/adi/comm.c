/*
 * The device's part of a communicator: the representation of its messages. State: the communicator's; the thread that creates or
 * frees a communicator is the only one that uses it then.
 */
#include "state.h"

void MPID_CommInit(const struct MPIR_COMMUNICATOR *oldcomm, struct MPIR_COMMUNICATOR *newcomm)
{
    newcomm->msgrep = (int)(oldcomm && oldcomm->is_known ? (MPID_Msgrep_t)oldcomm->msgrep : adi_self->config.msgrep);
    newcomm->is_known = true;
}

void MPID_CommFree(struct MPIR_COMMUNICATOR *comm) { comm->is_known = false; }
