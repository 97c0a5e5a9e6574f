"""Leaves out the data of ICU that Qt never reads: names of currencies, languages, units and so on.

Qt sorts texts, converts encodings and names time zones with ICU; it has all other data itself. On Linux, the
data are a library of their own, which contains one package in ICU's format “CmnD”: a header, a table with the
names and places of all items, and the items.
"""

import re
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LIBRARY = re.compile(r"libicudata\.so\.(\d+)$")
UNUSED_FOLDERS = frozenset({"brkitr", "curr", "lang", "rbnf", "region", "translit", "unit"})
"""Boundaries of words, currencies, languages, numbers in words, regions, transliteration and units."""

_FORMAT, _FORMAT_OFFSET = b"CmnD", 12
_ALIGNMENT = 16
_COUNT, _PLACE = struct.Struct("=I"), struct.Struct("=II")
"""The number of items, and of each item the offsets of its name and content from the start of the table."""
_SOURCE = """\
.section .rodata, "a"
.balign {alignment}
.global {symbol}
.type {symbol}, %object
{symbol}:
.incbin "{package}"
.size {symbol}, . - {symbol}
.section .note.GNU-stack, ""
"""


def write_reduced_library(library: Path, folder: Path) -> Path:
    """Write a library `libicudata.so.VERSION` without the items that Qt never reads; return its path.

    Needs the assembler and the linker for the system that the library is for.
    """
    version = LIBRARY.search(library.name)
    if version is None:
        raise ValueError(f"{library} does not contain the data of ICU.")
    package, source, compiled = (folder / f"icudt{suffix}" for suffix in (".dat", ".s", ".o"))
    extract: list[str | Path] = [
        "objcopy",
        "--output-target",
        "binary",
        "--only-section",
        ".rodata",
        library,
        package,
    ]
    subprocess.run(extract, check=True)
    package.write_bytes(without_unused(package.read_bytes()))
    text = _SOURCE.format(alignment=_ALIGNMENT, symbol=f"icudt{version[1]}_dat", package=package)
    source.write_text(text, encoding="utf-8")
    subprocess.run(["as", "-o", compiled, source], check=True)
    reduced = folder / library.name
    link: list[str | Path] = [
        "ld",
        "-shared",
        "--build-id=none",
        "-soname",
        library.name,
        "-o",
        reduced,
        compiled,
    ]
    subprocess.run(link, check=True)
    return reduced


def without_unused(package: bytes) -> bytes:
    """A package without the items in `UNUSED_FOLDERS`."""
    if package[_FORMAT_OFFSET : _FORMAT_OFFSET + len(_FORMAT)] != _FORMAT:
        raise ValueError("This is no package of ICU.")
    start = int.from_bytes(package[:2], sys.byteorder)
    used = [(name, item) for name, item in _items(package[start:]) if not _is_unused(name)]
    return package[:start] + _table_and_items(used)


def _is_unused(name: bytes) -> bool:
    """Whether an item, such as `icudt73l/curr/de.res`, is in a folder that Qt never reads."""
    return name.split(b"/")[1].decode("ascii") in UNUSED_FOLDERS


def _items(content: bytes) -> list[tuple[bytes, bytes]]:
    """The names and contents of all items after the header, in their order."""
    (count,) = _COUNT.unpack_from(content)
    places = [_PLACE.unpack_from(content, _COUNT.size + _PLACE.size * number) for number in range(count)]
    ends = [start for _name, start in places[1:]] + [len(content)]
    return [
        (content[name : content.index(b"\0", name)], content[start:end])
        for (name, start), end in zip(places, ends, strict=True)
    ]


def _table_and_items(items: Sequence[tuple[bytes, bytes]]) -> bytes:
    """What follows the header: the table, the names, and the items, each aligned."""
    name_offset = _COUNT.size + _PLACE.size * len(items)
    names = b"".join(name + b"\0" for name, _item in items)
    names += bytes(-(name_offset + len(names)) % _ALIGNMENT)
    item_offset = name_offset + len(names)
    table = bytearray(_COUNT.pack(len(items)))
    for name, item in items:
        table += _PLACE.pack(name_offset, item_offset)
        name_offset += len(name) + 1
        item_offset += len(item)
    return bytes(table) + names + b"".join(item for _name, item in items)
