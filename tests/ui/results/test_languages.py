"""Answers to the batches of a study in several languages are shown together, as answers to its questions."""

import asyncio
from dataclasses import replace

import pytest

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.questions import questions_in
from batchwright.layout.translations import Translation
from batchwright.local.projects import RemoteBinding, StudyKind
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.state import RunState
from batchwright.ui.study.study_model import Study
from batchwright.workflows.answers.joined_languages import (
    LANGUAGE_FIELD,
    joined_languages,
    language_field,
    with_languages,
)
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.results.conftest import settled
from tests.ui.run.conftest import set_up_chosen

pytestmark = pytest.mark.gui


async def answer_in_german(study: Study, session: ConnectionSession, tasks: Tasks) -> RunState:
    """Translate the study, and let a simulated participant answer its German batch."""
    texts = study.project.participant_texts.texts()
    german = {address: Translation(f"Auf Deutsch: {text.text}", text.text) for address, text in texts}
    study.set_translations({"de": german}, "Translate")
    state = RunState(study, session, tasks)
    state.choose_language("de")
    await settled(tasks)
    start_publish(state, None)
    await settled(tasks)
    set_up_chosen(state, 2)
    await settled(tasks)
    await simulate_one(state, tasks)
    return state


async def simulate_one(state: RunState, tasks: Tasks, seed: int = 0) -> None:
    start_simulation(state, SimulationOptions(1, 2, seed=seed))
    await settled(tasks)


async def test_answers_in_all_languages_are_joined_with_the_language_as_a_field(
    stage: ResultsStage, session: ConnectionSession, tasks: Tasks
) -> None:
    state = stage.state
    before = state.answers.overview.summary
    questions = await asyncio.to_thread(lambda: state.answers.answer_store.questions)
    assert state.source.joined == ()
    run = await answer_in_german(state.study, session, tasks)
    state.answers.refresh(may_prompt=True)
    await settled(tasks)
    summary, store = state.answers.overview.summary, state.answers.answer_store
    assert (summary.answers, summary.tasks) == (2 * before.answers, 2 * before.tasks)
    assert state.answers.total_tasks == 4
    assert await asyncio.to_thread(lambda: store.questions) == questions
    values = await asyncio.to_thread(store.task_values)
    assert (
        sorted(of[LANGUAGE_FIELD] for of in values.values()) == ["de"] * before.tasks + ["en"] * before.tasks
    )
    assert LANGUAGE_FIELD in store.fields
    assert "in en, de" in stage.header.subtitle.text()
    assert state.source.remote_study_of("de") != state.source.own
    rows = await asyncio.to_thread(lambda: store.query(AnswerQuery()).rows(0, 99))
    german = next(row for row in rows if state.answers.languages[row.task] == "de")
    shown = questions_in(state.answers.layout_of(german))
    assert german.question.title == next(one.title for one in questions if one.id == german.question.id)
    assert f"Auf Deutsch: {german.question.title}" in [
        one.title for one in shown if one.id == german.question.id
    ]
    languages = state.answers.languages
    assert state.source.data is None
    assert state.records.found.keys() == languages.keys(), "the reports of all batches were searched"
    await simulate_one(run, tasks, seed=9)
    state.answers.poll()
    await settled(tasks)
    assert state.answers.overview.summary.answers == 3 * before.answers
    assert state.answers.languages == languages
    remote = state.study.remote(session.connection.name)
    missing = replace(remote, batch_id="00000000-0000-4000-8000-000000000000")
    state.study.set_remote(session.connection.name, missing)
    await settled(tasks)
    assert state.answers.overview.summary.answers == 2 * before.answers
    state.study.set_remote(session.connection.name, remote)
    state.study.set_translations({}, "Remove language")
    await settled(tasks)
    assert state.answers.overview.summary.answers == before.answers


def test_a_field_of_the_dataset_keeps_its_values() -> None:
    name = language_field({LANGUAGE_FIELD, "source"})
    record = {LANGUAGE_FIELD: "spoken at home"}
    assert with_languages({"t1": record}, {"t1": "de"}, name) == {"t1": {**record, name: "de"}}


def test_questions_are_joined_by_the_nodes_of_the_layout(answered_study: Study) -> None:
    study = answered_study.project
    (name, own), *_others = study.remotes.items()
    ids = {key: f"de {id}" for key, id in own.ids.items()}
    german = own.with_language("de", RemoteBinding(batch_id="b2", ids=ids))
    answered_study.set_remote(name, german)
    answered_study.set_translations({"de": {}, "fr": {}}, "Translate")
    own_part, german_part = joined_languages(answered_study.project, name, "en")
    assert (own_part.language, german_part.language) == ("en", "de")
    assert german_part.instructions == {f"de {id}": id for id in own.ids.values()}
    assert not own_part.instructions
    assert own_part.remote_study.kind is StudyKind.BATCH
