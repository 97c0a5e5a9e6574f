"""What is wrong with the entries of an instructions request (wire.md 9).

An instruction is judged by the rules for the same item in a layout (wire.md 6); there are two
more for entries: only instructions may be sent, and option values are texts.
"""

from collections.abc import Container, Iterator, Sequence

from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST, Json, is_array, is_object, too_deep
from batchwright.layout.item_types import ITEM_TYPES, Choice
from batchwright.layout.rules.problems import SchemaUnavailable
from batchwright.layout.validator import check_json
from batchwright.wire.instructions import InstructionEntry

TYPES = tuple(name for name, kind in ITEM_TYPES.items() if kind.is_instruction)
"""The types that an instruction may have."""


def validate_entries(entries: Sequence[InstructionEntry]) -> Iterator[str]:
    """A sentence for each fault of the entries, their ids apart, each naming its entry."""
    for number, entry in enumerate(entries, start=1):
        for sentence in _faults_of(entry):
            yield _("Instruction {number}: {sentence}").format(number=number, sentence=sentence)


def wrong_ids(entries: Sequence[InstructionEntry], known: Container[str]) -> Iterator[str]:
    """A sentence for each id that the batch has not, or that stands twice."""
    seen: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        if entry.id is None:
            continue
        if entry.id.lower() not in known:
            yield _("Instruction {number}: the batch has no instruction with this id.").format(number=number)
        elif entry.id.lower() in seen:
            yield _("Instruction {number}: this id stands here twice.").format(number=number)
        seen.add(entry.id.lower())


def _faults_of(entry: InstructionEntry) -> Iterator[str]:
    if entry.type not in TYPES:
        yield _("The type must be one of {types}.").format(types=", ".join(TYPES))
        return
    said = entry.said
    if too_deep(said, DEEPEST):
        yield _("It is nested more than {most} levels deep.").format(most=DEEPEST)
        return
    page: Json = {"rows": [{"columns": [{"items": [said]}]}]}
    yield from (
        problem.sentence for problem in check_json([page], SchemaUnavailable.NONE, None) if problem.refusal
    )
    if issubclass(ITEM_TYPES[entry.type], Choice) and not _values_are_texts(said.get("options")):
        yield _("The value of each option must be a text.")


def _values_are_texts(options: Json) -> bool:
    """Whether every value that there is is a text; options that are none are told of otherwise."""
    if not is_array(options):
        return True
    values = [option["value"] for option in options if is_object(option) and "value" in option]
    return all(isinstance(value, str) for value in values)
