/*
 * The threads of the Go runtime.
 *
 * Gives: wi4go_core_signal_threads.
 */
#ifndef WI4GO_THREADS_H
#define WI4GO_THREADS_H

/* Sends a signal to each thread of the Go runtime that has not had one yet. Returns the number of threads that have had or
   will have one: also those that do not run yet. One thread at a time may call it. */
int wi4go_core_signal_threads(int signal);
#endif
