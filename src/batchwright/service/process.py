"""The local service seen from outside: started as a process of its own, and ended (design.md D2).

This is all of `service` that other rooms know. It needs no web server and no event loop.
"""

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO

from batchwright.base.environment import CLIENT_TOKEN, SERVICE_TOKEN
from batchwright.base.i18n import _

_TOKENS = frozenset({SERVICE_TOKEN, CLIENT_TOKEN})
"""What a service started here must not see: it has a token of its own."""

_STARTING = 60.0
_ENDING = 15.0
_REMEMBERED_LINES = 50


class ServiceDidNotStart(Exception):
    """The service ended before it was ready; the text is what it said."""


@dataclass(frozen=True)
class ServiceAddress:
    """A service that is ready."""

    url: str
    workspace_id: str
    token: str = field(repr=False)


class ServiceProcess:
    """A service of our own on a data folder; it ends when this process does, however that ends.

    Its token is in the data folder's token file alone (design.md promise 4).
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        job_delay: float = 0.0,
        command: Sequence[str] | None = None,
        on_end: Callable[[], object] | None = None,
    ) -> None:
        self._command = [
            *(_program() if command is None else command),
            *("serve", "--with-parent", "--data-dir", str(data_dir), "--job-delay", str(job_delay)),
        ]
        self._process: subprocess.Popen[bytes] | None = None
        self._said: deque[str] = deque(maxlen=_REMEMBERED_LINES)
        self._ready: ServiceAddress | None = None
        self._settled = threading.Event()
        self._reader: threading.Thread | None = None
        self._on_end = on_end
        """Called from another thread once the process has ended, however it did."""

    def start(self) -> ServiceAddress:
        """Start the service and wait until it is ready.

        Raises:
            ServiceDidNotStart: with what the service said.
        """
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={name: value for name, value in os.environ.items() if name not in _TOKENS},
            creationflags=_no_window(),
        )
        assert self._process.stdout is not None  # noqa: S101 - asked for above; this tells mypy
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        self._settled.wait(_STARTING)
        if self._ready is None:
            self.stop()
            raise ServiceDidNotStart(self.last_words or _("The local service did not start in time."))
        return self._ready

    @property
    def is_running(self) -> bool:
        """Whether the service was started and has not ended since."""
        return self._process is not None and self._process.poll() is None

    @property
    def last_words(self) -> str:
        """What the service said last, apart from being ready."""
        return "\n".join(self._said)

    def stop(self) -> None:
        """End the service and wait until it is gone; a service that is not running is fine."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._reader is not None:
            self._reader.join(_ENDING)  # or it would be the last to hold what `on_end` refers to

    def __enter__(self) -> ServiceAddress:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _read(self, output: IO[bytes]) -> None:
        """Take the ready line, and remember the last of what else is said."""
        with output as lines:
            for line in lines:
                text = line.decode(errors="replace").rstrip()
                if self._ready is None and text.startswith('{"url"'):
                    self._ready = _running(text)
                    self._settled.set()
                else:
                    self._said.append(text)
        self._settled.set()
        if self._on_end is not None:
            self._on_end()


def _running(line: str) -> ServiceAddress:
    ready = json.loads(line)
    token = Path(ready["token_file"]).read_text(encoding="utf-8").strip()
    return ServiceAddress(ready["url"], ready["workspace_id"], token)


def _program() -> list[str]:
    """How to start the command line: the console program beside ours when built (D21)."""
    if getattr(sys, "frozen", False):
        ours = Path(sys.executable)
        return [str(ours.with_name(f"batchwright-cli{ours.suffix}"))]
    return [sys.executable, "-m", "batchwright"]


def _no_window() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0
