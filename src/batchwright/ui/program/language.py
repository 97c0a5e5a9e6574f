"""The language of Qt: texts of its own dialogs and menus, numbers and dates, and the direction of layouts."""

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from batchwright.base.i18n import program_language

_RIGHT_TO_LEFT = Qt.LayoutDirection.RightToLeft


def _conventions(locale: QLocale) -> tuple[QLocale.Language, str, str]:
    return locale.language(), locale.decimalPoint(), locale.groupSeparator()


def use_language(app: QApplication) -> None:
    """Set everything to the language of the program.

    What the user has set in the system, such as the format of times, holds if that is in the same language
    and writes numbers as charts and files do.
    """
    language = program_language()
    locale, system = QLocale(language.locale), QLocale.system()
    QLocale.setDefault(system if _conventions(system) == _conventions(locale) else locale)
    if language.direction == "rtl":
        app.setLayoutDirection(_RIGHT_TO_LEFT)
    texts = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if texts.load(QLocale(language.tag), "qtbase", "_", folder):
        app.installTranslator(texts)
