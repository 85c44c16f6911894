"""MPICH's own test programs, and those of other suites, for tests/projects.sh.

  suite.py run BUILD FILE LAUNCHER...          runs the programs of the build tree BUILD by the
                                               launcher (which takes -n NUMBER PROGRAM ARGUMENT...),
                                               and leaves their verdicts in FILE, and what those said
                                               that did not pass in FILE.log
  suite.py failed OURS BUILD FILE LAUNCHER...  the same with those that did not pass in OURS
  suite.py again BUILD FILE LAUNCHER...        runs those again that did not end, usually with a higher SUITE_LIMIT,
                                               except the ones that the testlist expects to fail
  suite.py varying LIBRARY NATIVE BUILD LAUNCHER... -- OURS BUILD LAUNCHER...
                                               runs those again that are worse and whose native verdicts vary on
                                               LIBRARY: through wi4go up to TRIES times, until one run passes. If none
                                               does, natively TRIES times: if less than half of these pass, the
                                               comparison proves nothing, and NATIVE gets their number as the verdict
  suite.py unbuilt BUILD FILE                  leaves in FILE why each program that was not built cannot be built:
                                               the MPI names that the library lacks, or the compiler's first error
  suite.py directories BUILD                   prints the directories of the programs
  suite.py compare NATIVE OURS                 says which verdicts are worse than the native ones
  suite.py table FAMILY LIBRARY NATIVE OURS    the same of programs built with FAMILY where all have run
                                               natively, on LIBRARY, with what fails there and why

The tree's testlist files list the programs with their ranks, arguments and judgement, in
MPICH's format. Other suites than MPICH's have one in tests/projects, with two more options:
passes=PATTERN, which alone decides if the output has it, and fails=PATTERN. SUITE names the
suite, whose known failures are in known.json. A verdict is "pass", how the run ended, or "needs" and
a function that the embedded MPI does not have. A program that was not built has none.
"""

import ctypes
import fnmatch
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

LIMIT = int(os.environ.get("SUITE_LIMIT", "90"))  # seconds for one program; a busy machine needs more
RANKS = int(os.environ.get("SUITE_RANKS", "4"))  # programs on more ranks are left out
TRIES = 10  # runs of a program whose native verdicts vary
SHOWN = 60  # lines of a failed program's output in the log
LACKS = re.compile(r"the embedded MPI does not have (MPI_\w+)")  # its error for a function that it does not have
PR_SET_CHILD_SUBREAPER = 36  # of prctl(2)

# Errors of gcc, gfortran and the linker that name a part of MPI, and the reason why the program is not built.
NAME_ERRORS = [
    (r"[`'‘](MPIX?_\w+?)['’] (?:undeclared|was not declared)", "lacks {}"),
    (r"unknown type name ['‘](MPIX?_\w+)['’]", "lacks {}"),
    (r"undefined reference to [`'‘](mpix?_\w+?)_?['’]", "lacks {}"),
    (r"['‘](\w+)['’] is not a member of ['‘]MPI", "lacks MPI::{}"),
    (r"(?:Symbol|Function) ['‘](mpix?_\w+)['’] (?:referenced )?at \(1\) (?:not found|has no IMPLICIT type)", "lacks {}"),
    (r"for the generic ['‘](mpix?_\w+)['’]", "has other arguments of {}"),
]
ERROR = re.compile(r"(?m)^.*?(?:[Ee]rror: |\*\*\* )(.*)")

# What is known of the suite's programs: by pattern of names, which are left out because they prove nothing, by
# library which fail natively, and which pass in one native run and fail in the next, and by family which fail because
# the compiler has compiled the family's modules in; each with a reason. For the embedded MPI also which need not pass, and which need not where they are not built with MPICH.
KNOWN = json.loads(pathlib.Path(__file__).with_name("known.json").read_text())[os.environ.get("SUITE", "mpich")]


def tests(build, directory="", left_out=KNOWN["left_out"]):
    """The lines of the testlist files, in order: line, name, words. Without the names that left_out has."""
    listed = build / directory / "testlist"
    for line in listed.read_text().splitlines() if listed.exists() else []:
        words = line.split("#")[0].split()
        if not words:
            continue
        name = str(pathlib.PurePath(directory, words[0]))
        if matches(name, left_out):
            continue
        if (build / name).is_dir():
            yield from tests(build, name, left_out)
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
        return verdict(dict(options), process.returncode, output), output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)  # the launcher ends its ranks
        try:
            output, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            end_processes()
            output, _ = process.communicate()
        return "no end", output
    finally:
        end_processes()


def adopt_orphans():
    """Makes this process the parent of ranks whose launcher has ended. Launchers start ranks in sessions of their own."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def end_processes():
    """Ends all descendants of this process. The children of an ended process become children of this process."""
    while children := pathlib.Path("/proc/self/task", str(threading.get_native_id()), "children").read_text().split():
        for child in map(int, children):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def verdict(options, status, output):
    lacks = LACKS.search(output)
    if lacks:
        return f"needs {lacks[1]}"
    judged = options.get("resultTest", "")
    if judged in ("TestErrFatal", "TestStatus"):
        return "pass" if status else "no failure"
    if "fails" in options and re.search(options["fails"], output):
        return f"prints {options['fails']}"
    if "passes" in options:
        return "pass" if re.search(options["passes"], output, re.MULTILINE) else f"no {options['passes']}, exit {status}"
    if status == 0 and (judged or "no errors" in output.lower()):
        return "pass"
    return f"exit {status}" if status else "errors"


def read(file):
    file = pathlib.Path(file)
    return json.loads(file.read_text()) if file.exists() else {}


def run_all(build, file, *launcher, only=None):
    adopt_orphans()
    build, file = pathlib.Path(build), pathlib.Path(file)
    verdicts = read(file)
    with open(f"{file}.log", "a", encoding="utf-8") as log:
        for line, name, words in tests(build):
            if line in verdicts or only is not None and line not in only:
                continue
            verdicts[line], output = run(build, launcher, name, words)
            file.write_text(json.dumps(verdicts, indent=0))
            if verdicts[line] not in ("pass", None):
                print(f"=== {line}: {verdicts[line]}", *output.splitlines()[-SHOWN:], sep="\n", file=log, flush=True)


def run_failed(ours, *arguments):
    run_all(*arguments, only=[line for line, verdict in read(ours).items() if verdict not in ("pass", None)])


def run_again(build, file, *launcher):
    kept = {line: verdict for line, verdict in read(file).items() if verdict != "no end" or "xfail=" in line}
    pathlib.Path(file).write_text(json.dumps(kept, indent=0))
    run_all(build, file, *launcher)


def run_varying(library, *arguments):
    adopt_orphans()
    split = arguments.index("--")
    (native, native_build, *native_launcher), (ours, build, *launcher) = arguments[:split], arguments[split + 1 :]
    varying, natively, through = KNOWN["varies_natively"].get(library, {}), read(native), read(ours)
    by_line = {line: (name, words) for line, name, words in tests(pathlib.Path(build))}
    for line in worse_lines(natively, through):
        if not matches(line, varying):
            continue
        for _ in range(TRIES - 1):
            through[line], _ = run(pathlib.Path(build), launcher, *by_line[line])
            if through[line] == "pass":
                break
        else:
            passed = [run(pathlib.Path(native_build), native_launcher, *by_line[line])[0] for _ in range(TRIES)].count("pass")
            if passed < TRIES / 2:
                natively[line] = f"passes in {passed} of {TRIES} runs"
        pathlib.Path(ours).write_text(json.dumps(through, indent=0))
        pathlib.Path(native).write_text(json.dumps(natively, indent=0))


def why_unbuilt(build, name):
    """The reason why make does not build a program."""
    program = build / name
    command = ["make", "-C", program.parent, "SUBDIRS=.", program.name]
    done = subprocess.run(command, env=os.environ | {"LC_ALL": "C"}, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    if program.exists():
        return None
    for pattern, reason in NAME_ERRORS:
        names = sorted(re.findall(pattern, done.stdout, re.IGNORECASE))
        if names:
            return reason.format(names[0].upper() if names[0].startswith("mpi") else names[0])
    error = ERROR.search(done.stdout)
    return re.split(r"\.  Stop|; did you mean", error[1])[0].strip() if error else f"make exits {done.returncode}"


def unbuilt(build, file):
    build, reasons = pathlib.Path(build), read(file)
    for _, name, _ in tests(build):
        if name not in reasons and not (build / name).exists():
            reasons[name] = why_unbuilt(build, name)
    pathlib.Path(file).write_text(json.dumps(reasons, indent=0))


def print_directories(build):
    print(*dict.fromkeys(str(pathlib.PurePath(name).parent) for _, name, _ in tests(pathlib.Path(build))), sep="\n")


def matches(line, patterns):
    return [pattern for pattern in patterns if fnmatch.fnmatchcase(line, pattern)]


def worse_lines(native, ours):
    return [line for line, verdict in ours.items() if verdict and verdict != "pass" and native.get(line) == "pass"]


def compare(native, ours, compiled_in=()):
    native, ours = read(native), read(ours)
    ran = [line for line, verdict in ours.items() if verdict and not matches(line, compiled_in)]
    if not ran:
        print("nothing ran: none of the programs was built; the log of the build has the reason")
        return 1
    worse = [line for line in worse_lines(native, ours) if line in ran]
    for line in worse:
        print(f"worse than natively: {line}: {ours[line]}", file=sys.stderr)
    passed = sum(ours[line] == "pass" for line in ran)
    print(f"{passed} of {len(ran)} passed, {len(worse)} worse than natively")
    return 1 if worse else 0


def table(family, library, native, ours):
    verdicts, through = read(native), read(ours)
    known = KNOWN["fails_natively"].get(library, {}) | KNOWN["varies_natively"].get(library, {})
    ran = [verdict for verdict in verdicts.values() if verdict]
    print(f"natively {ran.count('pass')} of {len(ran)} passed, through wi4go ", end="", flush=True)
    code = compare(native, ours, KNOWN["compiled_in"].get(family, {}))
    alone = {line: verdict for line, verdict in through.items() if not verdicts.get(line)}
    for how, found in {"fails natively": verdicts, "fails, and does not compile natively": alone}.items():
        for line, verdict in found.items():
            if verdict not in ("pass", None):
                why = [known[pattern] for pattern in matches(line, known)]
                print(f"    {how}: {line}: {verdict}: {why[0] if why else 'not listed'}")
    return code


if __name__ == "__main__":
    commands = {"run": run_all, "failed": run_failed, "again": run_again, "varying": run_varying, "unbuilt": unbuilt, "directories": print_directories, "compare": compare, "table": table}
    sys.exit(commands[sys.argv[1]](*sys.argv[2:]))
