"""The set-up script says which packages of the system it installs, and asks on a terminal."""

import io
import subprocess
import sys
from dataclasses import replace
from types import ModuleType

import pytest

from tests.packaging.scripts import FOLDER, load_script

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="packages of Debian and Ubuntu")

COMMAND = "apt-get update && apt-get install --no-install-recommends one two"


class Terminal(io.StringIO):
    """Standard input of a user who types a text."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`packaging/system.py` on a computer where root misses two packages."""
    monkeypatch.syspath_prepend(str(FOLDER))
    module = load_script("system")
    need = module.Need("the number", lambda: False, ("one", "two"))
    monkeypatch.setattr(module, "NEEDS", {"run": (need,)})
    monkeypatch.setattr(module.os, "geteuid", lambda: 0)
    monkeypatch.setattr(module.shutil, "which", lambda name: f"/usr/bin/{name}")
    return module


@pytest.fixture
def calls(
    system: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[list[str]]:
    """The calls of the package manager; each must come after the message with the command."""
    commands: list[list[str]] = []

    def run(command: list[str], **_options: object) -> None:
        if not commands:
            output = capsys.readouterr().out
            assert COMMAND in output
            assert "the number: one, two" in output
        commands.append(command)

    monkeypatch.setattr(subprocess, "run", run)
    return commands


@pytest.mark.parametrize("answer", ["\n", "y\n", "Yes\n"])
def test_a_user_who_agrees_gets_the_packages(
    system: ModuleType, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    system.provide("run")
    assert [command[:2] for command in calls] == [["apt-get", "update"], ["apt-get", "install"]]
    assert calls[1][-2:] == ["one", "two"]


@pytest.mark.parametrize("answer", ["n\n", "no\n", "what?\n", ""])
def test_nothing_is_installed_without_agreement(
    system: ModuleType,
    calls: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    system.provide("run")
    assert calls == []
    output = capsys.readouterr()
    assert COMMAND in output.out
    assert "Missing: the number. What needs it is skipped." in output.err


def test_without_a_terminal_the_packages_are_installed_after_the_message(
    system: ModuleType, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    system.provide("run")
    assert len(calls) == 2


def test_other_users_are_told_the_command(
    system: ModuleType,
    calls: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(system.os, "geteuid", lambda: 1000)
    system.provide("run")
    assert calls == []
    assert "apt-get install --no-install-recommends one two" in capsys.readouterr().err


def test_what_cannot_be_done_without_a_need_is_said(
    system: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    venv = replace(system.TO_RUN[0], is_present=lambda: False)
    monkeypatch.setattr(system, "NEEDS", {"run": (venv,)})
    monkeypatch.setattr(system.os, "geteuid", lambda: 1000)
    system.provide("run")
    assert "venv module. This Python cannot create an environment." in capsys.readouterr().err
