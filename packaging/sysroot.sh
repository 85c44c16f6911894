#!/bin/sh
# packaging/sysroot.sh ARCH DIR: makes a system root with the headers and link libraries
# of glibc 2.17, and DIR/cc, which runs this machine's gcc with that root. ARCH is x86_64
# or aarch64; another ARCH than this machine's needs gcc's cross compiler.
#
# The headers come from the ziglang wheel. It also generates the link libraries, because
# it has a table of the glibc version that introduced each symbol.
set -eu
arch=$1 dir=$2
glibc=2.17
zig=0.13.0
case $arch in
$(uname -m)) gcc=${HOSTCC:-gcc} ;;
*) gcc=$arch-linux-gnu-gcc ;;
esac
command -v "$gcc" >/dev/null || { echo "packaging/sysroot.sh: $gcc is missing: install it (Debian: gcc-$(echo "$arch" | tr _ -)-linux-gnu)" >&2; exit 1; }

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
tools=$(dirname "$dir")/ziglang-$zig
made="$glibc $zig $gcc $(cksum <"$0")"
[ "$(cat "$dir/.made" 2>/dev/null)" != "$made" ] || exit 0

if [ ! -e "$tools/whole" ]; then
    python3 -m venv --clear "$tools" && "$tools/bin/pip" install -q --retries 10 "ziglang==$zig" || {
        echo "packaging/sysroot.sh: cannot install ziglang $zig from the Python package index: install python3 with venv, and check the network" >&2
        exit 1
    }
    touch "$tools/whole"
fi
set -- "$tools"/lib/python3*/site-packages/ziglang
home=$1
export ZIG_GLOBAL_CACHE_DIR="$tools/cache" ZIG_LOCAL_CACHE_DIR="$tools/cache"

rm -rf "$dir"
mkdir -p "$dir/usr/include" "$dir/usr/lib"
case $arch in x86_64) cpu=x86 ;; *) cpu=$arch ;; esac
# Copy the general headers first and the specific ones over them.
for part in any-linux-any "$cpu-linux-any" generic-glibc "$cpu-linux-gnu" "$arch-linux-gnu"; do
    [ ! -d "$home/lib/libc/include/$part" ] || cp -r "$home/lib/libc/include/$part/." "$dir/usr/include/"
done

# Linking any program makes the wheel generate its libraries; -v prints their paths.
echo 'int main(void) { return 0; }' >"$dir/any.c"
for kind in "" -shared; do
    "$home/zig" cc -target "$arch-linux-gnu.$glibc" -v $kind -o "$dir/any" "$dir/any.c" -lm 2>"$dir/words" || { cat "$dir/words" >&2; exit 1; }
    for file in $(tr ' ' '\n' <"$dir/words" | grep -E '/(S?crt1|crti|crtn)\.o$|/lib[a-z_]*\.so\.[0-9]+$|/libc_nonshared\.a$'); do
        cp "$file" "$dir/usr/lib/"
    done
done
rm "$dir/any" "$dir/any.c" "$dir/words"
cd "$dir/usr/lib"
for name in m pthread dl rt util; do
    set -- lib$name.so.*
    ln -s "$1" lib$name.so
done
echo "GROUP ( libc.so.6 libc_nonshared.a AS_NEEDED ( libld.so.2 ) )" >libc.so
# Allow undefined symbols in shared libraries: this machine's libgcc_s needs a newer glibc.
cat >"$dir/cc" <<EOF
#!/bin/sh
exec $gcc --sysroot=$dir -B$dir/usr/lib -L$dir/usr/lib -nostdinc -isystem $("$gcc" -print-file-name=include) \
    -isystem $dir/usr/include -D__GLIBC_MINOR__=${glibc#*.} \
    -Wl,--allow-shlib-undefined "\$@"
EOF
chmod +x "$dir/cc"
echo "$made" >"$dir/.made"
