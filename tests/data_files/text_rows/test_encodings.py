"""Every selectable encoding, and the detection of encodings."""

import codecs
import encodings
import io
import pkgutil
from pathlib import Path

import pytest

from batchwright.data_files.column_names import write_with_names
from batchwright.data_files.file_types import SAMPLE_BYTES
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import RowIndex, index_file
from batchwright.data_files.reader import columns, rows
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.text_rows.encodings import ENCODINGS, detect_encoding, supported_encoding
from batchwright.data_files.text_rows.sniffing import sniff
from tests.data_files.files import csv_text, write_file

NOT_FOR_FILES = {"charmap", "idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"}
BYTE_ORDER_BY_MARK = {"utf_16", "utf_32"}
LETTERS = (
    "été",
    "œuf",
    "źdźbło",
    "žąsis",
    "що",
    "γάτα",
    "ağaç",
    "חתול",
    "قطة",
    "แมว",
    "猫は",
    "图片",
    "圖片",
    "고양이",
)

JAPANESE = "質問,画像\n猫は何匹いますか,https://e.org/1.png\nどちらが好きですか,https://e.org/2.png\n"
CHINESE = "问题,图片\n图中有几只猫？,https://e.org/1.png\n你更喜欢哪一个？,https://e.org/2.png\n"
RUSSIAN = "вопрос,картинка\nСколько кошек на картинке?,https://e.org/1.png\nЧто вам больше нравится?,x\n"


def table_in(encoding: str) -> list[list[str]]:
    """Rows with letters that an encoding can represent."""
    words = ["plain"]
    for word in LETTERS:
        try:
            word.encode(encoding)
        except UnicodeEncodeError:
            continue
        words.append(word)
    return [["a", "b"], *[[word, f"{word},\n{word}"] for word in words]]


def test_every_text_codec_of_python_can_be_chosen() -> None:
    codec_names = set()
    for module in pkgutil.iter_modules(encodings.__path__):
        if module.name not in {"aliases", "mbcs", "oem"} | NOT_FOR_FILES | BYTE_ORDER_BY_MARK:
            codec = codecs.lookup(module.name)
            if codec._is_text_encoding:
                codec_names.add(module.name)
    assert {name for name in codec_names if supported_encoding(name) is None} == set()
    assert all(supported_encoding(name) == name for name in ENCODINGS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("UTF-8", "utf-8"), ("utf_8_sig", "utf-8"), ("Shift-JIS", "shift_jis"), ("windows-1251", "cp1251")],
)
def test_aliases_of_an_encoding_are_recognised(name: str, expected: str) -> None:
    assert supported_encoding(name) == expected


@pytest.mark.parametrize("name", ["rot13", "base64", "no such", "punycode", "utf-16"])
def test_a_codec_that_is_not_a_text_encoding_makes_the_file_unreadable(name: str) -> None:
    with pytest.raises(UnreadableFile, match="is not supported"):
        list(rows(io.BytesIO(b"a\n1\n"), Format(FormatKind.CSV, name)))


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_each_encoding_is_read_indexed_and_written(encoding: str, tmp_path: Path) -> None:
    table = table_in(encoding)
    for ending in ("\r\n", "\n"):
        path = write_file(tmp_path, csv_text(table, ending=ending).encode(encoding))
        form = Format(FormatKind.CSV, encoding)
        assert [entry.content for entry in rows(path, form)] == table[1:]
        index = RowIndex(path, form)
        assert index_file(path, form, index.extend) == len(table) - 1
        for number, row in enumerate(table[1:]):
            assert [entry.content for entry in index.rows(number, 1)] == [row]
        renamed = tmp_path / "renamed.csv"
        write_with_names(path, form, ["one", "two"], renamed)
        assert columns(renamed, form) == ("one", "two")
        assert [entry.content for entry in rows(renamed, form)] == table[1:]


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_each_encoding_reads_json_lines(encoding: str) -> None:
    form = Format(FormatKind.JSONL, encoding)
    content = "\n".join(f'{{"a": "{word}"}}' for word, _pair in table_in(encoding)[1:]).encode(encoding)
    expected = [{"a": word} for word, _pair in table_in(encoding)[1:]]
    assert [entry.content for entry in rows(io.BytesIO(content), form)] == expected


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be", "gb18030"])
def test_a_byte_order_mark_is_skipped(encoding: str, tmp_path: Path) -> None:
    path = write_file(tmp_path, ("\ufeff" + CHINESE).encode(encoding))
    form = Format(FormatKind.CSV, encoding)
    assert columns(path, form) == ("问题", "图片")
    index = RowIndex(path, form)
    index_file(path, form, index.extend)
    assert index.rows(1, 1) == list(rows(path, form))[1:]


def test_a_row_is_located_although_its_text_would_be_encoded_differently(tmp_path: Path) -> None:
    apart, together = b"\x82\xa9\x82\xf5", "か゚".encode("shift_jis_2004")
    assert apart != together
    path = write_file(tmp_path, b"a\n" + b"\x82\xa9+AAA\n" + apart + b"\n" + together + b"\nend\n")
    form = Format(FormatKind.CSV, "shift_jis_2004")
    index = RowIndex(path, form)
    index_file(path, form, index.extend)
    assert [entry.content for entry in index.rows(3, 1)] == [["end"]]


def test_a_shift_state_across_lines_is_rejected_with_a_message(tmp_path: Path) -> None:
    path = write_file(tmp_path, b"a\n\x1b$BF|K\\\nF|K\\\x1b(B\n")
    with pytest.raises(UnreadableFile, match="ISO2022_JP, but a line does not end in ASCII"):
        list(rows(path, Format(FormatKind.CSV, "iso2022_jp")))


def test_a_line_end_escaped_in_hz_does_not_end_the_line(tmp_path: Path) -> None:
    path = write_file(tmp_path, b"a\none~\n two\n~{VPND~}\n")
    form = Format(FormatKind.CSV, "hz")
    assert [entry.content for entry in rows(path, form)] == [["one two"], ["中文"]]
    index = RowIndex(path, form)
    index_file(path, form, index.extend)
    assert [entry.content for entry in index.rows(1, 1)] == [["中文"]]


def test_carriage_returns_split_lines_in_constant_memory(tmp_path: Path) -> None:
    path = write_file(tmp_path, ("質問,b\r" + "猫,1\r" * 100).encode("shift_jis"))
    entries = list(rows(path, Format(FormatKind.CSV, "shift_jis")))
    assert [entry.content for entry in entries] == [["猫", "1"]] * 100


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        (JAPANESE, "shift_jis", "cp932"),
        ("名前,都市\n太郎,東京\n", "shift_jis", "cp932"),
        (JAPANESE, "euc_jp", "euc_jp"),
        (CHINESE, "gb18030", "gb18030"),
        ("姓名,城市\n王伟,北京\n", "gb18030", "gb18030"),
        (RUSSIAN, "cp1251", "cp1251"),
        ("имя,город\nИван,Москва\n", "cp1251", "cp1251"),
        (RUSSIAN, "koi8_r", "koi8_r"),
        ("ερώτηση,εικόνα\nΠόσες γάτες υπάρχουν;,1\nΠοιο σας αρέσει;,x\n", "cp1253", "cp1253"),
        ("prompt,note\nété,œufs\n", "cp1252", "cp1252"),
        ("Frage\nWie viele Kätzchen sind größer? Möchten Sie „später“ antworten?\n", "cp1252", "cp1252"),
        ("Perché è così? Città più bella.\n" * 3, "cp1252", "cp1252"),
        ("a,b\nIt’s “here”,x\n5 €,7 £\n", "cp1252", "cp1252"),
        ("name\nMüller\nGarcía\nNuñez\nBjörk\nFrançois\nÅsa\nØrsted\nÇelik\n", "cp1252", "cp1252"),
        (JAPANESE, "utf-32", "utf-32-le"),
        ("\ufeff" + JAPANESE, "utf-32-be", "utf-32-be"),
        (JAPANESE, "utf-8-sig", "utf-8"),
        (JAPANESE, "utf-16", "utf-16-le"),
    ],
)
def test_an_encoding_is_detected(text: str, encoding: str, expected: str) -> None:
    content = text.encode(encoding)
    assert detect_encoding(content) == expected
    assert content.decode(expected).removeprefix("\ufeff") == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("text", "encoding"), [(JAPANESE, "cp932"), (CHINESE, "gb18030"), (RUSSIAN, "cp1251")]
)
def test_the_encoding_of_a_large_file_is_detected_from_its_start(
    text: str, encoding: str, tmp_path: Path
) -> None:
    header, _end, body = text.partition("\n")
    content = f"{header}\n{body * (SAMPLE_BYTES // len(body) + 2)}".encode(encoding)
    assert len(content) > SAMPLE_BYTES
    path = write_file(tmp_path, content + b"\xff\xfe\xfd" * 1000)
    assert sniff(path) == sniff(path) == Format(FormatKind.CSV, encoding)


def test_the_first_bytes_beyond_ascii_determine_the_encoding() -> None:
    assert detect_encoding(b"plain,ascii\n" * 1000 + RUSSIAN.encode("cp1251")) == "cp1251"
