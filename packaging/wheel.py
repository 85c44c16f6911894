#!/usr/bin/env python3
"""packaging/wheel.py TREE VERSION ARCH OUT: makes a Python wheel of a built tree.

It gives a virtual environment the command wi4go, as bin/wi4go and lib/wi4go, and
nothing of the MPI to compile with, whose names (mpicc, mpi.h) the wheels of MPI
libraries have, nor the tests that are programs of its mpifort. A wheel holds no symbolic links, so the directories for
LD_LIBRARY_PATH have stand-ins that bring the one front, where another tree has links.
"""
import base64
import glob
import hashlib
import json
import os
import re
import sys
import time
import zipfile

ROOM = 4096  # for a name in the blank stand-in (internal/install)


def stand_in(blank, soname, needed):
    """The content of a library without symbols that has a soname and needs another."""
    for letter, name in (b"S", soname), (b"N", needed):
        room, name = letter * ROOM, name.encode()
        if blank.count(room) != 1 or len(name) >= ROOM:
            sys.exit("packaging/wheel.py: standin.so has no room for the name %r" % name)
        blank = blank.replace(room, name.ljust(ROOM, b"\0"))
    return blank


def standard():
    """The name of the family of the standard ABI, whose Fortran programs are mpifort's."""
    for path in glob.glob("abi/*.json"):
        with open(path, encoding="utf-8") as f:
            family = json.load(f)
        if family["traits"].get("standard"):
            return family["family"]
    sys.exit("packaging/wheel.py: no file in abi/ has the trait \"standard\"")


def contents(tree):
    """(place below the environment, content, executable) of each file."""
    with open(os.path.join(tree, "lib/wi4go/standin.so"), "rb") as f:
        blank = f.read()
    unwanted = re.compile(r"lib/wi4go/mpi/|share/wi4go/modulefiles/|lib/wi4go/verify/%s/.*-(mpif|f08)$" % standard())
    for part in "bin/wi4go", "lib/wi4go", "share":
        top = os.path.join(tree, part)
        found = [top] if os.path.isfile(top) else [os.path.join(d, f) for d, _, names in os.walk(top) for f in names]
        for path in sorted(found):
            name = os.path.relpath(path, tree)
            if unwanted.match(name):
                continue
            if os.path.islink(path):
                to = os.readlink(path)
                if not re.match(r"lib/wi4go/\w+/path/[^/]+$", name) or not re.match(r"\.\./[^/]+$", to):
                    sys.exit("packaging/wheel.py: a wheel cannot contain links, but %s is a link to %s: remove it from the tree" % (name, to))
                yield name, stand_in(blank, os.path.basename(name), "$ORIGIN/" + to), True
            else:
                with open(path, "rb") as f:
                    yield name, f.read(), os.access(path, os.X_OK)


def metadata(version):
    with open("README.md", encoding="utf-8") as f:
        description = f.read()
    summary = "Runs an MPI program on an MPI library other than the one it was compiled for"
    fields = [("Metadata-Version", "2.1"), ("Name", "wi4go"), ("Version", version), ("Summary", summary),
              ("License", "BSD-3-Clause"), ("License-File", "LICENSE"), ("Keywords", "MPI,HPC,ABI"),
              ("Classifier", "Environment :: Console"), ("Classifier", "Operating System :: POSIX :: Linux"),
              ("Classifier", "Topic :: System :: Distributed Computing"), ("Requires-Python", ">=3.6"),
              ("Description-Content-Type", "text/markdown")]
    return "".join("%s: %s\n" % field for field in fields) + "\n" + description


def main():
    tree, version, arch, out = sys.argv[1:]
    tags = ["py3-none-manylinux_2_17_" + arch, "py3-none-manylinux2014_" + arch]
    wheel = "Wheel-Version: 1.0\nGenerator: wi4go\nRoot-Is-Purelib: false\n" + "".join("Tag: %s\n" % t for t in tags)
    name = "wi4go-" + version
    data, info = name + ".data/", name + ".dist-info/"
    with open("LICENSE", "rb") as f:
        licence = f.read()
    files = [((data + "scripts/wi4go") if place == "bin/wi4go" else data + "data/" + place, content, executable)
             for place, content, executable in contents(tree)]
    files += [(info + "LICENSE", licence, False), (info + "METADATA", metadata(version).encode(), False),
              (info + "WHEEL", wheel.encode(), False)]

    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or os.stat("README.md").st_mtime)
    date = time.gmtime(max(epoch, 315532800))[:6]  # a zip begins in 1980
    record = ""
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "%s-%s.%s.whl" % (name, tags[0], tags[1].rsplit("-", 1)[1]))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name, content, executable):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, content)
        for file in files:
            add(*file)
            digest = base64.urlsafe_b64encode(hashlib.sha256(file[1]).digest()).rstrip(b"=").decode()
            record += "%s,sha256=%s,%d\n" % (file[0], digest, len(file[1]))
        add(info + "RECORD", (record + info + "RECORD,,\n").encode(), False)
    print(path)


main()
