"""The words for people, in the language they have chosen (design.md D20).

The catalogue is opened once. The standard library's own functions look for it on the disk at every sentence,
which took a quarter of the time that a form is built in.
"""

from gettext import translation

from batchwright.base.resources import resource

_CATALOGUE = translation("batchwright", resource() / "locale", fallback=True)


def _(sentence: str) -> str:
    """A sentence in the language of the person."""
    return _CATALOGUE.gettext(sentence)


def ngettext(one: str, many: str, count: int) -> str:
    """The one of two sentences that goes with a number, in the language of the person."""
    return _CATALOGUE.ngettext(one, many, count)
