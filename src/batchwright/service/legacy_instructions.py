"""Instructions of batches without a layout: validating them, and the page that participants see.

Validating: an instruction follows the rules for the same item in a layout. There are two more: only
instructions may be sent, and option values are strings (specification, Instructions).

Showing: such a batch shows each datapoint except its hidden fields, then all instructions. Its setup creates
a layout of one page from them, so that tasks, answers and the report know only one kind of batch.
"""

from collections.abc import Container, Iterator, Mapping, Sequence

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST, Json, JsonObject, is_array, is_object, to_json, too_deep
from batchwright.layout.item_types.registry import ITEM_TYPES, Choice
from batchwright.layout.rules.problems import SchemaUnavailable
from batchwright.layout.validator import check_json
from batchwright.schema.model import Schema
from batchwright.service.store import instructions
from batchwright.service.store.batches import BatchItems, StoredBatch
from batchwright.service.store.ids import new_id
from batchwright.service.store.instructions import StoredInstruction
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
        problem.message for problem in check_json([page], SchemaUnavailable.NONE, None) if problem.rejection
    )
    if issubclass(ITEM_TYPES[entry.type], Choice) and not _values_are_texts(said.get("options")):
        yield _("The value of each option must be a text.")


def _values_are_texts(options: Json) -> bool:
    """Whether every value that there is is a text; options that are none are told of otherwise."""
    if not is_array(options):
        return True
    values = [option["value"] for option in options if is_object(option) and "value" in option]
    return all(isinstance(value, str) for value in values)


def participant_layout(connection: Connection, batch: StoredBatch, schema: Schema | None) -> BatchItems:
    """The layout that tasks of a batch show: its own, or the one page of a legacy batch.

    None when there is nothing to ask: no layout, and no instructions.
    """
    if batch.batch_items is not None:
        return batch.batch_items
    asked = instructions.of_batch(connection, batch.number)
    if not asked:
        return None
    shown = [] if schema is None else [key for key, field in schema.fields.items() if field.type.referable]
    items = [{"id": new_id(), "type": "dataset_field", "field": key} for key in shown]
    return to_json([_with_id({"rows": [_row(item) for item in [*items, *map(_item, asked)]]})])


def _item(instruction: StoredInstruction) -> JsonObject:
    return {"id": instruction.id, **instruction.content}


def _row(item: JsonObject) -> Json:
    return _with_id({"columns": [_with_id({"items": [item]})]})


def _with_id(entry: Mapping[str, Json]) -> JsonObject:
    return {"id": new_id(), **entry}
