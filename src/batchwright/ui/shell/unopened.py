"""The actions of stages that were not opened: they are listed like all others, and open their stage first."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from batchwright.base.i18n import _
from batchwright.ui.core.actions import Action, Condition
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

if TYPE_CHECKING:
    from batchwright.ui.shell.stages import Stage, StageContext

_LONGEST_WAIT_S = 5.0
"""Seconds that a stage has to read what an action needs, for example the data file."""
_INTERVAL_S = 0.05


@dataclass(frozen=True)
class UnopenedStage:
    """A stage that was not opened, in a window."""

    stage: "Stage"
    context: "StageContext"
    open: Callable[[str], Awaitable[None]]
    """Shows the stage of an id, and returns when it is built."""

    @property
    def disabled_reason(self) -> str:
        """Why the stage cannot be opened; empty if it can."""
        return self.stage.disabled_reason(self.context.shell.document)

    def start(self, id: str, name: str) -> None:
        """Open the stage and run one of its actions."""
        self.context.tasks.start(f"open {self.stage.id}", lambda: self._run(id, name))

    async def _run(self, id: str, name: str) -> None:
        """Open the stage, and run the action once it is enabled; a message says why it is not."""
        import asyncio

        shell, actions = self.context.shell, self.context.actions
        await self.open(self.stage.id)
        waited_s = 0.0
        while actions.disabled_reason(id) and waited_s < _LONGEST_WAIT_S and shell.stage == self.stage.id:
            await asyncio.sleep(_INTERVAL_S)
            waited_s += _INTERVAL_S
        if shell.stage != self.stage.id:
            return  # the user has gone on to something else
        if reason := actions.disabled_reason(id):
            title = _("“{action}” is not available now").format(action=name)
            self.context.notices.show_notice(Notice(NoticeSeverity.INFO, title, reason, topic=id))
        else:
            actions.refresh()  # the stage may have become ready without a signal
            actions.qaction(id).trigger()


def placeholders(stage: "Stage", table: Iterable[Action[Any]]) -> list[Action[UnopenedStage]]:
    """Actions that stand for those of a stage until it is opened."""
    return [_placeholder(stage, action) for action in table]


def _placeholder(stage: "Stage", action: Action[Any]) -> Action[UnopenedStage]:
    text = _(action.text) if isinstance(action.text, str) else action.text(None)
    first = _("Open {stage} first").format(stage=stage.title)
    return replace(
        action,
        text=text,
        run=lambda unopened: unopened.start(action.id, text),
        condition=Condition(
            lambda unopened: not action.condition.in_stage_only and not unopened.disabled_reason,
            lambda unopened: unopened.disabled_reason or first,
        ),
        checked=None if action.checked is None else lambda _unopened: False,
        entries=None,
    )
