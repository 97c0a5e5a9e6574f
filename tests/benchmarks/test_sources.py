"""How fast a million records of sources are converted, compared with a bare loop that encodes them."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import duckdb
import polars as pl
import pytest
from arro3.io import read_ipc

from batchwright.base.json_cursor import JsonCursor
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.conversion.convert import convert
from tests.figures import CheckFigure

RECORDS = 1_000_000


def table(records: int) -> pl.DataFrame:
    numbers = pl.Series("id", range(records))
    return pl.DataFrame([numbers]).with_columns(
        pl.format("Which answer is better, number {}?", pl.col("id")).alias("prompt"),
        pl.format("One answer, {}. One answer, {}.", pl.col("id"), pl.col("id")).alias("left"),
        pl.format("Another answer, {}. Another answer.", pl.col("id")).alias("right"),
    )


def rows_of(connection: duckdb.DuckDBPyConnection, query: str) -> Iterator[Mapping[str, object]]:
    connection.execute("SET threads = 1")
    connection.execute(query)
    names = [column[0] for column in connection.description or ()]
    while rows := connection.fetchmany(2048):
        for row in rows:
            yield dict(zip(names, row, strict=True))


def parquet_rows(path: Path) -> Iterator[Mapping[str, object]]:
    with duckdb.connect() as connection:
        yield from rows_of(connection, f"FROM read_parquet('{path}')")


def arrow_rows(path: Path) -> Iterator[Mapping[str, object]]:
    with duckdb.connect() as connection, path.open("rb") as stream:
        connection.register("source", read_ipc(stream))
        yield from rows_of(connection, "FROM source")


def json_rows(path: Path) -> Iterator[object]:
    with path.open("rb") as stream:
        for value, _text in JsonCursor(stream.read).array():
            yield value


SOURCES: dict[str, tuple[Callable[[Path], Iterator[object]], Callable[[pl.DataFrame, Path], object]]] = {
    "parquet": (parquet_rows, lambda frame, path: frame.write_parquet(path)),
    "arrow": (
        arrow_rows,
        lambda frame, path: frame.write_ipc(path, compression="zstd", record_batch_size=50_000),
    ),
    "json": (json_rows, lambda frame, path: frame.write_json(path)),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_converting_costs_little_more_than_reading_and_encoding(
    kind: str, tmp_path: Path, figure: CheckFigure
) -> None:
    read, write = SOURCES[kind]
    path = tmp_path / f"table.{kind}"
    write(table(RECORDS), path)

    def measure() -> tuple[float, float]:
        started = time.process_time()
        with (tmp_path / "bare").open("wb") as out:
            for row in read(path):
                out.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        bare_seconds, started = time.process_time() - started, time.process_time()
        result = convert(path, Conversion(), tmp_path / "converted", lambda _message: None)
        assert result.records == RECORDS
        return time.process_time() - started, bare_seconds

    figure(f"converting a million records of {kind}, to a bare loop", measure, 1.5, runs=1)
