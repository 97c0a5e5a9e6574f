"""A project: one study, stored in a file `NAME.batchwright`.

The file is versioned JSON. Keys of the project are sorted, so that versions are easy to compare; layout and
schema keep their order, since the order of a schema's fields is significant. Unknown keys are kept. Ids of a
service are not part of the layout: nodes have local keys, and each `RemoteBinding` maps them to ids. Ids of
other computers stay in the file beside those of this one (`local.places`).
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json, JsonObject, to_json
from batchwright.base.local_media import MediaFolder
from batchwright.base.text import is_blank
from batchwright.data_files.conversion.conversion import CONVERTED, Changes, Conversion, write_conversion
from batchwright.data_files.file_types import STUDY_KEY
from batchwright.data_files.formats import Format
from batchwright.layout.collection_pages import item_path
from batchwright.layout.file_format import KEY
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import write
from batchwright.local.study_files.project_migrations import current_version
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema

if TYPE_CHECKING:  # translations and the wire models are not needed before a study is open
    from batchwright.layout.translations import ParticipantTexts, TranslatedPages, Translations
    from batchwright.wire.batches import TaskDetails

SUFFIX = ".batchwright"


class StudyKind(StrEnum):
    """What a study becomes at a service."""

    BATCH = "batch"
    COLLECTION = "collection"
    """Pages without data, in one column, answered once by each participant (specification, Collections)."""


@dataclass(frozen=True)
class DataFile:
    """The data file of a study: its path and how to read it."""

    path: Path
    size: int
    format: Format
    sha256: str | None = None
    columns: tuple[str, ...] = ()
    """The columns when the file was last read, stored only if some of them could not be used as fields."""
    excluded_columns: tuple[str, ...] = ()
    """The columns that could not be used as fields, so that they are included once the file is corrected."""
    conversion: Conversion | None = None
    """How the file is converted; None if the service takes it as it is."""

    @property
    def media(self) -> MediaFolder | None:
        """The media files that the data was read from; None if it is another file."""
        return None if self.conversion is None else self.conversion.media(self.path)

    @property
    def changes(self) -> Changes:
        """What is made of the records of the file."""
        return Changes() if self.conversion is None else self.conversion.changes

    def with_changes(self, changes: Changes) -> "DataFile":
        """The file with other changes; a CSV or JSONL file is converted only if it must be."""
        conversion = replace(self.conversion or Conversion(text_format=self.format), **changes._asdict())
        if conversion.text_format is not None and not conversion.is_needed:
            return replace(self, format=conversion.text_format, sha256=None, conversion=None)
        return replace(self, format=CONVERTED, conversion=conversion)


@dataclass(frozen=True)
class LastSent:
    """Digests of the content last sent to a batch, and of the content the service returned for it.

    They show whether the study or the batch has changed since. They are compared as digests because services
    store Markdown as HTML and need not render it alike. See `client.published_content`.
    """

    sent: str
    returned: str
    at: str
    """Time of sending, ISO 8601 in UTC."""
    content: str = ""
    """What `returned` is the digest of (`client.sent_content`); empty if unknown or too long to be stored."""


@dataclass(frozen=True)
class LanguageBinding:
    """What a study has at one connection for participants of a language that it is translated to.

    It has the dataset of the study.
    """

    batch_id: str | None = None
    collection_id: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict)
    last_sent: LastSent | None = None


@dataclass(frozen=True)
class RemoteBinding:
    """The resources of a study at one connection; `ids` maps keys of layout nodes to ids of the service."""

    workspace_id: str = ""
    """Identifies the place: every data folder has a workspace of its own. Empty if unknown."""
    dataset_id: str | None = None
    import_id: str | None = None
    batch_id: str | None = None
    collection_id: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict)
    is_filled: bool = False
    """Whether the dataset has records without an import by this study: V3, or an existing dataset."""
    delivered: str | None = ""
    """Identifies the data that the dataset was created from.

    None if unknown: in older files, and if another client attached the dataset to the batch.
    """
    lacks_schema: bool = False
    """Whether the dataset has no schema that a layout could refer to: V3, or V4 without one."""
    last_sent: LastSent | None = None
    """None if the batch was never sent from this study, or only by an older Batchwright."""
    languages: Mapping[str, LanguageBinding] = field(default_factory=dict)
    """The batches or collections in the languages that the study is translated to."""

    def in_language(self, language: str) -> "RemoteBinding":
        """The binding with the batch or collection of a language; empty for that of the study itself."""
        if not language:
            return self
        return replace(self, **vars(self.languages.get(language) or LanguageBinding()))

    def with_language(self, language: str, changed: "RemoteBinding") -> "RemoteBinding":
        """The binding after what `in_language` returned was changed."""
        if not language:
            return changed
        of_language = LanguageBinding(changed.batch_id, changed.collection_id, changed.ids, changed.last_sent)
        own = LanguageBinding(self.batch_id, self.collection_id, self.ids, self.last_sent)
        return replace(changed, **vars(own), languages={**self.languages, language: of_language})

    def with_ids_mapped(self, function: Callable[[Mapping[str, str]], Mapping[str, str]]) -> "RemoteBinding":
        """The binding with other ids of nodes, in each language."""
        languages = {
            language: replace(other, ids=function(other.ids)) for language, other in self.languages.items()
        }
        return replace(self, ids=function(self.ids), languages=languages)

    def with_dataset(
        self, workspace_id: str, dataset_id: str, import_id: str | None = None, *, is_filled: bool = False
    ) -> "RemoteBinding":
        """The binding with another dataset, which has a schema; the batch is unchanged."""
        return replace(
            self,
            workspace_id=workspace_id,
            dataset_id=dataset_id,
            import_id=import_id,
            is_filled=is_filled,
            delivered="",
            lacks_schema=False,
        )

    def id_of(self, kind: "StudyKind") -> str | None:
        """The id of the batch or the collection; None if there is none."""
        return self.collection_id if kind is StudyKind.COLLECTION else self.batch_id

    def has_any(self, kind: "StudyKind") -> bool:
        """Whether there is a batch or a collection in any language."""
        return any(self.in_language(language).id_of(kind) for language in ("", *self.languages))

    def with_id(self, kind: "StudyKind", id: str) -> "RemoteBinding":
        """The binding with another batch or collection."""
        if kind is StudyKind.COLLECTION:
            return replace(self, collection_id=id)
        return replace(self, batch_id=id)

    @property
    def resources(self) -> frozenset[str]:
        """The ids of the dataset, and of the batches and the collections that there are."""
        own = (self.dataset_id, self.batch_id, self.collection_id)
        others = ((of.batch_id, of.collection_id) for of in self.languages.values())
        return frozenset(filter(None, (*own, *chain.from_iterable(others))))

    @property
    def has_data(self) -> bool:
        """Whether there is a dataset with records."""
        return self.dataset_id is not None and (self.is_filled or self.import_id is not None)


def empty_task_details() -> "TaskDetails":
    """Empty task details."""
    from batchwright.wire.batches import TaskDetails

    return TaskDetails(task_name="", task_introduction="", task_steps="")


@dataclass(frozen=True)
class StudyContent:
    """What the user designs in a study: each undo step and each version has one.

    The data file and the ids of services are not part of it, because sending cannot be undone.
    """

    name: str
    layout: Layout
    page_names: Mapping[str, str]
    schema: Schema | None
    details: "TaskDetails"
    tasks_per_group: int
    kind: StudyKind
    language: str = ""
    translations: "Translations" = field(default_factory=dict)


UNTITLED = N_("Untitled study")
"""The name of a study that nobody has named yet: stored in English, shown translated by `study_name`."""


@dataclass(frozen=True)
class Project:
    """A study: its layout and everything that belongs to it; `remotes` by name of the connection.

    Names that are no connection here belong to other computers and data folders (`local.places`).
    """

    name: str
    layout: Layout = field(default_factory=Layout)
    page_names: Mapping[str, str] = field(default_factory=dict)
    """Names that designers give to pages, by key; never sent to a service."""
    schema: Schema | None = None
    details: "TaskDetails" = field(default_factory=empty_task_details)
    data: DataFile | None = None
    remotes: Mapping[str, RemoteBinding] = field(default_factory=dict)
    tasks_per_group: int = 1
    kind: StudyKind = StudyKind.BATCH
    language: str = ""
    """The language of its participants, as a BCP 47 tag; empty for that of the program."""
    translations: "Translations" = field(default_factory=dict)
    """What participants of other languages read."""
    study_id: str = field(default="", compare=False)
    """Identifies the study in the version history. Copies of the file have the same one; empty if unknown."""
    unknown_keys: JsonObject = field(default_factory=dict, repr=False)
    """Unknown keys of the file, which are written back."""

    @property
    def content(self) -> StudyContent:
        """What the user designs."""
        return StudyContent(
            self.name,
            self.layout,
            self.page_names,
            self.schema,
            self.details,
            self.tasks_per_group,
            self.kind,
            self.language,
            self.translations,
        )

    def shown_path(self, path: NodePath) -> NodePath:
        """The path of a node as it is shown: in a collection without row and column."""
        return item_path(path, self.layout) if self.kind is StudyKind.COLLECTION else path

    @property
    def participant_texts(self) -> "ParticipantTexts":
        """The texts that participants read; a task without a name has that of the study, if any."""
        from batchwright.layout.translations import ParticipantTexts

        details = {
            name: getattr(self.details, name) for name in ("task_name", "task_introduction", "task_steps")
        }
        name = self.name.strip()
        if is_blank(self.details.task_name) and name != UNTITLED:
            details["task_name"] = name
        return ParticipantTexts(details, self.layout)

    @property
    def written_translations(self) -> "Translations":
        """The translations of the texts that there are. Those of removed texts are not written to files."""
        from batchwright.layout.translations import of_texts

        return of_texts(self.translations, self.participant_texts.texts())

    def in_language(self, language: str, pages: "TranslatedPages | None" = None) -> "Project":
        """The study for participants of a language that it is translated to; its own if it is not.

        What has no translation is as in the study. The name of the study has the language, so that its batch
        is told from those of other languages. `pages` has those that were translated before.
        """
        if language not in self.translations:
            return self
        own, translations = self.participant_texts, self.translations[language]
        texts = own.translated(translations) if pages is None else pages.translated(own, translations)
        return replace(
            self,
            name=f"{study_name(self)} ({language})",
            layout=texts.layout,
            details=self.details.model_copy(update=dict(texts.details)),
            language=language,
            translations={},
        )

    def with_content(self, content: StudyContent) -> "Project":
        """The project with other content; data file and ids are unchanged."""
        return replace(self, **vars(content))


def project_content(project: Project, folder: Path | None = None) -> bytes:
    """Serialise a project; a data file below `folder` gets a relative path, so both can be moved together."""
    from batchwright.wire.base import to_payload

    data = None if project.data is None else _written_data(project.data, folder)
    content: dict[str, Json] = {
        STUDY_KEY: current_version(),
        KEY: write(project.layout),
        "data": data,
        "keys": [node.key for node in project.layout.walk_all()],
        "kind": project.kind.value,
        "name": project.name,
        "page_names": _sorted(project.page_names),
        "remotes": {name: _written_remote(remote) for name, remote in sorted(project.remotes.items())},
        "schema": None if project.schema is None else write_schema(project.schema),
        "task_details": _sorted(to_payload(project.details)),
        "tasks_per_group": project.tasks_per_group,
    }
    if project.language:
        content["language"] = project.language
    if project.translations:
        content["translations"] = _written_translations(project)
    if project.study_id:
        content["study_id"] = project.study_id
    return to_json(_sorted({**project.unknown_keys, **content}), indent=2).encode() + b"\n"


def _written_data(data: DataFile, folder: Path | None) -> Json:
    path = data.path
    if folder is not None and path.is_relative_to(folder):
        path = path.relative_to(folder)
    conversion = data.conversion
    return {
        "columns": list(data.columns),
        **({} if conversion is None else {"conversion": write_conversion(conversion)}),
        "format": _sorted(asdict(data.format)),
        "left_out": list(data.excluded_columns),
        "path": path.as_posix(),
        "sha256": data.sha256,
        "size": data.size,
    }


def _written_translations(project: Project) -> dict[str, Json]:
    """The translations with the parts of their addresses that are not empty."""
    return {
        language: [
            {
                **{name: part for name, part in address._asdict().items() if part},
                **translation._asdict(),
            }
            for address, translation in texts.items()
        ]
        for language, texts in project.written_translations.items()
    }


def _written_remote(remote: RemoteBinding) -> Json:
    languages = {language: _written_binding(of) for language, of in remote.languages.items()}
    written = {**_written_binding(remote), "languages": languages}
    return _sorted(written if languages else {key: written[key] for key in written if key != "languages"})


def _written_binding(of: RemoteBinding | LanguageBinding) -> dict[str, Json]:
    last_sent = None if of.last_sent is None else _sorted(vars(of.last_sent))
    return _sorted({**vars(of), "ids": _sorted(of.ids), "last_sent": last_sent})


def _sorted(value: Mapping[str, Json]) -> dict[str, Json]:
    return dict(sorted(value.items()))


def study_name(project: Project | StudyContent) -> str:
    """The name of a study and of its batch or collection; “Untitled study” if nobody has named it."""
    name = project.name.strip()
    return _(UNTITLED) if is_blank(name) or name == UNTITLED else name


def with_keys_of_layout(project: Project, before: Layout) -> Project:
    """A project whose layout was `before`, with the same nodes: its translations refer to the new keys."""
    if not project.translations:
        return project
    from batchwright.layout.translations import with_keys

    return replace(project, translations=with_keys(project.translations, before, project.layout))
