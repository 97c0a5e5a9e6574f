"""The window with the help: pages, links, search, back and forward, text size, printing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from batchwright.help.pages import INDEX, HelpSection, help_pages
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.help import help_window
from batchwright.ui.help.help_view import HelpView
from batchwright.ui.help.help_window import HelpWindow
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.rows.row_list import RowList
from tests.ui.conftest import activate_window, until
from tests.ui.window_fixtures import OpenTestWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def opened() -> list[str]:
    """The URLs that the help has opened outside of it."""
    return []


@pytest.fixture
def steps() -> list[int]:
    """The steps by which the help has changed the text size."""
    return []


@pytest.fixture
def window(qapp: object, opened: list[str], steps: list[int]) -> Iterator[HelpWindow]:
    host = QWidget()
    window = HelpWindow(host, opened.append, steps.append)
    window.show()
    activate_window(window)
    yield window
    host.deleteLater()


def view(window: QWidget) -> HelpView:
    return window.findChildren(HelpView)[0]


def heading(window: QWidget) -> str:
    """The first line of the page."""
    return view(window).toPlainText().partition("\n")[0]


def listed(window: QWidget) -> list[str]:
    return [section.title for section in section_list(window).entries]


def section_list(window: QWidget) -> RowList[HelpSection]:
    (sections,) = window.findChildren(RowList)
    return sections


def search_for(window: QWidget, text: str) -> SearchField:
    """Type a text into the search."""
    (search,) = window.findChildren(SearchField)
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(search, text)
    return search


async def until_laid_out(sections: RowList[HelpSection]) -> None:
    """Wait until the last row has a place."""
    await until(lambda: sections.area(len(sections.entries) - 1).box.bottom() > 0)


def button(window: QWidget, name: str) -> QAbstractButton:
    buttons = window.findChildren(QAbstractButton)
    return next(button for button in buttons if name in {button.accessibleName(), button.text()})


def test_all_pages_are_listed_and_shown(window: HelpWindow) -> None:
    assert heading(window) == "Help"
    assert listed(window) == [page.title for page in help_pages()]
    for page in help_pages():
        window.show_address(f"{page.name}.md")
        assert heading(window) == page.title
        assert window.windowTitle().startswith(page.title)


async def test_the_text_of_every_page_is_laid_out(window: HelpWindow) -> None:
    """Qt lays out a long page in steps."""

    def missing() -> list[str]:
        document = view(window).document()
        blocks = map(document.findBlockByNumber, range(document.blockCount()))
        return [block.text() for block in blocks if block.text() and not block.layout().lineCount()]

    for page in help_pages():
        window.show_address(f"{page.name}.md")
        await until(lambda: not missing())


def test_every_link_of_every_page_leads_to_its_heading(window: HelpWindow) -> None:
    for page in help_pages():
        for section in page.sections:
            window.show_address(section.address)
            assert section.title in view(window).toPlainText()
            if section.anchor:
                block = view(window).cursorForPosition(view(window).viewport().rect().topLeft()).block()
                bar = view(window).verticalScrollBar()
                assert block.text() == section.title or bar.value() == bar.maximum()


def test_links_are_followed_and_come_back(window: HelpWindow) -> None:
    assert not button(window, "Back").isEnabled()
    view(window).anchorClicked.emit(QUrl("data.md"))
    view(window).verticalScrollBar().setValue(40)
    view(window).anchorClicked.emit(QUrl("glossary.md#batch"))
    assert heading(window) == "Glossary"
    QTest.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert (heading(window), view(window).verticalScrollBar().value()) == ("Data", 40)
    button(window, "Back").click()
    assert heading(window) == "Help"
    button(window, "Forward").click()
    button(window, "Forward").click()
    assert heading(window) == "Glossary"
    assert not button(window, "Forward").isEnabled()
    button(window, "Contents").click()
    assert heading(window) == "Help"
    assert not button(window, "Forward").isEnabled()


def test_a_link_within_the_page_stays_on_it(window: HelpWindow) -> None:
    window.show_address("glossary.md")
    view(window).anchorClicked.emit(QUrl("#workspace"))
    assert heading(window) == "Glossary"
    assert view(window).verticalScrollBar().value() > 0


def test_a_link_out_of_the_help_opens_elsewhere(window: HelpWindow, opened: list[str]) -> None:
    view(window).anchorClicked.emit(QUrl("https://example.org/page"))
    assert opened == ["https://example.org/page"]
    assert heading(window) == "Help"


def test_the_search_finds_sections_of_all_pages(window: HelpWindow) -> None:
    search = search_for(window, "appended tasks sync")
    assert {"Sync", "New records"} <= {*listed(window)}
    sections = section_list(window)
    sections.entry_chosen.emit(sections.entries[listed(window).index("New records")])
    assert heading(window) == "Run"
    search.setText("no such word anywhere")
    assert listed(window) == []
    search.clear()
    assert listed(window) == [page.title for page in help_pages()]


def test_of_what_was_found_only_the_page_shown_is_highlighted(window: HelpWindow) -> None:
    window.show_address("data.md")
    sections = section_list(window)
    search = search_for(window, "krippendorff")
    assert (sections.current_entry, sections.selectedIndexes()) == (None, [])
    window.show_address("results.md#agreement")
    assert sections.current_entry is not None
    assert sections.current_entry.address == "results.md#agreement"
    search.clear()
    assert sections.current_entry == next(page for page in help_pages() if page.name == "results").sections[0]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Down])
async def test_what_was_found_is_opened_with_the_keyboard(window: HelpWindow, key: Qt.Key) -> None:
    search = search_for(window, "krippendorff")
    await until_laid_out(section_list(window))
    first, second, *_others = addresses = [section.address for section in section_list(window).entries]
    QTest.keyClick(search, key)
    assert (window.focusWidget(), window.address) == (section_list(window), first)
    QTest.keyClick(section_list(window), Qt.Key.Key_Down)
    assert window.address == second
    window.go_back()
    QTest.keyClick(section_list(window), Qt.Key.Key_End)
    assert window.address == addresses[-1]


def test_return_opens_the_current_section(window: HelpWindow) -> None:
    search_for(window, "debriefing collections survey screening questionnaires")
    sections = section_list(window)
    sections.setFocus(Qt.FocusReason.TabFocusReason)  # which makes the first row the current one
    QTest.keyClick(sections, Qt.Key.Key_Return)
    assert window.address == "collections.md"


def test_how_many_sections_were_found_is_announced(
    window: HelpWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    monkeypatch.setattr(help_window, "announce", lambda _where, message: messages.append(message))
    (search,) = window.findChildren(SearchField)
    search.setText("krippendorff")
    search.setText("no such word anywhere")
    search.clear()
    assert messages == ["3 sections found", "Nothing was found. Try another word."]


def test_escape_clears_the_search_before_it_closes_the_help(window: HelpWindow) -> None:
    search = search_for(window, "schema")
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert (search.text(), window.isVisible()) == ("", True)
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert not window.isVisible()


async def test_both_lines_of_a_section_are_within_its_row(window: HelpWindow) -> None:
    search_for(window, "krippendorff")
    await until_laid_out(section_list(window))
    row = section_list(window).area(0)
    (_title, upper), (_page, lower) = row.texts
    assert row.box.top() < upper.top() < upper.bottom() < lower.top() < lower.bottom() < row.box.bottom()


def test_the_text_below_a_picture_begins_at_its_end(window: HelpWindow) -> None:
    window.show_address("layout.md")
    document, layout = view(window).document(), view(window).document().documentLayout()
    blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
    picture = next(block for block in blocks if block.text() == "\ufffc")
    bottom, top = (layout.blockBoundingRect(block) for block in (picture, picture.next()))
    gap = max(picture.blockFormat().bottomMargin(), picture.next().blockFormat().topMargin())
    assert top.top() - bottom.bottom() == pytest.approx(gap, abs=1)


def test_pictures_are_as_wide_as_the_text_and_nothing_else_is_loaded(
    window: HelpWindow, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.png"
    secret.touch()
    window.resize(700, 500)
    window.show_address("data.md")
    kind = view(window).document().ResourceType.ImageResource.value
    picture = view(window).loadResource(kind, QUrl("../pictures/data-light.png"))
    assert 0 < picture.deviceIndependentSize().width() <= view(window).viewport().width()
    for address in (secret.as_uri(), f"../../../../../..{secret}", "https://example.org/picture.png"):
        assert view(window).loadResource(kind, QUrl(address)) is None


def test_the_text_size_is_that_of_the_program(window: HelpWindow, steps: list[int]) -> None:
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_0):
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
    assert steps == [1, -1, 0]


def test_a_page_can_be_printed_to_a_file(window: HelpWindow, tmp_path: Path) -> None:
    from PySide6.QtPrintSupport import QPrinter  # noqa: PLC0415

    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "page.pdf"))
    window.show_address("data.md")
    view(window).print_page(printer)
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


async def test_f1_shows_the_page_of_the_stage_in_one_window(at: OpenTestWindow) -> None:
    at.controller.run_action(ActionId.HELP)
    await until(lambda: bool(at.window.findChildren(HelpWindow)))
    help_window = at.window.findChildren(HelpWindow)[0]
    assert heading(help_window) == "Home"
    at.shell.set_stage("jobs")
    at.controller.run_action(ActionId.HELP)
    await until(lambda: heading(help_window) == "Jobs")
    assert at.window.findChildren(HelpWindow) == [help_window]
    QTest.keyClick(help_window, Qt.Key.Key_Escape)
    assert not help_window.isVisible()


def test_an_unknown_page_is_the_first_one(window: HelpWindow) -> None:
    window.show_address("no-such-page.md")
    assert heading(window) == help_pages()[0].title
    assert help_pages()[0].name == INDEX


def test_the_window_is_no_larger_than_its_screen(qtbot: QtBot, theme: Theme) -> None:
    theme.set_text_size(200)
    host = QWidget()
    qtbot.addWidget(host)
    size, available = HelpWindow(host, print, print).size(), host.screen().availableGeometry().size()
    assert size.boundedTo(available) == size
