"""The studies one can start from: each a layout, a schema and a few records, bundled with the program."""

import asyncio
from dataclasses import dataclass
from gettext import gettext as _

from batchwright.layout.files import read_file
from batchwright.layout.reading import fresh_keys
from batchwright.local.projects import DataFile, Project
from batchwright.records.json_values import parse
from batchwright.records.schema_reading import read_schema
from batchwright.resources import resource
from batchwright.tables.formats import Format, Kind
from batchwright.wire.batches import TaskDetails


@dataclass(frozen=True)
class Template:
    """A study to start from: where it lies below the resources, and how it is offered."""

    folder: tuple[str, ...]
    name: str
    line: str
    glyph: str
    family: str = "question"


SAMPLE = Template(("samples", "preference"), _("Sample study"), _("Two answers, one choice"), "columns")


def _template(folder: str, name: str, line: str, glyph: str, family: str = "question") -> Template:
    return Template(("templates", folder), name, line, glyph, family)


TEMPLATES = (
    Template(
        ("samples", "preference"), _("Side-by-side preference"), _("Two answers, one choice"), "columns"
    ),
    _template("rating", _("Single rating"), _("One answer, a scale"), "star"),
    _template("factuality", _("Factuality check"), _("Claims, yes or no, why"), "shield-check"),
    _template("image-quality", _("Image quality"), _("One picture, five points"), "image-square"),
    _template("audio", _("Audio comparison"), _("Two clips, one choice"), "speaker-high"),
    _template("transcription", _("Transcription"), _("A clip, a text"), "note-pencil"),
    _template("translation", _("Translation check"), _("Source, target, errors"), "translate"),
    _template("ranking", _("Ranking by pairs"), _("Many answers, two by two"), "list-numbers"),
    _template("critique", _("Free-text critique"), _("One answer, your words"), "chat-centered-text"),
    _template("measurement", _("Measurement with unit"), _("A number and its unit"), "ruler"),
    _template("upload", _("Document upload"), _("Participants send files"), "paperclip"),
    _template("survey", _("Survey"), _("Consent to debriefing"), "users-three", "field"),
)
"""The templates that Home offers, in its order."""


async def study_of(template: Template) -> Project:
    """A new study from a template.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return await asyncio.to_thread(_read, template)


def _read(template: Template) -> Project:
    folder = resource(*template.folder)
    records = next(path for kind in Kind if (path := folder / f"records.{kind}").is_file())
    return Project(
        name=template.name,
        layout=read_file((folder / "layout.json").read_bytes(), fresh_keys()).layout,
        schema=read_schema(parse((folder / "schema.json").read_bytes())),
        details=_details(template),
        data=DataFile(records, records.stat().st_size, Format(Kind(records.suffix[1:]))),
    )


def _details(template: Template) -> TaskDetails:
    return TaskDetails(
        task_name=template.name,
        task_introduction=_("<p>Thank you for taking part. This takes about five minutes.</p>"),
        task_steps=_("<ol><li>Read each page to the end.</li><li>Answer every question.</li></ol>"),
    )
