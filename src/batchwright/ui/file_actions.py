"""The actions of the File, Edit and Help menus for a study; a new collection is among the collections."""

from itertools import islice

from PySide6.QtGui import QAction

from batchwright.base.i18n import N_, _
from batchwright.local.projects import StudyKind
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.study.study_model import Study
from batchwright.ui.study.templates import SAMPLE
from batchwright.ui.window_controller import WindowController

_OPEN, _SAVE, _COLLECTION, _CLOSE, _QUIT = 0, 10, 40, 90, 99
_MAX_RECENT = 10
_NO_STUDY = N_("Open or create a study first")


def _is_open(controller: WindowController) -> bool:
    return controller.study.is_open


async def _export_register(controller: WindowController) -> None:
    """Write all ids that were created or fetched to a file."""
    await controller.files.export_register(await controller.session.id_registry())


async def _open_versions(controller: WindowController) -> None:
    """Show the versions of the study."""
    from batchwright.ui.core.lazy_imports import import_incrementally

    await import_incrementally("batchwright.ui.versions.panel")
    from batchwright.ui.versions.panel import open_versions

    open_store = controller.session.version_store
    await open_versions(controller.context, controller.study, controller.versions, open_store)


def _open_rules(controller: WindowController) -> None:
    """Show the rules for layouts: those that the layout violates first, scrolled to the current rule."""
    from batchwright.ui.shell.rules_page import open_rules

    violated = [problem.code for problem in controller.study.problems]
    open_rules(controller.context.window, violated, controller.context.shell.current_rule())


FILE: tuple[Action[WindowController], ...] = (
    Action[WindowController](
        ActionId.NEW,
        N_("New study"),
        "Ctrl+N",
        lambda controller: controller.files.new(),
        Menu.FILE,
        glyph="file-plus",
        group=_OPEN,
    ),
    Action[WindowController](
        ActionId.NEW_COLLECTION,
        N_("New collection"),
        "",
        lambda controller: controller.files.create(StudyKind.COLLECTION),
        Menu.RUN,
        submenu=Submenu.COLLECTION,
        glyph="cards",
        group=_COLLECTION,
    ),
    Action[WindowController](
        ActionId.OPEN,
        N_("Open a study…"),
        "Ctrl+O",
        lambda controller: controller.files.choose_and_open(),
        Menu.FILE,
        glyph="folder-open",
        group=_OPEN,
    ),
    Action[WindowController](
        ActionId.OPEN_DATA,
        N_("Open a data file…"),
        "Ctrl+Shift+O",
        lambda controller: controller.files.choose_and_open_data(),
        Menu.FILE,
        glyph="table",
        group=_OPEN,
    ),
    Action[WindowController](
        ActionId.OPEN_RECENT,
        N_("Open recent"),
        "",
        lambda _controller: None,
        Menu.FILE,
        glyph="clock",
        group=_OPEN,
        entries=lambda controller: islice(controller.recent_studies(), _MAX_RECENT),
    ),
    Action[WindowController](
        ActionId.TRY_SAMPLE,
        N_("Try the sample study"),
        "",
        lambda controller: controller.open_template(SAMPLE),
        Menu.FILE,
        glyph="play-circle",
        group=_OPEN,
    ),
    Action[WindowController](
        ActionId.NEW_WINDOW,
        N_("New window"),
        "Ctrl+Shift+N",
        lambda controller: controller.windows.open_window(),
        Menu.FILE,
        glyph="monitor",
        group=_OPEN,
    ),
    Action[WindowController](
        ActionId.SAVE,
        N_("Save"),
        "Ctrl+S",
        lambda controller: controller.files.save(),
        Menu.FILE,
        enabled=lambda controller: controller.study.is_open and not controller.study.is_saved,
        disabled_reason=N_("There is nothing to save"),
        glyph="floppy-disk",
        group=_SAVE,
    ),
    Action[WindowController](
        ActionId.SAVE_AS,
        N_("Save as…"),
        "Ctrl+Shift+S",
        lambda controller: controller.files.save_as(),
        Menu.FILE,
        enabled=_is_open,
        disabled_reason=_NO_STUDY,
        glyph="floppy-disk",
        group=_SAVE,
    ),
    Action[WindowController](
        ActionId.VERSIONS,
        N_("Versions…"),
        "Ctrl+Shift+V",
        _open_versions,
        Menu.FILE,
        enabled=_is_open,
        disabled_reason=_NO_STUDY,
        glyph="clock-counter-clockwise",
        group=_SAVE,
    ),
    Action[WindowController](
        ActionId.SAVE_TEMPLATE,
        N_("Save as a template…"),
        "",
        lambda controller: controller.library.save_template(controller.study.project),
        Menu.FILE,
        enabled=_is_open,
        disabled_reason=_NO_STUDY,
        glyph="file-text",
        group=_SAVE,
    ),
    Action[WindowController](
        ActionId.IMPORT_LIBRARY,
        N_("Import a template or block…"),
        "",
        lambda controller: controller.library.choose_and_import(),
        Menu.FILE,
        glyph="upload-simple",
        group=_SAVE,
    ),
    Action[WindowController](
        ActionId.EXPORT_LAYOUT,
        lambda controller: (
            _("Save the pages as JSON or YAML…")
            if controller.study.is_collection
            else _("Export the layout…")
        ),
        "",
        lambda controller: controller.files.export_layout(),
        Menu.FILE,
        enabled=_is_open,
        disabled_reason=_NO_STUDY,
        glyph="brackets-curly",
        group=_SAVE,
    ),
    Action[WindowController](
        ActionId.CONVERT,
        lambda controller: (
            _("Convert to a batch…") if controller.study.is_collection else _("Convert to a collection…")
        ),
        "",
        lambda controller: controller.files.convert(),
        Menu.FILE,
        enabled=_is_open,
        disabled_reason=_NO_STUDY,
        glyph="arrows-clockwise",
        group=_SAVE,
    ),
    Action[WindowController](
        ActionId.EXPORT_REGISTER,
        N_("Export the id registry…"),
        "",
        _export_register,
        Menu.FILE,
        glyph="list-numbers",
        group=80,
    ),
    Action[WindowController](
        ActionId.ADD_CONNECTION,
        N_("Add a connection…"),
        "",
        WindowController.add_connection,
        Menu.FILE,
        glyph="link",
        group=80,
    ),
    Action[WindowController](
        ActionId.CLOSE_STUDY,
        N_("Close the study"),
        "",
        lambda controller: controller.files.close(),
        Menu.FILE,
        enabled=_is_open,
        disabled_reason=_NO_STUDY,
        glyph="x",
        group=_CLOSE,
    ),
    Action[WindowController](
        ActionId.QUIT,
        N_("Quit"),
        "Ctrl+Q",
        lambda controller: controller.windows.quit(),
        Menu.FILE,
        glyph="sign-out",
        group=_QUIT,
        role=QAction.MenuRole.QuitRole,
    ),
)


HELP: tuple[Action[WindowController], ...] = (
    Action[WindowController](
        ActionId.RULES,
        N_("Layout rules"),
        "F1",
        _open_rules,
        Menu.HELP,
        glyph="list-bullets",
        group=10,
    ),
)


def _undo_text(study: Study) -> str:
    label = study.undo_label
    return _("Undo") if label is None else _("Undo: {action}").format(action=_(label))


def _redo_text(study: Study) -> str:
    label = study.redo_label
    return _("Redo") if label is None else _("Redo: {action}").format(action=_(label))


EDIT: tuple[Action[Study], ...] = (
    Action[Study](
        ActionId.UNDO,
        _undo_text,
        "Ctrl+Z",
        Study.undo,
        Menu.EDIT,
        enabled=lambda study: study.undo_label is not None,
        disabled_reason=N_("Nothing to undo"),
        glyph="arrow-u-up-left",
    ),
    Action[Study](
        ActionId.REDO,
        _redo_text,
        "Ctrl+Shift+Z",
        Study.redo,
        Menu.EDIT,
        enabled=lambda study: study.redo_label is not None,
        disabled_reason=N_("Nothing to redo"),
        glyph="arrow-u-up-right",
    ),
)
