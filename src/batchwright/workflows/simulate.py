"""Simulated participants: each takes one task group through the participant pages and answers at random.

An answer depends on the seed, the participant's number, the content of the record and the place of the
instruction in the layout, and on nothing else, so that a rehearsal can be done again.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from random import Random

from batchwright.api.participation import Finished, Participation, Step
from batchwright.layout.answers import Answer, draw
from batchwright.layout.forms import files_of, to_form
from batchwright.layout.model import Instruction
from batchwright.layout.reading import counted_keys, read_item
from batchwright.wire.local import simulated_participant

AT_ONCE = 4
"""How many participants answer at the same time."""


@dataclass(frozen=True)
class Simulation:
    """What makes the answers of a rehearsal: its link, its seed, and how many people take part."""

    link: str
    seed: int
    participants: int

    async def run(self) -> AsyncIterator[bool]:
        """Let all participants answer; yields, for each that is through, whether there was a group to take.

        They begin one after another, so that the same person gets the same group each time.
        """
        async with Participation() as pages:
            first = [
                await pages.start(self.link, simulated_participant(self.seed, number))
                for number in range(self.participants)
            ]
            turns = asyncio.Semaphore(AT_ONCE)
            walks = [self._walk(pages, number, page, turns) for number, page in enumerate(first)]
            for through in asyncio.as_completed(walks):
                yield await through

    async def _walk(self, pages: Participation, number: int, page: object, turns: asyncio.Semaphore) -> bool:
        if not isinstance(page, Step):
            return False
        async with turns:
            while not isinstance(page, Finished):
                fields: list[tuple[str, str]] = []
                files = []
                for n, (item, answer) in enumerate(self.answers(number, page)):
                    fields += to_form(n, item, answer)
                    files += files_of(n, answer)
                page = await pages.answer(page, fields, files)
        return True

    def answers(self, number: int, page: Step) -> list[tuple[Instruction, Answer]]:
        """What a participant answers to each instruction of a page."""
        items = (read_item(given, counted_keys()) for given in page.instructions)
        asked = [item for item in items if isinstance(item, Instruction)]
        return [(item, draw(item, self._chance(number, page, n))) for n, item in enumerate(asked)]

    def _chance(self, number: int, page: Step, n: int) -> Random:
        return Random(f"{self.seed} {number} {page.record} {page.page} {n}")  # noqa: S311 - meant to repeat
