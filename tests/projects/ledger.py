"""The ledger of MPICH's test suite on the embedded MPI, for tests/projects.sh.

  ledger.py BUILD NATIVE FAMILY=OURS...  prints the ledger: of each family a table, as in docs/embedded-ledger.md,
                                         and lists of programs. BUILD is the suite's tree built with
                                         MPICH, NATIVE has its verdicts on MPICH, and each OURS the ones of
                                         the tree built with FAMILY on the embedded MPI (suite.py run).
                                         OURS.unbuilt has the reasons why programs were not built (suite.py
                                         unbuilt)

A program is out of scope if known.json leaves it out, if it does not pass and known.json says why it need
not, or if it calls a function that the embedded MPI does not have. It is worse if it does not pass on the
embedded MPI although it passes on MPICH. Programs with more ranks than NATIVE_RANKS did not run on MPICH and
must pass.
"""

import collections
import pathlib
import sys
import textwrap

import suite

NATIVE_RANKS = 4
OUR_RANKS = 10
COLUMNS = "chapter", "programs", "out of scope", "not built", "for more ranks", "passed natively", "passed on embedded", "fails on both", "worse"


def ranks(words):
    return next((int(w) for w in words if w.isdigit()), 2)


def chapter(name):
    return pathlib.PurePath(name).parent.name


def left_out(name, family):
    """The reason in known.json why a program, or a directory above it, is out of scope."""
    known = suite.KNOWN["left_out"] | suite.KNOWN["not_required"] | (suite.KNOWN["mpich_alone"] if family != "mpich" else {})
    for path in [name, *map(str, pathlib.PurePath(name).parents)]:
        for pattern in suite.matches(path, known):
            return known[pattern]
    return None


def why_not_built(name, family, unbuilt):
    """The reason in known.json, or else that of make."""
    known = suite.KNOWN["not_built"].get(family, {})
    for pattern in suite.matches(name, known):
        return known[pattern]
    return unbuilt.get(name) or "no reason found"


def place(line, name, words, family, native, ours, unbuilt):
    """The column of a program and, in the lists, its reason."""
    verdict, natively = ours.get(line), native.get(line)
    reason = left_out(name, family)
    if reason and verdict != "pass":
        return "out of scope", reason
    if verdict is None and ranks(words) > OUR_RANKS:
        return "for more ranks", ""
    if verdict is None:
        return "not built", why_not_built(name, family, unbuilt)
    if verdict == "pass":
        return "passed on embedded", ""
    if verdict.startswith("needs "):
        return "out of scope", verdict
    if natively == "pass" or natively is None and ranks(words) > NATIVE_RANKS and "xfail" not in line:
        return "worse", verdict
    return "fails on both", f"{verdict}; natively {natively or 'not run'}"


def section(build, native, family, ours):
    native, ours, unbuilt = suite.read(native), suite.read(ours), suite.read(f"{ours}.unbuilt")
    rows, lists = collections.defaultdict(collections.Counter), {"worse": {}, "fails on both": {}, "not built": {}, "out of scope": {}}
    for line, name, words in suite.tests(build, left_out={}):
        column, reason = place(line, name, words, family, native, ours, unbuilt)
        for row in chapter(name), "all":
            rows[row].update(["programs", column])
            if native.get(line) == "pass" and column != "out of scope":
                rows[row]["passed natively"] += 1
        if column in lists:
            lists[column].setdefault(reason, []).append(line)
    print(f"\n## Programs built with {family}\n")
    print("|", " | ".join(COLUMNS), "|")
    print("|---" * len(COLUMNS) + "|")
    for row in sorted(rows, key=lambda row: (row == "all", row)):
        print("|", " | ".join([row, *(str(rows[row][column]) for column in COLUMNS[1:])]), "|")
    for title, reasons in lists.items():
        print(f"\n### {title.capitalize()}\n\n```")
        for reason, lines in sorted(reasons.items()):
            print(f"{reason}:", textwrap.fill(", ".join(lines), 120, initial_indent="    ", subsequent_indent="    "), sep="\n")
        print("```" if reasons else "none\n```")
    return rows["all"]["worse"]


def main(build, native, *families):
    print("The output of tests/projects.sh embedded. docs/embedded-ledger.md describes it, and has its tables.")
    worse = sum(section(pathlib.Path(build), native, *family.split("=", 1)) for family in families)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
