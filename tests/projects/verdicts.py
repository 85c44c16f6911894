"""The verdicts of mpi4py's own tests, for tests/projects.sh.

  verdicts.py run TESTS FILE [NATIVE]  runs the tests in the directory TESTS, on each rank,
                                       but for those that ended a process natively
  verdicts.py again NATIVE OURS        lets `run` judge once more what was worse than natively,
                                       since some failures come of what ran before
  verdicts.py compare NATIVE OURS      says which verdicts are worse than the native ones
  verdicts.py passed OURS              says which tests have not passed on the embedded MPI;
                                       `run` leaves out the chapters that it lacks

A test that ends the process or hangs must not end the others. So each rank writes
into FILE.RANK what it begins and how that ended; `run` goes on behind the test that
was not ended, and is over when FILE.0 says "done".
"""

import collections
import faulthandler
import fnmatch
import glob
import os
import sys
import unittest

LIMIT = 60  # seconds for one test; the longest takes two on an idle machine
VERDICTS = ["ok", "skipped", "failed", "died"]  # each worse than the previous one

# Tests that prove nothing: a test, class or module, as a pattern, and why.
LEFT_OUT = {
    "test_spawn": "Debian's MPICH has no dynamic processes, and what is skipped goes by the program's MPI",
    "test_util_pool": "the same",
    "test_ulfm": "extensions: MPICH's own end the process, and the program for MPICH does not call them",
    "test_mpiabi": "asks which MPI the extension was built for",
    "test_package": "the same",
    "test_datatype.TestDatatype.testGetSetName": "names what MPICH leaves nameless in programs for MPICH only",
    "test_errhandler.TestErrhandlerSession.testErrorsAbort": "Open MPI 4.1 has no MPI_ERRORS_ABORT, nor sessions to ask",
    "test_comm.*.testSplitTypeHW*": "goes by MPI_Get_version, which for a program of Open MPI 4.1 is 3.1",
    "test_datatype.TestDatatype.testContiguousBigMPI": "takes it that large counts come with 4.0 as MPI_Get_version's answer",
}

# Tests of chapters that the embedded MPI does not have, and the chapter.
MISSING = {
    "test_dynproc": "spawned processes",
    "test_errhandler.TestErrhandlerFile": "files",
    "test_errhandler.TestErrhandlerWin": "windows",
    "test_file": "files",
    "test_exceptions.TestExcWin*": "windows",
    "test_attributes.TestWinAttr": "windows",
    "test_handle.TestHandleWin": "windows",
    "test_io": "files",
    "test_msgspec.TestMessageRMA*": "windows",
    "test_objmodel.TestObjModel.testSafeFreeCreated": "files",
    "test_rma": "windows",
    "test_rma_nb": "windows",
    "test_subclass.TestMyFile": "files",
    "test_subclass.TestMyWin": "windows",
    "test_util_sync": "windows",
    "test_win": "windows",
}


# Tests that fail on the embedded MPI with the module for a family, and why.
KNOWN = {
    "openmpi": {
        "test_exceptions.TestExcErrhandlerNull": "Open MPI 4.1 has no class MPI_ERR_ERRHANDLER, which the embedded MPI returns; the test expects its MPI_ERR_ARG",
    },
}


def files(name):
    return glob.glob(glob.escape(name) + ".[0-9]*")


def read(name):
    """The verdict of each test, the worst of all ranks."""
    verdicts = {}
    for path in files(name):
        own = {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                verdict, _, test = line.rstrip("\n").partition(" ")
                own[test] = "died" if verdict == "began" else verdict
        for test, verdict in own.items():
            if test:
                verdicts[test] = max(verdict, verdicts.get(test, "ok"), key=VERDICTS.index)
    return verdicts


class Result(unittest.TestResult):
    """Writes each verdict when it is known."""

    def __init__(self, out):
        super().__init__()
        self.out, self.verdict, self.running = out, "ok", False

    def say(self, verdict, test):
        print(verdict, test.id(), file=self.out, flush=True)

    def note(self, verdict, test):
        if not self.running:  # a class or a module that could not be set up
            self.say(verdict, test)
        self.verdict = max(verdict, self.verdict, key=VERDICTS.index)

    def startTest(self, test):
        super().startTest(test)
        self.verdict, self.running = "ok", True
        self.say("began", test)
        faulthandler.dump_traceback_later(LIMIT, exit=True)

    def stopTest(self, test):
        super().stopTest(test)
        faulthandler.cancel_dump_traceback_later()
        self.say(self.verdict, test)
        self.running = False

    def fail(self, test, err):
        self.note("failed", test)
        print(self._exc_info_to_string(err, test), file=sys.stderr, flush=True)

    def addError(self, test, err):
        self.fail(test, err)

    def addFailure(self, test, err):
        self.fail(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.fail(test, err)

    def addSkip(self, test, reason):
        self.note("skipped", test)


def is_left_out(test, left_out):
    return any(fnmatch.fnmatchcase(test, pattern) or fnmatch.fnmatchcase(test, pattern + ".*") for pattern in left_out)


class NoFiles:
    """Takes the place of MPI.File while modules load: they go on without files after this exception."""

    def Open(*arguments):
        raise NotImplementedError("files")


def load(MPI, tests):
    """All tests of a directory, without those of MISSING on the embedded MPI."""
    left_out, file = dict(LEFT_OUT), MPI.File
    if "wi4go embedded MPI" in MPI.Get_library_version():
        left_out.update(MISSING)
        left_out.update(KNOWN.get(os.environ.get("MPI4PY_MPIABI"), {}))
        MPI.File = type("File", (NoFiles, MPI.File), {})
    all_tests = list(flat(unittest.defaultTestLoader.discover(tests, "test_*.py")))
    MPI.File = file
    return [t for t in all_tests if not is_left_out(t.id(), left_out)]


def flat(suite):
    for test in suite:
        yield from flat(test) if isinstance(test, unittest.TestSuite) else [test]


def run(tests, name, native=None):
    sys.dont_write_bytecode = True
    sys.path.insert(0, tests)
    from mpi4py import MPI

    # Natively, a type that the library lacks is the null type.
    for constant, value in list(vars(MPI).items()):
        if isinstance(value, MPI.Datatype) and value != MPI.DATATYPE_NULL:
            try:
                value.Get_size()
            except MPI.Exception:
                setattr(MPI, constant, MPI.DATATYPE_NULL)

    # All tests run everywhere; native failures show which of them prove something.
    import mpiunittest

    mpiunittest.skipMPI = lambda _predicate, *_conditions, **_reason: lambda test: test
    world = MPI.COMM_WORLD
    died = [t for t, verdict in read(native).items() if verdict == "died"] if native else []
    judged = world.bcast({*read(name), *died} if world.rank == 0 else None)
    todo = [t for t in load(MPI, tests) if t.id() not in judged]
    with open(f"{name}.{world.rank}", "a", encoding="utf-8") as out:
        unittest.TestSuite(todo).run(Result(out))
        world.barrier()
        print("done", file=out)


def worse_tests(native, ours):
    return [
        test
        for test, verdict in sorted(native.items())
        if verdict != "died" and VERDICTS.index(ours.get(test, "died")) > VERDICTS.index(verdict)
    ]


def again(native, ours):
    worse = set(worse_tests(read(native), read(ours)))
    for path in files(ours) if worse else []:
        with open(path, encoding="utf-8") as lines:
            kept = [line for line in lines if line != "done\n" and line.split()[1] not in worse]
        with open(path, "w", encoding="utf-8") as lines:
            lines.writelines(kept)


def compare(native, ours):
    native, ours = read(native), read(ours)
    worse = worse_tests(native, ours)
    count = collections.Counter(ours.values())
    print(", ".join(f"{count[v]} {v}" for v in VERDICTS if count[v]) + f", {len(worse)} worse than natively")
    for test in worse:
        print(f"    {test}: {ours.get(test, 'not run')}, natively {native[test]}")
    return bool(worse)


def passed(ours):
    ours = read(ours)
    count = collections.Counter(ours.values())
    print(", ".join(f"{count[v]} {v}" for v in VERDICTS if count[v]))
    bad = [test for test, verdict in sorted(ours.items()) if verdict in ("failed", "died")]
    for test in bad:
        print(f"    {test}: {ours[test]}")
    return bool(bad) or not count["ok"]


if __name__ == "__main__":
    sys.exit({"run": run, "again": again, "compare": compare, "passed": passed}[sys.argv[1]](*sys.argv[2:]))
