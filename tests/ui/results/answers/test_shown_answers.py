"""The answers that Results shows are those that the service has."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.ui.results.answers import shown_answers
from batchwright.ui.results.stage import ResultsStage
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.local_routes import AnnotatorsPerTask
from batchwright.workflows.answers.update_answers import FetchedAnswers, update_answers
from tests.service.participant import Fields, participation
from tests.ui.conftest import until
from tests.ui.results.conftest import matching, settled, texts
from tests.ui.results.test_download_banners import add_answers

pytestmark = pytest.mark.gui

PROOF = ("proof.txt", b"Seen", "text/plain")


async def link_for_another(stage: ResultsStage) -> str:
    """The participation link, with a place for another participant."""
    own = stage.state.source.remote_study
    assert own is not None
    local = (await stage.state.session.context()).service.local
    await local.set_annotators_per_task(own.id, AnnotatorsPerTask(annotators_per_task=2))
    return (await local.participation(own.id)).url


@pytest.mark.parametrize("is_requested", [False, True], ids=["polled", "refreshed"])
async def test_an_answer_that_a_participant_changes_is_shown(stage: ResultsStage, is_requested: bool) -> None:
    said = "a mistake"

    def answering(position: int, instruction: Mapping[str, Any]) -> Fields:
        return {f"i{position}": [said if instruction["type"] == "free_text" else "0"]}

    with participation(await link_for_another(stage), "a" * 24) as participant:
        participant.answer(answering, PROOF)
        stage.state.answers.poll()
        await until(lambda: "a mistake" in texts(stage, "Answer"))
        count = stage.answers.table.model().rowCount()
        said = "corrected"
        participant.go_to(0)
        participant.answer(answering, PROOF)
    if is_requested:
        stage.state.answers.refresh(may_prompt=True)
    else:
        stage.state.answers.poll()
    await until(lambda: "corrected" in texts(stage, "Answer"))
    assert "a mistake" not in texts(stage, "Answer")
    assert stage.answers.table.model().rowCount() == count


async def test_answers_are_fetched_after_a_setup_that_was_started_elsewhere(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = (await stage.state.session.context()).service.batches
    fetch = batches.get

    async def get(batch_id: str) -> Batch:
        return (await fetch(batch_id)).model_copy(update={"status": BatchStatus.PROCESSING})

    with monkeypatch.context() as patch:
        patch.setattr(batches, "get", get)
        stage.state.answers.refresh()
        await settled(stage.context.window.tasks)
    await add_answers(stage)
    stage.state.answers.poll()
    await matching(stage, 12)


async def test_all_answers_are_fetched_if_that_is_requested_while_the_newest_ones_are(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, requests = stage.state.answers, list[bool]()

    async def update(*args: Any, only_newest: bool, **more: Any) -> FetchedAnswers | None:
        requests.append(only_newest)
        if only_newest:
            answers.refresh(may_prompt=True)
        return await update_answers(*args, only_newest=only_newest, **more)

    monkeypatch.setattr(shown_answers, "update_answers", update)
    answers.refresh()
    await settled(stage.context.window.tasks)
    assert requests == [True, False]


async def test_all_answers_are_fetched_once_as_many_newest_ones_were(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, requests = stage.state.answers, list[bool]()

    async def update(*args: Any, only_newest: bool, **more: Any) -> FetchedAnswers | None:
        requests.append(only_newest)
        return await update_answers(*args, only_newest=only_newest, **more)

    monkeypatch.setattr(shown_answers, "update_answers", update)
    monkeypatch.setattr(shown_answers, "NEWEST", answers.overview.summary.answers // 2)
    answers.refresh(may_prompt=True)
    for _poll in range(4):
        await settled(stage.context.window.tasks)
        answers.poll()
    await settled(stage.context.window.tasks)
    assert requests == [False, True, True, False, True]


async def test_the_same_exclusions_are_applied_to_other_answers_that_are_shown_meanwhile(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on, applied = threading.Event(), list[tuple[AnswerStore, Exclusions]]()
    set_exclusions = AnswerStore.set_exclusions

    def slow(store: AnswerStore, exclusions: Exclusions) -> None:
        may_go_on.wait(5)
        set_exclusions(store, exclusions)
        applied.append((store, exclusions))

    monkeypatch.setattr(AnswerStore, "set_exclusions", slow)
    answers, exclusions = stage.state.answers, Exclusions({"p": "Too fast"})
    answers.set_exclusions(exclusions)
    store = AnswerStore()
    answers._replace(store)
    answers.set_exclusions(exclusions)
    may_go_on.set()
    await until(lambda: (store, exclusions) in applied)
