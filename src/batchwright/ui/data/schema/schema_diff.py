"""The effects of a schema change on a dataset (specification, Datasets rule 1)."""

from dataclasses import dataclass

from batchwright.schema.model import MEDIA_EXTENSIONS, Field, FieldType, Schema
from batchwright.wire.datasets import Dataset

_URL_TYPES = frozenset({FieldType.IMAGE_URL, *MEDIA_EXTENSIONS})


@dataclass(frozen=True)
class SchemaDiff:
    """The difference of two schemas, by the names of fields; `old` is None for a first schema."""

    old: Schema | None
    new: Schema
    version: int
    """The version of the new schema."""
    records: int
    """Number of datapoints in the dataset."""
    is_v4: bool = True

    @property
    def migrates(self) -> bool:
        """Whether the datapoints are migrated: not for a first schema."""
        return self.old is not None

    @property
    def added(self) -> tuple[str, ...]:
        """Fields that only the new schema has."""
        return tuple(name for name in self.new.fields if name not in self._old_fields)

    @property
    def removed(self) -> tuple[str, ...]:
        """Fields that only the old schema has."""
        return tuple(name for name in self._old_fields if name not in self.new.fields)

    @property
    def retyped(self) -> tuple[tuple[str, FieldType, FieldType], ...]:
        """Fields whose type changes: name, old type, new type."""
        return tuple(
            (name, old.type, new.type) for name, old, new in self._common_fields if old.type is not new.type
        )

    @property
    def may_clear_values(self) -> bool:
        """Whether existing values may not fit their new type: not every text is a URL."""
        return bool(self.records) and any(new in _URL_TYPES for _name, _old, new in self.retyped)

    @property
    def relabelled(self) -> tuple[str, ...]:
        """Fields whose label changes."""
        return tuple(name for name, old, new in self._common_fields if old.label != new.label)

    @property
    def is_reordered(self) -> bool:
        """Whether the order of the common fields changes."""
        stay = [name for name in self._old_fields if name in self.new.fields]
        return stay != [name for name in self.new.fields if name in self._old_fields]

    @property
    def new_strict(self) -> bool | None:
        """Whether every field must be filled in future; None if that does not change."""
        return None if self.old is None or self.old.strict == self.new.strict else self.new.strict

    @property
    def task_group_change(self) -> tuple[str, str] | None:
        """The old and new task group field, empty for none; None if it does not change."""
        was = (self.old.task_group_field if self.old else None) or ""
        will = self.new.task_group_field or ""
        return None if self.old is None or was == will else (was, will)

    @property
    def _old_fields(self) -> dict[str, Field]:
        return dict(self.old.fields) if self.old else {}

    @property
    def _common_fields(self) -> tuple[tuple[str, Field, Field], ...]:
        old_fields = self._old_fields
        return tuple(
            (name, old_fields[name], new) for name, new in self.new.fields.items() if name in old_fields
        )


def diff_schemas(dataset: Dataset, old: Schema | None, new: Schema) -> SchemaDiff:
    """Determine the effects of changing the schema of a dataset."""
    version = (dataset.schema_version or 0) + 1
    return SchemaDiff(old, new, version, dataset.total_datapoint_count, dataset.is_v4)
