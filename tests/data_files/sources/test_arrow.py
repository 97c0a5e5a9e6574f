"""Arrow and Feather files of polars as sources, compressed and not."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from batchwright.data_files.rows import UnreadableFile
from tests.data_files.sources.tables import records
from tests.data_files.sources.test_parquet import FIRST, SECOND, TABLE


def write(table: pl.DataFrame, path: Path, **options: Any) -> None:
    if path.suffix == ".arrows":
        table.write_ipc_stream(path, **options)
    else:
        table.write_ipc(path, **options)


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
@pytest.mark.parametrize("level", [pl.CompatLevel.newest(), pl.CompatLevel.oldest()])
@pytest.mark.parametrize("name", ["table.arrow", "table.feather", "stream.arrows"])
def test_every_type_of_value_is_equal(
    tmp_path: Path, name: str, level: pl.CompatLevel, compression: str
) -> None:
    write(TABLE, tmp_path / name, compression=compression, compat_level=level)
    assert records(tmp_path / name) == [FIRST, SECOND, {}]


@pytest.mark.parametrize("name", ["table.arrow", "stream.arrows"])
def test_names_that_differ_in_case_stay_as_they_are(tmp_path: Path, name: str) -> None:
    write(pl.DataFrame({"Id": [1], "id": [2], "ID": [[3, 4]]}), tmp_path / name)
    assert records(tmp_path / name) == [{"Id": 1, "id": 2, "ID": "3; 4"}]


@pytest.mark.parametrize("name", ["table.arrow", "stream.arrows"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write(TABLE, path)
    path.write_bytes(path.read_bytes()[:1500])
    with pytest.raises(UnreadableFile, match="damaged"):
        records(path)
