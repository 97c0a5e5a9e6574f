"""The bundled study templates: layout, schema and a few records each.

A study made from one is in the language of the program: its texts are messages of the catalogues, and its
records are in a file of that language, where there is one.
"""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _, current_language
from batchwright.base.resources import resource
from batchwright.local.projects import Project

if TYPE_CHECKING:  # imported only when a study is created
    from batchwright.layout.searching.study_texts import StudyTexts
    from batchwright.wire.batches import TaskDetails


@dataclass(frozen=True)
class Template:
    """A study template: its folder below the resources and how it is displayed.

    Name and description are marked for translation and translated when displayed.
    """

    folder: tuple[str, ...]
    name: str
    description: str
    glyph: str
    family: str = "question"
    has_media: bool = False
    """Whether its records refer to bundled pictures or recordings (`resources.SAMPLE_MEDIA`)."""


SAMPLE = Template(("samples", "preference"), N_("Sample study"), N_("Two answers, one choice"), "columns")


def _template(
    folder: str, name: str, description: str, glyph: str, family: str = "question", *, has_media: bool = False
) -> Template:
    return Template(("templates", folder), name, description, glyph, family, has_media)


TEMPLATES = (
    Template(
        ("samples", "preference"),
        N_("Side-by-side preference"),
        N_("Two answers, one choice"),
        "columns",
    ),
    _template("rating", N_("Single rating"), N_("One answer, a scale"), "star"),
    _template("factuality", N_("Factuality check"), N_("Claims, yes or no, why"), "shield-check"),
    _template(
        "image-quality",
        N_("Image quality"),
        N_("One picture, five points"),
        "image-square",
        has_media=True,
    ),
    _template("audio", N_("Audio comparison"), N_("Two clips, one choice"), "speaker-high", has_media=True),
    _template("transcription", N_("Transcription"), N_("A clip, a text"), "note-pencil", has_media=True),
    _template("translation", N_("Translation check"), N_("Source, target, errors"), "translate"),
    _template("ranking", N_("Ranking by pairs"), N_("Many answers, two by two"), "list-numbers"),
    _template("critique", N_("Free-text critique"), N_("One answer, your words"), "chat-centered-text"),
    _template(
        "measurement", N_("Measurement with unit"), N_("A number and its unit"), "ruler", has_media=True
    ),
    _template("upload", N_("Document upload"), N_("Participants send files"), "paperclip"),
    _template("survey", N_("Survey"), N_("Collection with consent"), "users-three", "field"),
    _template("screening", N_("Screening"), N_("Collection: eligibility"), "funnel-simple", "field"),
    _template("debriefing", N_("Debriefing"), N_("Collection: after a study"), "chat-centered-text", "field"),
)
"""The templates in the order of Home."""


async def study_from_template(template: Template) -> Project:
    """A new study from a template.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return await asyncio.to_thread(_read, template)


async def study_from_folder(folder: Path) -> Project:
    """A new study from a folder with a layout; for the folder of the sample, the sample study.

    Raises:
        NotAProject, OSError: as in `local.study_files.study_folders.read_study_folder`.
    """
    return await asyncio.to_thread(_read_any, folder)


def _read(template: Template) -> Project:
    from batchwright.local.study_files.study_folders import read_study_folder

    language = current_language().tag
    study = read_study_folder(resource(*template.folder), _(template.name), language)
    texts = texts_of_study(study)
    translated = texts.with_texts({text.location: _(text.text) for text in texts.texts()})
    return replace(
        study,
        layout=translated.layout,
        schema=translated.schema,
        details=_details(template),
        language=language,
    )


def texts_of_study(study: Project) -> "StudyTexts":
    """The texts in the files of a template; name and task details are not in them."""
    from batchwright.layout.searching.study_texts import StudyTexts

    return StudyTexts("", {}, study.schema, study.page_names, study.layout)


def _read_any(folder: Path) -> Project:
    from batchwright.local.study_files.study_folders import read_study_folder

    resolved = folder.resolve()
    is_sample = resolved == resource(*SAMPLE.folder).resolve()
    return _read(SAMPLE) if is_sample else read_study_folder(resolved, resolved.name)


def _details(template: Template) -> "TaskDetails":
    from batchwright.wire.batches import TaskDetails

    return TaskDetails(
        task_name=_(template.name),
        task_introduction=_("<p>Thank you for taking part. This takes about five minutes.</p>"),
        task_steps=_("<ol><li>Read each page to the end.</li><li>Answer every question.</li></ol>"),
    )
