#!/bin/sh
# `make quick`: runs the tests that the files changed since the last commit can break, without any MPI: the Go packages
# that depend on changed ones or read changed tables, and the translation over fake libraries, by fronts compiled without
# optimization in build/quick.
set -eu
cd "$(dirname "$0")/.."
export MAKEFLAGS= MFLAGS= MAKELEVEL= WI4GO_TIER=test
changed=$({ git diff --name-only HEAD; git ls-files -o --exclude-standard; } | sort -u)
[ -n "$changed" ] || {
    echo "nothing differs from the last commit: make check runs all tests that need no MPI"
    exit 0
}

fronts= packages= others=
add() { case " $packages " in *" $1 "*) ;; *) packages="$packages $1" ;; esac }
for file in $changed; do
    case $file in
    # The generator reads from these headers only the functions that they define, and make runs it.
    mappers/*) fronts=yes ;;
    c/*) fronts=yes; add ./c/... ;;
    shim/*.go | internal/*.go | handletable/*.go) fronts=yes ;; # these are in the core
    shim/* | handletable/*) fronts=yes ;;
    gen/* | funcs.json | mappers.json | abi/*.json) fronts=yes; add ./gen/...; add ./abi/... ;;
    *.md | docs/* | packaging/* | Makefile | *.mk) ;;
    *.go) ;;
    *) others="$others $file" ;;
    esac
    case $file in
    *.go)
        [ -d "$(dirname "$file")" ] || continue # the directory was removed
        name=./$(dirname "$file")
        go vet "$name"
        unformatted=$(gofmt -l "$(dirname "$file")")
        [ -z "$unformatted" ] || {
            echo "not formatted: $unformatted: run gofmt -w on it" >&2
            exit 1
        }
        case $file in
        tests/docs/* | tests/exports/* | tests/fake/* | tests/times/*) add "$name" ;;
        tests/*) others="$others $file" ;;
        *)
            path=$(go list -f '{{.ImportPath}}' "$name")
            for user in $(go list -f '{{.ImportPath}} {{join .Deps " "}}' ./abi/... ./cmd/... ./gen/... ./handletable/... ./internal/... ./mappers/... ./shim/... |
                grep -w -F "$path" | cut -d ' ' -f 1); do
                add "$user"
            done
            ;;
        esac
        ;;
    *.md) add ./tests/docs ;;
    esac
done

[ -z "$packages" ] || go test $packages
if [ -n "$fronts" ]; then
    make -s -j "${CORES:-2}" B=build/quick CFLAGS=-O0 core fronts
    WI4GO_FAKE_FRONTS=$PWD/build/quick/lib/wi4go go test -run 'TestFunctions|TestNumbers|TestStrings|TestAttributes|TestContents|TestInStatus|TestStatusFields|TestWaitall|TestSome|TestWildcards|TestOneArray' ./tests/fake
fi
for file in $others; do
    echo "$file: no test of it runs without an MPI: make test"
done
