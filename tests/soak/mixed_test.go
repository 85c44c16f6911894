package soak

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const (
	mixedPart    = 5    // seconds of a small run
	mixedWhole   = 1800 // … and of `make soak`
	mixedShort   = 2    // … and of a small run on the embedded MPI
	mixedRanks   = 2
	mixedThreads = 3
	mixedKB      = 4096 // growth beyond the native run's
)

// threaded are the replacements of libraries that sometimes hang natively with threads.
var threaded = map[string]string{"mpich": "mpich-5.0"}

// traffic runs programs/mixed.c for some seconds. It returns the number of messages that arrived and the growth of
// resident memory in KB.
func traffic(t *testing.T, tools harness.Toolchain, through harness.Through, program string, seconds, threads int) (messages, kb int, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(seconds)*time.Second+10*time.Minute)
	defer cancel()
	command := append(through.Env(), program, strconv.Itoa(seconds), strconv.Itoa(threads))
	if tools.Name == harness.Embedded {
		command = append(command, "plain")
	}
	cmd := tools.Launch(ctx, mixedRanks, command...)
	dir, err := os.MkdirTemp("", "m") // Open MPI's names for sockets are short
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	cmd.Env = append(cmd.Env, "TMPDIR="+dir)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err == nil {
		_, err = fmt.Sscanf(string(out), "mixed %d %d", &messages, &kb)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s%s", cmd.Args, err, out, said.String())
	}
	return messages, kb, err
}

// Traffic of every kind, with and without threads: every message arrives intact, and memory grows by no more than in
// the native run at the same time. WI4GO_SOAK=whole runs half an hour in each direction, WI4GO_SOAK_SECONDS another
// time. A success is kept in build/soak until the fronts are rebuilt, and is not repeated.
func TestMixed(t *testing.T) {
	harness.All.From(t, "it has messages sent for a minute")
	whole := os.Getenv("WI4GO_SOAK") == "whole"
	seconds := mixedPart
	if whole {
		seconds = mixedWhole
	}
	seconds = harness.Number(t, "WI4GO_SOAK_SECONDS", seconds)
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	kept, dir := filepath.Join(prefix, "soak"), t.TempDir()
	require.NoError(t, os.MkdirAll(kept, 0o755))
	var rows []string
	for _, d := range slices.Concat(harness.Directions, harness.EmbeddedDirections) {
		seconds := seconds
		if d.To == harness.Embedded && seconds == mixedPart {
			seconds = mixedShort
		}
		for _, threads := range []int{1, mixedThreads} {
			d := d
			if instead, ok := threaded[d.To]; ok && threads > 1 {
				d.To = instead
			}
			name := fmt.Sprintf("%s,threads_%d", d, threads)
			row := filepath.Join(kept, fmt.Sprintf("%s,%d_s", name, seconds))
			rows = append(rows, row)
			t.Run(name, func(t *testing.T) {
				if whole {
					t.Parallel()
					if done(row, filepath.Join(prefix, "lib/wi4go/libwi4go.so")) {
						t.Skip("was right before, see the table")
					}
				}
				mixed(t, d, prefix, dir, row, seconds, threads)
			})
		}
	}
	t.Cleanup(func() {
		t.Log("| program | library | threads | minutes | messages | natively | KB | natively |")
		for _, row := range rows {
			if text, err := os.ReadFile(row); err == nil {
				t.Log(string(text))
			}
		}
	})
}

// done reports whether a row exists and is no older than the front it was measured with.
func done(row, front string) bool {
	r, err := os.Stat(row)
	if err != nil {
		return false
	}
	f, err := os.Stat(front)
	return err == nil && r.ModTime().After(f.ModTime())
}

// mixed runs one direction together with the native run, and writes its result to the file row. The programs are
// compiled in dir.
func mixed(t *testing.T, d harness.Direction, prefix, dir, row string, seconds, threads int) {
	build := func(tools harness.Toolchain) string {
		out := filepath.Join(dir, fmt.Sprintf("%s-%s-%d", tools.Name, d, threads))
		require.NoError(t, tools.Compile("programs/mixed.c", out))
		return out
	}
	runtime, err := harness.FindIn(prefix, d.To)
	if err != nil {
		harness.Missing(t, err)
	}
	compiler, err := harness.FindIn(prefix, d.From)
	if err != nil {
		harness.Missing(t, err)
	}
	native, program := build(runtime), build(compiler)
	through, err := harness.NewThrough(prefix, program, compiler.Family(), native)
	require.NoError(t, err)

	var messages, kb int
	ours := make(chan error)
	go func() {
		var err error
		messages, kb, err = traffic(t, runtime, through, program, seconds, threads)
		ours <- err
	}()
	nativeMessages, nativeKB, err := traffic(t, runtime, harness.Through{}, native, seconds, threads)
	require.NoError(t, <-ours)
	require.NoError(t, err, "natively")
	text := fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d |", d.From, d.To, threads, seconds/60, messages, nativeMessages, kb, nativeKB)
	t.Log(text)
	if assert.LessOrEqual(t, kb, nativeKB+mixedKB, "KB of resident memory") {
		require.NoError(t, os.WriteFile(row, []byte(text), 0o644))
	}
}
