/*
 * Attributes and their keyvals. A keyval is an index of em->keyvals plus KEYVALS_FIRST. The lock of
 * em->keyvals guards that table, the references of keyvals, and all lists of attributes.
 */
#include "attributes.h"
#include "errors.h"
#include "handles.h"
#include "pool.h"

#include <stdlib.h>

enum { KEYVALS_FIRST = 0x1000 }; /* above the predefined keyvals */

static void lock_keyvals(void) { MPID_THREAD_DS_LOCK(&em->keyvals, em->threads); }
static void unlock_keyvals(void) { MPID_THREAD_DS_UNLOCK(&em->keyvals, em->threads); }

/* ---- keyvals ---- */

static int no_attribute_memory(void) { return em_error(MPI_ERR_NO_MEM, "no memory for an attribute"); }

static int not_keyval(int keyval) { return em_error(MPI_ERR_KEYVAL, "%d is not a keyval of this kind of object", keyval); }

/* Stores the keyval in a free place of the table. Returns its index, or -1. Needs the lock. */
static int enter_keyval(struct keyval *keyval)
{
    int i = em->keyvals.full;
    while (i < em->keyvals.n && em->keyvals.at[i])
        i++;
    if (i == em->keyvals.room) {
        int room = em->keyvals.room ? 2 * em->keyvals.room : 16;
        struct keyval **table = realloc(em->keyvals.at, (size_t)room * sizeof(struct keyval *));
        if (!table)
            return -1;
        em->keyvals.at = table;
        em->keyvals.room = room;
    }
    em->keyvals.at[i] = keyval;
    em->keyvals.full = i + 1;
    if (i == em->keyvals.n)
        em->keyvals.n++;
    return i;
}

/* Writes a new keyval. The handle holds one reference, each attribute another. */
int em_keyval_create(enum kind kind, void *copy, void *drop, int *number, void *extra_state)
{
    struct keyval *keyval = em_new(KEYVAL);
    if (!keyval)
        return no_attribute_memory();
    keyval->kind = (int)kind;
    keyval->copy = copy;
    keyval->drop = drop;
    keyval->extra_state = extra_state;
    lock_keyvals();
    int i = enter_keyval(keyval);
    unlock_keyvals();
    if (i < 0) {
        em_delete(KEYVAL, keyval);
        return no_attribute_memory();
    }
    *number = keyval->number = i + KEYVALS_FIRST;
    return MPI_SUCCESS;
}

/* Returns the keyval of a number, or NULL. A keyval that the program has freed is valid as long as an
 * attribute uses it, because programs delete such attributes. Needs the lock. */
static struct keyval *find_keyval(enum kind kind, int number)
{
    unsigned i = (unsigned)number - KEYVALS_FIRST;
    struct keyval *keyval = i < (unsigned)em->keyvals.n ? em->keyvals.at[i] : NULL;
    return keyval && keyval->kind == (int)kind ? keyval : NULL;
}

/* Takes a reference away. Needs the lock. */
static void drop_keyval(struct keyval *keyval)
{
    if (em_drop(&keyval->head)) {
        int i = keyval->number - KEYVALS_FIRST;
        em->keyvals.at[i] = NULL;
        em->keyvals.full = em->keyvals.full < i ? em->keyvals.full : i;
        em_delete(KEYVAL, keyval);
    }
}

/* Drops a reference under the lock, because another thread may look the keyval up meanwhile. */
void em_keyval_release(struct keyval *keyval)
{
    if (!keyval)
        return;
    lock_keyvals();
    drop_keyval(keyval);
    unlock_keyvals();
}

/* Drops the handle's reference. The keyval lives until its last attribute is deleted. */
int em_keyval_free(enum kind kind, int *number)
{
    lock_keyvals();
    struct keyval *keyval = find_keyval(kind, *number);
    if (keyval && !keyval->freed) {
        keyval->freed = true;
        drop_keyval(keyval);
    }
    unlock_keyvals();
    if (!keyval)
        return not_keyval(*number);
    *number = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* ---- callbacks ---- */

/* Calls the program's copy callback without a lock, so it may call MPI. The null and duplicate functions are numbers
 * that need no call. */
static int call_copy_function(enum kind kind, void *object, const struct attribute *attribute, void **value, int *flag)
{
    const struct keyval *keyval = attribute->keyval;
    *value = attribute->value;
    *flag = keyval->copy == (void *)MPI_COMM_DUP_FN; /* 1 if the value is copied, 0 if the attribute is dropped */
    if ((uintptr_t)keyval->copy <= 1)
        return MPI_SUCCESS;
    if (kind == COMM)
        return ((MPI_Comm_copy_attr_function *)keyval->copy)(em_comm_handle(object), keyval->number, keyval->extra_state, attribute->value, value, flag);
    return ((MPI_Type_copy_attr_function *)keyval->copy)(em_type_handle(object), keyval->number, keyval->extra_state, attribute->value, value, flag);
}

/* Calls the program's delete callback without a lock, so it may call MPI. */
static int call_delete_function(enum kind kind, void *object, const struct keyval *keyval, void *value)
{
    if (!keyval->drop)
        return MPI_SUCCESS;
    if (kind == COMM)
        return ((MPI_Comm_delete_attr_function *)keyval->drop)(em_comm_handle(object), keyval->number, value, keyval->extra_state);
    return ((MPI_Type_delete_attr_function *)keyval->drop)(em_type_handle(object), keyval->number, value, keyval->extra_state);
}

/* ---- lists ---- */

/* Returns the attribute of a keyval in a list and its place, or NULL. Needs the lock. */
static struct attribute *find_attribute(struct attribute **list, const struct keyval *keyval, struct attribute ***place)
{
    while (*list && (*list)->keyval != keyval)
        list = &(*list)->next;
    *place = list;
    return *list;
}

/* Takes the attribute of a keyval out of a list, if it is still there. */
static void remove_attribute(struct attribute **list, const struct keyval *keyval)
{
    struct attribute **place;
    lock_keyvals();
    struct attribute *attribute = find_attribute(list, keyval, &place);
    if (attribute) {
        *place = attribute->next;
        drop_keyval(attribute->keyval);
        free(attribute);
    }
    unlock_keyvals();
}

/* Puts an attribute first into a list. Takes the caller's reference to the keyval. Returns whether there was memory. */
static bool add_attribute(struct attribute **list, struct keyval *keyval, void *value)
{
    struct attribute *attribute = malloc(sizeof *attribute);
    if (!attribute) {
        em_keyval_release(keyval);
        return false;
    }
    lock_keyvals();
    *attribute = (struct attribute){*list, keyval, value};
    *list = attribute;
    unlock_keyvals();
    return true;
}

/* Calls the delete callback of an attribute and then removes it. */
static int drop_attribute(enum kind kind, void *object, struct attribute **list, struct keyval *keyval, void *value)
{
    int err = call_delete_function(kind, object, keyval, value);
    if (err == MPI_SUCCESS)
        remove_attribute(list, keyval);
    else
        em_error(err, "the delete callback of keyval %d returned an error", keyval->number);
    return err;
}

/* Copies a list without calls, so that callbacks may change the original. Each entry holds a reference
 * to its keyval. Returns false if memory is lacking. */
static bool snapshot_of(const struct attribute *list, struct attribute **result)
{
    struct attribute **end = result;
    *result = NULL;
    lock_keyvals();
    for (; list; list = list->next) {
        struct attribute *copy = malloc(sizeof *copy);
        if (!copy)
            break;
        em_retain(&list->keyval->head);
        *copy = (struct attribute){NULL, list->keyval, list->value};
        *end = copy;
        end = &copy->next;
    }
    unlock_keyvals();
    return !list;
}

/* Frees the list without calling the delete callbacks, for an object that failed or whose callbacks were called. */
void em_attributes_forget(struct attribute **attributes)
{
    lock_keyvals();
    for (struct attribute *next; *attributes; *attributes = next) {
        next = (*attributes)->next;
        drop_keyval((*attributes)->keyval);
        free(*attributes);
    }
    unlock_keyvals();
}

/* Reverses a list. */
static struct attribute *reversed(struct attribute *list)
{
    struct attribute *result = NULL;
    while (list) {
        struct attribute *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

/* Copies from a snapshot of the list, so callbacks may change the original. If one fails, the copies made so far are
 * deleted. */
int em_attributes_copy(enum kind kind, void *object, const struct attribute *attributes, void *copy, struct attribute **copies)
{
    if (!attributes)
        return MPI_SUCCESS;
    struct attribute *list;
    int err = snapshot_of(attributes, &list) ? MPI_SUCCESS : no_attribute_memory();
    list = reversed(list); /* the first one first, so that the copies have the same order */
    for (const struct attribute *at = list; at && err == MPI_SUCCESS; at = at->next) {
        void *value;
        int flag;
        err = call_copy_function(kind, object, at, &value, &flag);
        if (err != MPI_SUCCESS) {
            em_error(err, "the copy callback of keyval %d returned an error", at->keyval->number);
        } else if (flag) {
            lock_keyvals();
            em_retain(&at->keyval->head);
            unlock_keyvals();
            if (!add_attribute(copies, at->keyval, value))
                err = no_attribute_memory();
        }
    }
    em_attributes_forget(&list);
    if (err != MPI_SUCCESS) {
        em_attributes_delete(kind, copy, copies);
        em_attributes_forget(copies);
    }
    return err;
}

/* Calls the delete callbacks, the latest attribute first. The lock is free during each call; the reference keeps the
 * keyval alive. */
int em_attributes_delete(enum kind kind, void *object, struct attribute **attributes)
{
    int err = MPI_SUCCESS;
    while (err == MPI_SUCCESS && *attributes) {
        struct keyval *keyval;
        lock_keyvals();
        keyval = (*attributes)->keyval;
        void *value = (*attributes)->value;
        em_retain(&keyval->head);
        unlock_keyvals();
        err = drop_attribute(kind, object, attributes, keyval, value);
        em_keyval_release(keyval);
    }
    return err;
}

/* ---- one attribute ---- */

/* Returns the keyval with a reference of the caller, and the value of its attribute; or NULL. */
static struct keyval *look_up_attribute(enum kind kind, struct attribute **list, int number, bool *found, void **value)
{
    struct attribute **place, *attribute;
    lock_keyvals();
    struct keyval *keyval = find_keyval(kind, number);
    if (keyval) {
        em_retain(&keyval->head);
        attribute = find_attribute(list, keyval, &place);
        *found = attribute != NULL;
        *value = attribute ? attribute->value : NULL;
    }
    unlock_keyvals();
    return keyval;
}

/* Looks up under the lock and writes the value afterwards. *flag is false if the attribute is not set. */
int em_attribute_get(enum kind kind, struct attribute **list, int number, void *attribute_val, int *flag)
{
    bool found;
    void *value;
    struct keyval *keyval = look_up_attribute(kind, list, number, &found, &value);
    if (!keyval)
        return not_keyval(number);
    em_keyval_release(keyval);
    *flag = found;
    if (found)
        *(void **)attribute_val = value;
    return MPI_SUCCESS;
}

/* Deleting an attribute that is not set is no error. */
int em_attribute_delete(enum kind kind, void *object, struct attribute **list, int number)
{
    bool found;
    void *value;
    struct keyval *keyval = look_up_attribute(kind, list, number, &found, &value);
    if (!keyval)
        return not_keyval(number);
    int err = found ? drop_attribute(kind, object, list, keyval, value) : MPI_SUCCESS;
    em_keyval_release(keyval);
    return err;
}

int em_attribute_set(enum kind kind, void *object, struct attribute **list, int number, void *new_value)
{
    bool found;
    void *value;
    struct keyval *keyval = look_up_attribute(kind, list, number, &found, &value);
    if (!keyval)
        return not_keyval(number);
    int err = found ? drop_attribute(kind, object, list, keyval, value) : MPI_SUCCESS;
    if (err != MPI_SUCCESS)
        em_keyval_release(keyval);
    else if (!add_attribute(list, keyval, new_value))
        err = no_attribute_memory();
    return err;
}
