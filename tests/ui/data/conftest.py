"""A study without data, a view-model on it, and files to open."""

import asyncio
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.projects import Project
from batchwright.local.sent_files import SentFiles
from batchwright.ui.data.view_model import DataViewModel
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.ui.tasks import Tasks
from batchwright.workflows.messages import describe
from batchwright.workflows.watch import Watch
from batchwright.workflows.workbench import Tell, Workbench
from tests.ui.conftest import until

HEADER = ("prompt", "picture", "topic")
LIVE = Connection("api.example.org", "https://api.example.org", "w1")


class Benches:
    """Hands out the one workbench it was given; without one, nothing can be reached."""

    def __init__(self, bench: Workbench | None = None) -> None:
        self.bench_given = bench

    async def bench(self, connection: Connection, tell: Tell) -> Workbench:
        if self.bench_given is None:
            raise ConnectionRefusedError(111, "nobody answers", connection.name)
        return self.bench_given

    async def resume(self, connections: Sequence[Connection], tell: Tell) -> None:
        """No test here leaves a job behind."""

    async def sent_files(self) -> SentFiles:
        raise AssertionError("no test here looks at feedback files")

    async def watch(self) -> Watch:
        raise LookupError


async def find(name: str) -> Connection:
    return LIVE if name == LIVE.name else THIS_COMPUTER


async def no_sign_in(_connection: Connection) -> bool:
    return False


@pytest.fixture
def benches() -> Benches:
    return Benches()


@pytest.fixture
def study(loop: asyncio.AbstractEventLoop) -> Study:
    study = Study()
    study.open(Project("Cats"), None)
    return study


@pytest.fixture
def session(benches: Benches) -> Session:
    return Session(benches, find, no_sign_in)


@pytest.fixture
def tasks(loop: asyncio.AbstractEventLoop) -> Iterator[Tasks]:
    tasks = Tasks(describe)
    yield tasks
    loop.run_until_complete(tasks.aclose())


@pytest.fixture
def data(study: Study, session: Session, tasks: Tasks) -> DataViewModel:
    return DataViewModel(study, session, tasks, describe)


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    """100 records; the fourth has no prompt, the eighth a picture that is not https."""
    path = tmp_path / "reviews.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for number in range(100):
            prompt = "" if number == 3 else f"Which cat is number {number}?"
            scheme = "http" if number == 7 else "https"
            writer.writerow((prompt, f"{scheme}://example.org/{number}.png", ("cats", "dogs")[number % 2]))
    return path


async def checked(data: DataViewModel) -> None:
    """Wait until a check has ended."""
    await until(lambda: data.checks.report is not None or data.checks.fault is not None, 20)
