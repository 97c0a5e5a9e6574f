"""Numbers, lists and quotation marks follow the language of the texts."""

from datetime import date

import numpy as np
import pytest
from babel import localedata

from batchwright.base import local_formats
from batchwright.base.i18n import use_language
from batchwright.base.local_formats import count_text, date_text, decimal_text, joined, percent_text, quoted

MARCH = date(2026, 3, 9)


def test_english_is_written_as_before() -> None:
    assert (count_text(1066), decimal_text(-1234.5, 1), percent_text(0.125, 1)) == (
        "1,066",
        "-1,234.5",
        "12.5%",
    )
    assert (joined(["a", "b", "c"]), joined(["a"]), joined([]), quoted("a")) == ("a, b, c", "a", "", "“a”")
    assert (joined("abc", 2), joined("ab", 2), joined("", 2)) == ("a, b, …", "a, b", "")
    assert (date_text(MARCH), date_text(MARCH, with_year=False)) == ("Mar 9, 2026", "Mar 9")


def test_a_number_of_any_size_is_written() -> None:
    assert decimal_text(1e30, 3) == f"{1e30:,.3f}"
    assert decimal_text(-1e308, 0) == f"{-1e308:,.0f}"
    assert count_text(10**40) == f"{10**40:,}"
    assert count_text(np.int64(1066)) == "1,066"


@pytest.mark.parametrize("tag", ["en-GB", "en-IN", "es-MX", "de-AT", "pt-PT", "fr-CA"])
def test_without_the_conventions_of_a_region_those_of_the_language_are_used(
    tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a build that lacks the file of a region, or one that it is based on."""

    def load(name: str, merge_inherited: bool = True) -> object:
        if name not in {"root", "en", "es", "de", "pt", "fr"}:
            raise FileNotFoundError(name)
        return read(name, merge_inherited)

    read = localedata.load
    monkeypatch.setattr(localedata, "load", load)
    local_formats._locale.cache_clear()
    assert local_formats._locale(tag).language == tag[:2]
    local_formats._locale.cache_clear()


@pytest.mark.usefixtures("german")
def test_german_has_other_separators_and_quotation_marks() -> None:
    assert (count_text(1066), decimal_text(1234.5, 1), percent_text(0.125, 1)) == (
        "1.066",
        "1.234,5",
        "12,5\xa0%",
    )
    assert (joined(["a", "{b}"]), quoted("a")) == ("a, {b}", "„a“")
    assert (date_text(MARCH), date_text(MARCH, with_year=False)) == ("9. März 2026", "9. März")


@pytest.mark.usefixtures("german")
def test_japanese_has_other_lists_and_dates_and_a_language_without_texts_is_written_like_english() -> None:
    use_language("ja")
    assert (joined("abc"), joined("abc", 2)) == ("a、b、c", "a、b、…")
    assert date_text(MARCH) == "2026年3月9日"
    use_language("sv")
    assert decimal_text(1234.5, 1) == "1,234.5"
