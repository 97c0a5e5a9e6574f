"""Text from files and services is shown on a console, and control characters are escaped."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from batchwright.__main__ import main
from batchwright.cli.console import harmless

CLEAR, BACKWARDS, C1 = "\x1b[2J", "\u202e", "\x9b31m"


@pytest.mark.parametrize("steering", [CLEAR, BACKWARDS, C1, "\r", "\b", "\x7f", "\U000e0041"])
def test_control_characters_are_escaped(steering: str) -> None:
    shown = harmless(f"a{steering}b")
    assert shown.isprintable()
    assert json.loads(f'"{shown}"') == f"a{steering}b"


def test_letters_of_every_script_and_line_ends_are_unchanged() -> None:
    text = "Größe 大きさ حجم 👍\n\tnext"
    assert harmless(text) == text


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_content_of_a_file_cannot_control_the_console(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema, data = tmp_path / "schema.json", tmp_path / "data.jsonl"
    field = f"score{CLEAR}{C1}{BACKWARDS}"
    schema.write_text(json.dumps({"strict": True, "fields": {field: {"type": "text", "label": "Score"}}}))
    data.write_text("{}\n")
    assert main(["check-data", str(data), "--schema", str(schema), *options]) == 1
    printed = capsys.readouterr()
    for sign in ("\x1b", "\x9b", BACKWARDS):
        assert sign not in printed.out + printed.err


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii", "utf-8"])
def test_json_is_valid_in_the_encoding_of_every_pipe(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "Größe 大きさ 👍"
    schema, data = tmp_path / "schema.json", tmp_path / "data.jsonl"
    fields = {name: {"type": "text", "label": "Size"}}
    schema.write_text(json.dumps({"strict": True, "fields": fields}))
    data.write_text("{}\n")
    pipe = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, encoding, write_through=True))
    assert main(["check-data", str(data), "--schema", str(schema), "--json"]) == 1
    (error,) = json.loads(pipe.getvalue().decode("utf-8"))["errors"]
    assert name in str(error)


def test_nothing_is_said_when_the_reader_of_the_output_has_closed_it(tmp_path: Path) -> None:
    layout = tmp_path / "layout.json"
    layout.write_text("[]")
    command = [sys.executable, "-m", "batchwright", "check", str(layout), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 2


@pytest.mark.skipif(sys.platform != "linux", reason="there is no such device")
def test_an_output_that_cannot_be_written_is_an_error_without_a_traceback(tmp_path: Path) -> None:
    layout = tmp_path / "layout.json"
    layout.write_text("[]")
    command = f"'{sys.executable}' -m batchwright check --json '{layout}' > /dev/full"
    ended = subprocess.run(command, shell=True, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (2, "No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_an_output_that_is_closed_is_not_written_elsewhere(closed: str, tmp_path: Path) -> None:
    layout = tmp_path / "layout.json"
    layout.write_text("[]")
    command = f"'{sys.executable}' -m batchwright check '{layout}' {closed}"
    ended = subprocess.run(command, shell=True, check=False, capture_output=True, text=True)
    assert ended.returncode == 1
    assert (ended.stdout == "") == (closed == ">&-")
    assert (ended.stderr == "") == (closed == "2>&-")
    assert "Errors: 1." not in ended.stdout


def test_a_name_that_the_file_system_does_not_allow_is_an_error_of_the_input(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "x" * 300 + ".json"
    assert main(["check", name]) == 2
    assert name in capsys.readouterr().err
