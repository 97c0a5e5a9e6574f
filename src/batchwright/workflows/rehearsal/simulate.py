"""Simulated participants: each completes one task group on the participant pages.

How much they agree is known from their `Behaviour`. An answer depends only on the behaviour, the seed, the
number of the participant, the record, and the position of the instruction in the layout, so that a rehearsal
is reproducible. What all participants choose alike depends only on what they see of the record, so that it is
the same when a record is repeated. Nobody chooses the same item of a set as the best and as the worst.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from random import Random
from urllib.parse import urlsplit, urlunsplit

from batchwright.api.participant_client import NoPage, OpenPage, ParticipantClient, SubmissionFinished
from batchwright.client.context import WorkflowContext
from batchwright.layout.answers import GeneratedAnswer
from batchwright.layout.form_encoding import files_of
from batchwright.layout.item_types.best_worst import best_and_worst_on_page
from batchwright.layout.item_types.registry import Instruction
from batchwright.layout.serialization import read_item, sequential_keys
from batchwright.wire.local_routes import AnnotatorsPerTask, simulated_participant

MAX_CONCURRENT = 4
"""Maximum number of requests at the same time.

It is also the maximum number of participants who answer at the same time, unless they wait before each page:
then all of them do, as people would.
"""


@dataclass(frozen=True)
class Behaviour:
    """How simulated participants answer; shares are from 0 to 1.

    Choices and numbers that are not random are the same for all participants of a seed, so that
    Krippendorff's alpha of a single choice is (1 - `random_share`)² in the limit of many records. Texts and
    files always differ.
    """

    random_share: float = 0.2
    """Fraction of answers that each participant draws independently of the others."""
    first_option_share: float = 0.0
    """Fraction of choices of the first option, whatever the record is; `random_share` is of the others."""
    seconds_per_page: float = 0.0
    """How long a participant waits before submitting each page."""

    def answer(self, item: Instruction, own: Random, common: Random) -> GeneratedAnswer:
        """A participant's answer to an instruction.

        Args:
            item: the instruction.
            own: the generator of this participant.
            common: a generator in the same state for all participants.
        """
        is_first, is_random = own.random() < self.first_option_share, own.random() < self.random_share
        first = item.first_option_answer(own) if is_first else []
        return first or item.random_answer(own if is_random else common, own)


@dataclass(frozen=True)
class SimulationOptions:
    """Options of a simulation: number of participants, answers per task (of a batch), seed, and behaviour."""

    participants: int
    per_task: int = 1
    seed: int = 1
    behaviour: Behaviour = field(default_factory=Behaviour)
    releases_places: bool = False
    """Whether places of participants who have started and not answered are freed before."""


@dataclass
class Reached:
    """How far the participants of a simulation have come.

    After an outage, another simulation continues from there: nobody starts or answers twice.
    """

    pages: dict[int, OpenPage | SubmissionFinished] = field(default_factory=dict)
    """The next page of each participant who has started."""
    answered_pages: int = 0

    @property
    def finished(self) -> int:
        """The number of participants who have finished."""
        return sum(isinstance(page, SubmissionFinished) for page in self.pages.values())

    def open_pages(self, link: str) -> list[tuple[int, OpenPage]]:
        """The participants who have not finished with their pages, at the address of a link."""
        pages = [(number, page) for number, page in self.pages.items() if isinstance(page, OpenPage)]
        return [(number, replace(page, address=_moved(page.address, link))) for number, page in pages]


@dataclass(frozen=True)
class SimulatedParticipants:
    """The parameters of a simulation: participation link, seed, number of participants, and behaviour."""

    link: str
    seed: int
    participants: int
    behaviour: Behaviour = Behaviour()
    reached: Reached = field(default_factory=Reached)
    """How far an interrupted simulation with the same parameters has come; its link may be another one."""

    async def run(self, on_progress: Callable[[float], object] | None = None) -> AsyncGenerator[int]:
        """Answer for every participant who gets a task group; yield the number of each who has finished.

        They start one after another, so that each gets the same task group every time.

        Args:
            on_progress: called with the fraction of pages answered: once all participants have started, and
                then after each whole percent.
        """
        async with ParticipantClient() as pages:
            await self._start_all(pages)
            next_pages = self.reached.open_pages(self.link)
            remaining = sum(page.steps - page.step for _number, page in next_pages)
            progress = _Progress(self.reached, remaining, on_progress)
            turns = _Turns(len(next_pages) if self.behaviour.seconds_per_page else MAX_CONCURRENT)
            tasks = list[asyncio.Task[int]]()
            try:
                for number, page in next_pages:
                    submission = self._complete_submission(pages, number, page, turns, progress)
                    tasks.append(asyncio.create_task(submission))
                    await asyncio.sleep(0)  # thousands who begin in one moment would also wake in one moment
                for finished in asyncio.as_completed(tasks):
                    yield await finished
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _start_all(self, pages: ParticipantClient) -> None:
        """Start each participant who has not started and gets a task group; stop once all are full."""
        for number in range(self.participants):
            if number in self.reached.pages:
                continue
            page = await pages.start(self.link, simulated_participant(self.seed, number))
            if page is NoPage.FULL:
                return
            if isinstance(page, OpenPage):
                self.reached.pages[number] = page

    async def _complete_submission(
        self, pages: ParticipantClient, number: int, page: OpenPage, turns: "_Turns", progress: "_Progress"
    ) -> int:
        state: OpenPage | SubmissionFinished = page
        async with turns.submissions:
            while isinstance(state, OpenPage):
                await asyncio.sleep(self.behaviour.seconds_per_page)
                async with turns.requests:
                    state = await self._submit(pages, number, state)
                self.reached.pages[number] = state
                progress.add_page()
        return number

    async def _submit(
        self, pages: ParticipantClient, number: int, page: OpenPage
    ) -> OpenPage | SubmissionFinished:
        fields: list[tuple[str, str]] = []
        files = []
        for n, (item, answer) in enumerate(self.answers(number, page)):
            fields += item.to_form(n, answer)
            files += files_of(n, answer)
        return await pages.answer(page, fields, files)

    def answers(self, number: int, page: OpenPage) -> list[tuple[Instruction, GeneratedAnswer]]:
        """The answer of a participant to each instruction of a page."""
        items = (read_item(attributes, sequential_keys()) for attributes in page.instructions)
        questions = [item for item in items if isinstance(item, Instruction)]
        answers = [self._answer(item, number, page, f"{n}") for n, item in enumerate(questions)]
        pair = best_and_worst_on_page(questions, page.set_size)
        if pair is not None:
            best, worst = pair
            place = best.place_of(answers[best.index])
            if place is not None and place == worst.place_of(answers[worst.index]):
                others = worst.without(place)
                answers[worst.index] = self._answer(others, number, page, f"{worst.index} of the others")
        return list(zip(questions, answers, strict=True))

    def _answer(self, item: Instruction, number: int, page: OpenPage, place: str) -> GeneratedAnswer:
        own = Random(f"{self.seed} {number} {page.record} {page.page} {place}")  # noqa: S311 - meant to repeat
        seen = page.content or page.record
        common = Random(f"{self.seed} {seen} {page.page} {place}")  # noqa: S311 - meant to repeat
        return self.behaviour.answer(item, own, common)


async def fetch_batch_link(context: WorkflowContext, batch_id: str) -> str:
    """The address at which participants of a batch start.

    Raises:
        ApiError: the request failed permanently.
    """
    return (await context.service.local.participation(batch_id)).url


async def fetch_collection_link(context: WorkflowContext, collection_id: str) -> str:
    """The address at which participants of a collection start.

    Raises:
        ApiError: the request failed permanently.
    """
    return (await context.service.local.participation_in_collection(collection_id)).url


async def simulate_batch(
    context: WorkflowContext,
    batch_id: str,
    options: SimulationOptions,
    reached: Reached,
    on_progress: Callable[[float], object],
) -> AsyncGenerator[int]:
    """Let simulated participants answer a batch; yield the number of those who have finished.

    It is yielded once the task groups have room for them, and then after each who has finished.

    Args:
        context: the context of the connection, to the service on this computer.
        batch_id: the batch.
        options: the options.
        reached: how far an interrupted simulation with the same options has come; it is updated.
        on_progress: called as by `SimulatedParticipants.run`.

    Raises:
        ApiError: a request failed permanently.
    """
    local = context.service.local
    await local.set_annotators_per_task(batch_id, AnnotatorsPerTask(annotators_per_task=options.per_task))
    if options.releases_places and not reached.pages:
        await local.release_places(batch_id)
    yield reached.finished
    link = await fetch_batch_link(context, batch_id)
    async with aclosing(_simulation(link, options, reached).run(on_progress)) as participants:
        async for _number in participants:
            yield reached.finished


async def simulate_collection(
    context: WorkflowContext,
    collection_id: str,
    options: SimulationOptions,
    reached: Reached,
    on_progress: Callable[[float], object],
) -> int:
    """Let simulated participants answer a collection; return how many have finished. See `simulate_batch`."""
    link = await fetch_collection_link(context, collection_id)
    async with aclosing(_simulation(link, options, reached).run(on_progress)) as participants:
        async for _number in participants:
            pass
    return reached.finished


def _simulation(link: str, options: SimulationOptions, reached: Reached) -> SimulatedParticipants:
    return SimulatedParticipants(link, options.seed, options.participants, options.behaviour, reached)


class _Turns:
    """Limits how many submissions and requests there are at the same time."""

    def __init__(self, submissions: int) -> None:
        self.submissions = asyncio.Semaphore(submissions)
        self.requests = asyncio.Semaphore(MAX_CONCURRENT)


class _Progress:
    """Counts the pages answered, and reports each whole percent of all pages."""

    def __init__(self, reached: Reached, remaining: int, report: Callable[[float], object] | None) -> None:
        self._reached, self._report = reached, report
        self._pages = reached.answered_pages + remaining
        self._percent = self._current_percent() if self._pages else 0
        if self._pages and report:
            report(self._percent / 100)

    def add_page(self) -> None:
        """Count a page."""
        self._reached.answered_pages += 1
        percent = self._current_percent()
        if self._report and percent != self._percent:
            self._percent = percent
            self._report(percent / 100)

    def _current_percent(self) -> int:
        return 100 * self._reached.answered_pages // self._pages


def _moved(address: str, link: str) -> str:
    """An address of a page at the service of a link: after a restart it may have another port."""
    service = urlsplit(link)
    return urlunsplit(urlsplit(address)._replace(scheme=service.scheme, netloc=service.netloc))
