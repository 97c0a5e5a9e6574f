"""Sets up Python for Windows under Wine in `build/wine`, with the program and its libraries.

Then it runs Python with its arguments, such as `-m batchwright --version`. The versions are those of
`test.lock`. What Wine lacks is built from the sources in `packaging/windows/shims`; no package for users
has it.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement

import start
import system
from project import BUILD, ROOT, new_folder, pip_install

WINE = BUILD / "wine"
PYTHON_FOLDER = WINE / "python"
SITE = WINE / "site"
SHIMS = ROOT / "packaging" / "windows" / "shims"
LOCK = ROOT / "packaging" / "test.lock"
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
INTO_SITE = ("--target", str(SITE), "--no-deps", "--root-user-action=ignore")
COMPILER, OBJDUMP = "x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-objdump"
LOADER = Path("/usr/lib/wine/wine64")
"""Wine's loader on Debian, which is not on the path."""
MATH, OWN_MATH = b"api-ms-win-crt-math-l1-1-0.dll", b"xpi-ms-win-crt-math-l1-1-0.dll"
"""Wine resolves the first name itself, so that NumPy's modules must import another one."""
COMPLEX = re.compile(r"(c(?:abs|arg|real|imag|pow|(?:cos|sin|tan)h?|exp|log|sqrt))([fl]?)")


def main(arguments: Sequence[str]) -> int:
    """Set everything up, and run Python if there are arguments."""
    system.provide("wine")
    stamp, expected = WINE / "set-up.txt", _fingerprint()
    if not stamp.exists() or stamp.read_text("ascii") != expected:
        set_up()
        stamp.write_text(expected, "ascii")
    return run(arguments) if arguments else 0


def set_up() -> None:
    """Create the folder with Python, the libraries, the shims and the home of Wine."""
    start.set_up("test")
    new_folder(WINE)
    print(f"Setting up Python {PYTHON_VERSION} for Windows in {WINE} ...", flush=True)
    unpack_python()
    install_libraries()
    build_shims()
    wine(LOADER, "wineboot", "--init")


def unpack_python() -> None:
    """Unpack Python, without the module with which `platform` asks Windows what Wine cannot answer."""
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
    (PYTHON_FOLDER / "lib" / "_wmi.pyd").unlink()


def install_libraries() -> None:
    """Install what the lock file has for Windows, as wheels, and the metadata of the program."""
    requirements = WINE / "requirements.txt"
    requirements.write_text("\n".join(windows_requirements(LOCK.read_text("utf-8"))), "utf-8")
    for_windows = ["--platform", "win_amd64", "--python-version", MARKERS["python_version"]]
    pip_install(
        start.PYTHON,
        *for_windows,
        *INTO_SITE,
        "--only-binary=:all:",
        "--require-hashes",
        "-r",
        str(requirements),
    )
    pip_install(start.PYTHON, *INTO_SITE, "--no-build-isolation", "--upgrade", "-e", ".")


def windows_requirements(lock: str) -> Iterator[str]:
    """The entries of a lock file for Windows, without their conditions."""
    for entry in re.split(r"\n(?=[a-z0-9])", lock):
        line, _separator, rest = entry.partition("\\")
        requirement = Requirement(line.strip())
        if requirement.marker is None or requirement.marker.evaluate(MARKERS):
            yield f"{requirement.name}{requirement.specifier} \\{rest}"


def build_shims() -> None:
    """Build what Wine lacks, beside Python's program."""
    compile_library("bcryptprimitives.dll", SHIMS / "bcryptprimitives.c", "-ladvapi32")
    compile_library("icuuc.dll", SHIMS / "icuuc.c")
    forwards = {name: f"python312.{name}" for name in exports(PYTHON_FOLDER / "python312.dll")}
    compile_library("python3.dll", definitions("python3", forwards), "-nostdlib", "-Wl,--entry=0")
    modules = [path for path in SITE.rglob("*") if path.suffix in (".pyd", ".dll") and is_of_numpy(path)]
    functions = {name for path in modules for name in imports(path, MATH.decode())}
    names = {name: math_function(name) for name in sorted(functions)}
    source = definitions(OWN_MATH.decode().removesuffix(".dll"), names)
    compile_library(OWN_MATH.decode(), source, SHIMS / "complex_math.c", "-static", "-static-libgcc")
    for path in modules:
        path.write_bytes(path.read_bytes().replace(MATH, OWN_MATH))


def is_of_numpy(path: Path) -> bool:
    """Whether a library is one of NumPy's."""
    return path.relative_to(SITE).parts[0] in ("numpy", "numpy.libs")


def math_function(name: str) -> str:
    """The function behind a name of the C runtime: one of the shim, or of the runtime itself."""
    if not (found := COMPLEX.fullmatch(name)):
        return f"ucrtbase.{name}"
    return f"{'f' if found[2] == 'f' else 'd'}_{found[1]}"


def definitions(library: str, names: Mapping[str, str]) -> Path:
    """Write a file of definitions: the names that a library exports, and what is behind each."""
    path = WINE / f"{library}.def"
    lines = (f'    "{name}" = {target}' for name, target in names.items())
    path.write_text("\n".join((f'LIBRARY "{library}.dll"', "EXPORTS", *lines, "")), "ascii")
    return path


def compile_library(name: str, *options: str | Path) -> None:
    """Compile a library into the folder of Python."""
    subprocess.run([COMPILER, "-shared", "-O2", "-o", PYTHON_FOLDER / name, *options], check=True)


def exports(library: Path) -> list[str]:
    """The names that a library exports."""
    listing = _objdump(library)
    table = listing[listing.index("[Ordinal/Name Pointer] Table") :]
    return re.findall(r"^\t\[ *\d+\] (?:\+base\[ *\d+\] +[0-9a-f]+ )?(\w+)$", table, re.MULTILINE)


def imports(library: Path, source: str) -> list[str]:
    """The names that a library imports from another one."""
    parts = re.split(r"^\tDLL Name: ", _objdump(library), flags=re.MULTILINE)
    found = (part for part in parts if part.startswith(f"{source}\n"))
    return [name for part in found for name in re.findall(r"^\t[0-9a-f]+\t +\d+  (\w+)$", part, re.MULTILINE)]


def _objdump(library: Path) -> str:
    command: list[str | Path] = [OBJDUMP, "--private-headers", library]
    listing = subprocess.run(command, check=True, capture_output=True, text=True)
    return listing.stdout


def run(arguments: Sequence[str]) -> int:
    """Run Python for Windows, with the libraries and the program; returns its exit code."""
    return wine(LOADER, PYTHON_FOLDER / "python.exe", *arguments)


def wine(*command: str | Path) -> int:
    """Run a command with Wine's own home. Its standard streams are pipes: Windows' Python reads no others."""
    environment = {
        **os.environ,
        "WINEPREFIX": str(WINE / "home"),
        "WINEDEBUG": os.environ.get("WINEDEBUG", "-all"),
        "PYTHONPATH": f"{windows_path(SITE)};{windows_path(ROOT / 'src')}",
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    )
    assert process.stdout is not None
    for line in process.stdout:
        sys.stdout.buffer.write(line)
        sys.stdout.flush()
    return process.wait()


def windows_path(path: Path) -> str:
    """The path of a file of this computer, as Wine shows it to Windows' programs."""
    return "Z:" + str(path).replace("/", "\\")


def _fingerprint() -> str:
    """What the folder was made of."""
    sources = (Path(__file__), LOCK, *sorted(SHIMS.iterdir()))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
