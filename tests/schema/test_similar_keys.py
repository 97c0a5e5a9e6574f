"""Keys of a schema that a misspelled key is similar to."""

import pytest

from batchwright.schema.similar_keys import SimilarKeys

KEYS = SimilarKeys(["prompt", "answer_a", "answer_b", "Über", "k" * 100])


@pytest.mark.parametrize(
    ("misspelt", "found"),
    [
        ("Prompt ", ["prompt"]),
        ("promt", ["prompt"]),
        ("prompts", ["prompt"]),
        ("promqt", ["prompt"]),
        ("pormpt", ["prompt"]),
        ("answer", []),
        ("answer_", ["answer_a", "answer_b"]),
        ("über", ["Über"]),
        ("K" * 100, ["k" * 100]),
        ("k" * 99, []),
        ("p", []),
        ("", []),
    ],
)
def test_keys_with_one_other_character_are_similar(misspelt: str, found: list[str]) -> None:
    assert KEYS.find(misspelt) == found
