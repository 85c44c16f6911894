/*
 * Attributes of communicators and datatypes (MPI-5.0, 7.7). A list begins with the attribute that
 * was set last. Callbacks of the program run without a lock.
 *
 * Gives: em_attributes_copy, em_attributes_delete, em_attributes_forget; em_keyval_create,
 * em_keyval_free, em_keyval_release; em_attribute_get, em_attribute_set, em_attribute_delete.
 * Needs: objects.h.
 */
#ifndef WI4GO_EMBEDDED_ATTRIBUTES_H
#define WI4GO_EMBEDDED_ATTRIBUTES_H

#include "objects.h"

/* Copies the attributes of an object (a struct comm or struct type, by kind) whose keyvals agree to
 * the empty list of a new object. On an error of a callback, the copied ones are deleted again. */
int em_attributes_copy(enum kind kind, void *object, const struct attribute *attributes, void *copy, struct attribute **copies);
/* Deletes all attributes, the last one first. Stops at an error of a callback: the attribute and the
 * ones before it stay. */
int em_attributes_delete(enum kind kind, void *object, struct attribute **attributes);
/* Frees the list without calls of the program. */
void em_attributes_forget(struct attribute **attributes);

/* kind: COMM or TYPE, of the objects that may have the attribute. */
int em_keyval_create(enum kind kind, void *copy, void *drop, int *number, void *extra_state);
int em_keyval_free(enum kind kind, int *number);
/* Takes a reference away and frees the keyval with the last one. */
void em_keyval_release(struct keyval *keyval);

/* One attribute, by the number of its keyval. */
int em_attribute_get(enum kind kind, struct attribute **list, int number, void *attribute_val, int *flag);
/* Sets the attribute. An earlier value is deleted first (MPI-5.0, 7.7.2). */
int em_attribute_set(enum kind kind, void *object, struct attribute **list, int number, void *value);
int em_attribute_delete(enum kind kind, void *object, struct attribute **list, int number);

#endif
