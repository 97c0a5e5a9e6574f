"""The bar in which the language is chosen whose batch or collection a stage shows."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext, program_language
from batchwright.layout.translations import count_translations
from batchwright.local.projects import Project
from batchwright.ui.core.formatting import number
from batchwright.ui.publishing.state import PublishingState
from batchwright.ui.study.language_names import own_name
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label


class LanguageBar(Surface):
    """Lists the languages of the study, with what each has; hidden if the study has only one."""

    def __init__(self, state: PublishingState[Any, Any, Any], parent: QWidget | None = None) -> None:
        super().__init__("window", Edge.BOTTOM, parent)
        self._state = state
        self._counted: tuple[Project, str, int] | None = None
        """The study, a language, and how many texts it has no translation of."""
        label = Label(_("Language"), TextRole.SMALL, "text2")
        self.choice = FormComboBox()
        self.choice.setAccessibleName(_("Language"))
        self.choice.setSizeAdjustPolicy(FormComboBox.SizeAdjustPolicy.AdjustToContents)
        label.setBuddy(self.choice)
        self.note = ElidedLabel("", TextRole.SMALL, "warn")
        line = row(label, self.choice, gap=12, margins=(24, 8, 24, 8), parent=self)
        line.addWidget(self.note, 1)
        self.choice.activated.connect(lambda _index: state.choose_language(self.choice.currentData()))

    def show_state(self) -> None:
        """Show the languages of the study, and which of them is chosen."""
        state, project = self._state, self._state.study.project
        self.setVisible(state.has_own and bool(project.translations))
        if self.isHidden():
            return
        values = ["", *project.translations]
        titles = [self._title(value) for value in values]
        if [self.choice.itemText(at) for at in range(self.choice.count())] != titles:
            self._set_choices(values, titles)
        self.choice.setCurrentIndex(values.index(state.language))
        missing = self._missing()
        text = ngettext(
            "{count} text has no translation, and is shown as in the study.",
            "{count} texts have no translation, and are shown as in the study.",
            missing,
        )
        self.note.setText(text.format(count=number(missing)) if missing else "")

    def _set_choices(self, values: Sequence[str], titles: Sequence[str]) -> None:
        self.choice.clear()
        for value, title in zip(values, titles, strict=True):
            self.choice.add(title, value)

    def _title(self, language: str) -> str:
        state = self._state
        name = own_name(language or state.study.project.language or program_language().tag)
        is_created = state.binding(language).id_of(state.publishable.kind) is not None
        return name if is_created else _("{language}: not created").format(language=name)

    def _missing(self) -> int:
        """The number of texts that have no translation to the chosen language."""
        project, language = self._state.study.project, self._state.language
        if not language:
            return 0
        if self._counted is None or self._counted[:2] != (project, language):
            counts = count_translations(project.participant_texts.texts(), project.translations[language])
            self._counted = project, language, counts.missing
        return self._counted[2]
