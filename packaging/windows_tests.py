"""Runs tests that need no window with Windows' Python under Wine: `python3 packaging/windows_tests.py`.

Its arguments are the tests; without any, these are `FOLDERS` and `OF_SERVICE`. `EXCEPTIONS` says what is left
out, and why. With `--if-possible`, nothing is done on a computer without Wine.
"""

import sys
from collections.abc import Sequence

import system
import windows_under_wine
from project import ROOT
from windows_under_wine import PYTHON, SITE, TEST_SITE
from wine import LOADER, wine

IF_POSSIBLE = "--if-possible"
FOLDERS = (
    *("base", "schema", "layout", "wire", "prepare", "data_files", "local", "cli", "analysis"),
    *("api", "workflows"),
)
"""The folders of tests that run: those that need no window, except for the service."""
OF_SERVICE = ("lifecycle", "backups")
"""The tests of the service that run: those of processes, files and connections, which differ on Windows."""
NO_LINKS = "Wine reports that a link was created, and creates none"
_FOLDERS_AS_TABLES = "tests/data_files/sources/test_media_folder.py"
EXCEPTIONS = {
    "tests/base/files/test_atomic_files.py::test_a_link_is_followed": NO_LINKS,
    f"{_FOLDERS_AS_TABLES}::test_hidden_and_other_files_are_left_out_and_counted": NO_LINKS,
}
"""The tests that do not run there, or fail there for a reason that is none of the program's."""
LIMIT_S = 1200
"""Maximum seconds per test: a process of Windows' Python takes some seconds to start."""
PLUGIN = ROOT / "packaging" / "windows" / "tests_under_wine.py"


def main(arguments: Sequence[str]) -> int:
    """Run the tests, one folder after the other; returns 0 if all pass."""
    system.provide("wine")
    if IF_POSSIBLE in arguments and not LOADER.exists():
        return 0
    windows_under_wine.provide()
    for test, reason in EXCEPTIONS.items():
        print(f"Left out: {test}: {reason}.", flush=True)
    left_out = [f"--deselect={test}" for test in EXCEPTIONS]
    of_service = [f"tests/service/test_{name}.py" for name in OF_SERVICE]
    tests = [[test] for test in arguments if test != IF_POSSIBLE]
    tests = tests or [*([f"tests/{folder}"] for folder in FOLDERS), of_service]
    limits = (f"--timeout={LIMIT_S}", "-o", f"faulthandler_timeout={LIMIT_S}")
    options = ("-n", "auto", "--dist", "worksteal", "-q", "--tb=short", "-p", PLUGIN.stem, *limits, *left_out)
    python_path = (SITE, TEST_SITE, ROOT / "src", PLUGIN.parent)
    codes = [wine(PYTHON, "-m", "pytest", *options, *paths, python_path=python_path) for paths in tests]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
