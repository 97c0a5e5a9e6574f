"""The table of stages; each is imported when it is first shown, and its table of actions after the start.

It is the only module that imports several stages: what a stage needs from another one is passed in here.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.actions import Action
from batchwright.ui.shell.stages import Stage, StageContext

if TYPE_CHECKING:
    from batchwright.ui.core.web_images import WebImages
    from batchwright.ui.program.window_controller import WindowController
    from batchwright.ui.study.answered_record import AnsweredRecord
    from batchwright.ui.study.answers_source import AnswersSource
    from batchwright.ui.study.collection_selection import CollectionSelection
    from batchwright.ui.study.study_model import Study

FindController = Callable[[], "WindowController"]
"""Returns the controller of a window, which is created before its first stage is built."""


async def load_stage(id: str) -> None:
    """Import the modules of a stage while the window is in use."""
    import asyncio

    if id == "home":  # it is shown first and is small: importing it in slices would gain nothing
        import_module("batchwright.ui.home.stage")
        await asyncio.sleep(0)  # it is built in another iteration of the event loop
        return

    from batchwright.ui.core.lazy_imports import import_incrementally, lazy_modules

    await import_incrementally(_module(id))
    for name in lazy_modules(import_module(f"{_package(id)}.actions")):
        await import_incrementally(name)
    if id == "layout":
        rich_text = import_module("batchwright.layout.rich_text")
        await asyncio.to_thread(rich_text.render, "", "markdown")  # imports its libraries on first use
    if id == "results":
        stores = import_module("batchwright.analysis.store.answer_store")
        await asyncio.to_thread(lambda: stores.AnswerStore().close())  # the first one takes longer


async def load_actions(id: str) -> Sequence[Action[Any]]:
    """Import the actions of a stage, and nothing else of it."""
    import asyncio

    actions: Sequence[Action[Any]] = import_module(f"{_package(id)}.actions").ACTIONS
    await asyncio.sleep(0)  # those of the next stage are imported in another iteration of the event loop
    return actions


class _StageLinks:
    """What one stage asks another one to show; created with the first of these stages."""

    def __init__(self, find_controller: FindController) -> None:
        self._find_controller = find_controller

    @cached_property
    def answers(self) -> "AnswersSource":
        """What Results shows, set by Run and Collections."""
        from batchwright.ui.study.answers_source import AnswersSource

        return AnswersSource(self._find_controller())

    @cached_property
    def collection(self) -> "CollectionSelection":
        """What Collections shows, set by Jobs."""
        from batchwright.ui.study.collection_selection import CollectionSelection

        return CollectionSelection(self._find_controller())


def stage_table(find_controller: FindController) -> Sequence[Stage]:
    """The stages of one window, in the order of the navigation rail."""

    links = _StageLinks(find_controller)

    def build(id: str) -> Callable[[StageContext], QWidget]:
        def build_it(stage_context: StageContext) -> QWidget:
            controller = find_controller()
            widget: QWidget = import_module(_module(id)).build(
                stage_context, controller.study, controller.session
            )
            return widget

        return build_it

    def home(stage_context: StageContext) -> QWidget:
        from batchwright.ui.home.stage import build_home

        return build_home(stage_context, find_controller())

    def data(stage_context: StageContext) -> QWidget:
        from batchwright.ui.data.stage import build as build_data

        controller = find_controller()
        return build_data(stage_context, controller.study, controller.session, controller.images)

    def layout(stage_context: StageContext) -> QWidget:
        from batchwright.ui.editor.stage import build as build_editor

        controller = find_controller()
        return build_editor(
            stage_context, controller.study, controller.session, controller.library, controller.images
        )

    def run(stage_context: StageContext) -> QWidget:
        from batchwright.ui.editor.legacy_instructions import edit_instructions
        from batchwright.ui.run.stage import build_run

        controller = find_controller()
        open_study = partial(controller.files.open_new, stage="layout")
        return build_run(
            stage_context, controller.study, controller.session, open_study, edit_instructions, links.answers
        )

    def results(stage_context: StageContext) -> QWidget:
        from batchwright.ui.results.stage import build_results

        controller = find_controller()
        create_preview = partial(_create_preview, stage_context, controller.study, controller.images)
        return build_results(
            stage_context, controller.study, controller.session, links.answers, create_preview
        )

    def collections(stage_context: StageContext) -> QWidget:
        from batchwright.ui.collections.stage import build_collections

        controller = find_controller()
        open_study = partial(controller.files.open_new, stage="layout")
        return build_collections(
            stage_context,
            controller.study,
            controller.session,
            open_study,
            links.answers,
            links.collection,
        )

    def jobs(stage_context: StageContext) -> QWidget:
        from batchwright.ui.jobs.stage import build_jobs

        controller = find_controller()
        return build_jobs(stage_context, controller.study, controller.session, links.collection)

    stages = (
        Stage("home", _("Home"), "house", home),
        Stage("data", _("Data"), "table", data, needs_study=True, needs_data=True),
        Stage("layout", _("Layout"), "layout", layout, needs_study=True),
        Stage("run", _("Run"), "play-circle", run),
        Stage("results", _("Results"), "chart-bar", results),
        Stage("collections", _("Collections"), "cards", collections, is_below_separator=True),
        Stage("feedback", _("Feedback"), "upload-simple", build("feedback"), is_below_separator=True),
        Stage("jobs", _("Jobs"), "activity", jobs, is_below_separator=True, counts_jobs=True),
    )
    return tuple(
        replace(
            stage,
            load=partial(load_stage, stage.id),
            actions=None if stage.id == "home" else partial(load_actions, stage.id),
        )
        for stage in stages
    )


async def _create_preview(
    context: StageContext,
    study: "Study",
    images: "WebImages",
    record: "AnsweredRecord",
    on_closed: Callable[[], object],
) -> QWidget:
    """Create the preview of a record in Results; its modules are imported before the first one."""
    from batchwright.ui.core.desktop import open_medium
    from batchwright.ui.core.lazy_imports import import_incrementally

    await import_incrementally("batchwright.ui.editor.preview.answered")
    from batchwright.ui.core.web_media import PreviewMedia
    from batchwright.ui.editor.preview.answered import create_preview

    media = PreviewMedia(images, lambda address: open_medium(context.notices, address, study.media))
    return create_preview(record, on_closed, media)


def _module(id: str) -> str:
    return f"{_package(id)}.stage"


def _package(id: str) -> str:
    return f"batchwright.ui.{'editor' if id == 'layout' else id}"
