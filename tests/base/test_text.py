"""Texts quoted in messages are truncated and cleaned; texts that show nothing are recognised."""

import sys
import unicodedata

import pytest

from batchwright.base.text import is_blank, is_right_to_left, truncate


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("答え 👩", "答え 👩"),
        ("x" * 10, "x" * 10),
        ("x" * 11, "x" * 9 + "…"),
        ("a\ud800", "a\\ud800"),
        ("\udfff" * 1000, "\\udfff\\ud…"),
    ],
)
def test_a_text_is_truncated_and_made_valid_unicode(text: str, shown: str) -> None:
    assert truncate(text, 10) == shown


@pytest.mark.parametrize(
    "text", ["", " \t\n", "\0", "\u200b", "\u2060\ufeff", "\u00ad", "\u3164\u2800", "\u180e \ufe0f"]
)
def test_a_text_of_spaces_and_invisible_characters_is_blank(text: str) -> None:
    assert is_blank(text)


def test_every_letter_number_and_symbol_of_unicode_is_visible() -> None:
    """Some letters show nothing: fillers, and blank Braille."""
    shown = ("L", "N", "P", "S")
    characters = map(chr, range(sys.maxunicode + 1))
    blank = [char for char in characters if unicodedata.category(char).startswith(shown) and is_blank(char)]
    assert "".join(blank) == "\u115f\u1160\u2800\u3164\uffa0"
    assert not is_blank("\u200ba\u200b")


def test_no_control_or_format_character_of_unicode_is_visible() -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    hidden = [char for char in characters if char.isspace() or unicodedata.category(char) in ("Cc", "Cf")]
    assert [char for char in hidden if not is_blank(char)] == []


@pytest.mark.parametrize(
    ("text", "is_expected"),
    [("", False), ("What?", False), ("12: ما هو", True), ("שלום world", True), ("naïve שלום", False)],
)
def test_the_first_letter_tells_the_direction_of_a_text(text: str, *, is_expected: bool) -> None:
    assert is_right_to_left(text) is is_expected
