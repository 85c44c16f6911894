/* Runs a program in which system calls fail: `deny CALL[,CALL...] PROGRAM ARGUMENT...`. The calls
 * return EPERM, as in a sandbox. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned number;
} calls[] = {
    {"futex", SYS_futex}, {"membarrier", SYS_membarrier}, {"process_vm_readv", SYS_process_vm_readv},
    {"process_vm_writev", SYS_process_vm_writev}, {"memfd_create", SYS_memfd_create}, {"madvise", SYS_madvise},
    {"sched_getattr", SYS_sched_getattr}, {"sched_setattr", SYS_sched_setattr}, {"sched_setaffinity", SYS_sched_setaffinity},
};

static void deny(const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(calls[i].name, name))
            continue;
        struct sock_filter code[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        struct sock_fprog program = {sizeof code / sizeof *code, code};
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
            perror("deny");
            exit(3);
        }
        return;
    }
    fprintf(stderr, "deny: %s is not in the list\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (char *name = strtok(argv[1], ","); name; name = strtok(NULL, ","))
        deny(name);
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return 2;
}
