"""The set-up script detects whether an environment can be used or must be created again."""

import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.scripts import FOLDER, load_script


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`packaging/start.py`, with the environment in a temporary folder."""
    monkeypatch.syspath_prepend(str(FOLDER))
    module = load_script("start")
    for name in ("ROOT", "STAMP", "PYTHON"):
        monkeypatch.setattr(module, name, tmp_path / name)
    (tmp_path / "PYTHON").touch()
    return module


def test_a_complete_environment_is_recognised(start: ModuleType) -> None:
    stamp = {"root": str(start.ROOT), "run": "digest"}
    start.STAMP.write_text(json.dumps(stamp))
    assert start.environment_stamp() == stamp


@pytest.mark.parametrize(
    "stamp", ["", '{"run": "dig', '{"run": "digest"}', '{"root": "/elsewhere", "run": "d"}']
)
def test_an_incomplete_or_moved_environment_is_not_used(stamp: str, start: ModuleType) -> None:
    start.STAMP.write_text(stamp)
    assert start.environment_stamp() == {}


def test_without_a_python_executable_there_is_no_environment(start: ModuleType) -> None:
    start.STAMP.write_text(json.dumps({"root": str(start.ROOT), "run": "digest"}))
    start.PYTHON.unlink()
    assert start.environment_stamp() == {}
