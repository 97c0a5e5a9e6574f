"""Starts and stops the local service as a separate process.

The service is a process, with its job worker as another process beside it: its work never blocks a window,
a crash of one does not end the other, and both end when their parent is killed, because each holds a pipe
that the parent's end closes.

This is the only module of `service` that other packages use. It imports no web server and no event loop.
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
"""Not passed on to the service, which has its own token."""

_START_TIMEOUT_S = 60.0
_STOP_TIMEOUT_S = 15.0
_REMEMBERED_LINES = 50


_REJECTED_CODE = 2
"""Exit code of a service that cannot start, and whose output says why and what to do."""


class ServiceDidNotStart(Exception):
    """The service ended before it was ready; the text is its output.

    `is_explained`: the output says what to do.
    """

    def __init__(self, output: str, *, is_explained: bool = False) -> None:
        super().__init__(output)
        self.is_explained = is_explained


@dataclass(frozen=True)
class ServiceAddress:
    """The URL, workspace and token of a running service."""

    url: str
    workspace_id: str
    token: str = field(repr=False)


class ServiceProcess:
    """A service process on a data folder; it ends when this process ends, however that ends.

    Its token is stored only in the token file of the data folder.
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
            *(_program_command() if command is None else command),
            *("serve", "--with-parent", "--data-dir", str(data_dir), "--job-delay", str(job_delay)),
        ]
        self._process: subprocess.Popen[bytes] | None = None
        self._output: deque[str] = deque(maxlen=_REMEMBERED_LINES)
        self._ready: ServiceAddress | None = None
        self._settled = threading.Event()
        self._reader: threading.Thread | None = None
        self._on_end = on_end
        """Called from another thread once the process has ended, however it did."""

    def start(self) -> ServiceAddress:
        """Start the service and wait until it is ready.

        Raises:
            ServiceDidNotStart: with the output of the service.
        """
        self._process = subprocess.Popen(  # noqa: S603 - the command is this program
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={name: value for name, value in os.environ.items() if name not in _TOKENS},
            creationflags=_creation_flags(),
        )
        assert self._process.stdout is not None  # noqa: S101 - asked for above; this tells mypy
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        self._settled.wait(_START_TIMEOUT_S)
        if self._ready is None:
            process = self._process
            self.stop()
            is_explained = process.returncode == _REJECTED_CODE
            output = self.recent_output or _("The local service did not start in time.")
            raise ServiceDidNotStart(output, is_explained=is_explained)
        return self._ready

    @property
    def is_running(self) -> bool:
        """Whether the service was started and has not ended since."""
        return self._process is not None and self._process.poll() is None

    @property
    def recent_output(self) -> str:
        """The last lines of output, without the line that says that the service is ready."""
        return "\n".join(self._output)

    def stop(self) -> None:
        """Stop the service, if it is running, and wait until it has ended."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._reader is not None:
            self._reader.join(_STOP_TIMEOUT_S)  # so that no other thread still refers to `on_end`

    def __enter__(self) -> ServiceAddress:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _read(self, output: IO[bytes]) -> None:
        """Parse the line that says that the service is ready, and keep the last of the other lines."""
        with output as lines:
            for line in lines:
                text = line.decode(errors="replace").rstrip()
                if self._ready is None and text.startswith('{"url"'):
                    self._ready = _service_address(text)
                    self._settled.set()
                else:
                    self._output.append(text)
        self._settled.set()
        if self._on_end is not None:
            self._on_end()


def _service_address(ready_line: str) -> ServiceAddress:
    ready = json.loads(ready_line)
    token = Path(ready["token_file"]).read_text(encoding="utf-8-sig").strip()
    return ServiceAddress(ready["url"], ready["workspace_id"], token)


def _program_command() -> list[str]:
    """The command that starts the program: in a built program, the console executable beside this one."""
    if getattr(sys, "frozen", False):
        executable = Path(sys.executable)
        return [str(executable.with_name(f"batchwright-cli{executable.suffix}"))]
    return [sys.executable, "-m", "batchwright"]


def _creation_flags() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0
