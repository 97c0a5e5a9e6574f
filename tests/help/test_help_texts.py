"""The pages of the help agree with the window: its labels exist, and every link leads somewhere."""

import html
import re
from functools import cache

import pytest

from batchwright.base.i18n import _, current_language, pgettext
from batchwright.help.pages import HelpPage, help_folder, help_pages, read_page
from tests.packaging.scripts import load_script

_KEY = re.compile(r"\(&.\)")
"""The key of a menu in languages that are not written in Latin letters."""
_LABEL = re.compile(r"<em>(.*?)</em>", re.DOTALL)
LINK = re.compile(r'(?:href|src)="([^"]*)"')
PAGES = help_pages()


@cache
def texts() -> tuple[tuple[str | None, str], ...]:
    """All texts of the program in English, each with its context if it has one."""
    catalog = load_script("translations").extracted()
    return tuple(
        (message.context, message.id if isinstance(message.id, str) else message.id[0]) for message in catalog
    )


@cache
def labels(language: str) -> frozenset[str]:
    """All texts of the program in a language, which is the current one, as the help names them."""
    return frozenset(as_named(pgettext(context, text) if context else _(text)) for context, text in texts())


@cache
def menu_paths(language: str) -> frozenset[str]:
    """All commands and submenus with their menus, such as `File > Save`, in a language: the current one."""
    script = load_script("help_pages")
    paths = set[str]()
    for action, subject in script.actions():
        text = action.text if isinstance(action.text, str) else action.text(subject)
        menus = (action.section.menu, action.section.submenu)
        inside = " > ".join(as_named(_(menu.value)) for menu in menus if menu is not None)
        paths |= {inside, f"{inside} > {as_named(_(text))}"}
    return frozenset(paths)


def as_named(text: str) -> str:
    """A text of the window as the help names it: without what its key and its dialog add."""
    return _KEY.sub("", text).replace("&", "").removesuffix("…")


def named_labels(page: HelpPage) -> list[str]:
    """The labels that a page names: in italics, a path through menus with `>` between them."""
    texts = (" ".join(text.split()) for text in _LABEL.findall(page.html))
    return [label.strip().removesuffix("…") for text in texts for label in text.split("&gt;")]


def unknown_labels(page: HelpPage) -> list[str]:
    """What is in italics in a page in the current language, and no text of the window."""
    known = labels(current_language().tag)
    return [label for label in named_labels(page) if label not in known]


def unknown_menu_paths(page: HelpPage) -> list[str]:
    """The paths through menus in a page in the current language that do not exist."""
    known = menu_paths(current_language().tag)
    texts = (html.unescape(" ".join(text.split())).removesuffix("…") for text in _LABEL.findall(page.html))
    return [text for text in texts if " > " in text and text not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_in_italics_is_a_text_of_the_window(page: HelpPage) -> None:
    assert unknown_labels(page) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_lead_through_menus_that_exist(page: HelpPage) -> None:
    assert unknown_menu_paths(page) == []


def test_the_pages_made_of_tables_are_up_to_date() -> None:
    """`packaging/help_pages.py` writes them."""
    for name, text in load_script("help_pages").pages().items():
        assert (help_folder() / name).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_exists(page: HelpPage) -> None:
    anchors = {f"{other.name}.md" for other in PAGES}
    anchors |= {section.address for other in PAGES for section in other.sections}
    for target in LINK.findall(page.html):
        address = f"{page.name}.md{target}" if target.startswith("#") else target
        assert address in anchors or (help_folder() / target).is_file(), target


def test_every_page_is_linked_from_the_first_one() -> None:
    assert {page.name for page in PAGES} == {path.stem for path in help_folder().glob("*.md")}


def test_glossary_entries_are_in_alphabetical_order() -> None:
    (glossary,) = (page for page in PAGES if page.name == "glossary")
    titles = [section.title for section in glossary.sections[1:]]
    assert titles == sorted(titles, key=str.casefold)


def test_commands_in_examples_are_found() -> None:
    page = read_page("page", "# Commands\n\n```\nbatchwright-cli check\n```\n\nText\n\n    indented\n")
    assert page.sections[0].text.split() == ["batchwright-cli", "check", "Text", "indented"]
