"""The program: opens the window, or runs a command of `cli`.

Without a command, or with files in its place, the window opens.
Results go to standard output, messages to standard error. The exit code is 0 on success, 1 if the checked
file has problems, and 2 for wrong arguments or if the command could not be completed.
Only what a command needs is imported, and `--version` and `check` never import Qt.
"""

import errno
import gc
import io
import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from batchwright.base.environment import remove_tokens
from batchwright.base.i18n import _, set_program_language
from batchwright.base.local_time import use_time_zone_of_system
from batchwright.base.logging import hide_in_log, start_logging
from batchwright.base.policy import LANGUAGE, computer_policy
from batchwright.cli.arguments.command_line import command_line, names_files
from batchwright.cli.console import print_message

LOGS = {"window": "batchwright", "serve": "service"}
"""The log files of the commands; all others share one."""
_log = logging.getLogger("batchwright")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    multiprocessing.freeze_support()
    use_time_zone_of_system()
    for token in remove_tokens():
        hide_in_log(token)
    _open_closed_output()
    _escape_unsupported_characters()
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print_message(_("Interrupted."))
    except OSError as error:
        _discard_unwritable_output()
        if not _means_closed_pipe(error):
            print_message(_os_error_text(error))
            _log.info("End by an error of the system", exc_info=error)
    finally:
        gc.unfreeze()  # what is frozen is not released at exit; DuckDB then reports a leak
    return 2


def _means_closed_pipe(error: OSError) -> bool:
    """Whether the reader has closed the output; on Windows, that error has no class of its own."""
    is_of_stream = sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    return isinstance(error, BrokenPipeError) or is_of_stream


def _os_error_text(error: OSError) -> str:
    reason = error.strerror or str(error)
    text = _("{path} cannot be read or written: {reason}")
    return reason if error.filename is None else text.format(path=error.filename, reason=reason)


def _discard_unwritable_output() -> None:
    """Discard what cannot be written to a stream, so that flushing it at exit does not fail again."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if names_files(words):
        words = ["window", *words]
    if words[0] != "window":  # whose users may have chosen another language than the preset one
        _use_language_of_policy()
    options = command_line().parse_args(words)
    start_logging(LOGS.get(options.command, "cli"))
    is_logged = options.command in LOGS
    if is_logged:
        python = ".".join(map(str, sys.version_info[:3]))
        started = options.command, version("batchwright"), python, sys.platform
        _log.info("Start of %s: Batchwright %s, Python %s, %s", *started)
    if (notice := computer_policy().notice) and not getattr(options, "with_parent", False):
        print_message(notice)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends a command in an orderly way, like Ctrl+C
    command = _import_command(options.command)
    code: int = command.run(options)
    if is_logged:
        _log.info("End of %s: exit code %d", options.command, code)
    sys.stdout.flush()
    return code


def _use_language_of_policy() -> None:
    policy = computer_policy()
    if tag := policy.locked(LANGUAGE) or policy.preset(LANGUAGE):
        set_program_language(tag)


def _import_command(name: str) -> Any:
    """Import the module of a command.

    The garbage collector would take a tenth of the time: it finds nothing in modules, now or later.
    """
    gc.disable()
    command = import_module(f"batchwright.cli.{name.replace('-', '_')}")
    gc.freeze()
    gc.enable()
    return command


def _open_closed_output() -> None:
    """Discard the output if it is closed, or a windowed program has no console."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open until the exit
            setattr(sys, name, stream)


def _escape_unsupported_characters() -> None:
    """Escape characters that the console or pipe cannot encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
