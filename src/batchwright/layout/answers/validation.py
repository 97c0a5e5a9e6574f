"""What is wrong with an answer, in the words that the participant reads (wire.md 6, 6.1, 7.1)."""

from collections.abc import Iterator, Mapping, Sequence

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.layout.answer_constraints import (
    LengthLimits,
    NumberLimits,
    TextLimits,
    file_limits,
    is_exclusive,
    max_choices,
    parse_number,
    text_limits,
)
from batchwright.layout.model import (
    Choice,
    FileUpload,
    FreeText,
    FreeTextWithUnit,
    Instruction,
    MultipleChoiceWithFreeText,
)
from batchwright.layout.option_values import as_text, same_value


def validate_answer(item: Instruction, answer: Json) -> list[str]:
    """A sentence for each thing wrong with an answer; empty when it can be taken.

    Every instruction needs an answer: text that is not blank, at least one option, as many files
    as are asked for. `answer` is the array of wire.md 7.1; anything else is refused, never a crash.
    """
    if not is_array(answer) or not all(isinstance(entry, Mapping) for entry in answer):
        return [_("This answer cannot be read. Please answer again.")]
    entries = [entry for entry in answer if isinstance(entry, Mapping)]
    match item:
        case FreeText():
            return list(_free_text(item, entries))
        case FreeTextWithUnit():
            return list(_with_unit(item, entries))
        case Choice():
            return list(_choice(item, entries))
        case FileUpload():
            return list(_files(item, entries))
    return []


def option_of(options: Sequence[JsonObject], value: Json) -> int | None:
    """The number of the option or unit that stands for a value; None when there is none."""
    return next((k for k, option in enumerate(options) if same_value(option.get("value"), value)), None)


def _free_text(item: FreeText, entries: Sequence[JsonObject]) -> Iterator[str]:
    if len(entries) > 1:
        yield _("Please give one answer.")
        return
    yield from _typed(entries[0].get("value") if entries else "", text_limits(item.attributes))


def _with_unit(item: FreeTextWithUnit, entries: Sequence[JsonObject]) -> Iterator[str]:
    if len(entries) > 1:
        yield _("Please give one answer.")
        return
    entry = entries[0] if entries else {}
    chosen = option_of(item.units, entry.get("unit"))
    yield from _typed(entry.get("value", ""), text_limits({} if chosen is None else item.units[chosen]))
    if chosen is None:
        yield _("Please choose a unit.")


def _typed(value: Json, limits: TextLimits) -> Iterator[str]:
    if not isinstance(value, str):
        yield _("This answer cannot be read. Please answer again.")
    elif isinstance(limits, NumberLimits):
        yield from _number(value, limits)
    elif value.strip() or limits.most != 0:
        yield from _length(value, limits)


def _number(text: str, limits: NumberLimits) -> Iterator[str]:
    if not text.strip():
        yield _("Please answer this question.")
        return
    number = parse_number(text)
    if number is None:
        yield _("Please enter a number, like 12 or 0.5.")
    elif limits.least is not None and number < limits.least:
        yield _("Please enter a number that is at least {least}.").format(least=limits.least)
    elif limits.most is not None and number > limits.most:
        yield _("Please enter a number that is at most {most}.").format(most=limits.most)


def _length(text: str, limits: LengthLimits) -> Iterator[str]:
    if not text.strip():
        yield _("Please answer this question.")
    elif len(text) < limits.least:
        yield ngettext(
            "Please write at least {least} character; there are {count} so far.",
            "Please write at least {least} characters; there are {count} so far.",
            limits.least,
        ).format(least=limits.least, count=len(text))
    elif limits.most is not None and len(text) > limits.most:
        yield ngettext(
            "Please write at most {most} character; there are {count} now.",
            "Please write at most {most} characters; there are {count} now.",
            limits.most,
        ).format(most=limits.most, count=len(text))


def _choice(item: Choice, entries: Sequence[JsonObject]) -> Iterator[str]:
    if not entries:
        yield _("Please choose an option.")
        return
    numbers = [option_of(item.options, entry.get("value")) for entry in entries]
    chosen = [number for number in numbers if number is not None]
    if len(chosen) < len(numbers):
        yield _("One of the chosen options is not offered here. Please choose again.")
    if len(set(chosen)) < len(chosen):
        yield _("An option was chosen twice. Please choose again.")
    if len(entries) > max_choices(item):
        yield ngettext(
            "Please choose only {limit} option.", "Please choose at most {limit} options.", max_choices(item)
        ).format(limit=max_choices(item))
    for option in (item.options[number] for number in sorted(set(chosen))):
        if is_exclusive(option) and len(entries) > 1:
            yield _("“{label}” cannot be combined with other options.").format(label=option.get("label", ""))
    if isinstance(item, MultipleChoiceWithFreeText):
        yield from _explanations(item, entries)


def _explanations(item: Choice, entries: Sequence[JsonObject]) -> Iterator[str]:
    for entry in entries:
        number = option_of(item.options, entry.get("value"))
        explanation = entry.get("explanation")
        if number is not None and not (isinstance(explanation, str) and explanation.strip()):
            label = item.options[number].get("label", "")
            yield _("Please explain your choice of “{label}”.").format(label=label)


def _files(item: FileUpload, entries: Sequence[JsonObject]) -> Iterator[str]:
    limits = file_limits(item)
    if len(entries) < limits.fewest:
        yield ngettext(
            "Please add at least {fewest} file.", "Please add at least {fewest} files.", limits.fewest
        ).format(fewest=limits.fewest)
    if len(entries) > limits.most:
        yield ngettext(
            "Please add no more than {most} file.", "Please add no more than {most} files.", limits.most
        ).format(most=limits.most)
    for entry in entries:
        name, size = as_text(entry.get("file_name")), entry.get("file_size_mb")
        if not name.casefold().endswith(tuple(one.casefold() for one in limits.types)):
            yield _("“{name}” is not of an accepted type ({types}).").format(
                name=name, types=", ".join(limits.types)
            )
        if isinstance(size, bool) or not isinstance(size, int | float):
            yield _("The size of “{name}” is not known. Please add the file again.").format(name=name)
        elif size > limits.size_mb:
            yield _("“{name}” is larger than {size} MB.").format(name=name, size=f"{limits.size_mb:g}")
