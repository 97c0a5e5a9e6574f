"""Runs a function in a child process, for long work on files that must not block the window."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from traceback import format_tb
from typing import Generic, TypeAlias, TypeVar

from batchwright.base.child_processes import start_ignoring_ctrl_c
from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile

_log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True)
class ProgressMessage:
    """The function called its progress callback with these arguments."""

    values: tuple[object, ...]


@dataclass(frozen=True)
class Completed(Generic[T]):
    """The function returned this result; the last message."""

    result: T


@dataclass(frozen=True)
class Failed:
    """The function failed with this error; the last message."""

    error: UnreadableFile | OSError


Message: TypeAlias = ProgressMessage | Completed[T] | Failed


@dataclass(frozen=True)
class _Crash:
    """The function raised an unexpected error; its message is omitted, since it could quote data."""

    traceback: str


class ProcessJob(Generic[T]):
    """A function running in a child process, which starts with the constructor.

    `work` is a module-level function such as `check_file`; it is called with `arguments` and a callback for
    progress. The process ends when the function returns, when it is cancelled, and at the next call of the
    callback after the parent process has died.
    """

    def __init__(self, work: Callable[..., T], *arguments: object) -> None:
        context = get_context("spawn")
        self._cancelled = False
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(sender, work, arguments), daemon=True)
        start_ignoring_ctrl_c(self._process)
        sender.close()

    def messages(self) -> Iterator[Message[T]]:
        """Yield the messages of the process; blocks, so iterate once, to the end, and in a worker thread.

        The last message is `Completed` or `Failed`; after `cancel`, both may be missing.
        """
        message: Message[T] | None = None
        try:
            while message is None or isinstance(message, ProgressMessage):
                received: Message[T] | _Crash = self._receiver.recv()
                if isinstance(received, _Crash):
                    _log.error("Unexpected error in a child process\n%s", received.traceback)
                    received = _unexpected_end()
                message = received
                yield message
        except (EOFError, OSError):  # the pipe was closed, possibly in the middle of a message
            if not self._cancelled:
                yield _unexpected_end()
        finally:
            self._receiver.close()
            self._process.join()

    def cancel(self) -> None:
        """Terminate the process if it is running; `messages` then ends."""
        self._cancelled = True
        self._process.terminate()


def _unexpected_end() -> Failed:
    reason = _("The process that was reading the file ended unexpectedly.")
    return Failed(UnreadableFile(reason, _("Close other programs, then try again.")))


def _run(sender: Connection, work: Callable[..., object], arguments: tuple[object, ...]) -> None:
    """The main function of the child process.

    An unexpected error is sent to the parent process, which logs it.
    """
    message: Message[object] | _Crash
    try:
        message = Completed(work(*arguments, lambda *values: sender.send(ProgressMessage(values))))
    except BrokenPipeError:
        return
    except (UnreadableFile, OSError) as error:
        message = Failed(error)
    except Exception as error:
        message = _Crash("".join(format_tb(error.__traceback__)) + type(error).__qualname__)
    sender.send(message)
    sender.close()
