"""A complete study, restarted after each interruption, and checks of its final state."""

import asyncio
import json
import sqlite3
import uuid
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from batchwright.api.http.retry import RetryPolicy
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import step
from batchwright.layout.serialization import random_keys, read
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry, RemoteKind
from batchwright.local.sent_files import SentFiles
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.workflows.messages import describe
from batchwright.workflows.rehearsal.rehearse import RehearsalInput, RehearsalOptions, rehearse
from batchwright.workflows.send_feedback import send_feedback
from tests.api.studies import DETAILS, LAYOUT, SCHEMA, answer_all_pages, client_of
from tests.workflows.contexts import context_at

RECORDS = ["First,\nwith a break", "Second ü", "Third"]
MORE = ["Fourth", "Fifth"]


@dataclass
class Flow:
    """One study and its files; each part is started again until it is complete.

    `folder` contains the files, the database of the program, and the results. `no_kills` is entered while
    a participant answers: the participant is not part of the test.
    """

    running: ServiceAddress
    folder: Path
    name: str = field(default_factory=lambda: f"Study {uuid.uuid4()}")
    no_kills: AbstractContextManager[object] = field(default_factory=nullcontext)
    messages: list[str] = field(default_factory=list)
    is_rehearsed: bool = False
    has_answers: bool = False

    def __post_init__(self) -> None:
        lines = [f'"{text}"\n' for text in RECORDS]
        (self.folder / "data.csv").write_bytes("".join(["prompt\n", *lines]).encode())
        more = [json.dumps({"prompt": text}) + "\n" for text in MORE]
        (self.folder / "more.jsonl").write_bytes("".join(more).encode())
        self.feedback.write_text(self.name, encoding="utf-8")

    @property
    def feedback(self) -> Path:
        """The feedback file, named after the study."""
        return self.folder / f"{self.name}.txt"

    @property
    def study(self) -> RehearsalInput:
        """What is sent; the layout is read each time, as from a file."""
        return RehearsalInput(
            self.name,
            read(LAYOUT, random_keys()),
            read_schema(SCHEMA),
            self.folder / "data.csv",
            DETAILS,
            self.folder / "more.jsonl",
        )

    async def resume(self, url: str, retry_policy: RetryPolicy) -> str:
        """Run what remains at `url`; the message with which it stopped, empty if everything is complete."""
        try:
            async with context_at(
                self.folder,
                url,
                token=self.running.token,
                workspace=self.running.workspace_id,
                retry_policy=retry_policy,
            ) as context:
                await self._run(context)
        except ChecksFailed as error:
            return f"{error}"
        except Exception as error:
            message = describe(error)
            assert message.remedy
            assert not message.is_bug, message
            return str(message)
        return ""

    async def _run(self, context: WorkflowContext) -> None:
        if not self.is_rehearsed:
            out = self.folder / "rehearsal"
            out.mkdir(exist_ok=True)
            plan = RehearsalOptions(tasks_per_group=len(RECORDS), simulated=False)
            context = replace(context, notify=self._on_message)
            rehearsal = await rehearse(context, self.study, plan, out)
            failed = [f"{check.statement} {check.actual}" for check in rehearsal.checks if not check.passed]
            if failed:
                raise ChecksFailed(" ".join(failed))
            self.is_rehearsed = True
        with step("Sending the feedback"), closing(open_database(self.folder)) as database:
            await send_feedback(context, SentFiles(database), self.feedback, lambda _done, _total: None)

    def _on_message(self, message: str) -> None:
        """Record the message, and answer as a participant once all tasks exist."""
        self.messages.append(message)
        if message.startswith("Synced") and not self.has_answers:
            with self.no_kills, ThreadPoolExecutor(1) as executor:
                executor.submit(asyncio.run, self._answer()).result()
            self.has_answers = True

    async def _answer(self) -> None:
        with closing(open_database(self.folder)) as database:
            registered = IdRegistry(database).all("here", RemoteKind.BATCH)
        (batch,) = [item.id for item in registered if item.name == self.name]
        async with client_of(self.running) as service:
            await answer_all_pages(service, batch)


class ChecksFailed(Exception):
    """A downloaded file differs from what the service has."""


@dataclass(frozen=True)
class StoredState:
    """What the database of the service contains of a study."""

    empty_datasets: int
    """Datasets of its name without any record, left by a lost response."""
    records: tuple[tuple[str, ...], ...]
    """The records of each other dataset of its name, in their order."""
    imports: tuple[str, ...]
    """The states of the imports whose files have arrived."""
    batches: tuple[tuple[str, int, int, int, int], ...]
    """Status, setups, tasks, task groups and answers of each batch of its name."""
    feedback: int
    """How often its feedback file has arrived."""


def stored_state(service_folder: Path, name: str) -> StoredState:
    """Read from the database of the service what belongs to the study of this name."""
    with closing(sqlite3.connect(service_folder / "service.db", timeout=30)) as database:
        datasets = _column(database, "SELECT number FROM dataset WHERE name = ?", name)
        records = [
            tuple(json.loads(record)["prompt"] for record in _column(database, _RECORDS, dataset))
            for dataset in datasets
        ]
        return StoredState(
            empty_datasets=records.count(()),
            records=tuple(item for item in records if item),
            imports=tuple(_column(database, _IMPORTS, name)),
            batches=tuple(database.execute(_BATCHES, (name,)).fetchall()),
            feedback=len(_column(database, _FEEDBACK, f"{name}.txt")),
        )


_RECORDS = "SELECT record FROM datapoint WHERE dataset = ? ORDER BY position"
_IMPORTS = """
SELECT i.status FROM import i JOIN dataset d ON d.number = i.dataset
WHERE d.name = ? AND i.blob IS NOT NULL
"""
_BATCHES = """
SELECT status, setup, total_task_count, total_task_groups,
    (SELECT count(*) FROM response r WHERE r.batch = batch.number)
FROM batch WHERE name = ?
"""
_FEEDBACK = "SELECT number FROM feedback WHERE filename = ? AND blob IS NOT NULL"


def _column(database: sqlite3.Connection, query: str, parameter: object) -> list[str]:
    rows: Iterable[tuple[str]] = database.execute(query, (parameter,))
    return [value for (value,) in rows]
