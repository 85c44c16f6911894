#!/bin/sh
# packaging/native.sh TREE VERSION ARCH OUT: packs a built tree into OUT as a .deb and
# as an .rpm, dated SOURCE_DATE_EPOCH. Both install it below /usr. It uses nfpm from PATH;
# if there is none, it builds nfpm once, from the Go module proxy. WI4GO_MAINTAINER is the
# maintainer of the packages.
set -eu
umask 022
tree=$1 version=$2 arch=$3 out=$4
nfpm_version=v2.43.4
work=$(dirname "$out")/native-$arch
stage=$work/stage
doc=$stage/usr/share/doc/wi4go

nfpm=$(command -v nfpm || echo "$(pwd)/$(dirname "$out")/tools/nfpm")
[ -x "$nfpm" ] || GOBIN=$(dirname "$nfpm") GOARCH= ${GO:-go} install "github.com/goreleaser/nfpm/v2/cmd/nfpm@$nfpm_version" >"$out.log" 2>&1 || {
    tail -n 5 "$out.log" >&2
    echo "packaging/native.sh: cannot install nfpm: put it into PATH, or give Go access to its module proxy" >&2
    exit 1
}

rm -rf "$work"
mkdir -p "$stage" "$out"
packaging/install.sh "$tree" "$stage/usr" no
rm "$stage/usr/lib/wi4go/installed"
find "$stage/usr/lib" -name '*.so*' -type f ! -path '*/verify/*' -exec chmod 644 {} + # verify has programs for sonames
gzip -9n "$stage"/usr/share/man/man1/*.1
# Debian's zsh looks for the completions of packages in vendor-completions; other
# distributions have a link.
mkdir -p "$stage/usr/share/zsh/vendor-completions" "$stage/usr/share/lintian/overrides"
cp "$stage/usr/share/zsh/site-functions/_wi4go" "$stage/usr/share/zsh/vendor-completions/"
# Debian has its own copies of long licences, and forbids further ones in this file.
{
    echo "wi4go is distributed under this licence:"
    echo
    cat LICENSE
    echo
    echo "The following software is linked into /usr/bin/wi4go, /usr/lib/wi4go/libwi4go.so and programs of -static-mpi."
    echo "/usr/share/doc/wi4go/licenses has its licences and notices as they were published."
    (cd "$doc/licenses" && find . -type f ! -name index.txt | LC_ALL=C sort) | while IFS= read -r file; do
        printf '\n---- %s\n\n' "${file#./}"
        common=
        if grep -q 'TERMS AND CONDITIONS FOR USE, REPRODUCTION' "$doc/licenses/$file"; then
            common="Apache License, Version 2.0: /usr/share/common-licenses/Apache-2.0"
        elif grep -q '^Mozilla Public License Version 2.0$' "$doc/licenses/$file"; then
            common="Mozilla Public License, Version 2.0: /usr/share/common-licenses/MPL-2.0"
        fi
        [ -z "$common" ] || echo "$common"
        [ -n "$common" ] || cat "$doc/licenses/$file"
    done
} >"$doc/copyright"
cp packaging/lintian-overrides "$stage/usr/share/lintian/overrides/wi4go"

maintainer=${WI4GO_MAINTAINER:-wi4go authors <packages@wi4go.invalid>}
case $arch in x86_64) goarch=amd64 ;; aarch64) goarch=arm64 ;; esac
for file in nfpm changelog; do
    sed -e "s|@MAINTAINER@|$maintainer|; s|@VERSION@|$version|; s|@STAGE@|$stage|; s|@WORK@|$work|; s|@ARCH@|$goarch|" \
        -e "s|@DATE@|$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)|" packaging/$file.yaml >"$work/$file.yaml"
done
for kind in deb rpm; do
    "$nfpm" package --config "$work/nfpm.yaml" --packager $kind --target "$out/" >"$work/$kind.log" || { cat "$work/$kind.log" >&2; exit 1; }
    sed -n 's/^created package: //p' "$work/$kind.log"
done
