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
from batchwright.base.local_formats import joined
from batchwright.layout.checking.validator import check_json
from batchwright.layout.item_types.registry import ITEM_TYPES, Choice
from batchwright.layout.rules.problems import SchemaUnavailable
from batchwright.schema.model import Schema
from batchwright.service.store import instructions
from batchwright.service.store.batches import BatchItems, StoredBatch
from batchwright.service.store.ids import new_id
from batchwright.service.store.instructions import StoredInstruction
from batchwright.wire.instructions import InstructionEntry

TYPES = tuple(name for name, kind in ITEM_TYPES.items() if kind.is_instruction)
"""The types that an instruction may have."""


def validate_entries(entries: Sequence[InstructionEntry]) -> Iterator[str]:
    """A message for each error of the entries except their ids, starting with the number of the entry."""
    for number, entry in enumerate(entries, start=1):
        for message in _errors_in(entry):
            yield _("Instruction {number}: {message}").format(number=number, message=message)


def invalid_ids(entries: Sequence[InstructionEntry], known_ids: Container[str]) -> Iterator[str]:
    """A message for each id that is unknown to the batch or used twice."""
    used: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        if entry.id is None:
            continue
        if entry.id.lower() not in known_ids:
            yield _("Instruction {number}: the batch has no instruction with this id.").format(number=number)
        elif entry.id.lower() in used:
            yield _("Instruction {number}: this id is used twice.").format(number=number)
        used.add(entry.id.lower())


def _errors_in(entry: InstructionEntry) -> Iterator[str]:
    if entry.type not in TYPES:
        yield _("The type must be one of {types}.").format(types=joined(TYPES))
        return
    attributes = entry.item
    if too_deep(attributes, DEEPEST):
        yield _("It is nested more than {most} levels deep.").format(most=DEEPEST)
        return
    page: Json = {"rows": [{"columns": [{"items": [attributes]}]}]}
    yield from (
        problem.message for problem in check_json([page], SchemaUnavailable.NONE, None) if problem.rejection
    )
    if issubclass(ITEM_TYPES[entry.type], Choice) and not _values_are_texts(attributes.get("options")):
        yield _("The value of each option must be a string.")


def _values_are_texts(options: Json) -> bool:
    """Whether every option value is a string; options that are not objects are reported by the rules."""
    if not is_array(options):
        return True
    values = [option["value"] for option in options if is_object(option) and "value" in option]
    return all(isinstance(value, str) for value in values)


def participant_layout(connection: Connection, batch: StoredBatch, schema: Schema | None) -> BatchItems:
    """The layout that the tasks of a batch show: its own, or one page created for a legacy batch.

    None if the batch has neither a layout nor instructions.
    """
    if batch.batch_items is not None:
        return batch.batch_items
    stored = instructions.of_batch(connection, batch.row_id)
    if not stored:
        return None
    keys = [] if schema is None else [key for key, field in schema.fields.items() if field.type.referable]
    items = [{"id": new_id(), "type": "dataset_field", "field": key} for key in keys]
    return to_json([_with_id({"rows": [_row(item) for item in [*items, *map(_item, stored)]]})])


def _item(instruction: StoredInstruction) -> JsonObject:
    return {"id": instruction.id, **instruction.content}


def _row(item: JsonObject) -> Json:
    return _with_id({"columns": [_with_id({"items": [item]})]})


def _with_id(entry: Mapping[str, Json]) -> JsonObject:
    return {"id": new_id(), **entry}
