"""The set-up script detects whether an environment can be used or must be created again."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.flows.program import ROOT


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`packaging/start.py`, with the environment in a temporary folder."""
    spec = importlib.util.spec_from_file_location("start", ROOT / "packaging" / "start.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    spec.loader.exec_module(module)
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
