"""The set-up script detects whether an environment can be used or must be created again."""

import json
import sys
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.scripts import FOLDER, load_script


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`packaging/start.py`, with the environment in a temporary folder."""
    monkeypatch.syspath_prepend(str(FOLDER))
    module = load_script("start")
    for name in ("ROOT", "VENV", "STAMP", "PYTHON", "LAST_FAILED"):
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


CHECK = ["pytest", "-n", "auto"]


@pytest.fixture
def runs(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run; all succeed."""
    commands: list[list[str]] = []

    def passes(_name: str, command: list[str], _limit: float | None) -> bool:
        commands.append(command)
        return True

    monkeypatch.setattr(start, "passes", passes)
    return commands


def test_a_few_failed_tests_run_once_more_and_are_listed(start: ModuleType, runs: list[list[str]]) -> None:
    start.LAST_FAILED.write_text(json.dumps({"tests/test_a.py::test_b": True}))
    unstable: list[str] = []
    assert start.passes_again("tests", CHECK, None, unstable)
    assert runs == [[*CHECK, "-n", "0", "--last-failed"]]
    assert unstable == ["tests/test_a.py::test_b"]


def test_a_test_that_fails_twice_fails_the_check(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    start.LAST_FAILED.write_text(json.dumps({"tests/test_a.py::test_b": True}))
    monkeypatch.setattr(start, "passes", lambda _name, _command, _limit: False)
    unstable: list[str] = []
    assert not start.passes_again("tests", CHECK, None, unstable)
    assert unstable == []


@pytest.mark.parametrize(
    ("command", "failed"), [(CHECK, 0), (CHECK, 4), (["mypy"], 1)], ids=["none", "many", "no tests"]
)
def test_other_failures_are_not_repeated(
    command: list[str], failed: int, start: ModuleType, runs: list[list[str]]
) -> None:
    start.LAST_FAILED.write_text(json.dumps({f"test_{number}": True for number in range(failed)}))
    assert not start.passes_again("tests", command, None, [])
    assert runs == []


def test_the_environment_is_created_with_python_3_12_if_there_is_one(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[list[object]] = []
    monkeypatch.setattr(start.subprocess, "run", lambda command, **_options: commands.append(command))
    newer = load_script("pythons").Python(Path("python3.12"), (3, 12), is_shared=True)
    for found, python in (([newer], newer.path), ([], sys.executable)):
        monkeypatch.setattr(start, "recommended_pythons", partial(iter, found))
        start.create_environment()
        assert commands.pop() == [python, "-m", "venv", start.VENV]
        assert ("not found" in capsys.readouterr().out) == (not found)
