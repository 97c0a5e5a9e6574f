"""Files as Windows has them: lines that end with CRLF, names in other case, files that are open elsewhere."""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batchwright.__main__ import main
from batchwright.local.recent_studies import Recent, Recents
from batchwright.local.study_files.study_file import id_of_path
from tests.data_files.files import write_file
from tests.flows.program import SAMPLE

if sys.platform == "win32":
    import _winapi

of_windows = pytest.mark.skipif(
    sys.platform != "win32", reason="open files and names in other case differ there"
)


@contextmanager
def open_elsewhere(path: Path) -> Iterator[None]:
    """A file of Windows that another program has open for itself alone."""
    if sys.platform == "win32":
        handle = _winapi.CreateFile(str(path), _winapi.GENERIC_READ, 0, 0, _winapi.OPEN_EXISTING, 0, 0)
        try:
            yield
        finally:
            _winapi.CloseHandle(handle)
    else:
        raise NotImplementedError


@pytest.fixture
def case_is_ignored(tmp_path: Path) -> None:
    """Skip the test where names in other case are names of other files."""
    (tmp_path / "Case").touch()
    if not (tmp_path / "case").exists():
        pytest.skip("names in other case are names of other files here")


@pytest.mark.parametrize(
    ("name", "text"),
    [("table.csv", 'a,b\n1,"two\nlines"\n3,4\n'), ("table.jsonl", '{"a": "1"}\n\n{"a": "2"}\n')],
)
def test_lines_may_end_with_crlf(tmp_path: Path, name: str, text: str) -> None:
    written = []
    for ending in ("\n", "\r\n"):
        source, out = write_file(tmp_path, text.replace("\n", ending), name), tmp_path / "out.jsonl"
        assert main(["convert", str(source), "--out", str(out), "--overwrite"]) == 0
        written.append(out.read_bytes())
    assert written[1].replace(rb"\r\n", rb"\n") == written[0]  # the line break within a cell is kept
    assert b"\r" not in written[1]


def test_layout_schema_and_steps_may_have_lines_that_end_with_crlf(tmp_path: Path) -> None:
    for name in ("layout.json", "schema.json", "records.csv"):
        text = (SAMPLE / name).read_bytes().replace(b"\r\n", b"\n")
        write_file(tmp_path, text.replace(b"\n", b"\r\n"), name)
    files = {name: str(tmp_path / f"{name}.json") for name in ("layout", "schema", "steps")}
    records, out = str(tmp_path / "records.csv"), tmp_path / "out.jsonl"
    assert main(["check", files["layout"], "--schema", files["schema"]]) == 0
    assert main(["check-data", records, "--schema", files["schema"]]) == 0
    write_file(tmp_path, '[\r\n{"step": "sample",\r\n"size": 3}\r\n]\r\n', "steps.json")
    assert main(["prepare", files["steps"], records, "--out", str(out)]) == 0
    assert len([json.loads(line) for line in out.read_text("utf-8").splitlines()]) == 3


def test_the_end_of_a_name_may_be_in_capitals(tmp_path: Path) -> None:
    source, out = write_file(tmp_path, "a\n1\n", "TABLE.CSV"), tmp_path / "out.jsonl"
    assert main(["convert", str(source), "--out", str(out)]) == 0
    assert out.read_text("utf-8") == '{"a": "1"}\n'
    again = tmp_path / "again.jsonl"
    assert main(["convert", str(out.rename(tmp_path / "OUT.JSONL")), "--out", str(again)]) == 0
    assert again.read_text("utf-8") == '{"a": "1"}\n'


@pytest.mark.usefixtures("case_is_ignored")
def test_a_file_is_found_by_its_name_in_other_case_and_not_replaced_by_what_is_made_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_file(tmp_path, "a\n1\n", "Data.CSV")
    asked = str(tmp_path / "data.csv")
    assert main(["convert", asked, "--out", str(tmp_path / "out.jsonl")]) == 0
    assert main(["convert", asked, "--out", str(tmp_path / "DATA.csv")]) == 2
    assert "--overwrite replaces it" in capsys.readouterr().err
    assert (tmp_path / "Data.CSV").read_text("utf-8") == "a\n1\n"


@of_windows
def test_a_study_is_the_same_under_its_name_in_other_case(tmp_path: Path) -> None:
    study = tmp_path / "Study.batchwright"
    shutil.copy(SAMPLE / "layout.json", study)
    in_other_case = tmp_path / "STUDY.Batchwright"
    assert id_of_path(study) == id_of_path(in_other_case)
    recents = Recents(tmp_path)
    for path in (study, in_other_case):
        recents.save(Recent(path, "Study", datetime.now(UTC)))
    assert len(recents.all()) == 1


@of_windows
def test_a_file_that_another_program_has_for_itself_is_named_and_neither_read_nor_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = write_file(tmp_path, "a\n1\n"), write_file(tmp_path, "old", "out.jsonl")
    with open_elsewhere(source):
        assert main(["convert", str(source), "--out", str(tmp_path / "new.jsonl")]) == 2
    assert str(source) in capsys.readouterr().err
    with open_elsewhere(out):
        assert main(["convert", str(source), "--out", str(out), "--overwrite"]) == 2
    assert f"{out} cannot be read or written: the file is open in another program" in capsys.readouterr().err
    assert out.read_text("utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "table.csv"]
