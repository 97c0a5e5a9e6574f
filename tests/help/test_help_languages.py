"""The help is in the user's language as far as it is translated, and links lead to the same sections."""

from collections.abc import Iterator

import pytest

from batchwright.base.i18n import use_language
from batchwright.base.resources import resource
from batchwright.help.pages import HelpPage, find_sections, help_page, help_pages, read_page
from tests.help.test_help_texts import LINK, PAGES, unknown_labels, unknown_menu_paths

LANGUAGES = sorted(
    path.parent.name for path in resource("help").glob("*/index.md") if path.parent.name != "en"
)


@pytest.fixture(params=LANGUAGES)
def pages(request: pytest.FixtureRequest) -> Iterator[tuple[HelpPage, ...]]:
    """The pages in a language other than English."""
    use_language(request.param.replace("_", "-"))
    yield help_pages()
    use_language(None)


def test_pages_are_translated_and_their_links_lead_to_sections(pages: tuple[HelpPage, ...]) -> None:
    assert [page.name for page in pages] == [page.name for page in PAGES]
    translated = [page for page in pages if page not in PAGES]
    assert {"index", "getting-started", "glossary"} <= {page.name for page in translated}
    anchors = {f"{page.name}.md" for page in PAGES}
    anchors |= {section.address for page in (*pages, *PAGES) for section in page.sections}
    for page in translated:
        for target in LINK.findall(page.html):
            address = f"{page.name}.md{target}" if target.startswith("#") else target
            assert address in anchors or (resource("help") / "en" / target).is_file(), (page.name, target)


def test_translated_pages_name_texts_and_menus_of_the_window_in_their_language(
    pages: tuple[HelpPage, ...],
) -> None:
    for page in (page for page in pages if page not in PAGES):
        assert unknown_labels(page) == []
        assert unknown_menu_paths(page) == []


def test_every_section_is_found_by_its_address_in_each_language(pages: tuple[HelpPage, ...]) -> None:
    for english in PAGES:
        for section in english.sections:
            found = help_page(english.name, section.anchor)
            assert section.anchor in [of.anchor for of in found.sections]


def test_each_section_of_a_page_has_an_anchor_of_its_own(pages: tuple[HelpPage, ...]) -> None:
    for page in (*pages, *PAGES):
        anchors = [section.anchor for section in page.sections]
        assert len(set(anchors)) == len(anchors), page.name


def test_the_glossary_has_the_same_entries_in_each_language(pages: tuple[HelpPage, ...]) -> None:
    translated, english = (
        sorted(section.anchor for page in of if page.name == "glossary" for section in page.sections)
        for of in (pages, PAGES)
    )
    assert translated == english


def test_what_a_language_lacks_is_found_in_english(pages: tuple[HelpPage, ...]) -> None:
    lacking = "layout.md#find-and-replace"
    assert lacking not in {section.address for page in pages for section in page.sections}
    found = [section.address for section in find_sections("find replace regular expressions")]
    assert found.count(lacking) == 1
    assert help_page("layout", "find-and-replace") in PAGES


def test_headings_of_a_translation_have_the_anchors_of_the_english_ones() -> None:
    english = read_page("data", "# Data\n\n## Checks\n\n## Upload\n")
    german = read_page("data", "# Daten\n\n## Prüfungen\n\n## Hochladen\n", english.sections)
    assert [section.anchor for section in german.sections] == ["", "checks", "upload"]
    assert 'id="upload">Hochladen' in german.html
    some = '# Daten\n\n## Upload\n\n## <a id="checks"></a>Prüfungen\n'
    assert [section.anchor for section in read_page("data", some, english.sections).sections] == [
        "",
        "upload",
        "checks",
    ]
    other_order = '# Daten\n\n## <a id="upload"></a>Hochladen\n\n## <a id="checks"></a>Prüfungen\n'
    sorted_page = read_page("data", other_order, english.sections)
    assert [section.anchor for section in sorted_page.sections] == ["", "upload", "checks"]
    shorter = read_page("data", '# Daten\n\n## <a id="upload"></a>Hochladen\n', english.sections)
    assert [section.anchor for section in shorter.sections] == ["", "upload"]
