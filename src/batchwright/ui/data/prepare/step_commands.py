"""Commands that change the steps of a preparation; each is one undo step of the study."""

from collections.abc import Callable, Sequence

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.prepare.step_dialog import StepDialog
from batchwright.ui.data.prepare.step_forms import DESIGNS, STEP_FORMS
from batchwright.ui.data.prepare.step_result_dialog import StepResultDialog
from batchwright.ui.data.state import DataState


async def add_step(context: DataContext, name: str) -> None:
    """Ask for the options of a new step, and add it behind the others."""
    await _add(context, name, lambda _entry: ())


async def add_design(context: DataContext, number: int) -> None:
    """Ask for the first step of a design, by its number, and add all of its steps behind the others."""
    design = DESIGNS[number]
    await _add(context, design.step, design.following)


async def _add(
    context: DataContext, name: str, following: Callable[[JsonObject], Sequence[JsonObject]]
) -> None:
    state, opening = context.state, context.state.study.opening
    if context.notify_if_busy():
        return
    dialog = StepDialog({"step": name}, columns_before(state, len(state.steps) + 1), _("Add the step"))
    if await dialog.ask(context.window.window) and opening == state.study.opening:
        state.change_steps((*state.steps, dialog.entry, *following(dialog.entry)), N_("Add step"))


async def change_step(context: DataContext, number: int) -> None:
    """Ask for other options of a step; steps are counted from 1."""
    state, opening, steps = context.state, context.state.study.opening, context.state.steps
    if steps[number - 1].get("step") not in STEP_FORMS or context.notify_if_busy():
        return
    dialog = StepDialog(steps[number - 1], columns_before(state, number), _("Change the step"))
    is_changed = await dialog.ask(context.window.window)
    if is_changed and (opening, steps) == (state.study.opening, state.steps):
        state.change_steps((*steps[: number - 1], dialog.entry, *steps[number:]), N_("Change step"))


async def show_result(context: DataContext, number: int) -> None:
    """Show the first rows after a step, and how balanced the result is."""
    report = next((entry for entry in context.state.file.step_reports if entry.number == number), None)
    if report is not None and not report.problem:
        steps = context.state.steps
        await StepResultDialog(report, steps[number - 1] if number else None).ask(context.window.window)


def remove_step(state: DataState, number: int) -> None:
    """Remove a step; steps are counted from 1."""
    state.change_steps((*state.steps[: number - 1], *state.steps[number:]), N_("Remove step"))


def move_step(state: DataState, number: int, to: int) -> None:
    """Move a step to another place."""
    steps = list(state.steps)
    if 1 <= to <= len(steps):
        steps.insert(to - 1, steps.pop(number - 1))
        state.change_steps(steps, N_("Move step"))


def switch_step(state: DataState, number: int) -> None:
    """Switch a step off, or on again."""
    steps = list(state.steps)
    entry = steps[number - 1]
    others = {key: value for key, value in entry.items() if key != "off"}
    is_off = entry.get("off") is True
    steps[number - 1] = others if is_off else {**others, "off": True}
    state.change_steps(steps, N_("Switch step on") if is_off else N_("Switch step off"))


def switch_all(state: DataState) -> None:
    """Switch all steps off, or on again if all are off."""
    plain = [{key: value for key, value in step.items() if key != "off"} for step in state.steps]
    is_off = all(step.get("off") is True for step in state.steps)
    steps = plain if is_off else [{**step, "off": True} for step in plain]
    state.change_steps(steps, N_("Switch steps on") if is_off else N_("Switch steps off"))


def remove_all(state: DataState) -> None:
    """Remove all steps."""
    state.change_steps((), N_("Remove all steps"))


def columns_before(state: DataState, number: int) -> Sequence[str]:
    """The columns of the table before a step, as far as they are known."""
    known = [report for report in state.file.step_reports if report.number < number and not report.problem]
    if known:
        return known[-1].columns
    return state.file.summary.columns if state.file.summary else ()
