"""Labels of fields do not tell participants which system has written a text."""

import pytest

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.neutral_labels import names_system
from batchwright.ui.study.study_model import Study


@pytest.mark.parametrize("text", ["antwort_gpt", "GPT-4o", "ChatGPT answer", "claude 3", "by Google"])
def test_models_and_vendors_are_recognised(text: str) -> None:
    assert names_system(text)


@pytest.mark.parametrize("text", ["prompt", "Egypt", "answer_a", "Mistralled wind", "metadata", ""])
def test_other_words_are_not(text: str) -> None:
    assert not names_system(text)


def schema(**labels: str | None) -> Schema:
    return Schema(strict=False, fields={name: Field(FieldType.TEXT, label) for name, label in labels.items()})


def test_fields_that_name_systems_get_neutral_labels() -> None:
    labels = schema(prompt="Question", antwort_gpt="Antwort gpt", antwort_claude=None).neutral_labels
    assert labels == {"antwort_gpt": "Answer A", "antwort_claude": "Answer B"}


def test_a_letter_that_another_label_has_is_not_used() -> None:
    assert schema(one="Answer A", by_gpt="By GPT").neutral_labels == {"by_gpt": "Answer B"}


def test_a_label_that_is_the_name_of_the_column_is_written_as_words() -> None:
    assert schema(model_answer="model_answer").neutral_labels == {"model_answer": "Model answer"}
    assert schema(Reply="Reply").neutral_labels == {"Reply": "Answer A"}
    assert schema(prompt=None, reply="Reply").neutral_labels == {}


def test_labels_that_are_written_as_words_stay_distinct() -> None:
    labels = schema(first="Model answer", model_answer="model_answer").neutral_labels
    assert labels == {"model_answer": "Answer A"}


def test_each_of_many_fields_has_a_label_of_its_own() -> None:
    labels = schema(**{f"gpt_{number}": None for number in range(40)}).neutral_labels
    assert len(set(labels.values())) == 40


def test_all_labels_are_replaced_together_and_stay_distinct() -> None:
    fields = ("by_gpt", "by_claude", "by_gemini")
    pages = [
        {"rows": [{"columns": [{"items": [{"type": "dataset_field", "field": field}]}]} for field in fields]}
        for _page in range(2)
    ]
    study = Study()
    before = schema(by_gpt="By GPT", by_claude="By Claude", by_gemini="Answer by Gemini")
    study.open(Project("Cats", read(pages, random_keys()), schema=before), None)
    study.apply(study.fix_all_of_kind_edit("LY65"))
    assert study.schema is not None
    assert [field.label for field in study.schema.fields.values()] == ["Answer A", "Answer B", "Answer C"]
    assert "LY65" not in [problem.code for problem in study.problems]
    study.undo()
    assert study.schema == before


def test_one_click_replaces_the_label_and_can_be_undone() -> None:
    pages = [
        {
            "rows": [
                {"columns": [{"items": [{"type": "dataset_field", "field": "by_gpt"}]}]},
                {"columns": [{"items": [{"type": "free_text", "description": "Why?"}]}]},
            ]
        }
    ]
    study = Study()
    before = schema(by_gpt="By GPT")
    study.open(Project("Cats", read(pages, random_keys()), schema=before), None)
    (problem,) = [problem for problem in study.problems if problem.code == "LY65"]
    assert problem.fix is not None
    study.apply(problem.fix)
    assert study.schema is not None
    assert study.schema.fields["by_gpt"].label == "Answer A"
    assert "LY65" not in [problem.code for problem in study.problems]
    study.undo()
    assert study.schema == before
