"""Long work on a file in a process of its own, so that no window waits for it."""

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Generic, TypeAlias, TypeVar

from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile

T = TypeVar("T")


@dataclass(frozen=True)
class ProgressMessage:
    """What the work says on its way: the arguments of one call of its last argument."""

    words: tuple[object, ...]


@dataclass(frozen=True)
class Done(Generic[T]):
    """The work is done, with this result; the last message."""

    result: T


@dataclass(frozen=True)
class Failed:
    """The work cannot be done; `fault` says why; the last message."""

    fault: UnreadableFile | OSError


Message: TypeAlias = ProgressMessage | Done[T] | Failed


class ProcessJob(Generic[T]):
    """A function at work in a process of its own, from the moment this is made.

    `work` belongs to a module, as `check_file` and `index_file` do. It is given `arguments`, then a
    function of its own to call with what it has to tell. The process ends with its work, when it is
    cancelled, and at the next word after the program that began it is gone.
    """

    def __init__(self, work: Callable[..., T], *arguments: object) -> None:
        context = get_context("spawn")
        self._cancelled = False
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(sender, work, arguments), daemon=True)
        self._process.start()
        sender.close()

    def messages(self) -> Iterator[Message[T]]:
        """All that comes, as it comes; to be read to its end, off the screen's thread, once.

        The last one is `Done` or `Failed`; after `cancel` there may be neither.
        """
        message: Message[T] | None = None
        try:
            while message is None or isinstance(message, ProgressMessage):
                message = self._receiver.recv()
                yield message
        except (EOFError, OSError):  # the pipe ended, perhaps within a message
            if not self._cancelled:
                reason = _("The work on the file ended before it was done.")
                yield Failed(UnreadableFile(reason, _("Close other programs, then try again.")))
        finally:
            self._receiver.close()
            self._process.join()

    def cancel(self) -> None:
        """End the work at once, if it still goes on; `messages` then ends."""
        self._cancelled = True
        self._process.terminate()


def _run(sender: Connection, work: Callable[..., object], arguments: tuple[object, ...]) -> None:
    """What happens in the process; an interrupt from the keyboard is left to the program that began it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    message: Message[object]
    try:
        message = Done(work(*arguments, lambda *words: sender.send(ProgressMessage(words))))
    except BrokenPipeError:
        return
    except (UnreadableFile, OSError) as fault:
        message = Failed(fault)
    sender.send(message)
    sender.close()
