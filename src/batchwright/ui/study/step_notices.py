"""Notices about what an undo or redo has changed, if the current stage does not show it."""

from PySide6.QtCore import QObject

from batchwright.base.i18n import _
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.steps import RestoredStep
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

_STAGES = {
    "layout": "layout",
    "page_names": "layout",
    "translations": "layout",
    "schema": "data",
    "records": "data",
    "details": "run",
    "language": "run",
    "tasks_per_group": "run",
    "kind": "layout",
}
"""The stage that shows an attribute of the study's content. The name of the study is not in a stage."""

EDIT_TOPIC = "edit"
"""The topic of notices about an edit that was just made; an undo or redo dismisses them."""

_TOPIC = "undo"


class StepNotices(QObject):
    """Shows a notice after an undo or redo that changed something in another stage, with a button to it."""

    def __init__(self, context: StageContext, study: Study) -> None:
        super().__init__(context.window)
        self._context, self._study = context, study
        study.step_restored.connect(self._on_step_restored)

    def _on_step_restored(self, step: RestoredStep) -> None:
        self._context.notices.dismiss((EDIT_TOPIC,))
        stages = [stage for name, stage in _STAGES.items() if name in step.attributes]
        if self._study.is_collection:
            stages = ["collections" if stage == "run" else stage for stage in stages]
        if self._context.shell.stage in stages:
            self._context.notices.dismiss((_TOPIC,))
            return
        text = _("Undone: {action}") if step.is_undo else _("Redone: {action}")
        self._context.notices.show_notice(
            Notice(
                NoticeSeverity.INFO,
                text.format(action=_(step.label)),
                action_label=_("Show") if stages else "",
                action=(lambda: self._context.shell.enter_stage(stages[0])) if stages else None,
                topic=_TOPIC,
            )
        )
