/*
 * A question to the command wi4go, from inside a program.
 *
 * Gives: wi4go_ask, wi4go_ask_passes.
 */
#ifndef WI4GO_ASK_H
#define WI4GO_ASK_H

/* Runs the command argv, whose first word is its file, and gives its exit
   status, -1 when it could not be run. answer: what it printed, cut to size
   bytes with the final zero. The program sees neither a child of its own nor a
   SIGCHLD. */
int wi4go_ask(char *const argv[], char *answer, int size);

/* Sets which variables of a program with rights that its user does not have the command
   may see, by their beginnings: those of launchers, NULL at the end. */
void wi4go_ask_passes(const char *const *beginnings);
#endif
