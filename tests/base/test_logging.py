"""The log: every unexpected error with its traceback, and never a token, a signature or an answer."""

import asyncio
import io
import logging
import os
import subprocess
import sys
import threading
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from batchwright.base import logging as log

TOKEN = "token-canary-9f3a"
SIGNATURE = "signature-canary-77b1"
ANSWER = "answer canary: it was rude"

program = logging.getLogger("batchwright.tests")


def logged(folder: Path) -> str:
    return (folder / "program.log").read_text(encoding="utf-8")


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def test_an_error_is_logged_with_its_traceback_and_its_cause(tmp_path: Path) -> None:
    log.start_logging("program", tmp_path)
    try:
        try:
            raise OSError(5, "Input/output error")
        except OSError as cause:
            raise RuntimeError("the export failed") from cause
    except RuntimeError:
        program.exception("Export failed")
    text = logged(tmp_path)
    assert text.index("OSError: [Errno 5]") < text.index("RuntimeError: the export failed")
    assert text.count("Traceback") == 2
    assert __file__ in text


def test_a_normal_run_of_the_service_is_logged(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "batchwright", "serve", "--base-url", "nonsense"]
    environment = {**os.environ, log.FOLDER_VARIABLE: str(tmp_path)}
    subprocess.run(command, env=environment, check=False, capture_output=True, timeout=60)
    start, end = (tmp_path / "service.log").read_text(encoding="utf-8").splitlines()
    assert f"Start of serve: Batchwright {version('batchwright')}, Python 3." in start
    assert "End of serve: exit code 2" in end


def test_no_token_signature_or_answer_is_logged(tmp_path: Path) -> None:
    log.start_logging("program", tmp_path)
    log.hide_in_log(TOKEN)
    program.warning("GET https://files.example/a.csv?X-Signature=%s", SIGNATURE)
    program.warning("token %s, header Authorization: Token unregistered-%s", TOKEN, SIGNATURE)
    program.error("Cannot store the response", exc_info=raised(ValueError(f"invalid literal: {ANSWER}")))
    program.error("Cannot store the response", exc_info=raised(KeyError(ANSWER)))
    program.error("Cannot send", exc_info=raised(ConnectionError(f"PUT /raw?s={SIGNATURE} with {TOKEN}")))
    program.error("All", exc_info=raised(ExceptionGroup("two", [ValueError(ANSWER), OSError(TOKEN)])))
    text = logged(tmp_path)
    assert "ValueError" in text
    assert "ConnectionError: PUT /raw?..." in text
    assert not [secret for secret in (TOKEN, SIGNATURE, "canary") if secret in text]


def test_an_error_that_another_handler_has_formatted_is_formatted_again(tmp_path: Path) -> None:
    other = logging.StreamHandler(io.StringIO())
    logging.getLogger().addHandler(other)
    log.start_logging("program", tmp_path)
    program.error("Cannot store", exc_info=raised(ValueError(ANSWER)))
    logging.getLogger().removeHandler(other)
    assert ANSWER not in logged(tmp_path)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_uncaught_errors_are_logged(tmp_path: Path) -> None:
    log.start_logging("program", tmp_path)
    error = raised(RuntimeError("in the main thread"))
    sys.excepthook(type(error), error, error.__traceback__)

    def fail() -> None:
        raise RuntimeError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log.log_loop_error)
    loop.call_soon(fail)
    await asyncio.sleep(0)
    text = logged(tmp_path)
    assert "RuntimeError: in the main thread" in text
    assert text.count("RuntimeError: in a thread") == 2
    assert text.count("Traceback") == 3


def test_the_log_rotates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_LARGEST_FILE", 2000)
    log.start_logging("program", tmp_path)
    for number in range(500):
        program.info("line %d", number)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["program.log", "program.log.1", "program.log.2", "program.log.3"]
    assert all(path.stat().st_size <= 2000 for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("environment", "setting", "expected"),
    [
        (None, None, logging.INFO),
        (None, "WARNING", logging.WARNING),
        ("debug", "WARNING", logging.DEBUG),
        ("nonsense", None, logging.INFO),
    ],
)
def test_the_log_level_follows_setting_and_environment(
    environment: str | None, setting: str | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(log.LEVEL_VARIABLE, raising=False)
    if environment is not None:
        monkeypatch.setenv(log.LEVEL_VARIABLE, environment)
    log.set_level(setting)
    assert logging.getLogger("batchwright").level == expected


def test_a_program_without_standard_error_logs_to_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    log.start_logging("program", tmp_path)
    error = raised(RuntimeError("in a windowed program"))
    sys.excepthook(type(error), error, error.__traceback__)
    assert "RuntimeError: in a windowed program" in logged(tmp_path)


def test_the_program_runs_with_an_unwritable_log_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    log.start_logging("program", tmp_path / "file" / "logs")
    program.error("still here")
    assert "still here" in capsys.readouterr().err


def test_the_log_is_in_the_log_folder_of_the_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(log.FOLDER_VARIABLE, str(tmp_path / "here"))
    assert log.log_folder() == tmp_path / "here"
    monkeypatch.delenv(log.FOLDER_VARIABLE)
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path))
    assert log.log_folder() == tmp_path / "logs"
    monkeypatch.delenv("BATCHWRIGHT_HOME")
    assert "batchwright" in str(log.log_folder()).lower()


FAIL = """
import sys
from batchwright import __main__
from batchwright.cli import check
def fail(options): raise RuntimeError("unforeseen")
check.run = fail
sys.exit(__main__.main(["check", "layout.json"]))
"""


def test_an_unexpected_error_of_a_command_is_logged_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(log.FOLDER_VARIABLE, str(tmp_path))
    command: list[Any] = [sys.executable, "-c", FAIL]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "RuntimeError: unforeseen" in done.stderr
    assert "RuntimeError: unforeseen" in (tmp_path / "cli.log").read_text(encoding="utf-8")
