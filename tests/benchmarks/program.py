"""Runs the program with one window in this process, for benchmarks."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from PySide6.QtWidgets import QApplication

from batchwright.app.window import WindowControllers, program_dependencies
from batchwright.local.paths import Folders
from batchwright.ui.program.application import Application, OpenWindow
from batchwright.ui.program.window_controller import WindowController

Steps = Callable[[OpenWindow, WindowController], Awaitable[None]]


def run_in_window(folders: Folders, steps: Steps, on_painted: Callable[[], object] | None = None) -> None:
    """Open a window, take steps in it, and end the program.

    Args:
        folders: the folders of the program; they exist.
        steps: the steps.
        on_painted: called when the window is painted, before the event loop of the program runs.

    Raises:
        Exception: what a step has raised.
    """
    errors: list[Exception] = []
    app, controllers = QApplication([]), WindowControllers(folders)

    async def opened(opened: OpenWindow) -> None:
        async def run_and_end() -> None:
            try:
                await steps(opened, controllers.controller(opened))
            except Exception as error:
                errors.append(error)
            finally:
                program.ended.emit()

        await controllers.on_opened(opened)
        opened.context.tasks.start("the main job", run_and_end)

    program = Application(app, replace(program_dependencies(folders, controllers), on_opened=opened))
    program.open_window()
    app.processEvents()
    if on_painted is not None:
        on_painted()
    import qasync  # after the first window is painted, as in `ui.application`  # noqa: PLC0415

    qasync.run(program.run_until_closed())
    if errors:
        raise errors[0]
