"""Values of arguments: numbers within limits, languages, formats."""

import argparse
import math
from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import override

from batchwright.analysis.output.output_kinds import OutputGroup, OutputKind
from batchwright.base.i18n import _, is_language_tag
from batchwright.base.local_formats import joined

LARGEST_COUNT = 1_000_000_000
SEEDS = 2**63
"""Limit of seeds on either side of zero: those that fit into the database of a service."""


class OneOrTwoValues(argparse.Action):
    """Accepts one or two values."""

    @override
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if values is None or len(values) not in (1, 2):
            parser.error(_("argument {option}: expected one or two values").format(option=option_string))
        setattr(namespace, self.dest, values)


def formats(text: str) -> tuple[OutputKind, ...]:
    """Formats of answers, separated by commas, in the order of the program."""
    names, known = dict.fromkeys(name.strip() for name in text.split(",")), OutputKind.of(OutputGroup.ANSWERS)
    if not names.keys() <= set(known):
        message = _("must be some of {formats}, separated by commas").format(formats=joined(known))
        raise argparse.ArgumentTypeError(message)
    return tuple(kind for kind in known if kind in names)


def id_text(text: str) -> str:
    """An id as it is."""
    if not text:
        raise argparse.ArgumentTypeError(_("must not be empty"))
    return text


def language_tag(text: str) -> str:
    """A language tag as it is."""
    if not is_language_tag(text):
        raise argparse.ArgumentTypeError(_("must be the tag of a language, such as de or pt-BR"))
    return text


def integer(least: int, most: int) -> Callable[[str], int]:
    """A parser for whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or not least <= number <= most:
            template = _("must be a whole number from {least} to {most}")
            raise argparse.ArgumentTypeError(template.format(least=least, most=most))
        return number

    return read


def number(least: int, most: int) -> Callable[[str], float]:
    """A parser for numbers from `least` to `most`."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            template = _("must be a number from {least} to {most}")
            raise argparse.ArgumentTypeError(template.format(least=least, most=most))
        return number

    return read


def seconds(text: str) -> float:
    """A number of seconds."""
    try:
        duration = float(text)
    except ValueError:
        duration = math.nan
    if not 0 <= duration < math.inf:
        raise argparse.ArgumentTypeError(_("must be a number of seconds, 0 or more"))
    return duration
