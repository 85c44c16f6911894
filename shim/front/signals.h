/*
 * Keeps the program's signals intact while the core and the runtime are loaded. The functions are
 * called in this order. Afterwards each signal has the effect that it would have natively.
 *
 * Gives: wi4go_signals_save, wi4go_signals_restore, wi4go_signals_loaded.
 * Needs: front.h.
 */
#ifndef WI4GO_SIGNALS_H
#define WI4GO_SIGNALS_H
#include "front.h"

/* Called before the core is opened: saves dispositions, mask and signal stack, and blocks every
   signal, so that the core's threads start with all signals blocked. */
void wi4go_signals_save(void) HIDDEN;
/* Called when the core runs: restores the program's dispositions, mask and signal stack. */
void wi4go_signals_restore(void) HIDDEN;
/* Called when the runtime is loaded: restores the program's handlers. A handler that the
   runtime's constructors installed stays if the program had none, or inherited the signal ignored
   (nohup): natively, the constructors run before the program installs its own. Also blocks
   signals in the core's threads. */
void wi4go_signals_loaded(void) HIDDEN;
#endif
