"""Which fields are alternatives of each other, judged by their names."""

import pytest

from batchwright.schema.alternatives import alternatives
from batchwright.schema.model import Field, FieldType

TEXT, IMAGE = FieldType.TEXT, FieldType.IMAGE_URL


def found(*names: str, type: FieldType = TEXT) -> dict[str, str]:
    """The labels of the alternatives among fields of one type."""
    group = alternatives({name: Field(type) for name in names})
    return group.labels if group else {}


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("prompt", "response_a", "response_b"), ["Response A", "Response B"]),
        (("Prompt", "Response B", "Response A"), ["Response A", "Response B"]),
        (("prompt", "response_1", "response_2"), ["Response A", "Response B"]),
        (("id", "outputA", "outputB"), ["Output A", "Output B"]),
        (("model_a_answer", "model_b_answer"), ["Answer A", "Answer B"]),
        (("prompt", "chosen", "rejected"), ["Response A", "Response B"]),
        (("prompt", "left", "right"), ["Response A", "Response B"]),
        (("prompt", "gpt-4o", "claude_3"), ["Response A", "Response B"]),
        (("prompt", "gpt4_response", "llama_response"), ["Response A", "Response B"]),
        (("answer_1", "answer_2", "answer_3"), ["Answer A", "Answer B", "Answer C"]),
        (("frage", "antwort_a", "antwort_b"), ["Antwort A", "Antwort B"]),
        (("Frage", "Größte Antwort 1", "Größte Antwort 2"), ["Größte Antwort A", "Größte Antwort B"]),
        (("prompt", "AI answer 1", "AI answer 2"), ["AI answer A", "AI answer B"]),
        (("PROMPT", "RESPONSE_A", "RESPONSE_B"), ["Response A", "Response B"]),
        (("質問", "回答A", "回答B"), ["回答 A", "回答 B"]),
        (("質問", "回答Ａ", "回答Ｂ"), ["回答 A", "回答 B"]),
        (("質問", "回答１", "回答２"), ["回答 A", "回答 B"]),
        (("質問", "回答甲", "回答乙"), ["回答 A", "回答 B"]),
        (("السؤال", "الإجابة أ", "الإجابة ب"), ["الإجابة A", "الإجابة B"]),
    ],
)
def test_fields_whose_names_differ_by_a_letter_a_number_or_a_system_are_alternatives(
    names: tuple[str, ...], labels: list[str]
) -> None:
    assert list(found(*names).values()) == labels


@pytest.mark.parametrize(
    "names",
    [
        ("prompt", "response"),
        ("column_1", "column_2", "column_3"),
        ("question_1", "question_2"),
        ("1", "2"),
        ("title", "body", "author"),
        ("gpt4",),
    ],
)
def test_other_fields_are_no_alternatives(names: tuple[str, ...]) -> None:
    assert not found(*names)


def test_of_several_groups_the_one_with_a_word_for_answers_is_meant() -> None:
    assert list(found("hint_a", "hint_b", "answer_a", "answer_b")) == ["answer_a", "answer_b"]


def test_pictures_have_a_label_of_their_own_and_are_no_alternatives_of_texts() -> None:
    assert list(found("img1", "img2", type=IMAGE).values()) == ["Picture A", "Picture B"]
    assert alternatives({"version_a": Field(TEXT), "version_b": Field(IMAGE)}) is None


def test_fields_that_participants_never_see_are_no_alternatives() -> None:
    assert not found("model_a", "model_b", type=FieldType.METADATA)
