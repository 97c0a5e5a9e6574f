"""Labels of fields do not tell participants which system has written a text."""

from collections.abc import Sequence

import pytest

from batchwright.base.json_values import Json
from batchwright.layout.item_types.registry import MultipleChoice
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.neutral_labels import names_system
from batchwright.ui.data.schema.schema_editor import with_labels_of
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.options.model import OptionModel
from batchwright.ui.editor.inspector.presets import option_presets
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
    assert schema(Reply="Reply", 質問="質問").neutral_labels == {}
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


def comparison(*fields: str, options: Sequence[str] = ("A", "B")) -> Project:
    """A study that shows fields side by side, with a question without options."""
    shown: list[Json] = [{"items": [{"type": "dataset_field", "field": field}]} for field in fields]
    question: Json = {
        "type": "multiple_choice",
        "description": "Which is better?",
        "answer_limit": 1,
        "options": [{"label": label, "value": label} for label in options],
    }
    rows: list[Json] = [
        {"columns": [{"items": [{"type": "dataset_field", "field": "prompt"}]}]},
        {"columns": shown},
        {"columns": [{"items": [question]}]},
    ]
    labels = schema(prompt="Prompt", baseline="Baseline", ours=None, answer_2="Answer 2")
    return Project("Cats", read([{"rows": rows}], random_keys()), schema=labels)


def labels_of(study: Study) -> dict[str, str | None]:
    assert study.schema is not None
    return {name: field.label for name, field in study.schema.fields.items()}


def test_fields_that_are_compared_are_not_called_as_their_columns() -> None:
    study = Study()
    study.open(comparison("baseline", "ours"), None)
    found = [problem for problem in study.problems if problem.code == "LY65"]
    assert [problem.field for problem in found] == ["baseline", "ours"]
    assert [problem.fix.label for problem in found if problem.fix] == ["Use “Answer A”", "Use “Answer B”"]
    study.apply(study.fix_all_of_kind_edit("LY65"))
    assert labels_of(study) == {
        "prompt": "Prompt",
        "baseline": "Answer A",
        "ours": "Answer B",
        "answer_2": "Answer 2",
    }


def test_a_label_from_a_column_is_not_shown_beside_a_neutral_one() -> None:
    labels = schema(by_gpt="Answer A", antwort_b="Antwort b")
    assert labels.better_labels(()) == {}
    assert labels.better_labels(("by_gpt", "antwort_b")) == {"antwort_b": "Answer B"}
    assert schema(antwort_a="Antwort a", antwort_b=None).better_labels(("antwort_a", "antwort_b")) == {}
    assert schema(回答A="回答A", 回答B=None).better_labels(("回答A", "回答B")) == {}
    assert len(schema(**{"回答 新": None, "回答 旧": None}).better_labels(("回答 新", "回答 旧"))) == 2
    arabic = {"الإجابة أ": None, "الإجابة ب": None}
    assert schema(**arabic).better_labels(tuple(arabic)) == {}


def test_the_fix_of_one_compared_field_does_what_it_says() -> None:
    study = Study()
    study.open(comparison("baseline", "ours"), None)
    second = [problem for problem in study.problems if problem.code == "LY65"][1]
    assert second.fix is not None
    study.apply(second.fix)
    assert labels_of(study)["ours"] == "Answer B"


def test_without_a_comparison_the_names_of_columns_are_no_problem() -> None:
    study = Study()
    study.open(comparison("baseline", "ours", options=("A lot", "Little")), None)
    assert "LY65" not in [problem.code for problem in study.problems]


def test_a_preset_of_a_comparison_gives_the_compared_fields_neutral_labels_in_one_step() -> None:
    study = Study()
    study.open(comparison("baseline", "answer_2", options=()), None)
    (question,) = [item for _path, item in study.layout.items(MultipleChoice)]
    form = NodeForm(study, question.key)
    options = OptionModel(form, next(a for a in MultipleChoice.known_attributes if a.name == "options"))
    (preset,) = [preset for preset in option_presets() if preset.title == "A, B or the same"]
    options.apply_preset(preset)
    assert labels_of(study)["baseline"] == "Answer A"
    assert labels_of(study)["answer_2"] == "Answer B"
    assert labels_of(study)["prompt"] == "Prompt"
    assert [len(item.options) for _path, item in study.layout.items(MultipleChoice)] == [3]
    study.undo()
    assert labels_of(study)["baseline"] == "Baseline"
    assert not study.history.past


def test_the_columns_of_an_own_file_get_the_labels_of_the_template() -> None:
    project = comparison("response_a", "response_b")
    template = schema(prompt="Question", response_a="Answer A", response_b="Answer B", topic=None)
    own = schema(prompt="Prompt", ours="Ours", baseline="Baseline")
    labels = with_labels_of(own, template, project.layout).fields
    assert {name: field.label for name, field in labels.items()} == {
        "prompt": "Question",
        "ours": "Answer A",
        "baseline": "Answer B",
    }
