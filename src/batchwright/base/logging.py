"""The log: the standard library's `logging` to a rotating file, every unexpected error with traceback.

Each process writes its own file: `batchwright.log` (window), `service.log`, `worker.log`, `cli.log`. Warnings
and errors are also written to standard error, if there is one: a windowed program has none.

The log never contains a token, the query of a URL (that of a pre-signed URL is its signature) or an answer of
a participant. Every line passes `SafeFormatter`, which omits the message of errors that quote a value.
"""

import logging
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from copy import copy
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import platformdirs

from batchwright.base.environment import home
from batchwright.base.urls import redact_urls

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

LEVEL_VARIABLE: Final = "BATCHWRIGHT_LOG_LEVEL"
"""Environment variable with a level of `logging`, such as DEBUG; it overrides the setting."""

FOLDER_VARIABLE: Final = "BATCHWRIGHT_LOG_FOLDER"
"""Environment variable with another folder for the log files."""

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

_DEFAULT_LEVEL = "INFO"
_LARGEST_FILE = 1024 * 1024
_OLDER_FILES = 3
_LINE_FORMAT = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"

_ERRORS_QUOTING_VALUES = (ValueError, LookupError)
"""Errors, including those of pydantic, whose message contains the invalid value, which can be an answer."""

_AUTHORIZATION = re.compile(r"(\b(?:Token|Bearer)\s+)[^\s'\",]{6,}", re.IGNORECASE)
_HIDDEN = "..."
_SHORTEST_SECRET = 6

_secrets: set[str] = set()
_program = logging.getLogger("batchwright")


class SafeFormatter(logging.Formatter):
    """Formats records without tokens, signatures and answers."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record, with the traceback of its error."""
        record = copy(record)
        record.exc_text = None  # the traceback cached by another formatter
        return without_secrets(super().format(record))

    def formatException(  # noqa: N802 - overrides the standard library's
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """Format the traceback of an error and of its causes."""
        return "" if ei[1] is None else "".join(_traceback(ei[1], set())).rstrip()


def without_secrets(text: str) -> str:
    """The text without tokens and without the queries of URLs."""
    for secret in _secrets:
        text = text.replace(secret, _HIDDEN)
    return redact_urls(_AUTHORIZATION.sub(rf"\1{_HIDDEN}", text))


def hide_in_log(secret: str) -> None:
    """Omit a token from every line that is logged from now on."""
    if len(secret) >= _SHORTEST_SECRET:
        _secrets.add(secret)


def log_folder() -> Path:
    """The folder of the log files: from the environment, below `home`, or the system's folder for logs."""
    if folder := os.environ.get(FOLDER_VARIABLE):
        return Path(folder)
    parent = home()
    return parent / "logs" if parent else platformdirs.user_log_path("Batchwright", appauthor=False)


def start_logging(name: str, folder: Path | None = None) -> None:
    """Log this process to `NAME.log` and to standard error, including uncaught errors.

    The file is created with the first line. A folder that cannot be written to does not stop the program.
    """
    root = logging.getLogger()
    for handler in [existing for existing in root.handlers if isinstance(existing.formatter, SafeFormatter)]:
        root.removeHandler(handler)
        handler.close()
    root.addHandler(_file_handler((folder or log_folder()) / f"{name}.log"))
    root.addHandler(_console_handler())
    root.setLevel(logging.WARNING)  # libraries; their messages below this level can quote requests
    set_level(None)
    sys.excepthook = _log_uncaught
    sys.unraisablehook = _log_unraisable
    threading.excepthook = _log_uncaught_in_thread


def set_level(level: str | None) -> None:
    """Set the level of the program's own log lines; the environment variable overrides it."""
    name = (os.environ.get(LEVEL_VARIABLE) or level or _DEFAULT_LEVEL).upper()
    _program.setLevel(name if name in LEVELS else _DEFAULT_LEVEL)


def log_loop_error(_loop: "AbstractEventLoop", context: dict[str, Any]) -> None:
    """Exception handler for event loops; the default one would log the message of the error and the task."""
    error = context.get("exception")
    _program.error("Unexpected error in the event loop", exc_info=error if error is not None else None)


class _LogFile(RotatingFileHandler):
    """Creates its folder with the first line, and ignores write errors."""

    def _open(self) -> Any:
        Path(self.baseFilename).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the standard library's
        """Do nothing: a full disk or a read-only folder must not stop the program."""


class _Console(logging.StreamHandler[Any]):
    """Writes to the current standard error, if there is one."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        return sys.stderr

    def emit(self, record: logging.LogRecord) -> None:
        if self.stream is not None:
            super().emit(record)


def _console_handler() -> logging.Handler:
    handler = _Console()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(SafeFormatter("%(message)s"))
    return handler


def _file_handler(path: Path) -> logging.Handler:
    handler = _LogFile(
        path, maxBytes=_LARGEST_FILE, backupCount=_OLDER_FILES, encoding="utf-8", delay=True, errors="replace"
    )
    handler.setFormatter(SafeFormatter(_LINE_FORMAT))
    return handler


def _traceback(error: BaseException, visited: set[int]) -> Iterator[str]:
    """Yield the lines of a traceback, without messages that can quote data.

    Source lines are shown, values of variables are not.
    """
    visited.add(id(error))
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None and id(earlier) not in visited:
        yield from _traceback(earlier, visited)
        yield "\nwhich led to\n\n"
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_tb(error.__traceback__)
    kind = type(error)
    text = "(text left out)" if isinstance(error, _ERRORS_QUOTING_VALUES) else str(error)
    yield f"{kind.__module__}.{kind.__qualname__}: {text}\n"
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _traceback(part, visited)


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    _program.critical("Unexpected error", exc_info=(kind, error, trace))


def _log_uncaught_in_thread(args: "threading.ExceptHookArgs") -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)


def _log_unraisable(args: "sys.UnraisableHookArgs") -> None:
    if args.exc_value is not None:
        _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)
