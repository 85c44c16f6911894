/*
 * A question to the command wi4go, from inside a program.
 *
 * Gives: wi4go_ask.
 */
#ifndef WI4GO_ASK_H
#define WI4GO_ASK_H

/* Runs the command argv, whose first word is its file, and gives its exit
   status, -1 when it could not be run. answer: what it printed, cut to size
   bytes with the final zero. The program sees neither a child of its own nor a
   SIGCHLD. */
int wi4go_ask(char *const argv[], char *answer, int size);
#endif
