"""The steps of a study's undo history: what changes its content, and what undo and redo restore."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.data_files.conversion.conversion import Changes
from batchwright.local.projects import DataFile, RemoteBinding, StudyContent

if TYPE_CHECKING:  # edits are not needed before a study is open
    from batchwright.layout.editing.edits import Edit


@dataclass(frozen=True)
class EditLayout:
    """A change of the study by an edit of its layout."""

    edit: "Edit"

    @property
    def label(self) -> str:
        """The name of the edit."""
        return self.edit.label

    def __call__(self, content: StudyContent) -> StudyContent:
        """The content afterwards; raises `EditRejected`."""
        from batchwright.layout.editing.edits import AddBlock  # not needed before a study is open
        from batchwright.layout.rules.problems import Fix

        schema_edit = self.edit.schema_edit if isinstance(self.edit, Fix) else None
        if schema_edit is not None and content.schema is not None:
            content = replace(content, schema=schema_edit(content.schema))
        after = replace(content, layout=self.edit(content.layout))
        if isinstance(self.edit, AddBlock) and self.edit.page_names:
            after = replace(after, page_names={**content.page_names, **self.edit.page_names})
        return _with_translations_followed(content, after)


@dataclass(frozen=True)
class ChangeContent:
    """A change of the study by a function of its content."""

    label: str
    function: Callable[[StudyContent], StudyContent]

    def __call__(self, content: StudyContent) -> StudyContent:
        """The content afterwards."""
        after = self.function(content)
        return (
            _with_translations_followed(content, after)
            if after.translations is content.translations
            else after
        )


def _with_translations_followed(before: StudyContent, after: StudyContent) -> StudyContent:
    """The content after a change of the layout, with the translations of its texts."""
    if not before.translations:
        return after
    from batchwright.layout.translations import follow

    return replace(after, translations=follow(after.translations, before.layout, after.layout))


@dataclass(frozen=True)
class RestoredStep:
    """A step that was just undone or redone, with the content before and after that."""

    label: str
    is_undo: bool
    before: StudyContent
    after: StudyContent
    attributes: frozenset[str]
    """The names of the attributes of the content that changed; `records` for what is made of the records."""

    @property
    def changed_pages(self) -> tuple[str, ...]:
        """The keys of the pages that now have other content or another name, in order."""
        from batchwright.layout.comparing.changed_pages import (
            changed_pages,  # not needed before a study is open
        )

        pages = changed_pages(self.before.layout.pages, self.after.layout.pages).new
        keys = self._renamed_pages | {page.key for _number, page in pages}
        return tuple(self.after.layout.pages[number].key for number in self.after.layout.page_numbers(keys))

    @property
    def _renamed_pages(self) -> frozenset[str]:
        before, after = self.before.page_names, self.after.page_names
        if before is after:
            return frozenset()
        return frozenset(key for key in {*before, *after} if before.get(key) != after.get(key))


@dataclass(frozen=True)
class RemoteChange:
    """What a step has changed of what the study has at a connection, because it took a version from there."""

    connection: str
    before: RemoteBinding
    after: RemoteBinding

    def restored(self, current: RemoteBinding, *, is_undo: bool) -> RemoteBinding:
        """What the study has at the connection after the step was undone or redone.

        What was sent in the meantime stays recorded, and a dataset that was attached in the meantime stays
        attached.
        """
        source, target = (self.after, self.before) if is_undo else (self.before, self.after)
        if current.last_sent != source.last_sent:
            return current
        restored = replace(current, ids=target.ids, last_sent=target.last_sent)
        if self.before.dataset_id == self.after.dataset_id or current.dataset_id != source.dataset_id:
            return restored
        return replace(
            restored,
            dataset_id=target.dataset_id,
            import_id=target.import_id,
            is_filled=target.is_filled,
            delivered=target.delivered,
            lacks_schema=target.lacks_schema,
        )


@dataclass(frozen=True)
class RecordsChange:
    """What a step has changed beside the data file: values of cells, whole columns, or the preparation."""

    path: Path
    """The data file."""
    before: Changes
    after: Changes

    def restored(self, data: DataFile | None, *, is_undo: bool) -> DataFile | None:
        """The data file after the step was undone or redone; as it is if it has other changes meanwhile."""
        source, target = (self.after, self.before) if is_undo else (self.before, self.after)
        if data is None or data.path != self.path or data.changes != source:
            return data
        return data.with_changes(target)


def changed_attributes(before: StudyContent, after: StudyContent) -> frozenset[str]:
    """The names of the attributes that differ."""
    values = vars(after)
    return frozenset(name for name, value in vars(before).items() if value != values[name])
