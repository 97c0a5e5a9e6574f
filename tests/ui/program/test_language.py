"""Qt's own texts, numbers and layouts follow the language of the program."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from batchwright.base import i18n
from batchwright.base.local_formats import decimal_text
from batchwright.ui.program.language import use_language
from batchwright.ui.theme.tips import shortcut_text
from batchwright.ui.widgets.buttons import Button, IconButton

pytestmark = pytest.mark.gui


@pytest.fixture
def application(qapp: QApplication) -> Iterator[QApplication]:
    """The application, whose language is English again after the test."""
    before, known = QLocale(), qapp.findChildren(QTranslator)
    yield qapp
    QLocale.setDefault(before)
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    for translator in qapp.findChildren(QTranslator):
        if translator not in known:
            qapp.removeTranslator(translator)
            translator.deleteLater()


@pytest.mark.parametrize(
    ("tag", "number", "cancel", "direction"),
    [
        ("en", "1,066.5", "Cancel", Qt.LayoutDirection.LeftToRight),
        ("de", "1.066,5", "Abbrechen", Qt.LayoutDirection.LeftToRight),
        ("ja", "1,066.5", "キャンセル", Qt.LayoutDirection.LeftToRight),
        (i18n.PSEUDO_RTL, "1,066.5", "Cancel", Qt.LayoutDirection.RightToLeft),
    ],
)
@pytest.mark.usefixtures("catalogues")
def test_qt_uses_the_language_of_the_program(
    tag: str,
    number: str,
    cancel: str,
    direction: Qt.LayoutDirection,
    application: QApplication,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(i18n, "_program", [i18n.language(tag)])
    use_language(application)
    assert QLocale().toString(1066.5, "f", 1) == number
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == cancel
    assert application.layoutDirection() is direction


@pytest.mark.parametrize(
    ("system", "region", "sign"), [("de_CH", "de-CH", "."), ("de_CH", "de-DE", ","), ("en_ZA", "de-DE", ",")]
)
@pytest.mark.usefixtures("catalogues")
def test_qt_writes_numbers_as_charts_and_files_do(
    system: str, region: str, sign: str, application: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(system))
    monkeypatch.setattr(i18n, "_program", [i18n.language("de")._replace(region=region)])
    use_language(application)
    assert QLocale().toString(1066.5, "f", 1) == decimal_text(1066.5, 1)
    assert decimal_text(1066.5, 1).endswith(f"066{sign}5")


@pytest.mark.usefixtures("catalogues")
def test_shortcuts_are_written_as_in_the_menus_of_the_language(
    application: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = Button("Fix", keys="Ctrl+Shift+F8")
    width = english.sizeHint().width()
    monkeypatch.setattr(i18n, "_program", [i18n.language("de")])
    use_language(application)
    german = Button("Fix", keys="Ctrl+Shift+F8")
    undo = IconButton("arrow-u-up-left", "Undo", keys="Ctrl+Shift+Z")
    for button in (english, german, undo):
        qtbot.addWidget(button)
    assert undo.toolTip() == "Undo  Strg+Umschalt+Z"
    assert german.sizeHint().width() > width
    assert shortcut_text("Einfg") == "Einfg"
