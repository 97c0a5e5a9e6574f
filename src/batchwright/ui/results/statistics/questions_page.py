"""The section Questions: the results of each question."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.analysis.sections import QuestionsResult
from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import number
from batchwright.ui.results.statistics.number_fields import FurtherAnswersField, WantedWidthField
from batchwright.ui.results.statistics.question_panel import QuestionPanel
from batchwright.ui.results.statistics.sampling_fields import ClustersField, WeightField
from batchwright.ui.results.statistics.section_pages import PageContext, ResultPage
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import FilterCombo
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.wrapping_row import WrappingRow, group

_PANELS = 12
"""The questions that are shown at first, and that each click on the button adds."""


async def build(context: PageContext) -> QWidget:
    """Build the page."""
    return QuestionsPage(context)


class QuestionsPage(ResultPage[QuestionsResult]):
    """A panel for each question, and above them the field by which choices and numbers are split."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context, QuestionsResult)
        self.panels: dict[str, QuestionPanel] = {}
        self._max_panels = _PANELS
        self.fields = FilterCombo(_("Split by field"), _("All answers"))
        self.units_button = Button(_("Convert units…"), glyph="ruler", height=ButtonSize.NOTICE)
        self.roles_button = Button(_("Roles…"), glyph="tag", height=ButtonSize.NOTICE)
        self.more_button = Button("", height=ButtonSize.NOTICE)
        content = QWidget()
        self._split = group(Label(_("Split by"), TextRole.SMALL, "text2"), self.fields)
        self.further_answers = FurtherAnswersField(context.state)
        buttons = group(self.roles_button, self.units_button)
        self.clusters, self.weights = ClustersField(context.state), WeightField(context.state)
        fields = self.clusters, self.weights, self.further_answers, WantedWidthField(context.state)
        self._controls = WrappingRow(self._split, *fields, None, buttons)
        self._note = Label("", TextRole.SMALL, "text2", wraps=True)
        self._panels = column(gap=14)
        column(
            self._controls,
            self._note,
            self._panels,
            row(None, self.more_button, None),
            None,
            gap=14,
            margins=(24, 14, 24, 18),
            parent=content,
        )
        self.set_content(VerticalScrollArea(content))
        self.fields.activated.connect(lambda: context.state.split_by(self.fields.chosen or ""))
        self.units_button.clicked.connect(lambda: context.window.actions.run(ActionId.RESULTS_UNITS))
        self.roles_button.clicked.connect(lambda: context.window.actions.run(ActionId.RESULTS_ROLES))
        self.more_button.clicked.connect(self._show_more)

    @override
    def regions(self) -> Sequence[QWidget]:
        return self._controls, *self.panels.values()

    @override
    def show_result(self, result: QuestionsResult) -> Iterator[None]:
        self.fields.set_choices({name: name for name in result.fields}, result.by_field)
        self.further_answers.setVisible(any(item.precision for item in result.questions))
        self._split.setVisible(bool(result.fields))
        self.clusters.setVisible(not result.is_survey)
        self.weights.show_fields(result.weight_fields)
        self._note.setText(result.sampling_note)
        self._note.setVisible(bool(result.sampling_note))
        self.units_button.setVisible(bool(result.units))
        shown = result.questions[: self._max_panels]
        ids = {item.question.id for item in shown}
        for id in [id for id in self.panels if id not in ids]:
            panel = self.panels.pop(id)
            panel.hide()
            panel.deleteLater()
        hidden = len(result.questions) - len(shown)
        text = ngettext("Show {count} more question", "Show {count} more questions", min(hidden, _PANELS))
        self.more_button.setText(text.format(count=number(min(hidden, _PANELS))))
        self.more_button.setVisible(hidden > 0)
        for place, item in enumerate(shown):
            if item.question.id not in self.panels:
                self._add_panel(place, QuestionPanel(self.context, item), item.question.id)
                yield
            panel = self.panels[item.question.id]
            yield from panel.show_result(item, result)
            panel.show()
            yield

    def _add_panel(self, place: int, panel: QuestionPanel, id: str) -> None:
        """Add a panel, which is hidden until it shows its result."""
        self.panels[id] = panel
        panel.hide()
        self._panels.insertWidget(place, panel)

    def _show_more(self) -> None:
        self._max_panels += _PANELS
        if self.result is not None:
            self.start_work(self.show_result(self.result))
