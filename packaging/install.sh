#!/bin/sh
# packaging/install.sh TREE PREFIX WRAPPERS [DESTDIR]: copies a built tree into DESTDIR/PREFIX:
# the command (bin/wi4go, lib/wi4go) with its manual pages, the MPI to compile with
# (lib/wi4go/mpi), and the documents (share/doc/wi4go). If WRAPPERS is yes, bin and
# lib/pkgconfig get links to that MPI's commands and its pkg-config files. It builds
# nothing. It lists the files that it has written, and the directories that it has made, in
# lib/wi4go/installed. packaging/uninstall.sh removes them, and the next installation removes
# the ones that it no longer has.
set -eu
tree=$1 prefix=$2 wrappers=$3 dir=${4:-}$2
case $wrappers in
yes | no) ;;
*) echo "WRAPPERS=$wrappers: set it to yes or no" >&2; exit 2 ;;
esac
case $prefix in
*[:\;]* | *'
'*)
    printf 'cannot install in "%s": the dynamic linker separates paths by colons and semicolons: choose a PREFIX without them\n' "$prefix" >&2
    exit 1
    ;;
esac
[ -x "$tree/bin/wi4go" ] && [ -e "$tree/lib/wi4go/mpi/include/mpi.h" ] || {
    echo "cannot install: $tree has no build: run \`make\` first, as the user who builds" >&2
    exit 1
}

names=
[ $wrappers = no ] || names=$(ls "$tree/lib/wi4go/mpi/bin")
for name in $names; do
    case $(readlink "$dir/bin/$name" || [ ! -e "$dir/bin/$name" ] || echo other) in
    "" | ../lib/wi4go/mpi/bin/* | wi4go) ;;
    *)
        echo "$dir/bin/$name belongs to another MPI: install with another PREFIX, or without WRAPPERS=yes" >&2
        exit 1
        ;;
    esac
done

old=$dir/lib/wi4go/installed
umask 022
list=$(mktemp)
trap 'rm -f "$list"' EXIT
(cd "$tree" && find bin/wi4go lib/wi4go share ! -type d ! -path lib/wi4go/installed) | LC_ALL=C sort >"$list"
# Makes a directory, and lists it if it is new, or if an earlier installation has made it.
directory() {
    if [ ! -d "$dir/$1" ]; then
        mkdir -p "$dir/$1"
    elif ! grep -qxF -- "$1/" "$old" 2>/dev/null; then
        return 0
    fi
    echo "$1/" >>"$list"
}
# The directories above the prefix that do not exist yet, one line "../" for each.
up=$(dirname "$dir")
while [ ! -d "$up" ]; do
    echo ../ >>"$list"
    up=$(dirname "$up")
done
grep -xF ../ "$old" >>"$list" 2>/dev/null || true
directory "" # the prefix itself
directory bin
directory lib
(cd "$tree" && find lib/wi4go share -type d) | while IFS= read -r d; do directory "$d"; done
while IFS= read -r file; do
    case $file in */) continue ;; esac
    if [ -L "$tree/$file" ]; then
        ln -sfn "$(readlink "$tree/$file")" "$dir/$file"
    elif [ -x "$tree/$file" ]; then
        install -m 755 "$tree/$file" "$dir/$file"
    else
        install -m 644 "$tree/$file" "$dir/$file"
    fi
done <"$list"
for name in $names; do
    ln -sfn "../lib/wi4go/mpi/bin/$name" "$dir/bin/$name"
    echo "bin/$name" >>"$list"
done
if [ $wrappers = yes ]; then
    directory lib/pkgconfig
    for pc in "$tree"/lib/wi4go/mpi/lib/pkgconfig/*.pc; do
        sed 's,^prefix=.*,prefix=${pcfiledir}/../wi4go/mpi,' "$pc" >"$dir/lib/pkgconfig/${pc##*/}"
        echo "lib/pkgconfig/${pc##*/}" >>"$list"
    done
fi
if [ -e "$old" ]; then
    # Files come before the directories that contain them.
    { grep -v '/$' "$old" || true; LC_ALL=C sort -r "$old" | grep '/$' || true; } | while IFS= read -r file; do
        grep -qxF -- "$file" "$list" || case $file in
            */) rmdir "$dir/$file" 2>/dev/null || true ;;
            *) rm -f "$dir/$file" ;;
        esac
    done
fi
install -m 644 "$list" "$old"
