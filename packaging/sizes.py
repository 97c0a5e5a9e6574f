"""Shows what takes how much space in a folder: `python3 packaging/sizes.py FOLDER`."""

import re
import sys
from collections import Counter
from pathlib import Path

GROUPS = (
    ("ICU, the Unicode data of Qt", r"libicu|icudt"),
    ("Qt plug-ins", r"PySide6/.*plugins/"),
    ("Qt libraries", r"(lib)?Qt6\w+\.(so|dll|dylib)|PySide6/.*/lib/"),
    ("PySide6", r"PySide6|shiboken6"),
    ("cryptography", r"cryptography|_cffi_backend"),
    ("OpenSSL and SQLite", r"lib(crypto|ssl|sqlite3)"),
    ("pydantic", r"pydantic"),
    ("NumPy", r"numpy"),
    ("Python", r"libpython|python3|base_library"),
    ("fonts, templates and samples", r"batchwright/bundled/"),
    ("licences", r"licences/"),
    ("program and Python modules", r"^batchwright[\w-]*(\.exe)?$"),
    ("system libraries", r"\.so(\.|$)|\.dll$|\.dylib$"),
)
REST = "the rest"


def breakdown(folder: Path) -> Counter[str]:
    """Return the bytes by group; links take no space."""
    sizes: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            sizes[group(path.relative_to(folder).as_posix())] += path.stat().st_size
    return sizes


def group(path: str) -> str:
    """Return the group of a file, by its path below the folder of the program."""
    return next((name for name, pattern in GROUPS if re.search(pattern, path)), REST)


def size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return breakdown(folder).total()


def table(folder: Path) -> str:
    """Return the breakdown as a Markdown table, in MB of a million bytes."""
    sizes = breakdown(folder)
    rows = [f"| {name} | {count / 1e6:.1f} |" for name, count in sizes.most_common()]
    return "\n".join(["| part | MB |", "|---|---|", *rows, f"| all | {sizes.total() / 1e6:.1f} |"])


if __name__ == "__main__":
    print(table(Path(sys.argv[1])))
