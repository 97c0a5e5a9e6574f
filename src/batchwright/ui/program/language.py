"""The language of Qt: texts of its own dialogs and menus, numbers and dates, and the direction of layouts."""

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from batchwright.base.i18n import program_language

_RIGHT_TO_LEFT = Qt.LayoutDirection.RightToLeft


def use_language(app: QApplication) -> None:
    """Set everything to the language of the program.

    What the user has set in the system for numbers and dates holds if that is in the same language.
    """
    language = program_language()
    locale, system = QLocale(language.locale), QLocale.system()
    QLocale.setDefault(system if system.language() is locale.language() else locale)
    if language.direction == "rtl":
        app.setLayoutDirection(_RIGHT_TO_LEFT)
    texts = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if texts.load(QLocale(language.tag), "qtbase", "_", folder):
        app.installTranslator(texts)
