"""The sample records on the canvas: the first records of the data file as objects."""

from pathlib import Path

from batchwright.data_files.formats import Format, FormatKind
from batchwright.ui.editor.core.sample_records import SampleRecords, first_records


def test_csv_rows_become_objects_by_their_header(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("prompt,answer\none,two\nthree,four\n", encoding="utf-8")
    assert first_records(path, Format(FormatKind.CSV)) == (
        {"prompt": "one", "answer": "two"},
        {"prompt": "three", "answer": "four"},
    )


def test_lines_that_are_not_objects_are_omitted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"prompt": "one"}\nnot json\n[1]\n{"prompt": "two"}\n', encoding="utf-8")
    assert [record.get("prompt") for record in first_records(path, Format(FormatKind.JSONL))][-1] == "two"


def test_without_records_none_is_shown() -> None:
    assert SampleRecords().record is None


def test_stepping_stops_at_the_ends() -> None:
    records = SampleRecords()
    records.set_records(({"a": 1}, {"a": 2}))
    records.step(-1)
    assert records.index == 0
    records.step(5)
    assert records.record == {"a": 2}
    records.set_records(({"a": 3},))
    assert records.record == {"a": 3}
