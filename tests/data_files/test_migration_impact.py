"""The values that a migration would clear."""

from pathlib import Path

import pytest

from batchwright.data_files.migration_impact import count_cleared_values
from batchwright.data_files.text_rows.sniffing import sniff
from batchwright.schema.model import Field, FieldType, Schema

TEXT, TAG, IMAGE = FieldType.TEXT, FieldType.METADATA, FieldType.IMAGE_URL
OLD = Schema(strict=True, fields={"prompt": Field(TEXT), "picture": Field(TEXT), "rank": Field(TAG)})
NEW = Schema(strict=False, fields={"prompt": Field(TEXT), "picture": Field(IMAGE), "rank": Field(TEXT)})
CSV = """prompt,picture,rank,note
One?,https://example.org/1.png,1,http://a
Two?,http://example.org/2.png,2,http://b
,http://example.org/rejected.png,3,http://c
Three?,cat.png,4,http://d
"""
JSONL = """{"prompt": "One?", "picture": "https://example.org/1.png", "rank": 1}
{"prompt": "Two?", "picture": 7, "rank": 2}
"""


@pytest.mark.parametrize(
    ("name", "content", "records", "emptied", "example"),
    [
        ("prompts.csv", CSV, 3, 2, "http://example.org/2.png"),
        ("prompts.jsonl", JSONL, 2, 1, "7"),
    ],
)
def test_accepted_values_that_the_new_schema_rejects_are_counted(
    name: str, content: str, records: int, emptied: int, example: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    messages: list[tuple[int, int]] = []
    actual = count_cleared_values(
        path, sniff(path), OLD, NEW, lambda done, complete: messages.append((done, complete))
    )
    assert actual.records == records
    assert actual.filled == {"picture": records, "rank": records}
    assert actual.emptied == {"picture": emptied}
    assert actual.examples == {"picture": example}
    assert messages


def test_empty_cells_are_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "prompts.csv"
    path.write_text("prompt,picture,rank\nOne?,,1\n", encoding="utf-8")
    loose = Schema(strict=False, fields=OLD.fields)
    actual = count_cleared_values(path, sniff(path), loose, NEW, lambda *_news: None)
    assert (actual.filled, actual.emptied) == ({"rank": 1}, {})
