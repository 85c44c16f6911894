/*
 * Info objects (MPI-5.0, 10). Keys keep the order of their creation. The program does not change
 * an object in two threads at a time (MPI-5.0, 11.6.1), so there is no lock.
 */
#include "info.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/handles.h"
#include "../base/pool.h"
#include "../base/release.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static struct info *environment_info(void);

/* Returns the object of a handle, or NULL if it is not valid. MPI_INFO_ENV is the only predefined info. */
struct info *em_info_of(MPI_Info handle)
{
    struct info *info = (struct info *)handle;
    if (NUMBER(handle) < PREDEFINED)
        return handle == MPI_INFO_ENV ? environment_info() : NULL;
    return info->head.cookie == COOKIE(INFO) ? info : NULL;
}

static int no_info_memory(void) { return em_error(MPI_ERR_NO_MEM, "no memory for an info object"); }

/* Returns an error for a null, empty or too long key. The limit counts the final zero. */
static int check_key(const char *key)
{
    size_t length = key ? strnlen(key, MPI_MAX_INFO_KEY) : 0;
    if (length == 0 || length >= MPI_MAX_INFO_KEY)
        return em_error(MPI_ERR_INFO_KEY, length ? "the key is longer than %d characters" : "the key is empty", MPI_MAX_INFO_KEY - 1);
    return MPI_SUCCESS;
}

/* Returns the entry of a key, or NULL. Infos are short, so a linear search suffices. */
static struct info_entry *find_info_entry(const struct info *info, const char *key)
{
    for (int i = 0; i < info->entries; i++)
        if (!strcmp(info->entry[i].key, key))
            return &info->entry[i];
    return NULL;
}

int em_Info_create(MPI_Info *info)
{
    struct info *object = em_new(INFO);
    if (!object)
        return no_info_memory();
    *info = (MPI_Info)object;
    return MPI_SUCCESS;
}

/* MPI_INFO_ENV belongs to the library and cannot be freed. */
int em_Info_free(MPI_Info *info)
{
    struct info *object = em_info_of(*info);
    if (!object || object->head.predefined)
        return em_error(MPI_ERR_INFO, object ? "MPI_INFO_ENV cannot be freed" : "info is not a valid info object");
    em_info_release(object);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

/* Makes room for another entry. Returns whether there was memory. */
static bool extend_info(struct info *info)
{
    if (info->entries < info->room)
        return true;
    int room = info->room ? 2 * info->room : 8;
    struct info_entry *entry = realloc(info->entry, (size_t)room * sizeof *entry);
    if (!entry)
        return false;
    info->entry = entry;
    info->room = room;
    return true;
}

/* The longest value has MPI_MAX_INFO_VAL characters without the final zero: MPICH accepts it, and uses the constant of C
 * for the variables of mpi_f08. */
int em_Info_set(struct info *info, const char *key, const char *value)
{
    int err = check_key(key);
    if (err != MPI_SUCCESS)
        return err;
    if (!value || strnlen(value, MPI_MAX_INFO_VAL + 1) > MPI_MAX_INFO_VAL)
        return em_error(MPI_ERR_INFO_VALUE, value ? "the value of %s is longer than %d characters" : "the value of %s is a null pointer (at most %d characters)", key, MPI_MAX_INFO_VAL);
    char *copy = strdup(value);
    struct info_entry *entry = find_info_entry(info, key);
    if (copy && entry) {
        free(entry->value);
        entry->value = copy;
        return MPI_SUCCESS;
    }
    char *name = copy && extend_info(info) ? strdup(key) : NULL;
    if (!name) {
        free(copy);
        return no_info_memory();
    }
    info->entry[info->entries++] = (struct info_entry){name, copy};
    return MPI_SUCCESS;
}

/* Removes a key and moves the later ones up. A key that is not set is an error of class MPI_ERR_INFO_NOKEY. */
int em_Info_delete(struct info *info, const char *key)
{
    int err = check_key(key);
    if (err != MPI_SUCCESS)
        return err;
    struct info_entry *entry = find_info_entry(info, key);
    if (!entry)
        return em_error(MPI_ERR_INFO_NOKEY, "the info object has no key %s", key);
    free(entry->key);
    free(entry->value);
    memmove(entry, entry + 1, (size_t)(&info->entry[--info->entries] - entry) * sizeof *entry);
    return MPI_SUCCESS;
}

/* Returns the entry of a key with flag set, or NULL. */
static int look_up(struct info *info, const char *key, struct info_entry **entry, int *flag)
{
    int err = check_key(key);
    if (err != MPI_SUCCESS)
        return err;
    *entry = find_info_entry(info, key);
    *flag = *entry != NULL;
    return MPI_SUCCESS;
}

/* Writes a value cut to valuelen characters and a final zero, which valuelen does not count. */
int em_Info_get(struct info *info, const char *key, int valuelen, char *value, int *flag)
{
    struct info_entry *entry;
    int err = look_up(info, key, &entry, flag);
    if (err != MPI_SUCCESS || !entry)
        return err;
    if (valuelen < 0 || !value)
        return em_error(valuelen < 0 ? MPI_ERR_ARG : MPI_ERR_INFO_VALUE, valuelen < 0 ? "valuelen is %d" : "value is a null pointer (valuelen is %d)", valuelen);
    size_t length = strnlen(entry->value, (size_t)valuelen); /* valuelen counts no final zero */
    memcpy(value, entry->value, length);
    value[length] = '\0';
    return MPI_SUCCESS;
}

/* Writes the value's length without the final zero, and leaves valuelen alone if the key is not set. */
int em_Info_get_valuelen(struct info *info, const char *key, int *valuelen, int *flag)
{
    struct info_entry *entry;
    int err = look_up(info, key, &entry, flag);
    if (err == MPI_SUCCESS && entry)
        *valuelen = (int)strlen(entry->value);
    return err;
}

int em_Info_get_nkeys(struct info *info, int *nkeys)
{
    *nkeys = info->entries;
    return MPI_SUCCESS;
}

/* Keys are numbered from 0 in the order of their entries, which stays as long as none is removed. */
int em_Info_get_nthkey(struct info *info, int n, char *key)
{
    if (n < 0 || n >= info->entries)
        return em_error(MPI_ERR_ARG, "n is %d, but there are %d keys", n, info->entries);
    strcpy(key, info->entry[n].key);
    return MPI_SUCCESS;
}

/* Creates an object with the keys of info that begin with prefix. */
static int copy_entries(const struct info *info, const char *prefix, MPI_Info *newinfo)
{
    int err = em_Info_create(newinfo);
    for (int i = 0; err == MPI_SUCCESS && i < info->entries; i++) {
        if (strncmp(info->entry[i].key, prefix, strlen(prefix)))
            continue;
        err = em_Info_set(em_info_of(*newinfo), info->entry[i].key, info->entry[i].value);
        if (err != MPI_SUCCESS)
            em_Info_free(newinfo);
    }
    return err;
}

int em_Info_dup(struct info *info, MPI_Info *newinfo) { return copy_entries(info, "", newinfo); }
int em_info_hints(const struct info *info, MPI_Info *hints) { return copy_entries(info, "mpi_", hints); }

/* ---- MPI_INFO_ENV (MPI-5.0, 11.2.1) ----
 * It is made when the program first uses it, and completed at its first use after MPI_Init. */

static const char *thread_level_name(int level)
{
    switch (level) {
    case MPI_THREAD_MULTIPLE:
        return "MPI_THREAD_MULTIPLE";
    case MPI_THREAD_SERIALIZED:
        return "MPI_THREAD_SERIALIZED";
    case MPI_THREAD_FUNNELED:
        return "MPI_THREAD_FUNNELED";
    }
    return "MPI_THREAD_SINGLE";
}

/* Sets command and argv, from the system's copy of the command line. */
static int set_command(struct info *env)
{
    char line[MPI_MAX_INFO_VAL] = "";
    FILE *file = fopen("/proc/self/cmdline", "re");
    size_t n = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file)
        fclose(file);
    if (n == 0)
        return MPI_SUCCESS;
    size_t command = strlen(line) + 1;
    for (size_t i = command; i + 1 < n; i++)
        if (!line[i])
            line[i] = ' ';
    int err = em_Info_set(env, "command", line);
    return err == MPI_SUCCESS && command < n ? em_Info_set(env, "argv", line + command) : err;
}

/* Sets the keys whose values do not depend on MPI_Init. */
static int set_host(struct info *env)
{
    struct utsname host;
    char directory[MPI_MAX_INFO_VAL];
    int err = set_command(env);
    if (err == MPI_SUCCESS && uname(&host) == 0 && (err = em_Info_set(env, "host", host.nodename)) == MPI_SUCCESS)
        err = em_Info_set(env, "arch", host.machine);
    if (err == MPI_SUCCESS && getcwd(directory, sizeof directory))
        err = em_Info_set(env, "wdir", directory);
    return err;
}

/* Sets the keys of MPI_INFO_ENV that describe the job's size and thread level. */
static int set_job(struct info *env)
{
    char number[16];
    snprintf(number, sizeof number, "%d", MPID_MyWorldSize);
    int err = em_Info_set(env, "maxprocs", number);
    if (err == MPI_SUCCESS)
        err = em_Info_set(env, "soft", number);
    return err == MPI_SUCCESS ? em_Info_set(env, "thread_level", thread_level_name(em->thread_level)) : err;
}

/* Returns MPI_INFO_ENV, or NULL if memory is lacking. */
static struct info *environment_info(void)
{
    MPI_Info handle = MPI_INFO_NULL;
    if (!em->env) {
        if (em_Info_create(&handle) != MPI_SUCCESS)
            return NULL;
        struct info *env = (struct info *)handle;
        if (set_host(env) != MPI_SUCCESS) {
            em_info_release(env);
            return NULL;
        }
        env->head.predefined = true;
        em->env = env;
    }
    if (atomic_load(&em->phase) == RUNNING && !find_info_entry(em->env, "thread_level") && set_job(em->env) != MPI_SUCCESS)
        return NULL;
    return em->env;
}
