"""Opening files with answers: exports, JSON, JSONL and tables, and where their questions come from."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.ids import ids_from_response
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.translations import Translation
from batchwright.local.projects import LanguageBinding, Project, RemoteBinding
from batchwright.workflows.answers.open_answers import open_answers, use_layout
from tests.analysis.answers import ITEMS, layout, ratings

RECORDS = ratings([["a", "b"], ["b", "b"]], "better")
LAYOUT = read(layout(), sequential_keys())


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"results": RECORDS}), encoding="utf-8")
    return path


def titles(answers: Any) -> list[str]:
    return [question.title for question in answers.store.questions]


def test_the_questions_of_an_export_are_those_of_its_layout(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    tasks = [{"task_id": "t0", "datapoint": {"topic": "law"}, "responses": RECORDS[:2]}]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("responses-by-task.jsonl", "".join(f"{json.dumps(task)}\n" for task in tasks))
        archive.writestr("batch.json", json.dumps({"batch_items": layout()}))
    opened = open_answers(path, Project("Cats"))
    assert opened.has_questions
    assert titles(opened)[0] == "Which answer is better?"
    assert (len(opened.store), opened.store.fields, opened.store.new_answers) == (2, ("topic",), 0)


def test_answers_without_a_layout_have_the_questions_of_the_open_study(answers: Path) -> None:
    opened = open_answers(answers, Project("Cats", layout=LAYOUT))
    assert opened.has_questions
    assert titles(opened)[0] == "Which answer is better?"
    opened = open_answers(answers, Project("Cats"))
    assert not opened.has_questions
    assert titles(opened) == ["better"]


def test_a_table_has_the_options_of_the_open_study_or_else_those_that_were_chosen(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    head, line = "participant,task,question,question_text,kind,option,value", "better,Better?,choice"
    path.write_text(f"{head}\nann,1,{line},B is better,b\nben,1,{line},B is better,b\n", encoding="utf-8")
    opened = open_answers(path, Project("Cats", layout=LAYOUT))
    assert titles(opened)[0] == "Which answer is better?"
    assert len(opened.store.questions[0].options) == 3
    opened = open_answers(path, Project("Cats"))
    assert opened.has_questions
    assert titles(opened) == ["Better?"]
    assert [option.label for option in opened.store.questions[0].options] == ["B is better"]


def test_the_ids_of_the_connection_are_used_whose_batch_was_answered(answers: Path) -> None:
    local = [{key: value for key, value in item.items() if key != "id"} for item in ITEMS]
    study = read(layout(*local), sequential_keys())
    keys = list(ids_from_response(study, layout()))
    bindings = {
        "elsewhere": RemoteBinding(ids={key: f"x{key}" for key in keys}),
        "here": RemoteBinding(ids=ids_from_response(study, layout())),
    }
    opened = open_answers(answers, Project("Cats", layout=study, remotes=bindings))
    assert titles(opened)[0] == "Which answer is better?"
    assert not open_answers(answers, Project("Cats", layout=study)).has_questions
    own = Project("Cats", layout=study)
    ((address, text),) = (
        pair for pair in own.participant_texts.texts() if pair[1].text == "Which answer is better?"
    )
    german = LanguageBinding(ids=ids_from_response(study, layout()))
    in_german = replace(
        own,
        translations={"de": {address: Translation("Welche ist besser?", text.text)}},
        remotes={"here": RemoteBinding(ids=bindings["elsewhere"].ids, languages={"de": german})},
    )
    assert titles(open_answers(answers, in_german))[0] == "Welche ist besser?"


def test_a_layout_that_the_user_chooses(answers: Path, tmp_path: Path) -> None:
    opened = open_answers(answers, Project("Cats"))
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(layout()), encoding="utf-8")
    assert titles(use_layout(opened, path))[0] == "Which answer is better?"
    other = [{**item, "id": f"other-{item['id']}"} for item in ITEMS]
    path.write_text(json.dumps(layout(*other)), encoding="utf-8")
    with pytest.raises(UnreadableFile, match="belong to none"):
        use_layout(opened, path)


@pytest.mark.parametrize("content", ["", "[]", "{", '{"results": []}', "a,b\n1,2\n"])
def test_a_file_without_answers_is_rejected(tmp_path: Path, content: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableFile):
        open_answers(path, Project("Cats"))
