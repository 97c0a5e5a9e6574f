"""`batchwright-cli convert`, and `check-data` with files that are converted."""

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from batchwright.__main__ import main
from tests.data_files.conversion.test_convert import workbook
from tests.data_files.files import write_file

NESTED = {"items": [{"prompt": "a", "turns": [{"text": "x"}, {"text": "y"}]}], "others": [{"prompt": "b"}]}


def written(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_records_are_written_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = write_file(tmp_path, "id;text\n007;“x”\n8;\n9\n", "table.csv"), tmp_path / "out.jsonl"
    assert main(["convert", str(source), "--out", str(out)]) == 0
    assert written(out) == [{"id": "007", "text": "“x”"}, {"id": "8"}, ["9"]]
    notes = capsys.readouterr()
    assert notes.out == ""
    assert "1 line is rejected" in notes.err
    assert "3 records were written." in notes.err
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_an_existing_file_is_replaced_only_if_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = write_file(tmp_path, "a\n1\n"), write_file(tmp_path, "precious", "out.jsonl")
    assert main(["convert", str(source), "--out", str(out)]) == 2
    assert "--overwrite replaces it" in capsys.readouterr().err
    assert out.read_text() == "precious"
    assert main(["convert", str(source), "--out", str(out), "--overwrite"]) == 0
    assert written(out) == [{"a": "1"}]
    damaged = write_file(tmp_path, "[{", "damaged.json")
    assert main(["convert", str(damaged), "--out", str(out), "--overwrite"]) == 2
    assert written(out) == [{"a": "1"}]


@pytest.mark.parametrize("out", ["folder", "nowhere/out.jsonl", "read-only.jsonl", "table.csv"])
def test_a_file_that_cannot_be_written_is_named(
    tmp_path: Path, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source, read_only = (
        write_file(tmp_path, "a\n1\n", "table.csv"),
        write_file(tmp_path, "", "read-only.jsonl"),
    )
    read_only.chmod(0o444)
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    assert main(["convert", str(source), "--out", str(tmp_path / out), "--overwrite"]) == 2
    assert capsys.readouterr().err.startswith(f"{tmp_path / out} ")
    assert sorted(tmp_path.iterdir()) == before
    assert (source.read_text(), read_only.read_text()) == ("a\n1\n", "")


@pytest.mark.skipif(os.name == "nt", reason="ends by a signal")
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_of_an_interrupted_conversion_after_the_next_one(
    tmp_path: Path, signal_number: signal.Signals
) -> None:
    source, out = write_file(tmp_path, "a\n1\n", "table.csv"), tmp_path / "out.jsonl"
    interrupted = f"""
import os, signal, sys
from batchwright.__main__ import main
from batchwright.cli import output_files
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process inherits that it is ignored
output_files.replace_atomically = lambda *_paths: os.kill(os.getpid(), {signal_number})
sys.exit(main(sys.argv[1:]))
"""
    command = [sys.executable, "-c", interrupted, "convert", str(source), "--out", str(out)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
    left = list(tmp_path.glob(".*"))
    if signal_number is signal.SIGKILL:
        (part,) = left
        long_ago = time.time() - 60
        os.utime(part, (long_ago, long_ago))
        assert main(["convert", str(source), "--out", str(out)]) == 0
        assert not list(tmp_path.glob(".*"))
    else:
        assert (ended.returncode, ended.stderr, left) == (2, "Interrupted.\n", [])
        assert not out.exists()


def test_the_files_of_a_folder_need_the_address_where_they_are_on_the_web(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "pictures", tmp_path / "out.jsonl"
    folder.mkdir()
    (folder / "a b.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    command = ["convert", str(folder), "--out", str(out)]
    assert main(command) == 2
    assert "--base-address" in capsys.readouterr().err
    assert main([*command, "--base-address", "http://example.org/pictures"]) == 2
    assert not out.exists()
    assert main([*command, "--base-address", "https://example.org/pictures"]) == 0
    (record,) = written(out)
    assert isinstance(record, dict)
    assert record["picture"] == "https://example.org/pictures/a%20b.png"
    assert main(["convert", str(out), "--out", "-", "--base-address", "https://example.org/"]) == 2


def test_the_records_are_written_to_standard_output(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["convert", str(write_file(tmp_path, "a\n“1”\n")), "--out", "-"]) == 0
    assert capfdbinary.readouterr().out == '{"a": "“1”"}\n'.encode()


def test_options_choose_what_is_read(tmp_path: Path) -> None:
    source, out = write_file(tmp_path, json.dumps(NESTED), "study.json"), tmp_path / "out.jsonl"
    command = ["convert", str(source), "--out", str(out), "--overwrite"]
    assert main([*command, "--flatten", "turns"]) == 0
    assert written(out) == [{"prompt": "a", "turns.text": "x"}, {"prompt": "a", "turns.text": "y"}]
    assert main([*command, "--array", "others"]) == 0
    assert written(out) == [{"prompt": "b"}]


def test_options_choose_how_a_csv_file_is_read(tmp_path: Path) -> None:
    source, out = tmp_path / "study.csv", tmp_path / "out.jsonl"
    source.write_bytes("Modell,,id\nA|ü,B,\nja,nein,007\n".encode("cp1252"))
    command = ["convert", str(source), "--out", str(out), "--overwrite", "--encoding", "cp1252"]
    assert main([*command, "--header-rows", "2"]) == 0
    assert written(out) == [{"Modell A|ü": "ja", "Modell B": "nein", "id": "007"}]
    assert main([*command, "--delimiter", "|", "--header-rows", "0"]) == 0


def test_options_that_do_not_fit_the_file_are_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    book = workbook(tmp_path / "book.xlsx", [["a"], ["x"]])
    assert main(["convert", str(book), "--out", str(out), "--sheet", "Data"]) == 2
    assert "does not have --sheet Data; it has: Sheet1" in capsys.readouterr().err
    assert main(["convert", str(book), "--out", str(out), "--member", "a.csv"]) == 2
    assert "--member has no effect" in capsys.readouterr().err
    assert not out.exists()


def test_check_data_names_the_rows_of_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = write_file(
        tmp_path, json.dumps({"strict": True, "fields": {"prompt": {"type": "text"}}}), "schema.json"
    )
    book = workbook(tmp_path / "book.xlsx", [["Study"], [], ["prompt", "n"], ["x", 1], [], [None, 2]])
    archive = tmp_path / "book.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.write(book, book.name)
    for path in (book, archive):
        assert main(["check-data", str(path), "--schema", str(schema)]) == 1
        assert capsys.readouterr().out.startswith("line 6, prompt: ")
