#!/bin/sh
# packaging/licenses.sh OUT FILE…: copies into OUT the licences and notices of Go, and of each Go module that is linked
# into the files. Each program of Go lists its modules (go version -m). OUT/index.txt has the modules with their
# versions; their sources are at the address in their name.
set -eu
out=$1
shift
go=${GO:-go}

modules=$("$go" version -m "$@" | awk '$1 == "dep" { print $2, $3 }' | LC_ALL=C sort -u)
[ -n "$modules" ] || { echo "packaging/licenses.sh: $* list no Go modules: build them by Go, in module mode" >&2; exit 1; }

# notices NAME DIR: copies the licences and notices below a directory into OUT/NAME. It fails if there are none.
notices() {
    found=$(cd "$2" && find . \( -name testdata -o -name .git \) -prune -o -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' -o \
        -iname 'copyright*' -o -iname 'patents*' \) ! -iname '*.go' ! -iname '*.s' -print | sed 's,^\./,,' | LC_ALL=C sort)
    [ -n "$found" ] || { echo "packaging/licenses.sh: no file with the licence of $1 in $2" >&2; return 1; }
    for file in $found; do
        mkdir -p "$out/$1/$(dirname "$file")"
        install -m 644 "$2/$file" "$out/$1/$file"
    done
}

rm -rf "$out"
mkdir -p "$out"
index="The licences and notices of the software that is linked into wi4go:"
# Some distributions keep the licence of Go in another place. The modules golang.org/x have the same licence.
root=$("$go" env GOROOT)
[ -e "$root/LICENSE" ] || root=$("$go" list -m -f '{{.Dir}}' golang.org/x/sys)
mkdir -p "$out/go"
for file in LICENSE PATENTS; do
    [ ! -e "$root/$file" ] || install -m 644 "$root/$file" "$out/go/$file"
done
[ -e "$out/go/LICENSE" ] || { echo "packaging/licenses.sh: no file with the licence of Go in $root" >&2; exit 1; }
index="$index
go $("$go" env GOVERSION)"
while read -r module version; do
    dir=$("$go" list -m -f '{{.Dir}}' "$module")
    [ -n "$dir" ] || { echo "packaging/licenses.sh: the sources of $module are missing: run \`go mod download\`" >&2; exit 1; }
    notices "$module" "$dir"
    index="$index
$module $version"
done <<END
$modules
END
printf '%s\n' "$index" >"$out/index.txt"
