"""What changing a dataset's schema will do, told before it is done (Datasets rule 1, wire.md 4.9)."""

from dataclasses import dataclass

from batchwright.schema.model import MEDIA_EXTENSIONS, Field, FieldType, Schema, mean_the_same
from batchwright.wire.datasets import Dataset

_ADDRESSES = frozenset({FieldType.IMAGE_URL, *MEDIA_EXTENSIONS})


@dataclass(frozen=True)
class SchemaDiff:
    """What comes, goes and changes, by the names of fields; `old` is None for a first schema."""

    old: Schema | None
    new: Schema
    version: int
    """The version that the schema will be."""
    records: int
    """How many datapoints the dataset holds."""
    is_v4: bool = True

    @property
    def changes_nothing(self) -> bool:
        """Whether the dataset has just this schema, in this order."""
        return mean_the_same(self.old, self.new)

    @property
    def migrates(self) -> bool:
        """Whether the datapoints are brought to the new schema: not for a first one."""
        return self.old is not None

    @property
    def added(self) -> tuple[str, ...]:
        """Fields that the dataset does not have yet."""
        return tuple(name for name in self.new.fields if name not in self._old_fields)

    @property
    def removed(self) -> tuple[str, ...]:
        """Fields that the dataset has and the new schema has not."""
        return tuple(name for name in self._old_fields if name not in self.new.fields)

    @property
    def retyped(self) -> tuple[tuple[str, FieldType, FieldType], ...]:
        """Fields of another type: name, type now, type then."""
        return tuple(
            (name, old.type, new.type) for name, old, new in self._common_fields if old.type is not new.type
        )

    @property
    def may_clear_values(self) -> bool:
        """Whether values that are there may not fit their field's type any more: any text is no address."""
        return bool(self.records) and any(new in _ADDRESSES for _name, _old, new in self.retyped)

    @property
    def relabelled(self) -> tuple[str, ...]:
        """Fields that people will read another label for."""
        return tuple(name for name, old, new in self._common_fields if old.label != new.label)

    @property
    def is_reordered(self) -> bool:
        """Whether the fields that stay stand in another order."""
        stay = [name for name in self._old_fields if name in self.new.fields]
        return stay != [name for name in self.new.fields if name in self._old_fields]

    @property
    def new_strict(self) -> bool | None:
        """Whether every field must be filled then; None where that stays as it is."""
        return None if self.old is None or self.old.strict == self.new.strict else self.new.strict

    @property
    def task_group_change(self) -> tuple[str, str] | None:
        """The task group's column now and then, empty for none; None where it stays."""
        was = (self.old.task_group_field if self.old else None) or ""
        will = self.new.task_group_field or ""
        return None if self.old is None or was == will else (was, will)

    @property
    def is_rejected(self) -> bool:
        """Whether the service will say no: a V3 dataset, or other task groups for datapoints that exist."""
        return not self.is_v4 or (bool(self.records) and self.task_group_change is not None)

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
    """What giving a dataset a schema will do."""
    version = (dataset.schema_version or 0) + 1
    return SchemaDiff(old, new, version, dataset.total_datapoint_count, dataset.is_v4)
