# hosts.sh DIR: creates two hosts, a and b, in this process's PID and mount namespaces. Each has its own name, network
# and shared memory, and a virtual cable connects them. DIR/agent HOST COMMAND is their remote shell. When standard
# input ends, this process ends, and with it all others here.
set -eu
dir=$1
forbidden() { echo "forbidden: $*"; exit 0; }

mount --make-rprivate / || forbidden "mount --make-rprivate"
mount -t proc proc /proc || forbidden "mount -t proc"
printf '127.0.0.1 localhost\n10.99.1.1 a\n10.99.1.2 b\n' >"$dir/hosts"
mount --bind "$dir/hosts" /etc/hosts || forbidden "mount --bind"
for name in a b; do
    mkdir -p "$dir/home-$name"
    unshare --net --uts --ipc --mount sh -c '
        hostname "$1" && mount -t tmpfs none /dev/shm && ip link set lo up && : >"$2/up-$1"
        exec sleep 100000' sh $name "$dir" &
    eval pid_$name=$!
    tries=0
    until [ -e "$dir/up-$name" ]; do
        kill -0 $! 2>/dev/null && [ $tries -lt 200 ] || forbidden "namespaces of networks, names and mounts"
        tries=$((tries + 1))
        sleep 0.05
    done
done
in_a="nsenter -t $pid_a -n" in_b="nsenter -t $pid_b -n"
$in_a ip link add eth0 type veth peer name eth0 netns "$pid_b" || forbidden "ip link add type veth"
$in_a ip addr add 10.99.1.1/24 dev eth0
$in_b ip addr add 10.99.1.2/24 dev eth0
$in_a ip link set eth0 up
$in_b ip link set eth0 up
cat >"$dir/agent" <<END
#!/bin/sh
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
host=\$1
shift
case \$host in
a) pid=$pid_a ;;
b) pid=$pid_b ;;
*) echo "no route to host \$host" >&2; exit 255 ;;
esac
# As in a login: nothing from the caller's environment.
exec nsenter -t \$pid -m -n -u -i env -i PATH=/usr/bin:/bin HOME=$dir/home-\$host sh -c "\$*"
END
chmod +x "$dir/agent"
echo ready
exec cat
