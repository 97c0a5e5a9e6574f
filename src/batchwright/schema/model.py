"""The schema of a V4 dataset: its fields, and what each may hold (wire reference, 4.3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from batchwright.base.json_values import JsonObject


class FieldType(StrEnum):
    """What a dataset field holds."""

    TEXT = "text"
    IMAGE_URL = "image_url"
    AUDIO_URL = "audio_url"
    VIDEO_URL = "video_url"
    METADATA = "metadata"
    TASK_GROUP_ID = "task_group_id"

    @property
    def referable(self) -> bool:
        """Whether a layout may show a field of this type (specification, batch_items rule 1)."""
        return self not in (FieldType.METADATA, FieldType.TASK_GROUP_ID)


MEDIA_EXTENSIONS: Mapping[FieldType, tuple[str, ...]] = {
    FieldType.AUDIO_URL: (".aac", ".m4a", ".mp3", ".wav"),
    FieldType.VIDEO_URL: (".mp4", ".webm", ".mov"),
}
"""How the path of a sound's or a film's address may end, in small letters."""


@dataclass(frozen=True)
class Field:
    """One field of a schema; `given` is its definition as it came, unknown keys included."""

    type: FieldType
    label: str | None = None
    given: JsonObject = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Schema:
    """The fields of a dataset by key, in their order; `strict` asks every record for every field.

    `given` is the schema as it came, for the keys beside `strict` and `fields`.
    """

    strict: bool
    fields: Mapping[str, Field]
    given: JsonObject = field(default_factory=dict, repr=False)

    @property
    def task_group_field(self) -> str | None:
        """The key of the field that groups tasks, if one is designated."""
        return next((key for key, one in self.fields.items() if one.type is FieldType.TASK_GROUP_ID), None)


def are_equivalent(one: Schema | None, other: Schema | None) -> bool:
    """Whether two schemas have the same fields in the same order, and ask as strictly for them."""
    return schema_key(one) == schema_key(other)


def schema_key(schema: Schema | None) -> object:
    """What a schema says, to be compared: whatever else was written beside it is left out."""
    if schema is None:
        return None
    return schema.strict, [(name, one.type, one.label or "") for name, one in schema.fields.items()]
