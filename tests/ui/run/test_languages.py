"""A study in several languages has a batch for each, which is created, updated and set up like any other."""

import pytest

from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.translations import Translation, Translations
from batchwright.ui.publishing.commands import show_answers
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.stage import RunStage
from batchwright.ui.study.study_model import Study
from tests.ui.run.conftest import ready, settled, update

pytestmark = pytest.mark.gui


def choose(stage: RunStage, language: str) -> None:
    choice = stage.languages.choice
    choice.setCurrentIndex(choice.findData(language))
    choice.activated.emit(choice.currentIndex())


def choices(stage: RunStage) -> list[str]:
    choice = stage.languages.choice
    return [choice.itemText(at) for at in range(choice.count())]


def german(study: Study, start: str) -> Translations:
    """German translations of all texts but the first: their own ones, after a word."""
    texts = study.project.participant_texts.texts()[1:]
    return {"de": {address: Translation(f"{start} {text.text}", text.text) for address, text in texts}}


async def test_each_language_becomes_a_batch_with_the_dataset_of_the_study(stage: RunStage) -> None:
    state, study = stage.state, stage.state.study
    assert stage.languages.isHidden()
    await ready(stage)
    study.set_translations(german(study, "Auf Deutsch:"), "Translate")
    assert state.is_as_sent
    assert choices(stage)[1] == "Deutsch (de): not created"
    own = state.own
    choose(stage, "de")
    await settled(stage)
    assert not state.own_id
    assert next_step(state).text == "Data and layout are ready. Next: create the batch."
    assert "1 text has no translation" in stage.languages.note.text()
    await ready(stage)
    batch = state.own
    assert own is not None
    assert batch is not None
    assert (batch.name, batch.datasets) == (f"{own.name} (de)", own.datasets)
    assert "Auf Deutsch:" in str(batch.batch_items)
    assert "Auf Deutsch:" not in str(own.batch_items)
    assert state.is_as_sent
    assert choices(stage)[1] == "Deutsch (de)"
    shown: list[object] = []
    object.__setattr__(stage.context, "show_answers", shown.append)
    show_answers(stage.context)
    choose(stage, "")
    assert state.own is not None
    assert state.own.id == own.id
    show_answers(stage.context)
    assert [getattr(other, "name", None) for other in shown] == [batch.name, None]


async def test_a_change_of_the_study_updates_the_batch_of_each_language(stage: RunStage) -> None:
    state, study = stage.state, stage.state.study
    study.set_translations(german(study, "Auf Deutsch:"), "Translate")
    choose(stage, "de")
    await settled(stage)
    start_publish(state, None)
    await settled(stage)
    batch = state.own
    assert batch is not None
    study.set_translations(german(study, "Jetzt:"), "Translate")
    assert not state.is_as_sent
    await update(stage)
    await settled(stage)
    assert state.own is not None
    assert state.own.id == batch.id
    assert "Jetzt:" in str(state.own.batch_items)
    question = study.project.participant_texts.texts()[-1].address.key
    study.apply(SetAttributes(question, {"helper_text": "A word"}))
    assert not state.is_as_sent
    assert state.remote.ids.keys() == {node.key for node in study.layout.walk_all()}
    study.set_translations({}, "Remove language")
    assert state.language == ""
    assert stage.languages.isHidden()
    assert state.own_id == ""
