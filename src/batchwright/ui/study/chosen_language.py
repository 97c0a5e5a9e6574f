"""A study in one of the languages that it is translated to, as a stage or panel shows it."""

from batchwright.layout.translations import TranslatedPages
from batchwright.local.projects import Project
from batchwright.ui.study.study_model import Study


class ChosenLanguage:
    """The language in which a study is shown, and the study in it; only what changes is translated again."""

    def __init__(self, study: Study) -> None:
        self._study, self._tag = study, ""
        self._translated: tuple[Project, str, Project] | None = None
        """The study, a language, and the study in it."""
        self._pages = TranslatedPages()

    @property
    def tag(self) -> str:
        """The tag of the language; empty for that of the study, also once its translation was removed."""
        return self._tag if self._tag in self._study.project.translations else ""

    @tag.setter
    def tag(self, tag: str) -> None:
        self._tag = tag

    @property
    def project(self) -> Project:
        """The study in the language."""
        project, tag = self._study.project, self.tag
        if not tag:
            return project
        if self._translated is None or self._translated[0] is not project or self._translated[1] != tag:
            self._translated = project, tag, project.in_language(tag, self._pages)
        return self._translated[2]
