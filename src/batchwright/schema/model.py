"""The schema of a V4 dataset: its fields and their types (wire reference, section 4.3)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from batchwright.base.json_values import JsonObject
from batchwright.schema.neutral_labels import comparison_labels, neutral_labels
from batchwright.schema.similar_keys import SimilarKeys


class FieldType(StrEnum):
    """Type of a dataset field."""

    TEXT = "text"
    IMAGE_URL = "image_url"
    AUDIO_URL = "audio_url"
    VIDEO_URL = "video_url"
    METADATA = "metadata"
    TASK_GROUP_ID = "task_group_id"

    @property
    def referable(self) -> bool:
        """Whether a layout may refer to a field of this type (specification, batch_items rule 1)."""
        return self not in (FieldType.METADATA, FieldType.TASK_GROUP_ID)


GROUPING_COLUMN = "META_TASK_GROUP_ID"
"""The column that groups tasks by its name (specification, Batches rule 5)."""

MEDIA_EXTENSIONS: Mapping[FieldType, tuple[str, ...]] = {
    FieldType.AUDIO_URL: (".aac", ".m4a", ".mp3", ".wav"),
    FieldType.VIDEO_URL: (".mp4", ".webm", ".mov"),
}
"""Allowed extensions in the paths of audio and video URLs, in lower case."""


@dataclass(frozen=True)
class Field:
    """A field of a schema; `original` is the definition it was read from, for keys besides type and label."""

    type: FieldType
    label: str | None = None
    original: JsonObject = field(default_factory=dict, repr=False)

    @property
    def definition(self) -> JsonObject:
        """The JSON of the field: the original definition with the changes made since."""
        definition = {**self.original, "type": self.type.value}
        if self.label is not None:
            definition["label"] = self.label
        elif definition.get("label") is not None:
            del definition["label"]
        return definition

    def __eq__(self, other: object) -> bool:
        """Whether both are written as the same JSON."""
        return isinstance(other, Field) and self.definition == other.definition


@dataclass(frozen=True)
class Schema:
    """The fields of a dataset by key, in order; if `strict`, every record must have a value for every field.

    `original` is the JSON it was read from, for keys besides `strict` and `fields`.
    """

    strict: bool
    fields: Mapping[str, Field]
    original: JsonObject = field(default_factory=dict, repr=False)

    def __eq__(self, other: object) -> bool:
        """Whether both are written as the same JSON; the order of the fields is significant."""
        if not isinstance(other, Schema):
            return NotImplemented
        return (self.strict, [*self.fields.items()], self._unknown_keys) == (
            other.strict,
            [*other.fields.items()],
            other._unknown_keys,
        )

    @cached_property
    def similar_keys(self) -> SimilarKeys:
        """Finds the keys that a misspelled one may mean, among those that a layout may refer to."""
        return SimilarKeys(key for key, definition in self.fields.items() if definition.type.referable)

    @cached_property
    def neutral_labels(self) -> dict[str, str]:
        """Better labels for fields whose labels say where a text comes from; by key."""
        return neutral_labels(self._shown_labels)

    def better_labels(self, compared: Collection[str]) -> Mapping[str, str]:
        """`neutral_labels`, and labels for those of the compared fields that are called as their columns."""
        if not compared:
            return self.neutral_labels
        return comparison_labels(self._shown_labels, compared, self.neutral_labels)

    def with_better_labels(self, compared: Collection[str]) -> "Schema":
        """The schema with neutral labels of fields that participants compare."""
        found = {key: label for key, label in self.better_labels(compared).items() if key in compared}
        changed = {key: replace(self.fields[key], label=label) for key, label in found.items()}
        return replace(self, fields={**self.fields, **changed})

    @cached_property
    def _shown_labels(self) -> dict[str, str | None]:
        return {key: field.label for key, field in self.fields.items() if field.type.referable}

    def with_label(self, key: str, label: str | None) -> "Schema":
        """The schema with another label of a field; None for none."""
        return replace(self, fields={**self.fields, key: replace(self.fields[key], label=label)})

    @property
    def _unknown_keys(self) -> JsonObject:
        return {key: value for key, value in self.original.items() if key not in ("strict", "fields")}

    @property
    def task_group_field(self) -> str | None:
        """The key of the field that groups tasks, if there is one.

        A field of type `task_group_id` comes before one called `META_TASK_GROUP_ID` (wire reference, 5.4).
        """
        designated = (key for key, field in self.fields.items() if field.type is FieldType.TASK_GROUP_ID)
        return next(designated, GROUPING_COLUMN if GROUPING_COLUMN in self.fields else None)


def are_equivalent(first: Schema | None, second: Schema | None) -> bool:
    """Whether two schemas have the same fields in the same order, and the same strictness."""
    return schema_key(first) == schema_key(second)


def schema_key(schema: Schema | None) -> object:
    """The parts of a schema that are compared; unknown keys are ignored."""
    if schema is None:
        return None
    return schema.strict, [
        (name, definition.type, definition.label or "") for name, definition in schema.fields.items()
    ]
