"""Drawing a random answer that keeps to every limit of its item (wire.md 6, 6.1).

The same item and the same state of the random source give the same answer on every computer.
"""

import math
import mimetypes
from random import Random

from batchwright.base.json_values import Json
from batchwright.layout.answer_constraints import (
    ANY_TEXT,
    BYTES_PER_MB,
    FileLimits,
    LengthLimits,
    NumberLimits,
    TextLimits,
    file_limits,
    is_exclusive,
    max_choices,
    text_limits,
)
from batchwright.layout.answers.files import Answer, GeneratedFile
from batchwright.layout.model import (
    Choice,
    FileUpload,
    FreeText,
    FreeTextWithUnit,
    Instruction,
    MultipleChoiceWithFreeText,
)

_WORDS = (
    "clear",
    "short",
    "helpful",
    "polite",
    "exact",
    "warm",
    "answer",
    "reason",
    "example",
    "tone",
    "step",
)

_NUMBERS_AROUND = 100
"""How far from its only bound, or from zero, a number is drawn."""

_EXTRA_CHARACTERS = 60
_EXTRA_FILES = 2

# Without the files of the operating system, so that every computer draws the same.
_CONTENT_TYPES = mimetypes.MimeTypes()


def random_answer(item: Instruction, random: Random) -> Answer:
    """A random answer that `faults` finds nothing wrong with, for an item that the rules pass.

    Files are `GeneratedFile`s, still to be sent. A question that allows no character has no answer (an
    empty list). For an item that cannot be answered (no options, say) the list is empty, too.
    """
    match item:
        case FreeText():
            typed = _text(text_limits(item.attributes), random)
            return [{"value": typed}] if typed else []
        case FreeTextWithUnit():
            return _with_unit(item, random)
        case Choice():
            return _choice(item, random)
        case FileUpload():
            return _files(file_limits(item), random)
    return []


def _with_unit(item: FreeTextWithUnit, random: Random) -> Answer:
    if not item.units:
        return []
    unit = random.choice(item.units)
    limits = text_limits(unit)
    typed = _text(limits, random) if limits != ANY_TEXT else str(random.randint(0, _NUMBERS_AROUND))
    return [{"value": typed, "unit": unit.get("value")}]


def _choice(item: Choice, random: Random) -> Answer:
    if not item.options:
        return []
    first = random.randrange(len(item.options))
    others = [k for k, one in enumerate(item.options) if k != first and not is_exclusive(one)]
    alone = is_exclusive(item.options[first])
    more = 0 if alone else random.randint(0, min(max_choices(item) - 1, len(others)))
    chosen = sorted([first, *random.sample(others, more)])
    entries: Answer = []
    for option in (item.options[k] for k in chosen):
        entry: dict[str, Json] = {"value": option.get("value")}
        if isinstance(item, MultipleChoiceWithFreeText):
            entry["explanation"] = _text(LengthLimits(1, None), random)
        entries.append(entry)
    return entries


def _text(limits: TextLimits, random: Random) -> str:
    if isinstance(limits, NumberLimits):
        return _number(limits, random)
    least = max(limits.least, 1)
    most = least + _EXTRA_CHARACTERS if limits.most is None else limits.most
    if most == 0:
        return ""
    length = random.randint(least, min(most, least + _EXTRA_CHARACTERS))
    words = [random.choice(_WORDS)]
    written = len(words[0])
    while written < length:
        words.append(random.choice(_WORDS))
        written += 1 + len(words[-1])
    # A cut may leave a blank at the end, which a person would not type.
    return " ".join(words)[:length].rstrip().ljust(length, ".")


def _number(limits: NumberLimits, random: Random) -> str:
    if limits.least is not None:
        first = math.ceil(limits.least)
    else:
        first = 0 if limits.most is None else math.floor(limits.most) - _NUMBERS_AROUND
    last = first + _NUMBERS_AROUND if limits.most is None else math.floor(limits.most)
    return str(random.randint(first, last)) if first <= last else str(limits.least)


def _files(limits: FileLimits, random: Random) -> Answer:
    most = min(limits.most, limits.fewest + _EXTRA_FILES)
    count = random.randint(limits.fewest, max(most, limits.fewest))
    return [_file(limits, number, random) for number in range(1, count + 1)]


def _file(limits: FileLimits, number: int, random: Random) -> GeneratedFile:
    name = f"file-{number}{random.choice(limits.types)}"
    content = _text(LengthLimits(20, None), random).encode() + b"\n"
    kind = _CONTENT_TYPES.guess_type(name)[0] or "application/octet-stream"
    return GeneratedFile(name, kind, content[: math.floor(limits.size_mb * BYTES_PER_MB)])
