// Package adi tests the abstract device (embedded/adi): the rows A1 to A30 of its interface under
// their names, its limits, and random traffic, in several builds and with forced settings. The
// programs are in C; each starts its own ranks.
package adi

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// limit bounds a job; it is generous, because other work may use the cores.
const limit = 3 * time.Minute

type result struct {
	code           int
	stdout, stderr string
}

// run runs a program with variables of the environment, within a time.
func run(t *testing.T, within time.Duration, env []string, command ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within+20*time.Second)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(append(os.Environ(), fmt.Sprintf("ADI_TIMEOUT=%d", int(within.Seconds()))), env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// right runs a program of a kind, which prints that it was right.
func right(t *testing.T, k kind, env []string, name string, args ...string) {
	t.Helper()
	rightWithin(t, limit, k, env, name, args...)
}

func rightWithin(t *testing.T, within time.Duration, k kind, env []string, name string, args ...string) result {
	t.Helper()
	for _, command := range k.run {
		if !strings.HasPrefix(command, "-") {
			needs(t, command)
		}
	}
	got := run(t, within, env, slices.Concat(k.run, []string{program(t, k, name)}, args)...)
	t.Logf("%s %v %v: %s", name, args, env, got.stdout)
	assert.True(t, got.code == 0 && strings.Contains(got.stdout, ": right\n"), "%s %v %v: exit code %d\n%s%s", name, args, env, got.code, got.stdout, got.stderr)
	return got
}

// settings force each protocol, and each way to wait.
var settings = map[string][]string{
	"usual":         nil,
	"xdr":           {"ADI_MSGREP=xdr"},
	"no short":      {"ADI_SHORT=0"},
	"all long":      {"ADI_SHORT=0", "ADI_EAGER=0", "ADI_FIRST=0", "ADI_CHUNK=100"},
	"parts":         {"ADI_SHORT=0", "ADI_EAGER=0", "ADI_FIRST=100", "ADI_CHUNK=1000"},
	"all eager":     {"ADI_EAGER=1000000", "ADI_LINES=0"},
	"past sender":   {"ADI_SENDER_PAST=100", "ADI_LINES=0"},
	"past receiver": {"ADI_SHORT=0", "ADI_EAGER=0", "ADI_FIRST=3000", "ADI_RECEIVER_PAST=0"},
	"direct":        {"ADI_SHORT=0", "ADI_EAGER=0", "ADI_FIRST=100", "ADI_DIRECT=1", "ADI_HUGE=0"},
	"1 MB":          {"ADI_SEGMENT=1000000"},
	"small":         {"ADI_SEGMENT=100000", "ADI_UNEXPECTED=5000"},
	"file":          {"ADI_SEGMENT_FILE=1"},
	"fences":        {"ADI_FENCE=1", "ADI_SPIN_US=0"},
	"sleeps":        {"ADI_SPIN_US=0"},
	"naps":          {"ADI_FUTEX=0", "ADI_SPIN_US=0"},
	"locks":         {"ADI_THREADS=1"},
}

// rows are those that a program of one name runs, with the settings that they make no sense with.
var rows = map[string]string{
	"A2": "", "A3": "all long, past receiver, parts, direct, small", "A4": "", "A6": "", "A7": "all long, past receiver, parts, direct", "A8": "", "A9": "", "A10": "locks", "A11": "", "A12": "", "A13": "",
	"A15": "all long, past receiver, parts, direct", "A16": "", "A18": "", "A19": "", "A20": "", "A21": "all long, past receiver, parts, direct, small", "A23": "", "A26": "", "A28": "", "A29": "",
}

func TestRows(t *testing.T) {
	for row, list := range rows {
		t.Run(row, func(t *testing.T) {
			without := strings.Split(list, ", ")
			for _, name := range without {
				_, known := settings[name]
				assert.True(t, known || name == "", "there is no setting %q", name)
			}
			for name, env := range settings {
				if !slices.Contains(without, name) {
					t.Run(name, func(t *testing.T) { right(t, plain, env, "rows", row) })
				}
			}
		})
	}
}

// The library needs no MPI, has no collective functions, and no variables except the rank's state
// and its two mirrors (rows A1 and A30).
func TestA1Symbols(t *testing.T) {
	objects := t.TempDir()
	path := archive(t)
	extract := exec.Command("ar", "x", path)
	extract.Dir = objects
	out, err := extract.CombinedOutput()
	require.NoError(t, err, string(out))
	files, err := filepath.Glob(filepath.Join(objects, "*.o"))
	require.NoError(t, err)
	require.Greater(t, len(files), 10)
	var variables []string
	for _, file := range files {
		f, err := elf.Open(file)
		require.NoError(t, err)
		symbols, err := f.Symbols()
		require.NoError(t, err)
		for _, s := range symbols {
			assert.NotRegexp(t, `^P?MPI_`, s.Name, file)
			assert.NotRegexp(t, `(?i)barrier|bcast|reduce|gather|alltoall`, strings.ReplaceAll(s.Name, "membarrier", ""), file)
			if elf.ST_TYPE(s.Info) == elf.STT_OBJECT && int(s.Section) < len(f.Sections) {
				if section := f.Sections[s.Section]; section.Flags&elf.SHF_WRITE != 0 && !strings.HasPrefix(section.Name, ".data.rel.ro") {
					variables = append(variables, s.Name)
				}
			}
		}
		require.NoError(t, f.Close())
	}
	slices.Sort(variables)
	assert.Equal(t, []string{"MPID_MyWorldRank", "MPID_MyWorldSize", "adi_self"}, variables)
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// instructions counts those of a program.
func instructions(t *testing.T, command ...string) int {
	t.Helper()
	needs(t, "valgrind")
	got := run(t, limit, nil, append([]string{"valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"}, command...)...)
	require.Zero(t, got.code, got.stderr)
	m := collected.FindStringSubmatch(got.stderr)
	require.NotNil(t, m, got.stderr)
	n, err := strconv.Atoi(m[1])
	require.NoError(t, err)
	return n
}

// An 8-byte message to the rank itself costs a limited number of instructions, with those of the program.
func TestA1Instructions(t *testing.T) {
	const n = 2000
	p := program(t, plain, "own")
	for way, most := range map[string]int{"unexpected": 500, "posted": 500, "at-once": 150} {
		each := (instructions(t, p, way, strconv.Itoa(n)) - instructions(t, p, way, "0")) / n
		t.Logf("%s: %d instructions for a send and a receive of 8 bytes", way, each)
		assert.LessOrEqual(t, each, most, way)
	}
}

// The two examples of the paper.
func TestA5(t *testing.T) {
	got := run(t, limit, nil, program(t, plain, "example1"))
	assert.Equal(t, "received 4711 from 0\n", got.stdout, got.stderr)
	got = run(t, limit, nil, program(t, plain, "example2"))
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	slices.Sort(lines)
	assert.Equal(t, []string{"rank 0 received 101 from 1", "rank 1 received 100 from 0"}, lines, got.stderr)
}

// namesOfPaper are the functions, constants, types and macros of the interface in the paper's text. Those of the first generation,
// of MPICH and of parts that the paper calls examples are left out.
const namesOfPaper = `MPID_Abort MPID_BLOCKING MPID_BsendContig MPID_BsendDatatype MPID_CommFree MPID_CommInit MPID_DeviceCheck MPID_End
	MPID_HAS_HETEROGENEOUS MPID_HOST MPID_Init MPID_Iprobe MPID_IrecvContig MPID_IrecvDatatype MPID_IrsendContig MPID_IrsendDatatype
	MPID_IsendContig MPID_IsendDatatype MPID_IssendContig MPID_IssendDatatype MPID_MAX_CONTEXT_ID MPID_MSGFORM_XDR MPID_MSG_OK MPID_Msg_act
	MPID_Msg_pack_t MPID_Msg_rep MPID_Msgrep_t MPID_MyWorldRank MPID_MyWorldSize MPID_Node_name MPID_Pack MPID_Pack_size MPID_Probe
	MPID_REQUEST_CANCELLED MPID_RecvCancel MPID_RecvComplete MPID_RecvContig MPID_RecvDatatype MPID_RecvFree MPID_RecvIcomplete
	MPID_Request_free MPID_RsendContig MPID_RsendDatatype MPID_STDIN MPID_STDOUT MPID_SendCancel MPID_SendComplete MPID_SendContig
	MPID_SendDatatype MPID_SendFree MPID_SendIcomplete MPID_SetDebugFile MPID_SetDebugFlag MPID_SetPktSize MPID_SetSpaceDebugFlag
	MPID_Set_tracefile MPID_SsendContig MPID_SsendDatatype MPID_TAG_UB MPID_THREAD_DS_FREE MPID_THREAD_DS_INIT MPID_THREAD_DS_LOCK
	MPID_THREAD_DS_LOCK_DECLARE MPID_THREAD_DS_LOCK_FREE MPID_THREAD_DS_LOCK_INIT MPID_THREAD_DS_UNLOCK MPID_Unpack MPID_Version_name
	MPID_WTIME_IS_GLOBAL MPID_WaitForCompleteRecv MPID_WaitForCompleteSend MPID_Wtick MPID_Wtime MPIR_COMMUNICATOR MPIR_COOKIE
	MPIR_DATATYPE MPIR_ERR_MAY_BLOCK MPIR_OPTYPE MPIR_PERSISTENT_RECV MPIR_PERSISTENT_SEND MPIR_PRHANDLE MPIR_PSHANDLE MPIR_RECV
	MPIR_RHANDLE MPIR_SEND MPIR_SHANDLE mpid_time.h`

// A program that uses each name of the paper compiles and runs.
func TestPaper(t *testing.T) {
	source, err := os.ReadFile("programs/paper.c")
	require.NoError(t, err)
	for _, name := range strings.Fields(namesOfPaper) {
		assert.Regexp(t, `\b`+regexp.QuoteMeta(name)+`\b`, string(source), "the program must use each name")
	}
	for _, k := range []kind{plain, nolocks} {
		for _, name := range []string{"paper", "heterogeneous"} {
			for _, setting := range []string{"ADI_MSGREP=", "ADI_MSGREP=xdr", "ADI_THREADS=1"} {
				got := run(t, limit, []string{setting}, program(t, k, name))
				assert.Equal(t, 3, got.code, "%s %s %s: %s", k.name, name, setting, got.stderr)
				assert.Equal(t, "each name of the paper\n", got.stdout, got.stderr)
				assert.Contains(t, got.stderr, "rank 0: paper: the end")
			}
		}
	}
}

func TestA17(t *testing.T) {
	right(t, plain, nil, "limits", "failing-allocator")
	for _, job := range []string{"small", "no-memory"} {
		got := run(t, limit, nil, program(t, plain, "limits"), job)
		assert.Zero(t, got.code, "%s: %s", job, got.stderr)
	}
	right(t, plain, []string{"ADI_UNEXPECTED=100000", "ADI_SEGMENT=200000"}, "limits", "bounded")
	got := run(t, limit, []string{"ADI_SEGMENT=10"}, program(t, plain, "limits"), "idle")
	assert.NotZero(t, got.code)
	assert.Contains(t, got.stderr, "cannot create the shared memory of 2 ranks")
}

func TestA24(t *testing.T) {
	right(t, plain, nil, "limits", "environment")
	right(t, plain, nil, "limits", "single")
}

func TestA25(t *testing.T) {
	got := run(t, limit, nil, program(t, plain, "limits"), "abort")
	assert.Equal(t, 42, got.code)
	assert.Contains(t, got.stderr, "rank 1: limits: the disk is full\n")
	got = run(t, limit, nil, program(t, plain, "limits"), "abort-plainly")
	assert.Equal(t, 3, got.code)
	assert.Contains(t, got.stderr, "the program has aborted the job")
}

// Both builds: with locks, several threads of a rank; without locks, the rows.
func TestA27(t *testing.T) {
	right(t, plain, nil, "threads")
	right(t, plain, []string{"ADI_SPIN_US=0"}, "threads")
	right(t, plain, []string{"ADI_SPIN_US=0", "ADI_FENCE=1", "ADI_SEGMENT=100000"}, "threads")
	for _, row := range []string{"A2", "A6", "A10", "A21"} {
		right(t, nolocks, nil, "rows", row)
	}
	right(t, nolocks, nil, "traffic", "5")
	right(t, ranks, nil, "traffic", "6")
}

// A rank that is ended by a signal ends the job, which names it.
func TestDeath(t *testing.T) {
	got := run(t, limit, nil, program(t, plain, "limits"), "die")
	assert.Equal(t, 128+9, got.code)
	assert.Contains(t, got.stderr, "rank 0: rank 1 was ended by signal 9 (Killed); MPID_Recv cannot complete")
}

func TestBlocked(t *testing.T) {
	right(t, plain, []string{"ADI_SPIN_US=20"}, "limits", "blocked")
	right(t, plain, []string{"ADI_FUTEX=0"}, "limits", "blocked")
}

func TestIdle(t *testing.T) {
	right(t, plain, nil, "limits", "idle")
	right(t, plain, []string{"ADI_FUTEX=0"}, "limits", "idle")
}

func TestReady(t *testing.T) {
	right(t, plain, nil, "limits", "ready")
	right(t, plain, []string{"ADI_CHECK=1"}, "limits", "ready")
}

// The largest eager messages fit into the ring of a receiver that only polls.
func TestPolling(t *testing.T) {
	right(t, plain, []string{"ADI_EAGER=1000000"}, "limits", "polling")
	right(t, plain, []string{"ADI_EAGER=1000000", "ADI_SEGMENT=200000"}, "limits", "polling")
	right(t, plain, []string{"ADI_EAGER=1000000", "ADI_SEGMENT=30000"}, "limits", "polling")
}

// A sandbox may deny each of these calls.
func TestDenied(t *testing.T) {
	p := program(t, plain, "deny")
	for _, calls := range []string{"futex", "membarrier", "memfd_create", "process_vm_readv,process_vm_writev", "sched_setattr", "sched_getattr,sched_setaffinity", "futex,membarrier,memfd_create,madvise,process_vm_readv,process_vm_writev"} {
		t.Run(calls, func(t *testing.T) {
			for _, env := range [][]string{nil, {"ADI_SPIN_US=0"}, {"ADI_SEGMENT=1000000"}, {"ADI_DIRECT=1"}} {
				got := run(t, limit, env, p, calls, program(t, plain, "traffic"), "7")
				assert.Equal(t, "traffic: right\n", got.stdout, "%v: %s", env, got.stderr)
			}
			got := run(t, limit, nil, p, calls, program(t, plain, "limits"), "idle")
			assert.Equal(t, "idle: right\n", got.stdout, got.stderr)
		})
	}
}

// Long messages go from memory to memory if that is allowed; else, and if a copy fails, through the ring.
func TestDirect(t *testing.T) {
	deny := program(t, plain, "deny")
	for _, c := range []struct {
		name   string
		env    []string
		k      kind
		before []string
		count  string // pattern of the number of direct messages of rank 0
	}{
		{"measured", nil, plain, nil, `\d+`},
		{"all", []string{"ADI_DIRECT=1"}, plain, nil, `[1-9]\d+`},
		{"few lines", []string{"ADI_DIRECT=1", "ADI_SEGMENT=30000"}, plain, nil, `[1-9]\d+`},
		{"huge pages at once", []string{"ADI_DIRECT=1", "ADI_HUGE=1"}, plain, nil, `[1-9]\d+`},
		{"locks", []string{"ADI_DIRECT=1", "ADI_THREADS=1"}, plain, nil, `[1-9]\d+`},
		{"none", []string{"ADI_DIRECT=1000000000"}, plain, nil, `0`},
		{"reading is denied", []string{"ADI_DIRECT=1"}, plain, []string{deny, "process_vm_readv"}, `0`},
		{"writing is denied", []string{"ADI_DIRECT=1"}, plain, []string{deny, "process_vm_writev"}, `\d+`},
		{"huge pages are denied", []string{"ADI_DIRECT=1", "ADI_HUGE=1"}, plain, []string{deny, "madvise"}, `[1-9]\d+`},
		{"threads", []string{"ADI_DIRECT=1"}, tsan, nil, `[1-9]\d+`},
		{"addresses", []string{"ADI_DIRECT=1", "ADI_FIRST=0"}, asan, nil, `[1-9]\d+`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.k.name != plain.name {
				harness.All.From(t, "it compiles everything again")
			}
			got := run(t, limit, c.env, slices.Concat(c.before, []string{program(t, c.k, "direct"), filepath.Join(t.TempDir(), "debug")})...)
			assert.Regexp(t, `^`+c.count+` of 180 messages: right\n$`, got.stdout, "exit code %d\n%s", got.code, got.stderr)
		})
	}
}

// Each rank allows the descendants of its launcher to copy from and to its memory, and no process if there are no
// direct messages.
func TestTracer(t *testing.T) {
	library := program(t, plain, "tracer.so")
	p := program(t, plain, "direct")
	for direct, want := range map[string]int{"1": 2, "9223372036854775807": 0} {
		got := run(t, limit, []string{"LD_PRELOAD=" + library, "ADI_DIRECT=" + direct}, p, filepath.Join(t.TempDir(), "debug"))
		require.Contains(t, got.stdout, ": right\n", got.stderr)
		allowed := regexp.MustCompile(`(?m)^allows (\d+), parent (\d+)$`).FindAllStringSubmatch(got.stdout, -1)
		require.Len(t, allowed, want, got.stdout)
		for _, a := range allowed {
			assert.Equal(t, a[2], a[1])
		}
	}
}

// Ranks that share a core take turns in the order of their numbers.
func TestAloneTurns(t *testing.T) {
	harness.Alone(t)
	got := rightWithin(t, limit, plain, nil, "turns")
	if strings.Contains(got.stdout, "no slices") {
		t.Skip("this kernel gives no process a slice of its own (Linux 6.12 does), or a sandbox denies it")
	}
}

// A rank that often yields on another core than its own returns.
func TestAlonePlaces(t *testing.T) {
	harness.Alone(t)
	if runtime.NumCPU() < 2 {
		t.Skip("one core")
	}
	got := rightWithin(t, limit, plain, nil, "turns", "places")
	assert.NotContains(t, got.stdout, "wrong")
	if strings.Contains(got.stdout, "slow") {
		t.Skip("other programs use the cores")
	}
}

// Two ranks that have a core each, or must share one, seldom sleep while they exchange messages.
func TestAlonePairs(t *testing.T) {
	harness.Alone(t)
	right(t, plain, []string{"ADI_CORES=2"}, "turns", "one")
	if runtime.NumCPU() < 2 {
		t.Skip("one core")
	}
	for _, env := range [][]string{nil, {"ADI_THREADS=1"}} {
		right(t, plain, env, "turns", "late")
		right(t, plain, env, "turns", "apart")
	}
}

// Random operations against a sequential model of matching.
func TestModel(t *testing.T) {
	for seed := 1; seed <= 5; seed++ {
		right(t, plain, nil, "model", strconv.Itoa(seed), "100000")
	}
	right(t, asan, nil, "model", "6", "30000")
}

// Matching costs as much with many entries as with few.
func TestMatchingTime(t *testing.T) {
	p := program(t, plain, "model")
	count := func(n int) int { return instructions(t, p, "queue", strconv.Itoa(n)) }
	none := count(0)
	few, many := float64(count(300)-none)/300, float64(count(30000)-none)/30000
	t.Logf("%.0f instructions for each of 300 receives and messages, %.0f for each of 30000", few, many)
	assert.Less(t, many, 1.3*few)
}

var missed = regexp.MustCompile(`D1  misses: +([\d,]+)`)

// Many receives whose tags are their numbers share the lines of the hash table, and no bucket has two of them. With a hash that
// spreads them, a receive loads 12 lines into a cache of 32 KB; its own four are loaded twice.
func TestMatchingLines(t *testing.T) {
	needs(t, "valgrind")
	const n = 200000
	got := run(t, limit, nil, "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--cache-sim=yes", "--D1=32768,8,64", program(t, plain, "model"), "numbered", strconv.Itoa(n))
	require.Zero(t, got.code, got.stderr)
	m := missed.FindStringSubmatch(got.stderr)
	require.NotNil(t, m, got.stderr)
	lines, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	require.NoError(t, err)
	t.Logf("%.1f lines for each of %d receives", float64(lines)/n, n)
	assert.Less(t, lines, 10*n)
}

// Random traffic of 1 to 8 ranks, with all settings.
func TestTraffic(t *testing.T) {
	for name, env := range settings {
		t.Run(name, func(t *testing.T) {
			for n := 1; n <= 8; n++ {
				if name != "usual" && n > 3 {
					break
				}
				env := append(slices.Clone(env), fmt.Sprintf("ADI_RANKS=%d", n), "ADI_COUNT=900")
				right(t, plain, env, "traffic", strconv.Itoa(n))
			}
		})
	}
}

// Nothing is found by ThreadSanitizer with ranks as threads, and by AddressSanitizer, UBSan and
// valgrind with ranks as processes.
func TestThreadSanitizer(t *testing.T) {
	harness.All.From(t, "it compiles everything again")
	right(t, tsan, nil, "threads")
	for _, row := range []string{"A2", "A3", "A4", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "A13", "A15", "A16", "A18", "A19", "A20", "A21", "A23", "A26", "A28", "A29"} {
		right(t, tsan, nil, "rows", row)
	}
	for n := 1; n <= 4; n++ {
		right(t, tsan, []string{fmt.Sprintf("ADI_RANKS=%d", n), "ADI_COUNT=600"}, "traffic", "9")
		right(t, tsan, []string{fmt.Sprintf("ADI_RANKS=%d", n), "ADI_COUNT=300", "ADI_SEGMENT=100000", "ADI_THREADS=1"}, "traffic", "10")
	}
	right(t, tsan, []string{"ADI_UNEXPECTED=100000", "ADI_SEGMENT=200000"}, "limits", "bounded")
}

func TestAddressSanitizer(t *testing.T) {
	harness.All.From(t, "it compiles everything again")
	for row := range rows {
		right(t, asan, nil, "rows", row)
	}
	right(t, asan, []string{"ADI_RANKS=3"}, "traffic", "11")
	right(t, asan, []string{"ADI_RANKS=2", "ADI_SEGMENT=100000", "ADI_MSGREP=xdr"}, "traffic", "12")
	right(t, asan, nil, "threads")
	right(t, asan, []string{"ADI_UNEXPECTED=100000", "ADI_SEGMENT=200000"}, "limits", "bounded")
	for _, job := range []string{"failing-allocator", "ready", "environment", "single"} {
		right(t, asan, nil, "limits", job)
	}
}

func TestValgrind(t *testing.T) {
	harness.All.From(t, "valgrind is slow")
	needs(t, "valgrind")
	k := plain
	k.run = nil
	for _, args := range [][]string{{"rows", "A2"}, {"rows", "A6"}, {"rows", "A11"}, {"rows", "A19"}, {"traffic", "13"}} {
		command := []string{"valgrind", "-q", "--error-exitcode=77", "--leak-check=full", "--trace-children=yes", program(t, plain, args[0])}
		got := run(t, 2*limit, []string{"ADI_COUNT=300"}, append(command, args[1:]...)...)
		assert.True(t, got.code == 0 && strings.Contains(got.stdout, ": right\n"), "%v: exit code %d\n%s%s", args, got.code, got.stdout, got.stderr)
	}
}

// The same programs for arm64, under emulation: its memory model is not emulated, but its code is
// another one.
func TestArm64(t *testing.T) {
	harness.All.From(t, "emulation is slow")
	needs(t, "aarch64-linux-gnu-gcc")
	for _, row := range []string{"A2", "A6", "A18", "A19", "A21"} {
		right(t, arm, []string{"ADI_COUNT=300"}, "rows", row)
	}
	right(t, arm, []string{"ADI_COUNT=300", "ADI_RANKS=3"}, "traffic", "14")
	right(t, arm, []string{"ADI_COUNT=60"}, "threads")
}
