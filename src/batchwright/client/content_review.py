"""What an update would change at the service, and the merge of a study with changes made by others.

The versions of a batch are compared in the form in which the service stores them: with Markdown as HTML and
without default values, so that nothing is reported that an update leaves as it is. Nodes are identified by
the ids of the service.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from batchwright.base.json_values import Json, JsonObject, json_equal
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.collection_content import DesiredCollection
from batchwright.client.published_content import details_of
from batchwright.client.resource_content import Resource, content_of, pages_of
from batchwright.client.sent_content import SentContent, ids_in, sent_content
from batchwright.layout.collection_pages import items_of as page_items
from batchwright.layout.collection_pages import layout_from_collection
from batchwright.layout.comparing.comparison import Change, LayoutComparison, compare_layouts
from batchwright.layout.comparing.merge import (
    Choices,
    Merge,
    MergeConflict,
    MergeSide,
    has_same_attributes,
    merge_layouts,
)
from batchwright.layout.item_types.base import Instruction, Item
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import InvalidNode, Level, Node
from batchwright.layout.serialization import random_keys, read, sequential_keys
from batchwright.layout.stored_form import as_stored, canonical, comparable
from batchwright.local.projects import LastSent
from batchwright.wire.base import to_payload
from batchwright.wire.batches import TaskDetails
from batchwright.wire.collections import Collection
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite

DesiredResource: TypeAlias = DesiredBatch | DesiredCollection
"""What a study defines."""

_NEW_KEY = "new "
"""The prefix of keys of nodes without an id."""


class DetailTexts(NamedTuple):
    """The texts of a batch or collection besides its layout."""

    name: str
    task_name: str = ""
    task_introduction: str = ""
    task_steps: str = ""


_NO_TEXTS = DetailTexts("")
HTML_TEXTS = frozenset({"task_introduction", "task_steps"})
"""The names of the texts that may contain HTML."""


@dataclass(frozen=True)
class TextChange:
    """A text besides the layout that differs; `attribute` is one of `DetailTexts`."""

    attribute: str
    before: str
    after: str


@dataclass(frozen=True)
class ContentReview:
    """The changes from one version of a batch, a collection or instructions to another."""

    layout: LayoutComparison
    affected_instructions: frozenset[str]
    """The ids of the instructions that are removed, or whose attributes are changed."""
    texts: tuple[TextChange, ...] = ()
    datasets: tuple[str, str] | None = None
    """The ids of the earlier and the later dataset, if they differ; empty for none."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        return self.layout.is_equal and not self.texts and self.datasets is None

    @property
    def changes_tasks(self) -> bool:
        """Whether tasks that are created afterwards differ from those created before."""
        return not self.layout.is_equal or self.datasets is not None

    @property
    def unchanged_items(self) -> int:
        """The number of items that stay as they are."""
        return self.layout.count(Level.ITEM, Change.UNCHANGED)


@dataclass(frozen=True)
class ContentVersion:
    """One version of a batch: its layout (`stored_form.comparable`), texts and datasets."""

    layout: Layout
    texts: DetailTexts
    dataset_ids: tuple[str, ...] = ()


def review_versions(before: ContentVersion, after: ContentVersion) -> ContentReview:
    """Determine the changes from one version to another."""
    texts = tuple(
        TextChange(attribute, old, new)
        for attribute, old, new in zip(DetailTexts._fields, before.texts, after.texts, strict=True)
        if old != new
    )
    datasets = tuple(", ".join(version.dataset_ids) for version in (before, after))
    layout = compare_layouts(before.layout, after.layout)
    affected = layout.at_level(Level.ITEM, Change.REMOVED, Change.CHANGED)
    return ContentReview(
        layout,
        frozenset(node.key for node in affected if isinstance(node.before, Instruction)),
        texts,
        None if datasets[0] == datasets[1] else (datasets[0], datasets[1]),
    )


DATASET = "dataset"
"""The name of the conflict about the dataset, beside the names of the texts."""


@dataclass(frozen=True)
class TextConflict:
    """A text besides the layout, or the dataset, that both sides have changed differently."""

    attribute: str
    mine: str
    theirs: str


@dataclass(frozen=True)
class MergedContent:
    """The content that a study gets from a merge; `ids` are the service's ids of nodes by key."""

    name: str
    details: TaskDetails
    layout: Layout
    ids: Mapping[str, str]
    dataset_ids: tuple[str, ...] = ()
    conflicts: tuple[MergeConflict, ...] = ()
    text_conflicts: tuple[TextConflict, ...] = ()


@dataclass(frozen=True)
class PageFormat:
    """How a kind of resource writes its pages."""

    read: Callable[[Iterable[Json], Iterator[str]], Layout]
    """Reads the pages of a response; nodes get keys in reading order."""
    has_rows: bool
    """Whether rows and columns have ids; otherwise each item is in a row of its own."""


BATCH_PAGES = PageFormat(read, has_rows=True)
COLLECTION_PAGES = PageFormat(layout_from_collection, has_rows=False)
INSTRUCTIONS = PageFormat(read, has_rows=False)
"""The instructions of a legacy batch, as the items of one page."""


@dataclass(frozen=True)
class DesiredContent:
    """What a study defines: its layout, texts and datasets, and the service's ids of nodes by key."""

    layout: Layout
    texts: DetailTexts
    dataset_ids: tuple[str, ...]
    ids: Mapping[str, str]


class Versions:
    """The version at the service, that of the study, and what both are derived from, if that is known.

    Creating one takes long for a long layout.

    Args:
        pages: the pages as the service has them now, with ids.
        texts: the other texts at the service.
        dataset_ids: the datasets at the service.
        desired: what the study defines.
        last: the content that the study last sent; None if it is not known.
        page_format: how the pages are written.
    """

    def __init__(
        self,
        pages: Sequence[Json],
        texts: DetailTexts,
        dataset_ids: tuple[str, ...],
        desired: DesiredContent,
        last: SentContent | None,
        page_format: PageFormat,
    ) -> None:
        self._desired, self._format = desired, page_format
        self.theirs = ContentVersion(self._read(pages), texts, dataset_ids)
        """The version of the service."""
        self.base = None if last is None else self._base(last)
        """The version that the study last sent."""
        existing_ids = {node.key for node in self.theirs.layout.walk_all()}
        if self.base is not None:
            existing_ids.update(node.key for node in self.base.layout.walk_all())
        self._ids = {key: node_id for key, node_id in desired.ids.items() if node_id in existing_ids}
        stored = comparable(as_stored(desired.layout), self._ids)
        if last is not None and self.base is not None:
            as_written = comparable(desired.layout, self._ids)
            stored = _with_stored_sources(stored, as_written, last, self.base)
        self.mine = ContentVersion(self._arranged(stored), desired.texts, desired.dataset_ids)
        """The version of the study."""

    @property
    def review(self) -> ContentReview:
        """What an update changes."""
        return review_versions(self.theirs, self.mine)

    @property
    def their_changes(self) -> ContentReview | None:
        """What others have changed since the study last sent the batch; None if that is not known."""
        return None if self.base is None else review_versions(self.base, self.theirs)

    def merge(
        self, choices: Choices | None = None, text_choices: Mapping[str, MergeSide] | None = None
    ) -> MergedContent | None:
        """Merge both versions; conflicts without a choice have my side. None without a common version."""
        if self.base is None:
            return None
        merge = merge_layouts(self.base.layout, self.mine.layout, self.theirs.layout, choices)
        texts, conflicts = _merged_texts(self.base, self.mine, self.theirs, text_choices or {})
        dataset_ids, dataset_conflicts = _merged_datasets(
            self.base, self.mine, self.theirs, text_choices or {}
        )
        merged = self._as_study(merge, texts, dataset_ids)
        return replace(merged, conflicts=merge.conflicts, text_conflicts=conflicts + dataset_conflicts)

    def adopt_theirs(self) -> MergedContent:
        """The content of the service for the study, whose nodes keep their keys and Markdown."""
        return self._as_study(Merge(self.theirs.layout, ()), self.theirs.texts, self.theirs.dataset_ids)

    def _read(self, pages: Iterable[Json]) -> Layout:
        layout = self._format.read(pages, (f"{_NEW_KEY}{key}" for key in random_keys()))
        return self._arranged(comparable(layout, ids_in(layout)))

    def _base(self, last: SentContent) -> ContentVersion:
        return ContentVersion(self._read(last.pages), DetailTexts(last.name, *last.details), last.dataset_ids)

    def _arranged(self, layout: Layout) -> Layout:
        """The layout; without ids of rows, each item is in a row that is identified by the item."""
        if self._format.has_rows:
            return layout
        return layout.with_children([_with_row_for_each_item(page) for page in layout.pages])

    def _as_study(self, merge: Merge, texts: DetailTexts, dataset_ids: tuple[str, ...]) -> MergedContent:
        keys = {node_id: key for key, node_id in self._desired.ids.items()}
        own_keys = {node.key for node in self._desired.layout.walk_all()}
        keys.update((node_id, key) for key, node_id in self._desired.ids.items() if key in own_keys)
        mine = {node.key: node for node in self.mine.layout.walk_all()}
        sources = {self._ids.get(node.key, node.key): node for node in self._desired.layout.walk_all()}
        existing_ids = {node.key for node in self.theirs.layout.walk_all()}
        new_keys, ids = random_keys(), dict(self._desired.ids)

        def converted(node: Node) -> Node:
            key = keys.get(node.key)
            if key is None:
                key = node.key if node.key in own_keys else next(new_keys)
            if node.key in existing_ids:
                ids[key] = node.key
            is_mine = node.key in mine and has_same_attributes(node, mine[node.key])
            source = sources.get(node.key, node) if is_mine else node
            children = [converted(child) for child in node.children]
            own = replace(source, key=key)
            return own if isinstance(own, InvalidNode) else own.with_children(children)

        layout = Layout().with_children([converted(page) for page in merge.layout.pages])
        return MergedContent(
            texts.name,
            TaskDetails(
                task_name=texts.task_name,
                task_introduction=texts.task_introduction,
                task_steps=texts.task_steps,
            ),
            layout,
            ids,
            dataset_ids,
        )


def _with_stored_sources(
    stored: Layout, as_written: Layout, last: SentContent, base: ContentVersion
) -> Layout:
    """The layout with those items as the service returned them that are as they were last sent.

    A service may render Markdown in another way than `stored_form.as_stored`.
    """
    returned = {item.key: item.attributes for _path, item in base.layout.walk()}
    unchanged: dict[str, JsonObject] = {
        item.key: returned[item.key]
        for _path, item in as_written.walk()
        if item.key in last.sources
        and item.key in returned
        and json_equal(item.attributes, last.sources[item.key])
    }

    def replaced(node: Node) -> Node:
        if isinstance(node, Item):
            return replace(node, attributes=unchanged.get(node.key, node.attributes))
        return node.with_children([replaced(child) for child in node.children])

    return stored.with_children([replaced(page) for page in stored.pages]) if unchanged else stored


def _merged_texts(
    base: ContentVersion, mine: ContentVersion, theirs: ContentVersion, choices: Mapping[str, MergeSide]
) -> tuple[DetailTexts, tuple[TextConflict, ...]]:
    texts: list[str] = []
    conflicts: list[TextConflict] = []
    versions = base.texts, mine.texts, theirs.texts
    for attribute, old, my_text, their_text in zip(DetailTexts._fields, *versions, strict=True):
        is_conflict = old not in (my_text, their_text) and my_text != their_text
        if is_conflict:
            conflicts.append(TextConflict(attribute, my_text, their_text))
        uses_theirs = choices.get(attribute) is MergeSide.THEIRS if is_conflict else my_text == old
        texts.append(their_text if uses_theirs else my_text)
    return DetailTexts(*texts), tuple(conflicts)


def _merged_datasets(
    base: ContentVersion, mine: ContentVersion, theirs: ContentVersion, choices: Mapping[str, MergeSide]
) -> tuple[tuple[str, ...], tuple[TextConflict, ...]]:
    old, my_ids, their_ids = base.dataset_ids, mine.dataset_ids, theirs.dataset_ids
    if old in (my_ids, their_ids) or my_ids == their_ids:
        return their_ids if my_ids == old else my_ids, ()
    conflict = TextConflict(DATASET, ", ".join(my_ids), ", ".join(their_ids))
    return their_ids if choices.get(DATASET) is MergeSide.THEIRS else my_ids, (conflict,)


def versions_of(resource: Resource, desired: DesiredResource, last: LastSent | None) -> Versions:
    """The versions of a batch or collection; `last` is the record of what the study last sent to it."""
    content = content_of(resource)
    texts = DetailTexts(desired.name, *details_of(desired.details))
    return Versions(
        pages_of(resource),
        DetailTexts(content.name, *content.details),
        content.dataset_ids,
        DesiredContent(desired.layout, texts, desired.dataset_ids, desired.ids),
        sent_content(last),
        COLLECTION_PAGES if isinstance(resource, Collection) else BATCH_PAGES,
    )


def with_content(desired: DesiredResource, content: MergedContent) -> DesiredResource:
    """What a study defines once it has the merged content."""
    changed = replace(
        desired, name=content.name, details=content.details, layout=content.layout, ids=content.ids
    )
    if isinstance(changed, DesiredBatch):
        return replace(changed, dataset_id=next(iter(content.dataset_ids), None))
    return changed


def review_instructions(before: Sequence[InstructionRecord], after: InstructionsWrite) -> ContentReview:
    """Determine what replacing the instructions of a legacy batch changes; they are items of one page."""
    return instruction_versions(before, after, before).review


def instruction_versions(
    current: Sequence[InstructionRecord], edited: InstructionsWrite, base: Sequence[InstructionRecord]
) -> Versions:
    """The versions of the instructions of a legacy batch.

    Args:
        current: the instructions at the service.
        edited: the instructions that the user wants.
        base: the instructions that the user has changed.
    """
    layout = read(_as_pages(entry_items(edited)), random_keys())
    return Versions(
        _as_pages(record.item for record in current),
        _NO_TEXTS,
        (),
        DesiredContent(layout, _NO_TEXTS, (), ids_in(layout)),
        SentContent("", ("", "", ""), (), _as_pages(record.item for record in base), {}),
        INSTRUCTIONS,
    )


def entry_items(instructions: InstructionsWrite) -> list[JsonObject]:
    """The instructions of a request as items of a layout, with their ids."""
    return [to_payload(entry) for entry in instructions.instructions]


def merged_instructions(merged: MergedContent, current: Sequence[InstructionRecord]) -> list[JsonObject]:
    """Merged instructions as items, with the ids that the service still has."""
    existing = {record.id for record in current}
    items: list[JsonObject] = []
    for _path, item in merged.layout.walk():
        attributes = {name: value for name, value in item.attributes.items() if name != "id"}
        id = merged.ids.get(item.key)
        items.append({"id": id, **attributes} if id in existing else attributes)
    return items


def have_same_content(current: Sequence[InstructionRecord], edited: InstructionsWrite) -> bool:
    """Whether a service has the instructions of a request; ids are not compared."""
    pages = _as_pages(record.item for record in current), _as_pages(entry_items(edited))
    first, second = (canonical(read(page, sequential_keys())) for page in pages)
    return first == second


def _as_pages(items: Iterable[JsonObject]) -> list[Json]:
    """A page with an id, so that it is the same page in each version, and with a row for each item."""
    rows: list[Json] = [{"columns": [{"items": [item]}]} for item in items]
    return [{"id": "instructions", "rows": rows}]


def _with_row_for_each_item(page: Node) -> Node:
    if not isinstance(page, Page):
        return page
    rows = [
        Row(f"row {item.key}", {}, (Column(f"column {item.key}", {}, (item,)),))
        for item in page_items(page)
        if isinstance(item, Item | InvalidNode)
    ]
    return page.with_children(rows)
