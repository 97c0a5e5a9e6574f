"""Shows what takes how much space in the folder of the program: `python packaging/sizes.py FOLDER`.

Runs with the Python of the build, because PyInstaller reads the modules in the executable. The exit code is 1
if the program without the libraries of the analysis is larger than `LIMIT_BYTES`, on Linux.
"""

import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

LIMIT_BYTES = 140_000_000
"""Maximum size of the installed program on Linux, without the libraries of the analysis."""

EXECUTABLE = "program and Python modules"
ANALYSIS_GROUPS = (
    ("DuckDB", r"_?duckdb"),
    ("NumPy", r"numpy|libscipy_openblas"),
    ("pandas", r"pandas|dateutil|_cyutility|tzdata|pytz"),
    ("pyreadstat", r"pyreadstat|narwhals"),
    ("arro3", r"arro3"),
    ("py3langid", r"py3langid"),
    ("XlsxWriter", r"xlsxwriter"),
)
"""The libraries of the analysis, by the beginning of their paths: they are loaded when Results opens."""
GROUPS = (
    *((name, rf"^(_internal/)?({pattern})\b") for name, pattern in ANALYSIS_GROUPS),
    ("ICU, the Unicode data of Qt", r"libicu|icudt"),
    ("Qt plug-ins", r"PySide6/.*plugins/"),
    ("Qt libraries", r"(lib)?Qt6\w+\.(so|dll|dylib)|PySide6/.*/lib/"),
    ("PySide6", r"PySide6|shiboken6"),
    ("cryptography", r"cryptography|_cffi_backend"),
    ("OpenSSL and SQLite", r"lib(crypto|ssl|sqlite3)"),
    ("pydantic", r"pydantic"),
    ("Babel", r"babel"),
    ("catalogues", r"batchwright/bundled/locale/"),
    ("Python", r"libpython|python3|base_library"),
    ("fonts, templates and samples", r"batchwright/bundled/"),
    ("licences", r"licences/"),
    (EXECUTABLE, r"^batchwright[\w-]*(\.exe)?$"),
    ("system libraries", r"\.so(\.|$)|\.dll$|\.dylib$"),
)
REST = "the rest"


def main(folder: Path) -> int:
    executable = next(path for path in folder.iterdir() if path.is_file() and path.stem == "batchwright")
    sizes = breakdown(folder, modules(executable))
    program = sum(count for name, count in sizes.items() if not is_analysis(name))
    print(table(sizes), end="\n\n")
    print(f"The program: {program / 1e6:.1f} MB.")
    print(f"The libraries of the analysis: {(sizes.total() - program) / 1e6:.1f} MB.")
    print(f"All: {sizes.total() / 1e6:.1f} MB.", flush=True)
    if sys.platform.startswith("linux") and program > LIMIT_BYTES:
        print(f"The program is larger than {LIMIT_BYTES / 1e6:.0f} MB.", file=sys.stderr)
        return 1
    return 0


def breakdown(folder: Path, modules: Mapping[str, int]) -> Counter[str]:
    """The bytes by group; links take no space.

    Args:
        folder: the folder of the program.
        modules: the bytes of the modules in the executable. Those of the analysis count for their library.
    """
    sizes: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            sizes[group(path.relative_to(folder).as_posix())] += path.stat().st_size
    for module, size in modules.items():
        if is_analysis(name := group(module)):
            sizes[name] += size
            sizes[EXECUTABLE] -= size
    return sizes


def modules(executable: Path) -> dict[str, int]:
    """The compressed size of each module in an executable."""
    from PyInstaller.archive.readers import CArchiveReader

    reader = CArchiveReader(str(executable))
    archive = next(name for name in reader.toc if name.endswith(".pyz"))
    content = reader.open_embedded_archive(archive).toc
    return {name: length for name, (_kind, _offset, length) in content.items()}


def group(path: str) -> str:
    """The group of a file, by its path below the folder of the program, or of a module."""
    return next((name for name, pattern in GROUPS if re.search(pattern, path)), REST)


def is_analysis(name: str) -> bool:
    """Whether a group is a library of the analysis."""
    return name in dict(ANALYSIS_GROUPS)


def table(sizes: Counter[str]) -> str:
    """A breakdown as a Markdown table, in MB of a million bytes."""
    rows = [f"| {name} | {count / 1e6:.1f} |" for name, count in sizes.most_common()]
    return "\n".join(["| part | MB |", "|---|---|", *rows])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
