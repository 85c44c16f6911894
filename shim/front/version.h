/*
 * The single place of the version. The Makefile reads it from here for the command. Each library
 * of an installation carries it in a section, so that `wi4go doctor` can check whether files
 * belong together.
 *
 * Gives: WI4GO_VERSION.
 */
#ifndef WI4GO_VERSION_H
#define WI4GO_VERSION_H

#define WI4GO_VERSION "0.1.0"
static const char wi4go_version[] __attribute__((section(".wi4go"), used)) = WI4GO_VERSION;
#endif
