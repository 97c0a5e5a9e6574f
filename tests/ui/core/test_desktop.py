"""A URL or file that no program can open is reported, and its URL or path can be copied."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from pytestqt.qtbot import QtBot

from batchwright.base.resources import SAMPLE_MEDIA, resource
from batchwright.ui.core.desktop import open_file, open_medium, open_url
from batchwright.ui.shell.window import Window
from tests.ui.window_fixtures import press

pytestmark = pytest.mark.gui

ADDRESS = "http://127.0.0.1:9/participate?a=%2F&b=ü"


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the only entry of PATH."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("BROWSER", "")
    return folder


def copied(qtbot: QtBot, window: Window, button: str) -> tuple[str, str]:
    """The title of the notice and the text that its button copies."""
    qtbot.waitUntil(lambda: bool(window.notices.cards))
    title = window.notices.cards[0].notice.title
    press(window, button)
    return title, QGuiApplication.clipboard().text()


def test_a_url_that_no_program_opens_can_be_copied(
    qtbot: QtBot, window: Window, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    open_url(window.notices, ADDRESS)
    title, text = copied(qtbot, window, "Copy URL")
    assert title == "No program on this computer can open the URL"
    assert text == ADDRESS


def test_a_recording_of_a_template_is_opened_from_the_files_of_the_program(
    qtbot: QtBot, window: Window, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_anything(url: QUrl) -> bool:
        opened.append(url.toString())
        return True

    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", open_anything)
    open_medium(window.notices, f"{SAMPLE_MEDIA}recordings/phone.mp3")
    open_medium(window.notices, "https://a.example/phone.mp3")
    bundled = resource("samples", "media", "recordings", "phone.mp3")
    assert opened == [bundled.as_uri(), "https://a.example/phone.mp3"]


@pytest.mark.skipif(sys.platform != "linux", reason="only there is xdg-open")
@pytest.mark.parametrize("code", [0, 3])
def test_the_path_of_a_file_that_no_program_opens_can_be_copied(
    qtbot: QtBot, window: Window, tools: Path, code: int
) -> None:
    asked, file = tools / "asked", tools / "a b.zip"
    (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$1" > "{asked}"\nexit {code}\n')
    (tools / "xdg-open").chmod(0o700)
    open_file(window.notices, file)
    qtbot.waitUntil(lambda: asked.exists() and bool(asked.read_text()))
    assert asked.read_text() == f"file://{tools}/a%20b.zip\n"
    if code:
        assert copied(qtbot, window, "Copy path") == (
            "No program on this computer can open “a b.zip”",
            str(file),
        )
    else:
        qtbot.wait(50)
        assert not window.notices.cards


@pytest.mark.skipif(sys.platform != "linux", reason="only there is xdg-open")
def test_the_output_of_the_other_program_is_discarded(qtbot: QtBot, window: Window, tools: Path) -> None:
    """It may run for longer than Batchwright, which could not read it then."""
    matches = tools / "found"
    is_nowhere = " && ".join(f"[ /proc/$$/fd/{number} -ef /dev/null ]" for number in (1, 2))
    script = f'#!/bin/sh\n{is_nowhere}\necho $? > "{matches}"\n'
    (tools / "xdg-open").write_text(script)
    (tools / "xdg-open").chmod(0o700)
    open_file(window.notices, tools / "a.zip")
    qtbot.waitUntil(lambda: matches.exists() and bool(matches.read_text()))
    assert matches.read_text() == "0\n"
