/*
 * Runs the command wi4go from inside a program, and reads its answer.
 *
 * Gives: wi4go_ask, wi4go_ask_passes.
 */
#ifndef WI4GO_ASK_H
#define WI4GO_ASK_H

/* Runs the command argv, whose first word is its file. Returns its exit status, or -1 if it could
   not be run. Writes its output to answer, cut to size bytes including the final zero. The
   program sees neither an additional child nor a SIGCHLD. */
int wi4go_ask(char *const argv[], char *answer, int size);

/* Sets the variables that the command may see if the program has rights that its user does not
   have. They are given by their prefixes, which are launchers', NULL at the end. */
void wi4go_ask_passes(const char *const *beginnings);
#endif
