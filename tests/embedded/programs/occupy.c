/* Occupies an abstract socket, as the user with the number of the second argument: bind, listen, or full (its queue is full). */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (argc < 4 || setuid((uid_t)atoi(argv[2])))
        return 1;
    strcpy(address.sun_path + 1, argv[1]);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[1]));
    if (bind(fd, (struct sockaddr *)&address, length))
        return 1;
    if (strcmp(argv[3], "bind") && listen(fd, 0))
        return 1;
    for (int client = 0; !strcmp(argv[3], "full") && client >= 0;) {
        client = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);
        if (connect(client, (struct sockaddr *)&address, length))
            break;
    }
    puts("ready");
    fflush(stdout);
    pause();
    return 0;
}
