#!/bin/sh
# Repeats packages of tests next to a load, to find tests that depend on time:
#
#   tests/repeat.sh [ROUNDS [PACKAGE...]]      by default 10 rounds of all packages
#
# Each result is a line of build/repeated: round, package, ok or FAIL, seconds. build/repeated.d has the output of failures. When
# started again, it continues after the last result: remove build/repeated to begin again. LOAD is the number of processes
# that only compute (8). Exit code 1: a package has failed in some round.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-10}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- ./...
. build/deps.env
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe WI4GO_TIER="${WI4GO_TIER:-all}"
results=build/repeated
mkdir -p $results.d
touch $results
packages=$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' "$@")

load=
for _ in $(seq "${LOAD:-8}"); do
    sh -c 'while :; do :; done' &
    load="$load $!"
done
trap 'kill $load 2>/dev/null' EXIT
trap 'exit 1' INT TERM

for round in $(seq "$rounds"); do
    for package in $packages; do
        grep -q "^$round	$package	" $results && continue
        begin=$(date +%s)
        output=$results.d/$round-$(echo "$package" | tr / -)
        if go test -count=1 -timeout 60m "$package" >"$output" 2>&1; then
            result=ok
            rm "$output"
        else
            result=FAIL
        fi
        printf '%s\t%s\t%s\t%s\n' "$round" "$package" $result $(($(date +%s) - begin)) | tee -a $results
    done
done
! grep '	FAIL	' $results
