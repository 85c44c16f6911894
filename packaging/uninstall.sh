#!/bin/sh
# packaging/uninstall.sh DIR: removes the files that packaging/install.sh has installed in
# DIR, and the directories of wi4go that are empty afterwards. Directories that other
# packages may use (bin, share/man) stay.
set -eu
dir=$1
list=$dir/lib/wi4go/installed
[ -e "$list" ] || {
    echo "wi4go is not installed in $dir by \`make install\`: $list is missing" >&2
    exit 1
}
while IFS= read -r file; do
    rm -f "$dir/$file"
done <"$list"
rm "$list"
for d in lib/wi4go share/wi4go; do
    [ ! -d "$dir/$d" ] || find "$dir/$d" -depth -type d -exec rmdir {} + 2>/dev/null || true
done
