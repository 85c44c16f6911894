/*
 * Attributes of communicators and datatypes (MPI-5.0, 7.7). A list begins with the attribute that
 * was set last. Callbacks of the program run without a lock.
 *
 * Gives: em_attributes_copy, em_attributes_delete, em_attributes_forget.
 * Needs: core.h.
 */
#ifndef WI4GO_EMBEDDED_ATTRIBUTES_H
#define WI4GO_EMBEDDED_ATTRIBUTES_H

#include "core.h"

/* Copies the attributes of an object (a struct comm or struct type, by kind) whose keyvals agree to
 * the empty list of a new object. On an error of a callback, the copied ones are deleted again. */
int em_attributes_copy(enum kind kind, void *object, const struct attribute *attributes, void *copy, struct attribute **copies);
/* Deletes all attributes, the last one first. Stops at an error of a callback: the attribute and the
 * ones before it stay. */
int em_attributes_delete(enum kind kind, void *object, struct attribute **attributes);
/* Frees the list without calls of the program. */
void em_attributes_forget(struct attribute **attributes);

#endif
