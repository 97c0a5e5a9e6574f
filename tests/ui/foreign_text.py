"""A text with markup, and a check of all widgets of a window that none interprets it."""

import ctypes
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTextEdit,
    QToolTip,
    QWidget,
)

from tests.ui.every_model import indexes

OPENED = 0x20
"""IN_OPEN."""

DISTURBING = "\u202efdp\u2066.\x00\x07\n\u2028" + "w" * 300
"""A right-to-left override, an isolate without an end, NUL and BEL, line breaks, and a very long word."""

_SHOWN = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)


@pytest.fixture
def picture(tmp_path: Path) -> Iterator[Path]:
    """A file that must not be opened."""
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n")
    if not sys.platform.startswith("linux"):
        yield path
        return
    libc = ctypes.CDLL(None)
    watcher = libc.inotify_init1(os.O_NONBLOCK)
    assert libc.inotify_add_watch(watcher, str(path).encode(), OPENED) >= 0
    yield path
    with pytest.raises(BlockingIOError):  # nothing has happened to it
        os.read(watcher, 4096)
    os.close(watcher)


@pytest.fixture
def hostile(picture: Path) -> str:
    """A text with HTML, a mnemonic, and characters that change the reading direction."""
    return f'R&D {DISTURBING} <b>x</b> <img src="{picture.as_uri()}"> <table><tr><td>1'


def tip_at(widget: QWidget, at: QPoint) -> QLabel | None:
    """The tooltip that a widget shows at a point."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    tips = [
        entry for entry in QApplication.topLevelWidgets() if entry.inherits("QTipLabel") and entry.isVisible()
    ]
    return cast("QLabel", tips[0]) if tips else None


def is_rendered_as_markup(label: QLabel) -> bool:
    """Whether a label interprets its text as markup."""
    return label.textFormat() is not Qt.TextFormat.PlainText


def has_mnemonic(button: QAbstractButton) -> bool:
    """Whether a button interprets `&` as a mnemonic."""
    return "R&D" in button.text() and not button.shortcut().isEmpty()


def interpreted_texts(top: QWidget) -> list[str]:
    """Descriptions of all widgets below one that interpret foreign text."""
    matches = [
        f"action {action.text()!r}"
        for action in top.findChildren(QAction)
        if not _is_single_line(action.text())
    ]
    for widget in [top, *top.findChildren(QWidget)]:
        matches += _interpreted_by(widget)
    return matches


def _interpreted_by(widget: QWidget) -> Iterator[str]:
    what = f"{type(widget).__name__} {widget.objectName()}"
    if isinstance(widget, QLabel):
        if is_rendered_as_markup(widget):
            yield f"label {what}"
        if not _is_harmless(widget.text()):
            yield f"text of {what} {widget.text()!r}"
    if isinstance(widget, QAbstractButton):
        if has_mnemonic(widget):
            yield f"key of {what} {widget.text()}"
        if not _is_single_line(widget.text()):
            yield f"text of {what} {widget.text()!r}"
    if isinstance(widget, QTextEdit) and "file:" in widget.toHtml():
        yield f"text {what}"
    if isinstance(widget, QLineEdit) and not _is_single_line(widget.placeholderText()):
        yield f"placeholder of {what}"
    if isinstance(widget, QComboBox):
        texts = [widget.itemText(number) for number in range(widget.count())]
        yield from (f"item of {what} {text!r}" for text in texts if not _is_single_line(text))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        cells = [(index, index.data(role)) for index in indexes(widget.model()) for role in _SHOWN]
        yield from (f"cell of {what} {text!r}" for _at, text in cells if not _is_harmless(str(text or "")))
    if not _is_single_line(widget.windowTitle()):
        yield f"title of {what} {widget.windowTitle()!r}"
    for text in (widget.accessibleName(), widget.accessibleDescription(), widget.statusTip()):
        if not _is_harmless(text):
            yield f"name of {what} {text!r}"
    if widget.toolTip():
        output = tip_at(widget, QPoint(1, 1))
        if output is not None and is_rendered_as_markup(output):
            yield f"tooltip of {what}"
        if not _is_harmless(widget.toolTip()):
            yield f"text of the tooltip of {what} {widget.toolTip()!r}"


def _is_harmless(text: str) -> bool:
    """Whether a text has no control or direction characters."""
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)


def _is_single_line(text: str) -> bool:
    return "\n" not in text and _is_harmless(text.replace("\t", " "))
