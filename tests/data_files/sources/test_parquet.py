"""Parquet files of polars and pandas as sources: each value is equal after conversion."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pytest

from batchwright.base.json_values import JsonObject
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.source import SourceOptions
from tests.data_files.sources.tables import choices, converted, records

TABLE = pl.DataFrame(
    {
        "text": ["Wo? “日本”\n", "", None],
        "whole": [2**63 - 1, -1, None],
        "small": pl.Series([0, 255, None], dtype=pl.UInt8),
        "float": [1.0, 0.1, float("nan")],
        "single": pl.Series([0.1, float("inf"), None], dtype=pl.Float32),
        "exact": pl.Series([Decimal("1.10"), Decimal("0.00"), None]),
        "yes": [True, False, None],
        "day": [date(1820, 2, 29), date(2024, 1, 2), None],
        "moment": [datetime(2024, 1, 2, 3, 4, 5, 600), datetime(2024, 1, 2), None],
        "zoned": pl.Series([datetime(2024, 1, 2, 3, tzinfo=UTC), None, None]).dt.convert_time_zone(
            "Asia/Tokyo"
        ),
        "clock": [time(1, 2, 3), None, None],
        "bytes": [b"abc", b"\xff", None],
        "kind": pl.Series(["a", "b", None], dtype=pl.Categorical),
        "tags": [["a", "b"], [], None],
        "meta": [{"by": {"name": "Ada"}, "n": 1}, {"by": None, "n": 2}, None],
        "turns": [[{"role": "user"}, {"role": "model"}], [], None],
    }
)
FIRST = {
    "text": "Wo? “日本”\n",
    "whole": 2**63 - 1,
    "small": 0,
    "float": 1.0,
    "single": 0.1,
    "exact": "1.10",
    "yes": True,
    "day": "1820-02-29",
    "moment": "2024-01-02 03:04:05.0006",
    "zoned": "2024-01-02 03:00:00+00",
    "clock": "01:02:03",
    "bytes": "abc",
    "kind": "a",
    "tags": "a; b",
    "meta.by.name": "Ada",
    "meta.n": 1,
    "turns": '[{"role": "user"}, {"role": "model"}]',
}
SECOND = {
    "whole": -1,
    "small": 255,
    "float": 0.1,
    "single": "inf",
    "exact": "0.00",
    "yes": False,
    "day": "2024-01-02",
    "moment": "2024-01-02 00:00:00",
    "bytes": "/w==",
    "kind": "b",
    "meta.n": 2,
}


def test_every_type_of_value_is_equal(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    TABLE.write_parquet(path)
    assert records(path) == [FIRST, SECOND, {}]
    assert choices(path) == {"flatten": ["", "tags", "turns"]}
    assert [record["turns.role"] for record in records(path, SourceOptions(flatten="turns"))[:2]] == [
        "user",
        "model",
    ]


def test_a_file_of_pandas_with_huge_numbers_and_quoted_names_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.parquet"
    duckdb.sql('SELECT 12345678901234567890123456789::HUGEINT AS "a ""b"" c", 1 AS "d"').write_parquet(
        str(path)
    )
    assert records(path)[0]["d"] == 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[1.5::DOUBLE, 'nan', 'inf', '-inf']", {"a": "1.5; ; inf; -inf"}),
        (
            "{'x': 'nan'::DOUBLE, 'y': 'inf'::DOUBLE, 'z': 'NaN, Infinity'}",
            {"a.y": "inf", "a.z": "NaN, Infinity"},
        ),
        ("{'x': 0.1::FLOAT, 'y': ['nan'::FLOAT, 'inf', 0.2]}", {"a.x": 0.1, "a.y": "; inf; 0.2"}),
        ("{'x': 12345678901234567.89::DECIMAL(25,2)}", {"a.x": "12345678901234567.89"}),
        ("MAP {0.1::FLOAT: [1.50::DECIMAL(4,2)]}", {"a.0.1": "1.50"}),
        ("[0.1::FLOAT, 0.2]::FLOAT[2]", {"a": "0.1; 0.2"}),
        (
            """{'FLOAT': 1, 'DECIMAL(1,2)"': 0.1::FLOAT, 'it''s': 2, 'e': 'FLOAT'::ENUM('FLOAT', 'a''b')}""",
            {"a.FLOAT": 1, 'a.DECIMAL(1,2)"': 0.1, "a.it's": 2, "a.e": "FLOAT"},
        ),
        ("""{'j': '{"x": 1.0}'::JSON, 'f': 0.1::FLOAT}""", {"a.j.x": 1.0, "a.f": 0.1}),
        ("'[1e999]'::JSON", {"a": "[1e999]"}),
        ("{'x': '\\xAA\\x01'::BLOB, 'y': 'abc'::BLOB}", {"a.x": r"\xAA\x01", "a.y": "abc"}),
    ],
)
def test_nested_values_are_exact(tmp_path: Path, value: str, expected: JsonObject) -> None:
    path = tmp_path / "nested.parquet"
    duckdb.sql(f"SELECT {value} AS a").write_parquet(str(path))
    assert records(path) == [expected]


@pytest.mark.parametrize("name", ["split=train/a.parquet", "a[1].parquet"])
def test_only_the_chosen_file_is_read_whatever_its_path(tmp_path: Path, name: str) -> None:
    pl.DataFrame({"split": ["of another file"]}).write_parquet(tmp_path / "a1.parquet")
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    pl.DataFrame({"split": ["test"]}).write_parquet(path)
    assert records(path) == [{"split": "test"}]


@pytest.mark.parametrize("more", [{}, {"Meta": [{"a": {"b": [1]}}], "meta": [[{"x": 5}]]}])
def test_names_that_differ_in_case_stay_as_they_are(tmp_path: Path, more: dict[str, list[object]]) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"Id": [1], **more, "id": [2], "ID": [3]}).write_parquet(path)
    nested = {"Meta.a.b": "1", "meta": '[{"x": 5}]'} if more else {}
    assert records(path) == [{"Id": 1, **nested, "id": 2, "ID": 3}]


def test_a_column_without_values_is_kept_beside_nested_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    meta = [None, {"by": "Ada"}]
    pl.DataFrame(
        {"note": pl.Series([None, None], dtype=pl.String), "meta": meta, "id": [1, 2]}
    ).write_parquet(path)
    _records, result = converted(path)
    assert result.columns == ("note", "id", "meta.by")


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    TABLE.write_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnreadableFile, match="damaged"):
        records(path)
