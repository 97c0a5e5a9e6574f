"""Runs tests that need no window with Windows' Python under Wine: `python3 packaging/windows_tests.py`.

Its arguments are the tests, all of `FOLDERS` without any. `EXCEPTIONS` says what is left out, and why.
"""

import sys
from collections.abc import Sequence

import windows_under_wine

FOLDERS = ("base", "schema", "layout", "wire", "prepare", "data_files", "local", "cli", "analysis")
"""The folders of tests that run: values and functions, files, and the command line."""
NO_LINKS = "Wine reports that a link was created, and creates none"
EXCEPTIONS = {
    "tests/base/test_atomic_files.py::test_a_link_is_followed": NO_LINKS,
}
"""The tests that do not run there, or fail there for a reason that is none of the program's."""


def main(arguments: Sequence[str]) -> int:
    """Run the tests; returns the exit code of pytest."""
    windows_under_wine.provide()
    tests = list(arguments) or [f"tests/{folder}" for folder in FOLDERS]
    for test, reason in EXCEPTIONS.items():
        print(f"Left out: {test}: {reason}.", flush=True)
    left_out = [f"--deselect={test}" for test in EXCEPTIONS]
    return windows_under_wine.run(["-m", "pytest", "-n", "0", "-q", *left_out, *tests])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
