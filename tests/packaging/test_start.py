"""The set-up script detects whether an environment can be used or must be created again."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from argparse import Namespace
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from batchwright.base.files.file_lock import FileLock
from tests.conftest import shard_modules
from tests.flows.program import ROOT
from tests.packaging.scripts import FOLDER, load_script

TESTS = Path(__file__).parents[1]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`packaging/start.py`, with the environment in a temporary folder."""
    monkeypatch.syspath_prepend(str(FOLDER))
    module = load_script("start")
    for name in ("ROOT", "VENV", "STAMP", "PYTHON", "LOCK"):
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


def options(start: ModuleType, *, long: bool = False) -> Namespace:
    parsed: Namespace = start.parser().parse_args(["test", *(["--long"] if long else [])])
    return parsed


def windows_run(start: ModuleType, *, long: bool) -> list[bool]:
    """Return, of each run of window tests, whether it has a screen reader."""
    runs = [command for command in start.checks(options(start, long=long)).values() if command[0] == "pytest"]
    ignored = {f"--ignore={path}" for path in start.WINDOW_TESTS}
    runs = [command for command in runs if not ignored <= set(command) and "tests/benchmarks" not in command]
    return ["--screen-reader" in command for command in runs]


def test_window_tests_run_once_with_a_screen_reader_on_linux_and_without_one_elsewhere(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for system, expected in (("linux", [True]), ("darwin", [False]), ("win32", [False])):
        monkeypatch.setattr(sys, "platform", system)
        assert windows_run(start, long=False) == expected
    monkeypatch.setattr(sys, "platform", "linux")
    assert windows_run(start, long=True) == [False, True]


def test_every_test_run_checks_the_speed_and_a_long_one_all_of_it(start: ModuleType) -> None:
    quick, long = (start.checks(options(start, long=is_long))["speed"] for is_long in (False, True))
    assert quick == ["pytest", "-m", "quick", "tests/benchmarks"]
    assert long == start.benchmarks()


def test_tests_under_wine_run_alone_on_request_and_with_the_long_ones(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    alone = start.checks(start.parser().parse_args(["test", "--windows"]))
    assert list(alone) == ["tests under Wine"]
    assert "tests under Wine" in start.checks(options(start, long=True))
    assert "tests under Wine" not in start.checks(options(start))


@pytest.mark.parametrize("record", [False, True])
def test_the_benchmarks_are_compared_or_recorded(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, record: bool
) -> None:
    commands: list[list[str]] = []

    def passes(_name: str, command: list[str], _limit: float | None) -> bool:
        commands.append(command)
        return True

    monkeypatch.setattr(start, "passes", passes)
    bench = start.parser().parse_args(["bench", *(["--record"] if record else [])])
    assert start.check(bench) == 0
    assert {"tests/benchmarks", "--all-figures"} <= set(commands[0])
    assert ("--record-figures" in commands[0]) == record
    assert commands[1:] == ([["python", "packaging/help_pages.py"]] if record else [])


def test_a_failed_test_fails_the_command(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the real pytest: a test that fails once and would pass the second time."""
    (tmp_path / "test_once.py").write_text(
        "from pathlib import Path\n"
        "def test_once():\n"
        "    mark = Path(__file__).with_name('mark')\n"
        "    assert mark.exists() or mark.touch()\n"
    )
    monkeypatch.setattr(start, "ROOT", tmp_path)
    monkeypatch.setattr(start, "SCRIPTS", Path(sys.executable).parent)
    pytest_command = ["python", "-m", "pytest", "-p", "no:cacheprovider", "test_once.py"]
    monkeypatch.setattr(start, "checks", lambda _options: {"tests": pytest_command})
    assert start.check(options(start)) == 1
    assert "Failed: tests." in capsys.readouterr().out
    assert start.check(options(start)) == 0


def test_a_check_beside_the_tests_fails_the_command_and_is_printed_as_a_whole(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "ROOT", TESTS)
    monkeypatch.setattr(start, "SCRIPTS", Path(sys.executable).parent)
    commands = {
        "ruff": ["python", "-c", "print('one'); print('two'); raise SystemExit(1)"],
        "tests": ["python", "-c", ""],
    }
    monkeypatch.setattr(start, "checks", lambda _options: commands)
    assert start.check(options(start)) == 1
    printed = capsys.readouterr().out
    assert "== ruff\none\ntwo\n" in printed
    assert "Failed: ruff." in printed


def test_shards_together_have_every_test_module(tmp_path: Path) -> None:
    counts = {tmp_path / f"test_{number}.py": number for number in range(1, 20)}
    parts = [shard_modules(counts, f"{k}/4") for k in range(1, 5)]
    assert sorted(module for part in parts for module in part) == sorted(counts)
    sizes = [sum(counts[module] for module in part) for part in parts]
    assert max(sizes) - min(sizes) <= max(counts.values())
    for wrong in ("0/4", "5/4", "1", "a/b", "1/0"):
        with pytest.raises(pytest.UsageError, match="expected K/N"):
            shard_modules(counts, wrong)


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


def test_an_environment_that_cannot_be_created_ends_the_script_with_a_message(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(command: list[str], **_options: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    with_lock_file(start)
    monkeypatch.setattr(start.subprocess, "run", fail)
    monkeypatch.setattr(start, "recommended_pythons", partial(iter, []))
    with pytest.raises(SystemExit, match="The environment could not be set up"):
        start.install("run")


def test_a_second_start_waits_for_the_first_and_uses_its_environment(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = with_lock_file(start)
    is_waiting = threading.Event()
    monkeypatch.setattr(start, "print", lambda *_texts, **_options: is_waiting.set(), raising=False)
    monkeypatch.setattr(start, "install_packages", lambda *_lock, **_options: pytest.fail("set up twice"))
    first = FileLock(start.LOCK)
    assert first.acquire()
    second = threading.Thread(target=start.install, args=["run"])
    second.start()
    assert is_waiting.wait(timeout=60)
    start.STAMP.write_text(json.dumps({"root": str(start.ROOT), "run": expected}))
    first.release()
    second.join()


def with_lock_file(start: ModuleType) -> str:
    """Write what the environment is set up from; returns its digest."""
    (start.ROOT / "packaging").mkdir(parents=True)
    (start.ROOT / "packaging" / "run.lock").write_bytes(b"one")
    (start.ROOT / "pyproject.toml").write_bytes(b"two")
    return hashlib.sha256(b"onetwo").hexdigest()


INTERRUPTED_WINDOW = f"""
import sys
sys.path.insert(0, {str(FOLDER)!r})
import start
from pathlib import Path
start.PYTHON, start.has_screen = Path(sys.argv[1]), lambda: True
print("exit code", start.run())
"""
"""Runs a program in place of the window."""

SLOW_END = f"""#!{sys.executable}
import time
try:
    print("open", flush=True)
    time.sleep(600)
except KeyboardInterrupt:
    time.sleep(1)
    print("ended in order", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a group of processes, as a terminal interrupts it")
def test_a_window_that_is_interrupted_in_the_terminal_ends_in_order(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(SLOW_END)
    program.chmod(0o700)
    command = [sys.executable, "-c", INTERRUPTED_WINDOW, str(program)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (output, errors) == ("ended in order\nexit code 0\n", "")


def test_a_long_test_may_take_its_time_before_its_process_is_ended(start: ModuleType) -> None:
    (end_s,) = [int(option.partition("=")[2]) for option in start.LONG if "faulthandler_timeout" in option]
    sources = [path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")]
    allowed_s = [int(limit) for source in sources for limit in re.findall(r"mark\.timeout\((\d+)\)", source)]
    assert allowed_s
    assert max(allowed_s) < end_s
