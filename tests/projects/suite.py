"""MPICH's own test programs, for tests/projects.sh.

  suite.py run BUILD FILE LAUNCHER...          runs the programs of the build tree BUILD by the
                                               launcher (which takes -n NUMBER PROGRAM ARGUMENT...),
                                               and leaves their verdicts in FILE, and what those said
                                               that did not pass in FILE.log
  suite.py failed OURS BUILD FILE LAUNCHER...  the same with those that did not pass in OURS
  suite.py compare NATIVE OURS                 says which verdicts are worse than the native ones
  suite.py table FAMILY LIBRARY NATIVE OURS    the same of programs built with FAMILY where all have run
                                               natively, on LIBRARY, with what fails there and why

What runs, on how many ranks and how it is judged is said in the tree's testlist files. A
verdict is "pass", or how the run ended. A program that was not built has none.
"""

import fnmatch
import json
import os
import pathlib
import signal
import subprocess
import sys

LIMIT = int(os.environ.get("SUITE_LIMIT", "90"))  # seconds for one program; a busy machine needs more
RANKS = 4  # programs on more ranks are left out

# Tests that prove nothing: a directory or program, and why.
LEFT_OUT = {
    "spawn": "Debian's MPICH has no dynamic processes",
    "perf": "speed is not judged here",
    "attr/attrerrtype": "goes by what a failed MPI_Type_dup leaves, but where --enable-strictmpi is given",
    "io/bigtype": "6.5 GB of memory",
    "io/i_bigtype": "the same",
    "coll/opland": "operations on floating-point numbers, which only MPICH has",
    "coll/oplor": "the same",
    "coll/oplxor": "the same",
    "part/nonblocking_pready": "sends elements of MPI_DATATYPE_NULL, which MPICH alone does",
    "coll/nonblocking2": "has datatypes in an array of int",
    "coll/nonblocking3": "the same",
    "comm/cmsplit_type": "MPICH's split by directories",
    "datatype/typename": "wants MPI_INTEGER16, which MPICH 4.0 does not have",
    "datatype/indexed_misc": "uses a freed datatype, whose number natively is the next one's (RATIONALE: slots have a generation)",
    "datatype/indexed_misc_oldapi": "the same",
    "info/info_no_init": "MPI_Info after MPI_Finalize, which Open MPI 4.1 ends the process for",
    "info/infocreateenv": "the same",
    "info/infocrenvf": "the same, in Fortran",
    "info/infocrenvf90": "the same",
    "init/timeout": "a time limit of MPICH's launcher",
    "pt2pt/irsendf": "takes the status of the request that Waitany names last for the receive's, and it may be the send's",
    "pt2pt/irsendf08": "the same",
    "pt2pt/irsendf90": "the same",
    "mpi_t/qmpi_test": "QMPI, which only MPICH has",
    "threads/pt2pt/mt_improbe_isendrecv": "takes MPI_REQUEST_NULL for MPI_MESSAGE_NULL, which are one number in MPICH alone",
    "threads/pt2pt/mt_improbe_sendrecv": "the same",
    "threads/pt2pt/mt_improbe_sendrecv_huge": "the same",
}

# Tests that fail natively, by library: a pattern of lines, and why.
FAILS_NATIVELY = {
    "openmpi": {
        "datatype/typecnts*": "crashes in MPI_Type_get_contents",
        "datatype/typesname*": "gives a duplicate the name of its datatype",
        "f90types/createf90types*": "crashes in MPI_Type_get_contents",
        "pt2pt/mprobe*": "sets MPI_ERROR in the status of one operation",
        "rma/winname*": "gives a new window a name",
        "subarray/test1[45]*": "its module has the compiler copy sections of arrays, for calls that return at once as well",
    },
    "mpich": {},
}

# Failures that are in the program itself, because the compiler has compiled the family's modules in.
COMPILED_IN = {"openmpi": ["subarray/test1[45]*"], "mpich": []}


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
        return None, ""
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
            output, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
        return "no end", output
    judged = dict(options).get("resultTest", "")
    if judged == "TestErrFatal":
        return "pass" if process.returncode else "no failure", output
    if process.returncode == 0 and (judged or "no errors" in output.lower()):
        return "pass", output
    return f"exit {process.returncode}" if process.returncode else "errors", output


def read(file):
    file = pathlib.Path(file)
    return json.loads(file.read_text()) if file.exists() else {}


def run_all(build, file, *launcher, only=None):
    build, file = pathlib.Path(build), pathlib.Path(file)
    verdicts = read(file)
    with open(f"{file}.log", "a", encoding="utf-8") as log:
        for line, name, words in tests(build):
            if line in verdicts or only is not None and line not in only:
                continue
            verdicts[line], output = run(build, launcher, name, words)
            file.write_text(json.dumps(verdicts, indent=0))
            if verdicts[line] not in ("pass", None):
                print(f"=== {line}: {verdicts[line]}\n{output}", file=log, flush=True)


def run_failed(ours, *arguments):
    run_all(*arguments, only=[line for line, verdict in read(ours).items() if verdict not in ("pass", None)])


def matches(line, patterns):
    return [pattern for pattern in patterns if fnmatch.fnmatchcase(line, pattern)]


def compare(native, ours, compiled_in=()):
    native, ours = read(native), read(ours)
    ran = [line for line, verdict in ours.items() if verdict and not matches(line, compiled_in)]
    worse = [line for line in ran if native.get(line) == "pass" and ours[line] != "pass"]
    for line in worse:
        print(f"worse than natively: {line}: {ours[line]}", file=sys.stderr)
    passed = sum(ours[line] == "pass" for line in ran)
    print(f"{passed} of {len(ran)} passed, {len(worse)} worse than natively")
    return 1 if worse else 0


def table(family, library, native, ours):
    verdicts, known = read(native), FAILS_NATIVELY[library]
    ran = [verdict for verdict in verdicts.values() if verdict]
    print(f"natively {ran.count('pass')} of {len(ran)} passed, through wi4go ", end="", flush=True)
    code = compare(native, ours, COMPILED_IN[family])
    for line, verdict in verdicts.items():
        if verdict not in ("pass", None):
            why = [known[pattern] for pattern in matches(line, known)]
            print(f"    fails natively: {line}: {verdict}: {why[0] if why else 'not listed'}")
    return code


if __name__ == "__main__":
    sys.exit({"run": run_all, "failed": run_failed, "compare": compare, "table": table}[sys.argv[1]](*sys.argv[2:]))
