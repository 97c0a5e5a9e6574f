"""What a question allows, in words beside it: how many options, which numbers, how long, which files.

Then what participants are told while they answer: how much of that they have used, and what is wrong.
"""

from collections.abc import Mapping, Sequence

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.layout.answer_constraints import (
    BYTES_PER_MB,
    FileLimits,
    LengthLimits,
    NumberLimits,
    TextLimits,
    max_choices,
    text_limits,
)
from batchwright.layout.model import Choice, FreeText, FreeTextWithUnit, Instruction
from batchwright.layout.option_values import as_text


def file_constraints_text(limits: FileLimits) -> str:
    """How many files, of which types, how large."""
    types = ", ".join(limits.types)
    size = _("{size} MB").format(size=f"{limits.size_mb:g}")
    if limits.most == 1:
        return _("1 file: {types}; at most {size}.").format(types=types, size=size)
    if limits.fewest == limits.most:
        return _("{count} files: {types}; at most {size} each.").format(
            count=limits.most, types=types, size=size
        )
    return _("{fewest} to {most} files: {types}; at most {size} each.").format(
        fewest=limits.fewest, most=limits.most, types=types, size=size
    )


def file_size(size: float) -> str:
    """A file size in bytes as people read it."""
    if size < BYTES_PER_MB:
        return _("{size} kB").format(size=max(1, round(size / 1024)))
    return _("{size} MB").format(size=f"{size / BYTES_PER_MB:.1f}")


def choices_in_words(item: Choice) -> str:
    """How many options may be chosen; empty for one."""
    most = max_choices(item)
    if most == 1:
        return ""
    if most >= len(item.options):
        return _("Choose all that apply.")
    return _("Choose up to {count}.").format(count=most)


def limits_in_words(limits: TextLimits) -> str:
    """Which numbers, or how many characters; empty when anything goes."""
    if isinstance(limits, NumberLimits):
        return _range_in_words(limits)
    if limits.most is not None and limits.least > 1:
        return _("{least} to {most} characters.").format(least=limits.least, most=limits.most)
    if limits.most is not None:
        return ngettext("At most {most} character.", "At most {most} characters.", limits.most).format(
            most=limits.most
        )
    return _("At least {least} characters.").format(least=limits.least) if limits.least > 1 else ""


def _range_in_words(limits: NumberLimits) -> str:
    if limits.least is not None and limits.most is not None:
        return _("A number from {least} to {most}.").format(least=limits.least, most=limits.most)
    if limits.least is not None:
        return _("A number, {least} or more.").format(least=limits.least)
    if limits.most is not None:
        return _("A number, {most} or less.").format(most=limits.most)
    return _("A number.")


def used_in_words(item: Instruction, fields: Mapping[str, Sequence[str]], name: str) -> str:
    """How much of its limit an answer has used; empty where nothing is counted.

    `fields` are those of `layout.forms`, `name` the one of the item.
    """
    given = fields.get(name, ())
    if isinstance(item, Choice) and 1 < max_choices(item) < len(item.options):
        return _("{count} of {limit} chosen").format(count=len(given), limit=max_choices(item))
    limits = text_limits(item.attributes) if isinstance(item, FreeText) else None
    if isinstance(limits, LengthLimits) and limits.most is not None:
        count = len(next(iter(given), ""))
        return _("{count} of {most} characters").format(count=count, most=limits.most)
    return ""


def faults_in_words(count: int) -> str:
    """The heading above the problems of a page: how many answers are not accepted yet."""
    return faults_template(count).format(count=count)


def faults_template(count: int) -> str:
    """The same with a placeholder for the number."""
    return ngettext("{count} answer needs another look", "{count} answers need another look", count)


def unit_limits_in_words(item: FreeTextWithUnit, limits: Sequence[TextLimits]) -> str:
    """One sentence when all units ask the same, else one for each unit that asks something."""
    sentences = [limits_in_words(limit) for limit in limits]
    if len(set(sentences)) == 1:
        return sentences[0]
    return " ".join(
        _("{unit}: {limits}").format(unit=label_of(unit), limits=sentence)
        for unit, sentence in zip(item.units, sentences, strict=True)
        if sentence
    )


def label_of(option: JsonObject) -> str:
    """What an option or unit is called; its value when it has no label."""
    return text_of(option, "label") or as_text(option.get("value"))


def text_of(option: JsonObject, name: str) -> str:
    """A text attribute of an option, empty when it is absent or no text."""
    value = option.get(name)
    return value if isinstance(value, str) else ""
