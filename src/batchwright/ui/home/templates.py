"""The studies one can start from: each a layout, a schema and a few records, bundled with the program."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.local.projects import Project
from batchwright.local.study_folders import read_study_folder
from batchwright.resources import resource
from batchwright.wire.batches import TaskDetails
from batchwright.words import _


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


async def study_in(folder: Path) -> Project:
    """A new study from any folder with a layout; that of the sample is the sample study.

    Raises:
        what `read_study_folder` raises.
    """
    return await asyncio.to_thread(_read_any, folder)


def _read(template: Template) -> Project:
    study = read_study_folder(resource(*template.folder), template.name)
    return replace(study, details=_details(template))


def _read_any(folder: Path) -> Project:
    whole = folder.resolve()
    is_sample = whole == resource(*SAMPLE.folder).resolve()
    return _read(SAMPLE) if is_sample else read_study_folder(whole, whole.name)


def _details(template: Template) -> TaskDetails:
    return TaskDetails(
        task_name=template.name,
        task_introduction=_("<p>Thank you for taking part. This takes about five minutes.</p>"),
        task_steps=_("<ol><li>Read each page to the end.</li><li>Answer every question.</li></ol>"),
    )
