/*
 * The program's signals while the core and the runtime are loaded, in the order
 * of the calls. What a signal does afterwards is what it would do natively.
 *
 * Gives: wi4go_signals_remember, wi4go_signals_restore, wi4go_signals_loaded.
 * Needs: front.h.
 */
#ifndef WI4GO_SIGNALS_H
#define WI4GO_SIGNALS_H
#include "front.h"

/* Before the core is opened: remembers everything, and blocks every signal so
   that the threads of the core are born deaf to them. */
void wi4go_signals_remember(void) HIDDEN;
/* The core runs: dispositions, mask and signal stack are the program's again. */
void wi4go_signals_restore(void) HIDDEN;
/* The runtime is loaded. A handler that its constructors installed stays where
   the program had none, or ignored the signal from birth (nohup): natively the
   program came after them. */
void wi4go_signals_loaded(void) HIDDEN;
#endif
