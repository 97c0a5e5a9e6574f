"""Work on a file in a process of its own, as a coroutine."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from batchwright.data_files.process_job import Done, Failed, ProcessJob, ProgressMessage
from batchwright.data_files.rows import UnreadableFile

T = TypeVar("T")


async def run_in_process(work: Callable[..., T], *arguments: object, told: Callable[..., object]) -> T:
    """Do work of the room `tables` in a process that ends with this task.

    Args:
        work: a function of a module; its last argument is a function to tell things with.
        arguments: the others.
        told: is called on the event loop with what the work tells, in order, and before this returns.

    Raises:
        Unreadable: the work cannot be done.
        OSError: a file cannot be read, or not be written.
    """
    loop = asyncio.get_running_loop()
    job = ProcessJob(work, *arguments)

    def read() -> Done[T] | Failed | None:
        last: Done[T] | Failed | None = None
        for message in job.messages():
            if isinstance(message, ProgressMessage):
                loop.call_soon_threadsafe(told, *message.words)
            else:
                last = message
        return last

    reading = asyncio.ensure_future(asyncio.to_thread(read))
    try:
        last = await asyncio.shield(reading)
    except asyncio.CancelledError:
        job.cancel()
        await asyncio.wait([reading])
        raise
    if isinstance(last, Done):
        return last.result
    raise last.fault if last else UnreadableFile("")
