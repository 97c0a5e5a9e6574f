"""The command `rehearse`: unexpected errors."""

import argparse
from pathlib import Path

import pytest

from batchwright.cli import rehearse


def test_an_unexpected_error_is_logged_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    error = RuntimeError("the schema is inconsistent")

    def fail(_path: Path) -> None:
        raise error

    monkeypatch.setattr(rehearse, "read_schema_file", fail)
    options = {name: Path(name) for name in ("layout", "schema", "data")}
    assert rehearse.run(argparse.Namespace(**options, collection=None)) == 2
    (logged,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert logged.exc_info is not None
    assert logged.exc_info[1] is error
    assert "the schema is inconsistent" in capsys.readouterr().err
