"""Texts quoted in messages are truncated and cleaned."""

import pytest

from batchwright.base.text import truncate


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
