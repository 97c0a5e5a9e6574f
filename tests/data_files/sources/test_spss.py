"""SPSS files of pyreadstat as sources: labels and codes, dates, missing values, and many rows."""

from datetime import date, datetime
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.registry import open_table
from batchwright.data_files.sources.source import SourceOptions
from batchwright.data_files.sources.spss_pieces import pieces
from tests.data_files.sources.tables import choices, records

LONG = "日本 " * 1000


def sav_file(path: Path) -> Path:
    frame = pd.DataFrame(
        {
            "id": ["007", "008", ""],
            "text": [LONG, "Wo?\nDa.", "x"],
            "good": [1.0, 2.0, 9.0],
            "size": [0.1, float("nan"), 12345678901.0],
            "day": [date(1950, 1, 2), date(2024, 2, 29), None],
            "moment": [datetime(2024, 1, 2, 3, 4, 5), None, None],
        }
    )
    frame["day"] = frame["day"].astype(object)
    pyreadstat.write_sav(
        frame,
        path,
        variable_value_labels={"good": {1: "yes", 2: "no"}},
        missing_ranges={"good": [9]},
        compress=path.suffix == ".zsav",
    )
    return path


@pytest.mark.parametrize("name", ["table.sav", "table.zsav"])
def test_every_type_of_value_is_equal(tmp_path: Path, name: str) -> None:
    path = sav_file(tmp_path / name)
    expected = [
        {"id": "007", "text": LONG.rstrip(), "good": "yes", "size": 0.1, "day": "1950-01-02"},
        {"id": "008", "text": "Wo?\nDa.", "good": "no", "day": "2024-02-29"},
        {"text": "x", "size": 12345678901},
    ]
    found = [dict(record) for record in records(path)]
    assert found[0].pop("moment") == "2024-01-02 03:04:05"
    assert found == expected
    assert choices(path)["codes"] == ["", "codes"]
    assert [record.get("good") for record in records(path, SourceOptions(codes="codes"))] == [1, 2, None]


def test_a_value_with_an_empty_label_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.sav"
    labels = {"n": {1: " ", 2: "two"}}
    pyreadstat.write_sav(pd.DataFrame({"n": [1.0, 2.0]}), path, variable_value_labels=labels)
    assert records(path) == [{"n": 1}, {"n": "two"}]


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("TIME8", {100_000.0: "27:46:40", 45.5: "00:00:45.5", -5400.0: "-01:30:00"}),
        ("DTIME12", {100_000.0: "27:46:40"}),
        ("MTIME8", {90.0: "00:01:30"}),
        ("DATE11", {13_000_000_000.0: "1994-09-26", 1e12: 10**12}),
        ("DATETIME20", {13_000_000_000.5: "1994-09-26 23:06:40.500000", 1e12: 10**12}),
        ("MOYR8", {13_000_003_200.0: "1994-09-27"}),
        ("QYR6", {13_000_003_200.0: "1994-09-27"}),
        ("F16", {1234567890123456.0: 1234567890123456, float(1 << 53): 1 << 53}),
    ],
)
def test_numbers_are_read_in_their_formats(tmp_path: Path, code: str, values: dict[float, str | int]) -> None:
    path = tmp_path / "table.sav"
    pyreadstat.write_sav(pd.DataFrame({"n": [*values]}), path, variable_format={"n": code})
    found = [record["n"] for record in records(path)]
    assert found == [*values.values()]
    assert [*map(type, found)] == [*map(type, values.values())]


@pytest.mark.parametrize(
    ("name", "compression"),
    [
        ("plain.sav", {}),
        ("rows.sav", {"row_compress": True}),
        ("table.zsav", {"compress": True}),
    ],
)
def test_many_rows_are_read_in_pieces(tmp_path: Path, name: str, compression: dict[str, bool]) -> None:
    path = tmp_path / name
    numbers = range(3210)
    frame = pd.DataFrame(
        {
            "n": [float(number) for number in numbers],
            "text": [f"No. {number} " * (number % 50) for number in numbers],
            "part": [number / 7 if number % 3 else None for number in numbers],
        }
    )
    pyreadstat.write_sav(frame, path, **compression)
    whole, _metadata = pyreadstat.read_sav(path, output_format="dict")
    assert [record["n"] for record in records(path)] == [*numbers]
    assert [record.get("text", "") for record in records(path)] == whole["text"]
    assert [record.get("part") for record in records(path)][1::3] == whole["part"][1::3]
    with open_table(path, SourceOptions()) as table:
        assert table.row_count == len(numbers)


def test_no_row_of_a_file_is_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "table.sav"
    pyreadstat.write_sav(pd.DataFrame({"n": [float(number) for number in range(50_000)]}), path)
    with path.open("rb") as stream:
        assert sum(map(len, pieces(stream, 10, 1000))) < 1.5 * path.stat().st_size


@pytest.mark.parametrize("is_compressed", [False, True])
def test_pieces_of_files_with_long_texts_have_fewer_rows(tmp_path: Path, is_compressed: bool) -> None:
    path = tmp_path / "table.sav"
    frame = pd.DataFrame({f"text{number}": ["x" * 30_000, *["y"] * 300] for number in range(4)})
    pyreadstat.write_sav(frame, path, row_compress=is_compressed)
    with path.open("rb") as stream:
        assert max(map(len, pieces(stream, 500, 50_000))) < 20_000_000
    assert [len(str(record["text3"])) for record in records(path)] == [30_000, *[1] * 300]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = sav_file(tmp_path / "table.sav")
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(UnreadableFile, match="damaged"):
        records(path)


@pytest.mark.parametrize("is_compressed", [False, True])
def test_a_file_whose_last_rows_are_missing_is_named(tmp_path: Path, is_compressed: bool) -> None:
    path = tmp_path / "table.sav"
    frame = pd.DataFrame({"n": [float(number) for number in range(3000)], "text": "abc"})
    pyreadstat.write_sav(frame, path, row_compress=is_compressed)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(UnreadableFile, match="damaged"):
        records(path)
