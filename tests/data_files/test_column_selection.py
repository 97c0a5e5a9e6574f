"""Some of the columns of a data file, as they are saved with a study."""

from pathlib import Path

import pytest

from batchwright.data_files.column_selection import write_columns
from batchwright.data_files.formats import FormatKind, RecordsFile
from batchwright.data_files.reader import checked_records, read_records
from batchwright.data_files.text_rows.sniffing import sniff
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.record_validator import RecordError, RecordValidator
from tests.data_files.files import write_file

CHECKER = RecordValidator(Schema(False, {name: Field(FieldType.TEXT) for name in ("prompt", "answer")}))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "records.csv",
            'secret,prompt,answer\n1,Hello, you,x\n2,"Hi\nthere",y\n3,Bye\n"4"5,a,b\n6,,z\n',
        ),
        (
            "records.jsonl",
            '{"prompt": "a", "secret": 1}\n{"prompt": \n["secret"]\n\n{"answer": null}\n{"prompt": "x"}\n',
        ),
    ],
)
def test_records_that_are_rejected_stay_so_and_no_other_column_is_written(
    tmp_path: Path, name: str, content: str
) -> None:
    path, target = write_file(tmp_path, content, name), tmp_path / "used.jsonl"
    file = RecordsFile(path, sniff(path))
    write_columns(file, ("prompt", "answer"), target, lambda *_event: None)
    before = [entry.content for entry in checked_records(path, file.format, CHECKER)]
    after = [entry.content for entry in read_records(target, FormatKind.JSONL, CHECKER)]
    assert [_accepted(record) for record in after] == [_accepted(record) for record in before]
    assert "secret" not in target.read_text(encoding="utf-8")


def _accepted(content: object) -> object:
    return None if isinstance(content, RecordError) else content
