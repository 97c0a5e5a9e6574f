"""What a service would reject in the pages of a collection as they are written in a file.

The editor assigns order and ids itself, so the rules of layouts do not see them (wire reference, 10.2).
"""

from collections.abc import Iterator

from pydantic import TypeAdapter, ValidationError

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.layout.collection_pages import PAGE_ITEMS
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import Problem, RejectionStatus, Severity
from batchwright.wire.base import JsonArray
from batchwright.wire.collections import PageWrite

ORDER = "CO01"
"""The code of problems with the order of pages and items."""

IDS = "CO02"
"""The code of problems with their ids."""

_PAGES: TypeAdapter[tuple[PageWrite, ...]] = TypeAdapter(JsonArray[PageWrite])


def request_problems(collection_items: Json, *, is_new: bool) -> list[Problem]:
    """The problems with order and ids, in reading order; in a new collection, every id is an error."""
    ids = list(_entries_with_id(collection_items))
    if not is_new:
        return [*_order_problems(collection_items), *_id_hint(len(ids))]
    message = _("The id does not belong to this collection. Remove it to get a new one.")
    foreign = [_error(IDS, path, message) for path in ids]
    return sorted([*_order_problems(collection_items), *foreign], key=lambda problem: _position(problem.path))


def _order_problems(collection_items: Json) -> Iterator[Problem]:
    try:
        _PAGES.validate_python(collection_items)
    except ValidationError as error:
        for details in error.errors(include_url=False, include_input=False):
            place = details["loc"]
            path = NodePath(*(step for step in place[:1] if isinstance(step, int)))
            if len(place) > 2 and isinstance(place[2], int):
                path = path._replace(item=place[2])
            if details["type"] == "no_order":
                message = _("An instruction needs an order. Add “order”, a whole number.")
                yield _error(ORDER, path, message)
            elif place[-1:] == ("order",):
                yield _error(ORDER, path, _("“order” must be a whole number."))


def _id_hint(count: int) -> Iterator[Problem]:
    if count:
        template = ngettext(
            "{count} page or item has an id. Only the collection that it comes from accepts it: remove it"
            " for a new collection.",
            "{count} pages and items have ids. Only the collection that they come from accepts them: remove"
            " them for a new collection.",
            count,
        )
        yield Problem(IDS, NodePath(), Severity.ADVICE, None, template, {"count": count})


def _entries_with_id(collection_items: Json) -> Iterator[NodePath]:
    for page_number, page in enumerate(collection_items if is_array(collection_items) else ()):
        if not is_object(page):
            continue
        if page.get("id") is not None:
            yield NodePath(page_number)
        items = page.get(PAGE_ITEMS)
        for item_number, item in enumerate(items if is_array(items) else ()):
            if is_object(item) and item.get("id") is not None:
                yield NodePath(page_number, item=item_number)


def _error(code: str, path: NodePath, message: str) -> Problem:
    return Problem(code, path, Severity.ERROR, RejectionStatus.SHAPE, message)


def _position(path: NodePath) -> tuple[int, int]:
    return (-1 if path.page is None else path.page, -1 if path.item is None else path.item)
