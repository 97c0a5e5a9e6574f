"""Access keys: every entry of a menu has one, no two are alike, and no other place shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.i18n import pseudo_translated
from batchwright.ui.core.access_keys import plain_text, with_access_keys
from batchwright.ui.core.actions import Menu


def keys(marked: list[str]) -> list[str]:
    """The access keys, read as Qt reads them."""
    alone = (text.replace("&&", "") for text in marked)
    return [text[text.index("&") + 1].casefold() for text in alone if "&" in text]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["File", "Edit", "Find"], ["&File", "&Edit", "F&ind"]),
        (["Save", "Save as…", "Save & close"], ["&Save", "Save &as…", "Save && &close"]),
        (["Datei", "Daten"], ["&Datei", "D&aten"]),
        (["Файл", "Правка"], ["&Файл", "&Правка"]),
        (["文件", "编辑"], ["文件 (&A)", "编辑 (&B)"]),
        (["a", "a", ""], ["&a", "a", ""]),
    ],
)
def test_access_keys(texts: list[str], expected: list[str]) -> None:
    assert with_access_keys(texts) == expected


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp")))))
def test_no_two_entries_have_the_same_key_and_the_texts_are_restored(texts: list[str]) -> None:
    marked = with_access_keys(texts)
    found = keys(marked)
    assert len(found) == len(set(found))
    assert with_access_keys([plain_text(text) for text in marked]) == marked


def test_every_menu_of_the_bar_has_a_key_in_every_language() -> None:
    titles = [menu.value for menu in Menu]
    for translated in (titles, [pseudo_translated(title) for title in titles]):
        assert len(keys(with_access_keys(translated))) == len(titles)
