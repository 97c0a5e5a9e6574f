"""Validates the layout of a request, assigns ids, and converts Markdown to HTML (wire reference, 2.3 and 6).

Handlers do this before their write transaction (`Precomputed`), so that no request delays another. The
limits on values, characters and nesting are in `base.limits`, shared with the client: a layout that the
editor accepts is not rejected here.
"""

from batchwright.base.json_values import DEEPEST_WRAPPED, Json, is_array, parse, to_json
from batchwright.layout.checking.validator import check_json
from batchwright.layout.ids import assign_ids
from batchwright.layout.rules.problems import Fields, Problem, RejectionStatus, SchemaUnavailable
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.stored_form import as_stored
from batchwright.service.http.responses import InvalidLayout, bad_request
from batchwright.service.store.batches import BatchItems
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.ids import new_id
from batchwright.service.stored_layouts import ids_in, layout_of
from batchwright.wire.errors import RejectedItem


def validate_and_assign_ids(batch_items: Json, fields: Fields, before: BatchItems) -> BatchItems:
    """The layout of a request as it is stored; ids of the stored layout `before` it stay (Batches rule 2).

    Raises:
        HttpError: the structure or the ids are not valid (400).
        InvalidLayout: items are not valid (422).
    """
    if batch_items is None:
        return None
    known_ids = ids_in(before)
    _reject(check_json(batch_items, fields, known_ids))
    layout = read(batch_items if is_array(batch_items) else (), sequential_keys())
    return to_json(assign_ids(as_stored(layout), known_ids, new_id))


def check_stored(items: BatchItems, fields: Fields) -> None:
    """Check a stored layout against another dataset.

    Raises:
        InvalidLayout: it refers to fields that the dataset does not have (422).
    """
    if items is not None:
        _reject(check_json(parse(items, DEEPEST_WRAPPED), fields, ids_in(items)))


def with_new_ids(items: BatchItems) -> BatchItems:
    """A copy of a stored layout with new ids, for another batch."""
    return None if items is None else to_json(assign_ids(layout_of(items), (), new_id))


def fields_of(dataset: StoredDataset | None) -> Fields:
    """The fields a layout may refer to: those of a V4 dataset with a schema (batch_items rule 3)."""
    if dataset is None or not dataset.is_v4 or dataset.schema is None:
        return SchemaUnavailable.NONE
    return dataset.schema


def describe_problem(problem: RejectedItem) -> str:
    """The message of a problem after its position, such as page and item counted from 1."""
    position = problem.path.label
    return f"{position}: {problem.message}" if position else problem.message


def _reject(problems: list[Problem]) -> None:
    shape_problems = [problem for problem in problems if problem.rejection is RejectionStatus.SHAPE]
    if shape_problems:
        raise bad_request({"batch_items": [describe_problem(problem) for problem in shape_problems]})
    item_problems = [problem for problem in problems if problem.rejection is RejectionStatus.ITEM]
    if item_problems:
        raise InvalidLayout(item_problems)
