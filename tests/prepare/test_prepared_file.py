"""The records of a data file are prepared by the steps of its study, and written."""

import json
from pathlib import Path

import pytest

from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.formats import Format, FormatKind
from batchwright.prepare.prepared_file import convert_and_prepare
from batchwright.prepare.reports import StepReport

RENAME = {"step": "rename", "column": "a", "name": "c"}


@pytest.mark.parametrize(
    ("lines", "written", "notes"),
    [
        (
            '{"a": "1", "b": "x"}\n{"a": NaN}\n{"a": "2"} y\n{"a":\n[1]\n{"a": "3"}\n',
            [{"c": "1", "b": "x"}, {"c": "3"}],
            ("4 lines that are no records are left out.",),
        ),
        ('{"a": "\\u2028\\n"}\n', [{"c": "\u2028\n"}], ()),
    ],
)
def test_lines_that_are_no_records_are_left_out_and_counted(
    lines: str, written: list[object], notes: tuple[str, ...], tmp_path: Path
) -> None:
    table, target = tmp_path / "table.jsonl", tmp_path / "prepared.jsonl"
    table.write_text(lines, encoding="utf-8")
    reports = list[StepReport]()

    def notify(message: object) -> None:
        if isinstance(message, StepReport):
            reports.append(message)

    conversion = Conversion(text_format=Format(FormatKind.JSONL), steps=(RENAME,))
    converted = convert_and_prepare(table, conversion, target, notify)
    assert [json.loads(line) for line in target.read_text(encoding="utf-8").split("\n")[:-1]] == written
    assert converted.records == len(written)
    assert reports[0].notes == notes
    assert [report.count for report in reports] == [len(written)] * 2
