#!/bin/sh
# packaging/uninstall.sh DIR: removes the files that packaging/install.sh has installed in
# DIR, and the directories that it has made, unless they contain other files.
set -eu
dir=$1
list=$dir/lib/wi4go/installed
[ -e "$list" ] || {
    echo "wi4go is not installed in $dir by \`make install\`: $list is missing" >&2
    exit 1
}
directories=$(LC_ALL=C sort -r "$list" | grep '/$' || true)
while IFS= read -r file; do
    case $file in */) ;; *) rm -f "$dir/$file" ;; esac
done <"$list"
rm "$list"
printf '%s\n' "$directories" | while IFS= read -r d; do
    case $d in
    "") ;;
    ../) # after the prefix, because "/" is sorted after "."
        up=$(dirname "${up:-$dir}")
        rmdir "$up" 2>/dev/null || true
        ;;
    *) rmdir "$dir/$d" 2>/dev/null || true ;;
    esac
done
