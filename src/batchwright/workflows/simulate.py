"""Simulated participants: each completes one task group on the participant pages, with random answers.

An answer depends only on the seed, the number of the participant, the content of the record, and the position
of the instruction in the layout, so that a rehearsal is reproducible.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from random import Random

from batchwright.api.participant_client import NoPage, OpenPage, ParticipantClient, SubmissionFinished
from batchwright.layout.answers import Answer
from batchwright.layout.form_encoding import files_of
from batchwright.layout.item_types.registry import Instruction
from batchwright.layout.serialization import read_item, sequential_keys
from batchwright.wire.local_routes import simulated_participant

MAX_CONCURRENT = 4
"""Maximum number of participants that answer at the same time."""


@dataclass(frozen=True)
class SimulatedParticipants:
    """The parameters of a simulation: participation link, seed, and number of participants."""

    link: str
    seed: int
    participants: int

    async def run(self) -> AsyncGenerator[int]:
        """Answer for every participant who gets a task group; yield the number of each who has finished.

        They start one after another, so that each gets the same task group every time.
        """
        async with ParticipantClient() as pages:
            semaphore = asyncio.Semaphore(MAX_CONCURRENT)
            first_pages = [started async for started in self._start_all(pages)]
            tasks = [
                asyncio.create_task(self._complete_submission(pages, number, page, semaphore))
                for number, page in first_pages
            ]
            try:
                for finished in asyncio.as_completed(tasks):
                    yield await finished
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _start_all(self, pages: ParticipantClient) -> AsyncIterator[tuple[int, OpenPage]]:
        """Yield each participant who gets a task group, with the first page; stop once all are full."""
        for number in range(self.participants):
            page = await pages.start(self.link, simulated_participant(self.seed, number))
            if page is NoPage.FULL:
                return
            if isinstance(page, OpenPage):
                yield number, page

    async def _complete_submission(
        self, pages: ParticipantClient, number: int, page: OpenPage, semaphore: asyncio.Semaphore
    ) -> int:
        state: OpenPage | SubmissionFinished = page
        async with semaphore:
            while isinstance(state, OpenPage):
                fields: list[tuple[str, str]] = []
                files = []
                for n, (item, answer) in enumerate(self.answers(number, state)):
                    fields += item.to_form(n, answer)
                    files += files_of(n, answer)
                state = await pages.answer(state, fields, files)
        return number

    def answers(self, number: int, page: OpenPage) -> list[tuple[Instruction, Answer]]:
        """Return the answer of a participant to each instruction of a page."""
        items = (read_item(attributes, sequential_keys()) for attributes in page.instructions)
        questions = [item for item in items if isinstance(item, Instruction)]
        return [
            (item, item.random_answer(self._random_for(number, page, n))) for n, item in enumerate(questions)
        ]

    def _random_for(self, number: int, page: OpenPage, n: int) -> Random:
        return Random(f"{self.seed} {number} {page.record} {page.page} {n}")  # noqa: S311 - meant to repeat
