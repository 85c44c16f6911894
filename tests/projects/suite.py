"""MPICH's own test programs, for tests/projects.sh.

  suite.py run BUILD FILE LAUNCHER...  runs the programs of the build tree BUILD by the launcher
                                       (which takes -n NUMBER PROGRAM ARGUMENT...), and leaves
                                       their verdicts in FILE
  suite.py compare NATIVE OURS         says which verdicts are worse than the native ones

What runs, on how many ranks and how it is judged stands in the tree's testlist files. A
verdict is "pass", or how the run ended. A program that was not built has none.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys

LIMIT = 90  # seconds for one program
RANKS = 4  # programs on more are left out

# What proves nothing: a directory or program, and why.
LEFT_OUT = {
    "spawn": "Debian's MPICH has no dynamic processes",
    "perf": "speed is not judged here",
    "io/bigtype": "6.5 GB of memory",
    "io/i_bigtype": "the same",
    "coll/opland": "operations on floating-point numbers, which only MPICH has",
    "coll/oplor": "the same",
    "coll/oplxor": "the same",
    "part/nonblocking_pready": "sends elements of MPI_DATATYPE_NULL, which MPICH alone does",
    "comm/cmsplit_type": "MPICH's split by directories",
    "datatype/typename": "wants MPI_INTEGER16, which MPICH 4.0 does not have",
    "datatype/indexed_misc": "uses a freed datatype, whose number natively is the next one's (RATIONALE: slots have a generation)",
    "datatype/indexed_misc_oldapi": "the same",
    "info/info_no_init": "MPI_Info after MPI_Finalize, which Open MPI 4.1 ends the process for",
    "info/infocreateenv": "the same",
    "init/timeout": "a time limit of MPICH's launcher",
    "mpi_t/qmpi_test": "QMPI, which only MPICH has",
}


def tests(build, directory=""):
    """The lines of the testlist files, in order: name, words."""
    listed = build / directory / "testlist"
    for line in listed.read_text().splitlines() if listed.exists() else []:
        words = line.split("#")[0].split()
        if not words:
            continue
        name = str(pathlib.PurePath(directory, words[0]))
        if name in LEFT_OUT:
            continue
        if (build / name).is_dir():
            yield from tests(build, name)
        else:
            yield " ".join([name, *words[1:]]), name, words[1:]


def run(build, launcher, name, words):
    ranks = next((int(w) for w in words if w.isdigit()), 2)
    options = [w.partition("=")[::2] for w in words if "=" in w]
    program = build / name
    if ranks > RANKS or not program.exists():
        return None
    environment = os.environ | dict(v.split("=", 1) for k, v in options if k == "env")
    command = [*launcher, "-n", str(ranks), f"./{program.name}", *(v for k, v in options if k == "arg")]
    process = subprocess.Popen(
        command, cwd=program.parent, env=environment, text=True, errors="replace", start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    try:
        output, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)  # the launcher ends its ranks
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        return "no end"
    judged = dict(options).get("resultTest", "")
    if judged == "TestErrFatal":
        return "pass" if process.returncode else "no failure"
    if process.returncode == 0 and (judged or "no errors" in output.lower()):
        return "pass"
    return f"exit {process.returncode}" if process.returncode else "errors"


def run_all(build, file, *launcher):
    build, file = pathlib.Path(build), pathlib.Path(file)
    verdicts = json.loads(file.read_text()) if file.exists() else {}
    for line, name, words in tests(build):
        if line not in verdicts:
            verdicts[line] = run(build, launcher, name, words)
            file.write_text(json.dumps(verdicts, indent=0))


def compare(native, ours):
    native, ours = (json.loads(pathlib.Path(f).read_text()) for f in (native, ours))
    ran = [line for line, verdict in ours.items() if verdict]
    worse = [line for line in ran if native.get(line) == "pass" and ours[line] != "pass"]
    for line in worse:
        print(f"worse than natively: {line}: {ours[line]}", file=sys.stderr)
    passed = sum(ours[line] == "pass" for line in ran)
    print(f"{passed} of {len(ran)} passed, {len(worse)} worse than natively")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit({"run": run_all, "compare": compare}[sys.argv[1]](*sys.argv[2:]))
