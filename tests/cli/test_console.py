"""Text from files and services is shown on a console, and control characters are escaped."""

import json
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
