"""Simulated participants: each takes one task group through the participant pages and answers at random.

An answer depends on the seed, the participant's number, the content of the record and the place of the
instruction in the layout, and on nothing else, so that a rehearsal can be done again.
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
"""How many participants answer at the same time."""


@dataclass(frozen=True)
class SimulatedParticipants:
    """What makes the answers of a rehearsal: its link, its seed, and how many people take part."""

    link: str
    seed: int
    participants: int

    async def run(self) -> AsyncGenerator[int]:
        """Let all participants answer for whom there is a group; yields the number of each that is through.

        They begin one after another, so that the same person gets the same group each time.
        """
        async with ParticipantClient() as pages:
            turns = asyncio.Semaphore(MAX_CONCURRENT)
            begun = [started async for started in self._begin(pages)]
            walks = [asyncio.create_task(self._walk(pages, number, page, turns)) for number, page in begun]
            try:
                for through in asyncio.as_completed(walks):
                    yield await through
            finally:
                for walk in walks:
                    walk.cancel()
                await asyncio.gather(*walks, return_exceptions=True)

    async def _begin(self, pages: ParticipantClient) -> AsyncIterator[tuple[int, OpenPage]]:
        """Everybody who gets a group; once all groups are full nobody else is sent to ask."""
        for number in range(self.participants):
            page = await pages.start(self.link, simulated_participant(self.seed, number))
            if page is NoPage.FULL:
                return
            if isinstance(page, OpenPage):
                yield number, page

    async def _walk(
        self, pages: ParticipantClient, number: int, page: OpenPage, turns: asyncio.Semaphore
    ) -> int:
        reached: OpenPage | SubmissionFinished = page
        async with turns:
            while isinstance(reached, OpenPage):
                fields: list[tuple[str, str]] = []
                files = []
                for n, (item, answer) in enumerate(self.answers(number, reached)):
                    fields += item.to_form(n, answer)
                    files += files_of(n, answer)
                reached = await pages.answer(reached, fields, files)
        return number

    def answers(self, number: int, page: OpenPage) -> list[tuple[Instruction, Answer]]:
        """What a participant answers to each instruction of a page."""
        items = (read_item(given, sequential_keys()) for given in page.instructions)
        asked = [item for item in items if isinstance(item, Instruction)]
        return [(item, item.random_answer(self._chance(number, page, n))) for n, item in enumerate(asked)]

    def _chance(self, number: int, page: OpenPage, n: int) -> Random:
        return Random(f"{self.seed} {number} {page.record} {page.page} {n}")  # noqa: S311 - meant to repeat
