"""The different addresses in a column."""

from pathlib import Path

import pytest

from batchwright.base.local_media import LOCAL_MEDIA
from batchwright.data_files import column_addresses as module
from batchwright.data_files.column_addresses import ColumnAddresses, column_addresses
from batchwright.data_files.formats import Format, FormatKind, RecordsFile


def listed(folder: Path, text: str, kind: FormatKind = FormatKind.CSV) -> ColumnAddresses:
    path = folder / f"table.{kind}"
    path.write_text(text, encoding="utf-8")
    return column_addresses(RecordsFile(path, Format(kind)), ("n", "picture"), 1, lambda _part: None)


def test_each_address_is_listed_once_with_its_server(tmp_path: Path) -> None:
    urls = ["https://a.example/1.png", "https://A.example/1.png", "https://b.example/2.png"]
    lines = [f"x,{value}" for value in (*urls, urls[0], "", "no address", "http://a.example/3.png")]
    found = listed(tmp_path, "\n".join(["n,picture", *lines, "short"]))
    assert found == ColumnAddresses(tuple(urls), ("a.example", "b.example"), is_cut=False, has_local=False)


def test_files_of_this_computer_are_left_out(tmp_path: Path) -> None:
    text = f'{{"picture": "{LOCAL_MEDIA}1/a.png"}}\n{{"n": 1}}\n[1]\n'
    assert listed(tmp_path, text, FormatKind.JSONL) == ColumnAddresses((), (), is_cut=False, has_local=True)


def test_the_number_of_addresses_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ADDRESSES", 2)
    found = listed(tmp_path, "n,picture\n" + "".join(f"x,https://a.example/{n % 4}\n" for n in range(9)))
    assert found.addresses == ("https://a.example/0", "https://a.example/1")
    assert found.is_cut
