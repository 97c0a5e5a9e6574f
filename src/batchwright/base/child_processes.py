"""Starts child processes that leave Ctrl+C in a terminal to their parent."""

import signal
import sys
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnProcess

if sys.platform == "win32":
    import ctypes
    import threading

    _starting = threading.Lock()
    """Held while Ctrl+C is ignored: another start would end that too early."""


def start_ignoring_ctrl_c(process: SpawnProcess) -> None:
    """Start a process that ignores Ctrl+C: it inherits that.

    If it did so itself, Ctrl+C would end it with a traceback until it has imported its modules.

    On Windows, a Ctrl+C that is pressed meanwhile is lost, and this process no longer ignores it afterwards
    if it did: no function of Windows tells whether it does.
    """
    if sys.platform == "win32":
        ignore = ctypes.windll.kernel32.SetConsoleCtrlHandler
        with _starting:
            ignore(None, True)
            try:
                process.start()
            finally:
                ignore(None, False)
    else:
        resource_tracker.ensure_running()  # its start would unblock the signal again
        former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, former)
