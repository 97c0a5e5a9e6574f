"""ZIP archives with one CSV file, and invalid archives (wire reference, 4.7)."""

import io
import random
import tracemalloc
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import pytest

from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.text_rows.v3_csv import csv_in

TABLE = b"a,b\n" + b"".join(b"%d,x\n" % number for number in range(2000))


def _archive(content: bytes = TABLE, method: int = ZIP_DEFLATED) -> bytes:
    complete = io.BytesIO()
    with ZipFile(complete, "w", method) as archive:
        archive.writestr("notes.txt", b"n" * 100)
        archive.writestr("table.csv", content)
    return complete.getvalue()


def _read(file: Path) -> bytes:
    with csv_in(file) as stream:
        return b"".join(iter(lambda: stream.read(4096), b""))


@pytest.mark.parametrize("method", [ZIP_STORED, ZIP_DEFLATED])
def test_the_table_of_an_archive_is_read_unchanged(tmp_path: Path, method: int) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(_archive(method=method))
    assert _read(file) == TABLE
    file.write_bytes(b"#!/bin/sh\n" + _archive(method=method))
    assert _read(file) == TABLE


@pytest.mark.parametrize("method", [ZIP_BZIP2, ZIP_LZMA])
def test_uncommon_compression_is_rejected(tmp_path: Path, method: int) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(_archive(method=method))
    with pytest.raises(UnreadableFile, match="standard ZIP"):
        _read(file)


def test_any_damage_is_reported_or_the_table_is_unchanged(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    file, complete = tmp_path / "a.zip", _archive()
    messages = 0
    for _time in range(1500):
        broken = bytearray(complete)
        for _place in range(chance.choice([1, 2, 8])):
            place = chance.randrange(len(broken)) if chance.random() < 0.3 else -chance.randrange(1, 200)
            broken[place] = chance.choice([0, 1, 0x7F, 0xFF, chance.randrange(256)])
        if chance.random() < 0.2:
            del broken[chance.randrange(len(broken)) :]
        file.write_bytes(broken)
        try:
            assert _read(file) == TABLE
        except UnreadableFile:
            messages += 1
    assert messages > 500


@pytest.mark.parametrize("claimed", [10, 2**32 - 2])
def test_a_wrong_uncompressed_size_is_detected(tmp_path: Path, claimed: int) -> None:
    complete = bytearray(_archive())
    entry = complete.rindex(b"PK\x01\x02")
    complete[entry + 24 : entry + 28] = claimed.to_bytes(4, "little")
    file = tmp_path / "a.zip"
    file.write_bytes(complete)
    with pytest.raises(UnreadableFile):
        _read(file)


def test_an_archive_is_decompressed_in_constant_memory(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(_archive(random.Random(1).randbytes(10_000_000).hex().encode()))
    tracemalloc.start()
    try:
        with csv_in(file) as stream:
            while stream.read(1 << 16):
                pass
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_table_with_an_excessive_compression_ratio_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(_archive(b"1\n" * 4_000_000))
    assert len(_read(file)) == 8_000_000
    file.write_bytes(_archive(b"1\n" * 6_000_000))
    with pytest.raises(UnreadableFile, match="too large"):
        _read(file)


def test_an_archive_with_a_huge_directory_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    with ZipFile(file, "w") as archive:
        for number in range(25_000):
            archive.writestr(f"{number}.txt", b"")
        archive.writestr("table.csv", TABLE)
    with pytest.raises(UnreadableFile, match="damaged"):
        _read(file)
