/*
 * Devices: ways to reach a rank. Each rank of the job is reached by one device, which MPID_Init chooses (init.c). Devices
 * differ in the functions below and in nothing else: the other files call a device by its table only. One path is an
 * exception, that of short messages (fast.h).
 *
 * Gives: adi_device, adi_peer, adi_self_device, adi_shm_device.
 * Needs: adi_request.h.
 */
#ifndef WI4GO_DEVICE_H
#define WI4GO_DEVICE_H

#include "adi_request.h"

struct adi_state;
struct adi_message;

enum { ADI_SELF, ADI_SHM, ADI_DEVICES }; /* numbers of the devices */

/* The functions of a device. They have no lock when they are called, unless the comment names one. A device that keeps state
 * stores it in adi_state.of_device[number]. */
struct adi_device {
    const char *name;
    int number;

    /* ---- start and end ---- */
    /* Reports whether the device can reach a rank. */
    bool (*reaches)(const struct adi_state *st, int rank);
    /* Allocates the device's state and prepares what it needs to reach its ranks (adi_peer.device is this device). Called only
     * if there are such ranks. Returns false if memory is lacking. NULL: nothing to do. */
    bool (*start)(struct adi_state *st);
    /* Reports whether a rank that has not ended still needs this one. NULL: never. */
    bool (*owes)(const struct adi_state *st);
    /* Frees the device's state. NULL: nothing to do. */
    void (*leave)(struct adi_state *st);

    /* ---- messages ---- */
    /* Starts a send whose arguments are in the request. It completes at once, or the device keeps it. */
    void (*send)(struct adi_state *st, MPIR_SHANDLE *request);
    /* Sends without waiting for anything, or returns MPIR_ERR_MAY_BLOCK and does nothing. */
    int (*send_now)(struct adi_state *st, MPIR_SHANDLE *request);
    /* The caller waits for a send: does what can be done before the receiver answers. NULL: nothing to do. */
    void (*prepare)(struct adi_state *st, MPIR_SHANDLE *request);
    /* Takes back a send that no other rank has seen. Returns whether there was one. */
    bool (*withdraw)(struct adi_state *st, MPIR_SHANDLE *request);
    /* Fetches the data of a message that is not whole, for the receive that it matches. If the message is not late, the caller
     * is the device itself. */
    void (*accept)(struct adi_state *st, MPIR_RHANDLE *request, const struct adi_message *message);
    /* Sends the answer of a receive (device.answer) to its sender, now or when there is room. The receive completes with the
     * last of its data and answers. NULL: the device has no message with ADI_SYNC. */
    void (*answer)(struct adi_state *st, MPIR_RHANDLE *request);

    /* ---- progress ---- */
    /* Receives what has arrived, and sends what waits for room. all: wait for locks that another thread holds. Returns whether
     * anything happened. NULL: nothing arrives later than the call that sends it. */
    bool (*poll)(struct adi_state *st, bool all);
    /* This rank is about to sleep: informs senders of the room that they have. Returns whether one did not know. NULL: nothing to do. */
    bool (*publish)(struct adi_state *st);
    /* Makes a sender send no data before its messages are matched, because so many kilobytes are unexpected, or, for 0, lets
     * it send again. Needs the queues' lock. NULL: the sender's memory holds the data. */
    void (*throttle)(struct adi_state *st, int from, unsigned kilobytes);
    /* Returns how many kilobytes are unexpected at a receiver that throttles this rank, or 0. NULL: none does. */
    unsigned (*full)(const struct adi_state *st, int to);
    /* Reports whether blocks for a rank are copied past the caches, because its core shares none with this one. NULL: no. */
    bool (*is_far)(const struct adi_state *st, int to);
};
extern const struct adi_device adi_self_device, adi_shm_device;

/* A rank of the job, as all devices see it. */
struct adi_peer {
    const struct adi_device *device;
    bool throttled; /* this rank throttles its messages, see room.c; protected by the queues' lock */
};

#endif
