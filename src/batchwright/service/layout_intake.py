"""Layouts as they are taken in: checked, given ids, Markdown turned into HTML (wire.md 2.3 and 6)."""

from batchwright.base.json_values import DEEPEST_WRAPPED, Json, is_array, parse, to_json
from batchwright.layout.ids import assign_ids
from batchwright.layout.rules.problems import Fields, Problem, RejectionStatus, SchemaUnavailable
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.stored_form import as_stored
from batchwright.layout.validator import check_json
from batchwright.service.http.responses import InvalidLayout, bad_request
from batchwright.service.store.batches import BatchItems
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.ids import new_id
from batchwright.service.stored_layouts import ids_in, layout_of
from batchwright.wire.errors import ItemProblem


def validate_and_assign_ids(given: Json, fields: Fields, before: BatchItems) -> BatchItems:
    """The layout of a request as it is stored; ids of the layout `before` it are kept (Batches rule 2).

    Raises:
        HttpError: the shape or the ids are wrong (400).
        InvalidLayout: items are wrong (422).
    """
    if given is None:
        return None
    known = ids_in(before)
    _refuse(check_json(given, fields, known))
    layout = read(given if is_array(given) else (), sequential_keys())
    return to_json(assign_ids(as_stored(layout), known, new_id))


def check_stored(items: BatchItems, fields: Fields) -> None:
    """Check a layout that is already stored against another dataset.

    Raises:
        InvalidLayout: its fields do not fit (422).
    """
    if items is not None:
        _refuse(check_json(parse(items, DEEPEST_WRAPPED), fields, ids_in(items)))


def with_new_ids(items: BatchItems) -> BatchItems:
    """A stored layout for another batch: every id is a new one."""
    return None if items is None else to_json(assign_ids(layout_of(items), (), new_id))


def fields_of(dataset: StoredDataset | None) -> Fields:
    """The fields a layout may refer to; none without a V4 dataset that has a schema (batch_items rule 3)."""
    if dataset is None or not dataset.is_v4 or dataset.schema is None:
        return SchemaUnavailable.NONE
    return dataset.schema


def describe_problem(problem: ItemProblem) -> str:
    """A problem with its place, counted from 1."""
    place = problem.path.label
    return f"{place}: {problem.message}" if place else problem.message


def _refuse(problems: list[Problem]) -> None:
    shape = [problem for problem in problems if problem.rejection is RejectionStatus.SHAPE]
    if shape:
        raise bad_request({"batch_items": [describe_problem(problem) for problem in shape]})
    refused = [problem for problem in problems if problem.rejection is RejectionStatus.ITEM]
    if refused:
        raise InvalidLayout(refused)
