#!/usr/bin/env python3
"""packaging/wheel.py TREE VERSION ARCH OUT: makes a Python wheel of a built tree.

The wheel gives a virtual environment the command wi4go, as bin/wi4go and lib/wi4go. The MPI to
compile with is in lib/wi4go/mpi only, because the wheels of MPI libraries have their own mpicc and
mpi.h. A wheel contains no symbolic links. Stand-ins that load the library replace links to a
library, linker scripts replace the link names, and scripts replace the links to wi4go.
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


# Starts wi4go under the name of one of an MPI's commands.
COMMAND = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/%s" called-as %s "$@"
"""


def instead(name, to, blank, tree):
    """Returns the content of the file that replaces a symbolic link, and whether it is executable."""
    if re.match(r"lib/wi4go/(\w+/path|mpi/lib)/[^/]+\.so\.\d+$", name) and "/" in to:
        return stand_in(blank, os.path.basename(name), "$ORIGIN/" + to), True
    if re.match(r"lib/wi4go/\w+/path/[^/]+$", name) and re.match(r"\.\./[^/]+$", to):
        return stand_in(blank, os.path.basename(name), "$ORIGIN/" + to), True
    if re.match(r"lib/wi4go/mpi/lib/\w+\.so$", name) and "/" not in to:
        # The linker needs the library itself, not its stand-in.
        library = os.path.join(os.path.dirname(os.path.join(tree, name)), to)
        target = os.readlink(library) if os.path.islink(library) else to
        return ("INPUT(%s)\n" % target).encode(), False
    if re.match(r"lib/wi4go/mpi/bin/\w+", name) and to.endswith("/bin/wi4go"):
        return (COMMAND % (to, os.path.basename(name))).encode(), True
    if name.endswith(".pc") and "/" not in to:
        with open(os.path.join(tree, name), "rb") as f:
            return f.read(), False
    sys.exit("packaging/wheel.py: a wheel cannot contain links, but %s is a link to %s: remove it from the tree" % (name, to))


def contents(tree):
    """Yields the place below the environment, the content and whether it is executable, of each file."""
    with open(os.path.join(tree, "lib/wi4go/standin.so"), "rb") as f:
        blank = f.read()
    for part in "bin/wi4go", "lib/wi4go", "share":
        top = os.path.join(tree, part)
        found = [top] if os.path.isfile(top) else [os.path.join(d, f) for d, _, names in os.walk(top) for f in names]
        for path in sorted(found):
            name = os.path.relpath(path, tree)
            if name.startswith("share/wi4go/modulefiles/"):
                continue
            if os.path.islink(path):
                yield (name, *instead(name, os.readlink(path), blank, tree))
            else:
                with open(path, "rb") as f:
                    yield name, f.read(), os.access(path, os.X_OK)


def metadata(version, licences):
    with open("README.md", encoding="utf-8") as f:
        description = f.read()
    summary = "Runs an MPI program on an MPI library other than the one it was compiled for"
    fields = [("Metadata-Version", "2.1"), ("Name", "wi4go"), ("Version", version), ("Summary", summary),
              ("License", "BSD-3-Clause"), *(("License-File", name) for name in licences), ("Keywords", "MPI,HPC,ABI"),
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
    files = [((data + "scripts/wi4go") if place == "bin/wi4go" else data + "data/" + place, content, executable)
             for place, content, executable in contents(tree)]
    # Tools look for licences in .dist-info.
    doc = data + "data/share/doc/wi4go/"
    licences = [(file[0][len(doc):], *file[1:]) for file in files if re.match(re.escape(doc) + "LICENSE$|" + re.escape(doc) + "licenses/", file[0])]
    files += [(info + name, *rest) for name, *rest in licences]
    files += [(info + "METADATA", metadata(version, [name for name, *_ in licences if name != "licenses/index.txt"]).encode(), False),
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
