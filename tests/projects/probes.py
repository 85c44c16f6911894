"""Writes the probes of Open MPI's ompi/test/mpi-abi, for tests/projects.sh.

  probes.py SOURCES MPI_H DIRECTORY    writes the C source of each probe, and a testlist with its ranks;
                                       MPI_H is the mpi.h that they will be compiled with

A probe is a body in a file of its own, into which the suite's own modules insert the constants of the standard
ABI that the header declares.
"""

import pathlib
import sys


def main(sources, header, directory):
    sources, directory = pathlib.Path(sources), pathlib.Path(directory)
    sys.path.insert(0, str(sources / "ompi/test/mpi-abi"))
    from _abi_installed import _c_probe_source
    from _abi_manifest import build_manifest
    from _abi_probes import _parse_header_constant_names, _prepare_installed_c_probe_body
    from _abi_tables import INSTALLED_C_ABI_PROBES, INSTALLED_C_CALLBACK_PROBES, INSTALLED_C_RUNTIME_API_PROBES

    manifest = build_manifest(sources, sources)
    declared = _parse_header_constant_names(pathlib.Path(header))
    with open(directory / "testlist", "w", encoding="utf-8") as testlist:
        for case in [*INSTALLED_C_ABI_PROBES, *INSTALLED_C_RUNTIME_API_PROBES, *INSTALLED_C_CALLBACK_PROBES]:
            body = _prepare_installed_c_probe_body(sources, case, manifest, declared)
            (directory / f"{case['name']}.c").write_text(_c_probe_source(sources, case, body))
            print(case["name"], case["rank_count"], "resultTest=status", file=testlist)


if __name__ == "__main__":
    main(*sys.argv[1:])
