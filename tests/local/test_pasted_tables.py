"""Pasted tables as files."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from batchwright.data_files.file_types import TABLES, type_of
from batchwright.local.pasted_tables import save_pasted_table

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "extension"),
    [
        ('{"prompt": "a, b", "x": 1}\n\n{"prompt": "c, d", "x": 2}\n', ".jsonl"),
        ('{"prompt": "a", "tags": ["x", "y"]}\r\n{"prompt": "c"}', ".jsonl"),
        ('[{"prompt": "a", "x": 1},\n {"prompt": "c", "x": 2}]', ".json"),
        ('{"count": 2, "data": [{"prompt": "a"}, {"prompt": "c"}]}', ".json"),
        ('{"prompt": {"0": "a", "1": "c"}}', ".json"),
    ],
)
def test_pasted_json_is_saved_as_it_is(tmp_path: Path, text: str, extension: str) -> None:
    path = save_pasted_table(tmp_path / "tables", "<p>no table</p>", text, NOW)
    assert path.suffix == extension
    assert path.read_bytes() == text.encode()
    assert type_of(path) in TABLES
    assert save_pasted_table(tmp_path / "tables", None, text, NOW).stem == f"{path.stem} (2)"


@pytest.mark.parametrize(
    "text",
    [
        "prompt\tx\na\t1\n",
        "{prompt},{x}\n{a},1\n",
        "[1] Smith, 2020\n[2] Jones, 2021\n",
        '{"prompt": "a",\n "x": 1}',
    ],
)
def test_any_other_text_is_saved_as_csv(tmp_path: Path, text: str) -> None:
    assert save_pasted_table(tmp_path, None, text, NOW).suffix == ".csv"
