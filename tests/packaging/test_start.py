"""The set-up script knows an environment that it can use from one that it has to make anew."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.flows.program import ROOT


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`packaging/start.py`, on an environment in a folder of its own."""
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


def test_what_was_set_up_here_is_known_again(start: ModuleType) -> None:
    stamp = {"root": str(start.ROOT), "run": "digest"}
    start.STAMP.write_text(json.dumps(stamp))
    assert start.stamped() == stamp


@pytest.mark.parametrize(
    "stamp", ["", '{"run": "dig', '{"run": "digest"}', '{"root": "/elsewhere", "run": "d"}']
)
def test_an_environment_cut_off_or_moved_counts_for_nothing(stamp: str, start: ModuleType) -> None:
    start.STAMP.write_text(stamp)
    assert start.stamped() == {}


def test_without_a_python_there_is_no_environment(start: ModuleType) -> None:
    start.STAMP.write_text(json.dumps({"root": str(start.ROOT), "run": "digest"}))
    start.PYTHON.unlink()
    assert start.stamped() == {}
