"""Runs a function of `data_files` in a separate process, as a coroutine."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from batchwright.base.waiting import wait_until_done
from batchwright.data_files.process_job import Completed, Failed, ProcessJob, ProgressMessage
from batchwright.data_files.rows import UnreadableFile

T = TypeVar("T")


async def run_in_process(work: Callable[..., T], *arguments: object, on_progress: Callable[..., object]) -> T:
    """Run a function in a separate process, which is terminated when this task is cancelled.

    Args:
        work: a module-level function; its last parameter is a callback for progress.
        arguments: the other arguments.
        on_progress: is called on the event loop with the arguments of each call of the callback, in order and
            before this function returns.

    Raises:
        UnreadableFile: the file cannot be processed, or the process ended unexpectedly.
        OSError: a file cannot be read or written.
    """
    loop = asyncio.get_running_loop()
    started: list[ProcessJob[T]] = []
    is_cancelled = threading.Event()

    def run() -> Completed[T] | Failed | None:
        job = ProcessJob(work, *arguments)  # waits until the process has read long arguments
        started.append(job)
        if is_cancelled.is_set():
            job.cancel()
        last: Completed[T] | Failed | None = None
        for message in job.messages():
            if isinstance(message, ProgressMessage):
                loop.call_soon_threadsafe(on_progress, *message.values)
            else:
                last = message
        return last

    # In a thread of its own: a process may run as long as the window, and others wait for the shared threads.
    executor = ThreadPoolExecutor(1, "child process")
    running = loop.run_in_executor(executor, run)
    executor.shutdown(wait=False)
    try:
        last = await asyncio.shield(running)
    except asyncio.CancelledError:
        is_cancelled.set()
        for job in started:
            job.cancel()
        await wait_until_done(running)
        raise
    if isinstance(last, Completed):
        return last.result
    raise last.error if last else UnreadableFile("")
