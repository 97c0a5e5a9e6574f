"""Answers that participants change are recognised, whether all answers are fetched or only the newest."""

from contextlib import closing
from pathlib import Path

import pytest

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.client.remote_study import remote_batch
from batchwright.service.process import ServiceAddress
from batchwright.workflows.answers import update_answers as module
from batchwright.workflows.answers.update_answers import update_answers
from tests.service.api_helpers import Researcher, page
from tests.service.participant import Answering, answer_task_group, participation
from tests.workflows.contexts import context_at

QUESTION = {"type": "free_text", "description": "Why?"}


def saying(text: str) -> Answering:
    return lambda position, _instruction: {f"i{position}": [text]}


def texts(store: AnswerStore) -> list[str]:
    return sorted(row.text for row in store.query(AnswerQuery()).rows(0, 99))


@pytest.mark.parametrize("only_newest", [False, True])
async def test_an_answer_that_was_changed_makes_the_stored_ones_outdated(
    only_newest: bool, running: ServiceAddress, tmp_path: Path
) -> None:
    with closing(Researcher(running)) as researcher:
        layout = [page(QUESTION), page(QUESTION)]
        batch = str(researcher.batch(dataset_id=researcher.filled_dataset(1), batch_items=layout)["id"])
        researcher.set_up(batch)
    of = remote_batch(batch)
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        link = (await context.service.local.participation(batch)).url
        with closing(AnswerStore()) as store, closing(AnswerStore()) as other:
            with participation(link, "a" * 24) as participant:
                participant.answer(saying("a mistake"))
                await update_answers(context, of, store, only_newest=False)
                same = await update_answers(context, of, store, only_newest=only_newest)
                participant.go_to(0)
                participant.answer(saying("corrected"))
                changed = await update_answers(context, of, store, only_newest=only_newest)
            filled = await update_answers(context, of, other, only_newest=False)
            assert same is not None
            assert changed is not None
            assert filled is not None
            assert (same.is_outdated, changed.is_outdated, filled.is_outdated) == (False, True, False)
            assert (texts(store), texts(other)) == (["a mistake"], ["corrected"])


async def test_as_many_other_answers_are_not_taken_for_the_stored_ones(
    running: ServiceAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "NEWEST", 1)
    with closing(Researcher(running)) as researcher:
        layout = [page(QUESTION), page(QUESTION)]
        batch = str(researcher.batch(dataset_id=researcher.filled_dataset(1), batch_items=layout)["id"])
        researcher.set_up(batch)
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        link = (await context.service.local.participation(batch)).url
        with closing(AnswerStore()) as store:
            with participation(link, "a" * 24) as participant:
                participant.answer()
            await update_answers(context, remote_batch(batch), store, only_newest=False)
            await context.service.local.reset(batch)
            answer_task_group(link, "b" * 24)
            fetched = await update_answers(context, remote_batch(batch), store, only_newest=True)
            assert fetched is not None
            assert fetched.is_outdated, "it has one answer that was deleted, and one of two new ones"
