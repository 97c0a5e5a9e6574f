"""The texts of a study in its languages, and how they are changed; without widgets.

Each change is a step of the study's history.
"""

import asyncio
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import N_, program_language
from batchwright.base.text import is_blank
from batchwright.data_files.translation_files.exchanged_texts import ReadTranslations, StudyLanguages
from batchwright.layout.checking.translated_layouts import problems_of_translations
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import AttributePath, Problem
from batchwright.layout.translations import (
    ParticipantText,
    TranslatedTexts,
    Translation,
    TranslationCounts,
    count_translations,
    with_translation,
)
from batchwright.local.projects import Project
from batchwright.ui.study.checks import fields_of
from batchwright.ui.study.language_names import language_names
from batchwright.ui.study.study_model import Study


class LanguagesState(QObject):
    """The texts that participants read, and their translations to each language of the study."""

    changed = Signal()
    """Texts, languages or translations changed."""
    problems_changed = Signal()

    def __init__(self, study: Study) -> None:
        super().__init__()
        self.study = study
        self._of: Project | None = None
        self._texts: Sequence[ParticipantText] = ()
        self._counts: dict[str, tuple[TranslatedTexts, TranslationCounts]] = {}
        """Those of `_texts`, with the translations that were counted: each column of the table asks."""
        self.problems: Mapping[str, Sequence[Problem]] = {}
        """The problems that the layout has in a language and not in its own, as of the last check."""
        self._by_text: Mapping[tuple[str, NodePath, AttributePath], Problem] = {}
        study.changed.connect(self.changed)

    @property
    def source_language(self) -> str:
        """The language of the study's own texts."""
        return self.study.project.language or program_language().tag

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the study is translated to, in the order in which they were added."""
        return tuple(self.study.project.translations)

    @property
    def possible_languages(self) -> list[str]:
        """The languages that the study can be translated to, by their own names; it may have some already."""
        return [tag for tag in language_names(self.languages) if tag != self.source_language]

    @property
    def study_languages(self) -> StudyLanguages:
        """The languages that a file may have translations to."""
        return StudyLanguages(self.possible_languages, self.languages)

    @property
    def texts(self) -> Sequence[ParticipantText]:
        """The texts in reading order."""
        project = self.study.project
        if self._of is not project:
            before, self._of = self._of, project
            if before is None or _has_other_texts(before, project):
                self._texts = project.participant_texts.texts()
                self._counts = {}
        return self._texts

    def translation(self, row: int, language: str) -> Translation | None:
        """The translation of a text; None if it is missing."""
        found = self.study.project.translations.get(language, {}).get(self.texts[row].address)
        return None if found is None or is_blank(found.text) else found

    def is_outdated(self, row: int, language: str) -> bool:
        """Whether the text was changed since it was translated."""
        found = self.translation(row, language)
        return found is not None and found.source != self.texts[row].text.text

    def counts(self, language: str) -> TranslationCounts:
        """How many texts are still to be translated to a language."""
        texts, translated = self.texts, self.study.project.translations.get(language, {})
        counted, counts = self._counts.get(language, (None, None))
        if counts is None or counted is not translated:
            counts = count_translations(texts, translated)
            self._counts[language] = translated, counts
        return counts

    def has_open(self, language: str) -> bool:
        """Whether a text is missing in a language, or outdated."""
        counts = self.counts(language)
        return bool(counts.missing or counts.outdated)

    def problem(self, row: int, language: str) -> Problem | None:
        """The problem of a translated text that its own text does not have; also one of all options."""
        if self.translation(row, language) is None:
            return None
        text = self.texts[row].text
        attribute = text.location.attribute
        places = ((language, text.path, place) for place in (attribute, AttributePath(attribute.name)))
        return next((self._by_text[place] for place in places if place in self._by_text), None)

    def next_open(self, row: int, language: str) -> int | None:
        """The next text after a row that is missing in a language, or outdated; None if there is none."""
        count = len(self.texts)
        rows = (number % count for number in range(row + 1, row + 1 + count))
        return next(
            (at for at in rows if self.translation(at, language) is None or self.is_outdated(at, language)),
            None,
        )

    def add_language(self, language: str) -> None:
        """Add a language without translations."""
        translations = self.study.project.translations
        if language not in translations:
            self.study.set_translations({**translations, language: {}}, N_("Add language"))

    def remove_language(self, language: str) -> None:
        """Remove a language with all its translations."""
        translations = self.study.project.translations
        others = {other: texts for other, texts in translations.items() if other != language}
        self.study.set_translations(others, N_("Remove language"))

    def translate(self, row: int, language: str, text: str) -> None:
        """Set the translation of a text; a blank one removes it. Typing in one text is one step."""
        address, source = self.texts[row].address, self.texts[row].text.text
        translation = None if is_blank(text) else Translation(text, source)
        changed = with_translation(self.study.project.translations, language, address, translation)
        self.study.set_translations(changed, N_("Translate"), f"{language} {address}")

    def confirm(self, row: int, language: str) -> None:
        """Record that an outdated translation is right for the changed text, too."""
        found = self.translation(row, language)
        if found is not None:
            self.translate(row, language, found.text)
            self.study.close_step()

    def import_texts(self, read: ReadTranslations) -> None:
        """Use the translations of a file, as one step; languages that the study does not have are added."""
        merged = read.merged_into(self.study.project.translations)
        self.study.set_translations(merged, N_("Import translations"))

    async def check(self) -> None:
        """Check the layout in each language, in a thread."""
        project = self.study.project
        texts, fields = project.participant_texts, fields_of(project, self.study.connection)
        problems = await asyncio.to_thread(problems_of_translations, texts, project.translations, fields)
        if problems != self.problems:
            self.problems = problems
            self._by_text = {
                (language, problem.path, problem.attribute): problem
                for language, found in problems.items()
                for problem in found
            }
            self.problems_changed.emit()


def _has_other_texts(before: Project, after: Project) -> bool:
    return (before.layout, before.details, before.name) != (after.layout, after.details, after.name)
