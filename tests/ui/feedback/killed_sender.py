"""A separate program that sends feedback files to a URL that never responds, until it is killed.

Arguments: the URL, the data folder, and the files. It prints a line when the first transfer starts.
"""

import asyncio
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.feedback.state import FeedbackFileState, FeedbackState
from batchwright.workflows.messages import describe
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import session_at


async def send(url: str, folder: Path, files: list[Path]) -> None:
    tasks = Tasks(describe)
    async with session_at(ServiceAddress(url, "w1", "t1"), folder) as session:
        state = FeedbackState(session, tasks)
        numbers = await state.add(files)
        await state.enqueue(numbers)
        state.send(numbers)
        await until(lambda: state.count(FeedbackFileState.SENDING) > 0 and "read" not in tasks.running)
        watcher = await session.job_watcher()
        await until(lambda: len(watcher.rows.open()) == 2)  # as many are sent at once
        print("sending", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    application = QApplication([])
    loop = QEventLoop(application)
    url, folder, *files = sys.argv[1:]
    loop.run_until_complete(send(url, Path(folder), list(map(Path, files))))
