"""Sets up Python for Windows under Wine in `build/wine`, with the program and its libraries.

Then it runs Python with its arguments, such as `-m batchwright --version`. The versions are those of
`test.lock`. What Wine lacks is built from the sources in `packaging/windows/shims` into Wine's system folder;
no package for users has it.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement

import start
import system
from project import ROOT, VERSION, new_folder, pip_install
from wine import DRIVE_C, RUNTIME, WINE, wine

PYTHON_FOLDER = WINE / "python"
PYTHON = PYTHON_FOLDER / "python.exe"
SITE = WINE / "site"
"""What the program is built with."""
TEST_SITE = WINE / "test-site"
"""What the tests need besides."""
SYSTEM = DRIVE_C / "windows" / "system32"
SHIMS = ROOT / "packaging" / "windows" / "shims"
LOCK, TEST_LOCK = (ROOT / "packaging" / name for name in ("build.lock", "test.lock"))
PYTHON_VERSION = "3.12.1"
PYTHON_ARCHIVE = "org.bytedeco:cpython:3.12.1-1.5.10:jar:windows-x86_64"
PYTHON_SHA256 = "e69bc4491c311e19ea7169bafc5efbbe03b980d69c6962b049daf1fcb4913391"
PYTHON_IN_ARCHIVE = "org/bytedeco/cpython/windows-x86_64/"
MARKERS = {
    "sys_platform": "win32",
    "platform_system": "Windows",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "python_version": "3.12",
    "python_full_version": PYTHON_VERSION,
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}
"""The environment for which the requirements of the lock file are chosen."""
COMPILER, OBJDUMP = "x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-objdump"
BUILT_IN = b"Wine builtin DLL"
"""The mark of Wine's own libraries, which are found by their own names only."""
WINES_RUNTIME = "wine_crt"
"""Wine's own C runtime; the one with the functions of the shim forwards all others to it."""
COMPLEX = re.compile(r"(c(?:abs|arg|real|imag|pow|(?:cos|sin|tan)h?|exp|log|sqrt))([fl]?)")


def main(arguments: Sequence[str]) -> int:
    """Set everything up, and run Python if there are arguments."""
    provide()
    return run(arguments) if arguments else 0


def provide() -> None:
    """Create the folder with Python, the libraries and the home of Wine, unless it is up to date."""
    system.provide("wine")
    stamp, expected = WINE / "set-up.txt", _fingerprint()
    if stamp.exists() and stamp.read_text("ascii") == expected:
        return
    start.set_up("test")
    new_folder(WINE)
    print(f"Setting up Python {PYTHON_VERSION} for Windows in {WINE} ...", flush=True)
    unpack_python()
    install_libraries()
    wine("wineboot", "--init")
    build_shims()
    stamp.write_text(expected, "ascii")


def unpack_python() -> None:
    """Unpack Python."""
    folder, plugin = new_folder(WINE / "download"), "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
    copy = [f"{plugin}:copy", f"-Dartifact={PYTHON_ARCHIVE}", f"-DoutputDirectory={folder}"]
    subprocess.run(["mvn", "--quiet", "--batch-mode", *copy], check=True, cwd=folder)
    (archive,) = folder.iterdir()
    if hashlib.sha256(archive.read_bytes()).hexdigest() != PYTHON_SHA256:
        sys.exit(f"{archive} is not the archive that is expected.")
    with zipfile.ZipFile(archive) as entries:
        entries.extractall(folder)
    shutil.move(folder / PYTHON_IN_ARCHIVE, PYTHON_FOLDER)
    shutil.rmtree(folder)


def install_libraries() -> None:
    """Install what the lock files have for Windows, as wheels, and the metadata of the program."""
    to_build = windows_requirements(LOCK.read_text("utf-8"))
    to_test = windows_requirements(TEST_LOCK.read_text("utf-8"))
    install(SITE, to_build.values())
    install(TEST_SITE, (entry for name, entry in to_test.items() if name not in to_build))
    target = ["--target", str(SITE), "--no-deps", "--root-user-action=ignore"]
    pip_install(start.PYTHON, *target, "--no-build-isolation", "--upgrade", "-e", ".")


def install(folder: Path, entries: Iterable[str]) -> None:
    """Install entries of a lock file, as wheels for Windows."""
    requirements = WINE / "requirements.txt"
    requirements.write_text("\n".join(entries), "utf-8")
    wheels = ["--platform", "win_amd64", "--python-version", MARKERS["python_version"], "--only-binary=:all:"]
    target = ["--target", str(folder), "--no-deps", "--root-user-action=ignore"]
    pip_install(start.PYTHON, *wheels, *target, "--require-hashes", "-r", str(requirements))


def windows_requirements(lock: str) -> dict[str, str]:
    """The entries of a lock file for Windows by the names of the packages, without their conditions."""
    entries = {}
    for entry in re.split(r"\n(?=[a-z0-9])", lock):
        line, _separator, rest = entry.partition("\\")
        requirement = Requirement(line.strip())
        if requirement.marker is None or requirement.marker.evaluate(MARKERS):
            entries[requirement.name] = f"{requirement.name}{requirement.specifier} \\{rest}"
    return entries


def build_shims() -> None:
    """Build what Wine lacks into its system folder, and what the archive of Python lacks beside Python."""
    compile_library(SYSTEM / "bcryptprimitives.dll", SHIMS / "bcryptprimitives.c", "-ladvapi32")
    compile_library(SYSTEM / "icuuc.dll", SHIMS / "icuuc.c")
    build_runtime()
    forwards = {name: f"python312.{name}" for name in exports(PYTHON_FOLDER / "python312.dll")}
    definition = definitions("python3", forwards)
    compile_library(PYTHON_FOLDER / "python3.dll", definition, "-nostdlib", "-Wl,--entry=0")


def build_runtime() -> None:
    """Put a C runtime with functions of complex numbers in place of Wine's, which has their names only."""
    runtime, wines = SYSTEM / f"{RUNTIME}.dll", SYSTEM / f"{WINES_RUNTIME}.dll"
    wines.write_bytes(runtime.read_bytes().replace(BUILT_IN, bytes(len(BUILT_IN)), 1))
    definition = definitions(RUNTIME, {name: runtime_function(name) for name in exports(wines)})
    runtime.unlink()
    compile_library(runtime, definition, SHIMS / "complex_math.c", "-static", "-static-libgcc")


def runtime_function(name: str) -> str:
    """The function behind a name of the C runtime: one of the shim, or of Wine."""
    if not (found := COMPLEX.fullmatch(name)):
        return f"{WINES_RUNTIME}.{name}"
    return f"{'f' if found[2] == 'f' else 'd'}_{found[1]}"


def definitions(library: str, names: Mapping[str, str]) -> Path:
    """Write a file of definitions: the names that a library exports, and what is behind each."""
    path = WINE / f"{library}.def"
    lines = (f'    "{name}" = {target}' for name, target in names.items())
    path.write_text("\n".join((f'LIBRARY "{library}.dll"', "EXPORTS", *lines, "")), "ascii")
    return path


def compile_library(library: Path, *options: str | Path) -> None:
    """Compile a library."""
    subprocess.run([COMPILER, "-shared", "-O2", "-o", library, *options], check=True)


def exports(library: Path) -> list[str]:
    """The names that a library exports."""
    command: list[str | Path] = [OBJDUMP, "--private-headers", library]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    table = listing[listing.index("[Ordinal/Name Pointer] Table") :]
    return re.findall(r"^\t\[ *\d+\] (?:\+base\[ *\d+\] +[0-9a-f]+ )?(\w+)$", table, re.MULTILINE)


def run(arguments: Sequence[str]) -> int:
    """Run Python for Windows, with the libraries, the tests and the program; returns its exit code."""
    return wine(PYTHON, *arguments, python_path=(SITE, TEST_SITE, ROOT / "src"))


def _fingerprint() -> str:
    """What the folder was made of."""
    sources = (Path(__file__), LOCK, TEST_LOCK, *sorted(SHIMS.iterdir()))
    content = b"".join(path.read_bytes() for path in sources)
    return hashlib.sha256(content + VERSION.encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
