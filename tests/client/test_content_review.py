"""Reviews of updates, and the merge with changes of others: exactly what the service will do is reported."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.client import sent_content as content_module
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.collection_content import DesiredCollection
from batchwright.client.content_review import (
    DATASET,
    ContentReview,
    TextChange,
    review_instructions,
    versions_of,
)
from batchwright.client.published_content import content_sent, record_sent
from batchwright.client.resource_content import content_of, pages_of
from batchwright.client.sent_content import sent_content, with_resource_content
from batchwright.layout.collection_pages import (
    ids_from_collection,
    layout_from_collection,
    to_collection_items,
)
from batchwright.layout.comparing.comparison import Change
from batchwright.layout.comparing.merge import MergeSide
from batchwright.layout.editing.edits import Remove, SetAttributes
from batchwright.layout.ids import assign_ids, collect_ids, ids_from_response, to_request
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, NodePath
from batchwright.layout.serialization import random_keys, read, sequential_keys, write
from batchwright.layout.stored_form import as_stored
from batchwright.local.projects import LastSent
from batchwright.wire.batches import AttachedDataset, Batch, TaskDetails, TaskDetailsResponse
from batchwright.wire.collections import Collection
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from tests.layout.random_layouts import well_formed_pages

DETAILS = TaskDetails(task_name="Compare", task_introduction="Read both.", task_steps="Choose one.")
TEXT = {"type": "rich_text", "content": "**Read** both.", "content_format": "markdown"}
WHY = {"type": "free_text", "description": "Why?"}
WHICH: dict[str, Json] = {
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": 1,
    "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}],
}

_numbers = itertools.count()


def new_id() -> str:
    return f"id {next(_numbers)}"


def page(*items: Any) -> Json:
    return {"rows": [{"columns": [{"items": [item]}]} for item in items]}


def layout_of(*pages: Json) -> Layout:
    return read(pages, random_keys())


def sent(desired: DesiredBatch, before: Batch | None = None) -> Batch:
    """What a service has after it was sent a study: Markdown as HTML, and an id for every node."""
    old_ids = frozenset(collect_ids(stored_layout(before))) if before else frozenset()
    ids = {key: node_id for key, node_id in desired.ids.items() if node_id in old_ids}
    request = read(to_request(desired.layout, ids), sequential_keys())
    return Batch(
        id="b",
        status="READY",
        name=desired.name,
        task_details=TaskDetailsResponse.model_validate(desired.details.model_dump()),
        datasets=(AttachedDataset(id=desired.dataset_id),),
        batch_items=assign_ids(as_stored(request), old_ids, new_id),
    )


def stored_layout(batch: Batch) -> Layout:
    return read(pages_of(batch), sequential_keys())


def last_sent(desired: DesiredBatch, batch: Batch, ids: Mapping[str, str]) -> LastSent:
    """The record of a batch that the service has just returned."""
    record = record_sent(content_sent(desired).digest, content_of(batch))
    return with_resource_content(record, batch, desired.layout, ids)


def review(batch: Batch, desired: DesiredBatch, last: LastSent | None) -> ContentReview:
    return versions_of(batch, desired, last).review


def known(desired: DesiredBatch, batch: Batch) -> tuple[DesiredBatch, LastSent]:
    """The study with the ids of a batch, and what it has recorded of it."""
    ids = ids_from_response(desired.layout, pages_of(batch))
    record = last_sent(desired, batch, ids)
    assert sent_content(record) is not None
    return replace(desired, ids=ids), record


def study(*pages: Json) -> DesiredBatch:
    return DesiredBatch("Cats", DETAILS, layout_of(*pages), "d")


def edited(desired: DesiredBatch, path: NodePath, **attributes: Json) -> DesiredBatch:
    key = desired.layout.at(path).key
    return replace(desired, layout=SetAttributes(key, attributes)(desired.layout))


@given(well_formed_pages())
def test_an_unchanged_study_has_an_empty_review(pages: list[Json]) -> None:
    desired = DesiredBatch("Cats", DETAILS, read(pages, random_keys()), "d")
    batch = sent(desired)
    desired, last = known(desired, batch)
    assert review(batch, desired, last).is_empty
    assert review(batch, desired, None).is_empty


@given(well_formed_pages(), well_formed_pages(), st.randoms(use_true_random=False))
def test_the_service_does_what_the_review_says(
    pages: list[Json],
    more: list[Json],
    random: Random,
) -> None:
    desired = DesiredBatch("Cats", DETAILS, read(pages, random_keys()), "d")
    before = sent(desired)
    desired, last = known(desired, before)
    mixed = [*desired.layout.pages, *read(more, random_keys()).pages]
    random.shuffle(mixed)
    changed = replace(desired, layout=Layout(tuple(mixed[: len(mixed) // 2 + 1])))
    changes = review(before, changed, last)
    after = sent(changed, before)
    old, new = ({*collect_ids(stored_layout(batch))} for batch in (before, after))
    assert {node.key for node in changes.layout.nodes if node.after is None} == old - new
    assert {node.key for node in changes.layout.nodes if node.before and node.after} == old & new
    assert sum(node.before is None for node in changes.layout.nodes) == len(new - old)
    again, last = known(changed, after)
    assert review(after, again, last).is_empty


def test_a_review_has_old_and_new_values_and_names_the_affected_instructions() -> None:
    desired = study(page(TEXT, WHICH), page(WHY))
    batch = sent(desired)
    desired, last = known(desired, batch)
    changed = edited(desired, NodePath(0, 1, 0, 0), description="Which one?")
    changed = replace(
        changed,
        name="Dogs",
        dataset_id="e",
        layout=Layout(
            (*Remove((changed.layout.pages[1].key,))(changed.layout).pages, *layout_of(page(WHY)).pages)
        ),
    )
    changes = review(batch, changed, last)
    (which,) = changes.layout.at_level(Level.ITEM, Change.CHANGED)
    assert [(change.name, change.before, change.after) for change in which.attributes] == [
        ("description", "Which?", "Which one?")
    ]
    (removed,) = changes.layout.at_level(Level.ITEM, Change.REMOVED)
    assert changes.affected_instructions == {which.key, removed.key}
    assert {which.key, removed.key} <= set(collect_ids(stored_layout(batch)))
    assert (changes.unchanged_items, changes.layout.count(Level.ITEM, Change.ADDED)) == (1, 1)
    assert changes.texts == (TextChange("name", "Cats", "Dogs"),)
    assert changes.datasets == ("d", "e")


def rendered_otherwise(pages: Sequence[Json]) -> Json:
    """The pages of a service that renders Markdown in its own way."""

    def converted(value: Json) -> Json:
        if isinstance(value, dict):
            if value.get("type") == "rich_text":
                return {**value, "content": "<div>otherwise</div>"}
            return {name: converted(inner) for name, inner in value.items()}
        return [converted(inner) for inner in value] if isinstance(value, list) else value

    return converted(list(pages))


def test_markdown_that_a_service_renders_in_its_own_way_is_not_reported_as_changed() -> None:
    desired = study(page(TEXT, WHY))
    batch = sent(desired)
    batch = batch.model_copy(update={"batch_items": rendered_otherwise(pages_of(batch))})
    desired, last = known(desired, batch)
    assert review(batch, desired, last).is_empty
    changed = edited(desired, NodePath(0, 0, 0, 0), content="**Compare** both.")
    assert review(batch, changed, last).layout.count(Level.ITEM, Change.CHANGED) == 1


def test_changes_of_both_sides_are_combined_and_markdown_stays_markdown() -> None:
    desired = study(page(TEXT, WHICH, WHY))
    batch = sent(desired)
    mine, last = known(desired, batch)
    theirs = sent(replace(edited(mine, NodePath(0, 2, 0, 0), description="Why not?"), name="Dogs"), batch)
    mine = edited(mine, NodePath(0, 1, 0, 0), description="Which one?")
    versions = versions_of(theirs, mine, last)
    changes = versions.their_changes
    assert changes is not None
    assert changes.layout.count(Level.ITEM, Change.CHANGED) == 1
    merged = versions.merge()
    assert merged is not None
    assert (merged.name, merged.conflicts, merged.text_conflicts) == ("Dogs", (), ())
    items = [item for _path, item in merged.layout.walk()]
    assert [item.attributes.get("content") or item.text("description") for item in items] == [
        "**Read** both.",
        "Which one?",
        "Why not?",
    ]
    assert [node.key for node in merged.layout.walk_all()] == [node.key for node in mine.layout.walk_all()]


def test_two_texts_for_one_question_and_two_names_are_decided_by_side() -> None:
    desired = study(page(WHY))
    batch = sent(desired)
    mine, last = known(desired, batch)
    theirs = sent(replace(edited(mine, NodePath(0, 0, 0, 0), description="Theirs?"), name="Dogs"), batch)
    mine = replace(edited(mine, NodePath(0, 0, 0, 0), description="Mine?"), name="Mice")
    versions = versions_of(theirs, mine, last)
    merged = versions.merge()
    assert merged is not None
    (conflict,), (text,) = merged.conflicts, merged.text_conflicts
    decided = versions.merge({conflict.identity: MergeSide.THEIRS}, {text.attribute: MergeSide.THEIRS})
    assert decided is not None
    assert merged.name == "Mice"
    assert (decided.name, [item.text("description") for _path, item in decided.layout.walk()]) == (
        "Dogs",
        ["Theirs?"],
    )


def test_their_version_keeps_the_keys_of_the_study_and_includes_what_the_study_has_removed() -> None:
    desired = study(page(TEXT, WHY), page(WHICH))
    batch = sent(desired)
    mine, last = known(desired, batch)
    removed = mine.layout.pages[1]
    mine = replace(mine, layout=Remove((removed.key,))(mine.layout))
    for content in (last, None):
        merged = versions_of(batch, mine, content).adopt_theirs()
        assert [node.key for node in merged.layout.pages] == [mine.layout.pages[0].key, removed.key]
        assert write(merged.layout)[1] == write(Layout((removed,)))[0]
        adopted = replace(mine, layout=merged.layout, ids=merged.ids)
        assert review(batch, adopted, content).is_empty


@pytest.mark.parametrize(
    ("mine", "theirs", "side", "merged_id", "conflicts"),
    [
        ("d", "e", None, "e", 0),
        ("e", "d", None, "e", 0),
        ("e", "e", None, "e", 0),
        ("e", "f", None, "e", 1),
        ("e", "f", MergeSide.THEIRS, "f", 1),
    ],
)
def test_the_dataset_of_the_side_that_has_changed_it_is_taken(
    mine: str, theirs: str, side: MergeSide | None, merged_id: str, conflicts: int
) -> None:
    desired = study(page(WHY))
    batch = sent(desired)
    own, last = known(desired, batch)
    other = batch.model_copy(update={"datasets": (AttachedDataset(id=theirs),)})
    versions = versions_of(other, replace(own, dataset_id=mine), last)
    merged = versions.merge({}, {} if side is None else {DATASET: side})
    assert merged is not None
    assert merged.dataset_ids == (merged_id,)
    assert [conflict.attribute for conflict in merged.text_conflicts] == [DATASET] * conflicts
    assert versions.adopt_theirs().dataset_ids == (theirs,)


def test_a_damaged_record_has_no_content() -> None:
    desired = study(page(WHY))
    batch = sent(desired)
    record = last_sent(desired, batch, {})
    assert sent_content(record) is not None
    for text in ("", "no base64!", "aGVsbG8=", record.content[:-20]):
        assert sent_content(replace(record, content=text)) is None
    other = with_resource_content(replace(record, returned="other", content=""), batch, desired.layout, {})
    assert other.content == ""


def as_collection(desired: DesiredCollection) -> Collection:
    """What a service has after it was sent a collection."""

    def entry(value: JsonObject, **more: Json) -> JsonObject:
        return {**value, "id": value.get("id") or new_id(), **more}

    stored = to_collection_items(as_stored(desired.layout), desired.ids)
    pages = [
        entry(page, page_items=[entry(item) for item in as_objects(page["page_items"])])
        for page in as_objects(stored)
    ]
    details = desired.details.model_dump()
    return Collection.model_validate(
        {"id": "c", "name": desired.name, "task_details": details, "collection_items": pages}
    )


def as_objects(value: Json) -> list[JsonObject]:
    assert is_array(value)
    return [entry for entry in value if is_object(entry)]


def test_collections_are_compared_and_merged_by_pages_and_items() -> None:
    pages: list[Json] = [{"page_items": [TEXT, WHY]}, {"page_items": [WHICH]}]
    layout = layout_from_collection(pages, random_keys())
    desired = DesiredCollection("Kitchen", DETAILS, layout)
    collection = as_collection(desired)
    ids = ids_from_collection(layout, pages_of(collection))
    record = with_resource_content(record_sent("", content_of(collection)), collection, layout, ids)
    desired = replace(desired, ids=ids)
    assert versions_of(collection, desired, record).review.is_empty
    why, which = (item for _path, item in layout.instructions())
    theirs = as_collection(
        replace(desired, layout=SetAttributes(which.key, {"description": "Theirs?"})(layout))
    )
    mine = replace(desired, layout=SetAttributes(why.key, {"description": "Mine?"})(layout))
    versions = versions_of(theirs, mine, record)
    changes = versions.review.layout
    assert changes.count(Level.ITEM, Change.CHANGED) == 2
    assert {node.level for node in changes.nodes if node.changes != (Change.UNCHANGED,)} == {Level.ITEM}
    merged = versions.merge()
    assert merged is not None
    assert merged.conflicts == ()
    assert [item.description for _path, item in merged.layout.instructions()] == ["Mine?", "Theirs?"]
    again = replace(desired, layout=merged.layout, ids=merged.ids)
    assert versions_of(theirs, again, record).review.layout.count(Level.ITEM, Change.CHANGED) == 1


def test_instructions_are_compared_by_id() -> None:
    records = [InstructionRecord.model_validate({"id": name, **WHY}) for name in ("a", "b")]
    wanted = InstructionsWrite.model_validate(
        {"instructions": [{**WHY, "id": "b", "description": "Why not?"}, WHICH]}
    )
    layout = review_instructions(records, wanted).layout
    assert [node.key for node in layout.at_level(Level.ITEM, Change.REMOVED)] == ["a"]
    assert [node.key for node in layout.at_level(Level.ITEM, Change.CHANGED)] == ["b"]
    assert layout.count(Level.ITEM, Change.ADDED) == 1
    assert layout.count(Level.PAGE, Change.UNCHANGED) == 1
    same = InstructionsWrite.model_validate({"instructions": [record.item for record in records]})
    assert review_instructions(records, same).is_empty


def test_content_that_is_too_long_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_module, "_MAX_LENGTH", 10)
    desired = study(page(WHY))
    batch = sent(desired)
    record = last_sent(desired, batch, {})
    assert (record.content, sent_content(record)) == ("", None)
    assert versions_of(batch, desired, record).merge() is None
