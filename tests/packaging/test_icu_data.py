"""The reduced data of ICU: Qt sorts, converts and names time zones with them as with all data."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest

from tests.packaging.scripts import load_script

_LIBRARIES = Path(PySide6.__path__[0]) / "Qt" / "lib"
_USE_OF_ICU = r"""
from functools import cmp_to_key
from PySide6.QtCore import QCollator, QDateTime, QLocale, QStringDecoder, QTimeZone

words = ["zebra", "äpfel", "apfel", "été", "cote", "côte", "Öl", "item 10", "item 9", "中", "文", "あ", "가"]
for language in ("en_US", "de_DE", "sv_SE", "fr_CA", "ja_JP", "zh_CN", "ko_KR"):
    collator = QCollator(QLocale(language))
    collator.setNumericMode(True)
    print(language, sorted(words, key=cmp_to_key(collator.compare)))
print([QStringDecoder(name).isValid() for name in QStringDecoder.availableCodecs()])
summer = QDateTime.fromSecsSinceEpoch(1_750_000_000)
for zone in ("Europe/Berlin", "America/New_York", "Asia/Kolkata"):
    for language in ("en_US", "de_DE", "ja_JP"):
        print(QTimeZone(zone.encode()).displayName(summer, QTimeZone.NameType.LongName, QLocale(language)))
with open("/proc/self/maps") as maps:
    print(sorted({line.split()[-1] for line in maps if "libicudata" in line}), file=__import__("sys").stderr)
"""


@pytest.fixture(autouse=True)
def scripts_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(load_script("project").__file__ or "").parent))


def package(*names: str) -> bytes:
    """A package of ICU in which the content of each item is its name, in capital letters."""
    header = struct.pack("=H2x8x4s", 16, b"CmnD")
    offset = 4 + 8 * len(names)
    texts = b"".join(f"icudt73l/{name}\0".encode() for name in names)
    texts += bytes(-(offset + len(texts)) % 16)
    table, items = struct.pack("=I", len(names)), b""
    for name in names:
        table += struct.pack("=II", offset, 4 + 8 * len(names) + len(texts) + len(items))
        offset += len(f"icudt73l/{name}") + 1
        items += name.upper().encode().ljust(16, b"\0")
    return header + table + texts + items


def test_items_of_unused_folders_are_left_out() -> None:
    reduced = load_script("icu_data").without_unused(
        package("af.res", "coll/root.res", "curr/af.res", "x.cnv")
    )
    assert reduced == package("af.res", "coll/root.res", "x.cnv")


def test_another_file_is_rejected() -> None:
    with pytest.raises(ValueError, match="no package of ICU"):
        load_script("icu_data").without_unused(bytes(64))


@pytest.mark.skipif(
    not (sys.platform.startswith("linux") and shutil.which("as")), reason="needs Linux and its assembler"
)
def test_qt_does_the_same_with_the_reduced_library(tmp_path: Path) -> None:
    (library,) = _LIBRARIES.glob("libicudata.so.*")
    reduced = load_script("icu_data").write_reduced_library(library, tmp_path)
    assert reduced.stat().st_size < 0.6 * library.stat().st_size
    output, loaded = [], []
    for path in (library, reduced):
        environment = {**os.environ, "LD_PRELOAD": str(path)}
        command = [sys.executable, "-X", "utf8", "-c", _USE_OF_ICU]
        shown = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)
        output.append(shown.stdout)
        loaded.append(shown.stderr.strip())
    assert output[0] == output[1]
    assert loaded == [str([str(library)]), str([str(reduced)])]
