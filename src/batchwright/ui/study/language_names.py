"""The languages that participants may read, by their own names."""

from collections.abc import Collection

from PySide6.QtCore import QLocale

from batchwright.base.i18n import _, has_catalogue, program_language, text_direction
from batchwright.ui.core.formatting import name_order

_LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"
"""Around a name that is written from right to left, so that what follows it stands at its right."""


def language_names(further: Collection[str] = ()) -> dict[str, str]:
    """The names of all languages that Qt knows, and of some further ones, by tag; sorted by name."""
    locales = map(QLocale, QLocale.Language)
    tags = {locale.bcp47Name() for locale in locales if locale.language() is not QLocale.Language.C}
    names = {tag: own_name(tag) for tag in {*tags, "pt-BR", *further}}
    return dict(sorted(names.items(), key=lambda item: name_order(item[1])))


def own_name(tag: str) -> str:
    """The name of a language in the language itself, with its tag."""
    name = _name(QLocale(tag)) if "-" in tag else _name_without_region(QLocale(tag))
    mark = _LEFT_TO_RIGHT if text_direction(tag) == "rtl" else ""
    return f"{mark}{name}{mark} ({tag})" if name else tag


def _name(locale: QLocale) -> str:
    return locale.nativeLanguageName()


def _name_without_region(locale: QLocale) -> str:
    """The name of a language that Qt names with its usual region, such as “American English”."""
    name, country = locale.nativeLanguageName(), QLocale.Country.AnyCountry
    others = QLocale.matchingLocales(locale.language(), locale.script(), country)
    return min((other for other in map(_name, others) if other and other in name), key=len, default=name)


def catalogue_text(tag: str) -> str:
    """What of the participant pages is in a language, and when it is not; that of the program if empty."""
    if has_catalogue(tag or program_language().tag):
        return _(
            "Buttons, hints and errors follow it on this computer; the hosted service has its own pages."
        )
    return _("There is no translation: buttons, hints and errors of the pages will be in English.")
