"""The content that a service last returned for a batch or collection, stored in the study.

With it, changes that others have made there can be told apart from those of the study, and both can be
merged. It is stored in the study file, next to the digests (`local.projects.LastSent`), so that it always
belongs to them, also in a copy of the study on another computer. It is compressed; a study whose content is
longer than `_MAX_LENGTH` then has none, and cannot be merged.
"""

import base64
import zlib
from binascii import Error
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batchwright.base.json_values import (
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    JsonObject,
    is_array,
    is_object,
    json_equal,
    parse,
    to_json,
)
from batchwright.client.resource_content import Resource, content_of, layout_of, pages_of
from batchwright.layout.ids import id_of
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout
from batchwright.layout.stored_form import comparable
from batchwright.local.projects import LastSent

_MAX_LENGTH = 1_000_000
"""Maximum length in characters of the stored text."""
_MAX_JSON = 64_000_000
"""Maximum length in bytes of the decompressed text."""


@dataclass(frozen=True)
class SentContent:
    """Name, task details and layout of a batch or collection, as the service returned them."""

    name: str
    details: tuple[str, str, str]
    """Task name, introduction and steps."""
    dataset_ids: tuple[str, ...]
    pages: Sequence[Json]
    """`batch_items` or `collection_items`, with ids."""
    sources: Mapping[str, JsonObject]
    """The attributes that were sent for those items that the service stored in another form, by id."""


def with_resource_content(
    sent: LastSent, resource: Resource, layout: Layout, ids: Mapping[str, str]
) -> LastSent:
    """The record of a batch or collection with its content, if it is the one that the record is about.

    Args:
        sent: the record.
        resource: the batch or collection as the service returned it.
        layout: the layout that was sent.
        ids: the service's ids of its nodes by key.
    """
    content = content_of(resource)
    if content.digest != sent.returned:
        return sent
    value: JsonObject = {
        "name": content.name,
        "details": list(content.details),
        "dataset_ids": list(content.dataset_ids),
        "pages": pages_of(resource),
        "sources": _sources(layout_of(resource), layout, ids),
    }
    packed = base64.b64encode(zlib.compress(to_json(value).encode(), 9)).decode()
    text = packed if len(packed) <= _MAX_LENGTH else ""
    return LastSent(sent.sent, sent.returned, sent.at, text)


def sent_content(sent: LastSent | None) -> SentContent | None:
    """The content in a record; None if it has none, or if the text is damaged."""
    if sent is None or not sent.content:
        return None
    try:
        decompressor = zlib.decompressobj()
        text = decompressor.decompress(base64.b64decode(sent.content, validate=True), _MAX_JSON)
        value = parse(text, DEEPEST_WRAPPED)
    except (Error, zlib.error, InvalidJson, UnicodeDecodeError):
        return None
    return _content(value) if is_object(value) else None


def ids_in(layout: Layout) -> dict[str, str]:
    """The ids with which the nodes of a layout were read, by key."""
    return {node.key: node_id for node in layout.walk_all() if (node_id := id_of(node)) is not None}


def _content(value: JsonObject) -> SentContent | None:
    name, pages, sources = value.get("name"), value.get("pages"), value.get("sources")
    details, dataset_ids = _texts(value.get("details")), _texts(value.get("dataset_ids"))
    if not isinstance(name, str) or not is_array(pages) or not is_object(sources) or len(details) != 3:
        return None
    return SentContent(
        name,
        (details[0], details[1], details[2]),
        dataset_ids,
        pages,
        {node_id: attributes for node_id, attributes in sources.items() if is_object(attributes)},
    )


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if is_array(value) else ()


def _sources(stored: Layout, layout: Layout, ids: Mapping[str, str]) -> JsonObject:
    by_id = {item.key: item.attributes for _path, item in comparable(stored, ids_in(stored)).walk()}
    return {
        item.key: item.attributes
        for _path, item in comparable(layout, ids).walk()
        if isinstance(item, Item) and item.key in by_id and not json_equal(item.attributes, by_id[item.key])
    }
