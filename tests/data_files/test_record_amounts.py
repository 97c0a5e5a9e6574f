"""How much there is to judge in a data file."""

from pathlib import Path

from batchwright.data_files.formats import RecordsFile
from batchwright.data_files.record_amounts import count_amounts
from tests.data_files.files import CSV, JSONL, csv_text, write_file


def ignore(_read: int, _total: int) -> None:
    """Take no notice of progress."""


def test_records_of_each_group_and_lengths_of_texts_are_counted(tmp_path: Path) -> None:
    table = [("prompt", "group"), ("ab", "g1"), ("", "g1"), ("abcd", "g2"), ("ab", ""), ("ab", "")]
    file = RecordsFile(write_file(tmp_path, csv_text(table)), CSV)
    amounts = count_amounts(file, ["prompt"], "group", ignore)
    assert amounts.records == 5
    assert amounts.characters == {"prompt": 2.0}
    assert amounts.group_sizes == {1: 3, 2: 1}


def test_a_file_without_groups_has_none(tmp_path: Path) -> None:
    file = RecordsFile(write_file(tmp_path, '{"a": 12}\n[]\nnonsense\n', "table.jsonl"), JSONL)
    amounts = count_amounts(file, ["a", "b"], None, ignore)
    assert amounts.characters == {"a": 1.0, "b": 0.0}
    assert amounts.group_sizes == {}
