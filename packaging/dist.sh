#!/bin/sh
# packaging/dist.sh TREE VERSION ARCH OUT: packs a built tree into
# OUT/wi4go-VERSION-linux-ARCH.tar.gz. The archive is reproducible: the same tree gives
# the same bytes, and all files are dated SOURCE_DATE_EPOCH.
set -eu
umask 022
tree=$1 version=$2 arch=$3 out=$4
name=wi4go-$version-linux-$arch

mkdir -p "$out"
rm -rf "$out/$name" "$out/$name.tar.gz"
packaging/install.sh "$tree" "$out/$name" no
rm "$out/$name/lib/wi4go/installed"
chmod -R u=rwX,go=rX "$out/$name"
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -cf - "$name" |
    gzip -9n >"$out/$name.tar.gz"
rm -r "$out/$name"
echo "$out/$name.tar.gz"
