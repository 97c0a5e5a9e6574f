"""The schema of the study: the user's choices, and the schema proposed from the file for the rest.

The functions below `SchemaEditor` change the fields of a schema and return the new schema.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from batchwright.base.i18n import N_
from batchwright.base.json_values import JsonObject
from batchwright.data_files.schema_inference import Proposal
from batchwright.layout.model import Layout
from batchwright.layout.searching.field_references import RenameFields, probable_renames
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import MAX_FIELDS
from batchwright.ui.data.file.data_file import DataFileModel
from batchwright.ui.study.study_model import Study

_USE_PROPOSAL = N_("Use the schema of the file")


@dataclass(frozen=True)
class NewPreparation:
    """Other steps of the preparation: the columns of the table before, and the merge key of the change."""

    steps: tuple[JsonObject, ...]
    columns_before: tuple[str, ...]
    merge_key: str


class SchemaEditor:
    """Edits the study's schema: the one proposed for the file, until the user chooses otherwise."""

    def __init__(self, study: Study, file: DataFileModel) -> None:
        self._study, self._file = study, file
        self._is_new_file = False
        """Whether a file was chosen that has not been profiled yet."""
        self._early_choices: set[str] = set()
        """Columns whose type the user chose before that; all others get the proposed type."""
        self._added: set[tuple[int, str]] = set()
        """Fields added by the user, with the `opening` of their study; they are kept for any file."""
        self._preparation: NewPreparation | None = None
        """Steps that the table is prepared with, while its fields do not follow them yet."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file."""
        return self._file.summary.columns if self._file.summary else ()

    @property
    def waits_for_proposal(self) -> bool:
        """Whether the fields are still to be proposed from the columns of the file."""
        schema = self._study.schema
        has_all_columns = schema is not None and set(schema.fields) <= set(self.columns)
        return schema is None or bool(self._early_choices) or (self._is_new_file and not has_all_columns)

    def expect_proposal(self) -> None:
        """Another file was chosen: a new schema is proposed if its columns do not match."""
        self._preparation = None
        self._is_new_file = True
        self._early_choices.clear()

    def cancel_proposal(self) -> None:
        """Keep the current schema: nothing is proposed for the file that is read next."""
        self._preparation = None
        self._is_new_file = False
        self._early_choices.clear()

    def expect_preparation(self, steps: Sequence[JsonObject], merge_key: str) -> None:
        """The table is prepared by other steps: once it is read, the fields follow its columns.

        Args:
            steps: the new steps.
            merge_key: that of the undo step which has changed them.
        """
        columns = self._preparation.columns_before if self._preparation else self.columns
        self._preparation = NewPreparation(tuple(steps), columns, merge_key)

    @property
    def preparation_key(self) -> str | None:
        """The merge key of the change of the steps that the fields do not follow yet; None if they do."""
        preparation = self._preparation
        is_read = preparation is not None and preparation.steps == self._file.changes.steps
        return preparation.merge_key if preparation is not None and is_read else None

    def apply_proposal(self) -> tuple[str, ...]:
        """Use the schema proposed for the profiled file, except where the user has chosen otherwise.

        Returns the columns that could not be fields before and are included now.
        """
        included: tuple[str, ...] = ()
        if self._file.profile is not None:
            proposal = self._file.profile.proposal
            if self._follow_preparation(proposal):
                self._preparation = None
            elif self.waits_for_proposal:
                own, proposed = self._study.schema, proposal.schema
                if own is not None:
                    proposed = with_labels_of(proposed, own, self._study.layout)
                if own is not None and (chosen := self._early_choices | self._added_to(own)):
                    proposed = with_user_types(proposed, own, self.columns, chosen)
                self._study.set_schema(proposed, _USE_PROPOSAL)
            else:
                included = self._include_corrected(proposal)
            excluded = tuple(name for name in dict.fromkeys(self.columns) if name in proposal.excluded)
            self._store_columns(self.columns if excluded else (), excluded)
        self._is_new_file = False
        self._early_choices.clear()
        return included

    def _follow_preparation(self, proposal: Proposal) -> bool:
        """Adapt the fields to the columns that other steps have made; False if there are no others."""
        schema, preparation, merge_key = self._study.schema, self._preparation, self.preparation_key
        if schema is None or preparation is None or merge_key is None:
            return False
        before, after = preparation.columns_before, self.columns
        followed = with_columns(schema, before, after, proposal.schema)
        self._study.set_schema(followed, _USE_PROPOSAL, merge_key)
        return True

    def use_proposal(self) -> None:
        """Use the schema proposed for the file."""
        if self._file.profile is not None:
            self._study.set_schema(self._file.profile.proposal.schema, _USE_PROPOSAL)

    def set_type(self, name: str, type: FieldType | None) -> None:
        """Set the type of a column, or leave it out for None; there is at most one task group."""
        if self._file.profile is None and self.waits_for_proposal:
            self._early_choices.add(name)
        self._study.set_schema(
            with_type(self._study.schema, self.columns, self._proposed_field(name), name, type),
            N_("Leave out field") if type is None else N_("Change field type"),
        )

    def add_field(self, name: str, type: FieldType, label: str) -> None:
        """Add a field, which need not be a column of the file."""
        self._added.add((self._study.opening, name))
        schema = with_type(self._study.schema, self.columns, None, name, type)
        schema = with_label(schema, name, label if type.referable else "")
        self._study.set_schema(schema, N_("Add field"))

    def restore_field(self, name: str, before: Schema) -> None:
        """Restore a field of an earlier schema that is not a column of the file."""
        self._added.add((self._study.opening, name))
        self._study.set_schema(restore_field(self._study.schema, before, name), N_("Restore field"))

    def set_label(self, name: str, label: str) -> None:
        """Set the label that participants see; empty for none."""
        if self._study.schema is not None:
            self._study.set_schema(with_label(self._study.schema, name, label), N_("Change field label"))

    def rename_field(self, old: str, new: str, *, updates_items: bool) -> None:
        """Rename a field, and with `updates_items` let the items that show it follow, as one undo step."""
        schema, content = self._study.schema, self._study.content
        if schema is None or old not in schema.fields:
            return
        self._added.add((self._study.opening, new))
        layout = RenameFields({old: new})(content.layout) if updates_items else content.layout
        renamed = replace(content, schema=with_name(schema, old, new), layout=layout)
        self._study.restore(renamed, RenameFields.label)

    def set_strict(self, *, is_strict: bool) -> None:
        """Set whether every record must have every field."""
        if self._study.schema is not None:
            self._study.set_schema(replace(self._study.schema, strict=is_strict))

    def set_schema(self, schema: Schema) -> None:
        """Use a schema from a file or a dataset."""
        self._study.set_schema(schema)

    def _include_corrected(self, proposal: Proposal) -> tuple[str, ...]:
        """Include columns that could not be fields before the file was corrected."""
        data, schema = self._study.data, self._study.schema
        if data is None or schema is None or set(data.excluded_columns) <= proposal.excluded.keys():
            return ()
        could_be_fields = set(data.columns) - set(data.excluded_columns)
        new = [name for name in proposal.schema.fields if name not in could_be_fields]
        included = with_proposed(schema, self.columns, proposal.schema, new)
        self._study.set_schema(included, N_("Include corrected columns"))
        return tuple(name for name in included.fields if name not in schema.fields)

    def _store_columns(self, columns: tuple[str, ...], excluded: tuple[str, ...]) -> None:
        """Store with the study which columns could not be fields: the file may be corrected later."""
        if self._study.data is not None:
            self._study.set_data(replace(self._study.data, columns=columns, excluded_columns=excluded))

    def _added_to(self, schema: Schema) -> set[str]:
        return {name for name in schema.fields if (self._study.opening, name) in self._added}

    def _proposed_field(self, name: str) -> Field | None:
        return self._file.profile.proposal.schema.fields.get(name) if self._file.profile else None


def with_type(
    schema: Schema | None, columns: Sequence[str], proposed: Field | None, name: str, type: FieldType | None
) -> Schema:
    """A schema in which a field has this type, or is left out for None.

    There is at most one task group: a previous one becomes metadata. The fields keep the order of the
    columns. A field that participants see gets the proposed label if it has none.
    """
    fields_by_name = dict(schema.fields) if schema else {}
    if type is None:
        fields_by_name.pop(name, None)
    else:
        if type is FieldType.TASK_GROUP_ID:
            fields_by_name = {key: _ungrouped(field) for key, field in fields_by_name.items()}
        old = fields_by_name.get(name) or proposed or Field(type)
        label = (old.label or label_of(name)) if type.referable else None
        fields_by_name[name] = replace(old, type=type, label=label)
    order = dict.fromkeys((*columns, *fields_by_name))
    fields = {key: fields_by_name[key] for key in order if key in fields_by_name}
    return replace(schema or Schema(strict=False, fields={}), fields=fields)


def restore_field(schema: Schema | None, before: Schema, name: str) -> Schema:
    """A schema with a field of an earlier schema restored, unchanged and in its old position."""
    fields_by_name, again = dict(schema.fields) if schema else {}, before.fields[name]
    if again.type is FieldType.TASK_GROUP_ID:
        fields_by_name = {key: _ungrouped(field) for key, field in fields_by_name.items()}
    fields_by_name[name] = again
    order = dict.fromkeys((*before.fields, *fields_by_name))
    return replace(
        schema or before, fields={key: fields_by_name[key] for key in order if key in fields_by_name}
    )


def with_label(schema: Schema, name: str, label: str) -> Schema:
    """A schema in which a field has this label; an empty text removes the label."""
    return schema.with_label(name, label.strip() or None) if name in schema.fields else schema


def with_labels_of(proposed: Schema, own: Schema, layout: Layout) -> Schema:
    """A proposed schema in which fields keep the labels of the fields that they replace, or were before.

    Labels that are the names of columns are not kept.
    """
    replaced = {**{name: name for name in own.fields}, **probable_renames(layout, own, proposed)}
    for old, new in replaced.items():
        label = own.fields[old].label
        field = proposed.fields.get(new)
        if label and label != label_of(old) and field is not None and field.type.referable:
            proposed = proposed.with_label(new, label)
    return proposed


def with_name(schema: Schema, old: str, new: str) -> Schema:
    """A schema in which a field has another name, at the same position."""
    fields = {new if name == old else name: field for name, field in schema.fields.items()}
    return replace(schema, fields=fields)


def with_user_types(proposed: Schema, own: Schema, columns: Sequence[str], chosen: Iterable[str]) -> Schema:
    """A proposed schema, with the types that the user chose before it was available; strictness is kept."""
    schema = replace(proposed, strict=own.strict)
    for name in sorted(chosen):
        field = own.fields.get(name)
        schema = with_type(schema, columns, None, name, field.type if field else None)
        schema = with_label(schema, name, (field and field.label) or "")
    return schema


def with_proposed(schema: Schema, columns: Sequence[str], proposed: Schema, names: Iterable[str]) -> Schema:
    """A schema to which these fields of a proposed other are added, up to the maximum number of fields."""
    for name in names:
        if name in schema.fields or len(schema.fields) == MAX_FIELDS:
            continue
        field = proposed.fields[name]
        is_grouped = any(other.type is FieldType.TASK_GROUP_ID for other in schema.fields.values())
        schema = with_type(schema, columns, field, name, _ungrouped(field).type if is_grouped else field.type)
    return schema


def with_columns(schema: Schema, before: Sequence[str], after: Sequence[str], proposed: Schema) -> Schema:
    """A schema for a table with other columns: without the fields that are gone, and with those that are new.

    Columns that were left out stay left out, and fields that were no columns stay.
    """
    had, has = set(before), set(after)
    fields = {name: field for name, field in schema.fields.items() if name in has or name not in had}
    new = [name for name in proposed.fields if name not in had]
    return with_proposed(replace(schema, fields=fields), after, proposed, new)


def label_of(name: str) -> str:
    """The label derived from a column's name."""
    text = name.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def _ungrouped(field: Field) -> Field:
    return replace(field, type=FieldType.METADATA) if field.type is FieldType.TASK_GROUP_ID else field
