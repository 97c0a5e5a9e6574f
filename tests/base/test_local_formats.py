"""Numbers, lists and quotation marks follow the language of the texts."""

import pytest

from batchwright.base.i18n import use_language
from batchwright.base.local_formats import count_text, decimal_text, joined, percent_text, quoted


def test_english_is_written_as_before() -> None:
    assert (count_text(1066), decimal_text(-1234.5, 1), percent_text(0.125, 1)) == (
        "1,066",
        "-1,234.5",
        "12.5%",
    )
    assert (joined(["a", "b", "c"]), joined(["a"]), joined([]), quoted("a")) == ("a, b, c", "a", "", "“a”")


@pytest.mark.usefixtures("german")
def test_german_has_other_separators_and_quotation_marks() -> None:
    assert (count_text(1066), decimal_text(1234.5, 1), percent_text(0.125, 1)) == (
        "1.066",
        "1.234,5",
        "12,5\xa0%",
    )
    assert (joined(["a", "{b}"]), quoted("a")) == ("a, {b}", "„a“")


@pytest.mark.usefixtures("german")
def test_japanese_lists_have_another_comma_and_a_language_without_texts_is_written_like_english() -> None:
    use_language("ja")
    assert joined(["a", "b", "c"]) == "a、b、c"
    use_language("sv")
    assert decimal_text(1234.5, 1) == "1,234.5"
