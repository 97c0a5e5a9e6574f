"""Simulated participants at a real service behave as requested, and results find it."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from batchwright.analysis.statistics.agreement.agreement_results import ALPHA, agreement_rows
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.questions import questions_in
from batchwright.layout.serialization import read, sequential_keys
from batchwright.service.process import ServiceAddress
from batchwright.wire.base import to_payload
from batchwright.wire.batches import BatchCreate, BatchSetup
from batchwright.wire.local_routes import AnnotatorsPerTask
from batchwright.wire.responses import ResponseRecord
from batchwright.wire.timestamps import read_timestamp
from batchwright.workflows.rehearsal.simulate import Behaviour, SimulatedParticipants
from tests.api.studies import DETAILS, client_of, poll_until_settled, upload_data

OPTIONS = [{"label": text.upper(), "value": text} for text in "abc"]
CHOICE = {"type": "multiple_choice", "description": "Which?", "answer_limit": 1, "options": OPTIONS}
EXPLAINED = {
    "type": "multiple_choice_with_free_text",
    "description": "Which, and why?",
    "answer_limit": 1,
    "options": [{**option, "heading": "Because"} for option in OPTIONS],
}
SEVERAL = {"type": "multiple_choice", "description": "Which ones?", "answer_limit": -1, "options": OPTIONS}
NUMBER = {"type": "free_text", "description": "How many?", "validation": {"type": "number", "min": 0}}
DURATION = {
    "type": "free_text_with_unit",
    "description": "How long?",
    "unit_options": [{"label": unit, "value": unit} for unit in ("min", "h")],
    "unit_position": "suffix",
}
REASON = {"type": "free_text", "description": "Why?"}
PROOF = {"type": "file_upload", "description": "Proof", "accepted_file_types": [".txt", ".png"]}

Answers = list[list[dict[str, Any]]]
"""The answers to a task, by participant."""


def page(*items: object) -> list[Any]:
    """A layout with one page."""
    return [{"rows": [{"columns": [{"items": list(items)}]}]}]


async def ready_batch(
    running: ServiceAddress, folder: Path, questions: Sequence[object], *, tasks: int, participants: int
) -> tuple[str, str]:
    """A batch with one group of tasks, each with one page; its id, and the link for participants."""
    path = folder / "prompts.csv"
    path.write_text("prompt\n" + "".join(f"Prompt {n}\n" for n in range(tasks)), encoding="utf-8")

    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, path)
        request = BatchCreate(
            name="Study",
            workspace_id=running.workspace_id,
            task_details=DETAILS,
            dataset_id=dataset.id,
            batch_items=page({"type": "dataset_field", "field": "prompt"}, *questions),
        )
        batch = await service.batches.create(request)
        await service.batches.set_up(batch.id, BatchSetup(tasks_per_group=tasks))
        await poll_until_settled(lambda: service.batches.status(batch.id))
        per_task = AnnotatorsPerTask(annotators_per_task=participants)
        await service.local.set_annotators_per_task(batch.id, per_task)
        return batch.id, (await service.local.participation(batch.id)).url


async def simulated(
    running: ServiceAddress,
    folder: Path,
    behaviour: Behaviour,
    *questions: object,
    tasks: int = 12,
    participants: int = 3,
) -> list[ResponseRecord]:
    """The answers of participants who all answer the same tasks."""
    batch_id, link = await ready_batch(running, folder, questions, tasks=tasks, participants=participants)

    simulation = SimulatedParticipants(link, 7, participants, behaviour)
    assert len([number async for number in simulation.run()]) == participants
    async with client_of(running) as service:
        return list(await service.batches.responses(batch_id))


def by_question(records: Sequence[ResponseRecord]) -> list[list[Answers]]:
    """The answers to each task, for each question in its order; the service lists the newest first."""
    found: dict[str, dict[str, Answers]] = defaultdict(lambda: defaultdict(list))
    for record in reversed(records):
        entries = [dict(entry) for entry in record.response.answer if isinstance(entry, dict)]
        found[str(record.response.instruction_id)][str(record.task_id)].append(entries)
    return [list(tasks.values()) for tasks in found.values()]


def values(answers: Answers) -> list[tuple[Any, ...]]:
    """The chosen options, numbers and units of each participant, without explanations."""
    return [tuple((entry["value"], entry.get("unit")) for entry in entries) for entries in answers]


def is_unanimous(answers: Answers) -> bool:
    """Whether all participants chose the same."""
    return len(set(values(answers))) == 1


def alpha(records: Sequence[ResponseRecord]) -> float:
    """Krippendorff's alpha of the only question, as Results computes it."""
    question = {**CHOICE, "id": records[0].response.instruction_id}
    with closing(AnswerStore(questions_in(read(page(question), sequential_keys())))) as store:
        store.append(to_payload(record) for record in records)
        rows = agreement_rows(store.table())
    (row,) = [row for row in rows if row.coefficient == ALPHA and not row.option]
    return row.value


async def test_without_random_answers_participants_choose_the_same_for_a_record_and_not_for_all_records(
    running: ServiceAddress, tmp_path: Path
) -> None:
    questions = (CHOICE, SEVERAL, EXPLAINED, NUMBER, DURATION)
    found = by_question(await simulated(running, tmp_path, Behaviour(random_share=0), *questions))
    assert len(found) == len(questions)
    for tasks in found:
        assert len(tasks) == 12
        assert all(len(answers) == 3 and is_unanimous(answers) for answers in tasks)
        assert len({tuple(values(answers)) for answers in tasks}) > 1


@pytest.mark.parametrize(
    ("question", "part"), [(REASON, "value"), (EXPLAINED, "explanation"), (PROOF, "file_size_mb")]
)
async def test_texts_explanations_and_files_differ_even_if_choices_do_not(
    question: dict[str, Any], part: str, running: ServiceAddress, tmp_path: Path
) -> None:
    (tasks,) = by_question(await simulated(running, tmp_path, Behaviour(random_share=0), question, tasks=4))
    for answers in tasks:
        assert len({tuple(entry[part] for entry in entries) for entries in answers}) == 3


@pytest.mark.parametrize(("random_share", "least", "most"), [(0, 1, 1), (1, -0.15, 0.15)])
async def test_the_agreement_that_results_compute_is_1_without_random_answers_and_about_0_with_only_those(
    random_share: float, least: float, most: float, running: ServiceAddress, tmp_path: Path
) -> None:
    records = await simulated(running, tmp_path, Behaviour(random_share), CHOICE, tasks=40)
    assert least <= alpha(records) <= most


async def test_only_the_first_option_is_chosen_with_a_share_of_1(
    running: ServiceAddress, tmp_path: Path
) -> None:
    behaviour = Behaviour(random_share=0.5, first_option_share=1)
    *choices, numbers = by_question(
        await simulated(running, tmp_path, behaviour, CHOICE, SEVERAL, EXPLAINED, NUMBER)
    )
    for tasks in choices:
        assert {chosen for answers in tasks for chosen in values(answers)} == {(("a", None),)}
    assert not all(map(is_unanimous, numbers))


async def test_some_choices_are_of_the_first_option_and_the_others_as_without_it(
    running: ServiceAddress, tmp_path: Path
) -> None:
    behaviour = Behaviour(random_share=0, first_option_share=0.5)
    (tasks,) = by_question(await simulated(running, tmp_path, behaviour, CHOICE, tasks=40))
    chosen = Counter(choice for answers in tasks for ((choice, _unit),) in values(answers))
    assert pytest.approx(chosen["a"] / chosen.total(), abs=0.12) == 0.5 + 0.5 / 3
    for answers in tasks:
        assert len({choice for ((choice, _unit),) in values(answers)} - {"a"}) <= 1


async def test_participants_wait_before_each_page_all_at_the_same_time(
    running: ServiceAddress, tmp_path: Path
) -> None:
    wait, participants = timedelta(seconds=0.4), 7
    records = await simulated(
        running, tmp_path, Behaviour(seconds_per_page=0.4), CHOICE, tasks=3, participants=participants
    )
    times = defaultdict(list)
    for record in records:
        times[record.participant_id].append(read_timestamp(str(record.created_at)))
    pages = [sorted(answered) for answered in times.values()]
    assert [len(answered) for answered in pages] == [3] * participants
    resolution = timedelta(milliseconds=1)
    for answered in pages:
        assert all(after - before >= wait - resolution for before, after in pairwise(answered))
    assert max(answered[0] for answered in pages) < min(answered[-1] for answered in pages)


async def test_progress_counts_pages_and_a_waiting_simulation_is_cancelled_at_once(
    running: ServiceAddress, tmp_path: Path
) -> None:
    _batch, link = await ready_batch(running, tmp_path, [CHOICE], tasks=4, participants=2)

    started = asyncio.Event()
    waiting = SimulatedParticipants(link, 7, 2, Behaviour(seconds_per_page=600))

    async def answer() -> None:
        async for _number in waiting.run(lambda _fraction: started.set()):
            pass

    task = asyncio.create_task(answer())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert asyncio.all_tasks() == {asyncio.current_task()}
    fractions: list[float] = []
    assert len([number async for number in SimulatedParticipants(link, 7, 2).run(fractions.append)]) == 2
    assert fractions == [0, *(number / 100 for number in (12, 25, 37, 50, 62, 75, 87, 100))]
