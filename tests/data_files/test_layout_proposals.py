"""First layouts that are proposed for a table."""

from pathlib import Path

import pytest

from batchwright.data_files.layout_proposals import LayoutProposal, ProposalKind, propose_layouts
from batchwright.data_files.profiling import FileProfile, profile_file
from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.item_types.base import Instruction
from batchwright.layout.item_types.dataset_field import DatasetField
from batchwright.layout.model import Layout
from batchwright.layout.serialization import sequential_keys, write
from batchwright.schema.model import Schema
from tests.data_files.files import CSV, csv_text, write_file

PICTURE, OTHER_PICTURE = "https://example.org/a.png", "https://example.org/b.jpg"


def profile(folder: Path, *rows: tuple[str, ...]) -> FileProfile:
    return profile_file(write_file(folder, csv_text(rows)), CSV)


def proposed(folder: Path, *rows: tuple[str, ...]) -> tuple[LayoutProposal, ...]:
    """The proposals for a table, with the proposed schema."""
    read = profile(folder, *rows)
    return propose_layouts(read.proposal.schema, read, sequential_keys())


def fields(layout: Layout) -> list[list[str]]:
    """The fields that each row shows, for rows that show any."""
    rows: dict[int | None, list[str]] = {}
    for path, item in layout.items(DatasetField):
        rows.setdefault(path.row, []).append(item.field)
    return list(rows.values())


def question(layout: Layout) -> str:
    ((_path, item),) = layout.items(Instruction)
    return str(item.attributes["description"])


def labels(schema: Schema) -> dict[str, str | None]:
    return {name: field.label for name, field in schema.fields.items() if field.label}


def test_a_prompt_and_two_responses_are_a_comparison_with_neutral_labels(tmp_path: Path) -> None:
    best, *_others = proposed(
        tmp_path, ("prompt", "response_a", "response_b"), ("Why?", "So.", "Thus."), ("How?", "Well.", "Ill.")
    )
    assert best.kind is ProposalKind.COMPARISON
    assert fields(best.layout) == [["prompt"], ["response_a", "response_b"]]
    assert labels(best.schema) == {
        "prompt": "Prompt",
        "response_a": "Response A",
        "response_b": "Response B",
    }
    assert question(best.layout) == "Which one is better?"
    assert not best.risks


def test_columns_named_after_systems_are_compared_under_neutral_labels_and_are_named(tmp_path: Path) -> None:
    best, *_others = proposed(tmp_path, ("prompt", "gpt-4", "claude"), ("Why?", "So.", "Thus."))
    assert best.subjects == ("gpt-4", "claude")
    assert labels(best.schema) == {"prompt": "Prompt", "gpt-4": "Response A", "claude": "Response B"}
    assert best.risks == (
        "The columns “gpt-4”, “claude” are named after systems; participants see “Response A”, “Response B”.",
    )


def test_values_that_name_a_model_are_a_risk_and_columns_of_such_names_are_not_shown(tmp_path: Path) -> None:
    best, *_others = proposed(
        tmp_path,
        ("prompt", "response", "system"),
        ("Why?", "As ChatGPT, I cannot say.", "gpt-4"),
        ("How?", "Well.", "claude-3"),
    )
    assert fields(best.layout) == [["prompt"], ["response"]]
    assert best.risks == (
        "Values in “response” name a model or its vendor; participants who read it are not blind.",
    )


@pytest.mark.parametrize(
    ("header", "values", "asked"),
    [
        (("text",), ("A sentence.",), "How good is the text?"),
        (("prompt", "completion"), ("Why?", "So."), "How good is the answer?"),
        (("picture", "caption"), (PICTURE, "A cat"), "How good is the picture?"),
        (("clip",), ("https://example.org/a.mp3",), "How good is the recording?"),
        (("film",), ("https://example.org/a.mp4",), "How good is the video?"),
    ],
)
def test_one_text_picture_recording_or_video_is_rated(
    tmp_path: Path, header: tuple[str, ...], values: tuple[str, ...], asked: str
) -> None:
    best, *_others = proposed(tmp_path, header, values)
    assert best.kind is ProposalKind.RATING
    assert question(best.layout) == asked
    assert sorted(name for row in fields(best.layout) for name in row) == sorted(header)


def test_two_pictures_are_compared(tmp_path: Path) -> None:
    best, *_others = proposed(tmp_path, ("picture_1", "picture_2"), (PICTURE, OTHER_PICTURE))
    assert question(best.layout) == "Which picture is better?"
    assert list(labels(best.schema).values()) == ["Picture A", "Picture B"]


def test_four_answers_are_shown_in_two_rows(tmp_path: Path) -> None:
    header = tuple(f"answer_{number}" for number in range(1, 5))
    best, *_others = proposed(tmp_path, header, ("a", "b", "c", "d"))
    assert fields(best.layout) == [["answer_1", "answer_2"], ["answer_3", "answer_4"]]
    assert question(best.layout) == "Which one is the best?"


SETS = ("META_SET_ID", *(f"META_ITEM_{letter}" for letter in "ABC"), "topic", *("text_a", "text_b", "text_c"))


def test_a_set_of_items_is_shown_with_questions_about_the_best_and_the_worst(tmp_path: Path) -> None:
    best, *_others = proposed(tmp_path, SETS, ("1", "x", "y", "z", "Health", "So.", "Thus.", "Well."))
    assert best.kind is ProposalKind.BEST_WORST
    assert fields(best.layout) == [["topic"], ["text_a", "text_b"], ["text_c"]]
    assert [labels(best.schema)[name] for name in best.subjects] == ["Text A", "Text B", "Text C"]
    questions = [item.attributes for _path, item in best.layout.items(Instruction)]
    assert [str(question["description"]) for question in questions] == [
        "Which one is the best?",
        "Which one is the worst?",
    ]
    assert all(question["answer_limit"] == 1 for question in questions)


def test_any_other_table_is_a_page_with_its_fields_and_one_question(tmp_path: Path) -> None:
    best, *_others = proposed(tmp_path, ("title", "author", "abstract", "empty"), ("A", "B", "C", ""))
    assert best.kind is ProposalKind.OPEN_QUESTION
    assert fields(best.layout) == [["title"], ["author"], ["abstract"]]


def test_a_table_without_anything_to_show_has_no_proposal(tmp_path: Path) -> None:
    assert proposed(tmp_path, ("id", "score"), ("1", "2.5")) == ()


def test_labels_that_the_user_has_chosen_are_kept(tmp_path: Path) -> None:
    read = profile(tmp_path, ("answer_a", "answer_b"), ("So.", "Thus."))
    own = read.proposal.schema.with_label("answer_a", "The short one")
    best, *_others = propose_layouts(own, read, sequential_keys())
    assert labels(best.schema) == {"answer_a": "The short one", "answer_b": "Answer b"}


@pytest.mark.parametrize(
    ("header", "values"),
    [
        (("prompt", "response_a", "response_b"), ("Why?", "So.", "Thus.")),
        (("gpt4", "claude", "llama", "mistral"), ("a", "b", "c", "d")),
        (("text",), ("A sentence.",)),
        (("picture", "caption"), (PICTURE, "A cat")),
        (SETS, ("1", "x", "y", "z", "Health", "So.", "Thus.", "Well.")),
        (tuple(f"column {number}" for number in range(30)), ("x",) * 30),
    ],
)
def test_no_rule_has_an_objection_to_a_proposal(
    tmp_path: Path, header: tuple[str, ...], values: tuple[str, ...]
) -> None:
    for proposal in proposed(tmp_path, header, values):
        problems = LayoutChecker(proposal.schema).check(proposal.layout)
        assert [(problem.code, problem.message) for problem in problems] == [], write(proposal.layout)
